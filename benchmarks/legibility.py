"""Letters at first sight: size of labels in the figure's stage, and duration of a layout.

Peer: networkx's spring layout, drawn as tight as possible without overlapping labels. Goal: at least 9 px for every
diagram of up to twenty variables. The diagrams are those of the topology's measurement, with names of a usual length.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping

import networkx as nx

from benchmarks.harness import row
from benchmarks.topology import took_ms
from core.graphs.graph import CausalGraph
from core.graphs.labels import LabelSize, size_of
from core.graphs.layouts.fit_labels import STAGE
from core.graphs.layouts.layout import Point, place
from core.graphs.layouts.space import box_of
from tests.core.graphs.layouts.test_layout import tree_with_chords
from tests.core.graphs.test_topology import diagrams

LETTER_PX = 14  # at zoom 1
NAMES = ("Price", "lynx deaths", "hares killed per lynx", "effect of delivery delay on sales")
ROUNDS = 5


def measure() -> None:
    small = [graph for graph in diagrams() if 2 <= len(graph.nodes) <= 20]
    for words, layout in (("ours", ours), ("networkx, spring", spring)):
        letters = [px(layout(graph, sizes_of(graph)), sizes_of(graph)) for graph in small]
        low = sum(letter < 9 for letter in letters)
        print(
            f"{len(small)} diagrams, {words}: median {statistics.median(letters):.1f} px, "
            f"least {min(letters):.1f} px, {low} below 9 px"
        )
    nodes, edges = tree_with_chords(140, 66)
    plain = nx.Graph(edges)
    spring_ms = [took_ms(lambda: nx.spring_layout(plain, seed=1)) for _round in range(ROUNDS)]
    print(row("140 nodes and 205 edges, networkx, spring", spring_ms))
    print(row("140 nodes and 205 edges, ours", [took_ms(lambda: place(nodes, edges)) for _round in range(ROUNDS)]))


def sizes_of(graph: CausalGraph) -> dict[str, LabelSize]:
    return {node: size_of(NAMES[number % len(NAMES)]) for number, node in enumerate(graph.nodes)}


def ours(graph: CausalGraph, sizes: Mapping[str, LabelSize]) -> dict[str, Point]:
    return place(graph.nodes, [edge.pair for edge in graph.edges], sizes=sizes)


def spring(graph: CausalGraph, sizes: Mapping[str, LabelSize]) -> dict[str, Point]:
    plain = nx.Graph(edge.pair for edge in graph.edges)
    plain.add_nodes_from(graph.nodes)
    points = {
        node: Point(float(x) * STAGE[0], float(y) * STAGE[1])
        for node, (x, y) in nx.spring_layout(plain, seed=1).items()
    }
    scale = max(
        (_needed(points[a], points[b], sizes[a], sizes[b]) for a, b in itertools.combinations(points, 2)), default=1.0
    )
    return {node: Point(point.x * scale, point.y * scale) for node, point in points.items()}


def _needed(one: Point, other: Point, a: LabelSize, b: LabelSize) -> float:
    """Return how far two places must be drawn apart so that their labels do not overlap."""
    across, down = max(abs(one.x - other.x), 1e-9), max(abs(one.y - other.y), 1e-9)
    return min((a.width + b.width) / 2 / across, (a.height + b.height) / 2 / down)


def px(places: Mapping[str, Point], sizes: Mapping[str, LabelSize]) -> float:
    """Return the letters' height once the picture fills the stage; at most that at zoom 1.15."""
    box = box_of(places, sizes)
    return LETTER_PX * min(STAGE[0] / box.width, STAGE[1] / box.height, 1.15)
