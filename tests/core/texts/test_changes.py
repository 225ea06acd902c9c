"""Changes to a text: where they apply, why a list of them is refused, and that each can be rejected alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.texts.changes import ChangeEntry, applied, entries_of, normalise
from tests.core.texts.change_lists import CHANGE_LISTS, Entries
from tests.core.texts.slow_changes import slowly_normalised

NOWHERE = "The start “{}” does not appear in the text."
REACHES = "Entry 2 reaches into what entry 1 replaced."
TEXT = "Rain fills the lake. The lake feeds the town, as shown below. Rain fills the lake again."


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ([("Rain", "lake.", "")], " The lake feeds the town, as shown below. Rain fills the lake again."),
        ([(", as shown", "below", "")], "Rain fills the lake. The lake feeds the town. Rain fills the lake again."),
        ([("as shown below", "below", "so")], TEXT.replace("as shown below", "so")),
        ([("lake", "lake", "pond")], TEXT.replace("lake", "pond", 1)),
        ([("lake", "lake", "pond")] * 2, TEXT.replace("lake", "pond", 2)),
        ([("lake", "lake", "lake")] * 3, TEXT),
        ([("Rain fills", "Rain fills", "R")] * 2, TEXT.replace("Rain fills", "R")),
        ([("lake", "lake", "old lake"), ("Rain", "Rain", "Snow")], f"Snow fills the old {TEXT[15:]}"),
        ([("The", "town", "X"), (", as", "below", "Y")], "Rain fills the lake. XY. Rain fills the lake again."),
        ([], TEXT),
    ],
)
def test_a_region_runs_from_the_first_start_to_the_nearest_end_and_later_ones_pass_over_walls(
    entries: list[tuple[str, str, str]], text: str
) -> None:
    found = normalise(TEXT, [ChangeEntry(*each) for each in entries], largest_share=1)
    assert (found.text, found.faults) == (text, ())
    assert slowly_normalised(TEXT, entries) == (text, [])


@pytest.mark.parametrize(
    ("entries", "faults"),
    [
        ([("snow", "lake", "")], [(1, "start", NOWHERE.format("snow"))]),
        ([("again", "below", "")], [(1, "end", "The end “below” does not appear after its start.")]),
        ([("The lake", "town", "X"), ("lake feeds", "feeds", "")], [(2, "start", NOWHERE.format("lake feeds"))]),
        ([("feeds", "feeds", "floods"), ("floods", "floods", "")], [(2, "start", REACHES)]),
        ([("feeds", "feeds", ""), ("The lake", "town", "")], [(2, "end", REACHES)]),
        ([("feeds ", "feeds ", ""), ("lake the", "town", "")], [(2, "start", REACHES)]),
        (
            [("x", "x", ""), ("y", "y", "")],
            [(1, "start", NOWHERE.format("x")), (2, "start", NOWHERE.format("y"))],
        ),
    ],
)
def test_one_fault_refuses_the_whole_list_and_every_fault_is_told(
    entries: list[tuple[str, str, str]], faults: list[tuple[int, str, str]]
) -> None:
    found = normalise(TEXT, [ChangeEntry(*each) for each in entries], largest_share=1)
    assert (found.text, found.changes) == (None, ())
    assert [(each.entry, each.field, each.why) for each in found.faults] == faults
    assert slowly_normalised(TEXT, entries)[1] == [(number, field) for number, field, _ in faults]


def test_the_graph_beside_the_paper_is_not_changed() -> None:
    text = "<causal_graph>lake -> town</causal_graph>\nThe town has a lake."
    found = normalise(text, [ChangeEntry("lake", "lake", "pond")], largest_share=1)
    assert found.text == "<causal_graph>lake -> town</causal_graph>\nThe town has a pond."
    (fault,) = normalise(text, [ChangeEntry("lake ->", "town", "")]).faults
    assert (fault.entry, fault.field) == (1, "start")
    assert "in the graph" in fault.why
    after = "The town has a lake.\n<causal_graph>lake -> river</causal_graph>"
    (fault,) = normalise(after, [ChangeEntry("has", "river", "")]).faults
    assert (fault.entry, fault.field) == (1, "end")
    assert "in the graph" in fault.why


def test_a_round_that_takes_out_more_than_a_fifth_of_the_words_is_refused() -> None:
    text = " ".join(f"w{n}" for n in range(100))
    assert normalise(text, [ChangeEntry("w0", "w19", "")]).text is not None
    (fault,) = normalise(text, [ChangeEntry("w0", "w30", "")]).faults
    assert (fault.entry, fault.why) == (None, "This round takes out 31 % of the words; at most 20 %.")
    assert normalise(text, [ChangeEntry("w0", "w30", " ".join(f"w{n}" for n in range(20)))]).text is not None


def test_a_part_of_a_word_is_no_word_more() -> None:
    assert normalise("aaaa b", [ChangeEntry("a", "a", "")] * 4, largest_share=0.5).text == " b"


def test_a_replacement_that_brings_words_from_nowhere_is_flagged() -> None:
    text = f"The town grows. {'x ' * 150} The lake is far."
    (change,) = normalise(text, [ChangeEntry("grows", "grows", "grows by town and lake")], largest_share=1).changes
    assert change.flagged == ("by", "and", "lake")


@pytest.mark.parametrize(
    ("document", "faults"),
    [
        ([], [(None, "normalizations")]),
        ({"normalizations": {}}, [(None, "normalizations")]),
        ({"normalizations": [3]}, [(1, None)]),
        ({"normalizations": [{"start": "", "end": 3}]}, [(1, "start"), (1, "end"), (1, "replacement")]),
        ({"normalizations": [{"start": "a", "end": "a", "replacement": "\x0crac{1}{2}"}]}, [(1, "replacement")]),
    ],
)
def test_what_is_no_list_of_changes_is_told_by_entry_and_field(
    document: object, faults: list[tuple[object, object]]
) -> None:
    entries, found = entries_of(document)
    assert [(each.entry, each.field) for each in found] == faults
    assert all(each is None for each in entries)


def test_line_ends_of_a_replacement_become_newlines() -> None:
    (entry,), faults = entries_of({"normalizations": [{"start": "a", "end": "b", "replacement": "c\r\nd\te\rf"}]})
    assert (entry, faults) == (ChangeEntry("a", "b", "c\nd\te\nf"), ())


@pytest.mark.parametrize(("text", "entries"), CHANGE_LISTS.values(), ids=CHANGE_LISTS)
def test_lists_written_by_hand_are_decided_as_by_the_slow_reference(text: str, entries: Entries) -> None:
    slow_text, slow_faults = slowly_normalised(text, entries)
    found = normalise(text, [ChangeEntry(*each) for each in entries], largest_share=1)
    assert [(each.entry, each.field) for each in found.faults] == slow_faults
    assert found.text == (None if slow_faults else slow_text)
    if found.text is not None:
        assert applied(text, found.changes) == found.text


def test_the_lists_written_by_hand_decide_both_ways() -> None:
    """With the seventeen above they are sixty."""
    refused = [name for name, (text, entries) in CHANGE_LISTS.items() if slowly_normalised(text, entries)[1]]
    assert (len(CHANGE_LISTS), len(refused)) == (43, 18)


SHORT = st.text("ab ", max_size=24)
PART = st.text("ab ", min_size=1, max_size=3)


@given(SHORT, st.lists(st.tuples(PART, PART, st.text("abc", max_size=3)), max_size=5))
def test_changes_and_faults_are_those_of_a_slow_reference(text: str, entries: list[tuple[str, str, str]]) -> None:
    slow_text, slow_faults = slowly_normalised(text, entries)
    found = normalise(text, [ChangeEntry(*each) for each in entries], largest_share=1)
    assert [(each.entry, each.field) for each in found.faults] == slow_faults
    assert found.text == (None if slow_faults else slow_text)
    if found.text is not None:
        assert applied(text, found.changes) == found.text
        assert all(text[each.start : each.end] == each.was for each in found.changes)
        assert applied(text, ()) == text
