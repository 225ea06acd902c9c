"""Graphs as pictures for print: every form opens, shows every name and class, and is the same every time."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from core.errors import BadInput, UnreadableDocument
from core.graphs.layouts.drawing import Drawing, DrawnEdge, DrawnMark, DrawnNode, bent
from core.graphs.layouts.layout import Point, place
from documents.graph_pictures import COLOURS, draw_graph
from documents.pdf_library import pymupdf
from documents.reader import Reader

NAMES = (
    "Need for water, food",
    "Größe <b> & “Ernte”",
    "日本の雨",
    "A name so long that it must stand on several lines",
    "x" * 60,
)
CLASSES = ("matched", "missed", "spurious", "reversed", "matched")


def drawing() -> Drawing:
    pairs = [(0, 1), (1, 0), (1, 2), (2, 3), (3, 3)]
    places = place([str(n) for n in range(5)], [(str(a), str(b)) for a, b in pairs])
    nodes = [DrawnNode(name, places[str(n)], CLASSES[n % 3]) for n, name in enumerate(NAMES)]
    edges = [
        DrawnEdge(source=a, sink=b, sign="+-"[n % 2], delay=n == 1, style=CLASSES[n], differs="+ → −" if n == 4 else "")
        for n, (a, b) in enumerate(pairs)
    ]
    return Drawing(tuple(nodes), bent(nodes, edges), (DrawnMark("R1", Point(100, 100)),), "Overlay")


def shown(pdf: bytes) -> str:
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        return " ".join(document[0].get_text().split())


def test_the_pdf_holds_every_name_and_the_legend_as_text() -> None:
    text = shown(draw_graph(drawing(), "pdf"))
    for name in NAMES[:3]:
        assert name in text
    assert NAMES[4] in text.replace(" ", "")
    assert "missed (ground truth only): 2 nodes, 1 edge" in text
    assert "reversed: 1 edge" in text
    own = replace(drawing(), ends=("reference", "other transcription"))
    assert "missed (reference only): 2 nodes, 1 edge" in shown(draw_graph(own, "pdf"))
    assert "+ → −" in text and "R1" in text


def test_each_class_is_drawn_in_its_colour() -> None:
    with pymupdf.open(stream=draw_graph(drawing(), "pdf"), filetype="pdf") as document:
        used = {tuple(round(part, 3) for part in path["color"]) for path in document[0].get_drawings() if path["color"]}
    for style in ("matched", "missed", "spurious"):
        assert tuple(round(part, 3) for part in COLOURS[style]) in used


def test_the_svg_is_well_formed_and_says_what_it_shows() -> None:
    content = draw_graph(drawing(), "svg")
    root = ET.fromstring(content)  # our own file, not a stranger's
    assert root[0].text == "Overlay: 5 nodes, 5 edges (2 matched, 1 missed, 1 spurious, 1 reversed)"
    assert not re.search(rb"https?://(?!www\.(w3|inkscape)\.org)", content)


def test_the_png_is_large_enough_for_print() -> None:
    with Image.open(io.BytesIO(draw_graph(drawing(), "png"))) as picture:
        assert picture.width > 1000
        colours = picture.convert("RGB").getcolors(1 << 24)
    assert len(colours) > 10


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_the_same_drawing_gives_the_same_bytes(form: str) -> None:
    assert draw_graph(drawing(), form) == draw_graph(drawing(), form)


def test_an_empty_graph_is_an_empty_picture() -> None:
    assert draw_graph(Drawing((), ()), "svg").startswith(b"<svg")


def test_a_graph_too_large_for_a_page_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="too large"):
        draw_graph(Drawing((DrawnNode("A", Point(0, 0)), DrawnNode("B", Point(20_000, 0))), ()), "png")


def test_pictures_are_drawn_by_the_guarded_children(reader: Reader) -> None:
    assert reader.picture(drawing(), "pdf") == draw_graph(drawing(), "pdf")
    with pytest.raises(BadInput, match="svg, png or pdf"):
        reader.picture(drawing(), "gif")
