"""Overlay of a verdict on a picture of both graphs: one of four states for each judged node and edge. Predicted
elements have labels against the truth, true ones against the prediction; the two sets are counted apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from core.verdicts.labels import DIRECTION, NO_MATCH, PRECISION, PRESENCE, REVERSED, Section
from core.verdicts.review import Field
from core.verdicts.verdict import VerdictItem


class MatchState(StrEnum):
    MATCHED = "matched"
    REVERSED = "reversed"  # present, in the other direction
    SPURIOUS = "spurious"  # only in the prediction
    MISSED = "missed"  # only in the truth


def match_state(section: Section, labels: Mapping[Field, str]) -> MatchState | None:
    """Return the state of an item by its labels; None while its presence is not labelled.

    >>> from core.verdicts.labels import LabelBlock
    >>> match_state(Section.EDGE_RECALL, {(LabelBlock.ITEM, PRESENCE): NO_MATCH}).value
    'missed'
    """
    block = section.blocks[0]
    presence = labels.get((block, PRESENCE))
    if presence is None:
        return None
    if presence == NO_MATCH:
        return MatchState.SPURIOUS if section in PRECISION else MatchState.MISSED
    return MatchState.REVERSED if labels.get((block, DIRECTION)) == REVERSED else MatchState.MATCHED


def states_of(section: Section, items: Iterable[VerdictItem]) -> dict[int, MatchState]:
    """Return number → state of every labelled item; of a repeated number, the first."""
    states: dict[int, MatchState] = {}
    for item in items:
        state = match_state(section, item.labels)
        if item.number is not None and state is not None:
            states.setdefault(item.number, state)
    return states
