"""Neutral names that tell nothing of the file, and graphs with all edges reversed."""

from __future__ import annotations

from core.graphs.graph import CausalGraph
from core.graphs.naming import Naming, named, neutral, reversed_graph
from tests.core.graphs.asked_plainly import network

ALARM = network("alarm")


def own_pairs(graph: CausalGraph, own: dict[str, str]) -> set[tuple[str, str]]:
    return {(own[edge.source], own[edge.sink]) for edge in graph.edges}


def test_neutral_names_lead_back_to_the_graphs_own() -> None:
    named = neutral(ALARM, seed=1)
    assert named.graph.nodes == tuple(map(str, range(37))) == tuple(named.own)
    assert sorted(named.own.values()) == sorted(ALARM.nodes)
    assert own_pairs(named.graph, dict(named.own)) == {edge.pair for edge in ALARM.edges}


def test_neither_names_nor_order_tell_the_order_of_the_file() -> None:
    turned = CausalGraph(ALARM.nodes[::-1], ALARM.edges[::-1])
    assert neutral(ALARM, seed=1) == neutral(turned, seed=1)
    assert neutral(ALARM, seed=1).own != neutral(ALARM, seed=2).own
    assert list(neutral(ALARM, seed=1).own.values()) not in (list(ALARM.nodes), sorted(ALARM.nodes))


def test_letters_go_on_behind_z() -> None:
    nodes = neutral(CausalGraph.of([], nodes=map(str, range(704))), seed=1, letters=True).graph.nodes
    assert (*nodes[:2], *nodes[25:28], *nodes[701:]) == ("A", "B", "Z", "AA", "AB", "ZZ", "AAA", "AAB")
    assert len(set(nodes)) == 704


def test_a_reversed_graph_has_every_edge_reversed_and_all_names_kept() -> None:
    found = reversed_graph(ALARM)
    assert found.graph.nodes == ALARM.nodes
    assert [edge.pair for edge in found.graph.edges] == [(edge.sink, edge.source) for edge in ALARM.edges]
    assert reversed_graph(found.graph).graph == ALARM
    assert dict(found.own) == {name: name for name in ALARM.nodes}


def test_a_naming_is_its_graph() -> None:
    assert named(ALARM, Naming.GIVEN, seed=1).graph == ALARM
    assert named(ALARM, Naming.NEUTRAL, seed=3) == neutral(ALARM, seed=3)
    assert named(ALARM, Naming.REVERSED, seed=1) == reversed_graph(ALARM)
