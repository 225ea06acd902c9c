"""Model runs: insertion in bulk, state changes, and shards. No function here commits. Uses SQLAlchemy Core with many
rows per statement: a run has thousands of items, too many for ORM objects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, Table, cast, func, insert, select, update
from sqlmodel import Session, col

from core.errors import Missing
from core.messages import Message, stored, text_hash, texts_in
from core.runs.states import AT_WORK, ItemStatus, RunState
from core.steps import ONE_STEP
from store.bulk_rows import insert_or_leave, insert_ready, make_ready
from store.runs import cells
from store.runs.cells import Labels
from store.tables import metadata, new_id
from store.tables.runs import RunRow, RunSampleRow

SHARD = 100
"""Items of one model that a worker claims at once."""
MOST_OF_GROUP = 4 * SHARD
"""Items of one group that still form one shard, so that requests with the same beginning are sent together."""
CHUNK = 500
"""Rows per statement, and keys per query."""

RUN, SAMPLE, ITEM, TEXT, REPLY = (
    metadata.tables[name] for name in ("run", "run_sample", "run_item", "run_text", "reply")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """A run to insert."""

    title: str
    protocol: str
    protocol_version: str
    settings: Mapping[str, Any]  # with snapshots of models and budget
    manifest: Mapping[str, Any]  # every hash that determines the run
    created_by: str
    based_on: str | None = None  # the run that it redoes from a step on
    next_place: int | None = None  # 0 if its numbered samples are written in windows
    id: str = field(default_factory=new_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSample:
    """A sample to insert. `subject`, `truth` and `answer` as in the protocol's sample. `insert_run` stores the texts
    of messages that are given in full; the caller stores the others."""

    task: str
    variant: str
    key: str
    sample_hash: str
    answer: str | None
    facts: Mapping[str, Any]
    messages: Sequence[Message]
    prompt: str = ""
    prompt_hash: str = ""
    subject: tuple[str, str] | None = None
    step: str = ONE_STEP
    truth: Any = None
    slots: Mapping[str, str] | None = None  # only if stored instead of messages
    labels: Labels = field(default_factory=dict)  # filters of lists, name → values


@dataclass(frozen=True, slots=True)
class NewItem:
    """A sample, by its place in the run, for one model. Without a request: status "excluded", `fault` the reason."""

    sample: int
    model: str
    repeat: int = 0
    request_hash: str | None = None
    status: str = ItemStatus.PENDING.value
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Inserted:
    """An inserted run. `shards`: those with open items, in request order."""

    run_id: str
    number: int
    shards: tuple[int, ...]


# --- beginning ---------------------------------------------------------------------------------------------------


def insert_run(
    session: Session,
    run: NewRun,
    samples: Sequence[NewSample],
    items: Iterable[NewItem],
    now: datetime,
    texts: Iterable[str] = (),
) -> Inserted:
    """Insert a queued run with its texts, samples and items, `SHARD` items of one model per shard. texts: those that
    messages only name, streamed so that they are never all in memory. If two runs are inserted at once, the second
    gets the same number and raises sqlalchemy's IntegrityError."""
    connection = session.connection()
    number: int = connection.execute(select(func.coalesce(func.max(RUN.c.number), 0) + 1)).scalar_one()
    connection.execute(
        insert(RUN).values(
            id=run.id,
            number=number,
            title=run.title,
            protocol=run.protocol,
            protocol_version=run.protocol_version,
            state=RunState.QUEUED.value,
            reason="",
            hindered={},
            settings=dict(run.settings),
            manifest=dict(run.manifest),
            created_by=run.created_by,
            created_at=now,
            based_on=run.based_on,
            next_place=run.next_place,
            version=1,
        )
    )
    keep_texts(session, texts)
    keep_texts(session, sorted({text for sample in samples for text in texts_in(sample.messages)}))
    ids = [new_id() for _ in samples]
    cell_ids = cells.keep(session, run.id, (each.labels for each in samples))
    numbered = zip(range(len(samples)), ids, cell_ids, samples, strict=True)
    _insert(session, SAMPLE, (_sample(run.id, *each) for each in numbered))
    rows = [row for _, row in _items(run.id, ids, items)]
    _insert(session, ITEM, rows)
    return Inserted(run.id, number, _open_shards(rows))


@dataclass(slots=True, kw_only=True)
class RunWindow:
    """Samples of a run numbered from `start` on, and their items, as rows prepared before anything is locked."""

    run_id: str
    start: int
    next_place: int | None  # after these, None if they are the last
    samples: list[dict[str, Any]] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    labels: dict[str, Labels] = field(default_factory=dict)

    def add(self, samples: Sequence[NewSample], items: Sequence[NewItem]) -> list[tuple[str, NewItem]]:
        """Add the next samples and their items, which number these samples; return the items with their ids.
        Messages are not stored: they are rendered from the slots."""
        ids = [new_id() for _ in samples]
        hashes = cells.hashes_of(each.labels for each in samples)
        places = range(self.start + len(self.samples), self.start + len(self.samples) + len(ids))
        numbered = zip(places, ids, hashes, samples, strict=True)
        self.samples += (_sample(self.run_id, *each, messages=()) for each in numbered)
        shard = self.items[-1]["shard"] + 1 if self.items else 0
        rows = list(_items(self.run_id, ids, items, shard))
        self.items += (row for _, row in rows)
        self.cells += hashes
        self.labels |= zip(hashes, (each.labels for each in samples), strict=True)
        return [(row["id"], item) for item, row in rows]

    def make_ready(self, session: Session) -> None:
        """Encode all rows for the driver; call once after the last `add`, so that only writing is left under the
        lock."""
        dialect = session.get_bind().dialect
        make_ready(dialect, SAMPLE, self.samples)
        make_ready(dialect, ITEM, self.items)


def add_window(session: Session, ready: RunWindow) -> tuple[int, ...] | None:
    """Insert the next samples of a running run, and their items. Return the shards with open items; None if another
    worker has written them or the run is not running."""
    moved = session.connection().execute(
        update(RUN)
        .where(
            RUN.c.id == ready.run_id, RUN.c.next_place == ready.start, RUN.c.state.in_([each.value for each in AT_WORK])
        )
        .values(next_place=ready.next_place)  # not its version: nobody who looks at the run has to look again
    )
    if moved.rowcount != 1:
        return None
    shard = _next_of(session, ITEM.c.shard, ready.run_id)
    known = dict(zip(ready.labels, cells.keep(session, ready.run_id, ready.labels.values()), strict=True))
    for row, key in zip(ready.samples, ready.cells, strict=True):
        row["cell_id"] = known[key]
    for row in ready.items:
        row["shard"] += shard
    insert_ready(session, SAMPLE, ready.samples)
    insert_ready(session, ITEM, ready.items)
    return _open_shards(ready.items)


def _next_of(session: Session, column: Any, run_id: str) -> int:
    query = select(func.coalesce(func.max(column), -1) + 1).where(column.table.c.run_id == run_id)
    number: int = session.execute(query).scalar_one()
    return number


def add_samples(
    session: Session, run_id: str, groups: Iterable[tuple[str, Sequence[NewSample], Sequence[NewItem]]]
) -> tuple[int, ...]:
    """Insert further samples of a run by group: (its id, samples, items, which number these samples). Only one
    transaction per run may do so at a time.

    Samples of a group whose messages start alike are consecutive. The items of a group form one shard, small groups
    share one, and more than `MOST_OF_GROUP` items are split. Return the shards with open items.
    """
    place, shard = (_next_of(session, column, run_id) for column in (SAMPLE.c.place, ITEM.c.shard))
    all_groups = list(groups)
    keep_texts(
        session, sorted({text for _, samples, _ in all_groups for each in samples for text in texts_in(each.messages)})
    )
    cell_ids = iter(cells.keep(session, run_id, (each.labels for _, samples, _ in all_groups for each in samples)))
    samples_rows, item_rows, in_shard = list[dict[str, Any]](), list[dict[str, Any]](), 0
    for group_id, samples, items in all_groups:
        ids, cell_of = [new_id() for _ in samples], [next(cell_ids) for _ in samples]
        order = _by_first_part(samples)
        for number in order:
            row = _sample(run_id, place, ids[number], cell_of[number], samples[number])
            samples_rows.append(row | {"group_id": group_id})
            place += 1
        rank = {number: at for at, number in enumerate(order)}
        ordered = sorted(items, key=lambda item: (rank[item.sample], item.model, item.repeat))
        most = SHARD if len(ordered) > MOST_OF_GROUP else max(1, len(ordered))
        for start in range(0, len(ordered), most):
            some = ordered[start : start + most]
            if in_shard and in_shard + len(some) > SHARD:
                shard, in_shard = shard + 1, 0
            item_rows += [_item(run_id, ids[each.sample], shard, each) for each in some]
            in_shard += len(some)
    _insert(session, SAMPLE, samples_rows)
    _insert(session, ITEM, item_rows)
    return tuple(sorted({row["shard"] for row in item_rows if _is_open(row)}))


def _by_first_part(samples: Sequence[NewSample]) -> list[int]:
    """Return places of samples, grouped by the first text or file of their messages."""
    first: dict[str, int] = {}
    ranked = []
    for place, each in enumerate(samples):
        part = each.messages[0].parts[0] if each.messages and each.messages[0].parts else None
        ranked.append((first.setdefault(repr(part), place), place))
    return [place for _, place in sorted(ranked)]


def _open_shards(rows: Iterable[Mapping[str, Any]]) -> tuple[int, ...]:
    return _interleaved({(row["model"], row["shard"]) for row in rows if _is_open(row)})


def _is_open(row: Mapping[str, Any]) -> bool:
    return bool(row["status"] == ItemStatus.PENDING.value)


def keep_texts(session: Session, texts: Iterable[str]) -> None:
    """Store texts by hash; existing ones stay. Pass them in the same order everywhere: two transactions with
    different orders may deadlock."""
    rows = ({"hash": text_hash(text), "text": text} for text in texts)
    _insert(session, TEXT, rows, or_leave=True)


def _sample(
    run_id: str,
    place: int,
    sample_id: str,
    cell_id: str,
    sample: NewSample,
    messages: Sequence[Message] | None = None,
) -> dict[str, Any]:
    kind, subject_id = sample.subject or (None, None)
    return {
        "step": sample.step,
        "task": sample.task,
        "variant": sample.variant,
        "key": sample.key,
        "sample_hash": sample.sample_hash,
        "prompt": sample.prompt,
        "prompt_hash": sample.prompt_hash,
        "answer": sample.answer,
        "truth": sample.truth,
        "id": sample_id,
        "run_id": run_id,
        "place": place,
        "cell_id": cell_id,
        "subject_kind": kind,
        "subject_id": subject_id,
        "messages": [stored(each) for each in (sample.messages if messages is None else messages)],
        "slots": _as_dict(sample.slots),
        "facts": _as_dict(sample.facts),
    }


def _as_dict(mapping: Mapping[str, Any] | None) -> Any:
    """Return a dict for JSON; a dict is returned unchanged, so that rows which share it are encoded once."""
    return mapping if mapping is None or type(mapping) is dict else dict(mapping)


def _items(
    run_id: str, sample_ids: Sequence[str], items: Iterable[NewItem], shard: int = 0
) -> Iterator[tuple[NewItem, dict[str, Any]]]:
    """Yield each item with its row. `shard`: the number of the first."""
    by_model: dict[str, list[NewItem]] = defaultdict(list)
    for item in items:
        by_model[item.model].append(item)
    for _model, of_model in by_model.items():
        for start in range(0, len(of_model), SHARD):
            for item in of_model[start : start + SHARD]:
                yield item, _item(run_id, sample_ids[item.sample], shard, item)
            shard += 1


def _item(run_id: str, sample_id: str, shard: int, item: NewItem) -> dict[str, Any]:
    return {
        "id": new_id(),
        "run_id": run_id,
        "sample_id": sample_id,
        "model": item.model,
        "repeat": item.repeat,
        "shard": shard,
        "status": item.status,
        "request_hash": item.request_hash,
        "rung": "",
        "fault": item.fault,
        "attempts": 0,
        "was_cached": False,
    }


def _insert(session: Session, table: Table, rows: Iterable[dict[str, Any]], *, or_leave: bool = False) -> None:
    connection, waiting = session.connection(), list[dict[str, Any]]()
    statement = insert_or_leave(session, table) if or_leave else insert(table)
    for row in rows:
        waiting.append(row)
        if len(waiting) == CHUNK:
            connection.execute(statement, waiting)
            waiting = []
    if waiting:
        connection.execute(statement, waiting)


def _interleaved(shards: Collection[tuple[str, int]]) -> tuple[int, ...]:
    """Return the shards of all models in turn, so that several endpoints work at once and early results cover every
    model."""
    by_model: dict[str, list[int]] = defaultdict(list)
    for model, shard in sorted(shards, key=lambda each: each[1]):
        by_model[model].append(shard)
    places = sorted(
        (place, model_shards[place]) for model_shards in by_model.values() for place in range(len(model_shards))
    )
    return tuple(dict.fromkeys(shard for _, shard in places))  # the items of a group are of several models


# --- steering ----------------------------------------------------------------------------------------------------


def run_row(session: Session, run_id: str) -> RunRow:
    row = session.get(RunRow, run_id)
    if row is None:
        raise Missing("There is no such run in this study.")
    return row


def runs(session: Session, *, with_archived: bool = False) -> list[RunRow]:
    query = select(RunRow).order_by(col(RunRow.number).desc())
    if not with_archived:
        query = query.where(col(RunRow.archived_at).is_(None))
    return list(session.execute(query).scalars())


def based_on(session: Session, run_id: str) -> list[RunRow]:
    """Return the runs that redo a step of this one, the oldest first."""
    query = select(RunRow).where(col(RunRow.based_on) == run_id).order_by(col(RunRow.number))
    return list(session.scalars(query))


def set_state(
    session: Session,
    run_id: str,
    state: RunState,
    reason: str,
    now: datetime,
    *,
    only_from: Collection[RunState],
    keeps_blockers: bool = False,
) -> bool:
    """Move a run to `state` if it is in one of `only_from`; return False if it is not. Blockers are cleared, unless
    it only starts to run, or `keeps_blockers`: then they are checked later."""
    values: dict[str, Any] = {"state": state.value, "reason": reason, "version": RUN.c.version + 1}
    if state is not RunState.RUNNING and not keeps_blockers:
        values["hindered"] = {}
    if state is RunState.RUNNING:
        values["started_at"] = func.coalesce(RUN.c.started_at, now)
    is_over = state in (RunState.DONE, RunState.CANCELLED, RunState.STOPPED)
    values["finished_at"] = now if is_over else None
    moved = session.connection().execute(
        update(RUN).where(RUN.c.id == run_id, RUN.c.state.in_([each.value for each in only_from])).values(values)
    )
    return moved.rowcount == 1


def reopen_failed(session: Session, run_id: str) -> int:
    """Make a run's failed items pending again; return how many."""
    reopened = session.connection().execute(
        update(ITEM)
        .where(ITEM.c.run_id == run_id, ITEM.c.status == ItemStatus.FAILED.value)
        .values(status=ItemStatus.PENDING.value, fault="", done_at=None)
    )
    return reopened.rowcount


def pending_shards(session: Session, run_id: str) -> tuple[int, ...]:
    """Return shards with pending items of models that still get requests, in request order."""
    blockers = session.execute(select(RUN.c.hindered).where(RUN.c.id == run_id)).scalar_one()
    query = (
        select(ITEM.c.model, ITEM.c.shard)
        .where(ITEM.c.run_id == run_id, ITEM.c.status == ItemStatus.PENDING.value)
        .where(ITEM.c.model.not_in(list(blockers.get("models", {}))))
        .distinct()
    )
    return _interleaved({(row.model, row.shard) for row in session.execute(query)})


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run that a worker may process; a new `version` shows that it was changed elsewhere."""

    state: RunState
    version: int


def open_runs(session: Session) -> dict[str, OpenRun]:
    """Return id → run that a worker may process, the oldest first; not those waiting for people or blocked groups."""
    query = select(RUN.c.id, RUN.c.state, RUN.c.version, RUN.c.hindered)
    rows = session.execute(query.where(RUN.c.state.in_([each.value for each in AT_WORK])).order_by(RUN.c.number))
    return {
        row.id: OpenRun(RunState(row.state), row.version)
        for row in rows
        if row.state != RunState.WAITING.value or row.hindered
    }


def set_protocol_version(session: Session, run_id: str, version: str) -> None:
    """Store the version of the protocol that last parsed a run's replies."""
    query = update(RUN).where(RUN.c.id == run_id, RUN.c.protocol_version != version)
    session.connection().execute(query.values(protocol_version=version, version=RUN.c.version + 1))


# --- reading -----------------------------------------------------------------------------------------------------


def samples(session: Session, run_id: str) -> list[RunSampleRow]:
    query = select(RunSampleRow).where(col(RunSampleRow.run_id) == run_id).order_by(col(RunSampleRow.place))
    return list(session.execute(query).scalars())


def texts(session: Session, hashes: Iterable[str]) -> dict[str, str]:
    return dict(_by_key(session, TEXT.c.hash, hashes, TEXT.c.hash, TEXT.c.text))


def text_sizes(session: Session, hashes: Iterable[str]) -> dict[str, int]:
    """Return hash → bytes of stored texts."""
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    size = func.length(cast(TEXT.c.text, LargeBinary)) if is_sqlite else func.octet_length(TEXT.c.text)
    return dict(_by_key(session, TEXT.c.hash, hashes, TEXT.c.hash, size))


def cached_hashes(session: Session, hashes: Iterable[str]) -> set[str]:
    """Return those of these requests that have a stored reply."""
    return {row[0] for row in _by_key(session, REPLY.c.request_hash, hashes, REPLY.c.request_hash)}


def _by_key(session: Session, key: Any, values: Iterable[str], *columns: Any) -> Iterator[Any]:
    ordered = sorted(set(values))
    for start in range(0, len(ordered), CHUNK):
        query = select(*columns).where(key.in_(ordered[start : start + CHUNK]))
        yield from (tuple(row) for row in session.execute(query))
