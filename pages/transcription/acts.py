"""What a tab holds of an open transcription, and the acts of desk and canvas handed to the services one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import streamlit as st

from components import state
from components.desk.outbox import Act, ActLedger, held_back, read_acts
from core.errors import BadInput, Conflict, EdgewiseError, UnreadableDocument
from core.graphs.record import GraphRecord
from core.papers.pages import Box
from core.people import Receipt, Viewer
from pages.transcription.canvas_acts import take_stroke
from services.transcription import proposals, transcribing
from services.transcription.proposals import OpenProposals
from services.transcription.transcribing import Transcription

PAGE = "transcription"
FAILED = state.key(PAGE, "failed")
"""Why the last act of a button failed, until it is said."""

NOTHING_OFFERED = OpenProposals((), (), "vector", "", "")


@dataclass(kw_only=True)
class TranscriptionTab:
    """What this tab remembers of one transcription: the version it shows, which acts are answered, what went wrong.

    `stale` is the copy this tab showed when a newer version was found. `box` is the figure's place on its page;
    `offered` is what the figure proposes at version `offered_at`. `sweep_n` grows when the page begins the sweep.
    `is_typed`: the last act came from the list. `shows_doubts`: they are unfolded.
    """

    seen: int
    shown: GraphRecord
    names: tuple[str, ...]
    ledger: ActLedger = field(default_factory=ActLedger)
    stale: GraphRecord | None = None
    trouble: str = ""
    notices: tuple[str, ...] = ()
    box: Box | None = None
    offered: OpenProposals = NOTHING_OFFERED
    offered_at: int = 0
    sweep_n: int = 0
    is_typed: bool = False
    shows_doubts: bool = False


class Seeing(Protocol):
    """An act that says which version of the graph it is about, and carries its own id."""

    def __call__(self, *, seen: int, act_id: str) -> Receipt: ...


def held_of(viewer: Viewer, assignment_id: str) -> TranscriptionTab:
    """What this tab holds of a transcription; read from the store when it is first opened."""
    key = state.key(PAGE, f"{assignment_id}.held")
    if key not in st.session_state:
        work = transcribing.transcription(viewer, assignment_id)
        with st.spinner("Reading the figure…"):
            offered = _offered(viewer, assignment_id)
        names = tuple(dict.fromkeys(name.text for name in offered.names))
        st.session_state[key] = TranscriptionTab(
            seen=work.version,
            shown=work.record,
            names=names,
            box=work.figure.box,
            offered=offered,
            offered_at=work.version,
        )
    kept: TranscriptionTab = st.session_state[key]
    return kept


def offer_anew(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> None:
    """Bring what is proposed up to `work`: what was answered or drawn by hand is no longer asked about.

    Where nothing was ever proposed nothing is read: most acts are on such figures, and each waits for its receipt.
    """
    if held.offered_at != work.version and (held.offered.edges or work.marks.of("proposal")):
        held.offered, held.offered_at = _offered(viewer, work.id), work.version


def _offered(viewer: Viewer, assignment_id: str) -> OpenProposals:
    try:
        return proposals.open_proposals(viewer, assignment_id)
    except UnreadableDocument as error:
        return OpenProposals((), (), "vector", str(error), "")  # typing and clicking go on without the figure's words


# --- acts from the browser --------------------------------------------------------------------------------------


def take_acts(viewer: Viewer, assignment_id: str, desk: str, canvas: str = "") -> None:
    """Apply what desk and canvas sent, in the order in which the person did it.

    An act without an answer stays in the browser and is sent again.
    """
    held: TranscriptionTab = st.session_state[state.key(PAGE, f"{assignment_id}.held")]
    with held.ledger.turn():
        held.trouble, held.notices = "", ()
        try:
            acts = [(act, False) for act in _sent(desk, held)] + [(act, True) for act in _sent(canvas, held)]
        except BadInput as error:
            held.trouble = str(error)
            return
        for act, from_canvas in sorted(acts, key=lambda sent: (sent[0].seq, sent[0].id)):
            apply, held.is_typed = (take_stroke, False) if from_canvas else (_apply, True)
            if held.stale is not None or not _answered(viewer, assignment_id, act, held, apply):
                return


def _sent(key: str, held: TranscriptionTab) -> tuple[Act, ...]:
    return read_acts((st.session_state.get(key) or {}).get("outbox"), held.ledger.done) if key else ()


def _answered(viewer: Viewer, assignment_id: str, act: Act, held: TranscriptionTab, apply: Callable[..., None]) -> bool:
    """Apply one act; False if it stays with the browser for now."""
    error = held_back(held.ledger, act, partial(apply, viewer, assignment_id, act, held))
    if isinstance(error, Conflict):
        held.stale = held.shown
    elif error is not None:
        held.trouble = str(error)
    return error is None


def _apply(viewer: Viewer, assignment_id: str, act: Act, held: TranscriptionTab) -> None:
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
        raise BadInput(f"The edge list sent an act that this version does not know: {act.kind}. Reload the page.")
    if receipt is not None:
        held.seen = max(held.seen, receipt.version)


# --- acts of buttons --------------------------------------------------------------------------------------------


def press(held: TranscriptionTab, name: str, act: Seeing) -> None:
    """An act of a button about the graph, as a callback. `name` names the button; a double click acts once."""
    with held.ledger.turn():
        held.trouble, held.notices = "", ()
        try:
            receipt = act(seen=held.seen, act_id=state.act_id(name))
        except Conflict:
            held.stale = held.shown
        except EdgewiseError as error:
            held.trouble = str(error)
        else:
            held.seen = max(held.seen, receipt.version)
            state.spend(name)


def tried(act: Callable[[], object]) -> None:
    """Callbacks run outside the boundary: an error waits for the next drawing."""
    try:
        act()
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
