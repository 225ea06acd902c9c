"""Laws of the layout: every node placed, labels apart, nothing moves as the graph grows."""

from __future__ import annotations

import itertools
import math
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InvalidGraph
from core.graphs.layout import CELL_X, CELL_Y, Point, bends, place

Edges = list[tuple[str, str]]
NAMES = [f"v{i}" for i in range(14)]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], Edges]:
    nodes = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=14))
    if not nodes:
        return [], []
    end = st.sampled_from(nodes)
    return nodes, draw(st.lists(st.tuples(end, end), max_size=30))


def overlapping(places: dict[str, Point]) -> list[tuple[str, str]]:
    """Pairs whose 160 x 40 labels touch."""
    items = sorted(places.items())
    return [
        (a, b)
        for i, (a, p) in enumerate(items)
        for b, q in items[i + 1 :]
        if abs(p.x - q.x) < 160 and abs(p.y - q.y) < 40
    ]


def tree_with_chords(n: int, chords: int) -> tuple[list[str], Edges]:
    """A connected graph of n nodes and n - 1 + chords edges, from arithmetic rather than chance."""
    nodes = [f"Variable number {i}" for i in range(n)]
    tree = [(nodes[i], nodes[i - 1 - (i * 7) % min(i, 9)]) for i in range(1, n)]
    extra = [(nodes[(i * 31) % n], nodes[(i * 53 + 17) % n]) for i in range(chords)]
    return nodes, tree + extra


def test_the_empty_graph_has_no_places() -> None:
    assert place([], []) == {}


def test_a_cause_stands_left_of_its_effect() -> None:
    places = place(["Demand", "Price"], [("Price", "Demand")])
    assert places["Price"].x < places["Demand"].x
    assert places["Price"].y == places["Demand"].y


def test_a_feedback_loop_of_four_is_drawn_as_a_ring() -> None:
    ring = ["a", "b", "c", "d"]
    places = place(ring, [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    middle = Point(sum(p.x for p in places.values()) / 4, sum(p.y for p in places.values()) / 4)
    # an ellipse: opposite nodes mirror each other in the middle
    for one, other in (("a", "c"), ("b", "d")):
        assert places[one].x + places[other].x == pytest.approx(2 * middle.x, abs=2)
        assert places[one].y + places[other].y == pytest.approx(2 * middle.y, abs=2)


def test_self_loops_reciprocal_pairs_and_repeats_add_nothing_to_the_layout() -> None:
    plain = place(["a", "b"], [("a", "b")])
    busy = place(["a", "b"], [("a", "b"), ("a", "b"), ("a", "a")])
    assert busy == plain
    assert not overlapping(place(["a", "b"], [("a", "b"), ("b", "a"), ("b", "b")]))


def test_isolated_nodes_stand_in_a_row_below_the_rest() -> None:
    places = place(["a", "b", "x", "y", "z"], [("a", "b")])
    row = [places[name] for name in "xyz"]
    assert len({point.y for point in row}) == 1
    assert row[0].y > max(places["a"].y, places["b"].y)
    assert [b.x - a.x for a, b in itertools.pairwise(row)] == [CELL_X, CELL_X]


def test_unconnected_parts_do_not_mix() -> None:
    places = place(list("abcdef"), [("a", "b"), ("b", "c"), ("d", "e"), ("e", "f")])
    first, second = [places[n] for n in "abc"], [places[n] for n in "def"]
    beside = max(p.x for p in first) < min(p.x for p in second) or max(p.x for p in second) < min(p.x for p in first)
    below = max(p.y for p in first) < min(p.y for p in second) or max(p.y for p in second) < min(p.y for p in first)
    assert beside or below


def test_an_edge_to_nowhere_is_refused() -> None:
    with pytest.raises(InvalidGraph, match="not there"):
        place(["a"], [("a", "b")])


def test_places_of_nodes_that_are_gone_are_dropped() -> None:
    places = place(["a"], [], {"a": Point(5, 6), "gone": Point(7, 8)})
    assert places == {"a": Point(5, 6)}


def test_a_new_node_lands_near_its_only_neighbour() -> None:
    before = place(["a", "b", "c"], [("a", "b"), ("b", "c")])
    after = place(["a", "b", "c", "new"], [("a", "b"), ("b", "c"), ("c", "new")], before)
    near, new = after["c"], after["new"]
    assert math.hypot(new.x - near.x, new.y - near.y) < 2 * CELL_X
    assert new.x > near.x  # an effect right of its cause, where there is room


def test_a_hub_with_forty_spokes_has_no_overlap() -> None:
    spokes = [f"s{i}" for i in range(40)]
    assert not overlapping(place(["hub", *spokes], [(name, "hub") for name in spokes]))


def test_the_largest_published_size_is_laid_out_without_overlap() -> None:
    nodes, edges = tree_with_chords(140, 66)
    assert (len(nodes), len(edges)) == (140, 205)
    places = place(nodes, edges)
    assert not overlapping(places)


def test_layout_needs_no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    nodes, edges = tree_with_chords(12, 4)
    assert len(place(nodes, edges)) == 12


@settings(max_examples=80, deadline=None)
@given(graphs())
def test_every_node_is_placed_at_a_finite_spot_of_its_own(graph: tuple[list[str], Edges]) -> None:
    nodes, edges = graph
    places = place(nodes, edges)
    assert list(places) == nodes
    assert all(math.isfinite(point.x) and math.isfinite(point.y) for point in places.values())
    points = list(places.values())
    assert all(
        abs(p.x - q.x) >= CELL_X or abs(p.y - q.y) >= CELL_Y for i, p in enumerate(points) for q in points[i + 1 :]
    )


@settings(max_examples=60, deadline=None)
@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_nodes_and_edges_does_not_matter(graph: tuple[list[str], Edges], random: object) -> None:
    nodes, edges = graph
    mixed_nodes, mixed_edges = list(nodes), list(edges)
    random.shuffle(mixed_nodes)  # type: ignore[attr-defined]
    random.shuffle(mixed_edges)  # type: ignore[attr-defined]
    assert place(mixed_nodes, mixed_edges) == place(nodes, edges)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_growth_moves_nothing_and_overlaps_nothing(graph: tuple[list[str], Edges], data: st.DataObject) -> None:
    nodes, edges = graph
    old = nodes[: data.draw(st.integers(0, len(nodes)))]
    before = place(old, [edge for edge in edges if edge[0] in old and edge[1] in old])
    after = place(nodes, edges, before)
    assert {node: after[node] for node in old} == before
    assert list(after) == nodes
    assert not overlapping(after)


def test_a_free_edge_is_straight_and_a_reciprocal_pair_parts() -> None:
    places = {"a": Point(0, 0), "b": Point(300, 0)}
    assert bends(places, [("a", "b")]) == [0.0]
    assert bends(places, [("a", "b"), ("b", "a")]) == [0.16, 0.16]  # each to its own left


def test_an_edge_bows_around_a_label_in_its_way() -> None:
    places = {"a": Point(0, 0), "between": Point(300, 0), "b": Point(600, 0)}
    assert bends(places, [("a", "between"), ("between", "b")]) == [0.0, 0.0]
    assert bends(places, [("a", "b")])[0] != 0.0


def test_two_edges_from_one_source_to_one_sink_do_not_lie_on_each_other() -> None:
    places = {"a": Point(0, 0), "b": Point(300, 0)}
    assert len(set(bends(places, [("a", "b"), ("a", "b")]))) == 2


def test_a_self_loop_needs_no_bend() -> None:
    assert bends({"a": Point(0, 0)}, [("a", "a")]) == [0.0]
