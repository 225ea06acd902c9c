"""GEXF 1.1 to 1.3, the format of Gephi. Gephi's y grows upwards, Edgewise's downwards, so y is negated in reading
and writing. Control characters in notes, which XML cannot contain, are escaped (`xml_reading.escaped_controls`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element as NewElement
from xml.etree.ElementTree import SubElement

from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from core.words import quoted
from exchange.edge_rows import ImportedGraph
from exchange.xml_graph import (
    BACKWARDS,
    FORWARDS,
    LABELS,
    LONGEST_KEY,
    XmlGraph,
    check_defaults,
    is_read,
    is_same_name,
    label_of,
    only_graph,
    place_of,
)
from exchange.xml_reading import (
    Element,
    attribute,
    children,
    descendants,
    escaped_controls,
    find,
    parse_xml,
    text_of,
    xml_bytes,
)

_ATTRIBUTES = (("sign", "string"), ("delay", "boolean"), ("flag", "string"), ("note", "string"))
_WAYS = {"directed": (FORWARDS,), "mutual": (FORWARDS, BACKWARDS)}
_NO_DIRECTION = 'an edge has a direction; write type="directed" on the edge (defaultedgetype="directed" on <graph>)'
_KINDS = {Sign.PLUS: "plus", Sign.MINUS: "minus", None: "unknown"}
"""Kinds that distinguish parallel edges; without them Gephi merges these."""


class _Titles(NamedTuple):
    titles: dict[tuple[str, str], str]
    defaults: dict[str, dict[str, str]]


def read(content: bytes, filename: str) -> ImportedGraph:
    """Read a GEXF file: names from labels, else ids; signs from the attributes sign, polarity or type, else from an
    edge's label. A mutual edge becomes two. Undirected edges are faults; groups, times, weights and unread
    attributes are notices. Raises UnreadableFile or BadRow if the file is no XML, no GEXF, or not one graph."""
    root = parse_xml(content, filename)
    graph = only_graph(root, filename, "gexf")
    titles = _titles(graph, filename)
    edges = list(descendants(graph, "edge"))
    nodes = list(descendants(graph, "node"))
    collector = XmlGraph(filename, root, {attribute(edge, end) or "" for edge in edges for end in ("source", "target")})
    groups = {attribute(node, "pid") or "" for node in nodes}
    for node in nodes:
        _take_node(collector, node, groups, titles)
    by_default = (attribute(graph, "defaultedgetype") or "undirected")[:LONGEST_KEY]
    for edge in edges:
        _take_edge(collector, edge, by_default, titles)
    if (attribute(graph, "mode") or "").lower() == "dynamic":
        collector.say("The graph changes in time; its times were not read, and every node and edge was read")
    return collector.result(attribute(graph, "name") or "")


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    """Return the graph as GEXF 1.3; read back exactly. The same graph gives the same bytes."""
    space = "http://gexf.net/1.3"
    root = NewElement("gexf", {"xmlns": space, "xmlns:viz": f"{space}/viz", "version": "1.3"})
    inner = SubElement(root, "graph", {"defaultedgetype": "directed", "idtype": "string", "mode": "static"})
    declared = SubElement(inner, "attributes", {"class": "edge", "mode": "static"})
    for title, of_type in _ATTRIBUTES:
        SubElement(declared, "attribute", {"id": title, "title": title, "type": of_type})
    ids = {name: f"n{place}" for place, name in enumerate(graph.nodes)}
    nodes = SubElement(inner, "nodes")
    for name, node in ids.items():
        element = SubElement(nodes, "node", {"id": node, "label": name})
        at = places.get(name)
        if at is not None and math.isfinite(at.x) and math.isfinite(at.y):
            SubElement(element, "viz:position", {"x": repr(float(at.x)), "y": repr(_turned(at.y)), "z": "0.0"})
    parallel = Counter(edge.pair for edge in graph.edges)
    edges = SubElement(inner, "edges")
    for place, edge in enumerate(graph.edges):
        named = {"id": f"e{place}", "source": ids[edge.source], "target": ids[edge.sink]}
        element = SubElement(edges, "edge", named)
        sign, delay = "" if edge.sign is None else edge.sign.value, "true" if edge.delay else ""
        if sign:
            element.set("label", sign)
        if parallel[edge.pair] > 1:
            element.set("kind", _KINDS[edge.sign])
        values = {"sign": sign, "delay": delay, "flag": edge.flag or "", "note": escaped_controls(edge.note)}
        if filled := {title: value for title, value in values.items() if value}:
            attvalues = SubElement(element, "attvalues")
            for title, value in filled.items():
                SubElement(attvalues, "attvalue", {"for": title, "value": value})
    return xml_bytes(root)


def _turned(y: float) -> float:
    return 0.0 - y  # never -0.0


def _titles(graph: Element, filename: str) -> _Titles:
    titles = _Titles({}, {"node": {}, "edge": {}})
    for declared in children(graph, "attributes"):
        kind = (attribute(declared, "class") or "").lower()
        for one in children(declared, "attribute"):
            name = attribute(one, "id") or ""
            title = (attribute(one, "title") or name)[:LONGEST_KEY].casefold()
            titles.titles[kind, name] = title
            default = find(one, "default")
            if default is not None and is_read(kind, title):
                titles.defaults[kind][title] = text_of(default)
                check_defaults(filename, default, titles.defaults[kind])
    return titles


def _take_node(collector: XmlGraph, element: Element, groups: set[str], titles: _Titles) -> None:
    values = _values(collector, element, titles)
    if values is None:
        collector.drop_node(element)
        return
    label, used = attribute(element, "label") or "", ""
    if not label.strip():
        label, used = label_of(values, LABELS)
    inner = find(element, "nodes")
    is_group = (attribute(element, "id") or "") in groups or (inner is not None and find(inner, "node") is not None)
    collector.add_node(element, label, _point(collector, element, values), is_group=is_group)
    own = {used, "x", "y"} | {key for key in LABELS if is_same_name(values.get(key, ""), label)}
    collector.unread(element, [key for key, text in values.items() if key not in own and text.strip()])


def _point(collector: XmlGraph, element: Element, values: Mapping[str, str]) -> tuple[float, float] | None:
    """Return Gephi's position with y negated; else the attributes x and y unchanged, for other programs."""
    position = find(element, "position")
    if position is None:
        return collector.number_pair(element, values.get("x", ""), values.get("y", ""))
    at = collector.number_pair(element, attribute(position, "x") or "", attribute(position, "y") or "")
    return at and (at[0], _turned(at[1]))


def _take_edge(collector: XmlGraph, element: Element, by_default: str, titles: _Titles) -> None:
    way = (attribute(element, "type") or by_default).strip().lower()
    if way not in _WAYS:
        field = "defaultedgetype" if attribute(element, "type") is None else "type"
        collector.fault(element, field, way, _NO_DIRECTION)
        return
    values = _values(collector, element, titles)
    if values is None:
        return
    labels = [attribute(element, "label") or "", values.pop("label", "")]
    fields = collector.edge_fields(element, values, labels)
    if (attribute(element, "kind") or "") not in ("", *_KINDS.values()):
        collector.unread(element, ["kind"])
    if _is_weighted(attribute(element, "weight") or ""):
        collector.unread(element, ["weight"])
    if way == "mutual":
        collector.say("Mutual edges were read as two edges, one each way", place_of(element))
    collector.add_edge(element, fields, _WAYS[way])


def _is_weighted(weight: str) -> bool:
    """Return False for weight 1, which Gephi writes on every edge."""
    try:
        return bool(weight.strip()) and float(weight) != 1
    except ValueError:
        return True


def _values(collector: XmlGraph, element: Element, titles: _Titles) -> dict[str, str] | None:
    """Return an element's attribute values by title, with defaults; None if one has two different values."""
    kind = "edge" if element.tag.endswith("edge") else "node"
    values: dict[str, str] = {}
    for attvalues in children(element, "attvalues"):
        for one in children(attvalues, "attvalue"):
            name, text = attribute(one, "for") or "", attribute(one, "value") or ""
            title = titles.titles.get((kind, name), name.casefold())
            if values.setdefault(title, text) != text:
                first = values[title][:60]
                collector.fault(element, title, text, f"{title} is given twice, first as {quoted(first)}; remove one")
                return None
    return {**titles.defaults[kind], **values}
