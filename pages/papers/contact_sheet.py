"""Contact sheet: detected figures of all papers, each to locate or exclude."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from components import links, shell, state
from components.contact_sheet.acts import read_sheet_act
from components.contact_sheet.sheet import SheetFigure, contact_sheet, sheet_data
from components.desk.desk_state import DeskState
from components.desk.posting.acts import Act
from components.desk.tab import Data, DeskTab, desk_key, tab_key, tab_of
from components.widgets.copy_link import copy_link
from core.papers.detected_figures import FigureDecision
from core.people import Receipt, Viewer
from core.words import counted
from pages.papers.finding import show_finding
from pages.papers.links import PAGE, follow, go
from pages.papers.next_paper import NEXT_PAPER_NOTE
from services.acting import consulting_once
from services.papers import contact_sheet as found
from services.papers.contact_sheet import ContactSheet, FoundFigure

WHICH = {"waiting": "Waiting", "located": "Located", "left out": "Left out"}
NOTHING = {
    FigureDecision.WAITING: "No found figure is waiting.",
    FigureDecision.LOCATED: "No figure found by the program is located. Papers lists figures outlined by hand.",
    FigureDecision.LEFT_OUT: "No found figure is left out.",
}
PAGE_DPI = 100
DONE = state.key(PAGE, "sheet.done")


@dataclass(kw_only=True)
class SheetTab(DeskTab[tuple[FoundFigure, ...]]):
    """Sheet whose figures stay while they are decided."""

    # Decisions when the sheet was created: of all detected figures, and of those on the sheet.
    counts: dict[FigureDecision, int] = field(default_factory=dict)
    before: tuple[FigureDecision, ...] = ()


def open_sheet() -> None:
    """Open a new sheet of waiting figures; a callback."""
    state.forget(state.key(PAGE, "sheet"))
    go(view="sheet")


def show_contact_sheet(viewer: Viewer) -> None:
    with shell.top_row("Contact sheet", note=st.session_state.pop(NEXT_PAPER_NOTE, "")):
        copy_link(f"{PAGE}.sheet")
        st.button("All papers", icon=":material/arrow_back:", on_click=go, key="papers.sheet.back")
    with shell.boundary():
        is_running = show_finding(viewer).is_running
        name = state.key(PAGE, "which")
        linked = state.read_param("which", "waiting")
        follow(name, linked if linked in WHICH else "waiting")
        chosen = st.segmented_control(
            "Show",
            list(WHICH),
            format_func=WHICH.__getitem__,
            key=name,
            required=True,
            label_visibility="collapsed",
            on_change=_chosen,
            args=(name,),
        )
        which = FigureDecision(str(chosen))
        tab: SheetTab | None = st.session_state.get(tab_key(PAGE, f"sheet.{which}"))
        if tab is not None and 0 < len(tab.shown) < found.SHEET:
            keys = [each.key for each in tab.shown]
            more = found.sheet(viewer, which, after=keys[-1])
            new = [each for each in more.figures if each.key not in keys][: found.SHEET - len(keys)]
            tab.shown = (*found.of_keys(viewer, keys), *new)
            tab.counts, tab.before = more.counts, tuple(each.decision for each in tab.shown)
        _screen(viewer, which, is_running=is_running)


def _chosen(name: str) -> None:
    state.write_param("which", str(st.session_state[name]).removeprefix("waiting"))
    state.forget(state.key(PAGE, "sheet"))


@st.fragment
@consulting_once()
def _screen(viewer: Viewer, which: FigureDecision, *, is_running: bool) -> None:
    """Draw the sheet; a fragment, so that a decision redraws nothing else."""
    with shell.boundary(reload=partial(state.forget, state.key(PAGE, "sheet"))):
        if st.session_state.pop(DONE, False):
            links.go_to("transcribe", {"show": "queue"})
        work = f"sheet.{which}"
        tab: SheetTab = tab_of(PAGE, work, partial(_new_sheet, viewer, which, ""))
        if not tab.shown:
            tab = _replace_sheet(viewer, which, "")
        figures = found.of_keys(viewer, [each.key for each in tab.shown])
        now = Counter(tab.counts)
        now.subtract(Counter(tab.before))
        now.update(each.decision for each in figures)
        parts = [f"{now[decision]:,} {decision}" for decision in FigureDecision]
        total = sum(now.values())
        if total:
            st.caption(f"{counted(total, 'figure')} found: {', '.join(parts)}")
        if tab.trouble:
            st.error(shell.escaped(tab.trouble))
        if not figures:
            with st.container(border=True, key="papers.sheet.empty"):
                st.text("Figures appear here as they are found." if is_running else NOTHING[which])
                if is_running:
                    st.button("Show found figures", key="papers.sheet.look")
                elif total:
                    links.page_button("Open queue", "transcribe", {"show": "queue"}, key="papers.sheet.queue")
            return
        tab.serve(viewer, _applied, partial(_data, tab, which))
        contact_sheet(desk_key(PAGE, work), tab.mounted(viewer), on_next=partial(_next, viewer, which))


def _data(tab: SheetTab, which: FigureDecision, viewer: Viewer) -> Data:
    desk_state = DeskState(
        subject=f"{viewer.person_id}/found figures/{which}",
        version=tab.seen,
        saved_at=tab.saved_at,
    )
    figures = found.of_keys(viewer, [each.key for each in tab.shown])
    left = tab.counts.get(which, 0) - len(tab.shown)
    return sheet_data(
        desk_state,
        figures=[_shown(each) for each in figures],
        onward=f"Next {counted(min(left, found.SHEET), 'figure')}" if left > 0 else "Open queue",
    )


def _new_sheet(viewer: Viewer, which: FigureDecision, after: str) -> SheetTab:
    sheet: ContactSheet = found.sheet(viewer, which, after=after)
    return SheetTab(
        seen=1, shown=sheet.figures, counts=sheet.counts, before=tuple(each.decision for each in sheet.figures)
    )


def _replace_sheet(viewer: Viewer, which: FigureDecision, after: str) -> SheetTab:
    """Replace the figures of the current sheet; the tab's acknowledged acts are retained."""
    key = tab_key(PAGE, f"sheet.{which}")
    tab: SheetTab = st.session_state[key]
    laid = _new_sheet(viewer, which, after)
    tab.shown, tab.counts, tab.before = laid.shown, laid.counts, laid.before
    return tab


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
    """Apply a decision; the service refuses it if the figure changed, as figures of a sheet share no version."""
    sheet_act = read_sheet_act(act)
    paper_id, _, part = sheet_act.figure.partition("/")
    return found.decide(viewer, paper_id, part, sheet_act.decision, was=sheet_act.was, act_id=act_id)


def _next(viewer: Viewer, which: FigureDecision) -> None:
    """Show the figures after the last one, or the queue of figures if none is left."""
    tab: SheetTab = st.session_state[tab_key(PAGE, f"sheet.{which}")]
    if not tab.asks(desk_key(PAGE, f"sheet.{which}"), "next"):
        return
    before = {each.key for each in tab.shown}
    shown = _replace_sheet(viewer, which, tab.shown[-1].key if tab.shown else "").shown
    if before.issuperset(each.key for each in shown):
        st.session_state[DONE] = True
