"""What a tab holds of an open transcription, and the acts of its desk handed to the services one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import streamlit as st

from components import state
from components.desk.outbox import Act
from components.desk.tab import DeskTab, Seeing, desk_key, tab_key, tab_of
from components.transcription.acts import read_transcription_act
from components.transcription.desk import Rereading, read_reread
from core.errors import BadInput, EdgewiseError, UnreadableDocument
from core.graphs.record import GraphRecord
from core.people import Receipt, Viewer
from pages.transcription.applying import applied
from services.transcription import proposals
from services.transcription import reading as transcription_reading
from services.transcription.proposals import OpenProposals
from services.transcription.reading import Transcription
from services.transcription.rereading import read_again

PAGE = "transcription"
FAILED = state.key(PAGE, "failed")
"""Why the last act of a button failed, until it is said."""

OPENS_WITHIN = 1.0
"""Seconds that opening waits for a figure's proposals: lines are read sooner, pictures are not."""

NOTHING_OFFERED = OpenProposals(names=(), edges=(), origin="vector", notice="", withheld="")


@dataclass(kw_only=True)
class TranscriptionTab(DeskTab[GraphRecord]):
    """What this tab remembers of one transcription.

    `work` is what was last read of it; of a stale tab, `shown` is what it showed before. `names` are offered while one
    is typed. `offered` is what the figure said when it was last looked at, at version `looked_at`; which arrows wait at
    the version that is drawn, its `Transcription.proposed` says. `notices` say what became of typed lines; `sweep_n`
    grows when the page begins the sweep, at `sweep_at`: the first open name (""), or the first printed arrow without an
    edge ("arrows"). `shows_doubts`: they are unfolded. `reading`: what was read in the box last asked about.
    """

    work: Transcription
    names: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    offered: OpenProposals = NOTHING_OFFERED
    looked_at: int = 0
    sweep_n: int = 0
    sweep_at: Literal["", "arrows"] = ""
    shows_doubts: bool = False
    reading: Rereading | None = None


def held_of(viewer: Viewer, assignment_id: str) -> TranscriptionTab:
    """What this tab holds of a transcription; read from the store when it is first opened."""
    return tab_of(PAGE, assignment_id, partial(_opened, viewer, assignment_id))


def _opened(viewer: Viewer, assignment_id: str) -> TranscriptionTab:
    work = transcription_reading.transcription(viewer, assignment_id)
    held = TranscriptionTab(seen=work.version, shown=work.record, work=work)
    with st.spinner("Reading the figure…"):
        _offer(held, _offered(viewer, assignment_id, wait_s=OPENS_WITHIN), work.version)
    return held


def _offer(held: TranscriptionTab, offered: OpenProposals, version: int) -> None:
    held.offered, held.looked_at = offered, version
    held.names = tuple(dict.fromkeys(name.text for name in offered.names))


def takes_reading(viewer: Viewer, assignment_id: str, held: TranscriptionTab) -> bool:
    """Take in what was read since the figure was opened; whether there was something to take."""
    if held.offered.is_read:
        return False
    offered = _offered(viewer, assignment_id, wait_s=0)
    if offered.is_read:
        _offer(held, offered, held.seen)
    return offered.is_read


def look_again(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> bool:
    """Look, once after each act, whether the figure still says what it said when `work` was read: a model may have read
    it meanwhile, its paper may have another file. What is new is taken in; whether there was any.

    For the end of a drawing, so that the receipt of an act does not wait for it. Where nothing was ever proposed
    nothing is read: most acts are on such figures.
    """
    if held.looked_at == work.version or not held.offered.is_read or not (work.proposed or work.marks.of("proposal")):
        return False
    before = held.offered.reading
    _offer(held, _offered(viewer, work.id), work.version)
    return held.offered.reading != before


def _offered(viewer: Viewer, assignment_id: str, *, wait_s: float | None = None) -> OpenProposals:
    try:
        return proposals.open_proposals(viewer, assignment_id, wait_s=wait_s, with_edges=False)
    except UnreadableDocument as error:
        return OpenProposals(
            names=(), edges=(), origin="vector", notice=str(error), withheld=""
        )  # typing and clicking go on without the figure's words


# --- acts from the browser --------------------------------------------------------------------------------------


def apply(assignment_id: str, held: TranscriptionTab, viewer: Viewer, act: Act, /, **to: Any) -> Receipt | None:
    """Hand an act of the desk to its service."""
    receipt, held.notices = applied(viewer, assignment_id, read_transcription_act(act, held.work.figure.box), **to)
    return receipt


def read_box_again(viewer: Viewer, assignment_id: str) -> None:
    """Read the box that the desk asked about; the next drawing gives it what was read, or why nothing was."""
    held: TranscriptionTab = st.session_state[tab_key(PAGE, assignment_id)]
    try:
        request = read_reread(st.session_state[desk_key(PAGE, assignment_id)].get("reread"))
    except BadInput as error:
        st.session_state[FAILED] = str(error)
        return
    if request is None or (held.reading is not None and request[1] <= held.reading.n):
        return
    box, n = request
    try:
        held.reading = Rereading(n, read_again(viewer, assignment_id, box))
    except EdgewiseError as error:
        held.reading = Rereading(n, "", str(error))


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
