"""Draw a causal graph as a picture for print: SVG, PNG or PDF from one drawing. Runs in a child process only."""

# PyMuPDF says it is typed, yet leaves most of its functions bare.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from html import escape

from core.errors import UnreadableDocument
from core.graphs import labels
from core.graphs.layouts.drawing import STYLES, Drawing, DrawnEdge, DrawnMark, DrawnNode
from core.words import counted
from documents.lettering import Colour, length, lines_of, write
from documents.pdf_library import pymupdf
from documents.proposals.diagrams import DrawnArrow, arrow_between
from documents.rects import Rect


def _rgb(code: str) -> Colour:
    return int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255


INK, PAPER, QUIET = _rgb("#14171A"), (1.0, 1.0, 1.0), _rgb("#5A6067")
COLOURS = {
    "plain": _rgb("#3A3A3A"),
    "matched": _rgb("#3A3A3A"),
    "missed": _rgb("#0072B2"),
    "spurious": _rgb("#C44601"),
    "reversed": _rgb("#C44601"),
}
FILLS = {"plain": PAPER, "matched": _rgb("#EEEFF0"), "missed": PAPER, "spurious": PAPER}
DASHES = {"missed": "[7 4] 0", "spurious": "[0 4.5] 0", "reversed": "[0 4.5] 0"}  # no length, round cap: dots
COMPARED = ("matched", "missed", "spurious", "reversed")
SIZE, LEADING = 13.0, 15.5  # of a label, points
SMALL = 9.5
MARGIN, LEGEND_LINE = 26.0, 17.0
DIMMED = 0.2
PNG_DPI, MOST_PIXELS = 200, 40_000_000
LONGEST_SIDE = 14_000.0  # points; PDF pages end at 14,400
FIXED_DATE = "D:20250101000000Z"


@dataclass(frozen=True, slots=True)
class _Label:
    """A node's label set in lines, and the box around it in page points."""

    node: DrawnNode
    lines: tuple[str, ...]
    box: Rect


def draw_graph(drawing: Drawing, form: str, longest_px: int | None = None) -> bytes:
    """Return the drawing as `form` "svg", "png" (200 dpi, or less, so that no side is over `longest_px`) or "pdf".
    The same drawing always gives the same bytes.
    Raises UnreadableDocument ("too large a page") if it is over 14,000 points high or wide."""
    labels, width, height = _set_labels(drawing)
    legend = _legend(drawing)
    height += LEGEND_LINE * len(legend) + (10 if legend else 0)
    if max(width, height) > LONGEST_SIDE:
        raise UnreadableDocument("too large a page", "This graph is too large for one picture; focus on a part of it.")
    width = max(width, 320.0 if legend else 0.0)
    document = pymupdf.open()
    page = document.new_page(width=width, height=height)
    for edge in sorted(drawing.edges, key=lambda edge: not edge.is_dimmed):
        _draw_edge(page, edge, labels)
    for label in labels:
        _draw_label(page, label)
    for mark in drawing.marks:
        _draw_mark(page, mark, _shift(drawing))
    for number, (style, count) in enumerate(legend):
        of = {"missed": drawing.ends[0], "spurious": drawing.ends[1]}.get(style)
        words = f"{style} ({of} only): {count}" if of else f"{style}: {count}"
        _draw_legend(page, style, words, height - MARGIN / 2 - LEGEND_LINE * (len(legend) - number - 0.5))
    return _written(document, page, drawing, form, longest_px)


def _written(
    document: pymupdf.Document, page: pymupdf.Page, drawing: Drawing, form: str, longest_px: int | None
) -> bytes:
    if form == "svg":
        svg: str = page.get_svg_image(text_as_path=True)
        start = svg.index(">", svg.index("<svg")) + 1
        return (svg[:start] + f"<title>{escape(_words(drawing))}</title>" + svg[start:]).encode("utf-8")
    if form == "png":
        area = page.rect.width * page.rect.height / 72**2
        dpi = min(PNG_DPI, int(math.sqrt(MOST_PIXELS / area)))
        if longest_px is not None:
            dpi = max(1, min(dpi, int(72 * longest_px / max(page.rect.width, page.rect.height))))
        png: bytes = page.get_pixmap(dpi=dpi, alpha=False).tobytes("png")
        return png
    document.set_metadata(
        {"title": _words(drawing), "producer": "Edgewise", "creationDate": FIXED_DATE, "modDate": FIXED_DATE}
    )
    document.subset_fonts()
    content: bytes = document.tobytes(garbage=4, deflate=True, clean=True, no_new_id=True)
    return content


def _words(drawing: Drawing) -> str:
    counts = f"{len(drawing.nodes)} nodes, {len(drawing.edges)} edges"
    classes = ", ".join(f"{count} {style}" for style, count in _legend_edges(drawing))
    return f"{drawing.title or 'Causal graph'}: {counts}" + (f" ({classes})" if classes else "")


# --- labels -------------------------------------------------------------------------------------------------------


def _shift(drawing: Drawing) -> tuple[float, float]:
    boxes = [_box(node, _lines(node.name)) for node in drawing.nodes]
    if not boxes:
        return MARGIN, MARGIN
    return MARGIN - min(box[0] for box in boxes), MARGIN + 22 - min(box[1] for box in boxes)


def _set_labels(drawing: Drawing) -> tuple[list[_Label], float, float]:
    right, down = _shift(drawing)
    labels = []
    for node in drawing.nodes:
        lines = _lines(node.name)
        x0, y0, x1, y1 = _box(node, lines)
        labels.append(_Label(node, lines, (x0 + right, y0 + down, x1 + right, y1 + down)))
    width = max((label.box[2] for label in labels), default=2 * MARGIN) + MARGIN + 22
    height = max((label.box[3] for label in labels), default=2 * MARGIN) + MARGIN + 10
    return labels, width, height


def _lines(name: str) -> tuple[str, ...]:
    """Break a name as the screen does, for which the layout has left space; never shortened."""
    return tuple(line for part in labels.lines_of(name) for line in lines_of(part, SIZE))


def _box(node: DrawnNode, lines: tuple[str, ...]) -> Rect:
    wide = max(length(line, SIZE) for line in lines) / 2 + 9
    high = len(lines) * LEADING / 2 + 5
    return node.at.x - wide, node.at.y - high, node.at.x + wide, node.at.y + high


def _draw_label(page: pymupdf.Page, label: _Label) -> None:
    node, (x0, y0, x1, y1) = label.node, label.box
    opacity = DIMMED if node.is_dimmed else 1.0
    page.draw_rect(
        pymupdf.Rect(label.box),
        color=COLOURS[node.style],
        fill=FILLS[node.style],
        width=1.0,
        radius=None if node.style == "spurious" else min(0.4, 4 / min(x1 - x0, y1 - y0)),
        dashes="[5 3] 0" if node.style == "missed" else None,
        stroke_opacity=opacity,
        fill_opacity=1.0,
    )
    middle = (y0 + y1) / 2
    for number, line in enumerate(label.lines):
        y = middle + (number - (len(label.lines) - 1) / 2) * LEADING
        write(page, line, (x0 + x1) / 2, y, SIZE, INK, opacity=opacity)
    if node.badge:
        write(page, node.badge, (x0 + x1) / 2, y1 + 7, SMALL, QUIET, opacity=opacity)


# --- arrows -------------------------------------------------------------------------------------------------------


def _draw_edge(page: pymupdf.Page, edge: DrawnEdge, labels: list[_Label]) -> None:
    source, sink = labels[edge.source].box, labels[edge.sink].box
    if edge.source == edge.sink:
        x, y = source[2], source[1]
        arrow = DrawnArrow((x - 22, y - 2), (x + 44, y - 46), (x + 2, (y + source[3]) / 2), 1)
    else:
        reach, turn = abs(edge.bend) / 2 + 0.5, edge.bend * math.pi / 2  # as vis-network bends on the screen
        arrow = arrow_between(source, sink, -reach * math.sin(turn) / 2, gap=2.0)
    _draw_arrow(page, arrow, edge, DIMMED if edge.is_dimmed else 1.0)


def _draw_arrow(page: pymupdf.Page, arrow: DrawnArrow, edge: DrawnEdge, opacity: float) -> None:
    colour = COLOURS[edge.style]
    shape = page.new_shape()
    shape.draw_bezier(*arrow.cubic(arrow.back_from_tip(6.0)))
    dashes = DASHES.get(edge.style)
    shape.finish(
        color=colour,
        width=1.8,
        closePath=False,
        dashes=dashes,
        stroke_opacity=opacity,
        lineCap=1 if dashes and dashes.startswith("[0") else 0,
    )
    shape.draw_polyline(arrow.head(10.0, 4.0))
    if edge.style == "reversed":
        shape.draw_polyline(_backwards(arrow).head(10.0, 4.0))
    shape.finish(color=colour, fill=colour, width=0.3, closePath=True, fill_opacity=opacity, stroke_opacity=opacity)
    for one, other in _cross_marks(arrow, edge):
        shape.draw_line(one, other)
        shape.finish(color=colour, width=1.5, closePath=False, stroke_opacity=opacity)
    shape.commit()
    _draw_words(page, arrow, edge, opacity)


def _backwards(arrow: DrawnArrow) -> DrawnArrow:
    return DrawnArrow(arrow.tip, arrow.control, arrow.start, -arrow.side)


def _cross_marks(arrow: DrawnArrow, edge: DrawnEdge) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the two strokes of a delay, and the x of a spurious arrow (which moves aside for the delay)."""
    strokes = list(arrow.delay_strokes()) if edge.delay else []
    if edge.style == "spurious":
        x, y = arrow.at(0.38 if edge.delay else 0.5)
        strokes += [((x - 4, y - 4), (x + 4, y + 4)), ((x - 4, y + 4), (x + 4, y - 4))]
    return strokes


def _draw_words(page: pymupdf.Page, arrow: DrawnArrow, edge: DrawnEdge, opacity: float) -> None:
    if edge.differs:
        x, y = arrow.at(0.5)  # a box is too large to fit near the head
        wide = length(edge.differs, SMALL) / 2 + 4
        box = pymupdf.Rect(x - wide, y - 8, x + wide, y + 8)
        page.draw_rect(box, color=INK, fill=PAPER, width=1.0, stroke_opacity=opacity)
        write(page, edge.differs, x, y, SMALL, INK, opacity=opacity)
    elif edge.sign:
        t = arrow.back_from_tip(17.0)
        (x, y), (dx, dy) = arrow.at(t), arrow.heading(t)
        x, y = x - dy * 9.5 * arrow.side, y + dx * 9.5 * arrow.side
        write(page, {"+": "+", "-": "−"}[edge.sign], x, y, 14.0, INK, opacity=opacity, font="hebo")
    if edge.style == "reversed":
        x, y = arrow.at(0.5)
        wide = length("reversed", SMALL) / 2 + 2
        page.draw_rect(pymupdf.Rect(x - wide, y - 6, x + wide, y + 6), color=None, fill=PAPER)
        write(page, "reversed", x, y, SMALL, COLOURS["reversed"], opacity=opacity)


def _draw_mark(page: pymupdf.Page, mark: DrawnMark, shift: tuple[float, float]) -> None:
    """Draw a loop's name in an open circle whose arrow turns the way the loop does."""
    x, y, radius = mark.at.x + shift[0], mark.at.y + shift[1], 14.0
    way = 1 if mark.is_clockwise else -1
    points = [
        (x + radius * math.cos(way * t * math.pi / 18), y + radius * math.sin(way * t * math.pi / 18))
        for t in range(-6, 25)
    ]
    shape = page.new_shape()
    shape.draw_polyline(points)
    shape.finish(color=INK, width=1.1, closePath=False)
    shape.draw_polyline(DrawnArrow(points[-3], points[-2], points[-1], 1).head(6.0, 3.0))
    shape.finish(color=INK, fill=INK, width=0.3)
    shape.commit()
    write(page, mark.text, x, y, 11.0, INK, font="hebo")


# --- legend -------------------------------------------------------------------------------------------------------


def _legend_edges(drawing: Drawing) -> list[tuple[str, int]]:
    counts = Counter(edge.style for edge in drawing.edges)
    return [(style, counts[style]) for style in STYLES if style in COMPARED and counts[style]]


def _legend(drawing: Drawing) -> list[tuple[str, str]]:
    """Return the classes that are drawn, each with its counts in words; empty if nothing is compared."""
    edges = dict(_legend_edges(drawing))
    nodes = Counter(node.style for node in drawing.nodes)
    used = [style for style in COMPARED if edges.get(style) or nodes[style]]
    legend: list[tuple[str, str]] = []
    for style in used:
        arrows = counted(edges.get(style, 0), "edge")
        legend.append((style, arrows if style == "reversed" else f"{counted(nodes[style], 'node')}, {arrows}"))
    return legend


def _draw_legend(page: pymupdf.Page, style: str, words: str, y: float) -> None:
    x = MARGIN
    arrow = DrawnArrow((x, y), (x + 25, y), (x + 50, y), 1)
    _draw_arrow(page, arrow, DrawnEdge(source=0, sink=0, style="spurious" if style == "reversed" else style), 1.0)
    if style == "reversed":
        page.draw_polyline(list(_backwards(arrow).head(10.0, 4.0)), color=COLOURS[style], fill=COLOURS[style])
    write(page, words, x + 62, y, 11.0, INK, centred=False)
