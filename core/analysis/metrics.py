"""Scores of tables, and those that every protocol has: items, accuracy, and the share without a label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from core.analysis.columns import ItemColumns
from core.analysis.items import SCORED, ResultItem
from core.estimate import Estimate, ratio
from core.runs.states import ITEM_STATUSES, ItemStatus

if TYPE_CHECKING:
    from core.scoring.tallies import EdgeTally

SHARE, POINTS, COUNT, RATIO, NUMBER = "share", "percentage points", "count", "ratio", "number"


def all_items(item: ResultItem) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A score of a table.

    Attributes:
        measure: computes the score of the items of a cell and, if requested, the tally that its interval resamples
            (None: no interval)
        covers: selects the items that the score is about; a cell's numbers count these
        scores: the statuses whose items are in the score
        unit: SHARE (0–1), POINTS, COUNT, RATIO or NUMBER
        is_mean: the score is a mean of the items' values, printed with its standard deviation
        measured: the measure by which an item is in the score, regardless of its status; empty where the status decides
    """

    name: str
    title: str
    told: str  # how it is computed, in a sentence or two
    measure: Callable[[ItemColumns, bool], tuple[Estimate, EdgeTally | None]]
    covers: Callable[[ResultItem], bool] = all_items
    scores: frozenset[str] = SCORED
    unit: str = SHARE
    needs_probabilities: bool = False
    is_mean: bool = False
    measured: str = ""

    def is_in(self, item: ResultItem) -> bool:
        """Return whether the item is in the score, not only in the counts next to it."""
        if self.measured:
            return self.measured in item.measures
        is_in = item.status in self.scores or item.counts_as_zero
        return is_in and (not self.needs_probabilities or has_probabilities(item))


def has_probabilities(item: ResultItem) -> bool:
    return any((item.probabilities or {}).values())


def measured_share(
    is_so: Callable[[ResultItem], bool], items: ItemColumns, again: bool
) -> tuple[Estimate, EdgeTally | None]:
    """The share of the scored items that are so, as `Metric.measure` gives it."""
    scored = items.where(lambda item: item.is_scored)
    marks = [is_so(kind) for kind in scored.kinds]
    inside = sum(count for count, mark in zip(scored.counts, marks, strict=True) if mark)
    found = replace(ratio(inside, len(scored), "no item is scored"), n=len(scored))
    if not again or not len(scored):
        return found, None
    from core.scoring.tallies import share_tally

    drawn = scored.drawn()
    return found, share_tally(drawn.of(marks) * drawn.counts, drawn.counts, drawn.clusters)


def _is_right(item: ResultItem) -> bool:
    return item.is_right is True


def _is_unparsable(item: ResultItem) -> bool:
    return item.status == ItemStatus.UNPARSABLE.value


def _count(items: ItemColumns, again: bool) -> tuple[Estimate, EdgeTally | None]:
    return Estimate(len(items), n=len(items)), None


ACCURACY = Metric(
    name="accuracy",
    title="Accuracy",
    told="Share of scored items with the true label; an unparsable reply is wrong.",
    measure=partial(measured_share, _is_right),
)
SHARE_UNPARSABLE = Metric(
    name="share_unparsable",
    title="Share of unparsable",
    told="Share of scored items whose reply contains no label.",
    measure=partial(measured_share, _is_unparsable),
)
ITEMS = Metric(
    name="count",
    title="Items",
    told="Number of items of any status.",
    measure=_count,
    scores=frozenset(ITEM_STATUSES),
    unit=COUNT,
)
