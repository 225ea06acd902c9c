"""Groups of a run's steps: how far each is, what it gives, and how its state moves. No function here commits.

A state moves by compare-and-set: whoever finds a group in another state than it saw changes nothing of it, so that two
workers may do the same, and one may do it again after a crash.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, null, select, update
from sqlmodel import Session

from core.errors import Missing
from core.runs.flow import Group
from core.runs.states import ItemStatus, RunState
from core.steps import GroupState
from store.many import among
from store.ready_rows import insert_or_leave
from store.runs.runs import ITEM, RUN, SAMPLE, NewItem, NewSample, add_samples
from store.tables import metadata, new_id

GROUP, MADE = metadata.tables["run_group"], metadata.tables["run_made"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptValue:
    """A value that a group gives. `ruling`: what people said of it, None where they have not; `version`: of the row."""

    id: str
    key: str
    value: Any
    hash: str
    flags: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    ruling: Any = None
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """An item of a group that asks. `sample`: the key of its sample; `value`: what was read, of an answered one."""

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
    """A value to keep; `rests_on` as `protocols.making.Made` has it; `ruling`: what people said of an equal one."""

    key: str
    value: Any
    hash: str
    flags: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    ruling: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """What a group that waited has become: its new state, and with it values, or samples and their items (`NewItem`
    counts places among these samples). `all_asked`: what the run's manifest says of them, where they are all that the
    run asks."""

    group: Group
    state: GroupState
    reason: str = ""
    inputs_hash: str = ""
    values: Sequence[NewValue] = ()
    samples: Sequence[NewSample] = ()
    items: Sequence[NewItem] = field(default=())
    all_asked: Mapping[str, Any] | None = None


# --- reading -----------------------------------------------------------------------------------------------------


def of_run(session: Session, run_id: str, states: Collection[GroupState] = ()) -> list[Group]:
    """All groups of a run, or those in these states, the first laid out first."""
    query = select(GROUP.c.id, GROUP.c.step, GROUP.c.key, GROUP.c.state).where(GROUP.c.run_id == run_id)
    if states:
        query = query.where(GROUP.c.state.in_([state.value for state in states]))
    rows = session.execute(query.order_by(GROUP.c.id))
    return [Group(row.id, row.step, row.key, GroupState(row.state)) for row in rows]


def named(session: Session, run_id: str, steps: Collection[str]) -> list[Sequence[str]]:
    """(id, step, key, state) of all groups of these steps, in no order; for lists, where there are very many."""
    query = select(GROUP.c.id, GROUP.c.step, GROUP.c.key, GROUP.c.state)
    rows = session.execute(query.where(GROUP.c.run_id == run_id, GROUP.c.step.in_(steps)))
    return list(map(tuple, rows))


def keys_of_step(session: Session, step: str) -> set[str]:
    """Keys of the groups that a step or source has had in any run."""
    return set(session.execute(select(GROUP.c.key).where(GROUP.c.step == step).distinct()).scalars())


@dataclass(frozen=True, slots=True)
class KeptGroup:
    group: Group
    reason: str
    ended_at: datetime | None


def find(session: Session, run_id: str, step: str, key: str) -> KeptGroup | None:
    """One group by its step and key."""
    query = select(GROUP).where(GROUP.c.run_id == run_id, GROUP.c.step == step, GROUP.c.key == key)
    row = session.execute(query).one_or_none()
    if row is None:
        return None
    return KeptGroup(Group(row.id, row.step, row.key, GroupState(row.state)), row.reason, row.ended_at)


def of_steps(session: Session, run_id: str, steps: Collection[str]) -> list[KeptGroup]:
    """All groups of these steps with their reasons, the first laid out first."""
    query = select(GROUP).where(GROUP.c.run_id == run_id, GROUP.c.step.in_(steps)).order_by(GROUP.c.id)
    return [
        KeptGroup(Group(row.id, row.step, row.key, GroupState(row.state)), row.reason, row.ended_at)
        for row in session.execute(query)
    ]


def has_any(session: Session, run_id: str) -> bool:
    """Whether the run has several steps."""
    query = select(GROUP.c.id).where(GROUP.c.run_id == run_id).limit(1)
    return session.execute(query).first() is not None


def answered(session: Session, run_id: str) -> list[Group]:
    """Open groups none of whose items is pending."""
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
    """Ids of groups that wait for people, and of which a value has no ruling yet."""
    query = (
        select(MADE.c.group_id)
        .join(GROUP, GROUP.c.id == MADE.c.group_id)
        .where(GROUP.c.run_id == run_id, GROUP.c.state == GroupState.DECIDING.value, MADE.c.ruling.is_(None))
    )
    return set(session.execute(query.distinct()).scalars())


def unanswered(session: Session, run_id: str) -> set[str]:
    """Ids of groups of which an item has ended without an answer."""
    open_or_answered = [ItemStatus.PENDING.value, ItemStatus.ANSWERED.value]
    query = (
        select(SAMPLE.c.group_id)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(ITEM.c.run_id == run_id, ITEM.c.status.not_in(open_or_answered), SAMPLE.c.group_id.is_not(None))
    )
    return set(session.execute(query.distinct()).scalars())


def rulings(session: Session, run_id: str, step: str) -> dict[tuple[str, str], list[Any]]:
    """What people said in a step of a run: by key and hash of the value, in order, with the run that it is from."""
    query = (
        select(MADE.c.key, MADE.c.hash, MADE.c.ruling)
        .join(GROUP, GROUP.c.id == MADE.c.group_id)
        .where(GROUP.c.run_id == run_id, GROUP.c.step == step, MADE.c.ruling.is_not(None))
        .order_by(GROUP.c.id, MADE.c.place)
    )
    found: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for key, of_value, ruling in session.execute(query):
        found[key, of_value].append({"from_run": run_id, **ruling})
    return found


def request_hashes(session: Session, group_ids: Collection[str]) -> list[str | None]:
    """Of the first request of each item of these groups; None of what is asked of no model."""
    query = select(ITEM.c.request_hash).join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
    return list(session.execute(query.where(among(session, SAMPLE.c.group_id, group_ids))).scalars())


def asked_pairs(session: Session, run_id: str) -> dict[str, set[tuple[str, str]]]:
    """By step, each task and variant that it has asked."""
    query = select(SAMPLE.c.step, SAMPLE.c.task, SAMPLE.c.variant).where(SAMPLE.c.run_id == run_id).distinct()
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for step, task, variant in session.execute(query):
        found[step].add((task, variant))
    return found


def keys_given(session: Session, group_ids: Collection[str]) -> dict[str, list[str]]:
    """The key of each value that these groups keep, in order; groups that ask keep none."""
    found: dict[str, list[str]] = defaultdict(list)
    query = select(MADE.c.group_id, MADE.c.key).where(among(session, MADE.c.group_id, group_ids))
    for group_id, key in session.execute(query.order_by(MADE.c.group_id, MADE.c.place)):
        found[group_id].append(key)
    return found


def items_of(session: Session, group_ids: Collection[str]) -> dict[str, int]:
    """How many items these groups have."""
    query = select(SAMPLE.c.group_id, func.count()).join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
    rows = session.execute(query.where(among(session, SAMPLE.c.group_id, group_ids)).group_by(SAMPLE.c.group_id))
    return {row[0]: row[1] for row in rows}


def values(
    session: Session, group_ids: Collection[str], keys: Collection[str] | None = None
) -> dict[str, list[KeptValue]]:
    """What these groups keep, or what of it has one of these keys, in order; groups that ask keep none."""
    names = ("group_id", "id", "key", "value", "hash", "flags", "rests_on", "ruling", "version")
    columns = [MADE.c[name] for name in names]
    found: dict[str, list[KeptValue]] = defaultdict(list)
    query = select(*columns).where(among(session, MADE.c.group_id, group_ids))
    if keys is not None:
        query = query.where(among(session, MADE.c.key, keys))
    for row in session.execute(query.order_by(MADE.c.group_id, MADE.c.place)):
        found[row.group_id].append(
            KeptValue(
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
    return found


def answers(session: Session, group_ids: Collection[str]) -> dict[str, list[KeptAnswer]]:
    """The items of these groups, in the order of their samples, models and repeats."""
    columns = [ITEM.c[name] for name in ("id", "model", "repeat", "status", "fault", "parsed")]
    found: dict[str, list[KeptAnswer]] = defaultdict(list)
    query = (
        select(SAMPLE.c.group_id, SAMPLE.c.sample_hash, SAMPLE.c.key, *columns)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(among(session, SAMPLE.c.group_id, group_ids))
        .order_by(SAMPLE.c.group_id, SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for row in session.execute(query):
        found[row.group_id].append(
            KeptAnswer(
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
    return found


# --- writing -----------------------------------------------------------------------------------------------------


def lock(session: Session, run_id: str) -> RunState:
    """Have this transaction be the only one that moves the run's groups; the run's state."""
    return RunState(session.execute(select(RUN.c.state).where(RUN.c.id == run_id).with_for_update()).scalar_one())


def lay_out(session: Session, run_id: str, names: Iterable[tuple[str, str]]) -> None:
    """Write groups that wait, by (step, key); one that is there stays as it is."""
    rows = [
        {"id": new_id(), "run_id": run_id, "step": step, "key": key, "state": GroupState.WAITING.value}
        | {"reason": "", "inputs_hash": "", "version": 1}
        for step, key in names
    ]
    if rows:
        session.connection().execute(insert_or_leave(session, GROUP), rows)


def lay_source(
    session: Session, run_id: str, name: str, given: Mapping[str, Sequence[NewValue]], now: datetime
) -> None:
    """Write what steps take of a source, values by key: a group each, done, with its values."""
    done = {"state": GroupState.DONE.value, "reason": "", "inputs_hash": "", "ended_at": now, "version": 1}
    ids = {key: new_id() for key in given}
    rows = [{"id": ids[key], "run_id": run_id, "step": name, "key": key, **done} for key in given]
    if rows:
        session.connection().execute(insert(GROUP), rows)
    for key, those in given.items():
        _insert_values(session, ids[key], those)


def move(
    session: Session, group: Group, to: GroupState, now: datetime, *, reason: str = "", inputs_hash: str = ""
) -> bool:
    """Move a group that is still in the state in which it was seen; says whether it was. `reason` and `inputs_hash`
    take the place of those that it had."""
    return _move(session, group, to, now, {"reason": reason, "inputs_hash": inputs_hash})


def end(session: Session, group: Group, now: datetime) -> bool:
    """Move a group to done as `move` does; what stands beside it stays."""
    return _move(session, group, GroupState.DONE, now, {})


def _move(session: Session, group: Group, to: GroupState, now: datetime, more: Mapping[str, str]) -> bool:
    is_over = to in (GroupState.DONE, GroupState.BLOCKED)
    moved = session.connection().execute(
        update(GROUP)
        .where(GROUP.c.id == group.id, GROUP.c.state == group.state.value)
        .values(state=to.value, ended_at=now if is_over else None, version=GROUP.c.version + 1, **more)
    )
    return moved.rowcount == 1


def begin(session: Session, run_id: str, begun: Sequence[Begun], now: datetime) -> tuple[int, ...]:
    """Write what groups that waited have become; one that waits no longer is left alone. Returns the shards with
    something to ask: the items of a group are in one, unless they are very many."""
    taken = [
        each
        for each in begun
        if move(session, each.group, each.state, now, reason=each.reason, inputs_hash=each.inputs_hash)
    ]
    for each in taken:
        _insert_values(session, each.group.id, each.values)
        if each.all_asked is not None:
            _complete_manifest(session, run_id, each.all_asked)
    return add_samples(session, run_id, [(each.group.id, each.samples, each.items) for each in taken if each.samples])


def _complete_manifest(session: Session, run_id: str, said: Mapping[str, Any]) -> None:
    """Take over what was not known when the run began; hashes are added to those that were."""
    manifest = session.execute(select(RUN.c.manifest).where(RUN.c.id == run_id)).scalar_one()
    whole = {**manifest, **said, "hashes": {**manifest["hashes"], **said["hashes"]}}
    session.connection().execute(update(RUN).where(RUN.c.id == run_id).values(manifest=whole))


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
    """The run of a value, the group that keeps it, and its version. Raises Missing if there is no such value."""
    columns = [*(GROUP.c[name] for name in ("run_id", "id", "step", "key", "state")), MADE.c.version]
    query = select(*columns).join(MADE, MADE.c.group_id == GROUP.c.id).where(MADE.c.id == made_id)
    row = session.execute(query).one_or_none()
    if row is None:
        raise Missing("There is no such value in any run.")
    return row.run_id, Group(row.id, row.step, row.key, GroupState(row.state)), row.version


def value_of(session: Session, made_id: str) -> Any:
    """A value as it was made, whatever people said of it since."""
    return session.execute(select(MADE.c.value).where(MADE.c.id == made_id)).scalar_one()


def has_ruling(session: Session, made_id: str) -> bool:
    """Whether people have said anything of a value."""
    return bool(session.execute(select(MADE.c.ruling.is_not(None)).where(MADE.c.id == made_id)).scalar_one())


def rule(session: Session, made_id: str, seen: int, ruling: Mapping[str, Any] | None) -> bool:
    """Write what people say of a value that is still as they saw it (`seen`: its version), None for nothing any more;
    says whether it was."""
    ruled = session.connection().execute(
        update(MADE)
        .where(MADE.c.id == made_id, MADE.c.version == seen)
        .values(ruling=null() if ruling is None else dict(ruling), version=MADE.c.version + 1)
    )
    return ruled.rowcount == 1


def reopen_failed(session: Session, run_id: str) -> None:
    """Open the groups again that have a pending item and were done, and let what is blocked be looked at again. To be
    said after failed items were made pending."""
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


def may_go_on(session: Session, run_id: str) -> bool:
    """Whether a group of the run waits for nobody: it is open, its turn has not come, or people have ruled on it."""
    query = select(GROUP.c.id).where(
        GROUP.c.run_id == run_id, GROUP.c.state.in_([GroupState.OPEN.value, GroupState.WAITING.value])
    )
    if session.execute(query.limit(1)).first() is not None:
        return True
    return bool({each.id for each in of_run(session, run_id, [GroupState.DECIDING])} - unruled(session, run_id))


def waits_for(session: Session, run_id: str) -> str:
    """What a run without a pending item waits for, in words; empty where it waits for nothing."""
    return "; ".join(_waits(session, run_id))


def _waits(session: Session, run_id: str) -> Iterator[str]:
    query = select(GROUP.c.step, GROUP.c.key, GROUP.c.reason).where(GROUP.c.run_id == run_id).order_by(GROUP.c.id)
    deciding = session.execute(query.where(GROUP.c.state == GroupState.DECIDING.value)).all()
    if deciding:
        yield f"for people to decide {_groups(len(deciding))} of step {deciding[0].step}"
    blocked = session.execute(query.where(GROUP.c.state == GroupState.BLOCKED.value)).all()
    if blocked:
        first = blocked[0]
        where = f"{first.step}, {first.key}" if first.key else first.step
        said = "a blocked group" if len(blocked) == 1 else f"{len(blocked):,} blocked groups, of which the first"
        yield f"for {said} ({where}): {first.reason}"


def _groups(count: int) -> str:
    return "1 group" if count == 1 else f"{count:,} groups"
