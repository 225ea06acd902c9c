"""Lone letters, which the OCR's search for lines misses: each is read by itself, enlarged.

Nodes of causal graphs are often named X, Y or Z1, dark on the paper or light on a disc. Runs in a child only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from documents.raster.engine import Pixels, read_pieces
from documents.rects import Rect, grown, is_inside, touch

LEVELS = (64, 128, 192)  # of grey, between a letter and what is around it; between them lie letters on coloured discs
HEIGHT = (0.5, 1.7)  # of a line of words: the height of a lone letter
WIDEST = 2.0  # of its height: a letter and a digit
JOINS = 0.25  # of a line's height: the gap between a letter and its digit
RIM = 0.12  # of a line's height: what is free around a letter
PAPER = (0.3, 0.5, 0.8)  # of a letter's height: the paper added around it; it is read with each
READ_HIGH = 40  # pixels
SURE = 0.65  # mean score of three equal readings
MOST = 80  # places that are read: a figure with more has other marks
NAME = re.compile(r"(?![oOlI])[A-Za-zΑ-Ωα-ω]\d{0,2}|[+十]")  # rings and bars are no letters


def lone_letters(picture: Pixels, known: Sequence[Rect], line_height: float) -> list[tuple[str, Rect]]:
    """Return the letters, each with a digit or two, that are alone in a picture, and the boxes of their ink.

    `known`: the lines that were read; `line_height`: their usual height in pixels. Raises MemoryError."""
    places: list[Rect] = []
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    for level in LEVELS:
        for is_dark in (True, False):
            ink = np.asarray((grey < level) if is_dark else (grey >= level), np.uint8)
            for box in _alone(ink, line_height):
                if not any(touch(box, other) for other in known) and not any(_is_same(box, one) for one in places):
                    places.append(box)
    if len(places) > MOST:
        return []
    read = iter(read_pieces([_piece(picture, box, paper) for box in places for paper in PAPER]))
    letters = []
    for box, three in zip(places, zip(read, read, read, strict=True), strict=True):
        text = max(three, key=lambda each: each[1])[0].strip()
        are_equal = len({each.strip().casefold() for each, _ in three}) == 1
        if are_equal and NAME.fullmatch(text) and sum(score for _, score in three) >= SURE * len(three):
            letters.append((text, box))
    return letters


def _alone(ink: Pixels, line_height: float) -> Iterator[Rect]:
    """Yield the boxes of ink of a letter's size with nothing near."""
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, 2 * int(0.5 * JOINS * line_height) + 1), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    high = stats[:, cv2.CC_STAT_HEIGHT]
    fits = (high > HEIGHT[0] * line_height) & (high < HEIGHT[1] * line_height)
    fits &= (stats[:, cv2.CC_STAT_WIDTH] < WIDEST * high) & (stats[:, cv2.CC_STAT_WIDTH] > 0.3 * high)
    for x, y, wide, tall, _ in stats[1:][fits[1:]].tolist():
        rim = max(2, round(RIM * line_height))
        around = ink[max(0, y - rim) : y + tall + rim, max(0, x - rim) : x + wide + rim]
        if x < rim or y < rim or around.shape != (tall + 2 * rim, wide + 2 * rim):
            continue
        inner = ink[y : y + tall, x : x + wide]
        if around.sum() == inner.sum() and 0.12 < inner.mean() < 0.75:
            yield (float(x), float(y), float(x + wide), float(y + tall))


def _is_same(one: Rect, other: Rect) -> bool:
    return is_inside(one, other, 3) or is_inside(other, one, 3)


def _piece(picture: Pixels, box: Rect, paper: float) -> Pixels:
    """Return a letter with paper of its own colour around it, as large as the OCR reads it best."""
    x0, y0, x1, y1 = (int(value) for value in grown(box, 2))
    part = picture[y0:y1, x0:x1]
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    colour = [int(value) for value in np.median(rim, axis=0)]
    pad = int(paper * (y1 - y0))
    framed = cv2.copyMakeBorder(part, pad, pad, 2 * pad, 2 * pad, cv2.BORDER_CONSTANT, value=colour)
    zoom = READ_HIGH / framed.shape[0]
    method = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(framed, None, fx=zoom, fy=zoom, interpolation=method), np.uint8)
