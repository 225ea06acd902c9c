"""Graphs written in Graphviz DOT: quoted names, signs for display and for reading back, places."""

from __future__ import annotations

from collections.abc import Mapping

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange.dot_labels import protected
from exchange.dot_marks import escaped_note

_PRINTED = {Sign.PLUS: "+", Sign.MINUS: "−"}  # a hyphen is hardly visible at an arrowhead


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    """Return the graph in UTF-8. With places the file requests neato, which uses `pos`."""
    lines = ["digraph {"]
    if places:
        lines.append('  graph [layout="neato", inputscale="72", splines="true"];')
    lines.append('  node [shape="box", style="rounded"];')
    lines.append('  edge [labeldistance="2.4", labelangle="28", labelfontsize="18"];')  # signs clear of arrowheads
    id_of = _ids(graph)
    for name in graph.nodes:
        point, marks = places.get(name), []
        if id_of[name] != name:
            marks.append(f"label={_quoted(name)}")
        if point is not None:
            marks.append(f'pos="{point.x!r},{0 - point.y!r}!"')
        lines.append(f"  {_quoted(id_of[name])}{_listing(marks)};")
    for edge in graph.edges:
        arrow = f"{_quoted(id_of[edge.source])} -> {_quoted(id_of[edge.sink])}"
        lines.append(f"  {arrow}{_listing(_marks(edge))};")
    return ("\n".join([*lines, "}"]) + "\n").encode("utf-8")


def _ids(graph: CausalGraph) -> dict[str, str]:
    """Return every node's id: its name, unless it starts with %, which Graphviz reserves for anonymous nodes."""
    used, ids = set(graph.nodes), {}
    for number, name in enumerate(graph.nodes, start=1):
        ids[name] = name
        while ids[name].startswith("%") or (ids[name] != name and ids[name] in used):
            ids[name] = f"node {number}" if ids[name] == name else f"{ids[name]}_"
    return ids


def _listing(marks: list[str]) -> str:
    return f" [{', '.join(marks)}]" if marks else ""


def _marks(edge: Edge) -> list[str]:
    marks = []
    if edge.sign is not None:
        marks += [f'headlabel="{_PRINTED[edge.sign]}"', f'sign="{edge.sign.value}"']
    if edge.delay:
        marks += ['label="||"', 'delay="yes"']
    if edge.flag is not None:
        marks.append(f'flag="{edge.flag.value}"')
    if edge.note:
        marks.append('note="' + escaped_note(edge.note).replace('"', '\\"') + '"')
    return marks


def _quoted(name: str) -> str:
    safe_name = protected(name)
    return '"' + safe_name.replace("\\", "\\\\").replace('"', '\\"') + '"'
