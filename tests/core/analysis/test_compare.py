"""Two sides of a comparison: every shared sample is counted once, in one cell, by its score, or as unanswered."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from core.analysis.compare import SideItem, compared
from core.runs.filters import ComparedOutcome

SIGNS = ("+", "-", "None")
ANSWERS = {n: SIGNS[n % 3] for n in range(12)}


@st.composite
def sides(draw: st.DrawFn) -> list[SideItem]:
    samples = draw(st.lists(st.sampled_from(sorted(ANSWERS)), unique=True))
    items: list[SideItem] = []
    for sample in samples:
        label = draw(st.sampled_from([*SIGNS, None]))
        is_right = draw(st.sampled_from([False, None])) if label is None else label == ANSWERS[sample]
        score = draw(st.sampled_from([None, 0.0, 0.5, 1.0]))
        items.append(SideItem(f"{len(items)}", sample, is_right, label, score))
    return items


@given(sides(), sides())
def test_cells_scores_and_the_unanswered_add_up_to_what_both_sides_were_asked(
    first: list[SideItem], second: list[SideItem]
) -> None:
    result = compared(first, second, ComparedOutcome.ANY)
    shared = {item.sample for item in first} & {item.sample for item in second}
    by_score = result.higher_first + result.equal + result.higher_second
    assert (
        sum(result.cells.values()) + by_score + result.unanswered == result.shared == len(shared) == len(result.pairs)
    )
    assert result.only_first + len(shared) == len(first) and result.only_second + len(shared) == len(second)
    mirrored = compared(second, first, ComparedOutcome.ANY)
    assert {(b, a): n for (a, b), n in result.cells.items()} == dict(mirrored.cells)
    assert (mirrored.higher_second, mirrored.equal) == (result.higher_first, result.equal)
    sizes = Counter({which: len(compared(first, second, which).pairs) for which in ComparedOutcome})
    assert (
        sizes[ComparedOutcome.FIRST] == result.cells[True, False] + result.higher_first
        and sizes[ComparedOutcome.SECOND] == result.cells[False, True] + result.higher_second
        and sizes[ComparedOutcome.EQUAL] == result.equal
    )
    assert (
        sizes[ComparedOutcome.BOTH_RIGHT] == result.cells[True, True]
        and sizes[ComparedOutcome.BOTH_WRONG] == result.cells[False, False]
    )
    assert sizes[ComparedOutcome.UNANSWERED] == result.unanswered
    assert sizes[ComparedOutcome.DIFFER] == result.different == compared(first, second, ComparedOutcome.FIRST).different
    assert result.cells[True, False] + result.cells[False, True] <= result.different <= sum(result.cells.values())


def test_answers_without_right_and_wrong_are_compared_by_their_scores() -> None:
    first = [SideItem(f"a{n}", n, is_right=None, score=score) for n, score in enumerate((0.9, 0.1 + 0.2, 0.2, 0.5))]
    second = [SideItem(f"b{n}", n, is_right=None, score=score) for n, score in enumerate((0.4, 0.3, 0.8, None))]
    found = compared(first, second, ComparedOutcome.UNANSWERED)
    assert (found.higher_first, found.equal, found.higher_second, found.unanswered) == (1, 1, 1, 1)
    assert found.pairs == (("a3", "b3"),) and not any(found.cells.values())


def test_two_wrong_labels_that_are_not_the_same_differ() -> None:
    first = [SideItem("a", "s", is_right=False, predicted="-")]
    second = [SideItem("b", "s", is_right=False, predicted="None")]
    assert compared(first, second, ComparedOutcome.DIFFER).pairs == (("a", "b"),)
    assert compared(first, first, ComparedOutcome.DIFFER).pairs == ()
    assert compared(first, [], ComparedOutcome.ANY).only_first == 1
