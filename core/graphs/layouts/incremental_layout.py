"""New nodes in an existing picture: each next to its neighbours; placed nodes never move."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.graphs.labels import LabelSize
from core.graphs.layouts.fit_labels import STAGE
from core.graphs.layouts.new_layout import add_rows, fresh
from core.graphs.layouts.space import GAP_X, GAP_Y, Point, box_of, nearest_gap

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_LINE_X, _LINE_Y = 76.0, 72.0  # of a new line, between the borders of two labels
_REACHES = (0.8, 1.0, 1.4, 1.9, 2.5, 3.2)
_BELOW = 40.0


def grown(
    links: Mapping[str, set[str]],
    edges: Sequence[tuple[str, str]],
    fixed: Mapping[str, Point],
    sizes: Mapping[str, LabelSize],
) -> dict[str, Point]:
    """Return places for all nodes of `links` (each with its neighbours): those of `fixed` unchanged, the others
    chosen."""
    places = dict(fixed)
    sinks: dict[str, set[str]] = {}
    for source, sink in edges:
        sinks.setdefault(source, set()).add(sink)
    waiting = {node for node in links if node not in places}
    while reachable := [node for node in sorted(waiting) if links[node] & places.keys()]:
        node = max(reachable, key=lambda name: len(links[name] & places.keys()))
        waiting.remove(node)
        places[node] = _free_spot(node, links, sinks, places, sizes)
    if not waiting:
        return places
    joined = {node: links[node] for node in sorted(waiting) if links[node]}
    lonely = [node for node in sorted(waiting) if not links[node]]
    below = box_of({node: point for node, point in places.items() if links[node]}, sizes)
    if joined:
        block = fresh(joined, [edge for edge in edges if edge[0] in waiting], sizes)
        box = box_of(places, sizes)
        for node, point in block.items():
            spot = Point(round(box.left + point.x, 1), round(box.bottom + _BELOW + point.y, 1))
            places[node] = nearest_gap(spot, sizes[node], [(at, sizes[other]) for other, at in places.items()])
    add_rows(places, lonely, sizes, below=below)
    return places


def _free_spot(
    node: str,
    links: Mapping[str, set[str]],
    sinks: Mapping[str, set[str]],
    places: Mapping[str, Point],
    sizes: Mapping[str, LabelSize],
) -> Point:
    """Return a free spot near the placed neighbours of `node`; prefer causes left of effects, uncovered lines, and a
    small picture."""
    import numpy as np

    near = sorted(links[node] & places.keys())
    rings = [(turn * math.tau / 16, reach) for reach in _REACHES for turn in range(16)]
    steps = {other: _step(sizes[node], sizes[other]) for other in near}
    spots = np.array(
        [
            (
                places[other].x + reach * steps[other][0] * math.cos(turn),
                places[other].y + reach * steps[other][1] * math.sin(turn),
            )
            for other in near
            for turn, reach in rings
        ]
    ).round(1)
    placed = np.array([(point.x, point.y) for point in places.values()])
    half_sums = [
        ((sizes[node].width + sizes[other].width) / 2, (sizes[node].height + sizes[other].height) / 2)
        for other in places
    ]
    room = np.array(half_sums) + np.array((GAP_X, GAP_Y))
    gap_x, gap_y = np.abs(spots[:, None, 0] - placed[None, :, 0]), np.abs(spots[:, None, 1] - placed[None, :, 1])
    free = ((gap_x >= room[:, 0]) | (gap_y >= room[:, 1])).all(axis=1)
    wide, high = _step(sizes[node], sizes[node])
    crowd = np.clip(1.3 - np.sqrt((gap_x / wide) ** 2 + (gap_y / high) ** 2), 0, None).sum(axis=1)
    cost = 0.5 * crowd + 0.6 * _covered_lines(spots, sizes[node], links, places) + _enlarged(spots, node, places, sizes)
    for other in near:
        across = (spots[:, 0] - places[other].x) / steps[other][0]
        length = np.hypot(across, (spots[:, 1] - places[other].y) / steps[other][1])
        against = across if other in sinks.get(node, ()) else -across  # a cause is left of its effect
        cost += np.abs(length - 1.0) + 0.15 * against / np.maximum(length, 1e-9)
    best = int(np.where(free, cost, np.inf).argmin())
    taken_boxes = [(point, sizes[other]) for other, point in places.items()]
    return nearest_gap(Point(float(spots[best, 0]), float(spots[best, 1])), sizes[node], taken_boxes)


def _step(one: LabelSize, other: LabelSize) -> tuple[float, float]:
    return (one.width + other.width) / 2 + _LINE_X, (one.height + other.height) / 2 + _LINE_Y


def _enlarged(spots: Array, node: str, places: Mapping[str, Point], sizes: Mapping[str, LabelSize]) -> Array:
    """Return the share by which a label at each spot would shrink all letters, once the picture fills the stage."""
    import numpy as np

    box, half = box_of(places, sizes), np.array((sizes[node].width, sizes[node].height)) / 2
    low = np.minimum(spots - half, (box.left, box.top))
    high = np.maximum(spots + half, (box.right, box.bottom))
    before = max(box.width / STAGE[0], box.height / STAGE[1], 1.0)
    after: Array = np.maximum(((high - low) / STAGE).max(axis=1), 1.0)
    enlarged: Array = 2.0 * (after / before - 1.0)
    return enlarged


def _covered_lines(spots: Array, size: LabelSize, links: Mapping[str, set[str]], places: Mapping[str, Point]) -> Array:
    import numpy as np

    # Coordinates apart: NumPy sums over a last axis of two slowly. Far lines cover nothing.
    wide, high = (size.width + GAP_X) / 2, (size.height + GAP_Y) / 2
    lines = [(places[a], places[b]) for a in places for b in links[a] if a < b and b in places]
    ends = np.array([(a.x / wide, b.x / wide, a.y / high, b.y / high) for a, b in lines]).reshape(-1, 2, 2)
    at_x, at_y = spots[:, :1] / wide, spots[:, 1:] / high
    least, most = (at_x.min() - 1, at_y.min() - 1), (at_x.max() + 1, at_y.max() + 1)
    near = ((ends.min(axis=2) < most) & (ends.max(axis=2) > least)).all(axis=1)
    start_x, end_x, start_y, end_y = ends[near].reshape(-1, 4).T
    step_x, step_y = end_x - start_x, end_y - start_y
    to_x, to_y = at_x - start_x, at_y - start_y
    along = np.clip((to_x * step_x + to_y * step_y) / np.maximum(step_x**2 + step_y**2, 1e-9), 0, 1)
    is_covered = (np.abs(to_x - along * step_x) < 1.0) & (np.abs(to_y - along * step_y) < 1.0)
    covered: Array = is_covered.sum(axis=1).astype(float)
    return covered
