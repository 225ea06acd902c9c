"""Valves of pipes in pictures: two triangles tip to tip, whose insides the pipe may cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.proposals.shapes import Outline
from documents.raster.ink import EM
from documents.raster.words import Ink

LARGEST, SMALLEST = 1.5 * EM, 0.12 * EM  # sides of a triangle's inside
RIM = round(0.12 * EM)  # of its lines around its insides
TAPERS = 1.5  # times as wide at its base as near its tip
STEADY = 0.7  # share of its rows that are no longer than the one nearer its base
FULL = 0.4  # least share of its box that its inside fills
ALIKE = 0.7  # of the larger triangle's sides those of the smaller, and of the pair's width the gap between them
ASIDE = 0.15  # of its width by which one triangle's middle lies off the other's


@dataclass(frozen=True, slots=True)
class _Inside:
    """A small white place within ink that grows narrower downwards (1) or upwards (-1)."""

    x: int
    y: int
    wide: int
    high: int
    tip: int


def without_valves(ink: Ink) -> tuple[list[Outline], Ink]:
    """Return the valves, and the ink without them: a pipe then ends at each side of its valve."""
    valves: list[Outline] = []
    gone = ink.copy()
    labels, places = _small_places(ink)
    for is_turned in (False, True):
        insides = list(_insides(labels.T, places[:, [0, 2, 1, 4, 3]]) if is_turned else _insides(labels, places))
        for upper in insides:
            lower = next((one for one in insides if _are_pair(upper, one)), None)
            if lower is None or not _has_free_base(ink.T if is_turned else ink, upper, lower):
                continue
            x0, x1 = min(upper.x, lower.x), max(upper.x + upper.wide, lower.x + lower.wide)
            corners = [(x0, upper.y), (x1, lower.y + lower.high), (x0, lower.y + lower.high), (x1, upper.y)]
            if is_turned:
                corners = [(y, x) for x, y in corners]
            valves.append(Outline(points=tuple((float(x), float(y)) for x, y in corners), closed=True))
            (left, top), (right, bottom) = np.min(corners, axis=0), np.max(corners, axis=0)
            gone[max(0, top - RIM) : bottom + RIM + 1, max(0, left - RIM) : right + RIM + 1] = False
    return valves, gone


def _are_pair(upper: _Inside, lower: _Inside) -> bool:
    if upper.tip != 1 or lower.tip != -1:
        return False
    wide, high = (upper.wide, lower.wide), (upper.high, lower.high)
    middles = abs(upper.x + upper.wide / 2 - lower.x - lower.wide / 2)
    gap = lower.y - upper.y - upper.high
    return (
        min(wide) > ALIKE * max(wide)
        and min(high) > ALIKE * max(high)
        and middles < ASIDE * max(wide)
        and 0 < gap < ALIKE * max(wide)
    )


def _has_free_base(ink: Ink, upper: _Inside, lower: _Inside) -> bool:
    """Return False if lines lead on from both bases, as from a triangle between arrows that cross."""
    x0, x1 = min(upper.x, lower.x) - RIM, max(upper.x + upper.wide, lower.x + lower.wide) + RIM
    ends = (upper.y - 2 * RIM, lower.y + lower.high + RIM)
    return any(not ink[max(0, y) : y + RIM, max(0, x0) : x1].any() for y in ends)


def _small_places(ink: Ink) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the numbers of the white places, and of each small full one its number, box and two sides."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats((~ink).astype(np.uint8), connectivity=4)
    sides, area = stats[:, 2:4], stats[:, 4]
    is_small = (sides.min(axis=1) > SMALLEST) & (sides.max(axis=1) < LARGEST) & (area > FULL * sides.prod(axis=1))
    numbers = np.flatnonzero(is_small)
    return np.asarray(labels, np.int32), np.column_stack([numbers, stats[numbers, :4]]).astype(np.int32)


def _insides(labels: NDArray[np.int32], places: NDArray[np.int32]) -> Iterator[_Inside]:
    for number, x, y, wide, high in places.tolist():
        rows = (labels[y : y + high, x : x + wide] == number).sum(axis=1)
        if (tip := _tip(rows)) != 0:
            yield _Inside(x, y, wide, high, tip)


def _tip(rows: NDArray[np.int64]) -> int:
    """Return 1 if rows grow steadily shorter downwards, -1 if they grow longer, 0 else."""
    quarter = max(1, len(rows) // 4)
    first, last = float(rows[:quarter].mean()), float(rows[-quarter:].mean())
    steps = np.diff(rows)
    if first > TAPERS * last and (steps <= 1).mean() > STEADY:
        return 1
    return -1 if last > TAPERS * first and (steps >= -1).mean() > STEADY else 0
