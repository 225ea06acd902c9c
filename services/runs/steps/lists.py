"""Steps of a run: progress, and single groups with inputs, values and rulings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.errors import Missing
from core.paging import check_page
from core.people import Permission, Viewer
from core.runs.flow import parted
from core.runs.states import ItemStatus
from core.steps import GroupState, Step, StepKind
from core.words import counted, quoted
from protocols.step_values import Value
from protocols.steps import steps_of_settings
from runs.item_outcomes import protocol_of
from runs.steps.inputs import read_inputs
from runs.steps.stepped_run import stepped
from services.acting import TERMINAL, consulting
from services.runs.reading import find_run
from services.runs.steps.item_rounds import every_round
from services.runs.views import RoundView
from store.people import names_of
from store.runs import groups, runs
from store.runs.groups import StoredValue
from store.runs.steps import StepCounts, by_step
from store.tables.runs import RunItemRow, RunSampleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """Progress of one step of a run."""

    step: str
    title: str
    kind: StepKind
    groups: int
    waiting: int
    done: int
    open: int
    blocked: int
    deciding: int
    items: Mapping[ItemStatus, int]  # every status is a key
    made: int  # values made, or shown to people
    requests: int
    cost_usd: float | None
    cost_usd_reason: str  # why the cost is unknown or incomplete; empty otherwise
    undecided: int = 0  # values that wait for people
    ruled: int = 0


@dataclass(frozen=True, slots=True)
class GroupCell:
    """A group in a table; its key extends that of the line if a step takes several values of it one by one."""

    key: str
    state: GroupState


@dataclass(frozen=True, slots=True)
class GroupLine:
    """Groups with the same key, such as a paper; the empty key is the whole run."""

    key: str
    cells: Mapping[str, tuple[GroupCell, ...]]  # by step, without steps that have no such group


@dataclass(frozen=True, slots=True)
class GroupPage:
    """A page of groups × steps."""

    total: int  # matching lines
    steps: Mapping[str, str]  # name → title, in order
    lines: tuple[GroupLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupItem:
    """An item of a group that asks."""

    id: str
    sample: str
    model: str
    repeat: int
    status: ItemStatus
    fault: str
    value: Any  # None if it is not answered
    rounds: tuple[RoundView, ...]  # all requests, also a single one


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupValue:
    """A value that a group made, or that people decide on."""

    id: str
    key: str
    value: Any
    hash: str
    flags: tuple[str, ...]
    rests_on: tuple[str, ...]  # hashes of its inputs; empty for all inputs of the group
    ruling: Any  # "value", "why", "by", "at", and "left_out" if no later step takes it; None before a ruling
    version: int  # for `rule`
    ruled_by: str = ""  # name of a person
    ruled_in: int | None = None  # number of the run from which the ruling was copied


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """One group."""

    step: str
    title: str
    kind: StepKind
    key: str
    state: GroupState
    reason: str
    ended_at: datetime | None
    inputs: Mapping[str, tuple[Value, ...]]  # by step or source; empty until all are available
    titles: Mapping[str, str]  # of these steps and sources
    items_total: int
    items: tuple[GroupItem, ...]  # one page
    made: tuple[GroupValue, ...]


def steps(viewer: Viewer, run_id: str) -> tuple[StepLine, ...]:
    """Return the steps of a run in order. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        run_steps = steps_of_settings(protocol_of(row.protocol), row.settings)
        counts = by_step(r.session, row.id)
    return tuple(
        _line(each.name, each.title, each.kind, counts.get(each.name if len(run_steps) > 1 else "", StepCounts()))
        for each in run_steps
    )


def group_lines(
    viewer: Viewer,
    run_id: str,
    *,
    step: str = "",
    state: GroupState | None = None,
    is_unanswered: bool = False,
    search: str = "",
    offset: int = 0,
    limit: int = 25,
) -> GroupPage:
    """Return a page of a run's groups × steps, one line per key, the whole run first; empty for a run of one step. A
    line matches with a group of this step, in this state, with an item that ended without an answer, and with
    `search` in its key (case-insensitive); empty filters match every line. `run_id` may be the run's number. Raises
    Missing if there is none, BadInput for an offset below 0 or a limit outside 1–500."""
    check_page(offset, limit)
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        run_steps = {each.name: each for each in steps_of_settings(protocol_of(row.protocol), row.settings)}
        rows = groups.named(r.session, row.id, run_steps)
        chosen = groups.unanswered(r.session, row.id) if is_unanswered else None
    by_key: dict[str, list[Sequence[str]]] = defaultdict(list)
    matching = set[str]()
    for row_of_group in rows:
        group_id, of, key, now = row_of_group
        base = parted(key, run_steps[of].span)[0]
        by_key[base].append(row_of_group)
        if step in ("", of) and state in (None, now) and (chosen is None or group_id in chosen):
            matching.add(base)
    folded = search.casefold()
    keys = sorted(key for key in matching if folded in key.casefold())
    return GroupPage(
        total=len(keys),
        steps={name: each.title for name, each in run_steps.items()},
        lines=tuple(GroupLine(key, _cells(by_key[key], run_steps)) for key in keys[offset : offset + limit]),
    )


def _cells(rows: Sequence[Sequence[str]], run_steps: Mapping[str, Step]) -> dict[str, tuple[GroupCell, ...]]:
    cells: dict[str, list[GroupCell]] = defaultdict(list)
    for _, step, key, state in rows:
        cells[step].append(GroupCell(key, GroupState(state)))
    return {
        name: tuple(sorted(cells[name], key=lambda cell: parted(cell.key, step.span)))
        for name, step in run_steps.items()
        if cells[name]
    }


def group(viewer: Viewer, run_id: str, step: str, key: str, *, offset: int = 0, limit: int = 25) -> GroupView:
    """Return one group of a run of several steps, with a page of its items. `run_id` may be its number. Raises
    Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        run = stepped(r.session, row)
        stored = None if run is None else groups.find(r.session, row.id, step, key)
        if run is None or stored is None or step not in {each.name for each in run.steps}:
            raise Missing(f"Run {row.number} has no group {quoted(key)} of a step {quoted(step)}.")
        of, flow = run.step(step), run.flow(r.session)
        inputs = (
            read_inputs(r.session, run, flow, stored.group, with_vectors=False).inputs.values
            if flow.may_begin(stored.group)
            else {}
        )
        answers = groups.answers(r.session, [stored.group.id]).get(stored.group.id, [])
        return GroupView(
            step=step,
            title=of.title,
            kind=of.kind,
            key=key,
            state=stored.group.state,
            reason=stored.reason,
            ended_at=stored.ended_at,
            inputs=dict(inputs),
            titles={each.name: each.title for each in run.steps},
            items_total=len(answers),
            items=tuple(
                GroupItem(
                    id=each.id,
                    sample=each.sample,
                    model=each.model,
                    repeat=each.repeat,
                    status=each.status,
                    fault=each.fault,
                    value=each.value,
                    rounds=_all_rounds(r.session, r.session.get_one(RunItemRow, each.id)),
                )
                for each in answers[offset : offset + limit]
            ),
            made=_values(r.session, groups.values(r.session, [stored.group.id]).get(stored.group.id, [])),
        )


def _values(session: Session, values: Sequence[StoredValue]) -> tuple[GroupValue, ...]:
    ruled = [each.ruling for each in values if each.ruling is not None]
    names = names_of(session, {each["by"] for each in ruled})
    numbers = {run_id: runs.run_row(session, run_id).number for each in ruled if (run_id := each.get("from_run"))}
    return tuple(
        GroupValue(
            id=each.id,
            key=each.key,
            value=each.value,
            hash=each.hash,
            flags=each.flags,
            rests_on=each.rests_on,
            ruling=each.ruling,
            version=each.version,
            ruled_by="" if each.ruling is None else names.get(each.ruling["by"], TERMINAL),
            ruled_in=None if each.ruling is None else numbers.get(each.ruling.get("from_run", "")),
        )
        for each in values
    )


def _all_rounds(session: Session, item: RunItemRow) -> tuple[RoundView, ...]:
    return every_round(session, item, session.get_one(RunSampleRow, item.sample_id).messages)


def _line(name: str, title: str, kind: StepKind, counts: StepCounts) -> StepLine:
    why = [f"{counted(counts.unpriced, 'reply')} without a price"] if counts.unpriced else []
    if counts.implausible:
        why.append(f"reported usage of {counted(counts.implausible, 'reply')} cannot be true")
    if counts.cost_usd is None and not counts.implausible:
        why = ["no reply has a price" if counts.requests else "no request was sent"]
    return StepLine(
        step=name,
        title=title,
        kind=kind,
        groups=counts.groups.total(),
        waiting=counts.groups[GroupState.WAITING],
        done=counts.groups[GroupState.DONE],
        open=counts.groups[GroupState.OPEN],
        blocked=counts.groups[GroupState.BLOCKED],
        deciding=counts.groups[GroupState.DECIDING],
        items={status: counts.items[status] for status in ItemStatus},
        made=counts.made,
        requests=counts.requests,
        cost_usd=counts.cost_usd,
        cost_usd_reason="; ".join(why),
        undecided=counts.undecided,
        ruled=counts.ruled,
    )
