"""Agreement of two annotators on the question whether a figure has a graph: a table of verdicts, and kappa."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.agreement.kappa import cohen_kappa
from core.agreement.ratings import Ratings, raw_agreement
from core.estimate import Estimate
from core.transcription.declining import FigureVerdict, Submission

A_GRAPH = "a graph"

# Possible submissions for a figure, in the order of rows and columns.
KINDS = (A_GRAPH, *(verdict.value for verdict in FigureVerdict))


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """Figures by what the first (rows) and the second (columns) person submitted, in the order of `KINDS`."""

    counts: tuple[tuple[int, ...], ...]
    same: Estimate  # share, 0–1, of figures with equal submissions
    kappa: Estimate  # Cohen's, over figures

    @property
    def figures(self) -> int:
        return sum(map(sum, self.counts))

    @property
    def declined(self) -> int:
        return self.figures - self.counts[0][0]


def verdict_table(pairs: Sequence[tuple[Submission, Submission]]) -> VerdictTable:
    """Return the table of two people's submissions for each figure; None is a graph.

    >>> verdict_table([(None, None), (None, FigureVerdict.ILLEGIBLE)]).counts[0]
    (1, 0, 1, 0)
    """
    rows = [(_kind(first), _kind(second)) for first, second in pairs]
    counts = tuple(tuple(sum(row == (a, b) for row in rows) for b in KINDS) for a in KINDS)
    ratings = Ratings.of(rows, KINDS)
    return VerdictTable(counts, raw_agreement(ratings), cohen_kappa(ratings))


def _kind(verdict: Submission) -> str:
    return A_GRAPH if verdict is None else verdict.value
