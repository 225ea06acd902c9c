"""Places for the nodes of a graph: the same graph always gets the same picture, and a growing one never jumps.

A new picture minimises stress (`stress`), is turned and squeezed until its labels can be read (`fitting`), and its
parts are packed (`fresh`); a picture that stands only grows (`growth`). Units are pixels at zoom 1, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import InvalidGraph
from core.graphs.labels import LabelSize
from core.graphs.layouts.incremental_layout import grown
from core.graphs.layouts.new_layout import fresh
from core.graphs.layouts.space import CELL_X, CELL_Y, LABEL, Point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["CELL_X", "CELL_Y", "Point", "bends", "place"]

_BOWS = (0.16, 0.28, 0.42)  # bends tried, slight first
_BESIDE = 4.0  # pixels that a line stays off a label


def place(
    nodes: Sequence[str],
    edges: Sequence[tuple[str, str]],
    before: Mapping[str, Point] | None = None,
    sizes: Mapping[str, LabelSize] | None = None,
) -> dict[str, Point]:
    """Give every node a place, in the order of `nodes`; no two labels of `sizes` overlap (160 × 40 px if not said).

    Nodes in `before` keep exactly their place and new ones are put near their neighbours. Without `before` each
    connected part is laid out alone, in the proportions of the figure's stage and as tight as its labels need to be
    read there; the parts are packed beside each other, isolated nodes stand in rows below. The order of nodes and
    edges, repeated edges and self-loops do not change the result.

    Raises InvalidGraph if an edge names a node that is not in `nodes`.

    >>> place(["Price", "Demand"], [("Price", "Demand")])
    {'Price': Point(x=80.0, y=20.0), 'Demand': Point(x=316.0, y=20.0)}
    """
    links = _checked_links(nodes, edges)
    boxes = {node: (sizes or {}).get(node, LABEL) for node in links}
    fixed = {node: point for node, point in (before or {}).items() if node in links}
    places = grown(links, edges, fixed, boxes) if fixed else fresh(links, edges, boxes)
    return {node: places[node] for node in dict.fromkeys(nodes)}


def _checked_links(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, set[str]]:
    """Neighbours of each node, itself excluded."""
    links: dict[str, set[str]] = {node: set() for node in sorted(set(nodes))}
    for source, sink in edges:
        if source not in links or sink not in links:
            raise InvalidGraph(f'The edge "{source}" -> "{sink}" points to a node that is not there.')
        if source != sink:
            links[source].add(sink)
            links[sink].add(source)
    return links


def bends(
    places: Mapping[str, Point], edges: Sequence[tuple[str, str]], sizes: Mapping[str, LabelSize] | None = None
) -> list[float]:
    """How far each edge bows out so that lines keep apart and pass few labels of other nodes.

    0 is straight; a positive bend bows to the left of travel, as vis-network's "curvedCW" with that roundness, a
    negative one to the right. Both edges of a reciprocal pair bow to their own left, so they separate. Labels are
    of `sizes`, 160 × 40 px if not said.

    >>> bends({"a": Point(0, 0), "b": Point(236, 0)}, [("a", "b"), ("b", "a")])
    [0.16, 0.16]
    """
    import numpy as np

    spots = np.array([(point.x, point.y) for point in places.values()]).reshape(-1, 2)
    boxes = [(sizes or {}).get(node, LABEL) for node in places]
    half = np.array([(box.width / 2 + _BESIDE, box.height / 2 + _BESIDE) for box in boxes]).reshape(-1, 2)
    index = {node: i for i, node in enumerate(places)}
    present = set(edges)
    drawn: dict[tuple[str, str], int] = {}
    chosen: list[float] = []
    for source, sink in edges:
        twin = drawn.get((source, sink), 0)
        drawn[source, sink] = twin + 1
        if source == sink:
            chosen.append(0.0)
            continue
        options = _BOWS if (sink, source) in present else (0.0, *(way * bow for bow in _BOWS for way in (1, -1)))
        covered = _labels_under(index[source], index[sink], options, spots, half)
        ranked = sorted(range(len(options)), key=lambda k: (covered[k], abs(options[k])))
        chosen.append(options[ranked[twin % len(options)]])
    return chosen


def _labels_under(source: int, sink: int, options: Sequence[float], spots: Array, half: Array) -> list[int]:
    """How many labels of other nodes, of half sizes `half`, each option of one edge passes over."""
    import numpy as np

    start, step = spots[source], spots[sink] - spots[source]
    # A bow never leaves the circle around the edge's middle; most labels of a large graph lie outside it.
    near = (np.abs(spots - (start + step / 2)) - np.hypot(*step) < half).all(axis=1)
    near[[source, sink]] = False
    if not near.any():
        return [0] * len(options)
    left = np.array((step[1], -step[0]))  # y grows downwards
    bow = np.array(options)[:, None]
    reach, turn = np.abs(bow) / 2 + 0.5, bow * math.pi / 2
    bend = start + reach * (np.cos(turn) * step + np.sin(turn) * left)
    along = np.linspace(0.06, 0.94, 18)[None, :, None]
    line = (1 - along) ** 2 * start + 2 * along * (1 - along) * bend[:, None, :] + along**2 * spots[sink]
    away = np.abs(line[:, :, None, :] - spots[near][None, None, :, :])
    hit = (away < half[near]).all(axis=-1).any(axis=1)
    return [int(count) for count in hit.sum(axis=1)]
