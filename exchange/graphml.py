"""GraphML: a graph with named data, as networkx, yEd, Gephi, igraph and Cytoscape write it. Positions in the keys x
and y, and in yEd's drawing, grow downwards. Control characters in notes are escaped
(`xml_reading.escaped_controls`)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element as NewElement
from xml.etree.ElementTree import SubElement

from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
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
    escaped_controls,
    find,
    local,
    parse_xml,
    text_of,
    xml_bytes,
)
from exchange.yed import NAMESPACE, YedShape, draw_edge, draw_node, drawing_of

_TITLES = ("name", "title", "label")
_KEYS = (
    ("name", "node", "string"),
    ("x", "node", "double"),
    ("y", "node", "double"),
    ("sign", "edge", "string"),
    ("delay", "edge", "boolean"),
    ("flag", "edge", "string"),
    ("note", "edge", "string"),
)


class _Keys(NamedTuple):
    """The file's declared keys: names by (element kind, id), and defaults by kind and name."""

    names: dict[tuple[str, str], str]
    defaults: dict[str, dict[str, str]]


def read(content: bytes, filename: str) -> ImportedGraph:
    """Read a GraphML file: names from a node's label or name, else its id; signs from sign, polarity, type or label.
    Undirected edges and hyperedges are faults; groups, ports and unread data are notices. Raises UnreadableFile or
    BadRow if the file is no XML, no GraphML, or not one graph."""
    root = parse_xml(content, filename)
    graph = only_graph(root, filename, "graphml")
    keys = _keys(root, filename)
    elements = list(_walk(graph))
    touched = {attribute(element, end) or "" for kind, element, _ in elements if kind == "edge" for end in _ENDS}
    collector = XmlGraph(filename, root, touched)
    for kind, element, _ in elements:
        if kind == "node":
            _take_node(collector, element, keys)
    for kind, element, inside in elements:
        if kind == "edge":
            _take_edge(collector, element, inside, keys)
        elif kind == "hyperedge":
            ends = ", ".join(attribute(end, "node") or "?" for end in children(element, "endpoint"))
            collector.fault(element, "", ends, "a hyperedge joins several nodes; write one <edge> for each pair")
    values, _ = _data(collector, graph, "graph", keys) or ({}, None)
    title, used = label_of(values, _TITLES)
    collector.unread(graph, [key for key in values if key != used and values[key].strip()])
    return collector.result(title)


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    """Return the graph as GraphML with a drawing for yEd; read back exactly. The same graph gives the same bytes."""
    root = NewElement("graphml", {"xmlns": "http://graphml.graphdrawing.org/xmlns", "xmlns:y": NAMESPACE})
    for name, kind, of_type in _KEYS:
        SubElement(root, "key", {"id": name, "for": kind, "attr.name": name, "attr.type": of_type})
    for kind in ("node", "edge"):
        SubElement(root, "key", {"id": f"{kind}graphics", "for": kind, "yfiles.type": f"{kind}graphics"})
    inner = SubElement(root, "graph", {"id": "G", "edgedefault": "directed"})
    ids = {name: f"n{place}" for place, name in enumerate(graph.nodes)}
    for name, node in ids.items():
        element, at = SubElement(inner, "node", {"id": node}), places.get(name)
        if at is not None and not (math.isfinite(at.x) and math.isfinite(at.y)):
            at = None
        # The drawing comes first: a reader that uses its corner as x and y is then corrected by the keys.
        draw_node(SubElement(element, "data", {"key": "nodegraphics"}), name, at)
        values = {"name": name} if at is None else {"name": name, "x": repr(float(at.x)), "y": repr(float(at.y))}
        _write_values(element, values)
    for place, edge in enumerate(graph.edges):
        ends = {"source": ids[edge.source], "target": ids[edge.sink]}
        element = SubElement(inner, "edge", {"id": f"e{place}", **ends})
        sign, delay = "" if edge.sign is None else edge.sign.value, "true" if edge.delay else ""
        draw_edge(SubElement(element, "data", {"key": "edgegraphics"}), sign)
        note = escaped_controls(edge.note)
        _write_values(element, {"sign": sign, "delay": delay, "flag": edge.flag or "", "note": note})
    return xml_bytes(root)


_ENDS = ("source", "target")
_NO_DIRECTION = 'an edge has a direction; write directed="true" on the edge (edgedefault="directed" on <graph>)'


def _walk(graph: Element) -> Iterator[tuple[str, Element, Element]]:
    """Yield nodes, edges and hyperedges with the graph that contains them, nested graphs included, in file order."""
    for kind in children(graph, "node", "edge", "hyperedge"):
        yield local(kind.tag), kind, graph
        for inner in children(kind, "graph"):
            yield from _walk(inner)


def _keys(root: Element, filename: str) -> _Keys:
    keys = _Keys({}, {"node": {}, "edge": {}, "graph": {}})
    for key in children(root, "key"):
        name = (attribute(key, "attr.name") or attribute(key, "id") or "")[:LONGEST_KEY].casefold()
        kinds = keys.defaults if attribute(key, "for") in (None, "all") else (attribute(key, "for") or "",)
        default = find(key, "default")
        for kind in kinds:
            keys.names[kind, attribute(key, "id") or ""] = name
            if default is not None and not len(default) and is_read(kind, name):
                keys.defaults[kind][name] = text_of(default)
                check_defaults(filename, default, keys.defaults[kind])
    return keys


def _take_node(collector: XmlGraph, element: Element, keys: _Keys) -> None:
    read = _data(collector, element, "node", keys)
    if read is None:
        collector.drop_node(element)
        return
    values, drawing = read
    label, used = (drawing.labels[0], "") if drawing.labels else label_of(values, LABELS)
    inner = find(element, "graph")
    is_group = inner is not None and find(inner, "node") is not None
    collector.add_node(element, label, _point(collector, element, values, drawing), is_group=is_group)
    own = {used, "x", "y"} | {key for key in LABELS if is_same_name(values.get(key, ""), label)}
    collector.unread(element, [key for key, text in values.items() if key not in own and text.strip()])
    if len(set(drawing.labels)) > 1 and not is_group:
        collector.unread(element, ["further labels"])
    if find(element, "port") is not None:
        collector.say("Ports were not read; edges run from node to node")


def _point(
    collector: XmlGraph, element: Element, values: Mapping[str, str], drawing: YedShape
) -> tuple[float, float] | None:
    """Return the keys x and y, which are exact, unless the drawing was moved after they were written."""
    exact = collector.number_pair(element, values.get("x", ""), values.get("y", ""))
    drawn = drawing.at
    if drawn is None or exact is None:
        return drawn or exact
    is_near = all(math.isclose(*pair, rel_tol=1e-9, abs_tol=1e-3) for pair in zip(exact, drawn, strict=True))
    return exact if is_near else drawn


def _take_edge(collector: XmlGraph, element: Element, graph: Element, keys: _Keys) -> None:
    says = attribute(element, "directed")
    by_default = (attribute(graph, "edgedefault") or "directed")[:LONGEST_KEY]
    if (says or by_default).strip().lower() not in ("directed", "true", "1"):
        collector.fault(element, "edgedefault" if says is None else "directed", says or by_default, _NO_DIRECTION)
        return
    read = _data(collector, element, "edge", keys)
    if read is not None:
        values, drawing = read
        fields = collector.edge_fields(element, values, [values.pop("label", "")], drawing.labels)
        collector.add_edge(element, fields, _ways(collector, element, drawing))


def _ways(collector: XmlGraph, element: Element, drawing: YedShape) -> tuple[bool, ...]:
    """Return the directions of the edge as drawn; in a drawing program, the source is only where drawing started."""
    if drawing.heads == (True, True):
        collector.say("Edges drawn with a head at both ends were read as two edges", place_of(element))
        return FORWARDS, BACKWARDS
    if drawing.heads == (True, False):
        collector.say("Edges drawn with their head at the source were read as they are drawn", place_of(element))
        return (BACKWARDS,)
    if drawing.heads == (False, False):
        collector.say("Edges drawn without a head were read from source to target", place_of(element))
    return (FORWARDS,)


def _data(collector: XmlGraph, element: Element, kind: str, keys: _Keys) -> tuple[dict[str, str], YedShape] | None:
    """Return an element's values by name in lower case, with defaults, and its drawing; None if a name has two
    different values."""
    values: dict[str, str] = {}
    drawn = []
    for data in children(element, "data"):
        key = attribute(data, "key") or ""
        name = keys.names.get((kind, key), key.casefold())
        text = text_of(data)
        if len(data):
            drawn.append(data)
        elif values.setdefault(name, text) != text:
            collector.fault(
                element, name, text, f"{name} is given twice, first as {quoted(values[name][:60])}; remove one"
            )
            return None
    return {**keys.defaults[kind], **values}, drawing_of(drawn)


def _write_values(element: Element, values: Mapping[str, str]) -> None:
    for key, value in values.items():
        if value:
            SubElement(element, "data", {"key": key}).text = value
