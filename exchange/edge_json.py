"""Graphs as JSON in their plain form: {"nodes": ["A", …], "edges": [{"source": "A", "sink": "B", "sign": "+"}]}."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from core.errors import BadRow
from core.graphs import bounds
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from exchange.edge_rows import EdgeCollector, ImportedGraph, field_of, preference

DEEPEST = 32
"""Brackets inside brackets; the plain form has three."""


def plain_graph(graph: CausalGraph, places: Mapping[str, Point] | None = None) -> dict[str, Any]:
    """The plain form as values. `delay`, `flag` and `note` appear only where set; a sign is "+", "-" or null.

    `places`, if there are any, are a further key: {"A": [x, y], …}, y growing downwards.
    """
    plain: dict[str, Any] = {"nodes": list(graph.nodes), "edges": [_plain_edge(edge) for edge in graph.edges]}
    if places:
        plain["places"] = {name: [places[name].x, places[name].y] for name in graph.nodes if name in places}
    return plain


def write_json(value: Mapping[str, Any]) -> bytes:
    """JSON in UTF-8, two spaces a level, one line end at the end; the same value always gives the same bytes."""
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8")


def read_json(text: str, filename: str) -> ImportedGraph:
    """Read the plain form; `nodes` may be missing, `relationships` stand for `edges`, `target` for `sink`, and a
    bare list is taken as edges. A node may be an object with a name, label or id; edges may then use the id.
    Raises BadRow if the text is not JSON, holds NaN, a key twice or brackets nested too deep, or has no edges;
    faulty elements are returned as faults.
    """
    return read_plain(load_json(text, filename), filename)


def read_plain(value: Any, filename: str) -> ImportedGraph:
    """As `read_json`, of values that `load_json` has read. Raises BadRow if they have no edges and no nodes."""
    nodes, edges, key = _parts(value, filename)
    places = value.get("places") if isinstance(value, dict) else None
    collector = EdgeCollector(filename)
    name_of: dict[str, str] = {}
    for place, node in enumerate(nodes):
        name = _node_name(node)
        if name is None:
            collector.fault(None, f"nodes[{place}]", _shown(node), "a node is its name, or an object with a name or id")
            continue
        if isinstance(node, dict) and isinstance(node.get("id"), str):
            name_of[node["id"]] = name
        collector.add_node(name, None, f"nodes[{place}]", _place(node, name, places))
    for place, edge in enumerate(edges):
        _take_edge(collector, edge, f"{key}[{place}]", name_of)
    return collector.result()


def load_json(text: str, filename: str) -> Any:
    """The value of a JSON text. Raises BadRow with the line where it is not JSON, where NaN or Infinity or a key
    listed twice stands, or where brackets are nested deeper than 32; UnreadableFile where a list or object has more
    than 100,000 entries."""
    _guard(text, filename)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadRow(filename, error.lineno, "", "", f"not JSON: {error.msg} at column {error.colno}") from None
    except ValueError:
        raise BadRow(filename, None, "", "", "a number has too many digits") from None


def _plain_edge(edge: Edge) -> dict[str, Any]:
    plain: dict[str, Any] = {"source": edge.source, "sink": edge.sink, "sign": edge.sign and edge.sign.value}
    if edge.delay:
        plain["delay"] = True
    if edge.flag is not None:
        plain["flag"] = edge.flag.value
    if edge.note:
        plain["note"] = edge.note
    return plain


def _parts(value: Any, file: str) -> tuple[list[Any], list[Any], str]:
    if isinstance(value, list):
        return [], value, "edges"
    expected = 'a graph is {"nodes": […], "edges": [{"source": …, "sink": …}]}'
    if not isinstance(value, dict):
        raise BadRow(file, 1, "", _shown(value), expected)
    key = "relationships" if "relationships" in value and "edges" not in value else "edges"
    nodes: Any = value.get("nodes", [])
    edges: Any = value.get(key, [] if "nodes" in value else None)
    for field, part in (("nodes", nodes), (key, edges)):
        if not isinstance(part, list):
            missing = "there are none; " if part is None else ""
            raise BadRow(file, None, field, "" if part is None else _shown(part), missing + expected)
    return nodes, edges, key


def _node_name(node: Any) -> str | None:
    if isinstance(node, str):
        return node
    if not isinstance(node, dict):
        return None
    return next((node[key] for key in ("name", "label", "id") if isinstance(node.get(key), str)), None)


def _place(node: Any, name: str, places: Any) -> tuple[float, float] | None:
    """Where a node is drawn: its own x and y, or its entry in `places`."""
    spot: Any = places.get(name) if isinstance(places, dict) else None
    if isinstance(node, dict):
        spot = [node.get("x"), node.get("y")]
    if not isinstance(spot, list) or len(spot) != 2:
        return None
    if any(isinstance(part, bool) or not isinstance(part, (int, float)) for part in spot):
        return None
    return float(spot[0]), float(spot[1])


def _take_edge(collector: EdgeCollector, edge: Any, place: str, name_of: Mapping[str, str]) -> None:
    if not isinstance(edge, dict):
        collector.fault(None, place, _shown(edge), 'an edge is {"source": …, "sink": …, "sign": …}')
        return
    fields: dict[str, str] = {}
    for key in sorted(edge, key=preference):
        field = field_of(key)
        if field is None or field in fields:
            continue
        text = _text(edge[key])
        if text is None:
            collector.fault(None, f"{place}.{key}", _shown(edge[key]), "a text was expected here")
            return
        fields[field] = name_of.get(text, text) if field in ("source", "sink") else text
    if not fields.get("sink", "").strip():
        collector.fault(None, f"{place}.sink", "", "an edge needs a sink; nodes without edges go into nodes")
        return
    collector.add_edge(fields, None, f"{place}.")


def _text(value: Any) -> str | None:
    """Text as it is; null is empty; true and false are words; 1 and -1 are signs. Anything else is no text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and value in (1, -1):
        return str(value)
    return value if isinstance(value, str) else None


_TOKEN = re.compile(
    r'(?P<text>"[^"\\]*+(?:\\.?[^"\\]*+)*+(?P<closed>"(?P<is_key>\s*+:)?)?)|[\[\]{}]|\bNaN\b|-?\bInfinity\b', re.DOTALL
)


def _guard(text: str, file: str) -> None:
    """Refuse what the json module lets through or falls over, with its line.

    Runs before parsing: nesting of a megabyte exhausts the parser's stack, a list of a million objects takes most of a
    gigabyte, and it reports neither NaN nor a repeated key with a place.
    """
    keys: list[set[str] | None] = []  # per open bracket: the keys so far, None for a list
    held = [0]  # outside of all brackets, then per open bracket: texts and brackets directly inside
    for found in _TOKEN.finditer(text):
        piece = found.group()
        if piece not in "]}":
            held[-1] += 1
            is_list = bool(keys) and keys[-1] is None
            if held[-1] > (bounds.MOST_ROWS if is_list else 2 * bounds.MOST_ROWS):  # a key and its text: two pieces
                what = "entries in one list" if is_list else "keys in one object"
                raise bounds.too_many(file, bounds.MOST_ROWS, what, text.count("\n", 0, found.start()) + 1)
        if piece in "[{":
            held.append(0)
            keys.append(set() if piece == "{" else None)
            if len(keys) > DEEPEST:
                raise _refusal(text, file, found, f"brackets are nested deeper than {DEEPEST}")
        elif piece in "]}":
            del keys[-1:]
            del held[max(1, len(held) - 1) :]
        elif found.group("text") is not None:
            if found.group("closed") is None:
                return  # parsing reports it
            if keys and keys[-1] is not None and found.group("is_key"):
                written = piece[: piece.rindex('"') + 1]
                key = _unescaped(written)
                if key in keys[-1]:
                    raise _refusal(text, file, found, f"the key {written[:60]} is listed twice")
                keys[-1].add(key)
        else:
            raise _refusal(text, file, found, f"{piece} is not a JSON value; write null")


def _unescaped(piece: str) -> str:
    try:
        return str(json.loads(piece))
    except json.JSONDecodeError:
        return piece  # a broken string; parsing reports it


def _refusal(text: str, file: str, found: re.Match[str], message: str) -> BadRow:
    line = text.count("\n", 0, found.start()) + 1
    column = found.start() - text.rfind("\n", 0, found.start())
    return BadRow(file, line, f"column {column}", "", message)


def _shown(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
