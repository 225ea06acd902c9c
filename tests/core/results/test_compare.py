"""Two sides of a comparison: every shared sample is counted once, in one cell or as unanswered."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from core.results.compare import SideItem, compared
from core.runs.filters import ComparedOutcome

SIGNS = ("+", "-", "None")
ANSWERS = {n: SIGNS[n % 3] for n in range(12)}


@st.composite
def sides(draw: st.DrawFn) -> list[SideItem]:
    samples = draw(st.lists(st.sampled_from(sorted(ANSWERS)), unique=True))
    found = []
    for sample in samples:
        label = draw(st.sampled_from([*SIGNS, None]))
        is_right = draw(st.sampled_from([False, None])) if label is None else label == ANSWERS[sample]
        found.append(SideItem(f"{len(found)}", sample, is_right, label))
    return found


@given(sides(), sides())
def test_cells_and_the_unanswered_add_up_to_what_both_sides_were_asked(
    first: list[SideItem], second: list[SideItem]
) -> None:
    found = compared(first, second, ComparedOutcome.ANY)
    shared = {item.sample for item in first} & {item.sample for item in second}
    assert sum(found.cells.values()) + found.unanswered == len(shared) == len(found.pairs)
    assert found.only_first + len(shared) == len(first) and found.only_second + len(shared) == len(second)
    mirrored = compared(second, first, ComparedOutcome.ANY)
    assert {(b, a): n for (a, b), n in found.cells.items()} == dict(mirrored.cells)
    sizes = Counter({which: len(compared(first, second, which).pairs) for which in ComparedOutcome})
    assert (
        sizes[ComparedOutcome.FIRST] == found.cells[True, False]
        and sizes[ComparedOutcome.SECOND] == found.cells[False, True]
    )
    assert (
        sizes[ComparedOutcome.BOTH_RIGHT] == found.cells[True, True]
        and sizes[ComparedOutcome.BOTH_WRONG] == found.cells[False, False]
    )
    assert sizes[ComparedOutcome.UNANSWERED] == found.unanswered
    assert sizes[ComparedOutcome.DIFFER] == found.different == compared(first, second, ComparedOutcome.FIRST).different
    assert (
        sizes[ComparedOutcome.FIRST] + sizes[ComparedOutcome.SECOND]
        <= sizes[ComparedOutcome.DIFFER]
        <= sum(found.cells.values())
    )


def test_two_wrong_labels_that_are_not_the_same_differ() -> None:
    first = [SideItem("a", "s", is_right=False, predicted="-")]
    second = [SideItem("b", "s", is_right=False, predicted="None")]
    assert compared(first, second, ComparedOutcome.DIFFER).pairs == (("a", "b"),)
    assert compared(first, first, ComparedOutcome.DIFFER).pairs == ()
    assert compared(first, [], ComparedOutcome.ANY).only_first == 1
