"""True answers beside networkx: every query of published networks, of random graphs and of graphs with cycles."""

from __future__ import annotations

import re
from itertools import islice, permutations
from typing import Any

import networkx as nx
import pytest

from core.errors import BadInput, InvalidGraph, Missing, TooLarge
from core.graphs.edge import Edge
from core.graphs.encodings import Encoding
from core.graphs.graph import CausalGraph
from core.graphs.queries import (
    SIX,
    AnswerShape,
    Asked,
    Query,
    QueryKind,
    Truths,
    Variant,
    answer,
    columns,
    shape_of,
    why,
)
from core.graphs.query_space import QuerySpace
from core.graphs.random_dag import random_dag
from tests.core.graphs.asked_plainly import UP_TO_40, drawn, network, plainly
from tests.core.graphs.test_topology import diagrams
from tests.everything import EVERYTHING, usual

OTHERS = (QueryKind.INTERVENTION, *Variant)
OF_PAIRS = [each for each in (*QueryKind, *Variant) if shape_of(each) is not AnswerShape.OF_BETWEEN]
LOOP = CausalGraph.of([Edge("A", "B"), Edge("B", "A"), Edge("C", "A"), Edge("C", "C"), Edge("B", "D")], nodes=["Z"])


def space_of(graph: CausalGraph, kinds: tuple[Asked, ...]) -> QuerySpace:
    return QuerySpace([graph], kinds, encodings=[Encoding.JSON])


def answers_equal(graph: CausalGraph, queries: QuerySpace | list[Query]) -> int:
    """How many queries were asked; each has networkx' answer."""
    truths, plain = Truths.of(graph), drawn(graph)
    for each in queries:
        query = each if isinstance(each, Query) else each.query
        assert answer(truths, query) == plainly(plain, query), query
    return len(queries)


@pytest.mark.parametrize("name", usual(UP_TO_40, "child", "insurance", "water", "mildew", "alarm"))
def test_every_query_of_a_published_network_has_networkx_answer(name: str) -> None:
    graph = network(name)
    of_the_paper = answers_equal(graph, space_of(graph, SIX))
    others = answers_equal(graph, space_of(graph, OTHERS)) if len(graph.nodes) <= 20 or EVERYTHING else 0
    print(f"{name}: {of_the_paper:,} queries of the paper's kinds and {others:,} of others equal networkx")


@pytest.mark.parametrize("count", [200 if EVERYTHING else 20])
def test_every_query_of_random_graphs_has_networkx_answer(count: int) -> None:
    asked = 0
    for seed in range(count):
        nodes = 3 + seed % 6
        graph = random_dag(nodes, seed % (nodes * (nodes - 1) // 2 + 1), seed)
        asked += answers_equal(graph, space_of(graph, (*SIX, *OTHERS)))
    print(f"{count} random graphs: {asked:,} queries equal networkx")


def queries_of_any_graph(graph: CausalGraph) -> list[Query]:
    """Everything that is defined on cycles too: pairs in both orders, both levels."""
    found: list[Query] = []
    for node in (None, *graph.nodes):
        found += (Query(kind=kind, node=node) for kind in (QueryKind.SOURCE, QueryKind.SINK))
        found.append(Query(kind=QueryKind.CONFOUNDER, variant=Variant.CONFOUNDER_FORK, node=node))
        for of in graph.nodes:
            found += (Query(kind=kind, of=of, node=node) for kind in (QueryKind.PARENT, QueryKind.CHILD))
            if of != node:
                found.append(Query(kind=QueryKind.INTERVENTION, of=of, node=node))
        for pair in permutations(graph.nodes, 2):
            if node not in pair:
                found += (
                    Query(kind=kind, between=pair, node=node) for kind in (QueryKind.MEDIATOR, QueryKind.CONFOUNDER)
                )
                variant = Variant.CONFOUNDER_COMMON_ANCESTOR
                found.append(Query(kind=QueryKind.CONFOUNDER, variant=variant, between=pair, node=node))
                if node is not None:
                    variant = Variant.INTERVENTION_PAIR
                    found.append(Query(kind=QueryKind.INTERVENTION, variant=variant, between=pair, of=node))
    return found


def cyclic(count: int) -> list[CausalGraph]:
    small = (graph for graph in diagrams(seed=5) if 5 <= len(graph.nodes) <= 9)
    return list(islice((graph for graph in small if not nx.is_directed_acyclic_graph(drawn(graph))), count))


@pytest.mark.parametrize("graph", [LOOP, *cyclic(10 if EVERYTHING else 3)])
def test_graphs_with_cycles_answer_what_is_defined_there(graph: CausalGraph) -> None:
    print(f"{answers_equal(graph, queries_of_any_graph(graph)):,} queries of a graph with cycles equal networkx")


def test_on_a_cycle_only_third_nodes_mediate_and_confound() -> None:
    truths = Truths.of(LOOP)
    assert (
        answer(truths, Query(kind=QueryKind.CONFOUNDER, between=("C", "A"))) == frozenset()
    )  # C acts on itself and on A
    assert answer(truths, Query(kind=QueryKind.INTERVENTION, of="A")) == frozenset("BD")
    assert answer(truths, Query(kind=QueryKind.PARENT, of="C", node="C")) is True  # a self-loop is an edge
    assert answer(truths, Query(kind=QueryKind.SOURCE)) == frozenset("Z")
    assert answer(truths, Query(kind=QueryKind.SINK)) == frozenset("DZ")


def test_a_mediator_on_any_path_needs_a_graph_without_cycles_and_names_one() -> None:
    query = Query(kind=QueryKind.MEDIATOR, variant=Variant.MEDIATOR_ANY_PATH, between=("C", "D"))
    for ask in (lambda: answer(Truths.of(LOOP), query), lambda: columns(LOOP)):
        with pytest.raises(InvalidGraph, match="A → B → A"):
            ask()


def test_an_edge_listed_twice_is_one_edge() -> None:
    graph = CausalGraph.of([Edge("A", "B"), Edge("A", "B")])
    assert answer(Truths.of(graph), Query(kind=QueryKind.CONFOUNDER, variant=Variant.CONFOUNDER_FORK)) == frozenset()
    assert why(graph, Query(kind=QueryKind.CHILD, of="A")).edges == (("A", "B"),)


# --- all at once ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", usual(UP_TO_40, "cancer", "earthquake", "insurance", "water", "mildew", "alarm"))
def test_columns_have_a_row_for_every_query_of_the_graph_and_a_cell_for_every_node(name: str) -> None:
    graph = network(name)
    truths, found = Truths.of(graph), columns(graph, OF_PAIRS)
    rows = dict.fromkeys(found, 0)
    for each in QuerySpace([graph], OF_PAIRS, encodings=[Encoding.JSON]):
        if each.query.node is None:
            row = found[each.query.asked][rows[each.query.asked]]
            rows[each.query.asked] += 1
            assert frozenset(graph.nodes[at] for at in row.nonzero()[0]) == answer(truths, each.query), each.query
    assert rows == {asked: len(table) for asked, table in found.items()}


def test_columns_refuse_what_has_no_table_of_two() -> None:
    with pytest.raises(BadInput, match="names three variables"):
        columns(network("asia"), [Variant.INTERVENTION_PAIR])
    with pytest.raises(TooLarge, match="of 800 nodes has more than 200,000,000 cells"):
        columns(random_dag(800, 0, 1))
    assert columns(random_dag(800, 3, 1), [QueryKind.PARENT])[QueryKind.PARENT].sum() == 3
    assert columns(CausalGraph((), ()))[QueryKind.MEDIATOR].shape == (0, 0)


# --- why --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", usual(UP_TO_40[:6], "cancer", "earthquake", "child"))
def test_the_edges_of_an_answer_are_enough_to_give_it(name: str) -> None:
    graph = network(name)
    for each in space_of(graph, (*SIX[2:], *OTHERS)).sample(150, seed=1):
        reasons = why(graph, each.query)
        alone = CausalGraph.of((Edge(*pair) for pair in reasons.edges), graph.nodes)
        found = answer(Truths.of(graph), each.query)
        assert answer(Truths.of(alone), each.query) == found, each.query
        if not found and each.query.node is not None:
            assert reasons.edges == ()
        assert {sink for _, sink in reasons.cut} <= {each.query.of}


def test_why_of_an_intervention_leaves_out_what_the_cut_takes() -> None:
    # A acts on B over X only, and on C beside it.
    graph = CausalGraph.of([Edge("A", "X"), Edge("X", "B"), Edge("A", "C"), Edge("C", "D")])
    over_x = Query(kind=QueryKind.INTERVENTION, variant=Variant.INTERVENTION_PAIR, of="X", between=("A", "B"))
    beside = Query(kind=QueryKind.INTERVENTION, variant=Variant.INTERVENTION_PAIR, of="X", between=("A", "D"))
    assert answer(Truths.of(graph), over_x) is False
    assert why(graph, over_x) == type(why(graph, over_x))((), (("A", "X"),))
    assert why(graph, beside).edges == (("A", "C"), ("C", "D"))
    # On the cycle X → B → X the edge back is cut; it makes nothing so.
    cycle = CausalGraph.of([Edge("X", "B"), Edge("B", "X"), Edge("B", "C")])
    reasons = why(cycle, Query(kind=QueryKind.INTERVENTION, of="X"))
    assert (reasons.edges, reasons.cut) == ((("X", "B"), ("B", "C")), (("B", "X"),))


def test_why_a_node_is_no_source_names_what_comes_in() -> None:
    graph = network("asia")
    assert why(graph, Query(kind=QueryKind.SOURCE, node="either")).edges == (("lung", "either"), ("tub", "either"))
    assert why(graph, Query(kind=QueryKind.SINK, node="either")).edges == (("either", "xray"), ("either", "dysp"))
    assert (
        why(graph, Query(kind=QueryKind.SOURCE, node="asia")).edges
        == ()
        == why(graph, Query(kind=QueryKind.SOURCE)).edges
    )


def test_why_of_a_mediator_on_any_path_leaves_the_direct_edge_out() -> None:
    graph = CausalGraph.of([Edge("A", "M"), Edge("M", "N"), Edge("N", "B"), Edge("A", "B"), Edge("A", "Z")])
    query = Query(kind=QueryKind.MEDIATOR, variant=Variant.MEDIATOR_ANY_PATH, between=("A", "B"))
    assert why(graph, query).edges == (("A", "M"), ("M", "N"), ("N", "B"))


# --- what a query needs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": QueryKind.MEDIATOR, "between": ("A", "A")}, "Two different variables are needed."),
        ({"kind": QueryKind.INTERVENTION, "of": "A", "node": "A"}, "Two different variables are needed."),
        ({"kind": QueryKind.CONFOUNDER, "between": ("A", "B"), "node": "B"}, "Three different variables are needed."),
        ({"kind": QueryKind.PARENT}, "A query of the kind parent needs the variable that it is of."),
        (
            {"kind": QueryKind.MEDIATOR, "of": "A"},
            "A query of the kind mediator does not take the variable that it is of.",
        ),
        ({"kind": QueryKind.SOURCE, "between": ("A", "B")}, "does not take the two variables that it is between."),
        (
            {"kind": QueryKind.MEDIATOR, "variant": Variant.CONFOUNDER_FORK},
            "The variant confounder-fork belongs to confounder, not mediator.",
        ),
        (
            {
                "kind": QueryKind.INTERVENTION,
                "variant": Variant.INTERVENTION_PAIR,
                "of": "A",
                "between": ("B", "C"),
                "node": "D",
            },
            "A query of the kind intervention-pair does not take a further variable.",
        ),
    ],
)
def test_a_query_says_what_it_needs(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as refused:
        Query(**arguments)
    assert message in str(refused.value)


def test_an_unknown_variable_is_told_with_the_names_near_it() -> None:
    for ask in (lambda query: answer(Truths.of(network("alarm")), query), lambda query: why(network("alarm"), query)):
        with pytest.raises(Missing) as refused:
            ask(Query(kind=QueryKind.PARENT, of="HRR"))
        assert re.findall("[A-Z]{2,}", str(refused.value)) == ["HRR", "HR", "HRBP", "HREKG"]
    with pytest.raises(Missing, match=r"“§§§§”\.$"):
        answer(Truths.of(network("alarm")), Query(kind=QueryKind.PARENT, of="§§§§"))
