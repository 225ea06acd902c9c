"""Truth and answer on one picture: the truth at its usual positions, the answer's other nodes around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.union import place_union
from core.verdicts.counterparts import same_names

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedNode:
    """A node and its middle in pixels. `truth`, `answer`: its number in each graph, 0 if it is not there; it is of both
    if the names are equal after folding."""

    name: str
    x: float
    y: float
    truth: int
    answer: int


@dataclass(frozen=True, slots=True)
class PicturedEdge:
    """`source`, `sink`: places in the nodes; `truth`, `answer`: its number in each graph, 0 if it is not there."""

    source: int
    sink: int
    truth: int
    answer: int


@dataclass(frozen=True, slots=True)
class Picture:
    nodes: tuple[PicturedNode, ...]
    edges: tuple[PicturedEdge, ...]


def picture_of(
    truth_nodes: Sequence[str],
    truth_edges: Sequence[Pair],
    answer_nodes: Sequence[str],
    answer_edges: Sequence[Pair],
    near: Iterable[tuple[int, int]] = (),
) -> Picture:
    """Return the picture. Nodes are one only if their names are equal after folding; other matches are for a judge or a
    person to decide, and move nothing. `near`: numbers of nodes (truth, answer) to put near each other.

    >>> found = picture_of(["Flood", "Rain"], [("Rain", "Flood")], ["Loss", "rain"], [("rain", "Loss")])
    >>> [(node.name, node.truth, node.answer) for node in found.nodes]
    [('Flood', 1, 0), ('Rain', 2, 2), ('Loss', 0, 1)]
    >>> [(edge.truth, edge.answer) for edge in found.edges]
    [(1, 0), (0, 1)]
    """
    same = same_names(truth_nodes, answer_nodes)
    alignment = {answer_nodes[answer - 1]: truth_nodes[truth - 1] for answer, truth in same.items()}
    truth = CausalGraph.of([Edge(*pair) for pair in truth_edges], nodes=truth_nodes)
    answer = CausalGraph.of([Edge(*pair) for pair in answer_edges], nodes=answer_nodes)
    union = place_union(truth, answer, alignment, near=[(truth_nodes[a - 1], answer_nodes[b - 1]) for a, b in near])
    place = {name: number for number, name in enumerate(union.places)}
    truths = {name: number for number, name in enumerate(truth_nodes, 1)}
    answers = {union.names[name]: number for number, name in enumerate(answer_nodes, 1)}
    nodes = tuple(
        PicturedNode(name=name, x=point.x, y=point.y, truth=truths.get(name, 0), answer=answers.get(name, 0))
        for name, point in union.places.items()
    )
    edges: dict[Pair, list[int]] = {pair: [number, 0] for number, pair in enumerate(truth_edges, 1)}
    for number, (source, sink) in enumerate(answer_edges, 1):
        edges.setdefault((union.names[source], union.names[sink]), [0, 0])[1] = number
    return Picture(
        nodes,
        tuple(PicturedEdge(place[source], place[sink], *numbers) for (source, sink), numbers in edges.items()),
    )
