"""State of an open transcription in a tab, and dispatch of desk acts to the services."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import streamlit as st

from components import state
from components.desk.posting.acts import Act
from components.desk.tab import DeskTab, Seeing, desk_key, tab_key, tab_of
from components.transcription.acts import read_transcription_act
from components.transcription.desk import Rereading, read_reread
from core.errors import BadInput, EdgewiseError, UnreadableDocument
from core.graphs.record import GraphRecord
from core.papers.pages import Box
from core.people import Receipt, Viewer
from pages.transcription.applying import applied
from services.transcription import proposals
from services.transcription import reading as transcription_reading
from services.transcription.proposals import OpenProposals
from services.transcription.reading import Transcription
from services.transcription.rereading import read_again

PAGE = "transcription"
# Why a button's act failed, until it is shown.
FAILED = state.key(PAGE, "failed")

# Seconds that opening waits for proposals: enough for vector figures, not for pictures.
OPENS_WITHIN = 1.0

NOTHING_OFFERED = OpenProposals(names=(), edges=(), origin="vector", notice="", withheld="")


@dataclass(kw_only=True)
class TranscriptionTab(DeskTab[GraphRecord]):
    """State of one transcription in this tab; in a stale tab, `shown` is the graph shown before."""

    work: Transcription
    names: tuple[str, ...] = ()  # suggested while a name is typed
    notices: tuple[str, ...] = ()  # about typed lines
    offered: OpenProposals = NOTHING_OFFERED  # as read at version `looked_at`
    looked_at: int = 0
    box: Box | None = None  # of the figure, then
    sweep_n: int = 0  # grows when the page starts the sweep
    sweep_at: Literal["", "arrows"] = ""  # the first open name, or the first printed arrow without an edge
    shows_doubts: bool = False
    reading: Rereading | None = None  # of the box that the desk asked about last


def held_of(viewer: Viewer, assignment_id: str) -> TranscriptionTab:
    """Return this tab's state of a transcription; read from the store when first opened."""
    return tab_of(PAGE, assignment_id, partial(_open_tab, viewer, assignment_id))


def _open_tab(viewer: Viewer, assignment_id: str) -> TranscriptionTab:
    work = transcription_reading.transcription(viewer, assignment_id)
    tab = TranscriptionTab(seen=work.version, shown=work.record, work=work)
    with st.spinner("Reading the figure…"):
        _offer(tab, _offered(viewer, assignment_id, wait_s=OPENS_WITHIN), work.version)
    return tab


def _offer(tab: TranscriptionTab, offered: OpenProposals, version: int) -> None:
    tab.offered, tab.looked_at = offered, version
    tab.names = tuple(dict.fromkeys(name.text for name in offered.names))


def takes_reading(viewer: Viewer, assignment_id: str, tab: TranscriptionTab) -> bool:
    """Add proposals read since the figure was opened; return True if there are others than before."""
    if tab.offered.is_settled:
        return False
    offered = _offered(viewer, assignment_id, wait_s=0)
    is_new = offered.is_read and offered != tab.offered
    if is_new:
        _offer(tab, offered, tab.seen)
    return is_new


def check_reading(viewer: Viewer, work: Transcription, tab: TranscriptionTab) -> bool:
    """Update the proposals once after each act, and after the figure's outline was corrected; return True if the
    figure's reading changed.

    Call it at the end of a rerun, so that the act's receipt does not wait. Figures without any proposal are
    skipped: they are the majority.
    """
    is_relocated, tab.box = tab.box not in (None, work.figure.box), work.figure.box
    is_checked = tab.looked_at == work.version or not (work.proposed or work.marks.of("proposal"))
    if not tab.offered.is_read or (is_checked and not is_relocated):
        return False
    before = tab.offered
    _offer(tab, _offered(viewer, work.id, wait_s=OPENS_WITHIN if is_relocated else None), work.version)
    return tab.offered.reading != before.reading or not tab.offered.is_read


def _offered(viewer: Viewer, assignment_id: str, *, wait_s: float | None = None) -> OpenProposals:
    try:
        return proposals.open_proposals(viewer, assignment_id, wait_s=wait_s, with_edges=False)
    except UnreadableDocument as error:
        # Typing and clicking work without the figure's names.
        return OpenProposals(names=(), edges=(), origin="vector", notice=str(error), withheld="")


# --- acts from the browser --------------------------------------------------------------------------------------


def apply(assignment_id: str, tab: TranscriptionTab, viewer: Viewer, act: Act, /, **to: Any) -> Receipt | None:
    receipt, tab.notices = applied(viewer, assignment_id, read_transcription_act(act, tab.work.figure.box), **to)
    return receipt


def read_box_again(viewer: Viewer, assignment_id: str) -> None:
    """Read the box that the desk asked about; the desk gets the result at the next rerun."""
    tab: TranscriptionTab = st.session_state[tab_key(PAGE, assignment_id)]
    try:
        request = read_reread(st.session_state[desk_key(PAGE, assignment_id)].get("reread"))
    except BadInput as error:
        st.session_state[FAILED] = str(error)
        return
    if request is None or (tab.reading is not None and request[1] <= tab.reading.n):
        return
    box, n = request
    try:
        tab.reading = Rereading(n, read_again(viewer, assignment_id, box))
    except EdgewiseError as error:
        tab.reading = Rereading(n, "", str(error))


# --- acts of buttons --------------------------------------------------------------------------------------------


def press(tab: TranscriptionTab, name: str, act: Seeing) -> None:
    """Perform a button's act on the graph; a callback. `name` identifies the button; a double click acts once."""
    tab.notices = ()
    tab.press(name, act)


def tried(act: Callable[[], object]) -> None:
    """Run a callback outside the boundary; an error is shown by the next rerun."""
    try:
        act()
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
