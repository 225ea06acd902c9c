"""What a tab holds of an open transcription, and the acts of its desk handed to the services one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from components import state
from components.outbox import Act, Ledger, read_acts
from core.errors import BadInput, Conflict, EdgewiseError, SignedOut, StoreTrouble, UnreadableDocument
from core.graphs.record import GraphRecord
from core.people import Viewer
from services import transcribing

PAGE = "transcription"
FAILED = state.key(PAGE, "failed")
"""Why the last act of a button failed, until it is said."""


@dataclass
class Held:
    """What this tab remembers of one transcription: the version it shows, which acts are answered, what went wrong.

    `stale` is the copy this tab showed when a newer version was found.
    """

    seen: int
    shown: GraphRecord
    names: tuple[str, ...]
    ledger: Ledger = field(default_factory=Ledger)
    stale: GraphRecord | None = None
    trouble: str = ""
    notices: tuple[str, ...] = ()


def held_of(viewer: Viewer, assignment_id: str) -> Held:
    """What this tab holds of a transcription; read from the store when it is first opened."""
    key = state.key(PAGE, f"{assignment_id}.held")
    if key not in st.session_state:
        work = transcribing.transcription(viewer, assignment_id)
        try:
            names = transcribing.printed_names(viewer, assignment_id)
        except UnreadableDocument:
            names = ()  # the figure's own view says what is wrong; typing goes on without its words
        st.session_state[key] = Held(work.version, work.record, names)
    kept: Held = st.session_state[key]
    return kept


def take_acts(viewer: Viewer, assignment_id: str, key: str) -> None:
    """Apply what the desk sent, in order. An act without an answer stays in the browser and is sent again."""
    held: Held = st.session_state[state.key(PAGE, f"{assignment_id}.held")]
    with held.ledger.turn():
        held.trouble, held.notices = "", ()
        try:
            acts = read_acts((st.session_state.get(key) or {}).get("outbox"), held.ledger.done)
        except BadInput as error:
            held.trouble = str(error)
            return
        for act in acts:
            if held.stale is not None or not _answered(viewer, assignment_id, act, held):
                return


def _answered(viewer: Viewer, assignment_id: str, act: Act, held: Held) -> bool:
    """Apply one act; False if it stays with the browser for now."""
    try:
        _apply(viewer, assignment_id, act, held)
    except Conflict:
        held.stale = held.shown
        return False
    except (SignedOut, StoreTrouble) as error:
        held.trouble = str(error)
        return False
    except EdgewiseError as error:
        held.ledger.refuse(act.id, str(error))
    else:
        held.ledger.ack(act.id)
    return True


def _apply(viewer: Viewer, assignment_id: str, act: Act, held: Held) -> None:
    data = act.data
    to: dict[str, Any] = {"seen": held.seen, "act_id": act.id}
    edge_id, node_id = str(data.get("edge_id", "")), str(data.get("node_id", ""))
    if act.kind == "lines":
        text, pasted = str(data.get("text", "")), bool(data.get("pasted"))
        outcome = transcribing.add_lines(viewer, assignment_id, text, pasted=pasted, **to)
        held.notices = (*held.notices, *outcome.notices)
        receipt = outcome.receipt
    elif act.kind == "edit_edge":
        field_name = str(data.get("field", ""))
        receipt = transcribing.edit_edge(viewer, assignment_id, edge_id, field_name, data.get("value"), **to)
    elif act.kind == "delete_edge":
        receipt = transcribing.remove_edge(viewer, assignment_id, edge_id, **to)
    elif act.kind == "rename_node":
        receipt = transcribing.rename_node(viewer, assignment_id, node_id, str(data.get("name", "")), **to)
    elif act.kind == "delete_node":
        receipt = transcribing.remove_node(viewer, assignment_id, node_id, **to)
    elif act.kind == "undo":
        receipt = transcribing.undo(viewer, assignment_id, **to)
    elif act.kind == "redo":
        receipt = transcribing.redo(viewer, assignment_id, **to)
    elif act.kind == "drop_fault":
        transcribing.drop_fault(viewer, assignment_id, str(data.get("text", "")))
        receipt = None
    else:
        raise BadInput(f"The desk sent an act this version does not know: {act.kind}.")
    if receipt is not None:
        held.seen = max(held.seen, receipt.version)


def tried(act: Callable[[], object]) -> None:
    """Callbacks run outside the boundary: an error waits for the next drawing."""
    try:
        act()
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
