"""What a judge wrote is shown with the item that it is about, and with no other."""

from __future__ import annotations

from core.verdicts.labels import Section
from core.verdicts.marks import MarkKind, quoted_place
from core.verdicts.reasoning import about_items, joined, prose_of, quotes_in

EDGES = {1: ("Rain", "Flood"), 2: ("Flood", "Loss"), 3: ("Rain", "Loss"), 4: ("Rain fall", "Loss")}


def about(written: str, section: Section = Section.EDGE_RECALL, *, is_of_section: bool = True) -> dict[int, str]:
    return about_items(written, section, EDGES, is_of_section=is_of_section)


def test_a_line_belongs_to_the_item_that_it_numbers_or_names() -> None:
    assert about("Edge 2: stated.\nIt is clear.\n\nNothing here.") == {2: "Edge 2: stated.\nIt is clear."}
    assert about("The rain made a flood, so it is there.") == {1: "The rain made a flood, so it is there."}
    assert about("1. yes\n2) no\n- 3: perhaps") == {1: "1. yes", 2: "2) no", 3: "- 3: perhaps"}
    assert about("edge_number: 4 is weak") == {4: "edge_number: 4 is weak"}
    assert about("Node 2 is vague.") == {}
    assert about("**Item 3** differs") == {3: "**Item 3** differs"}


def test_a_line_about_several_items_belongs_to_none() -> None:
    assert about("Edges 1 and 2 are alike, 3 is not.") == {}
    assert about("Edge 1 as edge 2.") == {}
    assert about("Rain, flood and loss hang together.") == {}
    assert about("Edges 1, 2, 3 match.\nAnd so on.") == {}


def test_of_two_names_that_stand_in_one_place_the_longer_counts() -> None:
    assert about("Rain fall raises loss.") == {4: "Rain fall raises loss."}


def test_where_all_sections_are_in_one_reply_numbers_count_under_their_heading() -> None:
    written = "Edge 1: first.\nEdge recall\nEdge 1: second.\nEdge precision\nEdge 1: third."
    assert about(written, is_of_section=False) == {1: "Edge 1: second."}
    assert about(written, Section.EDGE_PRECISION, is_of_section=False) == {1: "Edge 1: third."}


def test_numbers_that_the_section_does_not_have_are_left_out() -> None:
    assert about("Edge 99: no.") == {}


def test_quotes_are_phrases_in_any_marks_and_no_names() -> None:
    written = "«a b c» and “d e f.” and \"g h i\" and 'j k l', “Rain fall” or “too short”, “a b c”, “never closed"
    assert quotes_in(written, ["Rain fall"]) == ("a b c", "d e f", "g h i")
    assert quotes_in('He said "The Flood of rain" twice', ["the flood of rain"]) == ()


def test_a_quote_stands_in_the_text_or_nowhere() -> None:
    text = "The  rain came\nearly."
    found = quoted_place(text, "rain came early", MarkKind.REASONED)
    assert found is not None and (text[found.start : found.end], found.kind) == ("rain came\nearly", MarkKind.REASONED)
    assert quoted_place(text, "rain came late", MarkKind.REASONED) is None


def test_prose_ends_where_labels_begin() -> None:
    assert prose_of("So.\nedge_recall_evaluations:\n- edge_number: 1") == "So."
    assert prose_of('{"node_recall_evaluations": []}') == ""
    assert prose_of("Only prose") == "Only prose"
    assert joined([None, " a ", "", "b"]) == "a\n\nb"


def test_a_long_text_is_read_in_a_moment() -> None:
    many = {number: (f"Quantity {number}", f"Outcome {number}") for number in range(1, 206)}
    written = "\n".join(f"Quantity {n} raises outcome {n}, says “the text of line {n}”." for n in range(1, 206)) * 6
    found = about_items(written, Section.EDGE_RECALL, many, is_of_section=True)
    assert set(found) == set(many)
