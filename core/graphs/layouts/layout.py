"""Positions of a graph's nodes: the same graph always has the same picture, and a growing graph keeps its positions.

A new picture minimises stress (`stress`), is turned and compressed until its labels can be read (`fit_labels`), and its
parts are packed (`new_layout`); an existing picture only grows (`incremental_layout`). Units are pixels at
zoom 1, y downwards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import InvalidGraph
from core.graphs.labels import LabelSize
from core.graphs.layouts.incremental_layout import grown
from core.graphs.layouts.new_layout import fresh, sketched
from core.graphs.layouts.space import CELL_X, CELL_Y, LABEL, Point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["CELL_X", "CELL_Y", "Point", "bends", "place", "sketch"]

_BOWS = (0.16, 0.28, 0.42)  # bends tried, slight first
_BENDS = (0.0, *(way * bow for bow in _BOWS for way in (1, -1)))
_LEFT = tuple(_BENDS.index(bow) for bow in _BOWS)
_EDGES_AT_ONCE, _PAIRS_AT_ONCE = 128, 4096  # so that a large graph takes little memory
_LINE_MARGIN = 4.0  # pixels between a line and a label


def place(
    nodes: Sequence[str],
    edges: Sequence[tuple[str, str]],
    before: Mapping[str, Point] | None = None,
    sizes: Mapping[str, LabelSize] | None = None,
) -> dict[str, Point]:
    """Return a position for every node, in the order of `nodes`; no two labels of `sizes` (default 160 × 40 px)
    overlap.

    Nodes in `before` keep exactly their position and new ones are put near their neighbours. Without `before` each
    connected part is laid out alone, in the proportions of the figure's stage and as tight as its labels need to be
    read there; the parts are packed, with isolated nodes in rows below. The order of nodes and edges, repeated edges
    and self-loops do not change the result.

    Raises InvalidGraph if an edge names a node that is not in `nodes`.

    >>> place(["Price", "Demand"], [("Price", "Demand")])
    {'Price': Point(x=80.0, y=20.0), 'Demand': Point(x=316.0, y=20.0)}
    """
    links = _checked_links(nodes, edges)
    boxes = {node: (sizes or {}).get(node, LABEL) for node in links}
    fixed = {node: point for node, point in (before or {}).items() if node in links}
    places = grown(links, edges, fixed, boxes) if fixed else fresh(links, edges, boxes)
    return {node: places[node] for node in dict.fromkeys(nodes)}


def sketch(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, Point]:
    """Return positions for a small picture without names, in the order of `nodes`: fast, and its boxes may overlap."""
    places = sketched(_checked_links(nodes, edges), LABEL)
    return {node: places[node] for node in nodes}


def _checked_links(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, set[str]]:
    links: dict[str, set[str]] = {node: set() for node in sorted(set(nodes))}
    for source, sink in edges:
        if source not in links or sink not in links:
            raise InvalidGraph(f"The edge “{source}” → “{sink}” points to a node that does not exist.")
        if source != sink:
            links[source].add(sink)
            links[sink].add(source)
    return links


def bends(
    places: Mapping[str, Point], edges: Sequence[tuple[str, str]], sizes: Mapping[str, LabelSize] | None = None
) -> list[float]:
    """Return the bend of each edge that separates lines and passes few labels of other nodes.

    0 is straight; a positive bend bows to the left of travel, as vis-network's "curvedCW" with that roundness, a
    negative one to the right. Both edges of a reciprocal pair bow to their own left, so they separate. Labels are of
    `sizes`, 160 × 40 px by default.

    >>> bends({"a": Point(0, 0), "b": Point(236, 0)}, [("a", "b"), ("b", "a")])
    [0.16, 0.16]
    """
    import numpy as np

    spots = np.array([(point.x, point.y) for point in places.values()]).reshape(-1, 2)
    boxes = [(sizes or {}).get(node, LABEL) for node in places]
    half = np.array([(box.width / 2 + _LINE_MARGIN, box.height / 2 + _LINE_MARGIN) for box in boxes]).reshape(-1, 2)
    index = {node: i for i, node in enumerate(places)}
    present = set(edges)
    ends = np.array([(index[source], index[sink]) for source, sink in edges], dtype=int).reshape(-1, 2)
    covered = _labels_under(ends, spots, half)
    drawn: dict[tuple[str, str], int] = {}
    chosen: list[float] = []
    for (source, sink), under in zip(edges, covered, strict=True):
        twin = drawn.get((source, sink), 0)
        drawn[source, sink] = twin + 1
        if source == sink:
            chosen.append(0.0)
            continue
        options = _LEFT if (sink, source) in present else range(len(_BENDS))
        ranked = sorted(options, key=lambda k: (under[k], abs(_BENDS[k])))
        chosen.append(_BENDS[ranked[twin % len(ranked)]])
    return chosen


def _labels_under(ends: Array, spots: Array, half: Array) -> list[list[int]]:
    """Return how many labels of other nodes, of half sizes `half`, each of _BENDS of each edge passes over; `ends` are
    the places of its source and its sink among `spots`. All edges at once, for speed: a graph of 200 is drawn at every
    act."""
    import numpy as np

    start, step = spots[ends[:, 0]], spots[ends[:, 1]] - spots[ends[:, 0]]
    left = np.stack((step[:, 1], -step[:, 0]), axis=1)  # y grows downwards
    bow = np.array(_BENDS)[None, :, None]
    reach, turn = np.abs(bow) / 2 + 0.5, bow * math.pi / 2
    bend = start[:, None] + reach * (np.cos(turn) * step[:, None] + np.sin(turn) * left[:, None])
    along = np.linspace(0.06, 0.94, 18)[None, None, :, None]
    line = (1 - along) ** 2 * start[:, None, None] + 2 * along * (1 - along) * bend[:, :, None, :]
    line = line + along**2 * spots[ends[:, 1]][:, None, None]
    counts = np.zeros((len(ends), len(_BENDS)), dtype=int)
    for first in range(0, len(ends), _EDGES_AT_ONCE):
        part = slice(first, first + _EDGES_AT_ONCE)
        edge, label = np.nonzero(_near_labels(ends[part], start[part], step[part], left[part], spots, half))
        for some in range(0, len(edge), _PAIRS_AT_ONCE):
            one, other = edge[some : some + _PAIRS_AT_ONCE] + first, label[some : some + _PAIRS_AT_ONCE]
            away = np.abs(line[one] - spots[other][:, None, None, :])
            np.add.at(counts, one, (away < half[other][:, None, None, :]).all(axis=-1).any(axis=-1))
    label_counts: list[list[int]] = counts.tolist()
    return label_counts


def _near_labels(ends: Array, start: Array, step: Array, left: Array, spots: Array, half: Array) -> Array:
    """Return the labels (columns) so near to an edge (rows) that one of its bends may pass over them: no further from
    the line than the widest bow reaches, half the distance of its control point."""
    import numpy as np

    length = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-9)[:, None]
    away = spots[None, :] - start[:, None]
    along = (away * step[:, None]).sum(axis=2) / length
    aside = np.abs((away * left[:, None]).sum(axis=2)) / length
    widest = max((bow / 2 + 0.5) * math.sin(bow * math.pi / 2) for bow in _BOWS) / 2
    room = np.hypot(half[:, 0], half[:, 1])[None, :]
    near: Array = (aside < widest * length + room) & (along > -room) & (along < length + room)
    rows = np.arange(len(ends))
    near[rows, ends[:, 0]] = near[rows, ends[:, 1]] = False
    return near
