"""Two sides of a comparison, sample by sample: which of them was right where both gave an answer that is scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from core.runs.filters import ComparedOutcome


@dataclass(frozen=True, slots=True)
class SideItem:
    """What one side said. `sample`: the same content under the same key is the same sample, in whichever run.
    `is_right`: None where nothing was said that is scored."""

    item_id: str
    sample: Hashable
    is_right: bool | None
    predicted: str | None = None


@dataclass(frozen=True, slots=True)
class RunComparison:
    """`cells`: (first is right, second is right) → samples, all four; with `unanswered` they are all shared samples.
    `different`: samples that the cells count, on which the two say something else and not both are right.
    `pairs`: (item of the first, item of the second) of those asked for, in the first side's order."""

    cells: Mapping[tuple[bool, bool], int]
    unanswered: int
    different: int
    only_first: int
    only_second: int
    pairs: tuple[tuple[str, str], ...]


def compared(first: Sequence[SideItem], second: Sequence[SideItem], which: ComparedOutcome) -> RunComparison:
    """Hold two sides beside each other; a sample that stands twice on a side is looked at once."""
    others = {item.sample: item for item in reversed(second)}
    ours = {item.sample: item for item in reversed(first)}
    cells: Counter[tuple[bool, bool]] = Counter()
    unanswered = different = 0
    pairs = []
    for item in first:
        other = others.get(item.sample)
        if other is None or ours[item.sample] is not item:
            continue
        mine, theirs = item.is_right, other.is_right
        if mine is None or theirs is None:
            unanswered += 1
        else:
            cells[mine, theirs] += 1
        different += _is_wanted(item, other, ComparedOutcome.DIFFER)
        if _is_wanted(item, other, which):
            pairs.append((item.item_id, other.item_id))
    both = (True, False)
    shared = cells.total() + unanswered
    return RunComparison(
        {(a, b): cells[a, b] for a in both for b in both},
        unanswered,
        different,
        len(ours) - shared,
        len(others) - shared,
        tuple(pairs),
    )


def _is_wanted(first: SideItem, second: SideItem, which: ComparedOutcome) -> bool:
    mine, theirs = first.is_right, second.is_right
    if which is ComparedOutcome.ANY:
        return True
    if mine is None or theirs is None:
        return which is ComparedOutcome.UNANSWERED
    return {
        ComparedOutcome.FIRST: mine and not theirs,
        ComparedOutcome.SECOND: theirs and not mine,
        ComparedOutcome.DIFFER: mine != theirs or (first.predicted != second.predicted and not mine),
        ComparedOutcome.BOTH_RIGHT: mine and theirs,
        ComparedOutcome.BOTH_WRONG: not mine and not theirs,
        ComparedOutcome.UNANSWERED: False,
    }[which]
