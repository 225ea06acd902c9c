"""Turns, compresses and spreads the drawing of a connected part so that its labels can be read in the figure's stage.

The stage is about as wide as high while labels are wider than high, so several turns of a drawing are tried at once,
each compressed step by step with its labels pushed apart by the least movement. The best state has large letters, few
lines under labels and few crossings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.graphs.layouts.space import GAP_X, GAP_Y, LABEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int_]

STAGE = (610.0, 560.0)  # pixels of the stage for a graph's labels on a screen of 1440 × 900

# Length of an edge across and down where space allows: labels are about three times as wide as high.
STEP_X, STEP_Y = 236.0, 128.0

_ENOUGH = 0.8  # zoom at which labels are large enough; more space then serves the lines
_ONE_WAY, _TWO_WAYS = (46.0, 38.0), (64.0, 54.0)  # least distance of two linked labels, for arrows and their signs
_TIGHTER, _STEPS = 0.9, 12
_SWEEPS, _LAST_SWEEPS = 10, 60
_LOOSER, _LOOSENING = 1.04, 30
_POLISHING, _POLISHING_SWEEPS = 8, 24
_OFF = 5.0  # pixels that a line should stay off a label
_MOST_TURNS, _FEWEST_TURNS, _TURNED_NODES = 12, 4, 560
_HIT, _CROSSING, _CLASH, _SMALL, _BACKWARDS = 1.0, 0.4, 2.0, 20.0, 0.3  # what each fault costs


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Constants of a part while it is fitted. n nodes, e edges."""

    half: Array  # n x 2, half the labels' sizes
    ends: Numbers  # e x 2
    room: tuple[float, float]
    least_x: Array  # n x n, the least distances of centres; none of a node to itself
    least_y: Array
    others: NDArray[np.bool_]  # e x n, whether a node is no end of an edge
    strangers: NDArray[np.bool_]  # e x e, whether two edges share no node


@dataclass(frozen=True, slots=True)
class _Lines:
    depth: Array  # k x e x n, depth under labels, 0 if not under one
    is_left: NDArray[np.bool_]  # side of the line on which nodes are
    along: Array  # nodes' position along the line, 0 to 1
    normal: Array  # k x e x 2


def fitted(spots: Array, ends: Numbers, sizes: Array, room: tuple[float, float]) -> Array:
    """Return places in pixels, n x 2, for positions in edge lengths, n x 2; no labels of `sizes`, n x 2, overlap.

    `ends`: the directed edges by their nodes' numbers, e x 2. `room`: width and height that the part should fit into at
    a zoom at which labels can be read."""
    import numpy as np

    if len(spots) == 2:
        across = sizes[:, 0].sum() / 2 + STEP_X - LABEL.width
        pair = np.array([(0.0, 0.0), (across, 0.0)])
        return pair if ends[0][0] == 0 else pair[::-1]
    part = _part(sizes / 2, ends, room)
    state = _started(spots, part)
    best, least = state[0], math.inf
    for step in range(_STEPS):
        state = _apart(state, part, _SWEEPS)
        lines, zooms = _lines(state, part), _zooms(state, part)
        costs = _costs(state, lines, zooms, part)
        chosen = int(costs.argmin())
        if costs[chosen] < least - 1e-6:
            best, least = state[chosen], float(costs[chosen])
        if zooms.min() > _ENOUGH and step > 1:
            break
        state = _off_lines(state, lines, part) * np.where(zooms < _ENOUGH, _TIGHTER, 1.0)[:, None, None]
    return _polished(best, part)


def _polished(spots: Array, part: _Part) -> Array:
    """Return the best of a few states while labels move off the lines, every label clear of the others."""
    state, best, least = spots[None], spots, math.inf
    for _ in range(_POLISHING):
        state = _apart(state, part, _POLISHING_SWEEPS)
        lines = _lines(state, part)
        cost = float(_costs(state, lines, _zooms(state, part), part)[0])
        if cost < least - 1e-6:
            best, least = state[0], cost
        if not lines.depth.any():
            break
        state = _off_lines(state, lines, part)
    return _cleared(best, part)


def _cleared(spots: Array, part: _Part) -> Array:
    """Return the places without any overlap; where pushing alone fails, everything is scaled up a little."""
    state = spots[None]
    for _ in range(_LOOSENING):
        state = _apart(state, part, _LAST_SWEEPS)
        if not len(_clashes(state, part)[0]):
            break
        state = state * _LOOSER
    cleared: Array = state[0]
    return cleared


def _part(half: Array, ends: Numbers, room: tuple[float, float]) -> _Part:
    import numpy as np

    n = len(half)
    least = half[:, None] + half[None] + (GAP_X + 1, GAP_Y + 1)
    present = set(map(tuple, ends.tolist()))
    others = np.ones((len(ends), n), dtype=bool)
    for number, (source, sink) in enumerate(ends):
        others[number, [source, sink]] = False
        linked = _TWO_WAYS if (sink, source) in present else _ONE_WAY
        least[source, sink] = least[sink, source] = half[source] + half[sink] + linked
    least[range(n), range(n)] = -1.0
    strangers = others[:, ends[:, 0]] & others[:, ends[:, 1]]
    return _Part(
        half=half,
        ends=ends,
        room=room,
        least_x=least[..., 0],
        least_y=least[..., 1],
        others=others,
        strangers=strangers,
    )


# --- turns --------------------------------------------------------------------------------------------------------


def _started(spots: Array, part: _Part) -> Array:
    """Return the drawing in several turns, k x n x 2, each in the stage's proportions and spacious."""
    import numpy as np

    spots = _longest_across(spots)
    count = max(_FEWEST_TURNS, min(_MOST_TURNS, _TURNED_NODES // len(spots)))
    turned = []
    for turn in range(count):
        angle = math.pi * turn / count
        rotated = spots @ ((math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle)))
        turned.append(_in_proportion(_flowing(rotated, part.ends), part))
    return np.array(turned)


def _longest_across(spots: Array) -> Array:
    import numpy as np

    spots = spots - spots.mean(axis=0)
    _, axes = np.linalg.eigh(spots.T @ spots)
    axes = axes[:, ::-1]
    # The sign of an axis is a matter of the library's build.
    turned: Array = spots @ (axes * np.where(axes[np.abs(axes).argmax(axis=0), (0, 1)] < 0, -1.0, 1.0))
    return turned


def _flowing(spots: Array, ends: Numbers) -> Array:
    """Flip so that causes are mostly left of and above their effects."""
    import numpy as np

    flow = (spots[ends[:, 1]] - spots[ends[:, 0]]).sum(axis=0)
    heavy = np.array([spots[np.abs(spots[:, axis]).argmax(), axis] for axis in (0, 1)])
    sign = np.where(np.abs(flow) > 1e-6, flow, heavy)
    flowing: Array = spots * np.where(sign < 0, -1.0, 1.0)
    return flowing


def _in_proportion(spots: Array, part: _Part) -> Array:
    """Stretch to the proportions of the stage, as far as lines allow that, keeping the area."""
    wide, high = (float(extent) for extent in spots.max(axis=0) - spots.min(axis=0))
    label = part.half.mean(axis=0) * 2
    aspect = part.room[0] / part.room[1]
    # (wide·STEP_X·s + label) / (high·STEP_Y/s + label) = aspect, solved for the stretch s
    a, b, c = wide * STEP_X, label[0] - aspect * label[1], -aspect * high * STEP_Y
    stretch = (-b + math.sqrt(b * b - 4 * a * c)) / (2 * a) if a > 1e-6 else 1.0
    stretch = min(max(stretch, 0.6), 1.25)
    stretched: Array = spots * (STEP_X * stretch, STEP_Y / stretch)
    return stretched


# --- space --------------------------------------------------------------------------------------------------------


def _apart(state: Array, part: _Part, sweeps: int) -> Array:
    """Push overlapping labels apart, each pair by half along the shorter way, until none overlap."""
    import numpy as np

    state = state.copy()
    x, y = state[..., 0], state[..., 1]
    for _ in range(sweeps):
        k, one, other = _clashes(state, part)
        if not len(k):
            break
        across, down = x[k, one] - x[k, other], y[k, one] - y[k, other]
        least_x, least_y = part.least_x[one, other], part.least_y[one, other]
        over_x, over_y = least_x - np.abs(across), least_y - np.abs(down)
        order = np.sign(one - other)  # two labels on one spot part all the same
        way_x, way_y = (np.where(np.abs(gap) < 1e-9, order, np.sign(gap)) for gap in (across, down))
        sideways = over_x / least_x < over_y / least_y
        np.add.at(x, (k, one), np.where(sideways, 0.35 * over_x * way_x, 0.0))
        np.add.at(y, (k, one), np.where(sideways, 0.0, 0.35 * over_y * way_y))
    return state


def _clashes(state: Array, part: _Part, by: float = 0.0) -> tuple[Numbers, Numbers, Numbers]:
    """Return state, one label and another of every overlap deeper than `by` pixels; each pair in both orders."""
    import numpy as np

    x, y = state[..., 0], state[..., 1]
    meets = np.abs(x[:, :, None] - x[:, None, :]) < part.least_x - by
    meets &= np.abs(y[:, :, None] - y[:, None, :]) < part.least_y - by
    k, one, other = np.nonzero(meets)
    return k, one, other


def _lines(state: Array, part: _Part) -> _Lines:
    import numpy as np

    start = state[:, part.ends[:, 0]]
    step = state[:, part.ends[:, 1]] - start
    length = np.maximum(np.hypot(step[..., 0], step[..., 1]), 1e-9)[..., None]
    normal = np.stack((step[..., 1], -step[..., 0]), axis=-1) / length
    nodes = state.transpose(0, 2, 1)
    along = (step / length**2) @ nodes - (step * start / length**2).sum(axis=-1)[..., None]
    away = normal @ nodes - (normal * start).sum(axis=-1)[..., None]
    depth = np.abs(normal) @ part.half.T + _OFF - np.abs(away)
    depth[(along < 0) | (along > 1) | ~part.others | (depth < 0)] = 0.0
    return _Lines(depth, away > 0, along, normal)


def _off_lines(state: Array, lines: _Lines, part: _Part) -> Array:
    import numpy as np

    k, edge, node = np.nonzero(lines.depth)
    side = np.where(lines.is_left[k, edge, node], 1.0, -1.0)
    push = (0.6 * lines.depth[k, edge, node] * side)[:, None] * lines.normal[k, edge]
    along = lines.along[k, edge, node][:, None]
    state = state.copy()
    np.add.at(state, (k, node), push)
    np.add.at(state, (k, part.ends[edge, 0]), -0.5 * (1 - along) * push)
    np.add.at(state, (k, part.ends[edge, 1]), -0.5 * along * push)
    return state


# --- costs --------------------------------------------------------------------------------------------------------


def _zooms(state: Array, part: _Part) -> Array:
    import numpy as np

    extent = (state + part.half).max(axis=1) - (state - part.half).min(axis=1)
    zooms: Array = np.minimum(part.room[0] / extent[:, 0], part.room[1] / extent[:, 1])
    return zooms


def _costs(state: Array, lines: _Lines, zooms: Array, part: _Part) -> Array:
    import numpy as np

    hits = (lines.depth > _OFF / 2).sum(axis=(1, 2))
    parted = lines.is_left[:, :, part.ends[:, 0]] ^ lines.is_left[:, :, part.ends[:, 1]]
    crossings = (parted & parted.transpose(0, 2, 1) & part.strangers).sum(axis=(1, 2)) / 2
    clashes = np.bincount(_clashes(state, part, by=3.0)[0], minlength=len(state)) / 2
    step_x = state[:, part.ends[:, 1], 0] - state[:, part.ends[:, 0], 0]
    costs: Array = (
        _HIT * hits
        + _CROSSING * crossings
        + _CLASH * clashes
        + _BACKWARDS * (step_x < 0).mean(axis=1)
        + _SMALL * np.maximum(_ENOUGH / zooms - 1, 0.0)
    )
    return costs
