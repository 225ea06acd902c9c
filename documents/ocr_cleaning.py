"""A picture without its lines and boxes, so that Tesseract finds the names between them.

Around a box or an arrow Tesseract takes words for drawing and drops them. Ink that hangs together is a piece; a piece
much larger than a letter is a line, a frame or an arrow, unless it is as low and as dense as letters that touch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

INK = 150  # grey levels below are ink
SMALLEST, LARGEST = 6, 120  # pixels: heights that letters may have
TALL, WIDE = 2.2, 3.5  # times the usual height of a letter
FLAT, THIN = 0.5, 0.2  # lower than this share of it, or with less ink than this share of its box: a line
MOST_RUNS = 400_000  # a photograph rather than a drawing: left as it is

Numbers = NDArray[np.int64]


def without_lines(grey: Image.Image) -> Image.Image:
    """The picture with every piece whitened that is too large, too flat or too thin for letters."""
    levels = np.array(grey)
    rows, starts, ends = _runs(levels < INK)
    if not 0 < len(rows) <= MOST_RUNS:
        return grey
    piece = _pieces(rows, starts, ends, levels.shape[0])
    for run in np.flatnonzero(_is_line(piece, rows, starts, ends)[piece]):
        # A pixel more on both sides: the grey rim of a line would be taken for dots.
        levels[rows[run], max(0, starts[run] - 1) : ends[run] + 1] = 255
    return Image.fromarray(levels)


def _runs(ink: NDArray[np.bool_]) -> tuple[Numbers, Numbers, Numbers]:
    """Row, first column and column behind the last of every run of ink in a row, from top to bottom."""
    padded = np.zeros((ink.shape[0], ink.shape[1] + 2), np.int8)
    padded[:, 1:-1] = ink
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    return rows, starts, np.nonzero(steps == -1)[1]


def _pieces(rows: Numbers, starts: Numbers, ends: Numbers, height: int) -> Numbers:
    """The piece of every run, numbered from 0: runs that touch, also by a corner, are of one."""
    parent = list(range(len(rows)))

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    first = np.searchsorted(rows, np.arange(height + 1)).tolist()
    left, right = starts.tolist(), ends.tolist()
    for row in range(1, height):
        above, here = first[row - 1], first[row]
        while above < first[row] and here < first[row + 1]:
            if right[above] >= left[here] and right[here] >= left[above]:
                one, other = root(above), root(here)
                parent[max(one, other)] = min(one, other)
            if right[above] < right[here]:
                above += 1
            else:
                here += 1
    found: Numbers = np.unique([root(run) for run in range(len(parent))], return_inverse=True)[1]
    return found


def _is_line(piece: Numbers, rows: Numbers, starts: Numbers, ends: Numbers) -> NDArray[np.bool_]:
    """Whether each piece is something drawn rather than letters."""
    count = int(piece.max()) + 1
    box = [np.full(count, limit) for limit in (1 << 30, 1 << 30, 0, 0)]
    np.minimum.at(box[0], piece, starts)
    np.minimum.at(box[1], piece, rows)
    np.maximum.at(box[2], piece, ends)
    np.maximum.at(box[3], piece, rows + 1)
    wide, tall = box[2] - box[0], box[3] - box[1]
    like_letters = tall[(tall > SMALLEST) & (tall < LARGEST) & (wide < LARGEST)]
    if not len(like_letters):
        return np.zeros(count, np.bool_)
    usual = float(np.median(like_letters))
    ink = np.bincount(piece, weights=ends - starts)
    is_drawn_out = (wide > WIDE * usual) & ((tall < FLAT * usual) | (ink < THIN * wide * tall))
    found: NDArray[np.bool_] = (tall > TALL * usual) | is_drawn_out
    return found
