"""Laws of the layout: every node placed, labels apart, nothing moves as the graph grows."""

from __future__ import annotations

import itertools
import json
import math
import random
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidGraph
from core.graphs.labels import LabelSize, size_of
from core.graphs.layouts.fit_labels import STAGE
from core.graphs.layouts.layout import CELL_X, CELL_Y, Point, bends, place, sketch
from core.graphs.layouts.new_layout import MOST_FITTED
from core.graphs.layouts.space import GAP_X, GAP_Y, box_of

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


def test_any_number_of_names_without_edges_finds_its_places() -> None:
    for words in ("", "Name ", "A fairly long name of a variable "):
        for count in range(1, 61):
            names = [f"{words}{number}" for number in range(count)]
            sizes = {name: size_of(name) for name in names}
            places = place(names, [], {}, sizes)
            assert len({(point.x, point.y) for point in places.values()}) == count
            in_rows = [number for _, number in sorted(Counter(point.y for point in places.values()).items())]
            assert set(in_rows[:-1]) <= {max(in_rows)}  # no cell stays empty for a hair


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
    with pytest.raises(InvalidGraph, match="does not exist"):
        place(["a"], [("a", "b")])


def test_places_of_nodes_that_are_gone_are_dropped() -> None:
    places = place(["a"], [], {"a": Point(5, 6), "gone": Point(7, 8)})
    assert places == {"a": Point(5, 6)}


def test_a_new_node_lands_near_its_only_neighbour() -> None:
    before = place(["a", "b"], [("a", "b")])
    after = place(["a", "b", "new"], [("a", "b"), ("b", "new")], before)
    near, new = after["b"], after["new"]
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


def test_a_graph_too_large_to_be_read_at_once_stands_in_rows_from_its_hub_on() -> None:
    nodes, edges = tree_with_chords(MOST_FITTED + 1, 200)
    edges += [("Variable number 7", other) for other in nodes[200:240]]
    places = place([*nodes, "alone"], edges)
    assert not overlapping(places)
    assert places == place([*reversed(nodes), "alone"], edges[::-1])
    assert min(places, key=lambda node: (places[node].y, places[node].x)) == "Variable number 7"
    box = box_of({node: places[node] for node in nodes}, {node: LabelSize(160, 40) for node in nodes})
    assert 0.7 < box.width / box.height / (STAGE[0] / STAGE[1]) < 1.4
    grown = place([*nodes, "alone", "new"], [*edges, ("new", nodes[3])], places)
    assert {node: grown[node] for node in places} == places and not overlapping(grown)


def test_many_small_parts_stand_in_rows_too_each_with_its_own() -> None:
    pairs = [(f"cause {n}", f"effect {n}") for n in range(MOST_FITTED)]
    places = place([node for pair in pairs for node in pair], pairs)
    assert not overlapping(places)
    assert all(math.hypot(places[a].x - places[b].x, places[a].y - places[b].y) < 300 for a, b in pairs)


def test_layout_needs_no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    nodes, edges = tree_with_chords(12, 4)
    assert len(place(nodes, edges)) == 12


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


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_nodes_and_edges_does_not_matter(graph: tuple[list[str], Edges], random: Random) -> None:
    nodes, edges = graph
    mixed_nodes, mixed_edges = list(nodes), list(edges)
    random.shuffle(mixed_nodes)
    random.shuffle(mixed_edges)
    assert place(mixed_nodes, mixed_edges) == place(nodes, edges)


@given(graphs(), st.data())
def test_growth_moves_nothing_and_overlaps_nothing(graph: tuple[list[str], Edges], data: st.DataObject) -> None:
    nodes, edges = graph
    old = nodes[: data.draw(st.integers(0, len(nodes)))]
    before = place(old, [edge for edge in edges if edge[0] in old and edge[1] in old])
    after = place(nodes, edges, before)
    assert {node: after[node] for node in old} == before
    assert list(after) == nodes
    assert not overlapping(after)


@given(graphs(), st.data())
def test_labels_of_any_size_keep_apart_in_a_new_picture_and_in_a_grown_one(
    graph: tuple[list[str], Edges], data: st.DataObject
) -> None:
    nodes, edges = graph
    wide, high = st.floats(40, 180), st.sampled_from([31.5, 47.0, 62.5, 93.5])
    sizes = {node: LabelSize(data.draw(wide), data.draw(high)) for node in nodes}
    old = nodes[: data.draw(st.integers(0, len(nodes)))]
    before = place(old, [edge for edge in edges if edge[0] in old and edge[1] in old], sizes=sizes)
    for places in (before, place(nodes, edges, before, sizes)):
        for one, other in itertools.combinations(places, 2):
            (p, a), (q, b) = (places[one], sizes[one]), (places[other], sizes[other])
            assert (
                abs(p.x - q.x) >= (a.width + b.width) / 2 + GAP_X - 0.1
                or abs(p.y - q.y) >= (a.height + b.height) / 2 + GAP_Y - 0.1
            )


# --- legibility ---------------------------------------------------------------------------------------------------


def zoom(places: dict[str, Point], sizes: dict[str, LabelSize]) -> float:
    box = box_of(places, sizes)
    return min(STAGE[0] / box.width, STAGE[1] / box.height)


@pytest.mark.parametrize("chords", [0, 4, 12])
@pytest.mark.parametrize("n", [8, 14, 20])
def test_labels_of_up_to_twenty_variables_are_read_without_zooming(n: int, chords: int) -> None:
    nodes, edges = tree_with_chords(n, chords)
    sizes = {node: size_of("effect of delay on sales") for node in nodes}
    places = place(nodes, edges, sizes=sizes)
    assert 14 * zoom(places, sizes) >= 9


@pytest.mark.parametrize("name", ["farm-succession", "reservoir-prediction", "reservoir-with-signs"])
def test_labels_of_the_demo_s_graphs_are_read_without_zooming(name: str) -> None:
    graph = json.loads((Path(__file__).parents[4] / "demo" / "graphs" / f"{name}.json").read_text("utf-8"))
    edges = [(edge["source"], edge.get("sink") or edge["target"]) for edge in graph["edges"]]
    nodes = list(dict.fromkeys(itertools.chain(*edges)))
    sizes = {node: size_of(node) for node in nodes}
    assert 14 * zoom(place(nodes, edges, sizes=sizes), sizes) >= 11


def test_a_chain_that_grows_node_by_node_turns_instead_of_leaving_the_stage() -> None:
    nodes, edges = ["n0"], Edges()
    sizes = {f"n{i}": LabelSize(100, 47) for i in range(20)}
    places = place(nodes, edges, sizes=sizes)
    for i in range(1, 20):
        nodes.append(f"n{i}")
        edges.append((f"n{i - 1}", f"n{i}"))
        places = place(nodes, edges, places, sizes)
    assert 14 * zoom(places, sizes) >= 9


def test_parts_of_a_graph_share_the_stage() -> None:
    chains = [[f"{part}{i}" for i in range(5)] for part in "abcd"]
    nodes = [*itertools.chain(*chains), "alone", "apart"]
    edges = [pair for chain in chains for pair in itertools.pairwise(chain)]
    sizes = {node: LabelSize(100, 47) for node in nodes}
    assert 14 * zoom(place(nodes, edges, sizes=sizes), sizes) >= 9


# --- bends --------------------------------------------------------------------------------------------------------


def test_a_free_edge_is_straight_and_a_reciprocal_pair_parts() -> None:
    places = {"a": Point(0, 0), "b": Point(300, 0)}
    assert bends(places, [("a", "b")]) == [0.0]
    assert bends(places, [("a", "b"), ("b", "a")]) == [0.16, 0.16]  # each to its own left


def test_an_edge_bows_around_a_label_in_its_way() -> None:
    places = {"a": Point(0, 0), "between": Point(300, 0), "b": Point(600, 0)}
    assert bends(places, [("a", "between"), ("between", "b")]) == [0.0, 0.0]
    assert bends(places, [("a", "b")])[0] != 0.0


def test_a_line_bows_around_a_label_only_as_far_as_it_reaches() -> None:
    places = {"a": Point(0, 0), "between": Point(300, 21), "b": Point(600, 0)}
    assert bends(places, [("a", "b")])[0] != 0.0
    assert bends(places, [("a", "b")], {"between": LabelSize(60, 31.5)}) == [0.0]


def test_two_edges_from_one_source_to_one_sink_do_not_lie_on_each_other() -> None:
    places = {"a": Point(0, 0), "b": Point(300, 0)}
    assert len(set(bends(places, [("a", "b"), ("a", "b")]))) == 2


def test_a_self_loop_needs_no_bend() -> None:
    assert bends({"a": Point(0, 0)}, [("a", "a")]) == [0.0]


def covered_labels(places: dict[str, Point], source: str, sink: str, bow: float) -> int:
    """How many labels (160 × 40, four pixels of air) a bow passes over, point by point."""
    (ax, ay), (bx, by) = ((places[end].x, places[end].y) for end in (source, sink))
    reach, turn = abs(bow) / 2 + 0.5, bow * math.pi / 2
    cx = ax + reach * (math.cos(turn) * (bx - ax) + math.sin(turn) * (by - ay))
    cy = ay + reach * (math.cos(turn) * (by - ay) - math.sin(turn) * (bx - ax))
    shares = [0.06 + step * 0.88 / 17 for step in range(18)]
    line = [
        tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * c + t**2 * b for a, c, b in ((ax, cx, bx), (ay, cy, by)))
        for t in shares
    ]
    others = [point for name, point in places.items() if name not in (source, sink)]
    return sum(any(abs(x - at.x) < 84 and abs(y - at.y) < 24 for x, y in line) for at in others)


@pytest.mark.parametrize("seed", range(6))
def test_an_edge_takes_the_slightest_bow_that_passes_the_fewest_labels(seed: int) -> None:
    draw = random.Random(seed)
    places = {str(n): Point(draw.uniform(0, 1800), draw.uniform(0, 700)) for n in range(30)}
    edges = [(str(n), str((n * 7 + 3 + seed) % 30)) for n in range(30)]
    edges = [edge for edge in edges if edge[0] != edge[1] and (edge[1], edge[0]) not in edges]
    for (source, sink), bend in zip(edges, bends(places, edges), strict=True):
        options = (0.0, 0.16, -0.16, 0.28, -0.28, 0.42, -0.42)
        least = min(options, key=lambda bow: (covered_labels(places, source, sink, bow), abs(bow)))
        assert bend == least, (source, sink)


def test_a_sketch_has_a_place_for_every_node_and_parts_beside_each_other() -> None:
    nodes = [*"ABCDEF"]
    places = sketch(nodes, [("A", "B"), ("B", "C"), ("C", "A"), ("D", "E"), ("D", "D")])
    assert list(places) == nodes
    assert len(set(places.values())) == len(nodes)
    left, right = (sorted(places[node].x for node in part) for part in ("ABC", "DE"))
    top, bottom = (sorted(places[node].y for node in part) for part in ("ABC", "DE"))
    assert left[-1] < right[0] or right[-1] < left[0] or top[-1] < bottom[0] or bottom[-1] < top[0]
    assert places["F"].y > max(places[node].y for node in "ABCDE")
    assert places == sketch(nodes, [("C", "A"), ("B", "C"), ("A", "B"), ("D", "E")])
    assert sketch([], []) == {}
