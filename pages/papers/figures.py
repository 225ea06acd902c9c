"""Located figures of a paper: transcribe, correct, archive, restore."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from components.widgets.acts import keep
from core.people import Permission, Viewer
from pages.papers.links import PAGE, go, scope
from services.papers import figures
from services.papers.figures import LocatedFigure
from services.papers.papers import PaperView
from services.runs.run_settings import link_to_new_run
from services.transcription import transcribing

ASK = "Ask a model"


def show_located(viewer: Viewer, paper: PaperView, everything: Sequence[LocatedFigure]) -> None:
    located = [figure for figure in everything if not figure.is_archived]
    archived = [figure for figure in everything if figure.is_archived]
    if located:
        st.markdown(f"**Located: {len(located)}**")
    for figure in located:
        with st.container(border=True, gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(figure.label or "Without a label", width="stretch")
                if viewer.may(Permission.TRANSCRIBE):
                    form = state.key(PAGE, f"take.{figure.id}")
                    if st.button("Transcribe", key=state.act_key(form, "submit"), icon=":material/polyline:"):
                        with shell.boundary():
                            receipt = transcribing.take(viewer, figure.id, act_id=state.act_id(form))
                            state.spend(form)
                            # st.switch_page finds a page by its path: this is the Transcribe page of the menu.
                            screen = st.Page(_elsewhere, title="Transcribe", url_path="transcribe")
                            st.switch_page(screen, query_params={"transcription": receipt.subject_id})
                _more(viewer, paper, figure)
            st.caption(shell.escaped(" · ".join(filter(None, (figure.place, figure.caption[:160])))))
    if archived:
        with st.expander(f"Archived figures ({len(archived)})", type="compact"):
            for figure in archived:
                _archived(viewer, paper, figure)


def _elsewhere() -> None:
    """Placeholder: the menu's page with the same path is drawn."""


def _more(viewer: Viewer, paper: PaperView, figure: LocatedFigure) -> None:
    form = state.key(PAGE, f"figure.{figure.id}")
    words = ["Show on its page", "Correct", *([ASK] if viewer.may(Permission.RUN) else []), "Archive"]
    chosen = st.menu_button("More", words, key=state.act_key(form, "menu"))
    if chosen == "Archive":
        keep(
            scope(paper.id),
            form,
            lambda act: figures.archive_figure(viewer, figure.id, True, seen=figure.version, act_id=act),
        )
    elif chosen == ASK:
        links.go_to("runs", link_to_new_run("figures", figure.id))
    elif chosen is not None:
        go(paper=paper.id, tab="locate", page=str(figure.page), figure=figure.id if chosen == "Correct" else "")
        st.rerun()


def _archived(viewer: Viewer, paper: PaperView, figure: LocatedFigure) -> None:
    form = state.key(PAGE, f"restore.{figure.id}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(" · ".join(filter(None, (figure.label, figure.place))), width="stretch")
        if st.button("Restore", key=state.act_key(form, "submit")):
            keep(
                scope(paper.id),
                form,
                lambda act: figures.archive_figure(viewer, figure.id, False, seen=figure.version, act_id=act),
            )
