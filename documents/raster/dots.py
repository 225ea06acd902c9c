"""Dotted lines in ink: rows of dots, drawn through. Runs in a child only."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.raster.ink import EM
from documents.raster.words import Ink

SMALLEST, LARGEST = 2, 0.3 * EM  # pixels of a dot's sides
APART = 0.75 * EM
LEAST_DOTS = 4  # of a row
STRAIGHT = np.cos(np.radians(30))  # the least cosine of the bend at a dot
UNEVEN = 1.7  # by which the gaps of a row may differ

Places = NDArray[np.float64]


def with_dotted_lines(ink: Ink) -> Ink:
    _, _, stats, middles = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    wide, high, area = stats[:, 2], stats[:, 3], stats[:, 4]
    longest, shortest = np.maximum(wide, high), np.minimum(wide, high)
    is_dot = (longest <= LARGEST) & (shortest >= SMALLEST) & (longest <= 2.2 * shortest) & (area > 0.5 * wide * high)
    is_dot[0] = False
    dots = np.asarray(middles[is_dot], float)
    if len(dots) < LEAST_DOTS:
        return ink
    drawn = ink.astype(np.uint8)
    thick = max(2, round(float(np.median(shortest[is_dot]))))
    for row in rows_of(dots):
        cv2.polylines(drawn, [dots[row].round().astype(np.int32)], isClosed=False, color=1, thickness=thick)
    joined: Ink = drawn > 0
    return joined


def rows_of(dots: Places) -> list[list[int]]:
    """Return rows of at least four dots: each continues at the nearest dot straight ahead and about as far as the last
    one."""
    left = set(range(len(dots)))
    rows = []
    for start in range(len(dots)):
        if start not in left:
            continue
        away = np.hypot(*(dots - dots[start]).T)
        near = [int(one) for one in np.argsort(away) if 0 < away[one] < APART and int(one) in left]
        for second in near[:3]:
            ahead = _row(dots, start, second, left)
            behind = _row(dots, second, start, left - set(ahead[2:]))
            row = [*reversed(behind[2:]), *ahead]
            if len(row) >= LEAST_DOTS:
                rows.append(row)
                left -= set(row)
                break
    return rows


def _row(dots: Places, first: int, second: int, left: set[int]) -> list[int]:
    row = [first, second]
    while True:
        step = dots[row[-1]] - dots[row[-2]]
        long = float(np.hypot(*step))
        onward = dots - dots[row[-1]]
        away = np.hypot(*onward.T) + 1e-9
        straight = (onward @ step) / (away * long)
        fits = np.flatnonzero((straight > STRAIGHT) & (away < min(APART, UNEVEN * long)) & (away > long / UNEVEN))
        free = [int(one) for one in fits if int(one) in left and int(one) not in row]
        if not free:
            return row
        row.append(min(free, key=lambda one: float(away[one])))
