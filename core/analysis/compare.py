"""Two sides of a comparison, sample by sample: which of them was right, or has the higher score."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from core.runs.filters import ComparedOutcome


@dataclass(frozen=True, slots=True)
class SideItem:
    """An item of one side.

    Attributes:
        sample: the same content under the same key in the same task and variant is the same sample, in any run
        is_right: None where the answer is neither right nor wrong
        score: 0 to 1, None without a score
    """

    item_id: str
    sample: Hashable
    is_right: bool | None
    predicted: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """`cells`: (first is right, second is right) → samples, all four. Samples whose answers are neither right nor wrong
    are compared by their scores: `higher_first`, `equal`, `higher_second`. These, the cells and `unanswered` add up to
    `shared`. `different`: samples that the cells count, on which the two say something else and not both are right.
    `pairs`: (item of the first, item of the second) of those asked for, the largest differences of scores first."""

    cells: Mapping[tuple[bool, bool], int]
    higher_first: int
    equal: int
    higher_second: int
    unanswered: int
    shared: int
    different: int
    only_first: int
    only_second: int
    pairs: tuple[tuple[str, str], ...]


def compared(first: Sequence[SideItem], second: Sequence[SideItem], which: ComparedOutcome) -> RunComparison:
    """Compare two sides sample by sample; of a sample that occurs twice on a side, the first item counts. Pairs whose
    scores differ most come first, otherwise they are in the first side's order."""
    ours, theirs = _by_sample(first), _by_sample(second)
    shared = [(item, theirs[sample]) for sample, item in ours.items() if sample in theirs]
    shared.sort(key=lambda pair: _apart(*pair), reverse=True)
    results = Counter((item.is_right, other.is_right) for item, other in shared)
    scores = Counter(_by_score(item, other) for item, other in shared if _is_unrated(item, other))
    return RunComparison(
        cells={(a, b): results[a, b] for a, b in product((True, False), repeat=2)},
        higher_first=scores[ComparedOutcome.FIRST],
        equal=scores[ComparedOutcome.EQUAL],
        higher_second=scores[ComparedOutcome.SECOND],
        unanswered=scores[ComparedOutcome.UNANSWERED],
        shared=len(shared),
        different=sum(_is_wanted(item, other, ComparedOutcome.DIFFER) for item, other in shared),
        only_first=len(ours) - len(shared),
        only_second=len(theirs) - len(shared),
        pairs=tuple((item.item_id, other.item_id) for item, other in shared if _is_wanted(item, other, which)),
    )


def _by_sample(items: Sequence[SideItem]) -> dict[Hashable, SideItem]:
    by_sample: dict[Hashable, SideItem] = {}
    for item in items:
        by_sample.setdefault(item.sample, item)
    return by_sample


def _apart(first: SideItem, second: SideItem) -> float:
    """Return the difference of scores, of answers that are neither right nor wrong; 0 without a score."""
    if not _is_unrated(first, second) or first.score is None or second.score is None:
        return 0.0
    return abs(first.score - second.score)


def _is_unrated(first: SideItem, second: SideItem) -> bool:
    return first.is_right is None or second.is_right is None


def _by_score(first: SideItem, second: SideItem) -> ComparedOutcome:
    if first.score is None or second.score is None:
        return ComparedOutcome.UNANSWERED
    if math.isclose(first.score, second.score):  # the same share, computed from other counts
        return ComparedOutcome.EQUAL
    return ComparedOutcome.FIRST if first.score > second.score else ComparedOutcome.SECOND


def _is_wanted(first: SideItem, second: SideItem, which: ComparedOutcome) -> bool:
    if which is ComparedOutcome.ANY:
        return True
    if _is_unrated(first, second):
        return which is _by_score(first, second)
    mine, theirs = first.is_right, second.is_right
    if which is ComparedOutcome.DIFFER:
        return mine != theirs or (first.predicted != second.predicted and not mine)
    return {
        (True, False): ComparedOutcome.FIRST,
        (False, True): ComparedOutcome.SECOND,
        (True, True): ComparedOutcome.BOTH_RIGHT,
        (False, False): ComparedOutcome.BOTH_WRONG,
    }[bool(mine), bool(theirs)] is which
