"""One triplet on the scoring desk: claim, evidence, criteria and outcome."""

from __future__ import annotations

from functools import partial
from typing import cast

import streamlit as st

from components import shell, state
from components.desk.desk_state import DeskState
from components.desk.tab import Data, desk_key, tab_of
from components.desk.work_screen import open_next, resume_button, stale_box
from components.triplets.desk import (
    DIRECTION_WORDS,
    SIGN_WORDS,
    DeskClaim,
    DeskCritic,
    DeskEvidence,
    DeskPaper,
    DeskPlace,
    ModelAnswer,
    State,
    criterion_name,
    scoring_data,
    scoring_desk,
)
from core.errors import EdgewiseError
from core.people import Viewer
from core.triplets.forms import Rubric
from core.triplets.passages import Match, Passage
from core.words import sentence_case
from pages.triplets.acts import PAGE, SCREEN, ScoringTab, apply, release_others, scored_here
from services.acting import consulting_once
from services.papers import figures, papers
from services.queue.work import waiting
from services.triplets import reading
from services.triplets.evidence import EvidenceView
from services.triplets.reading import ScoringView
from services.triplets.work_kind import TRIPLETS

DPI = 150
PHRASES = {Rubric.ECONCAUSAL: ("Treatment", "Outcome"), Rubric.VALIDATION: ("X", "Y")}


@st.fragment
@consulting_once()
def show(viewer: Viewer) -> None:
    """Draw the screen as one fragment, so that a score redraws nothing else."""
    assignment_id = state.read_param("scoring")
    if not assignment_id:
        st.rerun()  # the desk returned to the list
    with shell.boundary(reload=partial(state.forget, PAGE)):
        tab = held_of(viewer, assignment_id)
        tab.serve(viewer, partial(apply, assignment_id), partial(_data, tab))
        data = tab.mounted(viewer)
        view = tab.shown
        # In its own container, so that the desk keeps its position and focus if rows above it change.
        with st.container(gap="xxsmall"):
            with shell.top_row("Triplet"):
                resume_button(viewer, SCREEN, view.assignment_id, view.state)
                if st.button("All triplets", key=state.key(PAGE, "back")):
                    SCREEN.leave()
                    st.rerun()
            if tab.is_stale:
                stale_box(SCREEN, tab, "scores", partial(_stale, viewer, assignment_id, tab))
            if tab.trouble:
                st.error(shell.escaped(tab.trouble))
        on_next = partial(open_next, viewer, SCREEN, assignment_id)
        scoring_desk(desk_key(PAGE, assignment_id), data, on_next=on_next)


def held_of(viewer: Viewer, assignment_id: str) -> ScoringTab:
    """Return this tab's state of a scoring; read from the store when first opened."""
    return tab_of(PAGE, assignment_id, partial(_open_tab, viewer, assignment_id))


def _open_tab(viewer: Viewer, assignment_id: str) -> ScoringTab:
    release_others(assignment_id)
    with st.spinner("Searching for the evidence…", show_time=False):
        view = reading.triplet(viewer, assignment_id)
        evidence = tuple(_evidence(viewer, view.paper.paper_id, each) for each in view.evidence)
    return ScoringTab(
        seen=view.version,
        shown=view,
        evidence=evidence,
        evidence_note=view.evidence_note,
        waits=waiting(viewer, TRIPLETS),
    )


# --- above the desk ---------------------------------------------------------------------------------------------


def _stale(viewer: Viewer, assignment_id: str, tab: ScoringTab) -> None:
    stored, in_tab = reading.triplet(viewer, assignment_id, with_evidence=False), scored_here(tab)
    st.dataframe(
        {
            "Criterion": [criterion_name(each.key) for each in tab.shown.criteria],
            "This tab": [in_tab.get(each.key) for each in tab.shown.criteria],
            "Stored": [stored.scores.get(each.key) for each in tab.shown.criteria],
        },
        hide_index=True,
        placeholder="–",
        key=state.key(PAGE, "both"),
        width="content",
        alt="Your scores in this tab and in the store",
    )


# --- the desk ---------------------------------------------------------------------------------------------------


def _data(tab: ScoringTab, viewer: Viewer) -> Data:
    view, before = tab.shown, tab.shown.state
    if not tab.is_stale:
        view = reading.triplet(viewer, tab.shown.assignment_id, with_evidence=False)
        tab.show(view.version, view)
        if view.state != before:
            tab.waits = waiting(viewer, TRIPLETS)
    if not tab.waits.free:
        note = "no others in the queue"
    else:
        own = f", {tab.waits.preferred:,} in your fields" if tab.waits.preferred else ""
        note = f"{tab.waits.free:,} more in the queue{own}"
    saved = f"{len(view.scores)} of {len(view.criteria)} scores saved" if view.scores and view.is_editable else ""
    return scoring_data(
        DeskState(
            subject=f"{viewer.person_id}/{view.assignment_id}",
            version=tab.seen,
            saved_at=tab.saved_at,
            receipt=saved if tab.receipt is None else "",
            note=note,
            editable=view.is_editable,
            halted=tab.is_stale,
        ),
        claim=_claim(view, tab),
        criteria=view.criteria,
        scores=view.scores,
        own_verdict=view.own_verdict,
        comment=view.comment,
        reason=view.reason,
        state=cast(State, view.state),
        answer=_answer(view) if view.state == "submitted" else None,
        onward="Next triplet" if tab.waits.free or tab.waits.unfinished else "All triplets scored. What is next?",
    )


def _claim(view: ScoringView, tab: ScoringTab) -> DeskClaim:
    paper = view.paper
    venue = paper.venue_name if paper.domain else paper.venue
    codes = f"JEL {paper.jel_codes}" if paper.jel_codes else ""
    about = " · ".join(filter(None, (paper.author, str(paper.year or ""), venue, codes)))
    asks_abstract = view.rubric is Rubric.VALIDATION  # Lee et al.'s form asks about the abstract
    unknown = "" if asks_abstract else "not given"
    methods = unknown if view.methods is None else "; ".join(view.methods)
    return DeskClaim(
        treatment=view.treatment,
        outcome=view.outcome,
        sign=view.sign,
        context=view.context,
        methods=methods,
        paper=DeskPaper(paper.title, about, paper.url),
        evidence=() if asks_abstract else tab.evidence,
        evidence_note=tab.evidence_note,
        phrases=PHRASES[view.rubric],
        abstract=paper.abstract if asks_abstract else None,
        signs=DIRECTION_WORDS if asks_abstract else SIGN_WORDS,
    )


def _answer(view: ScoringView) -> ModelAnswer:
    verdict = view.verdict
    word = {None: "Submitted", True: "Accepted by your scores", False: "Rejected by your scores"}[verdict.accepted]
    critics = tuple(DeskCritic(one.critic, one.is_synthetic, one.scores, one.reasons) for one in view.critics)
    total = f"{verdict.total} of {verdict.highest}"
    why = verdict.reason.removeprefix("accepted: ").removeprefix("rejected: ")  # the heading contains it
    return ModelAnswer(word, total, f"{sentence_case(why)}." if why else "", critics, view.critics_note)


# --- evidence ---------------------------------------------------------------------------------------------------


def _evidence(viewer: Viewer, paper_id: str | None, evidence: EvidenceView) -> DeskEvidence:
    if paper_id is None or evidence.match is None or evidence.match is Match.NOT_FOUND:
        return DeskEvidence(evidence.text, "", evidence.flag)
    pages = ", ".join(str(passage.page) for passage in evidence.passages)
    location = f"page {pages}, {evidence.match.value}"
    try:
        places = tuple(_place(viewer, paper_id, passage) for passage in evidence.passages)
    except EdgewiseError:
        places = ()  # the evidence was found; only the page's picture cannot be drawn
    return DeskEvidence(evidence.text, location, evidence.flag, places)


def _place(viewer: Viewer, paper_id: str, passage: Passage) -> DeskPlace:
    size = figures.page(viewer, paper_id, passage.page)
    content = (papers.paper(viewer, paper_id).sha256 or "")[:12]
    url = f"/image/page/{paper_id}/{passage.page}?dpi={DPI}&v={content}"
    return DeskPlace(passage.page, url, size.width, size.height, passage.boxes)
