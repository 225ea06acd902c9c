"""Groups of a run's steps: their states, values and answers. No function here commits. States change by
compare-and-set: if the state differs from the expected one, nothing changes. So two workers may process the same
group, and one may repeat it after a crash."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, null, select, update
from sqlmodel import Session

from core.errors import Missing
from core.runs.flow import Group
from core.runs.states import ItemStatus, RunState
from core.steps import GroupState
from core.words import counted
from store.bulk_rows import insert_or_leave
from store.runs.runs import ITEM, RUN, SAMPLE, NewItem, NewSample, add_samples
from store.sql_in import among
from store.tables import metadata, new_id

GROUP, MADE = metadata.tables["run_group"], metadata.tables["run_made"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredValue:
    """A value of a group."""

    id: str
    key: str
    value: Any
    hash: str
    flags: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    ruling: Any = None  # by people, None without one
    version: int = 1  # of the row


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """An item of a group that sends requests. `sample`: the key of its sample; `value`: the parsed answer."""

    id: str
    sample: str
    model: str
    repeat: int
    status: ItemStatus
    fault: str
    value: Any
    sample_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewValue:
    """A value to store; `rests_on` as in `protocols.step_values.StepOutput`; `ruling`: of an equal value."""

    key: str
    value: Any
    hash: str
    flags: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    ruling: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedGroup:
    """A waiting group's new state, with its values, or samples and items (`NewItem` numbers these samples)."""

    group: Group
    state: GroupState
    reason: str = ""
    inputs_hash: str = ""
    values: Sequence[NewValue] = ()
    samples: Sequence[NewSample] = ()
    items: Sequence[NewItem] = field(default=())
    all_asked: Mapping[str, Any] | None = None  # manifest entries, if these are all requests of the run


# --- reading -----------------------------------------------------------------------------------------------------


def of_run(session: Session, run_id: str, states: Collection[GroupState] = ()) -> list[Group]:
    """Return the groups of a run, of all or some states, in layout order."""
    query = select(GROUP.c.id, GROUP.c.step, GROUP.c.key, GROUP.c.state).where(GROUP.c.run_id == run_id)
    if states:
        query = query.where(GROUP.c.state.in_([state.value for state in states]))
    rows = session.execute(query.order_by(GROUP.c.id))
    return [Group(row.id, row.step, row.key, GroupState(row.state)) for row in rows]


def named(session: Session, run_id: str, steps: Collection[str]) -> list[Sequence[str]]:
    """Return (id, step, key, state) of the groups of these steps, unordered, for long lists."""
    query = select(GROUP.c.id, GROUP.c.step, GROUP.c.key, GROUP.c.state)
    rows = session.execute(query.where(GROUP.c.run_id == run_id, GROUP.c.step.in_(steps)))
    return list(map(tuple, rows))


def keys_of_step(session: Session, step: str) -> set[str]:
    """Return the keys of a step's or source's groups in all runs."""
    return set(session.execute(select(GROUP.c.key).where(GROUP.c.step == step).distinct()).scalars())


@dataclass(frozen=True, slots=True)
class StoredGroup:
    group: Group
    reason: str
    ended_at: datetime | None


def find(session: Session, run_id: str, step: str, key: str) -> StoredGroup | None:
    query = select(GROUP).where(GROUP.c.run_id == run_id, GROUP.c.step == step, GROUP.c.key == key)
    row = session.execute(query).one_or_none()
    if row is None:
        return None
    return StoredGroup(Group(row.id, row.step, row.key, GroupState(row.state)), row.reason, row.ended_at)


def of_steps(session: Session, run_id: str, steps: Collection[str]) -> list[StoredGroup]:
    """Return the groups of these steps with their reasons, in layout order."""
    query = select(GROUP).where(GROUP.c.run_id == run_id, GROUP.c.step.in_(steps)).order_by(GROUP.c.id)
    return [
        StoredGroup(Group(row.id, row.step, row.key, GroupState(row.state)), row.reason, row.ended_at)
        for row in session.execute(query)
    ]


def has_any(session: Session, run_id: str) -> bool:
    query = select(GROUP.c.id).where(GROUP.c.run_id == run_id).limit(1)
    return session.execute(query).first() is not None


def answered(session: Session, run_id: str) -> list[Group]:
    """Return open groups without pending items."""
    pending = (
        select(ITEM.c.id)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .where(SAMPLE.c.group_id == GROUP.c.id, ITEM.c.status == ItemStatus.PENDING.value)
    )
    query = select(GROUP.c.id, GROUP.c.step, GROUP.c.key, GROUP.c.state).where(
        GROUP.c.run_id == run_id, GROUP.c.state == GroupState.OPEN.value, ~pending.exists()
    )
    rows = session.execute(query.order_by(GROUP.c.id))
    return [Group(row.id, row.step, row.key, GroupState(row.state)) for row in rows]


def unruled(session: Session, run_id: str) -> set[str]:
    """Return ids of groups that wait for people and have a value without a ruling."""
    query = (
        select(MADE.c.group_id)
        .join(GROUP, GROUP.c.id == MADE.c.group_id)
        .where(GROUP.c.run_id == run_id, GROUP.c.state == GroupState.DECIDING.value, MADE.c.ruling.is_(None))
    )
    return set(session.execute(query.distinct()).scalars())


def unanswered(session: Session, run_id: str) -> set[str]:
    """Return ids of groups with an item that ended without an answer."""
    open_or_answered = [ItemStatus.PENDING.value, ItemStatus.ANSWERED.value]
    query = (
        select(SAMPLE.c.group_id)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(ITEM.c.run_id == run_id, ITEM.c.status.not_in(open_or_answered), SAMPLE.c.group_id.is_not(None))
    )
    return set(session.execute(query.distinct()).scalars())


def rulings(session: Session, run_id: str, step: str) -> dict[tuple[str, str], list[Any]]:
    """Return people's rulings of a step in a run: (key, hash of the value) → rulings in order, with their run."""
    query = (
        select(MADE.c.key, MADE.c.hash, MADE.c.ruling)
        .join(GROUP, GROUP.c.id == MADE.c.group_id)
        .where(GROUP.c.run_id == run_id, GROUP.c.step == step, MADE.c.ruling.is_not(None))
        .order_by(GROUP.c.id, MADE.c.place)
    )
    rulings_by_value: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for key, of_value, ruling in session.execute(query):
        rulings_by_value[key, of_value].append({"from_run": run_id, **ruling})
    return rulings_by_value


def request_hashes(session: Session, group_ids: Collection[str]) -> list[str | None]:
    """Return the first request's hash of each item of these groups; None for items without a request."""
    query = select(ITEM.c.request_hash).join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
    return list(session.execute(query.where(among(session, SAMPLE.c.group_id, group_ids))).scalars())


def asked_pairs(session: Session, run_id: str) -> dict[str, set[tuple[str, str]]]:
    """Return step → its (task, variant) pairs."""
    query = select(SAMPLE.c.step, SAMPLE.c.task, SAMPLE.c.variant).where(SAMPLE.c.run_id == run_id).distinct()
    pairs: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for step, task, variant in session.execute(query):
        pairs[step].add((task, variant))
    return pairs


def keys_given(session: Session, group_ids: Collection[str]) -> dict[str, list[str]]:
    """Return group → keys of its values in order; groups that send requests have none."""
    keys: dict[str, list[str]] = defaultdict(list)
    query = select(MADE.c.group_id, MADE.c.key).where(among(session, MADE.c.group_id, group_ids))
    for group_id, key in session.execute(query.order_by(MADE.c.group_id, MADE.c.place)):
        keys[group_id].append(key)
    return keys


def items_of(session: Session, group_ids: Collection[str]) -> dict[str, int]:
    query = select(SAMPLE.c.group_id, func.count()).join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
    rows = session.execute(query.where(among(session, SAMPLE.c.group_id, group_ids)).group_by(SAMPLE.c.group_id))
    return {row[0]: row[1] for row in rows}


def values(
    session: Session, group_ids: Collection[str], keys: Collection[str] | None = None
) -> dict[str, list[StoredValue]]:
    """Return group → its values, of all or some keys, in order; groups that send requests have none."""
    names = ("group_id", "id", "key", "value", "hash", "flags", "rests_on", "ruling", "version")
    columns = [MADE.c[name] for name in names]
    values_by_group: dict[str, list[StoredValue]] = defaultdict(list)
    query = select(*columns).where(among(session, MADE.c.group_id, group_ids))
    if keys is not None:
        query = query.where(among(session, MADE.c.key, keys))
    for row in session.execute(query.order_by(MADE.c.group_id, MADE.c.place)):
        values_by_group[row.group_id].append(
            StoredValue(
                id=row.id,
                key=row.key,
                value=row.value,
                hash=row.hash,
                flags=tuple(row.flags),
                rests_on=tuple(row.rests_on),
                ruling=row.ruling,
                version=row.version,
            )
        )
    return values_by_group


def answers(session: Session, group_ids: Collection[str]) -> dict[str, list[StoredAnswer]]:
    """Return the items of these groups, ordered by sample, model and repeat."""
    columns = [ITEM.c[name] for name in ("id", "model", "repeat", "status", "fault", "parsed")]
    answers_by_group: dict[str, list[StoredAnswer]] = defaultdict(list)
    query = (
        select(SAMPLE.c.group_id, SAMPLE.c.sample_hash, SAMPLE.c.key, *columns)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(among(session, SAMPLE.c.group_id, group_ids))
        .order_by(SAMPLE.c.group_id, SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for row in session.execute(query):
        answers_by_group[row.group_id].append(
            StoredAnswer(
                id=row.id,
                sample=row.key,
                model=row.model,
                repeat=row.repeat,
                status=ItemStatus(row.status),
                fault=row.fault,
                value=row.parsed,
                sample_hash=row.sample_hash,
            )
        )
    return answers_by_group


# --- writing -----------------------------------------------------------------------------------------------------


def lock(session: Session, run_id: str) -> RunState:
    """Lock the run, so that only this transaction changes its groups; return the run's state."""
    return RunState(session.execute(select(RUN.c.state).where(RUN.c.id == run_id).with_for_update()).scalar_one())


def insert_groups(session: Session, run_id: str, names: Iterable[tuple[str, str]]) -> None:
    """Insert waiting groups by (step, key); existing ones stay."""
    rows = [
        {"id": new_id(), "run_id": run_id, "step": step, "key": key, "state": GroupState.WAITING.value}
        | {"reason": "", "inputs_hash": "", "version": 1}
        for step, key in names
    ]
    if rows:
        session.connection().execute(insert_or_leave(session, GROUP), rows)


def lay_source(
    session: Session, run_id: str, name: str, values_by_key: Mapping[str, Sequence[NewValue]], now: datetime
) -> None:
    """Insert a source's values by key: one done group each."""
    done = {"state": GroupState.DONE.value, "reason": "", "inputs_hash": "", "ended_at": now, "version": 1}
    ids = {key: new_id() for key in values_by_key}
    rows = [{"id": ids[key], "run_id": run_id, "step": name, "key": key, **done} for key in values_by_key]
    if rows:
        session.connection().execute(insert(GROUP), rows)
    for key, values in values_by_key.items():
        _insert_values(session, ids[key], values)


def move(
    session: Session, group: Group, to: GroupState, now: datetime, *, reason: str = "", inputs_hash: str = ""
) -> bool:
    """Change the state of a group that is still in the expected state, with a new `reason` and `inputs_hash`; return
    False if it was not."""
    return _move(session, group, to, now, {"reason": reason, "inputs_hash": inputs_hash})


def end(session: Session, group: Group, now: datetime) -> bool:
    """Move a group to done as `move` does, keeping reason and hash."""
    return _move(session, group, GroupState.DONE, now, {})


def _move(session: Session, group: Group, to: GroupState, now: datetime, more: Mapping[str, str]) -> bool:
    is_over = to in (GroupState.DONE, GroupState.BLOCKED)
    moved = session.connection().execute(
        update(GROUP)
        .where(GROUP.c.id == group.id, GROUP.c.state == group.state.value)
        .values(state=to.value, ended_at=now if is_over else None, version=GROUP.c.version + 1, **more)
    )
    return moved.rowcount == 1


def begin(session: Session, run_id: str, started: Sequence[StartedGroup], now: datetime) -> tuple[int, ...]:
    """Store the new states of waiting groups; groups that no longer wait are skipped. Return the shards with open
    items: the items of a group share one, unless there are very many."""
    changed = [
        each
        for each in started
        if move(session, each.group, each.state, now, reason=each.reason, inputs_hash=each.inputs_hash)
    ]
    for each in changed:
        _insert_values(session, each.group.id, each.values)
        if each.all_asked is not None:
            # Merge the entries that were unknown at the start of the run into its manifest, adding to its hashes.
            manifest = session.execute(select(RUN.c.manifest).where(RUN.c.id == run_id)).scalar_one()
            hashes = {**manifest["hashes"], **each.all_asked["hashes"]}
            whole = {**manifest, **each.all_asked, "hashes": hashes}
            session.connection().execute(update(RUN).where(RUN.c.id == run_id).values(manifest=whole))
    return add_samples(session, run_id, [(each.group.id, each.samples, each.items) for each in changed if each.samples])


def _insert_values(session: Session, group_id: str, values: Sequence[NewValue]) -> None:
    rows = [
        {
            "id": new_id(),
            "group_id": group_id,
            "key": each.key,
            "place": place,
            "value": each.value,
            "hash": each.hash,
            "flags": list(each.flags),
            "rests_on": list(each.rests_on),
            "ruling": each.ruling,
            "version": 1,
        }
        for place, each in enumerate(values)
    ]
    if rows:
        session.connection().execute(insert(MADE), rows)


def place_of(session: Session, made_id: str) -> tuple[str, Group, int]:
    """Return the run, group and version of a value. Raises Missing if there is no such value."""
    columns = [*(GROUP.c[name] for name in ("run_id", "id", "step", "key", "state")), MADE.c.version]
    query = select(*columns).join(MADE, MADE.c.group_id == GROUP.c.id).where(MADE.c.id == made_id)
    row = session.execute(query).one_or_none()
    if row is None:
        raise Missing("There is no such value in any run.")
    return row.run_id, Group(row.id, row.step, row.key, GroupState(row.state)), row.version


def value_of(session: Session, made_id: str) -> Any:
    """Return a value as it was made, without rulings."""
    return session.execute(select(MADE.c.value).where(MADE.c.id == made_id)).scalar_one()


def has_ruling(session: Session, made_id: str) -> bool:
    return bool(session.execute(select(MADE.c.ruling.is_not(None)).where(MADE.c.id == made_id)).scalar_one())


def rule(session: Session, made_id: str, seen: int, ruling: Mapping[str, Any] | None) -> bool:
    """Store people's ruling (None: no ruling) on a value that is still at version `seen`; return False if it is not."""
    ruled = session.connection().execute(
        update(MADE)
        .where(MADE.c.id == made_id, MADE.c.version == seen)
        .values(ruling=null() if ruling is None else dict(ruling), version=MADE.c.version + 1)
    )
    return ruled.rowcount == 1


def reopen_failed(session: Session, run_id: str) -> None:
    """Reopen done groups with a pending item, and let blocked groups be checked again. Call it after failed items
    were made pending."""
    pending = (
        select(SAMPLE.c.group_id)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(ITEM.c.run_id == run_id, ITEM.c.status == ItemStatus.PENDING.value, SAMPLE.c.group_id.is_not(None))
    )
    for state, to, more in (
        (GroupState.DONE, GroupState.OPEN, [GROUP.c.id.in_(pending)]),
        (GroupState.BLOCKED, GroupState.WAITING, []),
    ):
        session.connection().execute(
            update(GROUP)
            .where(GROUP.c.run_id == run_id, GROUP.c.state == state.value, *more)
            .values(state=to.value, reason="", ended_at=None, version=GROUP.c.version + 1)
        )


# --- what a run waits for ----------------------------------------------------------------------------------------


def can_continue(session: Session, run_id: str) -> bool:
    """Return True if a group of the run does not wait for people: it is open, not started, or ruled on."""
    query = select(GROUP.c.id).where(
        GROUP.c.run_id == run_id, GROUP.c.state.in_([GroupState.OPEN.value, GroupState.WAITING.value])
    )
    if session.execute(query.limit(1)).first() is not None:
        return True
    return bool({each.id for each in of_run(session, run_id, [GroupState.DECIDING])} - unruled(session, run_id))


def waits_for(session: Session, run_id: str) -> str:
    """Return what a run without pending items waits for, as text; empty if nothing."""
    waits = []
    query = select(GROUP.c.step, GROUP.c.key, GROUP.c.reason).where(GROUP.c.run_id == run_id).order_by(GROUP.c.id)
    deciding = session.execute(query.where(GROUP.c.state == GroupState.DECIDING.value)).all()
    if deciding:
        waits.append(f"for people to decide {counted(len(deciding), 'group')} of step {deciding[0].step}")
    blocked = session.execute(query.where(GROUP.c.state == GroupState.BLOCKED.value)).all()
    if blocked:
        first = blocked[0]
        where = f"{first.step}, {first.key}" if first.key else first.step
        blocked_text = (
            "a blocked group" if len(blocked) == 1 else f"{len(blocked):,} blocked groups, of which the first"
        )
        waits.append(f"for {blocked_text} ({where}): {first.reason}")
    return "; ".join(waits)
