"""The tables of model runs: what was asked of which model, what came back, and what was made of it.

A request is known by its hash. Its `reply`, once stored, is both the evidence and the cache: whoever asks the same
again is answered from here. An `attempt` is a row before its request leaves, so that a crash leaves its trace.
`reply` and `run_text` rows are never changed, but for the key of a reply that another one replaces
(`store/runs/asked_again.py`); a status moves in a `run_item` and its `run_round` rows only.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Float, ForeignKey, Index, Integer, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from core.runs.states import ATTEMPT_STATES, ITEM_STATUSES, MODEL_KINDS, RUN_STATES
from core.steps import GROUP_STATES, ONE_STEP
from store.tables.columns import (
    checked,
    json_column,
    key_column,
    moment_column,
    one_of,
    text_column,
    version_column,
)

_IN_STEPS = text("group_id IS NOT NULL")
_OF_FIGURE = text("subject_kind = 'figure'")


class EndpointRow(SQLModel, table=True):
    """Where models are asked. The key itself is never here: `key_variable` names the environment variable."""

    __tablename__ = "endpoint"
    name: str = Field(primary_key=True)
    base_url: str
    key_variable: str = text_column()
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int = 8
    deadline_s: float = 120.0
    most_bytes: int = 2_000_000
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class ModelCardRow(SQLModel, table=True):
    """What is known of a model, and how it is asked. Prices are US dollars per million tokens; `tokens_per_image` and
    `tokens_per_page` are the most that a picture and a page of a PDF cost."""

    __tablename__ = "model_card"
    __table_args__ = (one_of("kind", MODEL_KINDS),)
    id: str = key_column()
    name: str = Field(unique=True)
    endpoint: str | None = Field(default=None, foreign_key="endpoint.name")
    model: str = text_column()
    provider: str = text_column()
    family: str = text_column()
    kind: str = "instruct"
    parameters_b: float | None = None
    is_open_weight: bool | None = None
    knowledge_cutoff: str | None = None
    context_length: int | None = None
    takes_images: bool | None = None
    takes_pdfs: bool | None = None
    tokens_per_image: int | None = None
    tokens_per_page: int | None = None
    price_input: float | None = None
    price_cached: float | None = None
    price_output: float | None = None
    parameters: dict[str, Any] = json_column({})
    notes: str = text_column()
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class RunRow(SQLModel, table=True):
    """`settings`: what was wanted, with snapshots of cards and endpoints; `manifest`: every hash that made the run.

    `reason` says why a run waits or is stopped. `hindered`: what part of it cannot go on for (`store/hindrances.py`).
    `based_on`: the run that this one redoes from a step on. `next_place`: the number of the next sample to write, of a
    space of samples that is written window by window; null where all are there.
    """

    __tablename__ = "run"
    __table_args__ = (one_of("state", RUN_STATES),)
    id: str = key_column()
    number: int = Field(unique=True)
    title: str = text_column()
    protocol: str
    protocol_version: str
    state: str = "queued"
    reason: str = text_column()
    hindered: dict[str, Any] = json_column({})
    settings: dict[str, Any] = json_column({})
    manifest: dict[str, Any] = json_column({})
    created_by: str
    created_at: datetime = moment_column()
    started_at: datetime | None = moment_column(nullable=True)
    finished_at: datetime | None = moment_column(nullable=True)
    archived_at: datetime | None = moment_column(nullable=True)
    based_on: str | None = Field(default=None, foreign_key="run.id")
    next_place: int | None = None
    version: int = version_column()


class RunTextRow(SQLModel, table=True):
    """A text that runs use (prompt templates, rendered messages), once, by the SHA-256 of its UTF-8."""

    __tablename__ = "run_text"
    hash: str = Field(primary_key=True)
    text: str = text_column()


class RunCellRow(SQLModel, table=True):
    """One combination of labels that samples of a run have, by which lists find them: `labels`, name → values; `hash`
    is that of the labels."""

    __tablename__ = "run_cell"
    __table_args__ = (UniqueConstraint("run_id", "hash"),)
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id")
    hash: str
    labels: dict[str, Any] = json_column({})


class RunGroupRow(SQLModel, table=True):
    """What a step of a run takes together; a source that steps take stands here too, done, under its own name. Runs of
    one step have no groups. `key`: a paper, a cell; empty over the whole run. `inputs_hash`: of all that the group
    took. `state` moves by compare-and-set only (`store/runs/groups.py`)."""

    __tablename__ = "run_group"
    __table_args__ = (
        one_of("state", GROUP_STATES),
        UniqueConstraint("run_id", "step", "key"),
        Index(None, "run_id", "state"),
    )
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id")
    step: str
    key: str
    state: str = "waiting"
    reason: str = text_column()
    inputs_hash: str = ""
    ended_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class RunMadeRow(SQLModel, table=True):
    """A value that a group gives to later steps: of a source, made, or laid before people. `hash`: of all that it
    depends on; `rests_on`: hashes of the values that it rests on, none for all that its group took. `ruling`: what
    people said of it, null until then."""

    __tablename__ = "run_made"
    __table_args__ = (UniqueConstraint("group_id", "place"),)
    id: str = key_column()
    group_id: str = Field(foreign_key="run_group.id")
    key: str
    place: int
    value: Any = Field(default=None, sa_column=Column(JSON, nullable=False))
    hash: str
    flags: list[Any] = json_column([])
    rests_on: list[Any] = json_column([])
    ruling: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    version: int = version_column()


class RunSampleRow(SQLModel, table=True):
    """One question of a run. `messages`: [role, hash of its text] in order; `answer`: the true label, null where what
    is true is no label; `truth`: what an answer is held against besides; `slots`: what its messages can be made of
    again, null where these are kept; `facts`: what tables are grouped by and lists search in. Its subject is what in
    the study it was made of; `group_id`: null in runs of one step."""

    __tablename__ = "run_sample"
    __table_args__ = (
        UniqueConstraint("run_id", "place"),
        Index(None, "cell_id", "task", "variant", "answer", "id"),
        Index(None, "group_id", sqlite_where=_IN_STEPS, postgresql_where=_IN_STEPS),
        Index(None, "subject_id", sqlite_where=_OF_FIGURE, postgresql_where=_OF_FIGURE),
    )
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id")
    place: int
    step: str = ONE_STEP
    cell_id: str | None = Field(default=None, foreign_key="run_cell.id")
    task: str
    variant: str
    key: str
    subject_kind: str | None = None
    subject_id: str | None = None
    sample_hash: str
    prompt: str = text_column()
    prompt_hash: str = text_column()
    messages: list[Any] = json_column([])
    answer: str | None = None
    truth: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    slots: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    facts: dict[str, Any] = json_column({})
    group_id: str | None = Field(default=None, foreign_key="run_group.id")


class RunItemRow(SQLModel, table=True):
    """One sample asked of one model, the `repeat`-th time. `model` is a name in the run's settings.

    `request_hash`: of its first request; further ones are rows of `run_round`. `predicted` is a label, short enough for
    an index, or null where the status says why there is none; `repaired` only where it differs from the raw text;
    `probabilities`: label → probability, null without log-probabilities; `flags`: what to know of an answer that
    counts, null without any. What the protocol makes of it: `is_right`, null where nothing was said that is scored;
    `score`, 0 to 1, where answers can be right in part, and `parts`, of which it is made.
    """

    __tablename__ = "run_item"
    __table_args__ = (
        one_of("status", ITEM_STATUSES),
        UniqueConstraint("sample_id", "model", "repeat"),
        # Lists count a run's items by their status and by what is right, and ask what was predicted.
        Index(None, "run_id", "status", "is_right", "predicted"),
        Index(None, "run_id", "shard"),
    )
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id")
    sample_id: str = Field(foreign_key="run_sample.id")
    model: str
    repeat: int = 0
    shard: int = 0
    status: str = "pending"
    request_hash: str | None = Field(default=None, index=True)
    predicted: str | None = None
    rung: str = text_column()
    fault: str = text_column()
    parsed: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    repaired: str | None = text_column(None)
    probabilities: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    score: float | None = Field(default=None, sa_column=Column(Float, nullable=True))
    is_right: bool | None = None
    parts: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    flags: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    attempts: int = 0
    was_cached: bool = False
    done_at: datetime | None = moment_column(nullable=True)


class RunRoundRow(SQLModel, table=True):
    """A further request of an item, numbered from 2; the first is the item's own `request_hash`.

    `purpose`: the protocol's word for it; `model`: the card that was asked, a name in the run's settings. `status`:
    pending until its reply is kept, then answered, or failed where none came. `fault`: of the reply before, for which
    it was asked; what the last reply comes to stands with the item.
    """

    __tablename__ = "run_round"
    __table_args__ = (one_of("status", ITEM_STATUSES),)
    item_id: str = Field(primary_key=True, foreign_key="run_item.id")
    number: int = Field(primary_key=True)
    purpose: str = text_column()
    model: str
    request_hash: str = Field(index=True)
    status: str = "pending"
    fault: str = text_column()


class ReplyRow(SQLModel, table=True):
    """A model's answer as it came; stored before anybody looks into it. Tokens are null where not reported, and where
    what was reported cannot be true. `request_hash`: with "replaced:1:" before it of the first reply to a request that
    was sent again on demand."""

    __tablename__ = "reply"
    request_hash: str = Field(primary_key=True)
    request: dict[str, Any] = json_column({})
    attempt_id: str
    endpoint: str
    model: str
    raw: str = text_column()
    text: str | None = text_column(None)
    reasoning: str | None = text_column(None)
    refusal: str | None = text_column(None)
    finish_reason: str = text_column()
    logprobs: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    tokens_reasoning: int | None = None
    cost_usd: float | None = None
    latency_s: float = 0.0
    provider_model: str = text_column()
    provider_id: str = text_column()
    received_at: datetime = moment_column()


class SendRow(SQLModel, table=True):
    """The ledger: a row for every time a request was sent. Committed as `sent` before it leaves.

    `uncertain`: its worker died before the answer was kept; the provider may have answered, and charged. `unsent`: no
    connection was made, or its run was halted first (then without a `kind`), so that it never left after all. `number`
    counts what left. `raw` holds a body that is no usable reply. `cost_usd` is what the provider's usage says, 0 after
    what makes no answer, null where nobody knows; then `most_tokens` and `most_usd` say what it may have cost at most.
    So it is with usage that cannot be true: `kind` says so, and `message` has the usage as it was reported.
    """

    __tablename__ = "attempt"
    __table_args__ = (one_of("state", ATTEMPT_STATES), Index(None, "run_id", "state"))
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id")
    item_id: str = Field(foreign_key="run_item.id", index=True)
    request_hash: str = Field(index=True)
    number: int
    endpoint: str
    model: str
    worker_id: str = Field(sa_column=Column(Text, ForeignKey("worker.id"), nullable=False))
    state: str = "sent"
    kind: str = text_column()
    http_status: int | None = None
    message: str = text_column()
    raw: str | None = text_column(None)
    retry_after_s: float | None = Field(default=None, sa_column=Column(Float, nullable=True))
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    most_tokens: int
    most_usd: float | None = Field(default=None, sa_column=Column(Float, nullable=True))
    sent_at: datetime = moment_column()
    ended_at: datetime | None = moment_column(nullable=True)


class WorkerRow(SQLModel, table=True):
    """A process that works on runs; `seen_at` is its last sign of life."""

    __tablename__ = "worker"
    id: str = key_column()
    host: str
    pid: int = Field(sa_column=Column(Integer, nullable=False))
    started_at: datetime = moment_column()
    seen_at: datetime = moment_column()
    stopped_at: datetime | None = moment_column(nullable=True)


for _table in (EndpointRow, ModelCardRow, RunRow, RunMadeRow):
    checked(_table)
