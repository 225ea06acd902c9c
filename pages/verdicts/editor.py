"""One sheet of verdict items on the desk."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import cast

import streamlit as st

from components import shell, state
from components.desk.desk_state import DeskState
from components.desk.tab import Data, desk_key, tab_of
from components.desk.work_screen import open_next, resume_button, stale_box
from components.verdicts.desk import (
    DeskGraph,
    DeskItem,
    DeskJudge,
    DeskLink,
    DeskMark,
    DeskNode,
    DeskRuling,
    DeskScores,
    State,
    verdict_data,
    verdict_desk,
)
from core.graphs.labels import caption, lines_of, size_of
from core.people import Viewer
from core.verdicts.label_words import SECTION_QUESTIONS, SECTION_WORDS, field_title, label_word
from core.verdicts.labels import PRECISION
from core.verdicts.marks import TextMark
from core.verdicts.pictured import Picture, picture_of
from core.verdicts.review import VerdictRuling
from core.words import counted
from pages.verdicts.acts import PAGE, SCREEN, VerdictTab, apply, asked_whole, opened_item
from services.acting import consulting_once
from services.queue.work import waiting
from services.verdicts import reading
from services.verdicts.reading import RulingView, SheetItem, SheetScores, SheetView
from services.verdicts.work_kind import SHEETS

NOWHERE = 0
RULED = {
    VerdictRuling.CONCEDED: "the judge is right",
    VerdictRuling.BOTH: "both can be defended",
    VerdictRuling.FLAGGED: "cannot be judged",
}


@st.fragment
@consulting_once()
def show(viewer: Viewer) -> None:
    """Draw the screen as one fragment, so that a label redraws nothing else."""
    assignment_id = state.read_param("sheet")
    if not assignment_id:
        st.rerun()  # the desk returned to the list
    with shell.boundary(reload=partial(state.forget, PAGE)):
        tab = tab_of(PAGE, assignment_id, partial(_open_tab, viewer, assignment_id))
        tab.serve(viewer, partial(apply, assignment_id), partial(_data, tab))
        data = tab.mounted(viewer)
        view = tab.shown
        with st.container(gap="xxsmall"):
            with shell.top_row(SECTION_WORDS[view.section]):
                resume_button(viewer, SCREEN, view.assignment_id, view.state)
                if st.button("All sheets", key=state.key(PAGE, "back")):
                    leave()
                    st.rerun()
            if tab.is_stale:
                stale_box(SCREEN, tab, "labels")
            if tab.trouble:
                st.error(shell.escaped(tab.trouble))
        linked = state.read_param("item")
        verdict_desk(
            desk_key(PAGE, assignment_id),
            data,
            start=int(linked) if linked.isdecimal() and len(linked) < 6 else 0,
            on_next=partial(open_next, viewer, SCREEN, assignment_id, "item"),
            on_whole=partial(asked_whole, viewer, assignment_id),
            on_item=partial(opened_item, assignment_id),
        )


def _open_tab(viewer: Viewer, assignment_id: str) -> VerdictTab:
    view = reading.sheet(viewer, assignment_id)
    return VerdictTab(seen=view.version, shown=view, just_read=view, waits=waiting(viewer, SHEETS))


def leave() -> None:
    state.write_param("item", "")
    SCREEN.leave()


# --- the desk ---------------------------------------------------------------------------------------------------


def _data(tab: VerdictTab, viewer: Viewer) -> Data:
    view, before = tab.shown, tab.shown.state
    if not tab.is_stale:
        view = tab.just_read or reading.sheet(viewer, tab.shown.assignment_id)
        tab.just_read = None
        tab.show(view.version, view)
        if view.state != before:
            tab.waits = waiting(viewer, SHEETS)
    side = "answer" if view.section in PRECISION else "truth"
    graph = view.graphs.answer if view.section in PRECISION else view.graphs.truth
    places = {getattr(node, side): place for place, node in enumerate(_shown(view).nodes)}
    at = {name: places[number] for number, name in enumerate(graph.nodes, 1)}
    return verdict_data(
        DeskState(
            subject=f"{viewer.person_id}/{view.assignment_id}",
            version=tab.seen,
            saved_at=tab.saved_at,
            note=f"{tab.waits.free:,} more in the queue" if tab.waits.free else "no others in the queue",
            editable=view.is_editable,
            halted=tab.is_stale,
        ),
        section=view.section,
        title=f"{SECTION_QUESTIONS[view.section]} · {view.title}",
        state=cast(State, view.state),
        items=[_item(each, tuple(at[name] for name in each.names)) for each in view.items],
        graph=_graph(view),
        text=view.text,
        to_judge=[_mark(each) for each in view.to_judge],
        label_first=view.label_first,
        review_version=view.review_version,
        scores=None if view.scores is None else _scores(view.scores),
        judge=view.judge,
        judged=view.judged,
        reasoning=f"/reasoning/{view.assignment_id}",
        onward="Next sheet" if tab.waits.free or tab.waits.unfinished else "All sheets labelled. What is next?",
    )


def _scores(scores: SheetScores) -> DeskScores:
    changed = f"{counted(scores.changed, 'label')} overridden"
    return DeskScores(_score(scores.judge_f1), _score(scores.reviewed_f1), changed)


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _item(item: SheetItem, at: tuple[int, ...]) -> DeskItem:
    quotes = tuple((quote, _mark(place) if place else DeskMark(NOWHERE, NOWHERE, "")) for quote, place in item.evidence)
    return DeskItem(
        number=item.number,
        names=item.names,
        at=at,
        own=item.own,
        is_compared=item.is_compared,
        is_flagged=any(ruling.ruling is VerdictRuling.FLAGGED and ruling.is_mine for ruling in item.rulings),
        judges=tuple(DeskJudge(judge.judge, judge.is_corrected, judge.labels) for judge in item.judges),
        current=item.current,
        score=item.score,
        rulings=tuple(DeskRuling(_ruling_words(ruling), ruling.by, ruling.is_mine) for ruling in item.rulings),
        oddities=item.oddities,
        warnings=item.warnings,
        marks=tuple(_mark(mark) for mark in item.marks),
        quotes=quotes,
    )


def _ruling_words(ruling: RulingView) -> str:
    why = "; ".join(filter(None, (ruling.reason, ruling.note)))
    if ruling.place is None:
        summary = RULED[ruling.ruling]
    else:
        summary = f"{field_title(*ruling.place)}: {label_word(ruling.before)} → {label_word(ruling.after)}"
    full_text = f"{summary} ({why})" if why else summary
    return f"{full_text}, replaced by a later override" if ruling.is_replaced else full_text


def _mark(mark: TextMark) -> DeskMark:
    return DeskMark(mark.start, mark.end, mark.kind.value)


def _graph(view: SheetView) -> DeskGraph:
    shown = _shown(view)
    nodes = []
    for node in shown.nodes:
        size = size_of(node.name)
        nodes.append(
            DeskNode(
                name=node.name,
                lines=tuple(lines_of(caption(node.name))),
                x=node.x,
                y=node.y,
                width=size.width,
                height=size.height,
                truth=node.truth,
                answer=node.answer,
            )
        )
    return DeskGraph(
        nodes=nodes,
        edges=shown.edges,
        links=[DeskLink(link.truth, link.answer, link.by.value, link.is_one) for link in view.links],
        states=view.states,
        is_whole=view.is_whole,
        may_show_whole=view.may_show_whole,
    )


def _shown(view: SheetView) -> Picture:
    truth, answer = view.graphs.truth, view.graphs.answer
    return _picture(truth.nodes, truth.edges, answer.nodes, answer.edges, view.near)


_picture = lru_cache(maxsize=16)(picture_of)  # every act draws the same graphs again
