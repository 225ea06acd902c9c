"""Words with size and direction, and drawn lines of a PDF page, as matching needs them. Runs in a child only."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from documents.folding import folded
from documents.pdf_library import pymupdf
from documents.proposals.shapes import Outline, Point, centre, enough_steps, flattened, holds
from documents.proposals.words import PrintedWord
from documents.rects import Rect, grown, touch
from documents.turned import turn_of

MOST_ITEMS = 60_000  # lines and curves in one figure; diagrams have hundreds, scatter plots up to millions
PROSE_WORDS, PROSE_WORDS_A_LINE = 20, 4.5
WHITE = 0.98
MARGIN = 2.0


def read_tokens(page: pymupdf.Page, box: Rect) -> tuple[list[PrintedWord], set[str]]:
    flags = pymupdf.TEXTFLAGS_WORDS
    sheet = page.get_textpage(flags=flags)
    turn = turn_of(page)
    lines = {
        (number, place): line
        for number, block in enumerate(page.get_text("dict", textpage=sheet, flags=flags)["blocks"])
        for place, line in enumerate(block.get("lines", ()))
    }
    words = page.get_text("words", textpage=sheet, flags=flags)
    prose = _prose_blocks(words)
    tokens, vocabulary = [], set()
    for x0, y0, x1, y1, printed, block, line, _ in words:
        text = folded(printed).strip()
        if not text:
            continue
        vocabulary.add(text.lower().strip(".,;:()"))
        rect = pymupdf.Rect(x0, y0, x1, y1) * turn
        place = (rect.x0, rect.y0, rect.x1, rect.y1)
        if block not in prose and holds(box, centre(place)):
            tokens.append(_token(text, place, lines.get((block, line)), page.rotation))
    return tokens, vocabulary


def words_of(document: pymupdf.Document, most_pages: int) -> set[str]:
    pages = (document[number] for number in range(min(len(document), most_pages)))
    return {folded(word[4]).lower().strip(" .,;:()") for page in pages for word in page.get_text("words")}


def _prose_blocks(words: Sequence[tuple[Any, ...]]) -> set[int]:
    """Return paragraphs and captions: blocks of many words and long lines. Justified lines have gaps that labels do not
    bridge, so a paragraph must go whole or it leaves crumbs that look like names."""
    lines: dict[int, dict[int, int]] = {}
    for word in words:
        counts = lines.setdefault(word[5], {})
        counts[word[6]] = counts.get(word[6], 0) + 1
    return {
        block
        for block, counts in lines.items()
        if sum(counts.values()) >= PROSE_WORDS and sum(counts.values()) >= PROSE_WORDS_A_LINE * len(counts)
    }


def _token(text: str, box: Rect, line: dict[str, Any] | None, rotation: int) -> PrintedWord:
    if line is None or not line["spans"]:
        return PrintedWord(text, box, 0.75 * (box[3] - box[1]))
    size = max(span["size"] for span in line["spans"] if span["text"].strip() or len(line["spans"]) == 1)
    degrees = math.degrees(math.atan2(line["dir"][1], line["dir"][0])) + rotation
    quarter = round(degrees / 90)
    is_slanted = abs(degrees - 90 * quarter) > 3
    turn = None if is_slanted or quarter % 4 == 2 else quarter % 4
    return PrintedWord(text, box, size, turn)


def read_outlines(page: pymupdf.Page, box: Rect, *, white: bool = False) -> list[Outline] | None:
    """Return the pen's runs that touch a box; None if there are too many to be a diagram. White ones are left out.
    `white`: only what is painted white, as letters on a dark box are."""
    turn = turn_of(page)
    outlines: list[Outline] = []
    items = 0
    for order, path in enumerate(page.get_cdrawings()):
        rect = pymupdf.Rect(path["rect"]) * turn if page.rotation else path["rect"]
        if not touch(grown((rect[0], rect[1], rect[2], rect[3]), MARGIN), box):
            continue
        items += len(path["items"])
        if items > MOST_ITEMS:
            return None
        if not white:
            outlines.extend(_outlines(path, order, turn))
        elif path.get("color") is None and path.get("fill") is not None and _is_white(path["fill"]):
            outlines.extend(_outlines({**path, "fill": (0.0,)}, order, turn))  # as if it were black
    return [one for one in outlines if touch(grown(one.box, MARGIN), box)]


def _outlines(path: dict[str, Any], order: int, turn: pymupdf.Matrix) -> Iterator[Outline]:
    fill, colour = path.get("fill"), path.get("color")
    stroked = colour is not None and not _is_white(colour) and path.get("stroke_opacity", 1) > 0.05
    filled = fill is not None and path.get("fill_opacity", 1) > 0.05
    if not stroked and (not filled or _is_white(fill)):
        return
    dashed = path.get("dashes", "[] 0").strip() not in ("", "[] 0", "[]0")
    ink: Any = colour if stroked else fill
    for points, curved in _runs(path["items"], bool(path.get("closePath"))):
        if turn != pymupdf.Identity:
            points = [(x * turn.a + y * turn.c + turn.e, x * turn.b + y * turn.d + turn.f) for x, y in points]
        returns = len(points) > 2 and math.dist(points[0], points[-1]) < 0.05
        run = tuple(points[:-1] if returns else points)
        closed = len(run) > 2 and (returns or not stroked)  # paint closes what the pen left open
        if len(run) > 1:
            yield Outline(
                points=run,
                closed=closed,
                filled=filled and not _is_white(fill),
                stroked=stroked,
                curved=curved,
                dashed=dashed,
                colour=tuple(round(float(value), 2) for value in ink),
                width=float(path.get("width") or 1.0),
                order=order,
            )


def _runs(items: Sequence[tuple[Any, ...]], closes: bool) -> Iterator[tuple[list[Point], bool]]:
    """Yield points of every run of lines and curves without lifting the pen, and whether it bends."""
    points: list[Point] = []
    curved = False
    for item in items:
        if item[0] == "re":
            x0, y0, x1, y1 = item[1]
            yield [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], False
            continue
        if item[0] == "qu":
            upper_left, upper_right, lower_left, lower_right = ((float(x), float(y)) for x, y in item[1])
            yield [upper_left, upper_right, lower_right, lower_left, upper_left], False
            continue
        start, *rest = ((float(x), float(y)) for x, y in item[1:])
        if not points or math.dist(points[-1], start) > 0.01:
            if len(points) > 1:
                yield points, curved
            points, curved = [start], False
        if item[0] == "c":
            b, c, d = rest
            points.extend(flattened(start, b, c, d, enough_steps(start, b, c, d)))
            curved = True
        else:
            points.append(rest[0])
    if len(points) > 1:
        yield ([*points, points[0]] if closes and len(points) > 2 else points), curved


def _is_white(colour: object) -> bool:
    return isinstance(colour, (tuple, list)) and len(colour) in (1, 3) and min(colour) >= WHITE
