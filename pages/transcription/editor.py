"""One transcription: the desk, and what there is to decide about the whole."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.desk.tab import desk_key
from components.transcription.desk import transcription_desk
from components.widgets.edge_tables import both_versions
from core.people import Viewer
from exchange.forms import GraphForm
from pages.transcription import active_time, desk, late_voice
from pages.transcription.acts import (
    PAGE,
    TranscriptionTab,
    apply,
    held_of,
    look_again,
    read_box_again,
    takes_reading,
    tried,
)
from pages.transcription.doubts import graph_doubts, name_doubts, questions
from pages.transcription.submitting import top
from services.acting import consulting_once
from services.graphs import exporting
from services.transcription import guidelines, transcribing
from services.transcription.reading import Transcription

SHARES = [13, 7]
"""The figure's width to the list's, below them as on the desk."""
LOOKS_EVERY_S = 1.0
MOST_DOUBTS = 8
MOST_PAIRS = 3
"""Pairs of like names asked about at once; a figure whose names are numbered has hundreds, one after the other."""
FORMS: tuple[GraphForm, ...] = tuple(GraphForm)


def show(viewer: Viewer, assignment_id: str) -> None:
    """The whole screen is one fragment: an act redraws it and nothing else of the app."""
    _screen(viewer, assignment_id)


@st.fragment
@consulting_once()
def _screen(viewer: Viewer, assignment_id: str) -> None:
    with shell.boundary(reload=partial(state.forget, PAGE)):
        held = held_of(viewer, assignment_id)
        takes_reading(viewer, assignment_id, held)
        held.follow_view(key := desk_key(PAGE, assignment_id))
        held.serve(viewer, partial(apply, assignment_id, held), partial(desk.data, assignment_id, held))
        data = held.mounted(viewer)
        work = held.work
        if work.is_mine and work.state == "submitted" and not work.is_training and late_voice.show(viewer, work):
            return
        with st.container():  # of its own, so that the desk keeps its place and focus whatever comes above it
            top(viewer, work, held)
            if held.is_stale:
                _conflict(work, held)
            about_proposals = " ".join(filter(None, (held.offered.withheld, held.offered.notice)))
            if work.may_edit and about_proposals:
                st.caption(shell.escaped(about_proposals))
        transcription_desk(key, data, on_reread=partial(read_box_again, viewer, assignment_id))
        if held.follow_view(key):
            st.rerun()
        left, right = st.columns(SHARES, gap="medium")
        with left:
            if held.shows_graph:
                _about_graph(viewer, work)
            if work.figure.caption:
                st.caption(shell.escaped(work.figure.caption))
        with right:
            _beside_desk(viewer, work, held)
        if not held.offered.is_read:
            _await_reading(viewer, assignment_id, held)
        if work.may_edit:
            active_time.watch(viewer, assignment_id)
            if look_again(viewer, work, held):
                st.rerun()


@st.fragment(run_every=LOOKS_EVERY_S)
def _await_reading(viewer: Viewer, assignment_id: str, held: TranscriptionTab) -> None:
    """Look whether the figure is read, without drawing the rest; only then is all drawn."""
    with shell.boundary():
        if takes_reading(viewer, assignment_id, held):
            st.rerun()


def _about_graph(viewer: Viewer, work: Transcription) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if work.may_edit:
            name, act = state.key(PAGE, "rearrange"), partial(transcribing.rearrange, viewer, work.id)
            st.button("Rearrange", key=name, type="tertiary", on_click=tried, args=(act,))
        links.page_link("Open in the Graph lab", "graphs", {"graph": work.graph_id})


# --- beside the desk --------------------------------------------------------------------------------------------


def _beside_desk(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> None:
    for sentence in (held.trouble, *held.notices):
        if sentence:
            st.caption(shell.escaped(sentence))
    _doubts(viewer, work, held)
    _guidelines(viewer, work)
    _take_away(viewer, work)


def _conflict(work: Transcription, held: TranscriptionTab) -> None:
    with st.container(border=True, key=state.key(PAGE, "conflict")):
        st.markdown(
            "**Another tab changed this transcription. Nothing was overwritten. Your last change is kept in this tab.**"
        )
        both_versions(
            ("Your copy", held.seen, held.shown.graph()), ("Newer version", work.version, work.record.graph())
        )
        st.button("Use newer version", type="primary", key=state.key(PAGE, "newer"), on_click=held.go_on)


def _doubts(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> None:
    """Names first and open: a merger or a "distinct" is decided best while both names are fresh in mind."""
    names, others = name_doubts(work), graph_doubts(work)
    if names:
        with st.container(border=True, gap="small", key=state.key(PAGE, "names")):
            st.caption("One variable or two")
            questions(viewer, work, held, names, "desk", most=MOST_PAIRS)
    if others:
        # Drawn when they are looked at: each costs every act some drawing. The dialog before submitting has more.
        label, name = f"Doubts ({len(others)})", state.key(PAGE, "doubts")
        with st.expander(label, expanded=held.shows_doubts, key=name, on_change="rerun") as opened:
            held.shows_doubts = bool(opened.open)  # under another label Streamlit takes it for another expander
            if held.shows_doubts:
                questions(viewer, work, held, others, "desk", most=MOST_DOUBTS)


def _guidelines(viewer: Viewer, work: Transcription) -> None:
    if not work.guidelines:
        return
    # Read when they are looked at, not at every act: an expander runs its body open or not.
    with st.expander(
        f"Guidelines (version {work.guidelines})", key=state.key(PAGE, "guidelines"), on_change="rerun"
    ) as opened:
        if opened.open:
            st.markdown(shell.outline(guidelines.guidelines(viewer).text))


def _take_away(viewer: Viewer, work: Transcription) -> None:
    with st.expander("Download edges", key=state.key(PAGE, "export"), on_change="rerun") as opened:
        if not opened.open:
            return
        form = st.selectbox(
            "Format", FORMS, format_func=exporting.words_of, key=state.key(PAGE, "export.form"), width=280
        )
        offer = exporting.offer(work.figure.paper_title, work.figure.label, work.record.graph(), form)
        st.download_button(
            f"Download as {offer.words}",
            partial(_content, viewer, work.id, form),  # written only when it is wanted, not at every act
            offer.name,
            offer.media_type,
            key=state.key(PAGE, f"export.{form.value}"),
            on_click="ignore",
            disabled=bool(offer.obstacle),
        )
        if offer.obstacle or offer.lost:
            shell.plain(offer.obstacle or f"This format leaves out {', '.join(offer.lost)}.")


def _content(viewer: Viewer, assignment_id: str, form: GraphForm) -> bytes:
    return exporting.export_transcription(viewer, assignment_id, form).content
