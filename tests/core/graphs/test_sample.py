"""A text with its graph: what is counted of it, by hand."""

from __future__ import annotations

from typing import Any

from core.graphs.sample import GraphSample, graph_parts, in_order

ABOUT: dict[str, Any] = {"id": "7", "origin": "release 1", "text": "ab" * 32, "characters": 120}


def made(edges: list[tuple[str, str]], nodes: tuple[str, ...] = (), **said: Any) -> GraphSample:
    names, once, repeats = graph_parts(nodes, edges)
    return GraphSample(**{**ABOUT, "nodes": names, "edges": once, "repeats": repeats, **said})


def test_nodes_are_numbered_by_code_points_and_isolated_ones_count() -> None:
    sample = made([("price", "Demand"), ("ä", "price"), ("price", "Demand")], ("Zinc", "price"))
    assert sample.nodes == ("Demand", "Zinc", "price", "ä")
    assert sample.edges == (("price", "Demand"), ("ä", "price"))
    assert sample.repeats == 1
    assert (sample.facts["nodes"], sample.facts["edges"], sample.facts["density"]) == (4, 2, 2 / 12)


def test_a_circuit_and_a_self_loop_are_cyclic_and_a_chain_is_not() -> None:
    assert not made([("A", "B"), ("B", "C")]).facts["is_cyclic"]
    assert made([("A", "B"), ("B", "C"), ("C", "A")]).facts["is_cyclic"]
    assert made([("A", "B"), ("B", "B")]).facts["is_cyclic"]


def test_explicitness_counts_named_and_implied_and_strict_the_named_alone() -> None:
    sample = made([("A", "B"), ("C", "D")], levels=(1, 2, 3, 1))
    assert (sample.explicitness, sample.strict) == (0.75, 0.5)
    assert made([("A", "B")]).explicitness is None
    assert in_order({"A": 1}, ["A", "B"]) is None


def test_the_date_is_whole_beside_its_year_and_what_is_not_known_is_none() -> None:
    dated = made([("A", "B")], publication_date="2021-03-04", domains=("Ecology", "Environmental Science"))
    assert (dated.facts["date"], dated.facts["year"], dated.facts["domain"], dated.facts["field"]) == (
        "2021-03-04",
        2021,
        "Ecology",
        "Environmental Science",
    )
    bare = made([], ("A",))
    assert [bare.facts[name] for name in ("date", "year", "field", "density")] == [None] * 4
