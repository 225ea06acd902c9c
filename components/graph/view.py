"""Draw a causal graph, as a figure or as a table, and return the user's selection.

pyvis builds the nodes and edges, and writes the file of an interactive graph. Its own template is never used: it
loads scripts from other hosts and inserts options as they are. On the page labels travel as data and end on a
canvas or in `textContent`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

import streamlit as st

from components.graph.parts import (
    SIGN_MARKS,
    NodeStyle,
    Selection,
    Style,
    StyledEdge,
    ViewMark,
    ViewNode,
    look_of,
    summary,
)
from components.graph.table import graph_table, table_rows
from components.sources import script, sheets, vis_network
from core.errors import InvalidGraph
from core.graphs.labels import caption, lines_of, size_of
from core.graphs.layouts.layout import Point, bends
from core.graphs.record import EdgeRecord, GraphRecord
from core.stored_words import shown_word
from core.words import quoted

__all__ = [
    "NodeStyle",
    "Selection",
    "Style",
    "StyledEdge",
    "ViewMark",
    "ViewNode",
    "build_drawing",
    "graph_table",
    "graph_view",
    "interactive_html",
    "read_moved",
    "read_selection",
    "summary",
    "table_rows",
]

PANE_PX = 560
MAX_REACH = 1_000_000.0
"""Pixels at zoom 1 from the origin within which a dragged node may lie; anything else is a forged place."""


TEMPLATE = Path(__file__).with_name("interactive.html")
STYLE_COLOURS = {
    "plain": {"colour": "#383A3C", "line": "solid"},
    "matched": {"colour": "#3A3A3A", "line": "solid"},
    "missed": {"colour": "#0072B2", "line": "dashed"},
    "spurious": {"colour": "#C44601", "line": "dotted"},
    "reversed": {"colour": "#C44601", "line": "dotted"},
    "cut": {"colour": "#0072B2", "line": "dashed"},
}
"""Styles of `interactive_html`: the colours of look.js in the light theme."""


def graph_view(
    nodes: Sequence[ViewNode],
    edges: Sequence[EdgeRecord],
    positions: Mapping[str, Point],
    *,
    key: str,
    height: int = 480,
    selected: str | Collection[str] | None = None,
    lit: Collection[str] | None = None,
    marks: Sequence[ViewMark] = (),
    hidden: Collection[Style] = (),
    centre: str | None = None,
    on_moved: Callable[[dict[str, Point]], None] | None = None,
    tools: bool = True,
    ends: tuple[str, str] = ("ground truth", "prediction"),
) -> Selection | None:
    """Draw the graph `height` px high and return the last selection, None if nothing (or nothing left) is selected.

    The figure is drawn once per `key` and then only changed, so zoom, pan and dragged nodes survive reruns.
    - `selected`: ids of nodes and edges to highlight; None leaves the user's own selection highlighted.
    - `lit`: ids of nodes and edges at full strength while all else is dimmed; None dims nothing.
    - `marks`: loops to mark in the middle of their nodes.
    - `hidden`: classes that are not drawn; the legend still counts them, and the user's own boxes in the legend
      apply until `hidden` changes. `centre`: the node to bring into view, whenever it changes.
    - `on_moved`: called with the new places of the nodes that the user dragged, once they are dropped.
    - `ends`: names of the two graphs in the legend: the one with the missed elements, and the one with the spurious.
    - `tools`: the buttons to find, focus, zoom and fit; without them the keys still work.
    Raises InvalidGraph if an id is used twice, an edge or a mark has no node, or a node has no place."""
    highlighted = (selected,) if isinstance(selected, str) else selected
    with st.container(gap=None):
        result = _figure(
            key=key,
            data={
                **picture_data(nodes, edges, positions, marks, height=height),
                "selected": None if highlighted is None else sorted(highlighted),
                "lit": None if lit is None else sorted(lit),
                "hidden": sorted(hidden),
                "centre": centre,
                "ends": list(ends),
                "tells_moves": on_moved is not None,
                "tools": tools,
            },
            default={"selection": None, "moved": None},
            on_selection_change=lambda: None,  # Streamlit stores a component's state only if it has a callback
            on_moved_change=partial(_tell_moved, key, nodes, on_moved),
            height="content",
        )
    return read_selection(result.selection, nodes, edges)


def picture_data(
    nodes: Sequence[ViewNode],
    edges: Sequence[EdgeRecord],
    positions: Mapping[str, Point],
    marks: Sequence[ViewMark] = (),
    *,
    height: int,
) -> dict[str, Any]:
    """Return the data for `createPicture` of a graph that is not compared, `height` px high. Raises as `graph_view`."""
    drawing = build_drawing(nodes, edges, positions, marks)
    return {
        **drawing,
        "selected": None,
        "lit": None,
        "hidden": [],
        "centre": None,
        "ends": ["", ""],
        "tells_moves": False,
        "tools": True,
        "height": height,
        "signature": hashlib.sha256(json.dumps(drawing, sort_keys=True).encode()).hexdigest(),
    }


def record_picture(record: GraphRecord, places: Mapping[str, Point]) -> dict[str, Any]:
    """Return the picture of one graph, for the pane of a desk."""
    nodes = [ViewNode(node.id, node.name) for node in record.nodes.values()]
    return picture_data(nodes, record.ordered_edges(), places, height=PANE_PX)


def build_drawing(
    nodes: Sequence[ViewNode],
    edges: Sequence[EdgeRecord],
    positions: Mapping[str, Point],
    marks: Sequence[ViewMark] = (),
) -> dict[str, Any]:
    """Return nodes, edges, marks and a summary in words, as JSON for the figure.

    pyvis numbers nodes and edges 0, 1, 2 …; `ref` is Edgewise's id. Only constants and numbers become options of
    vis-network: names, signs, badges and flags are text."""
    numbers = _numbered(nodes, edges, positions, marks)
    network = _network(nodes, edges, numbers, positions)
    return {
        "nodes": network.nodes,
        "edges": network.edges,
        "marks": [{"text": mark.text, "nodes": [numbers[node] for node in mark.node_ids]} for mark in marks],
        "summary": summary(nodes, edges),
    }


def interactive_html(
    nodes: Sequence[ViewNode], edges: Sequence[EdgeRecord], positions: Mapping[str, Point], title: str
) -> str:
    """Return the graph as one HTML file that fetches nothing: nodes can be dragged and the view zoomed."""
    network = _network(nodes, edges, _numbered(nodes, edges, positions, ()), positions)
    network.heading = title
    for drawn in (*network.nodes, *network.edges):
        for own in ("ref", "badge", "flag"):  # ids and doubts stay in the study
            drawn.pop(own, None)
    environment = network.templateEnv.overlay(autoescape=True)
    environment.globals |= {"library": vis_network(), "about": summary(nodes, edges), "looks": STYLE_COLOURS}
    network.template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    written: str = network.generate_html(notebook=True)  # with `template`; else with a file of pyvis's own folder
    return written


def _network(
    nodes: Sequence[ViewNode], edges: Sequence[EdgeRecord], numbers: Mapping[str, int], positions: Mapping[str, Point]
) -> Any:
    from pyvis.network import Network  # with networkx and more: loaded once the server has answered (server.py)

    network = Network(directed=True)
    for node in nodes:
        point = positions[node.id]
        label = "\n".join(lines_of(caption(node.name)))
        network.add_node(numbers[node.id], label=label, shape="box", x=point.x, y=point.y, ref=node.id)
    for drawn, node in zip(network.nodes, nodes, strict=True):
        del drawn["color"]  # pyvis's own blue; the figure takes its colours from the app's theme
        drawn |= {"name": node.name, "style": node.style, "badge": node.badge}
    places = {node.id: positions[node.id] for node in nodes}
    sizes = {node.id: size_of(node.name) for node in nodes}
    bows = bends(places, [(edge.source_id, edge.sink_id) for edge in edges], sizes)
    for number, (edge, bow) in enumerate(zip(edges, bows, strict=True)):
        style, differs = look_of(edge)
        network.add_edge(
            numbers[edge.source_id],
            numbers[edge.sink_id],
            id=number,
            ref=edge.id,
            bend=bow,
            mark=SIGN_MARKS[edge.sign],
            delay=edge.delay,
            flag=shown_word(edge.flag) if edge.flag else "",
            style=style,
            differs=differs,
        )
    return network


def _numbered(
    nodes: Sequence[ViewNode],
    edges: Sequence[EdgeRecord],
    positions: Mapping[str, Point],
    marks: Sequence[ViewMark],
) -> dict[str, int]:
    numbers = {node.id: number for number, node in enumerate(nodes)}
    if len(numbers) < len(nodes):
        raise InvalidGraph("Two nodes of the drawing share an id.")
    if len({edge.id for edge in edges}) < len(edges):
        raise InvalidGraph("Two edges of the drawing share an id.")
    for node in nodes:
        if node.id not in positions:
            raise InvalidGraph(f"The node “{node.name}” has no place in the drawing.")
        _check_style(f"node {quoted(node.id)}", node.style, get_args(NodeStyle))
    for edge in edges:
        if edge.source_id not in numbers or edge.sink_id not in numbers:
            raise InvalidGraph(f"The edge {quoted(edge.id)} points to a node that is not drawn.")
        if edge.sign not in SIGN_MARKS:
            raise InvalidGraph(
                f"The edge {quoted(edge.id)} has the sign {quoted(str(edge.sign))}; it may be +, - or empty."
            )
        _check_style(f"edge {quoted(edge.id)}", look_of(edge)[0], get_args(Style))
    for mark in marks:
        if not mark.node_ids or any(node not in numbers for node in mark.node_ids):
            raise InvalidGraph(f"The mark {quoted(mark.text)} must name one or more nodes that are drawn.")
    return numbers


def _check_style(what: str, style: str, allowed: Sequence[str]) -> None:
    if style not in allowed:
        raise InvalidGraph(f"The {what} has the style {quoted(style)}; it may be {', '.join(allowed)}.")


def read_selection(value: object, nodes: Sequence[ViewNode], edges: Sequence[EdgeRecord]) -> Selection | None:
    """Return the selection in the browser's value, None unless it is drawn now; the value may be forged."""
    if not isinstance(value, Mapping):
        return None
    kind, chosen, n = value.get("kind"), value.get("id"), value.get("n")
    if not isinstance(chosen, str) or not isinstance(n, int):
        return None
    if kind == "node" and any(node.id == chosen for node in nodes):
        return Selection("node", chosen, n)
    if kind == "edge" and any(edge.id == chosen for edge in edges):
        return Selection("edge", chosen, n)
    return None


def read_moved(value: object, nodes: Sequence[ViewNode]) -> dict[str, Point]:
    """Return the places of dragged nodes from the browser, `{"places": [[id, x, y], …]}`, as far as they are drawn now.
    A row that is not a drawn node with two finite numbers within `MAX_REACH` is left out: it may be forged."""
    rows = value.get("places") if isinstance(value, Mapping) else None
    drawn = {node.id for node in nodes}
    moved: dict[str, Point] = {}
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, list) and len(row) == 3 and isinstance(row[0], str) and row[0] in drawn:
            x, y = row[1:]
            if _is_place(x) and _is_place(y):
                moved[row[0]] = Point(round(float(x), 1), round(float(y), 1))
    return moved


def _is_place(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= MAX_REACH  # NaN is never less than anything


def _tell_moved(key: str, nodes: Sequence[ViewNode], on_moved: Callable[[dict[str, Point]], None] | None) -> None:
    moved = read_moved(st.session_state[key]["moved"], nodes)
    if on_moved is not None and moved:
        on_moved(moved)


# A small script reserves the figure's space while the half-megabyte library and the code of figures are fetched.
_figure = st.components.v2.component("edgewise_graph_view", css=sheets("graph/view.css"), js=script("graph/view.js"))
