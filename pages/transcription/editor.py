"""One transcription: the desk, doubts, guidelines and downloads."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.desk.tab import desk_key
from components.transcription.desk import transcription_desk
from components.widgets.downloads import content_on_click
from components.widgets.edge_tables import both_versions
from components.widgets.guidelines_text import draw_guidelines
from core.people import Permission, Viewer
from exchange.forms import GraphForm
from pages.transcription import active_time, comments, desk, post_submission
from pages.transcription.acts import (
    PAGE,
    TranscriptionTab,
    apply,
    check_reading,
    held_of,
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

# Widths of figure and list, below them as on the desk.
SHARES = [13, 7]
READING_POLL_S = 1.0
MOST_DOUBTS = 8
# Pairs of similar names asked about at once; figures with numbered names have hundreds.
MOST_PAIRS = 3
FORMS: tuple[GraphForm, ...] = tuple(GraphForm)


@st.fragment
@consulting_once()
def show(viewer: Viewer, assignment_id: str) -> None:
    """Draw the screen as one fragment, so that an act redraws nothing else."""
    with shell.boundary(reload=partial(state.forget, PAGE)):
        tab = held_of(viewer, assignment_id)
        takes_reading(viewer, assignment_id, tab)
        tab.follow_view(key := desk_key(PAGE, assignment_id))
        tab.serve(viewer, partial(apply, assignment_id, tab), partial(desk.data, assignment_id, tab))
        data = tab.mounted(viewer)
        work = tab.work
        if work.is_mine and work.state == "submitted" and not work.is_training and post_submission.show(viewer, work):
            return
        with st.container():  # keeps the desk's position and focus if rows above change
            top(viewer, work, tab)
            if tab.is_stale:
                with st.container(border=True, key=state.key(PAGE, "conflict")):
                    st.markdown(
                        "**Another tab changed this transcription. Nothing was overwritten. Your last change is kept "
                        "in this tab.**"
                    )
                    both_versions(
                        ("Your copy", tab.seen, tab.shown.graph()), ("Newer version", work.version, work.record.graph())
                    )
                    st.button("Use newer version", type="primary", key=state.key(PAGE, "newer"), on_click=tab.use_newer)
            about_proposals = " ".join(filter(None, (tab.offered.withheld, tab.offered.notice)))
            if work.may_edit and about_proposals:
                st.caption(shell.escaped(about_proposals))
        transcription_desk(key, data, on_reread=partial(read_box_again, viewer, assignment_id))
        if tab.follow_view(key):
            st.rerun()
        left, right = st.columns(SHARES, gap="medium")
        with left:
            if tab.shows_graph:
                with st.container(horizontal=True, vertical_alignment="center"):
                    if work.may_edit:
                        name, act = state.key(PAGE, "rearrange"), partial(transcribing.rearrange, viewer, work.id)
                        st.button("Rearrange", key=name, type="tertiary", on_click=tried, args=(act,))
                    links.page_link("Open in the Graph lab", "graphs", {"graph": work.graph_id})
            if work.figure.caption:
                st.caption(shell.escaped(work.figure.caption))
            if work.may_edit and viewer.may(Permission.CURATE) and not work.is_training:
                figure, number = work.figure, str(work.figure.page)
                place = {"paper": figure.paper_id, "tab": "locate", "page": number, "figure": figure.id}
                links.page_link("Correct outline", "papers", place)
        with right:
            _below_desk(viewer, work, tab)
        if not tab.offered.is_settled:
            _await_reading(viewer, assignment_id, tab)
        if work.may_edit:
            active_time.watch(viewer, assignment_id)
            if check_reading(viewer, work, tab):
                st.rerun()


@st.fragment(run_every=READING_POLL_S)
def _await_reading(viewer: Viewer, assignment_id: str, tab: TranscriptionTab) -> None:
    """Rerun the screen once the figure is read."""
    with shell.boundary():
        if takes_reading(viewer, assignment_id, tab):
            st.rerun()


# --- below the desk ---------------------------------------------------------------------------------------------


def _below_desk(viewer: Viewer, work: Transcription, tab: TranscriptionTab) -> None:
    for sentence in (tab.trouble, *tab.notices):
        if sentence:
            st.caption(shell.escaped(sentence))
    names, others = name_doubts(work), graph_doubts(work)
    if names:
        with st.container(border=True, gap="small", key=state.key(PAGE, "names")):
            st.caption("One variable or two")
            questions(viewer, work, tab, names, "desk", most=MOST_PAIRS)
    if others:
        # Drawn on opening, because each doubt slows every act. The submit dialog lists more.
        label, name = f"Doubts ({len(others)})", state.key(PAGE, "doubts")
        with st.expander(label, expanded=tab.shows_doubts, key=name, on_change="rerun") as opened:
            tab.shows_doubts = bool(opened.open)  # Streamlit treats it as another expander when the label changes
            if tab.shows_doubts:
                questions(viewer, work, tab, others, "desk", most=MOST_DOUBTS)
    if work.guidelines:
        # Read on opening, not at every act: an expander runs its body even if closed.
        title = f"Guidelines (version {work.guidelines})"
        with st.expander(title, key=state.key(PAGE, "guidelines"), on_change="rerun") as expander:
            if expander.open:
                draw_guidelines(guidelines.guidelines(viewer).text, partial(guidelines.picture, viewer))
    if not work.is_training:
        comments.show(viewer, work)
    _download(viewer, work)


def _download(viewer: Viewer, work: Transcription) -> None:
    with st.expander("Download edges", key=state.key(PAGE, "export"), on_change="rerun") as opened:
        if not opened.open:
            return
        form = st.selectbox(
            "Format", FORMS, format_func=exporting.words_of, key=state.key(PAGE, "export.form"), width=280
        )
        offer = exporting.offer(work.figure.paper_title, work.figure.label, work.record.graph(), form)
        st.download_button(
            f"Download as {offer.words}",
            content_on_click(exporting.export_transcription, viewer, work.id, form),
            offer.name,
            offer.media_type,
            key=state.key(PAGE, f"export.{form.value}"),
            on_click="ignore",
            disabled=bool(offer.obstacle),
        )
        if offer.obstacle or offer.lost:
            shell.plain(offer.obstacle or f"This format leaves out {', '.join(offer.lost)}.")
