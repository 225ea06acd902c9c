"""Labels of groups: kind of step, state, and key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.runs.flow import WHOLE
from core.steps import GroupState, StepKind
from services.runs.steps.lists import GroupCell

KINDS: Mapping[StepKind, str] = {
    StepKind.ASK: "asks models",
    StepKind.MAKE: "computed",
    StepKind.EMBED: "embeds texts",
    StepKind.DECIDE: "people decide",
}
STATES: Mapping[GroupState, str] = {
    GroupState.WAITING: "waiting",
    GroupState.OPEN: "open",
    GroupState.DONE: "done",
    GroupState.BLOCKED: "blocked",
    GroupState.DECIDING: "with people",
}


def key_words(key: str) -> str:
    return "whole run" if key == WHOLE else key


def cell_words(cells: Sequence[GroupCell]) -> str:
    """Return, for example, "done", or "2 done, 1 blocked" for several groups; empty without any."""
    if len(cells) == 1:
        return STATES[cells[0].state]
    counts = {state: sum(each.state is state for each in cells) for state in GroupState}
    return ", ".join(f"{number:,} {STATES[state]}" for state, number in counts.items() if number)
