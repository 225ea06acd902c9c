"""Tables of model runs: samples, requests, replies, and the values made from them.

A request is identified by its hash; its stored `reply` is both evidence and cache. An `attempt` is written before its
request is sent, so that a crash leaves a trace. `reply` and `run_text` rows never change, except for the key of a
replaced reply (`store/runs/asked_again.py`); a status changes in `run_item` and its `run_round` rows only.
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
    """An endpoint of models. `key_variable` names the environment variable of the key, which is never stored."""

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
    """A model and its request settings. Prices are US dollars per million tokens; `tokens_per_image` and
    `tokens_per_page` are maxima for a picture and a PDF page."""

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
    """A run."""

    __tablename__ = "run"
    __table_args__ = (one_of("state", RUN_STATES),)
    id: str = key_column()
    number: int = Field(unique=True)
    title: str = text_column()
    protocol: str
    protocol_version: str
    state: str = "queued"
    reason: str = text_column()  # why it waits or is stopped
    hindered: dict[str, Any] = json_column({})  # its blockers
    settings: dict[str, Any] = json_column({})  # as requested, with snapshots of cards and endpoints
    manifest: dict[str, Any] = json_column({})  # every hash that determines the run
    created_by: str
    created_at: datetime = moment_column()
    started_at: datetime | None = moment_column(nullable=True)
    finished_at: datetime | None = moment_column(nullable=True)
    archived_at: datetime | None = moment_column(nullable=True)
    based_on: str | None = Field(default=None, foreign_key="run.id")  # the run that this one redoes from a step on
    next_place: int | None = None  # next sample of a space that is written in windows; null when all are written
    version: int = version_column()


class RunTextRow(SQLModel, table=True):
    """A text of runs (prompt template, rendered message) by the SHA-256 of its UTF-8."""

    __tablename__ = "run_text"
    hash: str = Field(primary_key=True)
    text: str = text_column()


class RunCellRow(SQLModel, table=True):
    """A combination of labels of samples, for filters of lists: `labels` is name → values, `hash` their hash."""

    __tablename__ = "run_cell"
    __table_args__ = (UniqueConstraint("run_id", "hash"),)
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id")
    hash: str
    labels: dict[str, Any] = json_column({})


class RunGroupRow(SQLModel, table=True):
    """A unit of work of a step. A source that steps use is also a group, done, under its own name. Runs of one step
    have no groups. `state` changes by compare-and-set only (`store/runs/groups.py`)."""

    __tablename__ = "run_group"
    __table_args__ = (
        one_of("state", GROUP_STATES),
        UniqueConstraint("run_id", "step", "key"),
        Index(None, "run_id", "state"),
    )
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id")
    step: str
    key: str  # a paper or a cell; empty for the whole run
    state: str = "waiting"
    reason: str = text_column()
    inputs_hash: str = ""  # of all inputs
    ended_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class RunMadeRow(SQLModel, table=True):
    """A value of a group for later steps: from a source, generated, or reviewed by people."""

    __tablename__ = "run_made"
    __table_args__ = (UniqueConstraint("group_id", "place"),)
    id: str = key_column()
    group_id: str = Field(foreign_key="run_group.id")
    key: str
    place: int
    value: Any = Field(default=None, sa_column=Column(JSON, nullable=False))
    hash: str  # of all that it depends on
    flags: list[Any] = json_column([])
    rests_on: list[Any] = json_column([])  # hashes of the values it depends on; none: all inputs of its group
    ruling: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    version: int = version_column()


class RunSampleRow(SQLModel, table=True):
    """One question of a run. The subject is the thing in the study that it was made of; `group_id` is null in runs
    of one step."""

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
    messages: list[Any] = json_column([])  # [role, hash of its text] in order
    answer: str | None = None  # the true label, null if the truth is no label
    truth: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    slots: Any = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    facts: dict[str, Any] = json_column({})
    group_id: str | None = Field(default=None, foreign_key="run_group.id")


class SampleFlagRow(SQLModel, table=True):
    """People's flag that a sample is bad, in every run that asks it; without reasons it was taken back. The subject is
    the thing in the study that the flagged sample was made of."""

    __tablename__ = "sample_flag"
    __table_args__ = (UniqueConstraint("sample_hash", "key"),)
    id: str = key_column()
    sample_hash: str
    key: str
    subject_kind: str | None = None
    subject_id: str | None = None
    reasons: list[str] = json_column([])  # of `core.runs.sample_flags.FlagReason`, in its order
    note: str = text_column()
    flagged_by: str
    flagged_at: datetime = moment_column()
    version: int = version_column()

    @property
    def name(self) -> str:
        """The sample as results name it, equal in every run that asks it."""
        return f"{self.sample_hash}/{self.key}"


class RunItemRow(SQLModel, table=True):
    """A sample's request to one model, the `repeat`-th time. `model` is a name in the run's settings.

    `request_hash` is of the first request; further ones are rows of `run_round`. `predicted` is a label, or null with
    the reason in the status; `repaired` is null unless it differs from the raw text; `probabilities`: label →
    probability, null without log-probabilities; `flags`: remarks on a valid answer. The protocol sets `is_right`, null
    if nothing is scored, and `score` (0–1) with its `parts`, where answers can be partly right.
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
    """A further request of an item, numbered from 2; the first is the item's own `request_hash`."""

    __tablename__ = "run_round"
    __table_args__ = (one_of("status", ITEM_STATUSES),)
    item_id: str = Field(primary_key=True, foreign_key="run_item.id")
    number: int = Field(primary_key=True)
    purpose: str = text_column()  # the protocol's term
    model: str  # a name in the run's settings
    request_hash: str = Field(index=True)
    status: str = "pending"  # until its reply is stored; failed: there was none
    fault: str = text_column()  # of the previous reply, the reason for this request


class ReplyRow(SQLModel, table=True):
    """A model's raw reply, stored before it is parsed. Tokens are null where not reported or impossible."""

    __tablename__ = "reply"
    request_hash: str = Field(primary_key=True)  # prefixed "replaced:1:" once replaced by a new reply
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
    """The ledger: a row per sent request, committed as `sent` before it leaves.

    `uncertain`: the worker died before the reply was stored; the provider may have answered and charged. `unsent`: no
    connection was made, or the run was halted first (then without a `kind`). `number` counts sent requests. `raw` is a
    body that is no usable reply. `cost_usd` is the reported cost, 0 after failures without an answer, null if unknown
    or impossible (then `kind` says so, and `message` has the usage as reported); `most_tokens` and `most_usd` are its
    upper bounds.
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
    """A process that works on runs; `seen_at` is its last heartbeat."""

    __tablename__ = "worker"
    id: str = key_column()
    host: str
    pid: int = Field(sa_column=Column(Integer, nullable=False))
    started_at: datetime = moment_column()
    seen_at: datetime = moment_column()
    stopped_at: datetime | None = moment_column(nullable=True)


for _table in (EndpointRow, ModelCardRow, RunRow, RunMadeRow, SampleFlagRow):
    checked(_table)
