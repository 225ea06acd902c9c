"""The shapes of nodes in a picture: shaded regions and enclosed white.

Each is removed from the picture, so that the remaining lines end where the shape began. Runs in a child only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.proposals.shapes import Outline
from documents.raster.engine import Pixels
from documents.raster.ink import EM, SHADE, paint_out, paper_of, pixels_of, shade_at
from documents.raster.words import Ink, InkWord
from documents.rects import Rect, area

Contour = NDArray[np.int32]

LEAST_LETTERS = 0.06  # of a node's area; a group's frame holds less
LARGEST_NODE = 0.4  # of the picture
# of a shape drawn by hand: what it fills of the rectangle around it and of its hull, its words of it
BLOB, CONVEX, LETTERED = 0.72, 0.95, 0.12
SHARP_CHANGE = 8  # levels from one pixel to the next; a shadow fades more slowly than a line
FAR_FROM_SHAPE = int(0.35 * EM)  # no line around a node is thicker


def without_shades(picture: Pixels, words: Sequence[InkWord]) -> list[Outline]:
    """Paint out the words, then the shaded shapes around them, which are returned; the shade of groups becomes paper.
    Changes `picture`."""
    paper = paper_of(picture)
    seeds = []
    for word in words:
        colour = np.array(paint_out(picture, word.box), np.int16)
        if np.abs(colour - paper).max() > SHADE:
            seeds.append(_middle(word.box))
    if not seeds:
        return []
    smooth: Pixels = np.asarray(cv2.medianBlur(picture, 5), np.uint8)
    nodes: list[Outline] = []
    frames: list[Ink] = []
    done = np.zeros(picture.shape[:2], bool)
    for seed in seeds:
        if done[seed[1], seed[0]]:
            continue
        region = shade_at(smooth, seed)
        done |= region
        contour = _outside(region)
        if contour is None:
            continue
        if _is_node(contour, words, picture.shape):
            nodes.append(_outline(contour, 0.0))
            _cover(picture, contour)
        else:
            frames.append(region)
    for frame in frames:
        picture[cv2.dilate(frame.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0] = paper
    return nodes


def _middle(box: Rect) -> tuple[int, int]:
    return int((box[0] + box[2]) / 2), int((box[1] + box[3]) / 2)


def _outside(region: Ink) -> Contour | None:
    ys, xs = np.nonzero(region)
    if len(ys) < EM:
        return None
    x, y = int(xs.min()), int(ys.min())
    part = region[y : int(ys.max()) + 1, x : int(xs.max()) + 1].astype(np.uint8)
    part = np.pad(part, 3)
    closed = cv2.morphologyEx(part, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))  # thin lines over it
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(contours, key=cv2.contourArea, default=None)
    return None if largest is None else np.asarray(largest + np.array([x - 3, y - 3]), np.int32)


def _is_node(contour: Contour, words: Iterable[InkWord], shape: tuple[int, ...]) -> bool:
    """Return True if a shaded region bulges and is about as large as its words need."""
    own = cv2.contourArea(contour)
    x, y, wide, high = cv2.boundingRect(contour)
    lettered = sum(area(word.box) for word in words if _holds((x, y, x + wide, y + high), word.box))
    bulges = own > 0.85 * cv2.contourArea(cv2.convexHull(contour))
    return bool(bulges and lettered >= LEAST_LETTERS * own and own < LARGEST_NODE * shape[0] * shape[1])


def _holds(box: Rect, inner: Rect) -> bool:
    x, y = _middle(inner)
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _outline(contour: Contour, thick: float, *, is_round: bool = False) -> Outline:
    hull = cv2.approxPolyDP(cv2.convexHull(contour), 0.04 * EM, closed=True)[:, 0].astype(float)
    middle = hull.mean(axis=0)
    away = hull - middle
    grown = hull + thick / 2 * away / (np.hypot(*away.T)[:, None] + 1e-9)
    return Outline(points=tuple((float(x), float(y)) for x, y in grown), closed=True, curved=is_round)


def _cover(picture: Pixels, contour: Contour) -> None:
    """Paint over a shape and the line around it with the colour outside of it."""
    x, y, wide, high = cv2.boundingRect(contour)
    window = pixels_of((x, y, x + wide, y + high), picture, 2 * FAR_FROM_SHAPE)
    part = picture[window]
    mask = np.zeros(part.shape[:2], np.uint8)
    corner = (window[1].start, window[0].start)
    cv2.drawContours(mask, [cv2.convexHull(contour) - np.array(corner)], -1, 1, cv2.FILLED)
    grown = cv2.dilate(mask, disc_of(_thickness(part, mask)))
    ring = (cv2.dilate(grown, disc_of(3)) > 0) & (grown == 0)
    if ring.any():
        part[grown > 0] = np.median(part[ring], axis=0).astype(np.uint8)


def _thickness(picture: Pixels, mask: NDArray[np.uint8]) -> int:
    """Return the pixels around a shape until the colour is that of its surroundings: its line and its soft edge."""
    rings, before = [], mask
    for step in range(1, FAR_FROM_SHAPE + 1):
        grown = np.asarray(cv2.dilate(mask, disc_of(step)), np.uint8)
        ring = picture[(grown > 0) & (before == 0)]
        before = grown
        if ring.size:
            rings.append(np.median(ring, axis=0))
    changes = [step for step in range(1, len(rings)) if np.abs(rings[step] - rings[step - 1]).max() > SHARP_CHANGE]
    return max(changes, default=0) + 2


def disc_of(radius: float) -> NDArray[np.uint8]:
    size = 2 * max(1, round(radius)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


# --- shapes drawn with a line ---------------------------------------------------------------------------------------


def enclosing(ink: Ink, words: Sequence[InkWord]) -> tuple[list[Outline], Ink]:
    """Return boxes and ellipses drawn around words (enclosed white), and the pixels of these and of their lines."""
    _, pieces, every, _ = cv2.connectedComponentsWithStats((~ink).astype(np.uint8), connectivity=4)
    labels, stats = np.asarray(pieces, np.int32), np.asarray(every, np.int32)
    outlines = []
    gone = np.zeros(ink.shape, np.uint8)
    for number, letters in _held(labels, words).items():
        contour = _hole(labels, stats[number], number)
        if contour is None or not _is_frame_of_words(contour, letters):
            continue
        thick = line_around(ink, contour)
        is_round = _is_round(contour)
        outlines.append(_outline(contour, thick, is_round=is_round))
        mask = np.zeros(ink.shape, np.uint8)
        cv2.drawContours(mask, [contour], -1, 1, cv2.FILLED)
        gone |= np.asarray(
            cv2.dilate(mask, disc_of(thick) if is_round else np.ones((2 * max(1, round(thick)) + 1,) * 2, np.uint8)),
            np.uint8,
        )
    return outlines, gone > 0


def _held(labels: NDArray[np.int32], words: Iterable[InkWord]) -> dict[int, float]:
    areas: dict[int, float] = {}
    for word in words:
        part = labels[pixels_of(word.box, labels)]
        numbers, counts = np.unique(part[part > 0], return_counts=True)
        if numbers.size:
            number = int(numbers[counts.argmax()])
            areas[number] = areas.get(number, 0.0) + area(word.box)
    return areas


def _hole(labels: NDArray[np.int32], stat: NDArray[np.int32], number: int) -> Contour | None:
    """Return the contour of a piece of white; None if it reaches the picture's edge or most of it."""
    x, y, wide, high = (int(value) for value in stat[:4])
    rows, columns = labels.shape
    is_open = x == 0 or y == 0 or x + wide >= columns or y + high >= rows
    if is_open or wide * high > LARGEST_NODE * rows * columns or high < 0.8 * EM:
        return None
    part = (labels[y : y + high, x : x + wide] == number).astype(np.uint8)
    contours, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(x, y))
    return np.asarray(max(contours, key=cv2.contourArea), np.int32)


def _is_frame_of_words(contour: Contour, letters: float) -> bool:
    own = cv2.contourArea(contour)
    if own < 0.9 * cv2.contourArea(cv2.convexHull(contour)) or letters < LEAST_LETTERS * own:
        return False
    _, (wide, high), _ = cv2.minAreaRect(contour)
    fills = own / (wide * high + 1e-9)
    is_blob = fills >= BLOB and own >= CONVEX * cv2.contourArea(cv2.convexHull(contour)) and letters >= LETTERED * own
    return bool(fills >= 0.87 or _is_round(contour) or is_blob or letters >= 0.3 * own)


def _is_round(contour: Contour) -> bool:
    _, (wide, high), _ = cv2.minAreaRect(contour)
    return len(contour) > 5 and abs(cv2.contourArea(contour) / (wide * high + 1e-9) - math.pi / 4) < 0.05


def line_around(ink: Ink, contour: Contour) -> float:
    """Return the thickness of the line around a hole: the usual run of ink outwards."""
    x, y, wide, high = cv2.boundingRect(contour)
    runs = []
    for px, py in contour[:: max(1, len(contour) // 60), 0]:
        across, down = (px - x - wide / 2) / wide, (py - y - high / 2) / high
        dx, dy = (int(np.sign(across)), 0) if abs(across) > abs(down) else (0, int(np.sign(down)))
        run = 0
        while run < 0.5 * EM and _is_ink(ink, px + dx * (run + 1), py + dy * (run + 1)):
            run += 1
        runs.append(run)
    return float(np.median(runs)) if runs else 2.0


def _is_ink(ink: Ink, x: int, y: int) -> bool:
    return bool(0 <= y < ink.shape[0] and 0 <= x < ink.shape[1] and ink[y, x])
