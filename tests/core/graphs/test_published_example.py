"""The example of appendix B: its seven texts character by character, and every answer about it worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from core.graphs.encodings import Encoding, decode, encode
from core.graphs.orders import EdgeOrder
from core.graphs.queries import Query, QueryKind, QueryLevel, Truths, Variant, answer, why
from core.graphs.query_space import QuerySpace
from tests.core.graphs.five_nodes import FIVE, PAIRS

TRUTHS = Truths.of(FIVE)

# Cells of the matrix have one blank between them: the paper draws a table, whose text is not printed.
TEXTS = {
    Encoding.ADJACENCY: "(0, 1) (0, 2) (1, 3) (2, 3) (2, 4) (3, 4) (0, 3) (1, 4) (0, 4) (1, 2)",
    Encoding.MATRIX: "0 1 2 3 4\n0 0 1 1 1 1\n1 0 0 1 1 1\n2 0 0 0 1 1\n3 0 0 0 0 1\n4 0 0 0 0 0",
    Encoding.SINGLE: (
        "0 causes 1. 0 causes 2. 0 causes 3. 0 causes 4. 1 causes 3. "
        "1 causes 4. 1 causes 2. 2 causes 3. 2 causes 4. 3 causes 4."
    ),
    Encoding.MULTI: "0 causes 1, 2, 3, 4. 1 causes 3, 4, 2. 2 causes 3, 4. 3 causes 4.",
    Encoding.GRAPHVIZ: """digraph G {
  0 -> 1;
  0 -> 2;
  1 -> 3;
  2 -> 3;
  2 -> 4;
  3 -> 4;
  0 -> 3;
  1 -> 4;
  0 -> 4;
  1 -> 2;
}""",
    Encoding.GRAPHML: """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <graph edgedefault="directed">
    <node id="0"/>
    <node id="1"/>
    <node id="2"/>
    <node id="3"/>
    <node id="4"/>
    <edge source="0" target="1"/>
    <edge source="0" target="2"/>
    <edge source="1" target="3"/>
    <edge source="2" target="3"/>
    <edge source="2" target="4"/>
    <edge source="3" target="4"/>
    <edge source="0" target="3"/>
    <edge source="1" target="4"/>
    <edge source="0" target="4"/>
    <edge source="1" target="2"/>
  </graph>
</graphml>""",
    Encoding.JSON: """{
    "0": {
        "parents": []
    },
    "1": {
        "parents": [
            "0"
        ]
    },
    "2": {
        "parents": [
            "0",
            "1"
        ]
    },
    "3": {
        "parents": [
            "0",
            "1",
            "2"
        ]
    },
    "4": {
        "parents": [
            "0",
            "1",
            "2",
            "3"
        ]
    }
}""",
}


def of(kind: QueryKind, **arguments: Any) -> bool | str:
    reply = answer(TRUTHS, Query(kind=kind, **arguments))
    return reply if isinstance(reply, bool) else "".join(sorted(reply))


@pytest.mark.parametrize("encoding", Encoding)
def test_the_text_is_the_published_one_and_is_read_back(encoding: Encoding) -> None:
    assert encode(FIVE, encoding) == TEXTS[encoding]
    graph = decode(TEXTS[encoding], encoding)
    assert graph.nodes == FIVE.nodes
    assert sorted(edge.pair for edge in graph.edges) == sorted(map(tuple, PAIRS))


def test_breadth_first_orders_go_from_the_source_and_from_the_sink() -> None:
    assert encode(FIVE, Encoding.ADJACENCY, EdgeOrder.BFS) == (
        "(0, 1) (0, 2) (0, 3) (0, 4) (1, 2) (1, 3) (1, 4) (2, 3) (2, 4) (3, 4)"
    )
    assert encode(FIVE, Encoding.ADJACENCY, EdgeOrder.BFS_REVERSED) == (
        "(0, 4) (1, 4) (2, 4) (3, 4) (0, 1) (0, 2) (1, 2) (0, 3) (1, 3) (2, 3)"
    )


def test_sources_sinks_parents_and_children() -> None:
    assert (of(QueryKind.SOURCE), of(QueryKind.SINK)) == ("0", "4")
    assert [of(QueryKind.PARENT, of=name) for name in "01234"] == ["", "0", "01", "012", "0123"]
    assert [of(QueryKind.CHILD, of=name) for name in "01234"] == ["1234", "234", "34", "4", ""]
    assert of(QueryKind.PARENT, of="3", node="2") is True
    assert of(QueryKind.CHILD, of="3", node="2") is False


def test_six_pairs_are_mediated_and_six_are_confounded() -> None:
    pairs = [
        each.query.between for each in QuerySpace([FIVE], [QueryKind.MEDIATOR], [QueryLevel.GRAPH], [Encoding.JSON])
    ]
    assert len(pairs) == 10
    mediated = {pair: nodes for pair in pairs if (nodes := of(QueryKind.MEDIATOR, between=pair))}
    confounded = {pair: nodes for pair in pairs if (nodes := of(QueryKind.CONFOUNDER, between=pair))}
    # All pairs are edges here, so what lies between two in 0 … 4 mediates, and what lies before both confounds.
    assert mediated == {
        ("0", "2"): "1",
        ("0", "3"): "12",
        ("1", "3"): "2",
        ("0", "4"): "123",
        ("1", "4"): "23",
        ("2", "4"): "3",
    }
    assert confounded == {
        ("1", "2"): "0",
        ("1", "3"): "0",
        ("2", "3"): "01",
        ("1", "4"): "0",
        ("2", "4"): "01",
        ("3", "4"): "012",
    }
    assert of(QueryKind.MEDIATOR, between=("4", "0")) == ""  # the other way round nothing mediates
    assert of(QueryKind.CONFOUNDER, between=("4", "3")) == "012"


def test_setting_a_node_changes_its_descendants() -> None:
    assert [of(QueryKind.INTERVENTION, of=name) for name in "01234"] == ["1234", "234", "34", "4", ""]
    assert of(QueryKind.INTERVENTION, of="2", node="4") is True
    assert of(QueryKind.INTERVENTION, of="2", node="1") is False


def test_variants_have_answers_of_their_own() -> None:
    assert of(QueryKind.MEDIATOR, between=("0", "4"), variant=Variant.MEDIATOR_ANY_PATH) == "123"
    assert of(QueryKind.CONFOUNDER, between=("3", "4"), variant=Variant.CONFOUNDER_COMMON_ANCESTOR) == "012"
    assert of(QueryKind.CONFOUNDER, variant=Variant.CONFOUNDER_FORK) == "012"
    assert of(QueryKind.INTERVENTION, of="2", between=("1", "3"), variant=Variant.INTERVENTION_PAIR) is True


def test_the_edges_that_make_an_answer_so() -> None:
    reason = why(FIVE, Query(kind=QueryKind.MEDIATOR, between=("0", "3")))
    assert reason.edges == (("0", "1"), ("0", "2"), ("1", "3"), ("2", "3"))
    reason = why(FIVE, Query(kind=QueryKind.INTERVENTION, of="2", node="4"))
    assert reason.edges == (("2", "3"), ("2", "4"), ("3", "4"))
    assert reason.cut == (("0", "2"), ("1", "2"))
