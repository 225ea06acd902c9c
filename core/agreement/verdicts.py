"""Whether two annotators agree that a figure holds a graph at all: verdict against verdict, and kappa over figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.agreement.kappa import cohen_kappa
from core.agreement.ratings import Ratings, raw_agreement
from core.estimate import Estimate
from core.transcription.declining import FigureVerdict, Said

A_GRAPH = "a graph"
KINDS = (A_GRAPH, *(verdict.value for verdict in FigureVerdict))
"""What can be handed in of a figure, in the order of rows and columns."""


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """Figures by what the first (rows) and the second (columns) person handed in, in the order of `KINDS`; `same`: the
    share, 0–1, of figures of which both handed in the same; `kappa`: Cohen's, over figures."""

    counts: tuple[tuple[int, ...], ...]
    same: Estimate
    kappa: Estimate

    @property
    def figures(self) -> int:
        return sum(map(sum, self.counts))

    @property
    def declined(self) -> int:
        """Figures that one of the two declined, or both."""
        return self.figures - self.counts[0][0]


def verdict_table(pairs: Sequence[tuple[Said, Said]]) -> VerdictTable:
    """The table of what two people handed in of each figure; None is a graph.

    >>> verdict_table([(None, None), (None, FigureVerdict.ILLEGIBLE)]).counts[0]
    (1, 0, 1, 0)
    """
    rows = [(_kind(first), _kind(second)) for first, second in pairs]
    counts = tuple(tuple(sum(row == (a, b) for row in rows) for b in KINDS) for a in KINDS)
    ratings = Ratings.of(rows, KINDS)
    return VerdictTable(counts, raw_agreement(ratings), cohen_kappa(ratings))


def _kind(said: Said) -> str:
    return A_GRAPH if said is None else said.value
