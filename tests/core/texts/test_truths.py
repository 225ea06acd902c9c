"""The ground truth of a text: the same graph however it was drawn, and what another one has otherwise."""

from __future__ import annotations

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign
from core.texts.truths import difference, graph_of, plain_truth, truth_hash

GRAPH = CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("B", "C")], ["D"])


def test_order_and_notes_count_for_nothing_but_signs_and_delays_do() -> None:
    again = CausalGraph.of([Edge("B", "C", note="faint"), Edge("A", "B", Sign.PLUS)], ["D"])
    assert truth_hash(plain_truth(again)) == truth_hash(plain_truth(GRAPH))
    for other in (
        CausalGraph.of([Edge("A", "B", Sign.MINUS), Edge("B", "C")], ["D"]),
        CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("B", "C", delay=True)], ["D"]),
        CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("B", "C")]),
    ):
        assert truth_hash(plain_truth(other)) != truth_hash(plain_truth(GRAPH))


def test_a_plain_truth_is_the_graph_again() -> None:
    found = graph_of(plain_truth(GRAPH))
    assert (set(found.nodes), set(found.edges)) == (set(GRAPH.nodes), set(GRAPH.edges))


def test_a_difference_is_counted_in_words() -> None:
    other = CausalGraph.of([Edge("A", "B", Sign.MINUS), Edge("A", "C"), Edge("A", "E")])
    found = difference(plain_truth(GRAPH), plain_truth(other))
    assert found.edges_added == (("A", "C"), ("A", "E"))
    assert found.in_words == (
        "2 more edges, 1 fewer edge, 1 otherwise signed or delayed edge, 1 more node, 1 fewer node"
    )
    assert difference(plain_truth(GRAPH), plain_truth(GRAPH)).in_words == ""
