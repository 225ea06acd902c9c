"""A completely new picture: each connected part is fitted alone, then the parts are packed, lone nodes below."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from core.graphs.labels import LabelSize
from core.graphs.layouts.fit_labels import STAGE, STEP_X, STEP_Y, fitted
from core.graphs.layouts.space import GAP_X, GAP_Y, PixelBox, Point, box_of, is_free, nearest_gap
from core.graphs.layouts.stress import distances, least_stress

_ASPECT = STAGE[0] / STAGE[1]
_BETWEEN = 40.0  # pixels between two parts
_SHAPES = (1.0, 2.0, 0.5)  # of parts, in stages' proportions: several fill a stage best if they are not all like it
_FEW = 16  # parts; more fill a stage well in any shape
_SKETCHED = 15  # rounds of stress majorisation; enough for a picture of 92 pixels

# Maximum of linked nodes whose parts are fitted and packed, in time quadratic in both. No stage shows more names at
# once, so a larger graph is laid out in rows.
MOST_FITTED = 400


def fresh(
    links: Mapping[str, set[str]], edges: Iterable[tuple[str, str]], sizes: Mapping[str, LabelSize]
) -> dict[str, Point]:
    """Return places for all nodes of `links` (each with its neighbours), the upper left label's corner near 0, 0."""
    directed = sorted({edge for edge in edges if edge[0] != edge[1]})
    parts = _parts(links)
    lonely = [part[0] for part in parts if len(part) == 1]
    linked = [part for part in parts if len(part) > 1]
    if sum(map(len, linked)) > MOST_FITTED:
        places = _in_rows(linked, links, sizes)
        add_rows(places, lonely, sizes, below=box_of(places, sizes))
        return places
    linked_parts = [_Part(part, links, directed, sizes) for part in linked]
    best: dict[str, Point] = {}
    for shape in _SHAPES if 1 < len(parts) <= _FEW else _SHAPES[:1]:
        room = STAGE[0] * math.sqrt(shape), STAGE[1] / math.sqrt(shape)
        places = _packed([part.fitted(room, len(links)) for part in linked_parts], sizes)
        add_rows(places, lonely, sizes, below=box_of(places, sizes))
        if not best or _fills(places, sizes) < 0.97 * _fills(best, sizes):
            best = places
    return best


def sketched(links: Mapping[str, set[str]], size: LabelSize) -> dict[str, Point]:
    """Return places as `fresh`, for a picture without names: nothing is fitted, which takes a tenth of the time."""
    sizes = dict.fromkeys(links, size)
    parts = _parts(links)
    blocks = []
    for part in parts:
        if len(part) > 1:
            spots = least_stress(distances(part, links), _SKETCHED).tolist()
            blocks.append({node: Point(x * STEP_X, y * STEP_Y) for node, (x, y) in zip(part, spots, strict=True)})
    places = _packed(blocks, sizes) if blocks else {}
    add_rows(places, [part[0] for part in parts if len(part) == 1], sizes, below=box_of(places, sizes))
    return places


def _fills(places: Mapping[str, Point], sizes: Mapping[str, LabelSize]) -> float:
    """Return the size of the picture relative to the stage."""
    box = box_of(places, sizes)
    return max(box.width / STAGE[0], box.height / STAGE[1])


def _parts(links: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the weakly connected parts, largest first, each sorted."""
    parts: list[list[str]] = []
    seen: set[str] = set()
    for start in links:
        if start in seen:
            continue
        part, waiting = {start}, [start]
        while waiting:
            new = links[waiting.pop()] - part
            part |= new
            waiting.extend(new)
        seen |= part
        parts.append(sorted(part))
    return sorted(parts, key=lambda part: (-len(part), part))


class _Part:
    """A connected part of two nodes or more, for fitting into areas of several shapes."""

    def __init__(
        self,
        names: Sequence[str],
        links: Mapping[str, set[str]],
        directed: Iterable[tuple[str, str]],
        sizes: Mapping[str, LabelSize],
    ) -> None:
        import numpy as np

        index = {node: i for i, node in enumerate(names)}
        self.names, self.sizes = names, sizes
        self.ends = np.array([(index[a], index[b]) for a, b in directed if a in index], dtype=int)
        self.boxes = np.array([(sizes[node].width, sizes[node].height) for node in names])
        self.spots = least_stress(distances(names, links))

    def fitted(self, room: tuple[float, float], among: int) -> dict[str, Point]:
        """Return places in the part's share of the area, which is for `among` nodes; the upper left corner at 0, 0."""
        share = math.sqrt(len(self.names) / among)
        spots = fitted(self.spots, self.ends, self.boxes, (room[0] * share, room[1] * share))
        loose = {node: Point(float(x), float(y)) for node, (x, y) in zip(self.names, spots, strict=True)}
        box = box_of(loose, self.sizes)
        places: dict[str, Point] = {}
        for node, point in loose.items():
            spot = Point(round(point.x - box.left, 1), round(point.y - box.top, 1))
            places[node] = nearest_gap(spot, self.sizes[node], _taken(places, self.sizes))
        return places


def _in_rows(
    parts: Iterable[Sequence[str]], links: Mapping[str, set[str]], sizes: Mapping[str, LabelSize]
) -> dict[str, Point]:
    """Place part after part, each in the order of a walk from its most linked node, to and fro: neighbours are near."""
    walk: dict[str, None] = {}
    for part in parts:
        waiting = [min(part, key=lambda node: (-len(links[node]), node))]
        walk[waiting[0]] = None
        for node in waiting:
            new = [other for other in sorted(links[node]) if other not in walk]
            walk.update(dict.fromkeys(new))
            waiting += new
    cell_x = math.ceil(max(sizes[node].width for node in walk) + GAP_X)
    cell_y = math.ceil(max(sizes[node].height for node in walk) + GAP_Y)
    columns = max(3, math.ceil(math.sqrt(len(walk) * _ASPECT * cell_y / cell_x)))
    places = {}
    for number, node in enumerate(walk):
        row, along = divmod(number, columns)
        column = columns - 1 - along if row % 2 else along
        places[node] = Point(round((column + 0.5) * cell_x, 1), round((row + 0.5) * cell_y, 1))
    return places


def _taken(places: Mapping[str, Point], sizes: Mapping[str, LabelSize]) -> Iterator[tuple[Point, LabelSize]]:
    return ((point, sizes[node]) for node, point in places.items())


def _packed(blocks: Sequence[Mapping[str, Point]], sizes: Mapping[str, LabelSize]) -> dict[str, Point]:
    """Place blocks largest first, each where it keeps the whole as small as possible."""
    boxes = [box_of(block, sizes) for block in blocks]
    places: dict[str, Point] = {}
    corners = [(0.0, 0.0)]
    placed: list[PixelBox] = []
    for number in sorted(range(len(blocks)), key=lambda k: -boxes[k].width * boxes[k].height):
        box = boxes[number]
        left, top = _best_corner(box, corners, placed)
        placed.append(PixelBox(left, top, left + box.width, top + box.height))
        corners += [(placed[-1].right + _BETWEEN, top), (left, placed[-1].bottom + _BETWEEN)]
        corners += [(placed[-1].right + _BETWEEN, 0.0), (0.0, placed[-1].bottom + _BETWEEN)]
        for node, point in blocks[number].items():
            places[node] = Point(round(point.x - box.left + left, 1), round(point.y - box.top + top, 1))
    return places


def _best_corner(
    box: PixelBox, corners: Sequence[tuple[float, float]], placed: Sequence[PixelBox]
) -> tuple[float, float]:
    """Return the free corner at which the picture fits the stage best, then the highest and leftmost."""
    import numpy as np

    at = np.unique(np.array(corners), axis=0)
    left, top = at[:, :1], at[:, 1:]
    edges = np.array([(other.left, other.top, other.right, other.bottom) for other in placed]).reshape(-1, 4)
    gap = _BETWEEN - 0.5
    meets = (
        (left < edges[:, 2] + gap)
        & (left + box.width > edges[:, 0] - gap)
        & (top < edges[:, 3] + gap)
        & (top + box.height > edges[:, 1] - gap)
    ).any(axis=1)
    right, bottom = edges[:, 2].max(initial=0.0), edges[:, 3].max(initial=0.0)
    fills = np.maximum(
        np.maximum(left[:, 0] + box.width, right) / STAGE[0], np.maximum(top[:, 0] + box.height, bottom) / STAGE[1]
    )
    best = min(np.flatnonzero(~meets), key=lambda k: (round(fills[k], 6), at[k, 1], at[k, 0]))
    return float(at[best, 0]), float(at[best, 1])


def add_rows(places: dict[str, Point], lonely: Sequence[str], sizes: Mapping[str, LabelSize], below: PixelBox) -> None:
    """Put isolated nodes into the first free cells of the rows under `below`."""
    if not lonely:
        return
    # Whole pixels: positions are rounded, and a cell that rounding makes slightly too narrow would stay empty.
    cell_x = math.ceil(max(sizes[node].width for node in lonely) + GAP_X)
    cell_y = math.ceil(max(sizes[node].height for node in lonely) + GAP_Y)
    columns = max(
        math.floor((below.width + GAP_X) / cell_x), math.ceil(math.sqrt(len(lonely) * _ASPECT * cell_y / cell_x)), 3
    )
    left = below.left + cell_x / 2 - GAP_X / 2 if places else 0.0
    top = below.bottom + _BETWEEN + (cell_y - GAP_Y) / 2 if places else 0.0
    cells = (Point(round(left + (k % columns) * cell_x, 1), round(top + (k // columns) * cell_y, 1)) for k in count())
    for node in lonely:
        places[node] = next(cell for cell in cells if is_free(cell, sizes[node], _taken(places, sizes)))
