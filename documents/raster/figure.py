"""A picture as the words and lines that `documents/proposals` reads of a PDF. Runs in a child only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from documents.proposals.shapes import Outline, Point, simplified, size
from documents.proposals.words import PrintedWord
from documents.raster import glyphs, marks
from documents.raster.arrowheads import (
    blobs_of,
    depths,
    painted_heads,
    plain_crossings,
    thick_places,
)
from documents.raster.delay_marks import delay_marks
from documents.raster.discs import discs
from documents.raster.dots import with_dotted_lines
from documents.raster.doubts import Seam
from documents.raster.engine import Pixels
from documents.raster.flares import flared_ends, hidden_heads, sketched_ends
from documents.raster.ink import (
    EM,
    LETTER_RIM,
    SHADE,
    depth_of,
    ink_of,
    pixels_of,
    resized,
    rims_of,
    scale_of,
    without_specks,
)
from documents.raster.linking import along_lines, over_gaps, smooth, through_crossings
from documents.raster.open_heads import hollow_heads, open_heads, parted_wings, whole_arrows
from documents.raster.skeleton import (
    Branch,
    Line,
    Numbered,
    branches,
    contracted,
    gathered,
    junctions,
    thinned,
    without_spurs,
)
from documents.raster.valves import without_valves
from documents.raster.words import Ink, InkWord, placed
from documents.rects import Rect

CROSSED = "A line crosses this name; check its letters."
TOUCHED = "Its sign touches a line."
SMALL = "The picture is small; details are lost."
SMALLEST_LETTERS = 12.0  # pixels
SIGNS = ("+", "-")
PLUS_READ = ("4", "†", "t")
LEAST_SIGNS = 2  # of a figure whose lone 4 is a plus
LIKE_PLUS = 0.62  # of a plus's longer side: the shorter one
CRUMB = 0.13 * EM  # what looks like a head and is no larger than that
THICK = 0.07 * EM  # half the thickness of lines that share long stretches where they cross


@dataclass(frozen=True, slots=True)
class FigureInk:
    """Words and lines of a picture, in points of the page."""

    words: tuple[PrintedWord, ...]
    outlines: tuple[Outline, ...]
    seams: tuple[Seam, ...]  # places of doubt
    general: tuple[str, ...]  # doubts about the whole figure
    letter: float  # size of its letters


def read_figure(picture: Pixels, words: Sequence[InkWord], scale: float, origin: Point) -> FigureInk:
    """Read the lines of a picture whose words are known (in its pixels); return both. Raises MemoryError.

    `scale`: points per pixel; `origin`: the page's point at the picture's upper left corner."""
    if not words:
        return FigureInk((), (), (), (), 1.0)
    try:
        return _read(picture, words, scale, origin)
    except cv2.error as error:
        if "memory" in str(error).lower():
            raise MemoryError(str(error)[:200]) from error
        raise


def _read(picture: Pixels, words: Sequence[InkWord], scale: float, origin: Point) -> FigureInk:
    zoom = scale_of(words, picture)
    fine = resized(picture, zoom)
    own = _plausible([word.zoomed(zoom) for word in _with_signs(words)], fine)
    shapes, ink = _bared(fine, own)
    added, touched = _signs(ink, fine, own)
    every = [*own, *added, *touched]
    rim = (LETTER_RIM + 0.06) * EM
    crossed = [word for word in own if len(word.text) > 1 and ink[pixels_of(word.box, ink, rim)].any()]
    seams = [Seam(_middle(word.box), CROSSED) for word in crossed]
    seams += [Seam(_middle(sign.box), TOUCHED) for sign in touched]
    lines, more = trace(ink, fine, [word.box for word in every if word.text in SIGNS], shapes)

    def place(point: Point) -> Point:
        return origin[0] + scale / zoom * point[0], origin[1] + scale / zoom * point[1]

    return FigureInk(
        words=tuple(placed(word, scale / zoom, origin) for word in every),
        outlines=tuple(replace(one, points=tuple(place(point) for point in one.points)) for one in (*shapes, *lines)),
        seams=tuple(Seam(place(seam.place), seam.reason) for seam in (*seams, *more)),
        general=(SMALL,) if EM / zoom < SMALLEST_LETTERS else (),
        letter=EM * scale / zoom,
    )


def _middle(box: Rect) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


# --- words ----------------------------------------------------------------------------------------------------------


def _with_signs(words: Sequence[InkWord]) -> list[InkWord]:
    """Correct a lone 4, which is a plus that touches a line."""
    signs = sum(word.text in SIGNS for word in words)
    pluses = PLUS_READ if signs >= LEAST_SIGNS else ()
    return [replace(word, text="+") if word.text in pluses else word for word in words]


def _plausible(words: Iterable[InkWord], picture: Pixels) -> list[InkWord]:
    """Leave out words that are lines: heads and crossings read as single letters, dashes as minus signs."""
    ink = ink_of(depth_of(picture))
    bars = marks.bars_of(marks.pieces_of(ink))
    plausible = []
    for word in words:
        x0, y0, x1, y1 = word.box
        if word.text == "-" and marks.is_dash(word.box, bars):
            continue
        is_square = LIKE_PLUS < (x1 - x0) / max(y1 - y0, 1) < 1 / LIKE_PLUS
        if word.text == "+" and not is_square and not _ways_out(word, ink):
            continue  # a head with a piece of its line
        if word.text not in SIGNS and word.text not in "Il" and min(x1 - x0, y1 - y0) < 0.22 * EM:
            continue
        if len(word.text) > 1 or _is_isolated(word, ink) or _is_on_one_shade(word, picture):
            plausible.append(word)
    return plausible


def _is_isolated(word: InkWord, ink: Ink) -> bool:
    """Return True if no ink leads out of a single letter's box, or only one line out of a plus."""
    return _ways_out(word, ink) <= int(word.text == "+")


def _ways_out(word: InkWord, ink: Ink) -> int:
    part = ink[pixels_of(word.box, ink, 0.06 * EM)]
    return sum(bool(side.any()) for side in (part[0], part[-1], part[:, 0], part[:, -1])) if part.size else 0


def _is_on_one_shade(word: InkWord, picture: Pixels) -> bool:
    """Return True if a letter lies on one colour, as a light one on a dark disc does: its disc counts as ink."""
    part = picture[pixels_of(word.box, picture, 0.06 * EM)].astype(np.int16)
    if word.text in SIGNS or not part.size:
        return False
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    return bool(np.abs(rim - np.median(rim, axis=0)).max() <= 2 * SHADE)


# --- from the picture to its lines ----------------------------------------------------------------------------------


def _bared(picture: Pixels, words: Sequence[InkWord]) -> tuple[list[Outline], Ink]:
    """Return the shapes of nodes and valves, and the ink that is neither of them nor a word. Changes `picture`."""
    shapes = glyphs.without_shades(picture, words)
    shapes += discs(picture)
    depth = depth_of(picture)
    around, gone = glyphs.enclosing(rims_of(depth), words)
    valves, ink = without_valves(ink_of(depth) & ~gone)
    return shapes + around + valves, ink


def _signs(ink: Ink, picture: Pixels, words: Sequence[InkWord]) -> tuple[list[InkWord], list[InkWord]]:
    """Remove unread signs from the ink; return those that are isolated and those that touch a line."""
    alone = marks.lone_signs(ink, picture)
    whole = ink.copy()
    for sign in alone:
        ink[pixels_of(sign.box, ink, 0.05 * EM)] = False
    touching = marks.touching_signs(ink, whole, [word for word in [*words, *alone] if word.text in SIGNS])
    for sign in touching:
        marks.wipe(ink, sign)
    return alone, touching


def trace(
    ink: Ink, picture: Pixels, signs: Sequence[Rect], shapes: Sequence[Outline] = ()
) -> tuple[list[Outline], list[Seam]]:
    """Return heads and strokes of ink that is neither words nor shapes; `shapes` were removed from it."""
    solid = without_specks(with_dotted_lines(ink), 0.1 * EM)
    solid |= hollow_heads(solid)
    skeleton = thinned(solid)
    depth = depths(solid)
    heads = whole_arrows(solid, skeleton, depth)
    thick, half = thick_places(solid, skeleton, depth)
    blobs, nodes, first_junction = blobs_of(thick, depth)
    lines = _branches(skeleton, nodes, first_junction, half, picture)
    shared = max(0.3 * EM, 4 * half)  # the stretch that two lines share where they cross
    delays = delay_marks(lines)
    lines = [line for place, line in enumerate(lines) if place not in delays.branches]
    for line in lines:
        line.ends = [delays.nodes.get(end, end) for end in line.ends]
    remaining = [blob for blob in plain_crossings(blobs, lines, half) if blob.node not in delays.nodes]
    if len(remaining) < len(blobs):
        real = {blob.node for blob in remaining}
        _renumber(lines, {blob.node for blob in blobs} - real)
    lines = contracted(without_spurs(lines, first_junction, half), first_junction, shared)
    painted, wings, at_heads = painted_heads(remaining, lines, half)
    parted_wings(lines, wings, half)
    opened, more = open_heads(lines, wings, half)
    heads += painted + opened
    flared, most = flared_ends(lines, wings | more, ink, half, shapes, heads)
    heads += flared
    lines = [line for place, line in enumerate(lines) if place not in wings | more | most]
    _renumber(lines, {blob.node for blob in remaining} - at_heads)  # thick crossings, as those of thick lines are
    lines = contracted(lines, first_junction, shared)
    if half >= THICK:
        gathered(lines, at_heads, shared)
    traces, seams = through_crossings(lines, at_heads, half)
    traces, gaps = over_gaps(traces, heads, signs)
    heads = [head for head in heads if size(head.box) > CRUMB]  # a smaller one is none, and would hide that of its line
    heads += sketched_ends([trace.points for trace in traces], heads, ink, half)
    hidden, doubtful = hidden_heads([trace.points for trace in traces], heads, ink, half, shapes)
    heads = along_lines(heads + hidden, traces)
    strokes = [_stroke(trace.points, order) for order, trace in enumerate(traces)]
    return [*heads, *delays.strokes, *(stroke for stroke in strokes if stroke is not None)], [*seams, *gaps, *doubtful]


def _branches(skeleton: Ink, nodes: Numbered, first_junction: int, half: float, picture: Pixels) -> list[Branch]:
    rest = skeleton & (nodes == 0)
    joints = junctions(rest, round(1.2 * half))
    every = np.where((nodes == 0) & (joints > 0), joints + first_junction, nodes)
    return branches(rest, every, picture)


def _renumber(lines: Sequence[Branch], plain: set[int]) -> None:
    """Make thick places that are plain crossings junctions: their numbers follow all others."""
    most = max((end for line in lines for end in line.ends), default=0) + 1
    for line in lines:
        line.ends = [most + end if end in plain else end for end in line.ends]


def _stroke(points: Line, order: int) -> Outline | None:
    line = simplified([(float(x), float(y)) for x, y in smooth(points)], 0.035 * EM)
    if len(line) < 2 or math.dist(line[0], line[-1]) + len(line) <= 0.15 * EM:
        return None
    is_short = len(line) == 2 and math.dist(*line) < 1.7 * EM
    return Outline(points=tuple(line), curved=True, order=10 * order if is_short else 0)  # two dashes are no head
