"""Changes of stages: what stands, what stood before, and an edit carried through what rests on it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.texts import redline
from core.texts.redline import JOINED, NORMALISED, TextChange, accepted_text


def change(number: int, start: int, was: str, replacement: str, **other: bool) -> TextChange:
    return TextChange(
        number=number,
        start=start,
        end=start + len(was),
        was=was,
        replacement=replacement,
        kind=NORMALISED,
        is_rejected=other.get("is_rejected", False),
    )


@st.composite
def stages(draw: st.DrawFn) -> tuple[str, list[TextChange]]:
    """A text in pieces, of which every other one is replaced; some replacements are empty, some pieces too."""
    text, changes = "", list[TextChange]()
    for number in range(1, draw(st.integers(0, 6)) + 1):
        text += draw(st.text("ab ", max_size=4))
        was = draw(st.text("xyz", min_size=1, max_size=4))
        made = change(number, len(text), was, draw(st.text("uvw", max_size=4)), is_rejected=draw(st.booleans()))
        changes.append(made)
        text += was
    return text + draw(st.text("ab ", max_size=4)), changes


def slowly(before: str, changes: list[TextChange]) -> str:
    """From the last change to the first, so that no place moves."""
    for each in sorted(changes, key=lambda one: -one.start):
        if not each.is_rejected:
            before = before[: each.start] + each.replacement + before[each.end :]
    return before


@given(stages())
def test_what_stands_and_what_stood_before(made: tuple[str, list[TextChange]]) -> None:
    before, changes = made
    after = accepted_text(before, changes)
    assert after == slowly(before, changes)
    assert redline.without(after, changes) == before


@given(stages(), st.data())
def test_a_place_outside_all_changes_is_found_on_both_sides(
    made: tuple[str, list[TextChange]], data: st.DataObject
) -> None:
    before, changes = made
    after = accepted_text(before, changes)
    start = data.draw(st.integers(0, len(after)))
    end = data.draw(st.integers(start, len(after)))
    found = redline.place_before(start, end, changes)
    if end > start and not isinstance(found, TextChange):
        assert before[found : found + end - start] == after[start:end]
        assert after[redline.place_after(found, changes) :].startswith(after[start:end])


@given(stages(), stages(), st.data())
def test_an_edit_leaves_every_later_change_on_its_own_words(
    made: tuple[str, list[TextChange]], further: tuple[str, list[TextChange]], data: st.DataObject
) -> None:
    """The later stage replaces pieces of the earlier one's text that it finds there."""
    before, changes = made
    if not changes:
        return
    after = accepted_text(before, changes)
    later = [
        replace(each, start=place, end=place + len(each.was))
        for each, place in zip(further[1], sorted({after.find(one.was) for one in further[1]} - {-1}), strict=False)
        if after[place : place + len(each.was)] == each.was
    ]
    later = [each for n, each in enumerate(later) if n == 0 or later[n - 1].end <= each.start]
    number = data.draw(st.sampled_from([each.number for each in changes]))
    is_rejected = not next(each for each in changes if each.number == number).is_rejected
    ruled = redline.ruled(changes, number, is_rejected=is_rejected, reason="", by="someone")
    edit = redline.edit_between(changes, ruled, number)
    edited = accepted_text(before, ruled)
    assert after[: edit.start] + edited[edit.start : edit.start + edit.length] + after[edit.end :] == edited
    if (
        any(not each.is_rejected for each in redline.conflicting_changes(later, edit))
        or len(redline.conflicting_changes(later, edit)) > 1
    ):
        return
    moved, next_edit = redline.moved(later, edit, edited)
    assert all(edited[each.start : each.end] == each.was for each in moved)
    was, now = accepted_text(after, later), accepted_text(edited, moved)
    stretch = now[next_edit.start : next_edit.start + next_edit.length]
    assert was[: next_edit.start] + stretch + was[next_edit.end :] == now


def test_two_halves_of_a_sentence_join_unless_something_between_them_stands() -> None:
    whole = "The pipe\n\n12\n\nHEAD\n\nbrings water."
    number, head = change(1, 8, "\n\n12", ""), change(2, 12, "\n\nHEAD\n\n", JOINED)
    assert accepted_text(whole, [number, head]) == "The pipe brings water."
    assert accepted_text(whole, [replace(number, is_rejected=True), head]) == "The pipe\n\n12\n\nbrings water."
    assert accepted_text(whole, [number, replace(head, is_rejected=True)]) == "The pipe\n\nHEAD\n\nbrings water."
    assert redline.without("The pipe brings water.", [number, head]) == whole


def test_a_rejected_change_takes_in_what_is_edited_in_its_place() -> None:
    earlier = [change(1, 4, "big ", "")]  # "the big lake" → "the lake"
    later = [change(1, 0, "the lake", "it", is_rejected=True)]
    ruled = redline.ruled(earlier, 1, is_rejected=True, reason="", by="someone")
    edit = redline.edit_between(earlier, ruled, 1)
    moved, _ = redline.moved(later, edit, accepted_text("the big lake", ruled))
    assert (moved[0].was, moved[0].start, moved[0].end) == ("the big lake", 0, 12)
