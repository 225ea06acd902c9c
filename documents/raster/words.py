"""The words of a picture: lines from the OCR, cut to their ink and parted into words. Runs in a child only.

The OCR gives whole lines with a rim. `documents/proposals` needs what a text layer gives: words, their places, and one
size for letters of one size, although "area" has less ink above its line than "Price"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from statistics import median

import numpy as np
from numpy.typing import NDArray

from documents.folding import folded
from documents.proposals.words import PrintedWord
from documents.raster.engine import Pixels, RecognisedLine, read_lines, read_pieces
from documents.raster.lone_letters import lone_letters
from documents.rects import Rect, overlap

FINE_PIXELS, MOST_ZOOM = 1_600, 2.0  # smaller pictures are read enlarged: letters below 12 pixels are misread
INK_TO_SIZE, HALF = 0.93, 0.675  # letters' size from a line's ink; half the height a text layer gives its boxes
SIDE_MARGIN = 0.06  # margin left and right of a word's ink, as a share of the size
PARTED = 0.85  # of a line's height: a wider gap parts two names which the OCR read as one line
STRAY = "-–—=_~<>→←|/\\·•"  # what lines and arrowheads next to a word are read as
ARROWS = "→←↑↓"  # what heads are read as
FULL_STOP = re.compile(r"\w{5}\.$")
SHORT, SURE = 2, 0.85  # marks and crossings of lines are read as a letter or two, less surely than letters are
SIGNS = {"十": "+", "✚": "+", "一": "-", "ー": "-", "—": "-", "–": "-", "_": "-", "~": "-"}

Ink = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class InkWord:
    """A word of a picture, in its pixels."""

    text: str
    box: Rect  # encloses its ink
    size: float  # of its letters
    turn: int = 0  # quarter turns clockwise

    def zoomed(self, zoom: float) -> InkWord:
        x0, y0, x1, y1 = self.box
        return replace(self, box=(x0 * zoom, y0 * zoom, x1 * zoom, y1 * zoom), size=self.size * zoom)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A line cut to its ink."""

    text: str
    box: Rect
    columns: Ink  # which of its columns contain ink, from the box's left edge on
    is_upright: bool = False


def read_words(picture: Pixels, scale: float, origin: tuple[float, float]) -> list[PrintedWord]:
    """Read the words of a picture, in points of the page. Raises MemoryError.

    `scale`: points per pixel; `origin`: the page's point at the picture's upper left corner."""
    return [placed(word, scale, origin) for word in ink_words(picture)]


def ink_words(picture: Pixels) -> list[InkWord]:
    """Read the words of a picture where their ink is. Raises MemoryError.

    Running text is none, and is painted out of `picture`, so that its letters are not read as lines."""
    import cv2

    zoom = min(MOST_ZOOM, max(1.0, FINE_PIXELS / max(picture.shape[:2])))
    fine: Pixels = np.asarray(
        cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC) if zoom > 1 else picture,
        dtype=np.uint8,
    )
    lines = read_lines(fine)
    cuts = [cut for line in lines if line.text and (cut := _cut(line, fine)) is not None]
    for line in lines:
        if not line.text:
            _paint_out(line.box, picture, 1 / zoom)
    cuts = _apart(_parted(cuts, fine))
    usual = (
        median(_height(cut) for cut in named)
        if (named := [cut for cut in cuts if sum(letter.isalpha() for letter in cut.text) > 2])
        else 0.0
    )
    words = [word for cut in cuts for word in _words(cut, usual)]
    if high := usual or median([_height(cut) for cut in cuts] or [0.0]):
        alone = lone_letters(fine, [cut.box for cut in cuts], high)
        words += [InkWord(_as_sign(text), box, high / INK_TO_SIZE) for text, box in alone]
    return [word.zoomed(1 / zoom) for word in words]


def placed(word: InkWord, scale: float, origin: tuple[float, float]) -> PrintedWord:
    """Return a word with the box that a text layer would give it, in points."""
    (x0, y0, x1, y1), size = word.box, word.size
    if word.turn:
        middle = (x0 + x1) / 2
        box = (middle - HALF * size, y0 - SIDE_MARGIN * size, middle + HALF * size, y1 + SIDE_MARGIN * size)
    else:
        middle = (y0 + y1) / 2
        box = (x0 - SIDE_MARGIN * size, middle - HALF * size, x1 + SIDE_MARGIN * size, middle + HALF * size)
    left, top = origin
    place = (left + box[0] * scale, top + box[1] * scale, left + box[2] * scale, top + box[3] * scale)
    return PrintedWord(word.text, place, size * scale, word.turn)


def _cut(line: RecognisedLine, picture: Pixels) -> _Cut | None:
    text = _as_sign(line.text)
    if not text or (len(text) <= SHORT and line.score < SURE):
        return None
    left, top, right, bottom = _within(line.box, picture)
    if right - left < 2 or bottom - top < 2:
        return None
    ink, dark = _ink(picture[top:bottom, left:right])
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not rows.size:
        return None
    box = (left + int(columns[0]), top + int(rows[0]), left + int(columns[-1]) + 1, top + int(rows[-1]) + 1)
    is_upright = (box[3] - box[1]) > 1.6 * (box[2] - box[0]) and len(text) > 1
    inked: Ink = np.any(dark[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], axis=int(is_upright))
    return _without_strays(_Cut(text, box, inked, is_upright))


def _paint_out(box: Rect, picture: Pixels, zoom: float) -> None:
    left, top, right, bottom = _within((box[0] * zoom, box[1] * zoom, box[2] * zoom, box[3] * zoom), picture)
    part = picture[top:bottom, left:right]
    if part.size:
        part[:] = np.median(np.concatenate([part[0], part[-1]]), axis=0).astype(np.uint8)


def _within(box: Rect, picture: Pixels) -> tuple[int, int, int, int]:
    high, wide = picture.shape[:2]
    left, top = max(0, int(box[0])), max(0, int(box[1]))
    return left, top, min(wide, int(box[2]) + 1), min(high, int(box[3]) + 1)


def _ink(part: Pixels) -> tuple[Ink, Ink]:
    """Return the letters in a line's rectangle: the colour that there is less of, without what runs out of it and a
    node's rim; and with what runs out, since a letter that a line crosses would leave a gap in its word."""
    import cv2

    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    _, light = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    dark_ink: NDArray[np.uint8] = np.asarray(light == 0 if light.mean() > 127 else light > 0, dtype=np.uint8)
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(dark_ink, connectivity=8)
    high, wide = dark_ink.shape
    x, y, w, h = (stats[:, place] for place in range(4))
    runs_out = (x == 0) | (y == 0) | (x + w == wide) | (y + h == high)
    runs_out[0] = False
    every = np.arange(count) > 0
    for piece in np.flatnonzero(every & (w > 0.8 * wide) & (h > 0.5 * high)):
        every[piece] = not _is_frame(pieces == piece, stats[piece], stats[1:, 4].sum())
    is_letter = ~runs_out & every
    # letters that a line touches, or a rectangle cut too close
    if stats[is_letter, 4].sum() < 0.35 * stats[every, 4].sum():
        is_letter = every
    letters: Ink = is_letter[pieces]
    return letters, every[pieces]


def _is_frame(piece: Ink, stat: NDArray[np.int32], inked: int) -> bool:
    """Return True for the rim of a node around letters: hollow, and not all of the ink."""
    x, y, wide, high, area = (int(value) for value in stat)
    inner = piece[y + high // 4 : y + high - high // 4, x + wide // 10 : x + wide - wide // 10]
    return bool(inner.sum() < 0.02 * area and inked - area > 0.2 * area)


def _without_strays(cut: _Cut) -> _Cut | None:
    """Strip the dashes and heads at either end that adjacent lines are read as; a sign alone stays."""
    if len(cut.text) <= 3:
        return cut
    text = cut.text.lstrip(STRAY + " ")
    lead = len(cut.text) - len(text)
    stripped = text.rstrip(STRAY + " ")
    if FULL_STOP.search(stripped):  # a speck next to a name's last letter; short words are abbreviations
        stripped = stripped[:-1]
    if not stripped:
        return None
    if len(stripped) == len(cut.text) or cut.is_upright:
        return replace(cut, text=stripped)
    step = len(cut.columns) / len(cut.text)
    first, last = int(lead * step), int((lead + len(stripped)) * step)
    return _piece(replace(cut, text=stripped), first, max(first + 1, last))


def _piece(cut: _Cut, first: int, last: int) -> _Cut:
    """Return columns `first` to `last` (excluded) of a cut, down to where their ink begins and ends."""
    inked = np.flatnonzero(cut.columns[first:last])
    if inked.size:
        first, last = first + int(inked[0]), first + int(inked[-1]) + 1
    x0, y0, x1, y1 = cut.box
    box = (x0, y0 + first, x1, y0 + last) if cut.is_upright else (x0 + first, y0, x0 + last, y1)
    return replace(cut, box=box, columns=cut.columns[first:last])


def _parted(cuts: Sequence[_Cut], picture: Pixels) -> list[_Cut]:
    """Split lines at wide gaps and read the parts again: two names on one line are often read as one."""
    whole, pieces = [], []
    for cut in cuts:
        gaps = [gap for gap in _gaps(cut.columns) if gap[1] - gap[0] > PARTED * _height(cut)]
        if not gaps or cut.is_upright or len(cut.text) <= 5:
            whole.append(cut)
            continue
        edges = [0, *(edge for gap in gaps for edge in gap), len(cut.columns)]
        pieces += [_piece(cut, first, last) for first, last in zip(edges[::2], edges[1::2], strict=True)]
    read = read_pieces([_around(piece.box, picture) for piece in pieces])
    for piece, (text, _) in zip(pieces, read, strict=True):
        if text.strip() and (again := _without_strays(replace(piece, text=_as_sign(text)))) is not None:
            whole.append(again)
    return whole


def _apart(cuts: Sequence[_Cut]) -> list[_Cut]:
    """Separate lines of one name whose rectangles overlap: the taller one contains ink of the other, and ends where
    that begins."""
    trimmed = list(cuts)
    level = [place for place, cut in enumerate(cuts) if not cut.is_upright]
    for one, other in permutations(level, 2):
        tall, low = trimmed[one].box, trimmed[other].box
        shared = overlap(tall, low, 1)
        is_adjacent = overlap(tall, low, 0) > 0.5 * min(tall[2] - tall[0], low[2] - low[0])
        if not (is_adjacent and 0 < shared < 0.5 * (low[3] - low[1]) and tall[3] - tall[1] > low[3] - low[1]):
            continue
        top, bottom = (tall[1], low[1]) if tall[1] < low[1] else (low[3], tall[3])
        trimmed[one] = replace(trimmed[one], box=(tall[0], top, tall[2], bottom))
    return trimmed


def _as_sign(text: str) -> str:
    plain = folded(text).strip()
    return SIGNS.get(plain, plain)


def _around(box: Rect, picture: Pixels) -> Pixels:
    rim = max(2, int((box[3] - box[1]) / 5))
    left, top, right, bottom = _within((box[0] - rim, box[1] - rim, box[2] + rim, box[3] + rim), picture)
    return picture[top:bottom, left:right]


def _gaps(columns: Ink) -> list[tuple[int, int]]:
    inked = np.flatnonzero(columns)
    return [(int(a) + 1, int(b)) for a, b in pairwise(inked) if b - a > 1]


def _words(cut: _Cut, usual: float) -> Iterable[InkWord]:
    """Yield a line's words: parted at its widest gaps, one for each space."""
    texts = cut.text.split()
    high = _height(cut)
    is_usual = len(cut.text) == 1 or 0.5 * usual < high < 1.4 * usual
    size = (usual if is_usual and usual else high) / INK_TO_SIZE
    for text, piece in zip(texts, _at_spaces(cut, texts), strict=True):
        if text.strip(ARROWS):
            word = _as_sign(text) if text.isalpha() else text  # an underline is no sign
            yield InkWord(word, piece.box, size, 3 if cut.is_upright else 0)


def _at_spaces(cut: _Cut, texts: Sequence[str]) -> list[_Cut]:
    """Return the words of a cut, by its widest gaps in order; by the number of letters if it has too few."""
    if len(texts) == 1:
        return [cut]
    widest = sorted(_gaps(cut.columns), key=lambda gap: gap[0] - gap[1])[: len(texts) - 1]
    if len(widest) == len(texts) - 1:
        edges = [0, *(edge for gap in sorted(widest) for edge in gap), len(cut.columns)]
        spans = list(zip(edges[::2], edges[1::2], strict=True))
    else:
        spans, place, step = [], 0, len(cut.columns) / max(1, len(cut.text))
        for text in texts:
            start = cut.text.index(text, place)
            place = start + len(text)
            spans.append((int(start * step), max(int(start * step) + 1, int(place * step))))
    if cut.is_upright:  # read from below
        spans = spans[::-1]
    return [_piece(cut, first, last) for first, last in spans]


def _height(cut: _Cut) -> float:
    return cut.box[2] - cut.box[0] if cut.is_upright else cut.box[3] - cut.box[1]
