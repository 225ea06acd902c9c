"""How a verdict looks on a picture of both graphs: one of four states for each node and edge that was judged.

Predicted ones by their own labels against the truth, true ones by theirs: two sets of labels, counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from core.verdicts.labels import DIRECTION, NO_MATCH, PRECISION, PRESENCE, REVERSED, Section
from core.verdicts.review import Field
from core.verdicts.verdict import VerdictItem


class MatchState(StrEnum):
    """MISSED: of the truth alone, SPURIOUS: of the prediction alone. REVERSED: there, the other way round."""

    MATCHED = "matched"
    REVERSED = "reversed"
    SPURIOUS = "spurious"
    MISSED = "missed"


def match_state(section: Section, labels: Mapping[Field, str]) -> MatchState | None:
    """The state of an item by its labels; None while its presence is not labelled.

    >>> from core.verdicts.labels import Block
    >>> match_state(Section.EDGE_RECALL, {(Block.ITEM, PRESENCE): NO_MATCH}).value
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
    """Number → state of every labelled item; of a number that is there twice, the first."""
    found: dict[int, MatchState] = {}
    for item in items:
        state = match_state(section, item.labels)
        if item.number is not None and state is not None:
            found.setdefault(item.number, state)
    return found
