"""A causal graph as XMILE 1.0, opened by Stella as a causal loop diagram. Every node is an auxiliary with the
equation NAN(causes), the convention for exchanging diagrams without numbers with Stella (SD-AI does the same): the
causes stay with the variable and nothing can be simulated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement

from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point, bends, place
from exchange.xmile_names import identifier, name_attribute, name_key
from exchange.xml_reading import xml_bytes

_ROOT = {
    "version": "1.0",
    "xmlns": "http://docs.oasis-open.org/xmile/ns/XMILE/v1.0",
    "xmlns:isee": "http://iseesystems.com/XMILE",
}


def write(graph: CausalGraph, places: Mapping[str, Point] | None = None) -> bytes:
    """Return the graph as an XMILE file in UTF-8, nodes at `places` (y downwards) or laid out. Does not check
    `obstacle`."""
    known_places = {name: point for name, point in (places or {}).items() if name in set(graph.nodes)}
    spots = place(graph.nodes, [edge.pair for edge in graph.edges], known_places)
    root = Element("xmile", _ROOT)
    header = SubElement(root, "header")
    SubElement(header, "vendor").text = "Edgewise"
    SubElement(header, "product", version="1.0", lang="en").text = "Edgewise"
    steps = SubElement(root, "sim_specs")
    for tag, value in (("start", "0"), ("stop", "100"), ("dt", "1")):
        SubElement(steps, tag).text = value
    SubElement(root, "isee:prefs", layer="cld")
    model = SubElement(root, "model")
    variables = SubElement(model, "variables")
    causes: dict[str, dict[str, None]] = {name: {} for name in graph.nodes}
    for edge in graph.edges:
        causes[edge.sink].setdefault(identifier(edge.source))
    for name, sources in causes.items():
        variable = SubElement(variables, "aux", name=name_attribute(name))
        SubElement(variable, "eqn").text = f"NAN({','.join(sources)})" if sources else "NAN"
    views = SubElement(model, "views")
    _add_view(SubElement(views, "view", {"type": "stock_flow", "isee:converter_size": "name_only"}), graph, spots)
    return xml_bytes(root)


def obstacle(graph: CausalGraph) -> str:
    """Return why XMILE cannot express this graph, with a remedy; "" if it can."""
    seen: dict[str, str] = {}
    for name in graph.nodes:
        first = seen.setdefault(name_key(name), name)
        if first != name:
            return (
                f"XMILE takes “{first}” and “{name}” for one variable: it ignores capitals and treats underscores as "
                "spaces. Merge or rename them."
            )
    return ""


def _add_view(view: Element, graph: CausalGraph, spots: Mapping[str, Point]) -> None:
    for name in graph.nodes:
        SubElement(view, "aux", x=_number(spots[name].x), y=_number(spots[name].y), name=name_attribute(name))
    pairs = [edge.pair for edge in graph.edges]
    for uid, (edge, bend) in enumerate(zip(graph.edges, bends(spots, pairs), strict=True), start=1):
        start, end = spots[edge.source], spots[edge.sink]
        straight = math.degrees(math.atan2(start.y - end.y, end.x - start.x))  # y grows downwards, angles leftwards
        attributes = {"uid": str(uid), "angle": _number(round((straight + bend * 90) % 360, 3))}
        if edge.sign is not None:
            attributes["polarity"] = edge.sign.value
        if edge.delay:
            attributes["delay_mark"] = "true"
        connector = SubElement(view, "connector", attributes)
        SubElement(connector, "from").text = identifier(edge.source)
        SubElement(connector, "to").text = identifier(edge.sink)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
