"""Places for the nodes of a graph: the same graph always gets the same picture, and a growing one never jumps.

A new layout minimises stress (Gansner, Koren & North 2005, "Graph Drawing by Stress Majorization"), which draws
feedback loops as rings. It needs numpy alone and no random numbers. Units are pixels at zoom 1, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import InvalidGraph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

CELL_X = 184.0
"""Least horizontal distance of two nodes in one row: a 160 px label and a gap."""
CELL_Y = 68.0
"""Least vertical distance of two nodes in one column: a label of one to three lines and a gap."""

_STEP_X, _STEP_Y = 236.0, 128.0  # length of one edge across and down: labels are four times as wide as high
_ASPECT = 1.9  # of the whole picture: width over height
_ROUNDS = 120  # of stress majorisation; the stress of real diagrams is flat by then
_BOWS = (0.16, 0.28, 0.42)  # bends tried, slight first
_SWEEPS = 300  # of pushing overlapping labels apart


@dataclass(frozen=True, slots=True)
class Point:
    """The centre of a node in pixels at zoom 1; y grows downwards."""

    x: float
    y: float


def place(
    nodes: Sequence[str], edges: Sequence[tuple[str, str]], before: Mapping[str, Point] | None = None
) -> dict[str, Point]:
    """Give every node a place, in the order of `nodes`; labels of 160 × 40 px do not overlap.

    Nodes in `before` keep exactly their place and new ones are put near their neighbours. Without `before` each
    connected part is laid out alone, the parts are packed beside each other, isolated nodes stand in rows below.
    The order of nodes and edges, repeated edges and self-loops do not change the result.

    Raises InvalidGraph if an edge names a node that is not in `nodes`.

    >>> place(["Price", "Demand"], [("Price", "Demand")])
    {'Price': Point(x=0.0, y=0.0), 'Demand': Point(x=236.0, y=0.0)}
    """
    links = _checked_links(nodes, edges)
    fixed = {node: point for node, point in (before or {}).items() if node in links}
    places = _grown(links, edges, fixed) if fixed else _fresh(links, edges)
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


def bends(places: Mapping[str, Point], edges: Sequence[tuple[str, str]]) -> list[float]:
    """How far each edge bows out so that lines keep apart and pass few labels of other nodes.

    0 is straight; a positive bend bows to the left of travel, as vis-network's "curvedCW" with that roundness, a
    negative one to the right. Both edges of a reciprocal pair bow to their own left, so they separate.

    >>> bends({"a": Point(0, 0), "b": Point(236, 0)}, [("a", "b"), ("b", "a")])
    [0.16, 0.16]
    """
    import numpy as np

    spots = np.array([(point.x, point.y) for point in places.values()]).reshape(-1, 2)
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
        covered = _labels_under(index[source], index[sink], options, spots)
        ranked = sorted(range(len(options)), key=lambda k: (covered[k], abs(options[k])))
        chosen.append(options[ranked[twin % len(options)]])
    return chosen


def _labels_under(source: int, sink: int, options: Sequence[float], spots: Array) -> list[int]:
    """How many labels of other nodes each option of one edge passes over."""
    import numpy as np

    start, step = spots[source], spots[sink] - spots[source]
    others = np.delete(spots, (source, sink), axis=0)
    # A bow never leaves the circle around the edge's middle; most labels of a large graph lie outside it.
    far = np.abs(others - (start + step / 2)) - np.hypot(*step)
    others = others[(far[:, 0] < CELL_X) & (far[:, 1] < CELL_Y)]
    if not len(others):
        return [0] * len(options)
    left = np.array((step[1], -step[0]))  # y grows downwards
    bow = np.array(options)[:, None]
    reach, turn = np.abs(bow) / 2 + 0.5, bow * math.pi / 2
    bend = start + reach * (np.cos(turn) * step + np.sin(turn) * left)
    along = np.linspace(0.06, 0.94, 18)[None, :, None]
    line = (1 - along) ** 2 * start + 2 * along * (1 - along) * bend[:, None, :] + along**2 * spots[sink]
    away = np.abs(line[:, :, None, :] - others[None, None, :, :])
    hit = ((away[..., 0] < CELL_X * 0.4) & (away[..., 1] < CELL_Y * 0.36)).any(axis=1)
    return [int(count) for count in hit.sum(axis=1)]


# --- a whole new layout -------------------------------------------------------------------------------------------


def _fresh(links: Mapping[str, set[str]], edges: Iterable[tuple[str, str]]) -> dict[str, Point]:
    directed = sorted({edge for edge in edges if edge[0] != edge[1]})
    parts = _parts(links)
    blocks = [_part_layout(part, links, directed) for part in parts if len(part) > 1]
    places = _packed(blocks)
    _add_row(places, [part[0] for part in parts if len(part) == 1], below=_box(places.values()))
    return places


def _parts(links: Mapping[str, set[str]]) -> list[list[str]]:
    """Weakly connected parts, largest first, each sorted."""
    found: list[list[str]] = []
    seen: set[str] = set()
    for start in links:
        if start in seen:
            continue
        part, waiting = {start}, [start]
        while waiting:
            fresh = links[waiting.pop()] - part
            part |= fresh
            waiting.extend(fresh)
        seen |= part
        found.append(sorted(part))
    return sorted(found, key=lambda part: (-len(part), part))


def _part_layout(
    part: Sequence[str], links: Mapping[str, set[str]], directed: Iterable[tuple[str, str]]
) -> dict[str, Point]:
    import numpy as np

    index = {node: i for i, node in enumerate(part)}
    spots = _least_stress(_distances(part, index, links))
    ends = np.array([(index[a], index[b]) for a, b in directed if a in index], dtype=int)
    spots = _turned(spots, ends) * (_STEP_X, _STEP_Y)
    spots = _apart(spots)
    loose = {node: Point(float(x), float(y)) for node, (x, y) in zip(part, spots, strict=True)}
    return _settled(loose)


def _distances(part: Sequence[str], index: Mapping[str, int], links: Mapping[str, set[str]]) -> Array:
    """Ideal distances, parts x parts, in edge lengths; edges at busy nodes are longer, so that stars have room."""
    import networkx as nx
    import numpy as np

    graph = nx.Graph()
    graph.add_nodes_from(range(len(part)))
    for node in part:
        for other in links[node]:
            if node < other:
                private = len(links[node] ^ links[other]) - 2
                graph.add_edge(index[node], index[other], weight=1.0 + 0.12 * math.sqrt(max(private - 2, 0)))
    wanted = np.zeros((len(part), len(part)))
    for start, reached in nx.all_pairs_dijkstra_path_length(graph):
        for end, length in reached.items():
            wanted[start, end] = length
    return (wanted + wanted.T) / 2


def _least_stress(wanted: Array) -> Array:
    """Positions, nodes x 2, whose distances come nearest to `wanted`; starts from classical scaling."""
    import numpy as np

    n = len(wanted)
    weights = 1.0 / (wanted + np.eye(n)) ** 2
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(laplacian + 1.0 / n)
    spots = _classical(wanted)
    for _ in range(_ROUNDS):
        gaps = _gaps(spots)
        np.fill_diagonal(gaps, 1.0)
        pull = -weights * wanted / np.maximum(gaps, 1e-9)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        spots = inverse @ (pull @ spots)
    return spots


def _classical(wanted: Array) -> Array:
    """Classical multidimensional scaling, with a spiral added so that no two nodes start at one spot."""
    import numpy as np

    n = len(wanted)
    centre = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * centre @ wanted**2 @ centre)
    vectors = vectors * np.where(vectors[np.abs(vectors).argmax(axis=0), range(n)] < 0, -1.0, 1.0)
    spots = np.zeros((n, 2))
    spots[:, : min(n, 2)] = (vectors * np.sqrt(np.maximum(values, 0)))[:, ::-1][:, :2]
    turn = np.arange(n) * 2.399963  # the golden angle spreads neighbours in the list evenly
    spiral = np.sqrt(np.arange(1, n + 1) / n)[:, None] * np.column_stack((np.cos(turn), np.sin(turn)))
    spread: Array = spots + 0.15 * spiral
    return spread


def _gaps(spots: Array) -> Array:
    import numpy as np

    across, down = spots[:, None, 0] - spots[None, :, 0], spots[:, None, 1] - spots[None, :, 1]
    gaps: Array = np.hypot(across, down)
    return gaps


def _turned(spots: Array, ends: NDArray[np.int_]) -> Array:
    """Longest side across the page, causes on the left, effects on the right."""
    import numpy as np

    spots = spots - spots.mean(axis=0)
    _, axes = np.linalg.eigh(spots.T @ spots)
    spots = spots @ axes[:, ::-1]
    flow = (spots[ends[:, 1]] - spots[ends[:, 0]]).sum(axis=0)
    heavy = np.array([spots[np.abs(spots[:, axis]).argmax(), axis] for axis in (0, 1)])
    sign = np.where(np.abs(flow) > 1e-6, flow, heavy)
    turned: Array = spots * np.where(sign < 0, -1.0, 1.0)
    return turned


def _apart(spots: Array) -> Array:
    """Push overlapping labels apart, each pair by half along the shorter way, until none overlap."""
    import numpy as np

    spots = spots.copy()
    for _ in range(_SWEEPS):
        across, down = spots[:, None, 0] - spots[None, :, 0], spots[:, None, 1] - spots[None, :, 1]
        over_x, over_y = CELL_X + 1 - np.abs(across), CELL_Y + 1 - np.abs(down)
        clash = (over_x > 0) & (over_y > 0)
        np.fill_diagonal(clash, False)
        if not clash.any():
            break
        sideways = over_x / CELL_X < over_y / CELL_Y
        order = np.sign(np.arange(len(spots))[:, None] - np.arange(len(spots))[None, :])
        way_x, way_y = (np.where(np.abs(gap) < 1e-9, order, np.sign(gap)) for gap in (across, down))
        spots[:, 0] += 0.35 * np.where(clash & sideways, over_x * way_x, 0.0).sum(axis=1)
        spots[:, 1] += 0.35 * np.where(clash & ~sideways, over_y * way_y, 0.0).sum(axis=1)
    return spots


def _settled(loose: Mapping[str, Point]) -> dict[str, Point]:
    """The same places rounded, the upper left corner at 0, 0; a label still in the way moves to the nearest gap."""
    box = _box(loose.values())
    places: dict[str, Point] = {}
    for node, point in loose.items():
        places[node] = _nearest_gap(Point(round(point.x - box.left, 1), round(point.y - box.top, 1)), places.values())
    return places


def _packed(blocks: Sequence[Mapping[str, Point]]) -> dict[str, Point]:
    """Blocks side by side in shelves, as wide as the picture should be."""
    places: dict[str, Point] = {}
    boxes = [_box(block.values()) for block in blocks]
    area = sum((box.width + CELL_X) * (box.height + CELL_Y) for box in boxes)
    limit = max([math.sqrt(area * _ASPECT), *(box.width + CELL_X for box in boxes)], default=0.0)
    left = top = depth = 0.0
    for block, box in sorted(zip(blocks, boxes, strict=True), key=lambda pair: -pair[1].height):
        if left > 0 and left + box.width + CELL_X > limit:
            left, top, depth = 0.0, top + depth, 0.0
        for node, point in block.items():
            places[node] = Point(round(point.x - box.left + left, 1), round(point.y - box.top + top, 1))
        left += box.width + CELL_X * 1.25
        depth = max(depth, box.height + CELL_Y * 1.5)
    return places


# --- growth -------------------------------------------------------------------------------------------------------


def _grown(
    links: Mapping[str, set[str]], edges: Sequence[tuple[str, str]], fixed: Mapping[str, Point]
) -> dict[str, Point]:
    places = dict(fixed)
    sinks: dict[str, set[str]] = {}
    for source, sink in edges:
        sinks.setdefault(source, set()).add(sink)
    waiting = {node for node in links if node not in places}
    while reachable := [node for node in sorted(waiting) if links[node] & places.keys()]:
        node = max(reachable, key=lambda name: len(links[name] & places.keys()))
        waiting.remove(node)
        places[node] = _beside(node, links, sinks, places)
    apart = {node: links[node] for node in sorted(waiting)}
    below = _box(point for node, point in places.items() if links[node])
    lonely = [node for node in apart if not apart[node]]
    if len(lonely) < len(apart):
        block = _fresh({node: others for node, others in apart.items() if others}, [e for e in edges if e[0] in apart])
        _add_block(places, block)
    _add_row(places, lonely, below=below)
    return places


def _beside(
    node: str, links: Mapping[str, set[str]], sinks: Mapping[str, set[str]], places: Mapping[str, Point]
) -> Point:
    """A free spot near the placed neighbours of `node`: causes rather left of effects, lines rather uncovered."""
    import numpy as np

    near = sorted(links[node] & places.keys())
    rings = [(turn * math.tau / 16, reach) for reach in (1.0, 1.4, 1.9, 2.5, 3.2) for turn in range(16)]
    spots = np.array(
        [
            (places[n].x + reach * _STEP_X * math.cos(turn), places[n].y + reach * _STEP_Y * math.sin(turn))
            for n in near
            for turn, reach in rings
        ]
    ).round(1)
    taken = np.array([(point.x, point.y) for point in places.values()])
    gap_x, gap_y = np.abs(spots[:, None, 0] - taken[None, :, 0]), np.abs(spots[:, None, 1] - taken[None, :, 1])
    free = ((gap_x >= CELL_X) | (gap_y >= CELL_Y)).all(axis=1)
    crowd = np.clip(1.5 - np.sqrt((gap_x / _STEP_X) ** 2 + (gap_y / _STEP_Y) ** 2), 0, None).sum(axis=1)
    cost = 0.5 * crowd
    for other in near:
        across = (spots[:, 0] - places[other].x) / _STEP_X
        length = np.hypot(across, (spots[:, 1] - places[other].y) / _STEP_Y)
        against = across if other in sinks.get(node, ()) else -across  # a cause stands left of its effect
        cost += np.abs(length - 1.0) + 0.15 * against / np.maximum(length, 1e-9)
    cost += 0.6 * _covered_lines(spots, links, places)
    best = int(np.where(free, cost, np.inf).argmin())
    return _nearest_gap(Point(float(spots[best, 0]), float(spots[best, 1])), places.values())


def _covered_lines(spots: Array, links: Mapping[str, set[str]], places: Mapping[str, Point]) -> Array:
    """How many drawn lines a label at each spot would cover."""
    import numpy as np

    lines = [(places[a], places[b]) for a in places for b in sorted(links[a]) if a < b and b in places]
    if not lines:
        return np.zeros(len(spots))
    scale = np.array((CELL_X / 2, CELL_Y / 2))
    start = np.array([(a.x, a.y) for a, _ in lines]) / scale
    step = np.array([(b.x, b.y) for _, b in lines]) / scale - start
    to_spot = (spots / scale)[:, None, :] - start[None, :, :]
    along = np.clip((to_spot * step).sum(axis=2) / np.maximum((step**2).sum(axis=1), 1e-9), 0, 1)
    away = np.abs(to_spot - along[:, :, None] * step[None, :, :]).max(axis=2)
    covered: Array = (away < 1.0).sum(axis=1).astype(float)
    return covered


def _add_block(places: dict[str, Point], block: Mapping[str, Point]) -> None:
    """Put a part that nothing joins to the rest below it, whole."""
    box = _box(places.values())
    for node, point in block.items():
        spot = Point(round(box.left + point.x, 1), round(box.bottom + 1.5 * CELL_Y + point.y, 1))
        places[node] = _nearest_gap(spot, places.values())


def _add_row(places: dict[str, Point], lonely: Sequence[str], below: _Box) -> None:
    """Put isolated nodes into the first free cells of the rows under `below`."""
    columns = max(round(below.width / CELL_X) + 1, math.ceil(math.sqrt(len(lonely) * _ASPECT * CELL_Y / CELL_X)), 3)
    top = below.bottom + (1.5 * CELL_Y if places else 0.0)
    cells = (
        Point(round(below.left + (k % columns) * CELL_X, 1), round(top + (k // columns) * CELL_Y, 1))
        for k in range(len(places) * 9 + len(lonely) + 1)
    )
    for node in lonely:
        places[node] = next(cell for cell in cells if _is_free(cell, places.values()))


# --- space --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


def _box(points: Iterable[Point]) -> _Box:
    """The box around the centres of nodes; of no nodes, the empty box at 0, 0."""
    found = list(points)
    if not found:
        return _Box(0.0, 0.0, 0.0, 0.0)
    xs, ys = [point.x for point in found], [point.y for point in found]
    return _Box(min(xs), min(ys), max(xs), max(ys))


def _is_free(spot: Point, taken: Iterable[Point]) -> bool:
    return all(abs(spot.x - point.x) >= CELL_X or abs(spot.y - point.y) >= CELL_Y for point in taken)


def _nearest_gap(spot: Point, taken: Iterable[Point]) -> Point:
    """`spot` itself, or the nearest point of a grid around it where a label fits."""
    points = list(taken)
    if _is_free(spot, points):
        return spot
    reach = 1
    while True:
        ring = [
            Point(round(spot.x + i * CELL_X / 4, 1), round(spot.y + j * CELL_Y / 2, 1))
            for i in range(-reach, reach + 1)
            for j in range(-reach, reach + 1)
            if max(abs(i), abs(j)) == reach
        ]
        free = [cell for cell in ring if _is_free(cell, points)]
        if free:
            return min(free, key=lambda cell: (math.hypot(cell.x - spot.x, 2 * (cell.y - spot.y)), cell.y, cell.x))
        reach += 1
