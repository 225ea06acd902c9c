"""Doubts: each kind once, in order, and never asked again when decided."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.graphs.checks import DoubtKind, check_graph
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.names import NearKind
from core.sign import Sign


def kinds(graph: CausalGraph, **further: Any) -> list[tuple[DoubtKind, tuple[str, ...]]]:
    return [(doubt.kind, doubt.subjects) for doubt in check_graph(graph, **further)]


def test_a_plain_graph_and_an_empty_graph_raise_no_doubt() -> None:
    assert kinds(CausalGraph.of([Edge("Supply", "Price"), Edge("Price", "Demand")])) == []
    assert kinds(CausalGraph.of([])) == []


def test_a_self_loop_is_asked_about_once_and_is_no_reversed_pair() -> None:
    graph = CausalGraph.of([Edge("Price", "Price"), Edge("Price", "Price", Sign.PLUS)])
    assert kinds(graph) == [
        (DoubtKind.SELF_LOOP, ("Price",)),
        (DoubtKind.CONFLICTING_SIGNS, ("Price", "Price")),
    ]


def test_a_reversed_pair_is_asked_about_once_in_the_order_drawn() -> None:
    graph = CausalGraph.of([Edge("Supply", "Price"), Edge("Price", "Supply")])
    assert kinds(graph) == [(DoubtKind.REVERSED_PAIR, ("Supply", "Price"))]


def test_conflicting_signs_and_exact_duplicates_are_told_apart() -> None:
    plus, minus = Edge("Supply", "Price", Sign.PLUS), Edge("Supply", "Price", Sign.MINUS)
    assert kinds(CausalGraph.of([plus, minus])) == [(DoubtKind.CONFLICTING_SIGNS, ("Supply", "Price"))]
    assert kinds(CausalGraph.of([plus, plus])) == [(DoubtKind.DUPLICATE_EDGE, ("Supply", "Price"))]
    assert kinds(CausalGraph.of([plus, minus, plus])) == [
        (DoubtKind.CONFLICTING_SIGNS, ("Supply", "Price")),
        (DoubtKind.DUPLICATE_EDGE, ("Supply", "Price")),
    ]
    (doubt,) = check_graph(CausalGraph.of([plus, minus]))
    assert doubt.message == "“Supply” → “Price” is listed with + and with -. Keep both?"
    assert doubt.pair == ("Supply", "Price")


def test_white_space_in_a_name_is_asked_about() -> None:
    graph = CausalGraph.of([Edge("Total  grain", "Price ")])
    assert kinds(graph) == [(DoubtKind.WHITE_SPACE, ("Total  grain",)), (DoubtKind.WHITE_SPACE, ("Price ",))]


def test_names_that_differ_little_are_asked_about_by_kind() -> None:
    graph = CausalGraph.of([Edge("GDP", "GNP"), Edge("Price", "price"), Edge("flexibility", "ﬂexibility")])
    assert kinds(graph) == [
        (DoubtKind.CASE_ONLY, ("Price", "price")),
        (DoubtKind.LOOK_ALIKE, ("flexibility", "ﬂexibility")),
        (DoubtKind.NEAR_DUPLICATE, ("GDP", "GNP")),
    ]
    doubt = check_graph(CausalGraph.of([Edge("GDP", "GNP")]))[0]
    assert doubt.near is NearKind.EDIT_DISTANCE
    assert doubt.message == "“GDP” and “GNP” differ by 1 letter. Same or distinct?"


def test_pairs_decided_distinct_are_not_asked_again() -> None:
    graph = CausalGraph.of([Edge("GDP", "GNP"), Edge("Price", "price")])
    decided = [frozenset({"GNP", "GDP"}), frozenset({"price", "Price"})]
    assert kinds(graph, decided=decided) == []


def test_isolated_nodes_and_unused_labels_are_asked_about() -> None:
    graph = CausalGraph.of([Edge("Supply", "Work-life balance")], nodes=["Housing"])
    printed = ["SUPPLY", "work\u2011life\nbalance", "Housing", "Demand", "demand", " "]
    assert kinds(graph, printed=printed) == [
        (DoubtKind.ISOLATED_NODE, ("Housing",)),
        (DoubtKind.UNUSED_LABEL, ("Demand",)),
    ]


@given(
    st.lists(st.tuples(st.sampled_from("ABCabc"), st.sampled_from("ABCabc")), max_size=12),
    st.lists(st.text(max_size=4)),
)
def test_doubts_are_listed_by_kind_and_never_twice(pairs: list[tuple[str, str]], printed: list[str]) -> None:
    graph = CausalGraph.of(Edge(*pair) for pair in pairs)
    doubts = check_graph(graph, printed)
    order = list(DoubtKind)
    assert [doubt.kind for doubt in doubts] == sorted((doubt.kind for doubt in doubts), key=order.index)
    assert len(set(doubts)) == len(doubts)
