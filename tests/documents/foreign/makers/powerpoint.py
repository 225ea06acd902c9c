"""PowerPoint slides by python-pptx, with PowerPoint's default theme, printed by LibreOffice: shapes glued together by
connectors (straight, elbow, curved), whose ends are the four connection sites of a shape."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import office
import pptx
from content import Content, Diagram, Edge, label
from lxml import etree
from places import Point, by_hand, hidden
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Cm, Pt
from recipes import Recipe, UnfitError

RECIPES = [
    Recipe(
        content=Content(subjects=("city",), names=10, edges=13),
        layout="placed by hand, blue boxes of the default theme, straight connectors",
        seed=9100,
        look={"columns": 4, "step": (7.6, 4.6), "size": (4.6, 1.7)},
    ),
    Recipe(
        content=Content(subjects=("hospital",), names=12, edges=15, signed=1.0, groups=("Before", "During")),
        layout="placed by hand in two frames, rounded boxes, straight connectors, signs in text boxes",
        seed=9203,
        look={"columns": 4, "step": (7.6, 4.2), "size": (4.6, 1.7), "shape": "ROUNDED_RECTANGLE", "plain": True},
    ),
    Recipe(
        content=Content(subjects=("software",), names=11, edges=13),
        layout="placed by hand, boxes, elbow connectors",
        seed=9301,
        look={"columns": 4, "step": (7.8, 4.8), "size": (4.4, 1.6), "connector": "ELBOW", "fill": "E2F0D9"},
    ),
    Recipe(
        content=Content(subjects=("public health",), names=11, edges=14, dashed=0.3),
        layout="placed by hand, ellipses, curved connectors",
        seed=9431,
        look={
            "columns": 4,
            "step": (7.8, 4.8),
            "size": (5.4, 2.2),
            "shape": "OVAL",
            "connector": "CURVE",
            "plain": True,
        },
    ),
    Recipe(
        content=Content(subjects=("water",), names=12, edges=15, signed=0.9, delayed=0.15),
        layout="placed by hand, bare text boxes, thick coloured arrows",
        seed=9500,
        look={"columns": 4, "step": (7.6, 4.4), "size": (4.6, 1.3), "bare": True, "colour": True, "width": 2.25},
    ),
    Recipe(
        content=Content(subjects=("economy", "energy"), names=14, edges=18, worded=0.2),
        layout="placed by hand, shaded boxes with shadow, straight connectors with open heads",
        seed=9601,
        look={"columns": 5, "step": (6.4, 4.6), "size": (3.9, 1.7), "fill": "FFF2CC", "head": "arrow", "font": 14},
    ),
]
TOP, LEFT = 2.2, 3.6


def version() -> str:
    return f"python-pptx {pptx.__version__}, {office.version()}"


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    wide, high = look["size"]
    places = by_hand(one, look["columns"], look["step"], jitter=0.08, rounds=2500)
    places = [(x + LEFT, y + TOP) for x, y in places]
    pairs = [(edge.source, edge.sink) for edge in one.edges]
    halves = [(wide / 2 + 0.1, high / 2 + 0.1)] * len(places)
    bad = hidden(places, pairs, halves) if look.get("connector") is None else meeting(places, one.edges)
    if bad:
        raise UnfitError(f"{bad} lines run through a shape or along each other")
    shown = pptx.Presentation()
    shown.slide_width = Cm(max(x for x, _ in places) + LEFT)
    shown.slide_height = Cm(max(y for _, y in places) + TOP)
    slide = shown.slides.add_slide(shown.slide_layouts[6])
    for name, members in one.groups.items():
        _frame(slide, name, [places[member] for member in members], look["size"])
    shapes = [_node(slide, name, place, look) for name, place in zip(one.names, places, strict=True)]
    for edge in one.edges:
        _connect(slide, shapes, edge, places, look)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "figure.pptx"
        shown.save(source)
        office.printed(source, path)


def _node(slide: Any, name: str, place: Point, look: Mapping[str, Any]) -> Any:
    wide, high = look["size"]
    box = [Cm(value) for value in (place[0] - wide / 2, place[1] - high / 2, wide, high)]
    if look.get("bare"):
        shape = slide.shapes.add_textbox(*box)
    else:
        shape = slide.shapes.add_shape(getattr(MSO_SHAPE, look.get("shape", "RECTANGLE")), *box)
    frame = shape.text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.MIDDLE
    frame.text = name
    frame.paragraphs[0].alignment = PP_ALIGN.CENTER
    font = frame.paragraphs[0].runs[0].font
    font.size = Pt(look.get("font", 16))
    if look.get("plain") or look.get("fill"):
        font.color.rgb = RGBColor(0, 0, 0)
        shape.fill.solid()
        shape.fill.fore_color.rgb = RGBColor.from_string(look.get("fill", "FFFFFF"))
        shape.line.color.rgb = RGBColor(0x40, 0x40, 0x40)
    return shape


def _frame(slide: Any, name: str, places: list[Point], size: Point) -> None:
    """A dashed frame around a group, with its title at the upper left."""
    x0, y0 = min(x for x, _ in places) - size[0] / 2 - 0.5, min(y for _, y in places) - size[1] / 2 - 0.9
    x1, y1 = max(x for x, _ in places) + size[0] / 2 + 0.5, max(y for _, y in places) + size[1] / 2 + 0.4
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, Cm(x0), Cm(y0), Cm(x1 - x0), Cm(y1 - y0))
    shape.fill.background()
    shape.line.color.rgb = RGBColor(0x80, 0x80, 0x80)
    shape.line.dash_style = 4
    shape.text_frame.text = name
    shape.text_frame.vertical_anchor = MSO_ANCHOR.TOP
    shape.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    font = shape.text_frame.paragraphs[0].runs[0].font
    font.size, font.color.rgb = Pt(12), RGBColor(0x60, 0x60, 0x60)


def _sites(a: Point, b: Point) -> tuple[int, int]:
    """The connection sites (top, left, bottom, right) that face each other."""
    if abs(b[0] - a[0]) > 1.3 * abs(b[1] - a[1]):
        return (3, 1) if b[0] > a[0] else (1, 3)
    return (2, 0) if b[1] > a[1] else (0, 2)


def _connect(slide: Any, shapes: list[Any], edge: Edge, places: list[Point], look: Mapping[str, Any]) -> None:
    kind = getattr(MSO_CONNECTOR, look.get("connector", "STRAIGHT"))
    line = slide.shapes.add_connector(kind, 0, 0, 0, 0)
    ends = _sites(places[edge.source], places[edge.sink])
    factor = 2 if look.get("shape") == "OVAL" else 1  # an ellipse has eight sites
    line.begin_connect(shapes[edge.source], ends[0])
    line.end_connect(shapes[edge.sink], ends[1])
    if factor == 2:
        line._connect_begin_to(shapes[edge.source], ends[0] * 2)
        line._connect_end_to(shapes[edge.sink], ends[1] * 2)
    line.line.width = Pt(look.get("width", 1.25))
    paint = {"+": "2E75B6", "-": "C00000", "": "595959"}[edge.sign] if look.get("colour") else "404040"
    line.line.color.rgb = RGBColor.from_string(paint)
    if edge.dashed:
        line.line.dash_style = 4
    etree.SubElement(line.line._get_or_add_ln(), qn("a:tailEnd"), type=look.get("head", "triangle"))
    text = label(edge)
    if text:
        x, y = ((line.begin_x + line.end_x) / 2, (line.begin_y + line.end_y) / 2)
        box = slide.shapes.add_textbox(int(x - Cm(0.1)), int(y - Cm(1.0)), Cm(2), Cm(0.8))
        box.text_frame.text = text
        box.text_frame.paragraphs[0].runs[0].font.size = Pt(14)


def meeting(places: list[Point], edges: list[Edge]) -> int:
    """How often an elbow or curved connector leaves its row or column, where it would run through shapes, or starts
    from a site where another one ends."""
    bad, slanting, used = 0, 0, dict[tuple[int, int], set[str]]()
    for edge in edges:
        a, b = places[edge.source], places[edge.sink]
        across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
        bad += across > 10 or down > 6.5
        slanting += across > 3 and down > 2
        ends = _sites(a, b)
        used.setdefault((edge.source, ends[0]), set()).add("tail")
        used.setdefault((edge.sink, ends[1]), set()).add("head")
    return bad + max(0, slanting - 2) + sum(len(kinds) > 1 for kinds in used.values())
