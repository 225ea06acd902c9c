"""Share links of Loopy 1.1 (ncase.me/loopy): the whole model is in the link, as lists of numbers and labels. `[[[id,
x, y, start, label, hue], …], [[from, to, arc, strength, rotation], …], [[x, y, text], …], last id]`, labels
percent-encoded, then the quotes and each label once more, as in Loopy's Model.js. y grows downwards. Written
coordinates are exact; Loopy rounds them to whole pixels when it saves again. A link of about 30 variables exceeds
2,000 characters, beyond which support of browsers and mail programs varies."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from core.errors import BadRow
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point, place
from core.sign import Sign
from exchange.edge_json import load_json
from exchange.edge_rows import EdgeCollector, ImportedGraph

BASE = "https://ncase.me/loopy/v1.1/?data="
START, HUE = 0.5, 0
"""Loopy's defaults for a new node: half full, first colour."""
ARC, TWIN_ARC, LOOP_ARC = 30, 60, 150
"""Curvature of arrows in pixels to their left: single, parallel, and self-loops."""
STRETCH = 2.0
"""Loopy's nodes are circles of 120 px, the layout assumes labels 40 px high: rows are spread."""

_OPEN = r"(?:\[|%5B|%255B)"
_LINK = re.compile(rf"\s*<?https?://[^\s<>]*[?&]data={_OPEN}{{2}}", re.IGNORECASE)
_DATA = re.compile(rf"\s*{_OPEN}{{3}}\d+(?:,|%2C|%252C)-?\d", re.IGNORECASE)
_PARAMETER = re.compile(r"[?&]data=")
_ENCODED_TWICE = re.compile(r"%25[0-9A-Fa-f]{2}")
_EXPECTED = "a link contains ?data=[[nodes],[arrows],[texts],number]; copy it whole, with Loopy's own button"
_NODE = "a node is [id, x, y, start, label, hue]"
_EDGE = "an arrow is [from, to, arc, strength, rotation]"


def is_mine(text: str) -> bool:
    """Return True for a link with Loopy's data, or the data alone."""
    return _LINK.match(text) is not None or _DATA.match(text) is not None


def read(text: str, filename: str) -> ImportedGraph:
    """Read a link, or its data alone, percent-encoded any number of times. Faulty nodes and arrows are faults.
    Raises BadRow for invalid data: truncated, of a later Loopy, or nested deeper than 32."""
    value = _value(text, filename)
    parts = value if isinstance(value, list) else []
    if len(parts) < 2 or not all(isinstance(part, list) for part in parts[:3]):
        raise BadRow(filename, 1, "", _excerpt(value), _EXPECTED)
    collector = EdgeCollector(filename)
    names: dict[int, str | None] = {}
    for number, node in enumerate(parts[0]):
        _take_node(collector, node, f"nodes[{number}]", names)
    strengths = [_take_edge(collector, edge, f"arrows[{number}]", names) for number, edge in enumerate(parts[1])]
    if others := [strength for strength in strengths if strength is not None and abs(strength) != 1]:
        collector.notices.append(
            f"Strengths other than 1 and -1 were read by their sign alone: {len(others)} "
            f"({', '.join(map(str, others[:5]))}{' …' * (len(others) > 5)})."
        )
    if texts := parts[2] if len(parts) > 2 else []:
        first = texts[0][2] if isinstance(texts[0], list) and len(texts[0]) > 2 else ""
        shown = " ".join(unquote(first).split()) if isinstance(first, str) else ""
        shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
        collector.notices.append(f"Texts on the canvas are not kept: {len(texts)}, the first “{shown}”.")
    return collector.result()


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    """Return the link that opens the graph in Loopy, and a newline. Every edge needs a sign (`obstacle`)."""
    ids = {name: number for number, name in enumerate(graph.nodes, start=1)}
    drawn = places
    if any(name not in places for name in graph.nodes):
        drawn = place(graph.nodes, [edge.pair for edge in graph.edges], places)
        if not places:
            drawn = {name: Point(point.x, point.y * STRETCH) for name, point in drawn.items()}
    unencoded = "-_.!~*'()"  # as by JavaScript's encodeURIComponent, which Loopy applies twice
    labels = {name: quote(quote(name, safe=unencoded), safe=unencoded) for name in ids}
    nodes = [
        [number, _number(drawn[name].x), _number(drawn[name].y), START, labels[name], HUE]
        for name, number in ids.items()
    ]
    edges: list[list[float]] = []
    pairs, earlier = {edge.pair for edge in graph.edges}, Counter[tuple[str, str]]()
    for edge in graph.edges:
        # Curvatures separate the two edges of a reciprocal pair, and edges that differ only in sign.
        first = LOOP_ARC if edge.is_self_loop else TWIN_ARC if (edge.sink, edge.source) in pairs else ARC
        arc = first + TWIN_ARC * earlier[edge.pair]
        earlier[edge.pair] += 1
        edges.append([ids[edge.source], ids[edge.sink], arc, 1 if edge.sign is Sign.PLUS else -1, 0])
    data = json.dumps([nodes, edges, [], len(ids)], separators=(",", ":"), ensure_ascii=True)
    return f"{BASE}{data.replace(chr(34), '%22')[:-1]}%5D\n".encode("ascii")


def obstacle(graph: CausalGraph) -> str:
    """Return the edge of unknown sign, which Loopy lacks, or ""."""
    unsigned = sum(edge.sign is None for edge in graph.edges)
    if not unsigned:
        return ""
    have = "has none" if unsigned == 1 else "have none"
    return (
        f"Loopy needs a sign on every edge; {unsigned} of {len(graph.edges)} {have}. "
        "Give every edge a sign, or choose a format that allows unknown signs, such as GraphML, DOT or JSON."
    )


# Reading


def _value(text: str, filename: str) -> Any:
    """Return the data with labels percent-encoded once, as Loopy expects."""
    parameter = _PARAMETER.search(text) if _LINK.match(text) else None
    data = text[parameter.end() :].strip().rstrip(">") if parameter else text.strip()
    for rounds in range(4):
        if (data.startswith("[") and '"' in data) or re.fullmatch(r"\[[\[\],\s\d]*\]?", data):
            break
        data = re.split(r"[&#]", data, maxsplit=1)[0] if parameter and rounds == 0 else data
        data = unquote(data)
    else:
        raise BadRow(filename, 1, "", data[:60], _EXPECTED)
    try:
        value = load_json(data, filename)
    except BadRow as error:
        raise BadRow(filename, 1, error.field, data[-60:], f"{_EXPECTED} ({error.expected})") from None
    if rounds == 0 and "%25" in data and not re.search("%(?!25)", data):
        return json.loads(_ENCODED_TWICE.sub(lambda piece: unquote(piece.group()), data))  # only quotes were undone
    return value


def _take_node(collector: EdgeCollector, node: Any, field: str, names: dict[int, str | None]) -> None:
    if not isinstance(node, list) or len(node) < 5 or not _is_whole(node[0]) or not isinstance(node[4], str):
        collector.fault(None, field, _excerpt(node), _NODE)
        return
    if node[0] in names:
        collector.fault(None, field, _excerpt(node), f"the id {node[0]} is already taken by another node")
        return
    at = (float(node[1]), float(node[2])) if _is_number(node[1]) and _is_number(node[2]) else None
    names[node[0]] = collector.declare(unquote(node[4]), None, field, at)


def _take_edge(collector: EdgeCollector, edge: Any, field: str, names: Mapping[int, str | None]) -> float | None:
    if not isinstance(edge, list) or len(edge) < 4 or not _is_number(edge[3]):
        collector.fault(None, field, _excerpt(edge), _EDGE)
        return None
    ends = [names.get(end) if _is_whole(end) else None for end in edge[:2]]
    if ends[0] is None or ends[1] is None:
        collector.fault(None, field, _excerpt(edge), "both ends are ids of nodes that are listed and have a name")
        return None
    strength: float = edge[3]
    sign = "+" if strength > 0 else "-" if strength < 0 else ""
    collector.add_edge({"source": ends[0], "sink": ends[1], "sign": sign}, None, f"{field}.")
    return strength


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _excerpt(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


# Writing


def _number(value: float) -> int | float:
    return int(value) if value == int(value) else value
