"""The reading beside two transcriptions: by aligned names, with what each has otherwise, and what both overlooked."""

from __future__ import annotations

from core.adjudication.third_voice import third_column
from core.graphs.record import GraphRecord
from core.sign import Sign
from core.transcription.marks import Marks
from tests.core.transcription.test_late_voice import NO_MARKS, drawn, edge, reading

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


def test_only_what_both_have_otherwise_is_overlooked() -> None:
    column = third_column(READ, (A, NO_MARKS), (B, NO_MARKS), {"Suply": "Supply"})
    assert [(one.source, one.sink) for one in column.edges if one.is_overlooked] == [
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
