"""What became of people's rulings in a run that redoes a step of another."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.people import May, Viewer
from core.runs.flow import WHOLE, parted
from core.steps import GroupState, Step, StepKind
from runs.steps.stepped_run import SteppedRun, stepped
from services.acting import Reading, consulting
from services.runs.reading import find_run
from services.runs.steps.redoing import keys_of
from store.runs import groups


class RulingFate(StrEnum):
    """What became of a ruling in a run that redoes a step. AGAIN: a value stands in its place that is not equal, or
    that people are to look at anew; AGAIN_DONE: they have. GONE: no value of its key is there. LATER: its step has not
    come yet; it is taken over if the value comes out equal."""

    TAKEN_OVER = "taken over"
    AGAIN = "to be ruled again"
    AGAIN_DONE = "ruled again"
    GONE = "no value to rule on"
    LATER = "not known yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderRuling:
    """A ruling of the run that another is based on, and what became of it there. `group`: key of the group that has
    the values of its key now; `title`: of its step."""

    step: str
    title: str
    group: str
    key: str
    ruling: Any
    fate: RulingFate


def older_rulings(viewer: Viewer, run_id: str) -> tuple[OlderRuling, ...]:
    """The rulings of the run that this one is based on, of the keys that go through it, and what became of each; none
    of a run that is based on none. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, May.REVIEW) as r:
        row = find_run(r.session, run_id)
        run = stepped(r.session, row) if row.based_on is not None else None
        if run is None:
            return ()
        keys = keys_of(r.session, run)
        return tuple(each for step in run.steps if step.kind is StepKind.DECIDE for each in _fates(r, run, step, keys))


def _fates(r: Reading, run: SteppedRun, step: Step, keys: Collection[str]) -> list[OlderRuling]:
    laid = [each for each in groups.of_run(r.session, run.plan.run_id) if each.step == step.name]
    kept = groups.values(r.session, [each.id for each in laid if each.state is not GroupState.WAITING])
    taken: dict[tuple[str, str], int] = {}
    for each in (value for values in kept.values() for value in values):
        if each.ruling is not None and "from_run" in each.ruling:
            taken[each.key, each.hash] = taken.get((each.key, each.hash), 0) + 1
    there = {parted(each.key, step.span)[0]: each.key for each in laid if each.state is not GroupState.WAITING}
    now = [value for values in kept.values() for value in values]
    left = {each.key for each in now if each.ruling is None}
    found = []
    for (key, of_value), said in groups.rulings(r.session, str(run.based_on), step.name).items():
        if key != WHOLE and key not in keys:
            continue
        fate = RulingFate.LATER
        if there.keys() & {key, WHOLE}:
            is_there = key in {each.key for each in now}
            fate = RulingFate.AGAIN if key in left else RulingFate.AGAIN_DONE if is_there else RulingFate.GONE
        found += [
            OlderRuling(
                step=step.name,
                title=step.title,
                group=there.get(key, WHOLE),
                key=key,
                ruling=ruling,
                fate=RulingFate.TAKEN_OVER if number < taken.get((key, of_value), 0) else fate,
            )
            for number, ruling in enumerate(said)
        ]
    return found
