"""Polarity signs that the OCR missed: small pluses, bars and rings. Runs in a child only."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.raster.engine import Pixels, read_pieces
from documents.raster.ink import EM
from documents.raster.words import Ink, InkWord
from documents.rects import Rect

Stats = NDArray[np.int32]
LETTERS = ("s", "S", "o", "O", "R", "B")  # "same" and "opposite", and the letter of a loop
LARGEST_PLUS = 2.5 * EM
MOST_BARS = 25  # a figure with more short bars is dashed
ALIKE = {"+": 0.75, "-": 0.8}  # least correlation with the figure's own signs


def pieces_of(ink: Ink) -> Stats:
    """Return x, y, width, height, area of every piece of ink."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    return np.asarray(stats[1:], np.int32)


def bars_of(stats: Stats) -> NDArray[np.float64]:
    longest = stats[:, 2:4].max(axis=1)
    bars = stats[(longest > 0.15 * EM) & (longest < 1.1 * EM) & (stats[:, 3] < 0.5 * EM)].astype(float)
    return np.concatenate([bars[:, :2], bars[:, :2] + bars[:, 2:4]], axis=1)


def is_dash(box: Rect, bars: NDArray[np.float64]) -> bool:
    """Return True if other short bars lie in line with one: on both sides, or on one in a figure with many of them."""
    x0, y0, x1, y1 = box
    flat = bars[:, 3] - bars[:, 1] < 0.3 * EM
    off = np.abs((bars[:, 1] + bars[:, 3]) / 2 - (y0 + y1) / 2)
    neighbours = [
        bool(((gap > -2) & (gap < 0.8 * EM) & (off < 0.1 * EM + 0.25 * gap) & flat).any())
        for gap in (x0 - bars[:, 2], bars[:, 0] - x1)
    ]
    return all(neighbours) or (any(neighbours) and len(bars) > 40)


def lone_signs(ink: Ink, picture: Pixels) -> list[InkWord]:
    """Return signs, and letters for "same" and "opposite", among small isolated ink."""
    stats = pieces_of(ink)
    bars = bars_of(stats)
    signs, compact = [], []
    large = _large_pluses(ink, stats)
    usual = median(wide for _, _, wide, _, _ in large) if large else 0.0
    for x, y, wide, high, area in stats.tolist():
        box = (float(x), float(y), float(x + wide), float(y + high))
        part = ink[y : y + high, x : x + wide]
        if [x, y, wide, high, area] in large:
            signs.append(InkWord("+", box, EM))
        elif 0.6 * usual < wide < 1.4 * usual and high < 0.3 * wide and area > 0.6 * wide * high:
            if not is_dash(box, bars):
                signs.append(InkWord("-", box, EM))
        elif min(wide, high) > 0.25 * EM and max(wide, high) < 0.95 * EM:
            if is_plus(part):
                signs.append(InkWord("+", box, EM))
            elif max(wide, high) < 0.7 * EM and is_ring(part):
                signs.append(InkWord("o", box, EM))
            elif max(wide, high) < 0.75 * EM and _is_compact(part):
                compact.append(box)
        elif (
            0.2 * EM < wide < 0.8 * EM and high < min(0.22 * EM, wide / 1.8) and area > 0.6 * wide * high
        ) and not is_dash(box, bars):
            signs.append(InkWord("-", box, EM))
    return [*signs, *_letters(compact, picture)]


def _large_pluses(ink: Ink, stats: Stats) -> list[list[int]]:
    """Return the pieces that are pluses larger than letters, as programs draw them whose names are small."""
    longest = stats[:, 2:4].max(axis=1, initial=0)
    pieces = stats[(longest >= 0.95 * EM) & (longest < LARGEST_PLUS)].tolist()
    return [piece for piece in pieces if is_plus(ink[piece[1] : piece[1] + piece[3], piece[0] : piece[0] + piece[2]])]


def _letters(boxes: Sequence[Rect], picture: Pixels) -> list[InkWord]:
    rim = int(0.2 * EM)
    pieces = [
        picture[max(0, int(y0) - rim) : int(y1) + rim, max(0, int(x0) - rim) : int(x1) + rim]
        for x0, y0, x1, y1 in boxes
    ]
    read = zip(read_pieces(pieces), boxes, strict=True)
    return [InkWord(text, box, EM) for (text, score), box in read if text in LETTERS and score > 0.5]


def is_plus(part: Ink) -> bool:
    """Return True for two bars that cross in the middle: empty corners, full middle row and column."""
    high, wide = part.shape
    if not 0.7 < wide / high < 1.4 or min(high, wide) < 4:
        return False
    y, x = max(1, high // 3), max(1, wide // 3)
    corners = (part[:y, :x], part[:y, -x:], part[-y:, :x], part[-y:, -x:])
    across, down = part[y : high - y].any(axis=0).mean(), part[:, x : wide - x].any(axis=1).mean()
    return bool(max(corner.mean() for corner in corners) < 0.25 and across > 0.9 and down > 0.9)


def is_ring(part: Ink) -> bool:
    high, wide = part.shape
    white = (~np.pad(part, 1)).astype(np.uint8)
    count, _, stats, centres = cv2.connectedComponentsWithStats(white, connectivity=4)
    if count != 3 or not 0.75 < wide / high < 1.25 or stats[2][4] < 0.12 * wide * high:
        return False
    off = np.hypot(*(centres[2] - np.array([(wide + 1) / 2, (high + 1) / 2])))
    return bool(off < 0.12 * high and part[:, wide // 2].mean() < 0.75 and part.mean() < 0.75)


def _is_compact(part: Ink) -> bool:
    """Return False for a dash of a slanted line."""
    _, sides, _ = cv2.minAreaRect(np.argwhere(part)[:, ::-1].astype(np.float32))
    return bool(max(sides) < 1.9 * min(sides) + 1)


def touching_signs(ink: Ink, whole: Ink, signs: Sequence[InkWord]) -> list[InkWord]:
    """Return signs that touch a line: places that look like the figure's own signs in `whole`. At half the size, for
    speed."""
    longest = pieces_of(ink)[:, 2:4].max(axis=1, initial=0)
    if ((longest > 0.15 * EM) & (longest < 0.9 * EM)).sum() > MOST_BARS:
        return []
    lines, figure = _halved(ink), _halved(whole)
    touching: list[InkWord] = []
    for text, least in ALIKE.items():
        model = _model(figure, [sign.box for sign in signs if sign.text == text])
        if model is None:
            continue
        shape, pad = model
        likeness = cv2.matchTemplate(lines, shape, cv2.TM_CCOEFF_NORMED)
        high, wide = shape.shape[0] - 2 * pad, shape.shape[1] - 2 * pad
        while len(touching) < 60:
            _, best, _, (x, y) = cv2.minMaxLoc(likeness)
            if best < least:
                break
            box = (2.0 * (x + pad), 2.0 * (y + pad), 2.0 * (x + pad + wide), 2.0 * (y + pad + high))
            if text == "+" or _has_free_ends(ink, box):
                touching.append(InkWord(text, box, EM))
            likeness[max(0, y - high) : y + high + 1, max(0, x - wide // 2) : x + wide // 2 + 1] = 0
    return touching


def _halved(ink: Ink) -> NDArray[np.float32]:
    half = cv2.resize(ink.astype(np.float32), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(half, np.float32)


def _model(ink: NDArray[np.float32], boxes: Sequence[Rect]) -> tuple[NDArray[np.float32], int] | None:
    """Return the usual look of a figure's signs with a rim around them, and the rim's width."""
    halved = [[round(value / 2) for value in box] for box in boxes]
    if not halved:
        return None
    wide, high = (int(np.median([box[side + 2] - box[side] for box in halved])) for side in (0, 1))
    pad = max(2, wide // 4)
    if max(wide, high) < 5:
        return None
    parts = []
    for x0, y0, x1, y1 in halved:
        x, y = (x0 + x1 - wide) // 2 - pad, (y0 + y1 - high) // 2 - pad
        part = ink[max(0, y) : y + high + 2 * pad, max(0, x) : x + wide + 2 * pad]
        if part.shape == (high + 2 * pad, wide + 2 * pad):
            parts.append(part)
    return (np.mean(parts, axis=0).astype(np.float32), pad) if parts else None


def _has_free_ends(ink: Ink, box: Rect) -> bool:
    """Return True if a bar ends on both sides; a level stretch of a line continues."""
    x0, y0, x1, y1 = (int(value) for value in box)
    top, bottom, far = max(0, int(y0 - 0.08 * EM)), int(y1 + 0.08 * EM), int(0.16 * EM)
    sides = ink[top:bottom, max(0, x0 - far) : max(1, x0 - 2)], ink[top:bottom, x1 + 3 : x1 + far + 1]
    return not any(side.any(axis=0).mean() > 0.4 for side in sides if side.size)


def wipe(ink: Ink, sign: InkWord) -> None:
    """Remove the bars of a sign that touches a line, so that the line stays nearly whole."""
    x0, y0, x1, y1 = (int(value) for value in sign.box)
    across, down, thick = (x0 + x1) // 2, (y0 + y1) // 2, max(2, int(0.06 * EM))
    ink[max(0, down - thick) : down + thick + 1, max(0, x0 - 1) : x1 + 2] = False
    if sign.text == "+":
        ink[max(0, y0 - 1) : y1 + 2, max(0, across - thick) : across + thick + 1] = False
