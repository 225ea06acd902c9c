"""Two sides of a comparison, sample by sample: which of them was right, or has the higher score."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from core.runs.filters import ComparedOutcome


@dataclass(frozen=True, slots=True)
class SideItem:
    """An item of one side.

    Attributes:
        sample: the same content under the same key is the same sample, in any run
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
    `pairs`: (item of the first, item of the second) of those asked for, in the first side's order."""

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
    """Compare two sides sample by sample; of a sample that occurs twice on a side, the first item counts."""
    others = {item.sample: item for item in reversed(second)}
    ours = {item.sample: item for item in reversed(first)}
    cells: Counter[tuple[bool, bool]] = Counter()
    scores: Counter[ComparedOutcome] = Counter()
    different = 0
    pairs = []
    for item in first:
        other = others.get(item.sample)
        if other is None or ours[item.sample] is not item:
            continue
        if item.is_right is None or other.is_right is None:
            scores[_by_score(item, other)] += 1
        else:
            cells[item.is_right, other.is_right] += 1
        different += _is_wanted(item, other, ComparedOutcome.DIFFER)
        if _is_wanted(item, other, which):
            pairs.append((item.item_id, other.item_id))
    both = (True, False)
    shared = cells.total() + scores.total()
    return RunComparison(
        cells={(a, b): cells[a, b] for a in both for b in both},
        higher_first=scores[ComparedOutcome.FIRST],
        equal=scores[ComparedOutcome.EQUAL],
        higher_second=scores[ComparedOutcome.SECOND],
        unanswered=scores[ComparedOutcome.UNANSWERED],
        shared=shared,
        different=different,
        only_first=len(ours) - shared,
        only_second=len(others) - shared,
        pairs=tuple(pairs),
    )


def _by_score(first: SideItem, second: SideItem) -> ComparedOutcome:
    if first.score is None or second.score is None:
        return ComparedOutcome.UNANSWERED
    if math.isclose(first.score, second.score):  # the same share, computed from other counts
        return ComparedOutcome.EQUAL
    return ComparedOutcome.FIRST if first.score > second.score else ComparedOutcome.SECOND


def _is_wanted(first: SideItem, second: SideItem, which: ComparedOutcome) -> bool:
    mine, theirs = first.is_right, second.is_right
    if which is ComparedOutcome.ANY:
        return True
    if mine is None or theirs is None:
        return which is _by_score(first, second)
    return {
        ComparedOutcome.FIRST: mine and not theirs,
        ComparedOutcome.SECOND: theirs and not mine,
        ComparedOutcome.DIFFER: mine != theirs or (first.predicted != second.predicted and not mine),
        ComparedOutcome.BOTH_RIGHT: mine and theirs,
        ComparedOutcome.BOTH_WRONG: not mine and not theirs,
        ComparedOutcome.EQUAL: False,
        ComparedOutcome.UNANSWERED: False,
    }[which]
