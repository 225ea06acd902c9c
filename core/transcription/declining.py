"""Figures that annotators decline: the reasons, and the outcome of two people's submissions."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from core.papers.papers import ExclusionReason


class FigureVerdict(StrEnum):
    """Reason why an annotator drew no graph of a figure."""

    NOT_CAUSAL = "not a causal diagram"
    ILLEGIBLE = "illegible"
    PART = "part of another figure"


Submission = FigureVerdict | None  # one person's submission: a verdict, or None for a graph


class FigureOutcome(StrEnum):
    """Outcome of a figure's first two submissions."""

    WAITING = "waiting"
    GRAPHS = "two graphs"
    CLOSED = "one verdict"
    DISPUTED = "disputed"


# Reason for excluding a paper whose only figure has no graph. PART is no reason: the whole figure may be transcribed.
SCREENING_REASONS = {
    FigureVerdict.NOT_CAUSAL: ExclusionReason.NOT_CAUSAL,
    FigureVerdict.ILLEGIBLE: ExclusionReason.POOR_LEGIBILITY,
}


def outcome(submissions: Sequence[Submission]) -> FigureOutcome:
    """Return the outcome of a figure from its submissions, in order; those after the first two are ignored, as in
    agreement and adjudication.

    >>> outcome([FigureVerdict.ILLEGIBLE, FigureVerdict.ILLEGIBLE])
    <FigureOutcome.CLOSED: 'one verdict'>
    >>> outcome([FigureVerdict.ILLEGIBLE, None])
    <FigureOutcome.DISPUTED: 'disputed'>
    """
    if len(submissions) < 2:
        return FigureOutcome.WAITING
    first, second = submissions[:2]
    if first is None and second is None:
        return FigureOutcome.GRAPHS
    return FigureOutcome.CLOSED if first == second else FigureOutcome.DISPUTED
