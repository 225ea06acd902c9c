"""Screening of a paper: include it, exclude it with reasons, or undo the decision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import shell, state
from components.figure.crop import Crop
from components.figure.figure_view import figure_view
from components.widgets.acts import keep, seen_since
from components.widgets.choosing import choose_several
from core.papers.papers import ExclusionReason, Screening
from core.people import Viewer
from core.words import sentence_case
from pages.papers.contact_sheet import open_sheet
from pages.papers.links import PAGE, go, scope
from pages.papers.next_paper import NEXT_PAPER_NOTE
from pages.papers.page_navigation import page_url, scan_all_pages, turn_page
from services.papers import figures, papers
from services.papers.papers import PaperView


def show_screening(viewer: Viewer, paper: PaperView) -> None:
    number = turn_page(viewer, paper) if paper.sha256 is not None else None
    searching = st.container()
    left, right = st.columns([3, 2], gap="medium")
    with left:
        abstract = paper.reference.abstract
        if number is not None:
            facts = figures.page(viewer, paper.id, number)
            figure_view(
                Crop(page_url(paper, number), facts.width, facts.height, f"Page {number} of the paper"),
                key=state.key(PAGE, f"read.{paper.id}"),
                height_px=640,
            )
        if abstract:
            with st.expander("Abstract", expanded=number is None, type="compact"):
                st.text(abstract)
        elif number is None:
            st.text(
                "This paper has no file and no abstract. Attach the PDF under Figures, or add the abstract under "
                "Metadata."
            )
    with right:
        _state(paper)
        form = state.key(PAGE, f"screen.{paper.id}")
        seen = seen_since(scope(paper.id), form, paper.id, paper.version)
        with st.container(border=True, key="papers.form"):
            reasons = choose_several(
                "Reasons for exclusion",
                list(ExclusionReason),
                format_func=str,
                key=state.act_key(form, "reasons"),
                placeholder="Choose one or more",
            )
            note = st.text_area("Note", key=state.act_key(form, "note"), height=80, max_chars=2_000)
            with st.container(horizontal=True):
                decision = _buttons(paper, form)
            if decision is not None:
                _keep_decision(viewer, paper, form, decision, reasons, note or "", seen)
        _next(viewer, paper)
    with searching:
        scan_all_pages(viewer, paper)


def _state(paper: PaperView) -> None:
    is_automatic = paper.screening is Screening.EXCLUDED and paper.automatic and not paper.reasons
    if is_automatic:
        words = " and ".join(f"“{word}”" for word in paper.automatic)
        st.text(f"Excluded automatically: the abstract contains {words}.")
        return
    st.markdown(
        {
            Screening.OPEN: ":material/help: **Not screened yet**",
            Screening.INCLUDED: ":material/check: **Included**",
            Screening.EXCLUDED: ":material/block: **Excluded**",
        }[paper.screening]
    )
    if paper.reasons:
        st.text("; ".join(paper.reasons))
    if paper.screening_note:
        st.text(paper.screening_note)
    if paper.automatic and paper.screening is not Screening.EXCLUDED:
        st.caption("The abstract matches the automatic rule, but a person decided otherwise.")


def _buttons(paper: PaperView, form: str) -> Screening | None:
    is_excluded = paper.screening is Screening.EXCLUDED
    decision = None
    if paper.screening is not Screening.INCLUDED:
        word = "Include anyway" if is_excluded else "Include"
        if st.button(word, type="primary", key=state.act_key(form, "include"), shortcut="I"):
            decision = Screening.INCLUDED
    word = "Change reasons" if is_excluded else "Exclude"
    if st.button(word, key=state.act_key(form, "exclude"), shortcut="X"):
        decision = Screening.EXCLUDED
    if paper.screening is not Screening.OPEN and st.button(
        "Reset screening", type="tertiary", key=state.act_key(form, "open")
    ):
        decision = Screening.OPEN
    return decision


def _keep_decision(
    viewer: Viewer,
    paper: PaperView,
    form: str,
    decision: Screening,
    reasons: Sequence[ExclusionReason],
    note: str,
    seen: int,
) -> None:
    keep(
        scope(paper.id),
        form,
        lambda act: papers.screen(viewer, paper.id, decision, reasons, note, seen=seen, act_id=act),
        reload=partial(state.forget, form),
        then=partial(_after, viewer, paper) if paper.screening is Screening.OPEN else None,
    )


def _after(viewer: Viewer, paper: PaperView) -> None:
    """After a first decision, open the next paper to screen, after the last the figures of those included, and without
    any the list with what follows."""
    following = papers.next_to_screen(viewer)
    decided = f"{sentence_case(papers.paper(viewer, paper.id).screening)}: {paper.reference.title[:80]}"
    if following is not None:
        go(paper=following[0], tab="screen")
    elif papers.next_to_locate(viewer, "") is not None:
        open_sheet()
    else:
        go(view="done")
    st.session_state[NEXT_PAPER_NOTE] = decided


def _next(viewer: Viewer, paper: PaperView) -> None:
    following = papers.next_to_screen(viewer, but=paper.id)
    if following is None:
        st.caption("No other papers to screen.")
        st.button("Contact sheet", icon=":material/grid_view:", key="papers.screened", on_click=open_sheet)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Screen next paper",
            key="papers.next_open",
            shortcut="N",
            icon=":material/arrow_forward:",
            on_click=go,
            kwargs={"paper": following[0], "tab": "screen"},
        )
        st.caption(f"Next: {shell.escaped(following[1][:80])}")
