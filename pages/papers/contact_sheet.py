"""The contact sheet: figures found on all papers, located or left out one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from components import shell, state
from components.contact_sheet.acts import read_sheet_act
from components.contact_sheet.sheet import SheetFigure, contact_sheet, sheet_data
from components.desk.desk_state import DeskState
from components.desk.outbox import Act
from components.desk.tab import Data, DeskTab, desk_key, tab_key, tab_of
from core.papers.found import FigureDecision
from core.people import Receipt, Viewer
from core.words import counted
from pages.papers.finding import show_finding
from pages.papers.links import PAGE, follow, go
from services.acting import consulting_once
from services.papers import contact_sheet as found
from services.papers.contact_sheet import ContactSheet, FoundFigure

WHICH = {"waiting": "Waiting", "located": "Located", "left out": "Left out"}
NOTHING = {
    FigureDecision.WAITING: "No found figure is waiting.",
    FigureDecision.LOCATED: "No found figure is located yet.",
    FigureDecision.LEFT_OUT: "No found figure is left out.",
}
PAGE_DPI = 100


@dataclass(kw_only=True)
class SheetTab(DeskTab[tuple[FoundFigure, ...]]):
    """One sheet: the figures on it stay while they are decided on. `counts` and `before`: how all found figures, and
    those of the sheet, stood when it was laid out."""

    counts: dict[FigureDecision, int] = field(default_factory=dict)
    before: tuple[FigureDecision, ...] = ()


def open_sheet() -> None:
    """As a callback: a new sheet, of what waits by now."""
    state.forget(state.key(PAGE, "sheet"))
    go(view="sheet")


def show_contact_sheet(viewer: Viewer) -> None:
    with shell.top_row("Contact sheet"):
        st.button("All papers", icon=":material/arrow_back:", on_click=go, key="papers.sheet.back")
    with shell.boundary():
        running, which = show_finding(viewer).is_running, _choose()
        _fill_up(viewer, which)
        _screen(viewer, which, is_running=running)


def _choose() -> FigureDecision:
    """Which figures are shown; the link is the truth."""
    name = state.key(PAGE, "which")
    asked = state.read_param("which", "waiting")
    follow(name, asked if asked in WHICH else "waiting")
    which = st.segmented_control(
        "Show",
        list(WHICH),
        format_func=WHICH.__getitem__,
        key=name,
        required=True,
        label_visibility="collapsed",
        on_change=_chosen,
        args=(name,),
    )
    return FigureDecision(str(which))


def _chosen(name: str) -> None:
    state.write_param("which", str(st.session_state[name]).removeprefix("waiting"))
    state.forget(state.key(PAGE, "sheet"))


@st.fragment
@consulting_once()
def _screen(viewer: Viewer, which: FigureDecision, *, is_running: bool) -> None:
    """A fragment: a decision redraws the sheet and nothing else of the app."""
    with shell.boundary(reload=partial(state.forget, state.key(PAGE, "sheet"))):
        work = f"sheet.{which}"
        held: SheetTab = tab_of(PAGE, work, partial(_laid_out, viewer, which, ""))
        if not held.shown:
            held = _lay_out(viewer, which, "")
        figures = found.of_keys(viewer, [each.key for each in held.shown])
        _counts(held, figures)
        if held.trouble:
            st.error(shell.escaped(held.trouble))
        if not figures:
            _nothing(which, is_running=is_running)
            return
        held.serve(viewer, _applied, partial(_data, held, which))
        contact_sheet(desk_key(PAGE, work), held.mounted(viewer), on_next=partial(_next, viewer, which))


def _data(held: SheetTab, which: FigureDecision, viewer: Viewer) -> Data:
    standing = DeskState(
        subject=f"{viewer.person_id}/found figures/{which}",
        version=held.seen,
        saved_at=held.saved_at,
    )
    figures = found.of_keys(viewer, [each.key for each in held.shown])
    return sheet_data(standing, figures=[_shown(each) for each in figures], onward=_onward(held, which))


def _laid_out(viewer: Viewer, which: FigureDecision, after: str) -> SheetTab:
    sheet: ContactSheet = found.sheet(viewer, which, after=after)
    return SheetTab(
        seen=1, shown=sheet.figures, counts=sheet.counts, before=tuple(each.decision for each in sheet.figures)
    )


def _lay_out(viewer: Viewer, which: FigureDecision, after: str) -> SheetTab:
    """Another sheet in place of the one that is held; what the browser was answered stays known."""
    key = tab_key(PAGE, f"sheet.{which}")
    held: SheetTab = st.session_state[key]
    laid = _laid_out(viewer, which, after)
    held.shown, held.counts, held.before = laid.shown, laid.counts, laid.before
    return held


def _fill_up(viewer: Viewer, which: FigureDecision) -> None:
    """What was found since goes behind the figures of a sheet that has room."""
    held: SheetTab | None = st.session_state.get(tab_key(PAGE, f"sheet.{which}"))
    if held is None or not 0 < len(held.shown) < found.SHEET:
        return
    keys = [each.key for each in held.shown]
    more = found.sheet(viewer, which, after=keys[-1])
    new = [each for each in more.figures if each.key not in keys][: found.SHEET - len(keys)]
    held.shown = (*found.of_keys(viewer, keys), *new)
    held.counts, held.before = more.counts, tuple(each.decision for each in held.shown)


def _counts(held: SheetTab, figures: tuple[FoundFigure, ...]) -> None:
    """How many there are by decision: as they stood when the sheet was laid out, with what was decided on it since."""
    now = Counter(held.counts)
    now.subtract(Counter(held.before))
    now.update(each.decision for each in figures)
    said = [f"{now[decision]:,} {decision}" for decision in FigureDecision]
    total = sum(now.values())
    if total:
        st.caption(f"{counted(total, 'figure')} found: {', '.join(said)}")


def _nothing(which: FigureDecision, *, is_running: bool) -> None:
    with st.container(border=True, key="papers.sheet.empty"):
        st.text("Figures appear here as they are found." if is_running else NOTHING[which])
        if is_running:
            st.button("Show found figures", key="papers.sheet.look")


def _onward(held: SheetTab, which: FigureDecision) -> str:
    left = held.counts.get(which, 0) - len(held.shown)
    return f"Next {counted(min(left, found.SHEET), 'figure')}" if left > 0 else "All papers"


def _shown(figure: FoundFigure) -> SheetFigure:
    place, content = f"{figure.paper_id}/{figure.page}", figure.sha256[:12]
    link = urlencode({"paper": figure.paper_id, "tab": "locate", "page": figure.page})
    return SheetFigure(
        id=figure.key,
        paper=figure.paper_title,
        page=figure.page,
        label=figure.label,
        caption=figure.caption,
        image_url=f"/image/found/{place}/{figure.number}?v={content}",
        page_url=f"/image/page/{place}?dpi={PAGE_DPI}&v={content}",
        width=figure.page_width,
        height=figure.page_height,
        box=figure.box,
        link=f"/papers?{link}",
        decision=figure.decision,
    )


# --- acts from the browser --------------------------------------------------------------------------------------


def _applied(viewer: Viewer, act: Act, /, *, act_id: str, **_to: Any) -> Receipt:
    """What stood otherwise by then is refused by the service: figures of a sheet have no version in common."""
    said = read_sheet_act(act)
    paper_id, _, part = said.figure.partition("/")
    return found.decide(viewer, paper_id, part, said.decision, was=said.was, act_id=act_id)


def _next(viewer: Viewer, which: FigureDecision) -> None:
    """The sheet's wish to go on: the figures after its last one, or the list of papers if none is left."""
    held: SheetTab = st.session_state[tab_key(PAGE, f"sheet.{which}")]
    if not held.asks(desk_key(PAGE, f"sheet.{which}"), "next"):
        return
    before = {each.key for each in held.shown}
    shown = _lay_out(viewer, which, held.shown[-1].key if held.shown else "").shown
    if before.issuperset(each.key for each in shown):
        go()
