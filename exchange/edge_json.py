"""Graphs as plain JSON: {"nodes": ["A", …], "edges": [{"source": "A", "sink": "B", "sign": "+"}]}."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.errors import BadRow
from core.graphs import bounds
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from exchange.edge_meanings import EdgeRecordRow, add_rows, meanings_of
from exchange.edge_rows import EdgeCollector, ImportedGraph, field_of, listed, not_read, preference

DEEPEST = 32
"""Nested brackets; the plain form has three."""
EDGE_LISTS = ("edges", "links", "relationships")

_GRAPH = 'a graph is {"nodes": […], "edges": [{"source": …, "sink": …}]}'
_NODE = "a node is its name, or an object with a name or id"
_UNDIRECTED = 'an edge has a direction; write "directed": true if every source acts on its sink'
_KINDS_OF_GRAPH = ("type", "direction", "edgedefault", "defaultedgetype", "graph_type", "edge_type")
_BOTH_ENDS = ("source", "sink")
_NUMBERED = ("id", "key")
"""Keys with which NetworkX and others number edges."""
_NOTHING: tuple[Any, ...] = (None, "", [], {})


def plain_graph(graph: CausalGraph, places: Mapping[str, Point] | None = None) -> dict[str, Any]:
    """Return the plain form as values. `delay`, `flag` and `note` are present only if set; a sign is "+", "-" or
    null. `places`, if any, are a further key: {"A": [x, y], …}, with y downwards."""
    plain: dict[str, Any] = {"nodes": list(graph.nodes), "edges": [_plain_edge(edge) for edge in graph.edges]}
    if places:
        plain["places"] = {name: [places[name].x, places[name].y] for name in graph.nodes if name in places}
    return plain


def write_json(value: Mapping[str, Any]) -> bytes:
    """Return JSON in UTF-8 with two spaces of indentation and a final newline; the same value gives the same bytes."""
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8")


def read_json(text: str, filename: str) -> ImportedGraph:
    """Read the plain form, and similar JSON of NetworkX, D3 and others. Edges may be called `links` or
    `relationships`, a sink `target`; `nodes` may be missing, and a bare list is edges. A node may be an object with
    a name, label or id; edges may then use the id, a text or an integer. Unread keys are named in notices. Raises
    BadRow if the text is not JSON, contains NaN, a repeated key or too deeply nested brackets, or has no edges;
    faulty elements are returned as faults."""
    return read_plain(load_json(text, filename), filename)


def read_plain(value: Any, filename: str) -> ImportedGraph:
    """Read values parsed by `load_json`, as `read_json`. Raises BadRow without edges and nodes."""
    nodes, edges, key = _parts(value, filename)
    others = value if isinstance(value, dict) else {}
    collector = EdgeCollector(filename)
    ends = _Ends(collector, nodes, edges, others.get("places"))
    of_nodes, unread = len(collector.faults), list[str]()
    rows = list(_rows(collector, edges, key, ends, _undirected_by(others), unread))
    collector.notices += ends.notices()
    needs = "an edge needs a sink; nodes without edges go into nodes"
    add_rows(collector, rows, meanings_of(rows), known=ends.names if nodes else None, sink=needs)
    collector.faults[of_nodes:] = sorted(collector.faults[of_nodes:], key=_place_in_list)
    collector.notices += not_read("Keys", unread_parts(others, {"nodes", "places", key}))
    collector.notices += not_read("Keys of nodes", ends.unread)
    collector.notices += not_read("Keys of edges", unread)
    return collector.result()


def load_json(text: str, filename: str) -> Any:
    """Return the value of a JSON text. Raises BadRow with the line of invalid JSON, NaN or Infinity, a repeated key,
    or brackets nested deeper than 32; UnreadableFile for a list or object with more than 100,000 entries."""
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
    """Return nodes, edges and the key of the edges. Raises BadRow unless there is one list of edges, or a list of
    nodes and nothing that may be edges."""
    if isinstance(value, list):
        return [], value, "edges"
    if not isinstance(value, dict):
        raise BadRow(file, 1, "", _shown(value), _GRAPH)
    edge_keys = [key for key in EDGE_LISTS if isinstance(value.get(key), list)]
    filled = [key for key in edge_keys if value[key]] or edge_keys[:1]
    if len(filled) > 1:
        expected = f"{filled[0]} lists edges too; put all edges into one of the two"
        raise BadRow(file, None, filled[1], "", expected)
    key = filled[0] if filled else next((key for key in EDGE_LISTS if key in value), "edges")
    nested = [other for other, part in value.items() if other != "nodes" and _is_nested(part)]
    if key not in value and nested:
        raise BadRow(file, None, nested[0], _shown(value[nested[0]]), f"edges are not looked for here; {_GRAPH}")
    nodes: Any = value.get("nodes", [])
    edges: Any = value.get(key, [] if "nodes" in value else None)
    for field, part in (("nodes", nodes), (key, edges)):
        if not isinstance(part, list):
            missing = "there are none; " if part is None else ""
            raise BadRow(file, None, field, "" if part is None else _shown(part), missing + _GRAPH)
    return nodes, edges, key


def _is_nested(part: Any) -> bool:
    """Return True if a list or object contains non-empty lists or objects, as a list of edges does."""
    parts = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return any(isinstance(inner, list | dict) and inner for inner in parts)


def _undirected_by(graph: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Return the key and value that mark a graph as undirected: its own, or of an object next to its nodes."""
    objects = [part for key, part in graph.items() if key != "places" and isinstance(part, dict)]
    for part in (graph, *objects):
        for key, value in part.items():
            is_kind = key.strip().casefold() in _KINDS_OF_GRAPH
            if _is_undirected(key, value) or (is_kind and str(value).strip().casefold() == "undirected"):
                return key, value
    return None


def _is_undirected(key: str, value: Any) -> bool:
    no = {"directed": ("false", "no", "0"), "undirected": ("true", "yes", "1")}.get(key.strip().casefold(), ())
    return str(value).strip().casefold() in no


class _Ends:
    """The nodes of a file, and the node that an edge's end refers to: by id, by name or, if no node has an id, by
    place.

    Attributes:
        names: nodes' names, as written and as stored.
        unread: unread keys of nodes.
    """

    def __init__(self, collector: EdgeCollector, nodes: list[Any], edges: list[Any], places: Any) -> None:
        self.names: dict[str, None] = {}
        self.unread: list[str] = []
        self._collector = collector
        self._by_id: dict[str, tuple[str | None, str]] = {}
        self._in_order: list[str | None] = []
        self._has_ids = self._is_counted = False
        self._unnamed: list[str] = []
        named = (edge[key] for edge in edges if isinstance(edge, dict) for key in edge if field_of(key) in _BOTH_ENDS)
        self._are_numbers = not nodes and all(map(_is_whole, named))  # a number among names may be a slip
        bare = "id" if all(map(_is_whole, nodes)) else "name"
        for place, node in enumerate(nodes):
            entry = node if isinstance(node, dict) else {bare: node}
            self._in_order.append(self._declare(entry, node, f"nodes[{place}]", places))

    def _declare(self, entry: Mapping[str, Any], node: Any, field: str, places: Any) -> str | None:
        id = _id_text(entry.get("id"))
        label_key = next((key for key in ("name", "label") if entry.get(key) not in (None, "")), "")
        text = entry[label_key] if label_key else id
        name = None
        if id in self._by_id:
            first = self._by_id[id][1]
            self._collector.fault(None, f"{field}.id", id or "", f"{first} has this id too; ids must differ")
            return None
        if not isinstance(text, str):
            self._collector.fault(None, field, _shown(node), _NODE)
        else:
            name = self._collector.declare(text, None, field, _place(node, text, places))
        if id is not None:
            self._by_id[id] = (name, field)
            self._has_ids |= bool(label_key)
            if not label_key and (_is_whole(entry["id"]) or "name" in entry or "label" in entry):
                self._unnamed.append(id)
        if name is not None and isinstance(text, str):
            self.names |= {text: None, name: None}
        read = ("id", "x", "y", label_key)
        self.unread += (key for key, value in entry.items() if key not in read and value not in (*_NOTHING, text))
        return name

    def name_at(self, end: Any, field: str) -> str | None:
        """Return the name of the node at an end of an edge; None (and a fault) if it is invalid, or faulty itself."""
        text = _id_text(end)
        expected = "a name or an id was expected here" if text is None else "this node is itself faulty"
        name: str | None = None
        if text in self._by_id:
            name = self._by_id[text][0]
        elif text in self.names:
            name = text
        elif not self._by_id and _is_whole(end) and 0 <= end < len(self._in_order):
            self._is_counted = True
            name = self._in_order[end]
        elif text and (self._has_ids or not (self._are_numbers or isinstance(end, str))):
            expected = "no node has this id or name"
        else:
            name = "" if end is None else text
        if name is None:
            self._collector.fault(None, field, _shown(end), expected)
        return name

    def notices(self) -> Iterator[str]:
        if self._unnamed:
            yield f"Nodes without a label are named by their id: {listed(self._unnamed, most=5)}."
        if self._is_counted:
            yield "Edges name nodes by their place in the list, counted from 0."


def _rows(
    collector: EdgeCollector,
    edges: list[Any],
    key: str,
    ends: _Ends,
    undirected: tuple[str, Any] | None,
    unread: list[str],
) -> Iterator[EdgeRecordRow]:
    for place, edge in enumerate(edges):
        where = f"{key}[{place}]"
        if not isinstance(edge, dict):
            collector.fault(None, where, _shown(edge), 'an edge is {"source": …, "sink": …, "sign": …}')
            continue
        own = next(((f".{name}", value) for name, value in edge.items() if _is_undirected(name, value)), None)
        if own is None and undirected is not None and edge.get("directed") is not True:
            own = f", {undirected[0]}", undirected[1]
        if own is not None:
            collector.fault(None, f"{where}{own[0]}", _shown(own[1]), _UNDIRECTED)
            continue
        row = _row(collector, edge, where, ends, unread)
        if row is not None:
            yield row


def _row(
    collector: EdgeCollector, edge: Mapping[str, Any], where: str, ends: _Ends, unread: list[str]
) -> EdgeRecordRow | None:
    fields: dict[str, str] = {}
    keys: dict[str, str] = {}
    for key in sorted(edge, key=preference):
        field = field_of(key)
        if field is None or field in fields:
            if key not in _NUMBERED and edge[key] not in _NOTHING:
                unread.append(key)
            continue
        if field in _BOTH_ENDS:
            text = ends.name_at(edge[key], f"{where}.{key}")
        elif (text := _text(edge[key])) is None:
            collector.fault(None, f"{where}.{key}", _shown(edge[key]), "a text was expected here")
        if text is None:
            return None
        fields[field], keys[field] = text, key
    return EdgeRecordRow(fields, place=f"{where}.", shown=lambda field: keys.get(field, field))


def _place_in_list(fault: BadRow) -> int:
    match = re.search(r"\[(\d+)\]", fault.field)
    return int(match.group(1)) if match else 0


def unread_parts(value: Mapping[str, Any], read: set[str]) -> Iterator[str]:
    """Yield the keys of lists and objects that are not in `read`, without empty ones."""
    return (key for key, part in value.items() if key not in read and isinstance(part, list | dict) and part)


def _place(node: Any, name: str, places: Any) -> tuple[float, float] | None:
    spot: Any = places.get(name) if isinstance(places, dict) else None
    if isinstance(node, dict):
        spot = [node.get("x"), node.get("y")]
    if not isinstance(spot, list) or len(spot) != 2:
        return None
    if any(isinstance(part, bool) or not isinstance(part, (int, float)) for part in spot):
        return None
    return float(spot[0]), float(spot[1])


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _id_text(value: Any) -> str | None:
    """Return a text unchanged, an integer as digits; anything else is no id."""
    return str(value) if isinstance(value, str) or _is_whole(value) else None


def _text(value: Any) -> str | None:
    """Return the text as `_id_text`, but "" for null and yes or no for booleans."""
    if value is None:
        return ""
    return ("no", "yes")[value] if isinstance(value, bool) else _id_text(value)


_TOKEN = re.compile(
    r'(?P<text>"[^"\\]*+(?:\\.?[^"\\]*+)*+(?P<closed>"(?P<is_key>\s*+:)?)?)|[\[\]{}]|\bNaN\b|-?\bInfinity\b', re.DOTALL
)


def _guard(text: str, file: str) -> None:
    """Refuse what the json module accepts or fails on, with its line. Runs before parsing: a megabyte of nesting
    exhausts the parser's stack, a list of a million objects takes most of a gigabyte, and the parser reports neither
    NaN nor repeated keys with a line."""
    keys: list[set[str] | None] = []  # per open bracket: the keys so far, None for a list
    counts = [0]  # outside of all brackets, then per open bracket: texts and brackets directly inside
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if piece not in "]}":
            counts[-1] += 1
            is_list = bool(keys) and keys[-1] is None
            if counts[-1] > (bounds.MOST_ROWS if is_list else 2 * bounds.MOST_ROWS):  # a key and its text: two pieces
                what = "entries in one list" if is_list else "keys in one object"
                raise bounds.too_many(file, bounds.MOST_ROWS, what, text.count("\n", 0, match.start()) + 1)
        if piece in "[{":
            counts.append(0)
            keys.append(set() if piece == "{" else None)
            if len(keys) > DEEPEST:
                raise _refusal(text, file, match, f"brackets are nested deeper than {DEEPEST}")
        elif piece in "]}":
            del keys[-1:]
            del counts[max(1, len(counts) - 1) :]
        elif match.group("text") is not None:
            if match.group("closed") is None:
                return  # parsing reports it
            if keys and keys[-1] is not None and match.group("is_key"):
                written = piece[: piece.rindex('"') + 1]
                key = _unescaped(written)
                if key in keys[-1]:
                    raise _refusal(text, file, match, f"the key {written[:60]} is listed twice")
                keys[-1].add(key)
        else:
            raise _refusal(text, file, match, f"{piece} is not a JSON value; write null")


def _unescaped(piece: str) -> str:
    try:
        return str(json.loads(piece))
    except json.JSONDecodeError:
        return piece  # a broken string; parsing reports it


def _refusal(text: str, file: str, match: re.Match[str], message: str) -> BadRow:
    line = text.count("\n", 0, match.start()) + 1
    column = match.start() - text.rfind("\n", 0, match.start())
    return BadRow(file, line, f"column {column}", "", message)


def _shown(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
