"""The drawing in a GraphML file of yEd, yEd Live or another program on yFiles: labels, places, arrowheads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import SubElement

from core.graphs.layouts.layout import Point
from exchange.xml_reading import Element, attribute, descendants, local

NAMESPACE = "http://www.yworks.com/xml/graphml"
_WIDTH, _HEIGHT = 160.0, 40.0
"""Size of a written node in pixels: the box that core.graphs.layouts.layout reserves for a label."""


@dataclass(frozen=True, slots=True)
class YedShape:
    labels: tuple[str, ...] = ()
    at: tuple[float, float] | None = None  # a node's centre
    heads: tuple[bool, bool] | None = None  # (at the source, at the target)


def drawing_of(data: Iterable[Element]) -> YedShape:
    """Return the drawing in a node's or edge's <data> elements; of a group that opens and closes, the first state."""
    labels: list[str] = []
    at: tuple[float, float] | None = None
    heads: tuple[bool, bool] | None = None
    for element in data:
        for part in descendants(
            element, "NodeLabel", "EdgeLabel", "Label", "Label.Text", "Geometry", "RectD", "Arrows"
        ):
            word = local(part.tag)
            if word in ("Geometry", "RectD"):
                at = at or _centre(part)
            elif word == "Arrows":
                heads = (_has_head(part, "source"), _has_head(part, "target"))
            else:
                labels.append(attribute(part, "Text") or part.text or "")
    return YedShape(tuple(label for label in labels if label.strip()), at, heads)


def draw_node(data: Element, label: str, at: Point | None) -> None:
    """Write a node's box into its <data>; without a place yEd computes a layout."""
    shape = SubElement(data, "y:ShapeNode")
    if at is not None:
        corner = {"x": repr(at.x - _WIDTH / 2), "y": repr(at.y - _HEIGHT / 2)}
        SubElement(shape, "y:Geometry", {"height": repr(_HEIGHT), "width": repr(_WIDTH), **corner})
    SubElement(shape, "y:NodeLabel").text = label
    SubElement(shape, "y:Shape", {"type": "roundrectangle"})


def draw_edge(data: Element, label: str) -> None:
    line = SubElement(data, "y:PolyLineEdge")
    SubElement(line, "y:Arrows", {"source": "none", "target": "standard"})
    if label:
        SubElement(line, "y:EdgeLabel").text = label


def _centre(box: Element) -> tuple[float, float] | None:
    """Return the centre; Geometry and RectD have the upper left corner, and differ in capitals."""
    sides = {key.lower(): value for key, value in box.attrib.items()}
    try:
        x, y, width, height = (float(sides.get(side, fallback)) for side, fallback in _SIDES)
    except ValueError:
        return None
    return x + width / 2, y + height / 2


_SIDES = (("x", ""), ("y", ""), ("width", "0"), ("height", "0"))


def _has_head(arrows: Element, end: str) -> bool:
    return (attribute(arrows, end) or "none") != "none"
