"""The page of the edge desk's tests: a desk over a kept graph, beside an empty figure.

A link's query says which subject it is, and: `sleep` seconds that every act takes, `locked`, `halted`. A text with
"refuse me" is refused.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.outbox import Act, ActLedger, read_acts
from components.edge_list.edge_desk import DeskEdge, DeskFault, EdgeDeskNode, edge_desk
from core.act_ids import ids_within
from core.errors import EdgewiseError, InvalidName
from core.graphs import edits
from core.graphs.lines.parse import parse_lines
from core.graphs.record import Change
from tests.browser.kept_graph import Edit, KeptGraph, kept_graph

SCRIPT = "from tests.browser.edge_desk_app import show\nshow()\n"
PRINTED = ["Annual precipitation", "Net price; real", "Total grain output", "County GDP"]


def show() -> None:
    query = st.query_params
    kept = kept_graph(Path(os.environ["DESK_STORE"]) / f"{query['subject']}.json")
    st.set_page_config(page_title="Desk", layout="wide")
    ledger = st.session_state.setdefault("ledger", ActLedger())
    faults = st.session_state.setdefault("faults", [])
    record = kept.record
    counts = f"{len(record.nodes)} nodes, {len(record.edges)} edges"
    figure, side = st.columns([1.35, 1])
    with figure.container(border=True, height=520):
        st.caption("figure")
    with side:
        edge_desk(
            "desk",
            DeskState(
                subject=query["subject"],
                ledger=ledger,
                version=len(kept.acts),
                receipt=f"{time.strftime('Saved %H:%M:%S')} · {counts}" if kept.acts else "",
                editable="locked" not in query,
                can_undo=bool(kept.past),
                can_redo=bool(kept.future),
                halted="halted" in query,
            ),
            nodes=[EdgeDeskNode(node.id, node.name) for node in record.nodes.values()],
            edges=edges_of(kept),
            names=PRINTED,
            faults=faults,
            on_acts=lambda: take(kept, ledger, faults, float(query.get("sleep", "0"))),
        )


def edges_of(kept: KeptGraph) -> list[DeskEdge]:
    names = {node.id: node.name for node in kept.record.nodes.values()}
    return [
        DeskEdge(
            id=edge.id,
            source=names[edge.source_id],
            sink=names[edge.sink_id],
            sign=edge.sign,
            delay=edge.delay,
            flag=edge.flag,
            note=edge.note,
            warning="self-loop" if edge.source_id == edge.sink_id else "",
        )
        for edge in kept.record.ordered_edges()
    ]


def take(kept: KeptGraph, ledger: ActLedger, faults: list[DeskFault], sleep: float) -> None:
    with ledger.turn(), kept.lock:  # two tabs, two sessions, one graph
        for act in read_acts(st.session_state["desk"]["outbox"], ledger.done):
            try:
                kept.do(act, lambda act=act: _made(kept, act, faults))
            except EdgewiseError as error:
                ledger.refuse(act.id, str(error))
                continue
            time.sleep(sleep)
            ledger.ack(act.id)


def _made(kept: KeptGraph, act: Act, faults: list[DeskFault]) -> Edit:
    if "refuse me" in str(act.data):
        raise InvalidName("This study takes no such name.")
    if act.kind == "lines":
        parsed = parse_lines(act.data["text"])
        faults += [DeskFault(one.line, one.text, one.message, one.offer, act.id) for one in parsed.faults]
        lines = [(edge.source, edge.sink, edge.sign) for edge in parsed.edges]
        declared = [node.name for node in parsed.nodes]
        return edits.add_edges(kept.record, lines, declared, new_id=ids_within(act.id, 1))[0], ()
    return _DOES[act.kind](kept, act), ()


def _edited(kept: KeptGraph, act: Act) -> tuple[Change, ...]:
    on = act.data
    return edits.edit_edge(kept.record, on["edge_id"], on["field"], on["value"], new_id=ids_within(act.id))


_DOES: Mapping[str, Callable[[KeptGraph, Act], tuple[Change, ...]]] = {
    "edit_edge": _edited,
    "delete_edge": lambda kept, act: edits.remove_edge(kept.record, act.data["edge_id"]),
    "rename_node": lambda kept, act: edits.rename_node(kept.record, kept.node(act.data["node"]).id, act.data["name"]),
    "delete_node": lambda kept, act: edits.remove_node(kept.record, kept.node(act.data["node"]).id),
    "drop_fault": lambda _kept, _act: (),
}
