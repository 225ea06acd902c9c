"""Which doubts about a graph are still open: answers are kept as marks and hold until they are taken back."""

from __future__ import annotations

import pytest

from core.graphs.checks import DoubtKind
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.transcription.marks import MarkKind, Marks, Value
from core.transcription.sweep import called, doubt_key, is_settled, open_doubts, pair_key, text_key

GRAPH = CausalGraph.of([Edge("GDP", "Trade"), Edge("GNP", "Trade")])


def kinds(graph: CausalGraph, printed: tuple[str, ...], marks: Marks) -> list[DoubtKind]:
    return [doubt.kind for doubt in open_doubts(graph, printed, marks)]


def test_a_pair_called_distinct_is_not_asked_again() -> None:
    assert kinds(GRAPH, (), Marks()) == [DoubtKind.NEAR_DUPLICATE]
    distinct = Marks({("distinct", pair_key("GNP", "GDP")): {"names": ["GDP", "GNP"]}})
    assert kinds(GRAPH, (), distinct) == []


def test_a_pairs_key_is_the_same_from_either_side() -> None:
    assert pair_key("GDP", "GNP") == pair_key("GNP", "GDP") != pair_key("GDP", "GDP")


def test_a_printed_text_is_asked_about_until_it_is_dismissed_or_the_same_as_a_node() -> None:
    one = CausalGraph.of([Edge("Price", "Trade")])
    assert kinds(one, ("R1", "Prices"), Marks()) == [DoubtKind.UNUSED_LABEL, DoubtKind.UNUSED_LABEL]
    dismissed = Marks({("not a variable", text_key("r1 ")): {"text": "r1 "}})
    assert kinds(one, ("R1", "Prices"), dismissed) == [DoubtKind.UNUSED_LABEL]
    merged = Marks({**dismissed.values, ("same", "k"): {"name": "Prices", "into": "Price"}})
    assert kinds(one, ("R1", "Prices"), merged) == []


def test_a_doubt_said_to_be_as_printed_is_closed_for_these_names_only() -> None:
    loops = CausalGraph.of([Edge("Price", "Price"), Edge("Trade", "Trade")])
    marks = Marks({("as printed", doubt_key("self-loop", ["Price"])): {"kind": "self-loop", "about": ["Price"]}})
    assert [doubt.subjects for doubt in open_doubts(loops, (), marks)] == [("Trade",)]


def refused(source: str, sink: str, confidence: float = 0.9, *, doubtful: bool = False) -> dict[str, object]:
    answer = {"answer": "refused", "edge": "", "is_doubtful": doubtful, "confidence": confidence}
    return {**answer, "source": source, "sink": sink}


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        (refused("Price", "Rent"), [("Price", "Rent")]),
        (refused("price", "RENT"), [("Price", "Rent")]),  # the print's spelling of the same names
        (refused("Prices", "Rent"), [("Price", "Rent")]),  # called the same
        (refused("Price", "Rent", 0.84), []),
        (refused("Price", "Rent", doubtful=True), []),
        (refused("Price", "Trade"), []),  # drawn by hand since
        (refused("Trade", "Price"), [("Trade", "Price")]),  # the other way it is not
        (refused("Price", "R1"), []),  # no variable
        ({**refused("Price", "Rent"), "answer": "accepted"}, []),
    ],
)
def test_a_certain_arrow_that_was_refused_is_asked_about_while_no_edge_stands_for_it(
    answer: dict[str, object], asked: list[tuple[str, str]]
) -> None:
    graph = CausalGraph.of([Edge("Price", "Trade"), Edge("Rent", "Trade")])
    marks = Marks({("proposal", "p"): answer, ("same", "k"): {"name": "Prices", "into": "Price"}})
    doubts = open_doubts(graph, (), marks)
    assert [(doubt.kind, doubt.subjects, doubt.pair) for doubt in doubts] == [
        (DoubtKind.REFUSED_ARROW, pair, pair) for pair in asked
    ]
    settled: dict[tuple[MarkKind, str], Value] = {
        ("as printed", doubt_key("refused arrow", pair)): {} for pair in asked
    }
    assert open_doubts(graph, (), Marks({**marks.values, **settled})) == ()


def test_names_merged_one_after_another_lead_to_the_node_that_is_left() -> None:
    marks = Marks({("same", "1"): {"name": "a", "into": "b"}, ("same", "2"): {"name": "b", "into": "c"}})
    assert called("a", ["c"], marks) == "c"
    assert called("a", ["x"], marks) is None
    circle = Marks({("same", "1"): {"name": "a", "into": "b"}, ("same", "2"): {"name": "b", "into": "a"}})
    assert called("a", ["x"], circle) is None
    assert not is_settled("a", ["x"], circle)


def test_whether_both_arrows_are_printed_is_not_asked_where_both_edges_stand_on_one() -> None:
    graph = CausalGraph.of([Edge("Price", "Trade"), Edge("Trade", "Price")])
    assert [doubt.kind for doubt in open_doubts(graph, (), Marks())] == [DoubtKind.REVERSED_PAIR]
    assert open_doubts(graph, (), Marks(), {frozenset({"Price", "Trade"})}) == ()
