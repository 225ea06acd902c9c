"""What a tab holds of an open transcription, and the acts of desk and canvas handed to the services one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import streamlit as st

from components import state
from components.desk.outbox import Act
from components.desk.tab import DeskTab, Seeing, tab_key, tab_of
from core.errors import BadInput, EdgewiseError, UnreadableDocument
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
class TranscriptionTab(DeskTab[GraphRecord]):
    """What this tab remembers of one transcription.

    `names` are offered while one is typed. `box` is the figure's place on its page; `offered` is what the figure
    proposes at version `offered_at`. `notices` say what became of typed lines; `sweep_n` grows when the page begins
    the sweep. `answers`: whose acts the run that is about to be drawn answers. `shows_doubts`: they are unfolded.
    """

    names: tuple[str, ...]
    notices: tuple[str, ...] = ()
    box: Box | None = None
    offered: OpenProposals = NOTHING_OFFERED
    offered_at: int = 0
    sweep_n: int = 0
    answers: Literal["", "canvas", "list"] = ""
    shows_doubts: bool = False


def held_of(viewer: Viewer, assignment_id: str) -> TranscriptionTab:
    """What this tab holds of a transcription; read from the store when it is first opened."""
    return tab_of(PAGE, assignment_id, partial(_opened, viewer, assignment_id))


def _opened(viewer: Viewer, assignment_id: str) -> TranscriptionTab:
    work = transcribing.transcription(viewer, assignment_id)
    with st.spinner("Reading the figure…"):
        offered = _offered(viewer, assignment_id)
    return TranscriptionTab(
        seen=work.version,
        shown=work.record,
        names=tuple(dict.fromkeys(name.text for name in offered.names)),
        box=work.figure.box,
        offered=offered,
        offered_at=work.version,
    )


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
    held: TranscriptionTab = st.session_state[tab_key(PAGE, assignment_id)]
    with held.ledger.turn():
        held.notices = ()
        hands = {desk: _apply} | ({canvas: take_stroke} if canvas else {})
        readers = {key: partial(_in_hand, hand, viewer, assignment_id, held) for key, hand in hands.items()}
        held.apply_acts(readers, _do)


def _in_hand(
    hand: Callable[..., Receipt | None], viewer: Viewer, assignment_id: str, held: TranscriptionTab, act: Act
) -> Callable[..., Receipt | None]:
    held.answers = "list" if hand is _apply else "canvas"
    return partial(hand, viewer, assignment_id, act, held)


def _do(hand: Callable[..., Receipt | None], /, *, seen: int, act_id: str) -> Receipt | None:
    return hand(seen=seen, act_id=act_id)


def _apply(viewer: Viewer, assignment_id: str, act: Act, held: TranscriptionTab, **to: Any) -> Receipt | None:
    data = act.data
    edge_id = str(data.get("edge_id", ""))
    node = str(data.get("node", data.get("node_id", "")))  # an act kept from the version before names it by its id
    if act.kind == "lines":
        text, pasted = str(data.get("text", "")), bool(data.get("pasted"))
        outcome = transcribing.add_lines(viewer, assignment_id, text, pasted=pasted, **to)
        held.notices = (*held.notices, *outcome.notices)
        return outcome.receipt
    if act.kind == "edit_edge":
        field_name = str(data.get("field", ""))
        return transcribing.edit_edge(viewer, assignment_id, edge_id, field_name, data.get("value"), **to)
    if act.kind == "delete_edge":
        return transcribing.remove_edge(viewer, assignment_id, edge_id, **to)
    if act.kind == "rename_node":
        return transcribing.rename_node(viewer, assignment_id, node, str(data.get("name", "")), **to)
    if act.kind == "delete_node":
        return transcribing.remove_node(viewer, assignment_id, node, **to)
    if act.kind == "undo":
        return transcribing.undo(viewer, assignment_id, **to)
    if act.kind == "redo":
        return transcribing.redo(viewer, assignment_id, **to)
    if act.kind == "drop_fault":
        transcribing.drop_fault(viewer, assignment_id, str(data.get("text", "")))
        return None
    raise BadInput(f"The edge list sent an act that this version does not know: {act.kind}. Reload the page.")


# --- acts of buttons --------------------------------------------------------------------------------------------


def press(held: TranscriptionTab, name: str, act: Seeing) -> None:
    """An act of a button about the graph, as a callback. `name` names the button; a double click acts once."""
    held.notices = ()
    held.press(name, act)


def tried(act: Callable[[], object]) -> None:
    """Callbacks run outside the boundary: an error waits for the next drawing."""
    try:
        act()
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
