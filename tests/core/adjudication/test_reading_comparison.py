"""The reading beside two transcriptions: by aligned names, what each has otherwise, and where it differs from both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.adjudication.reading_comparison import third_column
from core.graphs.record import GraphRecord
from core.sign import Sign
from core.transcription.marks import Marks
from core.transcription.reading_differences import ReadKind
from tests.core.transcription.test_reading_differences import NO_MARKS, drawn, edge, reading

READ = reading(edge(0, 1, "-"), edge(1, 2, "+"), edge(3, 2, "+"), edge(0, 3))


def told(first: GraphRecord, second: GraphRecord, marks: Marks = NO_MARKS) -> dict[tuple[str, str], tuple[str, str]]:
    """By read edge, what A and B have otherwise."""
    column = third_column(READ, (first, marks), (second, NO_MARKS), {"Suply": "Supply"})
    return {
        (one.source, one.sink): (
            " ".join(each.kind.value for each in one.a),
            " ".join(each.kind.value for each in one.b),
        )
        for one in column.edges
    }


A = drawn(("Price", "Demand", Sign.MINUS), ("Supply", "Demand", Sign.PLUS), ("Supply", "Price", None))
B = drawn(("Price", "Demand", None), ("Demand", "Suply", Sign.PLUS))


def test_each_read_edge_says_what_a_and_b_have_otherwise() -> None:
    assert told(A, B) == {
        ("Price", "Demand"): ("", "sign"),
        ("Demand", "Supply"): ("direction", ""),
        ("Weather", "Supply"): ("not drawn", "not drawn"),  # neither has Weather: as it is printed
        ("Price", "Weather"): ("not drawn", "not drawn"),
    }


def test_only_what_both_have_otherwise_differs_from_both() -> None:
    column = third_column(READ, (A, NO_MARKS), (B, NO_MARKS), {"Suply": "Supply"})
    assert [(one.source, one.sink) for one in column.edges if one.differs_from_both] == [
        ("Weather", "Supply"),
        ("Price", "Weather"),
    ]
    assert not any(one.is_turned for one in column.edges)
    both = third_column(READ, (A, NO_MARKS), (A, NO_MARKS), {})
    assert [(one.source, one.sink) for one in both.edges if one.is_turned] == [("Demand", "Supply")]
    assert column.printed["Supply"] == "Supply"


def test_what_one_of_them_called_no_edge_is_asked_about_all_the_same() -> None:
    marks = Marks({("not an edge", "a"): {"path": [[300.0, 50.0], [200.0, 60.0]]}})
    assert told(A, B, marks)["Weather", "Supply"] == ("not drawn", "not drawn")


def test_without_a_reading_there_is_no_third_column() -> None:
    assert third_column(reading(), (A, NO_MARKS), (B, NO_MARKS), {}).edges == ()


@pytest.mark.parametrize(
    ("first", "second", "is_in_neither", "other_marks"),
    [
        (None, None, False, (ReadKind.SIGN,)),  # both drew it without the sign that was read
        (None, Sign.MINUS, False, (ReadKind.SIGN,)),
        (None, "not drawn", False, (ReadKind.SIGN,)),  # one of the two has it, with another sign
        (None, Sign.PLUS, False, ()),  # one has it as it was read
        ("turned", None, False, (ReadKind.SIGN,)),
        ("turned", "not drawn", True, ()),
        ("turned", "turned", True, ()),
        ("not drawn", "not drawn", True, ()),
    ],
)
def test_a_read_edge_is_in_neither_only_if_nobody_drew_it_with_any_sign(
    first: Sign | str | None, second: Sign | str | None, is_in_neither: bool, other_marks: tuple[ReadKind, ...]
) -> None:
    def side(how: Sign | str | None) -> tuple[GraphRecord, Marks]:
        rest = ("Supply", "Price", None)
        if how == "not drawn":
            return drawn(rest, ("Demand", "Supply", None)), NO_MARKS
        pair = ("Demand", "Price") if how == "turned" else ("Price", "Demand")
        return drawn(rest, (*pair, how if isinstance(how, Sign) else None)), NO_MARKS

    (edge_,) = third_column(reading(edge(0, 1, "+")), side(first), side(second), {}).edges
    assert (edge_.is_in_neither, edge_.other_marks) == (is_in_neither, other_marks)


def test_another_delay_mark_is_no_edge_that_is_in_neither() -> None:
    found = reading(replace(edge(0, 1, "+"), delay=True))
    both = (drawn(("Price", "Demand", None)), NO_MARKS)
    (edge_,) = third_column(found, both, both, {}).edges
    assert (edge_.is_in_neither, edge_.other_marks) == (False, (ReadKind.SIGN, ReadKind.DELAY))
