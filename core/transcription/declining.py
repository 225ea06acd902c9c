"""Figures that annotators decline: why there is no graph to draw, and what two people's words on a figure come to."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from core.papers.papers import ExclusionReason


class FigureVerdict(StrEnum):
    """Why an annotator drew no graph of a figure."""

    NOT_CAUSAL = "not a causal diagram"
    ILLEGIBLE = "illegible"
    PART = "part of another figure"


Said = FigureVerdict | None
"""What one person handed in: a verdict, or None for a graph."""


class FigureOutcome(StrEnum):
    """What the first two people to hand in make of a figure."""

    WAITING = "waiting"
    GRAPHS = "two graphs"
    CLOSED = "one verdict"
    DISPUTED = "disputed"


SCREENING_REASONS = {
    FigureVerdict.NOT_CAUSAL: ExclusionReason.NOT_CAUSAL,
    FigureVerdict.ILLEGIBLE: ExclusionReason.POOR_LEGIBILITY,
}
"""The reason for which a paper is excluded when its only figure holds no graph. A part of another figure says nothing
against its paper: the figure it is part of may well be transcribed."""


def outcome(said: Sequence[Said]) -> FigureOutcome:
    """What comes of a figure, by what people handed in, in the order of handing in; those after the first two count for
    nothing, as in agreement and adjudication.

    >>> outcome([FigureVerdict.ILLEGIBLE, FigureVerdict.ILLEGIBLE])
    <FigureOutcome.CLOSED: 'one verdict'>
    >>> outcome([FigureVerdict.ILLEGIBLE, None])
    <FigureOutcome.DISPUTED: 'disputed'>
    """
    if len(said) < 2:
        return FigureOutcome.WAITING
    first, second = said[:2]
    if first is None and second is None:
        return FigureOutcome.GRAPHS
    return FigureOutcome.CLOSED if first == second else FigureOutcome.DISPUTED
