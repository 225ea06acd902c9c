"""Truth and answer on one picture: the truth where it always stands, what only the answer has around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.names import fold_name
from core.graphs.union import place_union

Pair = tuple[str, str]
Side = Literal["truth", "answer", "both"]


@dataclass(frozen=True, slots=True)
class PicturedNode:
    """A node and its middle in pixels; of both where the names are equal after folding."""

    name: str
    x: float
    y: float
    side: Side


@dataclass(frozen=True, slots=True)
class PicturedEdge:
    """`source`, `sink`: places in the nodes; `truth`, `answer`: its number in each graph, 0 where that has none."""

    source: int
    sink: int
    truth: int
    answer: int


@dataclass(frozen=True, slots=True)
class Picture:
    nodes: tuple[PicturedNode, ...]
    edges: tuple[PicturedEdge, ...]


def picture_of(
    truth_nodes: Sequence[str], truth_edges: Sequence[Pair], answer_nodes: Sequence[str], answer_edges: Sequence[Pair]
) -> Picture:
    """Nodes are one where their names are equal after folding, and nowhere else: what else is the same is for a judge
    or a person to say.

    >>> found = picture_of(["Rain", "Flood"], [("Rain", "Flood")], ["rain", "Loss"], [("rain", "Loss")])
    >>> [(node.name, node.side) for node in found.nodes], [(edge.truth, edge.answer) for edge in found.edges]
    ([('Rain', 'both'), ('Flood', 'truth'), ('Loss', 'answer')], [(1, 0), (0, 1)])
    """
    folded = {fold_name(name): name for name in reversed(truth_nodes)}
    alignment: dict[str, str] = {}
    taken: set[str] = set()
    for name in answer_nodes:
        same = folded.get(fold_name(name))
        if same is not None and same not in taken:
            alignment[name] = same
            taken.add(same)
    truth = CausalGraph.of([Edge(*pair) for pair in truth_edges], nodes=truth_nodes)
    answer = CausalGraph.of([Edge(*pair) for pair in answer_edges], nodes=answer_nodes)
    union = place_union(truth, answer, alignment)
    place = {name: number for number, name in enumerate(union.places)}
    theirs = {union.names.get(name, name) for name in answer_nodes}
    own = set(truth_nodes)
    nodes = tuple(
        PicturedNode(name, point.x, point.y, "both" if name in own & theirs else "truth" if name in own else "answer")
        for name, point in union.places.items()
    )
    edges: dict[Pair, list[int]] = {pair: [number, 0] for number, pair in enumerate(truth_edges, 1)}
    for number, (source, sink) in enumerate(answer_edges, 1):
        pair = union.names.get(source, source), union.names.get(sink, sink)
        edges.setdefault(pair, [0, 0])[1] = number
    return Picture(
        nodes,
        tuple(PicturedEdge(place[source], place[sink], *numbers) for (source, sink), numbers in edges.items()),
    )
