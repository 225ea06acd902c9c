"""Draw a causal graph, as a figure or as a table, and return what the person chose in it.

pyvis builds the nodes and edges and brings the vis-network file that draws them. Its HTML is never used: it loads
scripts from other hosts and runs labels as script. Labels travel as data and end on a canvas or in `textContent`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import streamlit as st
from pyvis.network import Network

from core.errors import InvalidGraph
from core.graphs.layout import Point, bends

Style = Literal["plain", "matched", "missed", "spurious", "reversed"]
"""How an edge is drawn: in a comparison, missed is in the ground truth only, spurious in the prediction only."""

MAX_CAPTION = 72
"""Characters of a name that the figure shows; the line below it and the table show the whole name."""

_SIGN_MARKS = {"+": "+", "-": "−", "": ""}


@dataclass(frozen=True, slots=True)
class ViewNode:
    """A node to draw."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ViewEdge:
    """An edge to draw: `sign` is "+", "-" or "" (unknown), `flag` a few words on why it is doubted."""

    id: str
    source_id: str
    sink_id: str
    sign: str = ""
    delay: bool = False
    flag: str = ""
    style: Style = "plain"


@dataclass(frozen=True, slots=True)
class Selection:
    """What the person chose last; `n` grows with every choice, so that choosing the same again is noticed."""

    kind: Literal["node", "edge"]
    id: str
    n: int


def graph_view(
    nodes: Sequence[ViewNode],
    edges: Sequence[ViewEdge],
    positions: Mapping[str, Point],
    *,
    key: str,
    height: int = 480,
    selected: str | Collection[str] | None = None,
) -> Selection | None:
    """Draw the graph `height` px high and return the last choice, None if nothing (or nothing left) is chosen.

    `selected` holds ids of nodes and edges to highlight; None leaves the person's own choice highlighted. The
    figure is drawn once per `key` and then only changed, so zoom, pan and dragged nodes survive reruns.

    Raises InvalidGraph if an id is used twice, an edge hangs in the air or a node has no place.
    """
    drawing = build_drawing(nodes, edges, positions)
    wanted = (selected,) if isinstance(selected, str) else selected
    with st.container(gap=None):
        _library(key=f"{key}-library", height="content")
        result = _figure(
            key=key,
            data={
                **drawing,
                "selected": None if wanted is None else sorted(wanted),
                "height": height,
                "signature": _signature(drawing),
            },
            default={"selection": None},
            on_selection_change=_noted,
            height="content",
        )
    return read_selection(result.selection, nodes, edges)


def graph_table(nodes: Sequence[ViewNode], edges: Sequence[ViewEdge], *, key: str) -> None:
    """The same graph as a table of plain text: one row an edge, then one row an isolated node."""
    text = st.column_config.TextColumn
    st.dataframe(
        table_rows(nodes, edges),
        key=key,
        hide_index=True,
        width="stretch",
        column_config={
            "source": text("source", width="medium"),
            "sign": text("sign", width="small"),
            "sink": text("sink", width="medium"),
            "delay": text("delay", width="small"),
            "flag": text("flag"),
            "compared": text("compared", width="small"),
        },
    )


def build_drawing(
    nodes: Sequence[ViewNode], edges: Sequence[ViewEdge], positions: Mapping[str, Point]
) -> dict[str, Any]:
    """Nodes, edges and a summary in words, as JSON for the figure.

    pyvis numbers nodes and edges 0, 1, 2 …; `ref` carries our id. Only constants and numbers become options of
    vis-network: names, signs and flags are text.
    """
    numbers = _numbered(nodes, edges, positions)
    network = Network(directed=True)
    for node in nodes:
        point = positions[node.id]
        network.add_node(numbers[node.id], label=caption(node.name), shape="box", x=point.x, y=point.y, ref=node.id)
    places = {node.id: positions[node.id] for node in nodes}
    bows = bends(places, [(edge.source_id, edge.sink_id) for edge in edges])
    for number, (edge, bow) in enumerate(zip(edges, bows, strict=True)):
        network.add_edge(
            numbers[edge.source_id],
            numbers[edge.sink_id],
            id=number,
            ref=edge.id,
            bend=bow,
            mark=_SIGN_MARKS[edge.sign],
            delay=edge.delay,
            flag=edge.flag,
            style=edge.style,
        )
    names = {node.id: node.name for node in nodes}
    for drawn in network.nodes:
        del drawn["color"]  # pyvis's own blue; the figure takes its colours from the app's theme
        drawn["name"] = names[drawn["ref"]]
    return {"nodes": network.nodes, "edges": network.edges, "summary": summary(nodes, edges)}


def _numbered(nodes: Sequence[ViewNode], edges: Sequence[ViewEdge], positions: Mapping[str, Point]) -> dict[str, int]:
    numbers = {node.id: number for number, node in enumerate(nodes)}
    if len(numbers) < len(nodes):
        raise InvalidGraph("Two nodes of the drawing share an id.")
    if len({edge.id for edge in edges}) < len(edges):
        raise InvalidGraph("Two edges of the drawing share an id.")
    for node in nodes:
        if node.id not in positions:
            raise InvalidGraph(f'The node "{node.name}" has no place in the drawing.')
    for edge in edges:
        if edge.source_id not in numbers or edge.sink_id not in numbers:
            raise InvalidGraph(f"The edge {edge.id!r} points to a node that is not drawn.")
        if edge.sign not in _SIGN_MARKS:
            raise InvalidGraph(f"The edge {edge.id!r} has the sign {edge.sign!r}; it may be +, - or empty.")
    return numbers


def caption(name: str) -> str:
    """A name as the figure shows it: on one line, at most `MAX_CAPTION` characters, never empty.

    >>> caption("Crop\\n yield"), caption("")
    ('Crop yield', '(no name)')
    """
    line = " ".join(name.split()) or "(no name)"
    return line if len(line) <= MAX_CAPTION else line[: MAX_CAPTION - 1].rstrip() + "…"


def summary(nodes: Sequence[ViewNode], edges: Sequence[ViewEdge]) -> str:
    """The figure in one sentence, for those who do not see it.

    >>> summary([ViewNode("a", "A"), ViewNode("b", "B")], [ViewEdge("e", "a", "b", "-", style="missed")])
    'Causal graph: 2 nodes, 1 edge (1 missed; 0 plus, 1 minus, 0 without sign).'
    """
    styles = [edge.style for edge in edges if edge.style != "plain"]
    counts = ", ".join(f"{styles.count(style)} {style}" for style in dict.fromkeys(styles))
    signs = [edge.sign for edge in edges]
    signed = f"{signs.count('+')} plus, {signs.count('-')} minus, {signs.count('')} without sign"
    detail = f" ({counts}; {signed})" if counts else f" ({signed})" if edges else ""
    return f"Causal graph: {_count(len(nodes), 'node')}, {_count(len(edges), 'edge')}{detail}."


def _count(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def table_rows(nodes: Sequence[ViewNode], edges: Sequence[ViewEdge]) -> dict[str, list[str]]:
    """Columns of the table; an isolated node stands alone in `source`, `compared` appears if anything is compared."""
    names = {node.id: node.name for node in nodes}
    touched = {end for edge in edges for end in (edge.source_id, edge.sink_id)}
    alone = [node.name for node in nodes if node.id not in touched]
    blank = [""] * len(alone)
    columns = {
        "source": [names[edge.source_id] for edge in edges] + alone,
        "sign": [_SIGN_MARKS[edge.sign] for edge in edges] + blank,
        "sink": [names[edge.sink_id] for edge in edges] + blank,
        "delay": ["delay" if edge.delay else "" for edge in edges] + blank,
        "flag": [edge.flag for edge in edges] + ["isolated"] * len(alone),
    }
    if any(edge.style != "plain" for edge in edges):
        columns["compared"] = [edge.style for edge in edges] + blank
    return columns


def read_selection(value: object, nodes: Sequence[ViewNode], edges: Sequence[ViewEdge]) -> Selection | None:
    """What the browser says was chosen, if it is something that is drawn now; a browser's word may be forged."""
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


def _signature(drawing: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(drawing, sort_keys=True).encode()).hexdigest()


def _noted() -> None:
    """Streamlit keeps a component's state only if a callback is named for it."""


def _library_js() -> str:
    """vis-network 9.1.2 as pyvis ships it, kept out of the page's global names and without its source-map request."""
    source = files("pyvis").joinpath("lib", "vis-9.1.2", "vis-network.min.js").read_text(encoding="utf-8")
    source = source.replace("//# sourceMappingURL=vis-network.min.js.map", "")
    here = Path(__file__).with_name("graph_library.js").read_text(encoding="utf-8")
    return here.replace("/* vis-network */", source)


_HERE = Path(__file__).parent
# Streamlit sends a component's code again whenever its data changes, but a message that stays the same only once.
# So the half-megabyte library is a component of its own, without data, and the figure waits for it.
_library = st.components.v2.component("edgewise_graph_library", js=_library_js())
_figure = st.components.v2.component(
    "edgewise_graph_view",
    css=(_HERE / "graph_view.css").read_text(encoding="utf-8"),
    js=(_HERE / "graph_view.js").read_text(encoding="utf-8"),
)
