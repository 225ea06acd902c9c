"""The steps of a run: how far each is, and one group of one, with what went in and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.errors import Missing
from core.people import May, Viewer
from core.runs.states import ItemStatus
from core.steps import GroupState, StepKind
from core.words import counted
from protocols.making import Value
from protocols.steps import steps_of
from runs.group_inputs import read_inputs
from runs.outcomes import protocol_of
from runs.stepped_run import stepped
from services.acting import consulting
from services.runs.reading import find_run
from store.runs import groups
from store.runs.steps import StepCounts, by_step


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """How far one step of a run is. `items`: by status, every status a key; `made`: values that it made or laid before
    people; `cost_usd_reason`: why the cost is unknown, or is not all of it; empty where it is."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupItem:
    """An item of a group that asks; `value`: what was read, None where it is not answered."""

    id: str
    sample: str
    model: str
    repeat: int
    status: ItemStatus
    fault: str
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupValue:
    """A value that a group made; `rests_on`: hashes of what it rests on, none for all that went in."""

    id: str
    key: str
    value: Any
    hash: str
    flags: tuple[str, ...]
    rests_on: tuple[str, ...]
    ruling: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """One group. `inputs`: what went in, by the step or source it came from; none before all of it is there."""

    step: str
    title: str
    kind: StepKind
    key: str
    state: GroupState
    reason: str
    ended_at: datetime | None
    inputs: Mapping[str, tuple[Value, ...]]
    items: tuple[GroupItem, ...]
    made: tuple[GroupValue, ...]


def steps(viewer: Viewer, run_id: str) -> tuple[StepLine, ...]:
    """The steps of a run in order. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, May.REVIEW) as r:
        row = find_run(r.session, run_id)
        found = steps_of(protocol_of(row.protocol), row.settings.get("wanted") or {})
        counts = by_step(r.session, row.id)
    return tuple(
        _line(each.name, each.title, each.kind, counts.get(each.name if len(found) > 1 else "", StepCounts()))
        for each in found
    )


def group(viewer: Viewer, run_id: str, step: str, key: str) -> GroupView:
    """One group of a run of several steps. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, May.REVIEW) as r:
        row = find_run(r.session, run_id)
        run = stepped(r.session, row)
        kept = None if run is None else groups.find(r.session, row.id, step, key)
        if run is None or kept is None or step not in {each.name for each in run.steps}:
            raise Missing(f"Run {row.number} has no group {key!r} of a step {step!r}.")
        of, flow = run.step(step), run.flow(r.session)
        taken = (
            read_inputs(r.session, run, flow, kept.group, with_vectors=False).inputs.values
            if flow.may_begin(kept.group)
            else {}
        )
        return GroupView(
            step=step,
            title=of.title,
            kind=of.kind,
            key=key,
            state=kept.group.state,
            reason=kept.reason,
            ended_at=kept.ended_at,
            inputs=dict(taken),
            items=tuple(
                GroupItem(
                    id=each.id,
                    sample=each.sample,
                    model=each.model,
                    repeat=each.repeat,
                    status=each.status,
                    fault=each.fault,
                    value=each.value,
                )
                for each in groups.answers(r.session, [kept.group.id]).get(kept.group.id, [])
            ),
            made=tuple(
                GroupValue(
                    id=each.id,
                    key=each.key,
                    value=each.value,
                    hash=each.hash,
                    flags=each.flags,
                    rests_on=each.rests_on,
                    ruling=each.ruling,
                )
                for each in groups.values(r.session, [kept.group.id]).get(kept.group.id, [])
            ),
        )


def _line(name: str, title: str, kind: StepKind, counts: StepCounts) -> StepLine:
    reason = ""
    if counts.cost_usd is None:
        reason = "no reply has a price" if counts.requests else "no request was sent"
    elif counts.unpriced:
        reason = f"{counted(counts.unpriced, 'reply')} without a price"
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
        cost_usd_reason=reason,
    )
