"""Page navigation of a paper: ‹ number ›, and pages on which figures were detected."""

from __future__ import annotations

import time

import streamlit as st

from components import shell, state
from core.errors import UnreadableDocument
from core.people import Viewer
from pages.papers.adding import pace
from pages.papers.links import PAGE, follow
from services.papers import figure_pages, figures
from services.papers.papers import PaperView

MOST_SHOWN = 24


def page_url(paper: PaperView, number: int) -> str:
    """Return the address of a page's picture; the content hash in it lets the browser cache it."""
    return f"/image/page/{paper.id}/{number}?dpi=150&v={(paper.sha256 or '')[:12]}"


def turn_page(viewer: Viewer, paper: PaperView) -> int:
    """Draw the page chooser of a paper with a file; return the page, which the link's `page` determines."""
    regions_by_page = pages_found(viewer, paper)
    number = _linked_page(paper, regions_by_page)
    if paper.page_count == 1:
        return number
    pages = [page for page, regions in sorted(regions_by_page.items()) if regions]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="papers.pages"):
        st.button(
            "‹",
            key="papers.previous",
            on_click=_turn,
            args=(number - 1,),
            disabled=number <= 1,
            shortcut="K",
            help="Previous page",
        )
        name = state.key(PAGE, f"page.{paper.id}")
        follow(name, number)
        st.number_input(
            "Page",
            1,
            paper.page_count,
            key=name,
            width=110,
            label_visibility="collapsed",
            on_change=lambda: _turn(int(st.session_state[name])),
        )
        st.caption(f"of {paper.page_count}", width="content")
        st.button(
            "›",
            key="papers.next",
            on_click=_turn,
            args=(number + 1,),
            disabled=number >= paper.page_count,
            shortcut="J",
            help="Next page",
        )
        if len(regions_by_page) < paper.page_count:
            st.button(
                "Find figures",
                key="papers.find",
                on_click=st.session_state.__setitem__,
                args=(_request_key(paper), True),
                disabled=_request_key(paper) in st.session_state,
            )
        if pages:
            _pages_with_figures(pages, number)
        elif len(regions_by_page) == paper.page_count:
            st.caption("No figures found on any page.", width="content")
    return number


def pages_found(viewer: Viewer, paper: PaperView) -> dict[int, int]:
    """Return detected figure regions by page, for pages read so far; loaded once a session."""
    name = state.key(PAGE, f"found.{paper.sha256}")
    if name not in st.session_state:
        st.session_state[name] = figure_pages.pages_looked_at(viewer, paper.id)
    regions_by_page: dict[int, int] = st.session_state[name]
    return regions_by_page


def _linked_page(paper: PaperView, regions_by_page: dict[int, int]) -> int:
    linked = state.read_param("page")
    if linked.isdecimal() and len(linked) < 6 and 1 <= int(linked) <= paper.page_count:
        return int(linked)
    return next((number for number, regions in sorted(regions_by_page.items()) if regions), 1)


def _turn(number: int) -> None:
    state.write_param("page", str(number))
    state.write_param("figure", "")


def _pages_with_figures(pages: list[int], number: int) -> None:
    name = state.key(PAGE, "figures")
    follow(name, number if number in pages[:MOST_SHOWN] else None)
    st.caption("Pages with figures", width="content")
    st.pills(
        "Pages with figures",
        pages[:MOST_SHOWN],
        key=name,
        label_visibility="collapsed",
        on_change=lambda: _turn(st.session_state[name] or number),
    )
    if len(pages) > MOST_SHOWN:
        st.caption("and " + ", ".join(map(str, pages[MOST_SHOWN:])), width="content")


# --- all pages --------------------------------------------------------------------------------------------------


def _request_key(paper: PaperView) -> str:
    return state.key(PAGE, f"find.{paper.id}")


def _stop(paper: PaperView) -> None:
    st.session_state.pop(_request_key(paper), None)


def scan_all_pages(viewer: Viewer, paper: PaperView) -> None:
    """Detect figures on all pages if requested; call it last, so that the page stays visible.

    Results are stored page by page, so stopping or leaving loses nothing.
    """
    if _request_key(paper) not in st.session_state:
        return
    regions_by_page = pages_found(viewer, paper)
    waiting = [page for page in range(1, paper.page_count + 1) if page not in regions_by_page]
    bar = st.progress(0.0, text=" ")
    st.button("Stop", key="papers.find.stop", on_click=_stop, args=(paper,))
    began = time.monotonic()
    for place, page in enumerate(waiting):
        bar.progress(place / len(waiting), text=pace(place, len(waiting), began, f"page {page}", unit="pages"))
        try:
            regions_by_page[page] = len(figures.page(viewer, paper.id, page).regions)
        except UnreadableDocument as error:
            regions_by_page[page] = 0
            st.toast(shell.escaped(f"Page {page}: {error}"), duration="long")
    _stop(paper)
    st.rerun()
