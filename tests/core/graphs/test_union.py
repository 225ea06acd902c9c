"""One picture for two graphs: the reference stands still, whatever is compared with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidGraph
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.labels import LabelSize, size_of
from core.graphs.layouts.layout import Point, place
from core.graphs.layouts.space import GAP_X, GAP_Y
from core.graphs.union import place_union

PAIRS = st.sets(st.tuples(st.sampled_from("ABCDEFG"), st.sampled_from("ABCDEFG")), max_size=12)
REFERENCE = CausalGraph.of([Edge("Rain", "Harvest"), Edge("Harvest", "Price"), Edge("Price", "Rain")], ["Debt"])


def of_pairs(pairs: set[tuple[str, str]], nodes: str = "") -> CausalGraph:
    return CausalGraph.of([Edge(*pair) for pair in sorted(pairs)], nodes)


def sizes_of(graph: CausalGraph) -> dict[str, LabelSize]:
    return {name: size_of(name) for name in graph.nodes}


@given(PAIRS, PAIRS)
def test_the_reference_stands_as_if_it_were_alone(ours: set[tuple[str, str]], theirs: set[tuple[str, str]]) -> None:
    reference, candidate = of_pairs(ours, "A"), of_pairs(theirs)
    union = place_union(reference, candidate)
    alone = place(reference.nodes, [edge.pair for edge in reference.edges], sizes=sizes_of(reference))
    assert {name: union.places[name] for name in reference.nodes} == alone
    assert set(union.places) == {*reference.nodes, *candidate.nodes}
    assert place_union(reference, candidate) == union


@given(PAIRS, PAIRS)
def test_labels_do_not_overlap(ours: set[tuple[str, str]], theirs: set[tuple[str, str]]) -> None:
    placed = [(point, size_of(name)) for name, point in place_union(of_pairs(ours), of_pairs(theirs)).places.items()]
    for i, (one, a) in enumerate(placed):
        for other, b in placed[:i]:
            assert (
                abs(one.x - other.x) >= (a.width + b.width) / 2 + GAP_X
                or abs(one.y - other.y) >= (a.height + b.height) / 2 + GAP_Y
            )


def test_aligned_candidates_share_the_reference_s_node() -> None:
    candidate = CausalGraph.of([Edge("rainfall", "Yield"), Edge("precipitation", "Subsidy")])
    union = place_union(REFERENCE, candidate, {"rainfall": "Rain", "precipitation": "Rain", "Yield": "Harvest"})
    assert union.names == {
        "rainfall": "Rain",
        "Yield": "Harvest",
        "precipitation": "Rain",
        "Subsidy": "Subsidy",
    }
    assert list(union.places) == ["Debt", "Rain", "Harvest", "Price", "Subsidy"]


def test_places_a_person_gave_are_kept() -> None:
    before = {name: Point(300.0 * i, 50.0 * i) for i, name in enumerate(REFERENCE.nodes)}
    candidate = CausalGraph.of([Edge("Price", "Sales"), Edge("Sales", "Profit")])
    union = place_union(REFERENCE, candidate, before=before)
    assert {name: union.places[name] for name in REFERENCE.nodes} == before
    again = place_union(REFERENCE, candidate, before={**before, "Sales": Point(-900.0, 12.0)})
    assert again.places["Sales"] == Point(-900.0, 12.0)


def test_places_of_a_part_of_the_reference_are_kept_and_the_rest_stands_beside() -> None:
    union = place_union(REFERENCE, REFERENCE, before={"Rain": Point(5.0, 7.0)})
    assert union.places["Rain"] == Point(5.0, 7.0)
    assert set(union.places) == set(REFERENCE.nodes)


def test_places_of_nodes_that_neither_graph_has_are_left_out() -> None:
    union = place_union(REFERENCE, CausalGraph((), ()), before={"Gone": Point(0.0, 0.0)})
    assert set(union.places) == set(REFERENCE.nodes)


def test_an_empty_reference_leaves_the_candidate_its_own_layout() -> None:
    assert place_union(CausalGraph((), ()), REFERENCE).places == place(
        REFERENCE.nodes, [edge.pair for edge in REFERENCE.edges], sizes=sizes_of(REFERENCE)
    )


def test_an_alignment_to_nothing_is_refused() -> None:
    with pytest.raises(InvalidGraph, match="does not have"):
        place_union(REFERENCE, CausalGraph.of([Edge("a", "b")]), {"a": "Snow"})
