"""Encodings with a syntax of their own: JSON, GraphML and DOT. They have every node in its place (DOT: those without
edges at the end), and are read as strictly as they are written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from core.errors import InvalidGraph
from core.graphs.edge import Edge
from core.graphs.encodings.names import in_quotes, twice_in
from core.graphs.encodings.scanner import Scanner
from core.graphs.graph import CausalGraph
from core.words import quoted

# --- JSON -------------------------------------------------------------------------------------------------------


def write_json(graph: CausalGraph) -> str:
    parents: dict[str, list[str]] = {name: [] for name in graph.nodes}
    place = {name: number for number, name in enumerate(graph.nodes)}
    for edge in sorted(graph.edges, key=lambda each: place[each.source]):
        parents[edge.sink].append(edge.source)
    return json.dumps({name: {"parents": listed} for name, listed in parents.items()}, indent=4, ensure_ascii=False)


def read_json(text: str) -> CausalGraph:
    try:
        parsed = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise InvalidGraph(f"Line {error.lineno}: not JSON: {error.msg} at column {error.colno}.") from None
    except (RecursionError, ValueError):
        raise InvalidGraph(
            "Brackets are nested too deeply, or a number is too long; expected {node: {“parents”: [nodes]}}."
        ) from None
    if not isinstance(parsed, dict):
        raise InvalidGraph("Found no JSON object; expected {node: {“parents”: [nodes]}}.")
    return CausalGraph.of((Edge(source, sink) for sink in parsed for source in _parents(parsed, sink)), parsed)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if (twice := twice_in(name for name, _ in pairs)) is not None:
        raise InvalidGraph(f"The key {quoted(twice)} is listed twice.")
    return dict(pairs)


def _parents(parsed: dict[str, Any], name: str) -> Iterator[str]:
    listed = parsed[name].get("parents") if isinstance(parsed[name], dict) else None
    if not isinstance(listed, list) or len(parsed[name]) > 1:
        raise InvalidGraph(f"Node {quoted(name)}: expected {{“parents”: [nodes]}} and nothing else.")
    for parent in listed:
        if not isinstance(parent, str) or parent not in parsed:
            raise InvalidGraph(
                f"Node {quoted(name)}: its parent {quoted(str(parent))} is not listed; expected one of the nodes."
            )
        yield parent


# --- GraphML ----------------------------------------------------------------------------------------------------

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    '  <graph edgedefault="directed">'
)
_REFERENCES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
_TAG = re.compile(r'<(\?xml|/?[A-Za-z]\w*)((?:\s+[\w:.-]+\s*=\s*"[^"<]*")*)\s*[/?]?>')
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));|&")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_FRAME = ("?xml", "graphml", "graph", "/node", "/edge", "/graph", "/graphml")


def write_graphml(graph: CausalGraph) -> str:
    lines = [_HEAD]
    lines += [f'    <node id="{_escaped(name)}"/>' for name in graph.nodes]
    lines += [f'    <edge source="{_escaped(each.source)}" target="{_escaped(each.sink)}"/>' for each in graph.edges]
    return "\n".join([*lines, "  </graph>", "</graphml>"])


def read_graphml(text: str) -> CausalGraph:
    scanner = Scanner(text)
    nodes: dict[str, None] = {}
    edges: list[Edge] = []
    while not scanner.at_end():
        before = scanner.place
        tag = scanner.match(_TAG)
        if tag is None or (tag[1] not in _FRAME and tag[1] not in ("node", "edge")):
            scanner.place = before
            raise scanner.fault("an element node or edge inside of graphml and graph")
        try:
            # `_TAG` has matched: names and values alternate, and neither has a quotation mark.
            parts = tag[2].split('"')
            names = (name.strip().removesuffix("=").rstrip() for name in parts[:-1:2])
            attributes = dict(zip(names, map(_unescaped, parts[1::2]), strict=True))
            if attributes.get("edgedefault", "directed") != "directed":
                raise KeyError('edgedefault="directed"')
            if tag[1] == "node":
                nodes[attributes["id"]] = None
            elif tag[1] == "edge":
                edges.append(Edge(_listed(attributes["source"], nodes), _listed(attributes["target"], nodes)))
        except KeyError as missing:
            scanner.place = before
            raise scanner.fault(str(missing.args[0])) from None
    if not text.rstrip().endswith("</graphml>"):
        raise scanner.fault("</graphml>")
    return CausalGraph.of(edges, nodes)


def _listed(name: str, nodes: dict[str, None]) -> str:
    if name not in nodes:
        raise KeyError(f"a node {quoted(name)} before its edges")
    return name


def _escaped(name: str) -> str:
    return name.translate(_REFERENCES)


def _unescaped(value: str) -> str:
    """Resolve references. Raises KeyError, with what is expected, for an & that starts no character."""

    def character(reference: re.Match[str]) -> str:
        named, decimal, hexadecimal = reference.groups()
        if named:
            return _NAMED[named]
        code = int(decimal) if decimal else int(hexadecimal, 16) if hexadecimal else -1
        if not 0 <= code < 0x110000:
            raise KeyError("&amp; for an ampersand")
        return chr(code)

    return _REFERENCE.sub(character, value)


# --- DOT --------------------------------------------------------------------------------------------------------

_ID = re.compile(r"[^\W\d]\w*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)")
_WORD = re.compile(r"-?[\w.]+")
_KEYWORDS = frozenset({"node", "edge", "graph", "digraph", "subgraph", "strict"})
_GRAPH = re.compile(r"digraph\b")


def write_graphviz(graph: CausalGraph) -> str:
    lines = [f"  {_dot_id(edge.source)} -> {_dot_id(edge.sink)};" for edge in graph.edges]
    lines += [f"  {_dot_id(name)};" for name in graph.isolated]
    return "\n".join(["digraph G {", *lines, "}"])


def read_graphviz(text: str) -> CausalGraph:
    scanner = Scanner(text)
    scanner.skip_blank()
    if scanner.match(_GRAPH) is None:
        raise scanner.fault("“digraph G {”")
    if not scanner.skip("{"):
        scanner.name(_WORD)
        scanner.need("{")
    nodes: dict[str, None] = {}
    edges: list[Edge] = []
    while not scanner.skip("}"):
        chain = [_dot_name(scanner)]
        while scanner.skip("->"):
            chain.append(_dot_name(scanner))
        nodes |= dict.fromkeys(chain)
        edges += map(Edge, chain[:-1], chain[1:])
        scanner.need(";")
    if not scanner.at_end():
        raise scanner.fault("nothing after “}”")
    return CausalGraph.of(edges, nodes)


def _dot_id(name: str) -> str:
    """Return the name, in quotation marks unless it is an identifier or a number of DOT. Also quoted is what Graphviz
    accepts and other readers do not: negative numbers, letters beyond U+FFFF, and digits and fractions of other
    scripts."""
    is_plain = _ID.fullmatch(name) is not None and name.lower() not in _KEYWORDS
    is_read = name[:1] != "-" and all(each.isascii() or (each.isalpha() and each <= "\uffff") for each in name)
    return name if is_plain and is_read else in_quotes(name)


def _dot_name(scanner: Scanner) -> str:
    scanner.skip_blank()
    before = scanner.place
    is_quoted = scanner.text.startswith('"', before)
    name = scanner.name(_WORD, "a node, “->” or “}”")
    if not is_quoted and (name.lower() in _KEYWORDS or not _ID.fullmatch(name)):
        scanner.place = before
        raise scanner.fault("nodes and edges only, their names as in DOT or in quotation marks")
    return name
