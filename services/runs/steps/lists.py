"""The steps of a run: how far each is, one group of one with what went in and what came out, and people's rulings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.errors import Missing
from core.paging import check_page
from core.people import May, Viewer
from core.runs.flow import parted
from core.runs.states import ItemStatus
from core.steps import GroupState, Step, StepKind
from core.words import counted, quoted
from protocols.making import Value
from protocols.steps import steps_kept
from runs.outcomes import protocol_of
from runs.steps.inputs import read_inputs
from runs.steps.stepped_run import stepped
from services.acting import TERMINAL, consulting
from services.runs.reading import find_run
from services.runs.steps.item_rounds import every_round
from services.runs.views import RoundView
from store.people import names_of
from store.runs import groups, runs
from store.runs.groups import KeptValue
from store.runs.steps import StepCounts, by_step
from store.tables.runs import RunItemRow, RunSampleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """How far one step of a run is. `items`: by status, every status a key; `made`: values that it made or laid before
    people, of which `undecided` wait for them and `ruled` were decided; `cost_usd_reason`: why the cost is unknown, or
    is not all of it; empty where it is."""

    step: str
    title: str
    kind: StepKind
    groups: int
    waiting: int
    done: int
    open: int
    blocked: int
    deciding: int
    items: Mapping[ItemStatus, int]
    made: int
    requests: int
    cost_usd: float | None
    cost_usd_reason: str
    undecided: int = 0
    ruled: int = 0


@dataclass(frozen=True, slots=True)
class GroupCell:
    """A group in a table: its key, which is more than its line's where a step takes several values of it one by one."""

    key: str
    state: GroupState


@dataclass(frozen=True, slots=True)
class GroupLine:
    """What is done with one key, such as a paper; the empty one is the whole run. `cells`: by step, its groups; a step
    that has none yet, or never will, is not there."""

    key: str
    cells: Mapping[str, tuple[GroupCell, ...]]


@dataclass(frozen=True, slots=True)
class GroupPage:
    """A page of groups × steps. `total`: lines that match; `steps`: name → title, in order."""

    total: int
    steps: Mapping[str, str]
    lines: tuple[GroupLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupItem:
    """An item of a group that asks; `value`: what was read, None where it is not answered; `rounds`: all its requests,
    also where it is one."""

    id: str
    sample: str
    model: str
    repeat: int
    status: ItemStatus
    fault: str
    value: Any
    rounds: tuple[RoundView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupValue:
    """A value that a group made, or that people decide on; `rests_on`: hashes of what it rests on, none for all that
    went in; `ruling`: what they said ("value", "why", "by", "at", and "left_out" where no later step takes it), None
    until then; `ruled_by`: the name of who said it, `ruled_in`: the number of the run that it was taken over from;
    `version`: for `rule`."""

    id: str
    key: str
    value: Any
    hash: str
    flags: tuple[str, ...]
    rests_on: tuple[str, ...]
    ruling: Any
    version: int
    ruled_by: str = ""
    ruled_in: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """One group. `inputs`: what went in, by the step or source it came from; none before all of it is there. `titles`:
    what these are called. `items`: a page of them, of `items_total`."""

    step: str
    title: str
    kind: StepKind
    key: str
    state: GroupState
    reason: str
    ended_at: datetime | None
    inputs: Mapping[str, tuple[Value, ...]]
    titles: Mapping[str, str]
    items_total: int
    items: tuple[GroupItem, ...]
    made: tuple[GroupValue, ...]


def steps(viewer: Viewer, run_id: str) -> tuple[StepLine, ...]:
    """The steps of a run in order. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, May.REVIEW) as r:
        row = find_run(r.session, run_id)
        found = steps_kept(protocol_of(row.protocol), row.settings)
        counts = by_step(r.session, row.id)
    return tuple(
        _line(each.name, each.title, each.kind, counts.get(each.name if len(found) > 1 else "", StepCounts()))
        for each in found
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
    """A page of a run's groups × steps, a line a key, the whole run first; no line of a run of one step.

    Lines with a group of this step, in this state, of which an item ended without an answer, and whose key holds
    `search` in any case; what is empty lets every line through. `run_id` may be the run's number. Raises Missing if
    there is none, BadInput for an offset below 0 or a limit outside 1–500.
    """
    check_page(offset, limit)
    with consulting(viewer, May.REVIEW) as r:
        row = find_run(r.session, run_id)
        found = {each.name: each for each in steps_kept(protocol_of(row.protocol), row.settings)}
        there = groups.named(r.session, row.id, found)
        chosen = groups.unanswered(r.session, row.id) if is_unanswered else None
    by_key: dict[str, list[Sequence[str]]] = defaultdict(list)
    matching = set[str]()
    for each in there:
        group_id, of, key, now = each
        base = parted(key, found[of].span)[0]
        by_key[base].append(each)
        if step in ("", of) and state in (None, now) and (chosen is None or group_id in chosen):
            matching.add(base)
    asked = search.casefold()
    keys = sorted(key for key in matching if asked in key.casefold())
    return GroupPage(
        total=len(keys),
        steps={name: each.title for name, each in found.items()},
        lines=tuple(GroupLine(key, _cells(by_key[key], found)) for key in keys[offset : offset + limit]),
    )


def _cells(there: Sequence[Sequence[str]], found: Mapping[str, Step]) -> dict[str, tuple[GroupCell, ...]]:
    cells: dict[str, list[GroupCell]] = defaultdict(list)
    for _, step, key, state in there:
        cells[step].append(GroupCell(key, GroupState(state)))
    return {
        name: tuple(sorted(cells[name], key=lambda cell: parted(cell.key, step.span)))
        for name, step in found.items()
        if cells[name]
    }


def group(viewer: Viewer, run_id: str, step: str, key: str, *, offset: int = 0, limit: int = 25) -> GroupView:
    """One group of a run of several steps, with a page of its items. `run_id` may be its number. Raises Missing if
    there is none."""
    with consulting(viewer, May.REVIEW) as r:
        row = find_run(r.session, run_id)
        run = stepped(r.session, row)
        kept = None if run is None else groups.find(r.session, row.id, step, key)
        if run is None or kept is None or step not in {each.name for each in run.steps}:
            raise Missing(f"Run {row.number} has no group {quoted(key)} of a step {quoted(step)}.")
        of, flow = run.step(step), run.flow(r.session)
        taken = (
            read_inputs(r.session, run, flow, kept.group, with_vectors=False).inputs.values
            if flow.may_begin(kept.group)
            else {}
        )
        asked = groups.answers(r.session, [kept.group.id]).get(kept.group.id, [])
        return GroupView(
            step=step,
            title=of.title,
            kind=of.kind,
            key=key,
            state=kept.group.state,
            reason=kept.reason,
            ended_at=kept.ended_at,
            inputs=dict(taken),
            titles={each.name: each.title for each in run.steps},
            items_total=len(asked),
            items=tuple(
                GroupItem(
                    id=each.id,
                    sample=each.sample,
                    model=each.model,
                    repeat=each.repeat,
                    status=each.status,
                    fault=each.fault,
                    value=each.value,
                    rounds=_rounds(r.session, each.id),
                )
                for each in asked[offset : offset + limit]
            ),
            made=_made(r.session, groups.values(r.session, [kept.group.id]).get(kept.group.id, [])),
        )


def _made(session: Session, kept: Sequence[KeptValue]) -> tuple[GroupValue, ...]:
    ruled = [each.ruling for each in kept if each.ruling is not None]
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
        for each in kept
    )


def _rounds(session: Session, item_id: str) -> tuple[RoundView, ...]:
    item = session.get_one(RunItemRow, item_id)
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
