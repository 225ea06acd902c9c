"""One paper: top row, notices of its file, and a part: Figures, Screening, Text or Metadata."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.acts import keep, last_receipt
from components.widgets.uploads import report_refused, session_id, uploader_of_one
from core.errors import Missing
from core.papers.papers import Screening
from core.people import Viewer
from pages.papers import next_paper
from pages.papers.adding import DOCUMENTS
from pages.papers.describing import show_describing
from pages.papers.links import PAGE, follow, go, scope
from pages.papers.locating import show_locating
from pages.papers.screening import show_screening
from pages.papers.text import show_text
from services.exchange import uploads
from services.papers import importing, papers
from services.papers.papers import PaperView

TABS = {"locate": "Figures", "screen": "Screening", "text": "Text", "metadata": "Metadata"}
LONGEST_HEADING = 160


def show_paper(viewer: Viewer, paper_id: str) -> None:
    try:
        paper = papers.paper(viewer, paper_id)
    except Missing as error:
        st.error(shell.escaped(str(error)))
        st.button("All papers", icon=":material/arrow_back:", on_click=go, key="papers.back")
        return
    title = paper.reference.title
    shown = title if len(title) <= LONGEST_HEADING else title[:LONGEST_HEADING].rstrip() + "…"
    pages = (
        "no file yet" if paper.sha256 is None else "1 page" if paper.page_count == 1 else f"{paper.page_count} pages"
    )
    screening = {Screening.OPEN: "to screen", Screening.INCLUDED: "included", Screening.EXCLUDED: "excluded"}
    facts = " · ".join([pages, screening[paper.screening], *(["archived"] if paper.is_archived else [])])
    note = " · ".join(filter(None, (st.session_state.pop(next_paper.NEXT_PAPER_NOTE, ""), facts)))
    with shell.top_row(shown or "Paper without a title", last_receipt(scope(paper.id)), note):
        st.button("All papers", icon=":material/arrow_back:", on_click=go, key="papers.back")
        form = state.key(PAGE, f"archive.{paper.id}")
        if st.button("Restore paper" if paper.is_archived else "Archive paper", key=state.act_key(form, "submit")):
            keep(
                scope(paper.id),
                form,
                lambda act: papers.archive(viewer, paper.id, not paper.is_archived, seen=paper.version, act_id=act),
            )
    tab = _choose_tab()
    for notice in paper.notices:
        st.caption(":material/info: " + shell.escaped(notice))
    with shell.boundary():
        if tab == "metadata":
            show_describing(viewer, paper)
        elif tab == "screen":
            show_screening(viewer, paper)
        elif tab == "text" and paper.sha256 is not None:
            show_text(viewer, paper)
        elif paper.sha256 is None:
            _attach(viewer, paper)
        else:
            show_locating(viewer, paper)


def _choose_tab() -> str:
    name = state.key(PAGE, "tab")
    linked = state.read_param("tab", "locate")
    follow(name, linked if linked in TABS else "locate")
    tab = st.segmented_control(
        "View",
        list(TABS),
        format_func=TABS.__getitem__,
        key=name,
        required=True,
        label_visibility="collapsed",
        on_change=lambda: state.write_param("tab", str(st.session_state[name])),
    )
    return str(tab)


def _attach(viewer: Viewer, paper: PaperView) -> None:
    """Draw the upload for a paper imported as a reference; figures need a file."""
    form = state.key(PAGE, f"attach.{paper.id}")
    with st.container(border=True, key="papers.attach"):
        st.text("This paper was imported as a reference and has no file yet. Add its PDF or a picture of its diagram.")
        area = state.act_key(form, "file")
        refused = uploads.permit(viewer, session_id(), area)
        file = uploader_of_one("PDF or picture (PNG, JPEG, WebP, GIF, SVG)", DOCUMENTS, key=area)
        report_refused(refused)
        is_pressed = st.button("Attach file", type="primary", key=state.act_key(form, "submit"), disabled=file is None)
        if file is not None and is_pressed:
            keep(
                scope(paper.id),
                form,
                lambda act: importing.attach_file(
                    viewer, paper.id, file.name, file.getvalue(), seen=paper.version, act_id=act
                ),
            )
