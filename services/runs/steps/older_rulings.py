"""Outcomes of people's rulings in a run that redoes a step of another."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.people import Permission, Viewer
from core.runs.flow import WHOLE, parted
from core.steps import GroupState, Step, StepKind
from runs.steps.stepped_run import SteppedRun, stepped
from services.acting import ReadContext, consulting
from services.runs.reading import find_run
from services.runs.steps.redoing import keys_of
from store.runs import groups


class RulingOutcome(StrEnum):
    """The outcome of a ruling in a run that redoes a step."""

    TAKEN_OVER = "taken over"
    AGAIN = "to be ruled again"  # the value differs, or is to be reviewed again
    AGAIN_DONE = "ruled again"
    GONE = "no value to rule on"  # its key has no value
    LATER = "not known yet"  # its step has not run; the ruling is taken over if the value is equal


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderRuling:
    """A ruling of the run on which another is based, and its outcome there."""

    step: str
    title: str  # of the step
    group: str  # key of the group that has the values of `key` now
    key: str
    ruling: Any
    outcome: RulingOutcome


def older_rulings(viewer: Viewer, run_id: str) -> tuple[OlderRuling, ...]:
    """Return the rulings of the run on which this one is based, for the keys that it processes; empty if it is based on
    none. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        run = stepped(r.session, row) if row.based_on is not None else None
        if run is None:
            return ()
        keys = keys_of(r.session, run)
        return tuple(
            each for step in run.steps if step.kind is StepKind.DECIDE for each in _outcomes(r, run, step, keys)
        )


def _outcomes(r: ReadContext, run: SteppedRun, step: Step, keys: Collection[str]) -> list[OlderRuling]:
    laid = [each for each in groups.of_run(r.session, run.plan.run_id) if each.step == step.name]
    values_by_group = groups.values(r.session, [each.id for each in laid if each.state is not GroupState.WAITING])
    reused: dict[tuple[str, str], int] = {}
    for each in (value for values in values_by_group.values() for value in values):
        if each.ruling is not None and "from_run" in each.ruling:
            reused[each.key, each.hash] = reused.get((each.key, each.hash), 0) + 1
    group_keys = {parted(each.key, step.span)[0]: each.key for each in laid if each.state is not GroupState.WAITING}
    now = [value for values in values_by_group.values() for value in values]
    left = {each.key for each in now if each.ruling is None}
    rulings = []
    for (key, of_value), old_rulings in groups.rulings(r.session, str(run.based_on), step.name).items():
        if key != WHOLE and key not in keys:
            continue
        outcome = RulingOutcome.LATER
        if group_keys.keys() & {key, WHOLE}:
            is_there = key in {each.key for each in now}
            outcome = (
                RulingOutcome.AGAIN if key in left else RulingOutcome.AGAIN_DONE if is_there else RulingOutcome.GONE
            )
        rulings += [
            OlderRuling(
                step=step.name,
                title=step.title,
                group=group_keys.get(key, WHOLE),
                key=key,
                ruling=ruling,
                outcome=RulingOutcome.TAKEN_OVER if number < reused.get((key, of_value), 0) else outcome,
            )
            for number, ruling in enumerate(old_rulings)
        ]
    return rulings
