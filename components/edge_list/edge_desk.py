"""The edge desk: a line to type edges into and the list of edges, worked by keyboard, mouse or touch.

It draws what the page gives it and returns the person's acts through its outbox. It never interprets an act:
the page's callback reads them with `components.desk.outbox.read_acts` and answers with a `ActLedger`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.early_answers import told_early
from components.sources import script, sheets
from core.graphs.edge import EdgeFlag
from core.sign import Sign

_desk = st.components.v2.component(
    "edgewise_edge_desk",
    css=sheets("edge_list/edge_desk.css"),
    js=script("edge_list/edge_desk.js"),
)


@dataclass(frozen=True)
class EdgeDeskNode:
    """A node of the graph on the desk."""

    id: str
    name: str


@dataclass(frozen=True, kw_only=True)
class DeskEdge:
    """An edge as the list shows it: ends by name; `warning` is a few words such as "self-loop"."""

    id: str
    source: str
    sink: str
    sign: Sign | None = None
    delay: bool = False
    flag: EdgeFlag | None = None
    note: str = ""
    warning: str = ""


@dataclass(frozen=True)
class DeskFault:
    """A line that could not be read: its number (1-based) in what was sent, and a form that could be, if any.

    `act_id` names the act it came with, so that a line once corrected or discarded does not come back.
    """

    line: int
    text: str
    message: str
    offer: str = ""
    act_id: str = ""


def edge_desk(
    key: str,
    standing: DeskState,
    *,
    nodes: Sequence[EdgeDeskNode],
    edges: Sequence[DeskEdge],
    names: Sequence[str],
    faults: Sequence[DeskFault],
    on_acts: Callable[[], None],
    list_height: int = 300,
) -> Any:
    """Place the desk and return its value; `st.session_state[key]["outbox"]` is what `read_acts` reads.

    `names` feed the completion beside the node names. `list_height` is in CSS pixels. A canvas on the same page and the
    desk hand the focus to each other.

    Acts: lines {text, pasted}; edit_edge {edge_id, field: sign|delay|flag|note|source|sink, value}, where the
    value of sign is "+", "-" or "", of delay true or false, of flag an EdgeFlag value or ""; delete_edge
    {edge_id}; rename_node {node, name}; delete_node {node}; drop_fault {text}; undo {}; redo {}.
    """
    data = {
        "nodes": [[node.id, node.name] for node in nodes],
        "edges": [_edge_data(edge) for edge in edges],
        "names": list(names),
        "faults": [_fault_data(fault) for fault in faults],
        "flags": [flag.value for flag in EdgeFlag],
        "list_height": list_height,
        **standing.as_data(),
    }
    return _desk(key=key, data=told_early(key, data), on_outbox_change=on_acts)


def _edge_data(edge: DeskEdge) -> dict[str, Any]:
    return {
        "id": edge.id,
        "source": edge.source,
        "sink": edge.sink,
        "sign": edge.sign.value if edge.sign else "",
        "delay": edge.delay,
        "flag": edge.flag.value if edge.flag else "",
        "note": edge.note,
        "warning": edge.warning,
    }


def _fault_data(fault: DeskFault) -> dict[str, Any]:
    return {
        "key": f"{fault.act_id}:{fault.line}:{fault.text}",
        "line": fault.line,
        "text": fault.text,
        "message": fault.message,
        "offer": fault.offer,
    }
