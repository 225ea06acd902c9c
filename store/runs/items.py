"""Items of runs: the open ones of a shard, and the outcomes. No function here commits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Text, bindparam, cast, select, update
from sqlmodel import Session

from core.messages import Messages, MessageSize, hashes_in, read, size_of
from core.runs.states import AttemptState, ItemStatus
from core.steps import ONE_STEP
from store import json_values
from store.bulk_rows import write_rows
from store.runs.runs import CHUNK, ITEM, REPLY, SAMPLE, text_sizes
from store.sql_in import among
from store.tables import metadata

ATTEMPT = metadata.tables["attempt"]
SAMPLE_COLUMNS = tuple(
    SAMPLE.c[name]
    for name in (
        "task",
        "variant",
        "key",
        "subject_kind",
        "subject_id",
        "step",
        "sample_hash",
        "answer",
        "truth",
        "slots",
        "facts",
        "messages",
    )
)
ITEM_COLUMNS = tuple(ITEM.c[name] for name in ("id", "sample_id", "model", "repeat", "request_hash"))
READ_COLUMNS = tuple(
    REPLY.c[name] for name in ("request_hash", "attempt_id", "text", "refusal", "finish_reason", "logprobs")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRunSample:
    """A sample as stored; `messages` hold hashes of texts; `slots` are None if the messages are stored."""

    task: str
    variant: str
    key: str
    hash: str
    answer: str | None
    facts: Mapping[str, Any]
    messages: Messages
    subject: tuple[str, str] | None = None
    step: str = ONE_STEP
    truth: Any = None
    slots: Mapping[str, str] | None = None

    def with_messages(self, messages: Messages) -> StoredRunSample:
        """Return a copy with other messages; written out because `replace` takes three times as long."""
        return StoredRunSample(
            task=self.task,
            variant=self.variant,
            key=self.key,
            subject=self.subject,
            step=self.step,
            hash=self.hash,
            answer=self.answer,
            truth=self.truth,
            slots=self.slots,
            facts=self.facts,
            messages=messages,
        )


@dataclass(frozen=True, slots=True)
class OpenItem:
    """An item without an answer. `sent`: its attempts that were sent, id → request hash, the oldest first."""

    id: str
    model: str
    repeat: int
    request_hash: str | None
    sample: StoredRunSample
    sent: Mapping[str, str]

    def with_sample(self, sample: StoredRunSample) -> OpenItem:
        return OpenItem(self.id, self.model, self.repeat, self.request_hash, sample, self.sent)


@dataclass(frozen=True, slots=True)
class StoredReply:
    """The columns of a stored reply that scoring needs."""

    request_hash: str
    attempt_id: str
    text: str | None
    refusal: str | None
    finish_reason: str
    logprobs: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemOutcome:
    """The outcome of an item's replies, or of their absence. `predicted` is None with the reason in the status.
    `score`, `is_right` and `parts` as in the protocol's `Score`, None if nothing is scored; `flags`: a list of
    strings, None without any."""

    status: str
    predicted: str | None = None
    rung: str = ""
    fault: str = ""
    parsed: Any = None
    repaired: str | None = None
    probabilities: Mapping[str, float] | None = None
    score: float | None = None
    is_right: bool | None = None
    parts: Any = None
    flags: Any = None

    def as_row(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OUTCOME_COLUMNS}


OUTCOME_COLUMNS = (
    "status",
    "predicted",
    "rung",
    "fault",
    "parsed",
    "repaired",
    "probabilities",
    "score",
    "is_right",
    "parts",
    "flags",
)


def _sample_of(values: Sequence[Any]) -> StoredRunSample:
    task, variant, key, kind, subject_id, step, sample_hash, answer, truth, slots, facts, messages = values
    return StoredRunSample(
        task=task,
        variant=variant,
        key=key,
        subject=None if kind is None else (kind, subject_id),
        step=step,
        hash=sample_hash,
        answer=answer,
        truth=truth,
        slots=slots,
        facts=facts,
        messages=tuple(map(read, messages)),
    )


_OPEN = (
    ITEM.c.run_id == bindparam("run"),
    ITEM.c.shard == bindparam("shard"),
    # An expression, so that SQLite does not choose the status index and read every pending item of the run.
    ITEM.c.status.concat("") == ItemStatus.PENDING.value,
)
_JSON = ("truth", "slots", "facts", "messages")
_OPEN_ITEMS = (
    select(
        *ITEM_COLUMNS,
        *(each for each in SAMPLE_COLUMNS if each.name not in _JSON),
        *(cast(SAMPLE.c[name], Text) for name in _JSON),
    )
    .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
    .where(*_OPEN)
    .order_by(SAMPLE.c.place, ITEM.c.repeat)
)
_OPEN_ATTEMPTS = (
    select(ATTEMPT.c.id, ATTEMPT.c.item_id, ATTEMPT.c.request_hash)
    .join(ITEM, ITEM.c.id == ATTEMPT.c.item_id)
    .where(*_OPEN, ATTEMPT.c.state != AttemptState.UNSENT.value)
)


def open_items(session: Session, run_id: str, shard: int) -> list[OpenItem]:
    """Return the pending items of a shard, in the order of the run's samples."""
    shard_key = {"run": run_id, "shard": shard}
    rows = session.execute(_OPEN_ITEMS, shard_key).all()
    first, many = len(ITEM_COLUMNS), len(ITEM_COLUMNS) + len(SAMPLE_COLUMNS) - len(_JSON)
    values = zip(
        *(json_values.read_many([row[many + place] for row in rows]) for place in range(len(_JSON))), strict=True
    )
    sent: dict[str, dict[str, str]] = defaultdict(dict)
    for attempt_id, item_id, request_hash in sorted(map(tuple, session.execute(_OPEN_ATTEMPTS, shard_key))):
        sent[item_id][attempt_id] = request_hash
    return [
        OpenItem(row[0], row[2], row[3], row[4], _sample_of((*row[first:many], *json_columns)), sent.get(row[0], {}))
        for row, json_columns in zip(rows, values, strict=True)
    ]


def samples_of_variant(session: Session, run_id: str, sample: StoredRunSample) -> list[StoredRunSample]:
    """Return all samples of a run with the sample's step, task and variant, in order."""
    query = select(*SAMPLE_COLUMNS).where(
        SAMPLE.c.run_id == run_id,
        SAMPLE.c.step == sample.step,
        SAMPLE.c.task == sample.task,
        SAMPLE.c.variant == sample.variant,
    )
    return [_sample_of(row) for row in session.execute(query.order_by(SAMPLE.c.place))]


def open_sizes(
    session: Session, run_id: str, made: Callable[[StoredRunSample], MessageSize] | None = None
) -> dict[tuple[str, str], frozenset[MessageSize]]:
    """Return (model, step) → sizes of its pending and failed samples. `made`: returns a sample's size in a run that
    stores no messages."""
    left = (ItemStatus.PENDING.value, ItemStatus.FAILED.value)
    query = select(ITEM.c.model, SAMPLE.c.step, SAMPLE.c.id).join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
    query = query.where(ITEM.c.run_id == run_id, ITEM.c.status.in_(left)).distinct()
    samples_by_request: dict[tuple[str, str], set[str]] = defaultdict(set)
    for model, step, sample in session.execute(query):
        samples_by_request[model, step].add(sample)
    if not samples_by_request:
        return {}
    if made is None:
        sample_ids = set[str]().union(*samples_by_request.values())
        of_run = session.execute(select(SAMPLE.c.id, SAMPLE.c.messages).where(SAMPLE.c.run_id == run_id))
        messages = {row.id: tuple(map(read, row.messages)) for row in of_run if row.id in sample_ids}
        bytes_of = text_sizes(session, {key for each in messages.values() for key in hashes_in(each)})
        sizes = {sample: size_of(each, bytes_of) for sample, each in messages.items()}
    else:
        open_ = select(ITEM.c.sample_id).where(ITEM.c.run_id == run_id, ITEM.c.status.in_(left))
        stored = select(SAMPLE.c.id, *SAMPLE_COLUMNS).where(SAMPLE.c.id.in_(open_))
        rows = session.execute(stored, execution_options={"yield_per": CHUNK})
        sizes = {row.id: made(_sample_of(row[1:])) for row in rows}
    return {asks: frozenset(sizes[sample] for sample in samples) for asks, samples in samples_by_request.items()}


def sample_as_stored(session: Session, sample_id: str) -> StoredRunSample:
    return _sample_of(session.execute(select(*SAMPLE_COLUMNS).where(SAMPLE.c.id == sample_id)).one())


def samples_of_items(session: Session, item_ids: Collection[str]) -> Iterator[tuple[str, str, int, StoredRunSample]]:
    """Yield (id, model, repeat, sample) of these items."""
    query = select(ITEM.c.id, ITEM.c.model, ITEM.c.repeat, *SAMPLE_COLUMNS)
    query = query.join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id).where(among(session, ITEM.c.id, item_ids))
    for row in session.execute(query):
        yield row[0], row[1], row[2], _sample_of(row[3:])


def stored_replies(session: Session, hashes: Sequence[str]) -> dict[str, StoredReply]:
    """Return request hash → stored reply."""
    replies: dict[str, StoredReply] = {}
    for start in range(0, len(hashes), CHUNK):
        query = select(*READ_COLUMNS).where(REPLY.c.request_hash.in_(hashes[start : start + CHUNK]))
        replies |= {row[0]: StoredReply(*row) for row in session.execute(query)}
    return replies


_SETTLE = update(ITEM).where(ITEM.c.id == bindparam("item"), ITEM.c.status == ItemStatus.PENDING.value)
_COUNT = update(ITEM).where(ITEM.c.id == bindparam("item"))


def settle(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Set the outcome of pending items. Each row: `item` and columns of the item, the same in every row."""
    write_rows(session, _SETTLE, rows)


def count_attempts(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Set the number of failed attempts. Each row: `item` and `attempts`."""
    write_rows(session, _COUNT, rows)


@dataclass(frozen=True, slots=True)
class ScoredItem:
    """An item that was read from a reply. `reply`: to its first request; `before`: its current outcome."""

    id: str
    model: str
    repeat: int
    sample: StoredRunSample
    reply: StoredReply
    before: ItemOutcome


def scored_items(session: Session, run_id: str) -> Iterator[ScoredItem]:
    """Yield every item of a run that was read from a reply."""
    outcome = [ITEM.c[name] for name in OUTCOME_COLUMNS]
    query = (
        select(ITEM.c.id, ITEM.c.model, ITEM.c.repeat, *SAMPLE_COLUMNS, *READ_COLUMNS, *outcome)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .join(REPLY, REPLY.c.request_hash == ITEM.c.request_hash)
        .where(ITEM.c.run_id == run_id, ITEM.c.status.not_in((ItemStatus.PENDING.value, ItemStatus.EXCLUDED.value)))
        .order_by(ITEM.c.id)
    )
    first, second = 3 + len(SAMPLE_COLUMNS), 3 + len(SAMPLE_COLUMNS) + len(READ_COLUMNS)
    for row in session.execute(query, execution_options={"yield_per": CHUNK}):
        yield ScoredItem(
            row[0],
            row[1],
            row[2],
            _sample_of(row[3:first]),
            StoredReply(*row[first:second]),
            ItemOutcome(**dict(zip(OUTCOME_COLUMNS, row[second:], strict=True))),
        )


def change_outcomes(session: Session, changes: Sequence[tuple[str, ItemOutcome]]) -> None:
    """Replace the outcomes of scored items: (item id, outcome)."""
    rows = [{"item": item_id, **outcome.as_row()} for item_id, outcome in changes]
    for start in range(0, len(rows), CHUNK):
        session.connection().execute(_COUNT, rows[start : start + CHUNK])
