"""Import / export: take the study's transcriptions away, exactly or safe for spreadsheets."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from core.people import May, Viewer
from services import exporting
from services.exporting import GraphForm

PAGE = "exchange"
FORMS = {
    GraphForm.CSV: ("CSV", "One row an edge, exactly as transcribed; for programs."),
    GraphForm.SAFE_CSV: ("CSV for spreadsheets", "No cell can run as a formula; signs are the words plus and minus."),
    GraphForm.JSON: ("JSON", "Nodes and edges of every graph, isolated nodes too."),
}


def show(viewer: Viewer) -> None:
    shell.top_row("Import / export")
    counts = exporting.count_export(viewer)
    st.subheader("Export the study", anchor=False)
    st.text(
        f"{_counted(counts.graphs, 'submitted transcription')}, {_counted(counts.edges, 'edge')}. "
        "Annotators appear as A1, A2 …, never by name."
    )
    with_drafts = False
    if viewer.may(May.MANAGE) and counts.drafts:
        drafts = f"Include {_counted(counts.drafts, 'draft')}, {_counted(counts.draft_edges, 'edge')}"
        with_drafts = st.toggle(drafts, key=state.key(PAGE, "drafts"))
    if not counts.graphs and not (with_drafts and counts.drafts):
        st.caption("There is nothing to export yet: a transcription appears here once it is submitted.")
        return
    for form, (words, why) in FORMS.items():
        with st.container(horizontal=True, vertical_alignment="center", border=True, key=state.key(PAGE, form.value)):
            st.text(why, width="stretch")
            st.download_button(
                words,
                partial(_content, viewer, form, with_drafts),
                exporting.study_filename(form),
                exporting.MEDIA[form],
                key=state.key(PAGE, f"{form.value}.get"),
                on_click="ignore",
            )
    st.caption("One transcription in the standard format: open it under Transcribe, then “Take the edges away”.")


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _content(viewer: Viewer, form: GraphForm, with_drafts: bool) -> bytes:
    return exporting.export_study(viewer, form, with_drafts=with_drafts).content
