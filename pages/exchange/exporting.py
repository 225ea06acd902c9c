"""Export of the study: all submitted transcriptions in one file, or a ZIP with one file each."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.downloads import content_on_click
from core.people import Permission, Viewer
from core.words import counted
from exchange.forms import GraphForm
from pages.exchange.public_tables import public_exports
from pages.exchange.sources import PAGE
from pages.exchange.triplet_exporting import triplet_exports
from services.graphs import exporting

FORMS = {
    GraphForm.CSV: "One row per edge, exactly as transcribed; for programs.",
    GraphForm.SAFE_CSV: "No cell can run as a formula; signs are written as plus and minus.",
    GraphForm.TSV: "The same rows, separated by tabs.",
    GraphForm.JSON: "Nodes and edges of every graph, with isolated nodes.",
}
ZIPPED: tuple[GraphForm, ...] = tuple(form for form in GraphForm if form is not GraphForm.SAFE_CSV)
ZIP = state.key(PAGE, "zip")


def show_exporting(viewer: Viewer) -> None:
    counts = exporting.count_export(viewer)
    st.text(
        f"{counted(counts.graphs, 'submitted transcription')}, {counted(counts.edges, 'edge')}. "
        "Annotators appear as A1, A2 …, never by name."
    )
    with_drafts = False
    if viewer.may(Permission.MANAGE) and counts.drafts:
        drafts = f"Include {counted(counts.drafts, 'draft')}, {counted(counts.draft_edges, 'edge')}"
        with_drafts = st.toggle(drafts, key=state.key(PAGE, "drafts"))
    if not counts.graphs and not (with_drafts and counts.drafts):
        st.caption("Nothing to export yet. Transcriptions appear here once they are submitted.")
        triplet_exports(viewer)
        public_exports(viewer)
        return
    for form, why in FORMS.items():
        with st.container(horizontal=True, vertical_alignment="center", border=True, key=state.key(PAGE, form.value)):
            st.text(why, width="stretch")
            st.download_button(
                exporting.words_of(form),
                content_on_click(exporting.export_study, viewer, form, with_drafts=with_drafts),
                exporting.study_filename(form),
                exporting.MEDIA[form],
                key=state.key(PAGE, f"{form.value}.get"),
                on_click="ignore",
            )
    _zip(viewer, with_drafts)
    st.caption(
        "For one transcription in any format, open it under Transcribe and choose “Download edges”. For an imported "
        "graph, open it in the Graph lab."
    )
    triplet_exports(viewer)
    public_exports(viewer)


def _zip(viewer: Viewer, with_drafts: bool) -> None:
    """Create the ZIP first and offer it afterwards, so that its omissions are listed next to it."""
    with st.container(border=True, key=state.key(PAGE, "zip.card")):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text("A ZIP with one file per transcription, in the format you choose.", width="stretch")
            form = st.selectbox(
                "Format",
                ZIPPED,
                ZIPPED.index(GraphForm.GRAPHML),
                format_func=exporting.words_of,
                key=state.key(PAGE, "zip.form"),
                width=220,
            )
            if st.button("Create ZIP", key=state.key(PAGE, "zip.make")):
                with shell.boundary(), st.spinner("Writing every transcription…"):
                    file = exporting.export_study_zip(viewer, form, with_drafts=with_drafts)
                    st.session_state[ZIP] = ((form, with_drafts), file)
        options, file = st.session_state.get(ZIP, (None, None))
        if options == (form, with_drafts) and file is not None:
            st.download_button(
                f"Download {shell.escaped(file.name)}",
                file.content,
                file.name,
                file.media_type,
                key=state.key(PAGE, "zip.get"),
                on_click="ignore",
            )
            if file.left_out:
                st.text(f"{counted(len(file.left_out), 'transcription')} cannot be written in this format:")
                st.dataframe(
                    {"Not written": list(file.left_out)},
                    hide_index=True,
                    key=state.key(PAGE, "zip.left"),
                    height=min(35 * len(file.left_out) + 37, 247),
                )
