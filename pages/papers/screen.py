"""Papers: table of candidates with filters, and links to adding, flow and one paper."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any, Literal

import streamlit as st

from components import shell, state
from components.widgets.acts import last_receipt, note
from core.papers.papers import Screening
from core.people import Viewer
from core.words import counted
from exchange.edge_table import table_bytes
from pages.drafts import stored
from pages.papers import next_paper
from pages.papers.adding import show_adding
from pages.papers.contact_sheet import open_sheet, show_contact_sheet
from pages.papers.detail import show_paper
from pages.papers.finding import show_finding
from pages.papers.flow import show_flow
from pages.papers.links import PAGE, follow, go
from pages.work_queue.screens import done_card
from services.papers import papers
from services.papers.papers import PaperLine

DRAWN, TITLES, CONFIRMED = (state.key(PAGE, name) for name in ("drawn", "titles", "confirmed"))
COLUMNS = ("Title", "Title read", "Source", "Date", "Pages", "Figures", "Screening", "Reasons")
FILTERS: dict[str, tuple[str, Callable[[PaperLine], bool]]] = {
    "all": ("All", lambda line: not line.is_archived),
    "open": ("To screen", lambda line: not line.is_archived and line.screening is Screening.OPEN),
    "included": ("Included", lambda line: not line.is_archived and line.screening is Screening.INCLUDED),
    "excluded": ("Excluded", lambda line: not line.is_archived and line.screening is Screening.EXCLUDED),
    "unlocated": (
        "No figure yet",
        lambda line: not line.is_archived and line.screening is not Screening.EXCLUDED and not line.figures,
    ),
    "located": ("Figure located", lambda line: not line.is_archived and line.figures > 0),
    "no-file": ("Reference only", lambda line: not line.is_archived and not line.has_file),
    "titles": ("Title to check", lambda line: not line.is_archived and line.is_title_read),
    "archived": ("Archived", lambda line: line.is_archived),
}


def show(viewer: Viewer) -> None:
    with shell.boundary(), stored.settling(viewer):
        paper_id, view = state.read_param("paper"), state.read_param("view")
        if paper_id:
            show_paper(viewer, paper_id)
        elif view == "add":
            show_adding(viewer)
        elif view == "flow":
            show_flow(viewer)
        elif view == "sheet":
            show_contact_sheet(viewer)
        else:
            _list(viewer)


def _list(viewer: Viewer) -> None:
    _save_titles(viewer)
    lines = papers.list_papers(viewer, with_archived=True)
    in_use = sum(not line.is_archived for line in lines)
    located = sum(line.figures > 0 for line in lines if not line.is_archived)
    message = st.session_state.pop(next_paper.NEXT_PAPER_NOTE, "")
    is_done = state.read_param("view") == "done" and papers.next_to_locate(viewer, "") is None
    with shell.top_row(
        "Papers",
        last_receipt(PAGE),
        note=" · ".join(
            filter(None, (message, f"{counted(in_use, 'paper')} · {located:,} with a located figure" if lines else ""))
        ),
    ):
        if lines:
            st.button(
                "Screening flow",
                icon=":material/account_tree:",
                on_click=go,
                kwargs={"view": "flow"},
                key="papers.flow",
            )
            st.button("Contact sheet", icon=":material/grid_view:", on_click=open_sheet, key="papers.sheet")
        kind: Literal["primary", "secondary"] = "secondary" if is_done else "primary"
        st.button("Add papers", type=kind, on_click=go, kwargs={"view": "add"}, key="papers.add")
    if not lines:
        with st.container(border=True, horizontal_alignment="center", key="papers.empty"):
            st.text(
                "No papers yet. Add PDFs or pictures of diagrams, or references from BibTeX, RIS or CSV.\n"
                "Then screen each paper and locate its diagram."
            )
            st.button(
                "Add papers", icon=":material/upload_file:", on_click=go, kwargs={"view": "add"}, key="papers.first"
            )
        return
    if is_done:
        done = next_paper.ALL_LOCATED if located else "All papers are screened"
        done_card(viewer, PAGE, done, "There is no other work for you now.", is_whole_page=False)
    show_finding(viewer, always=False)
    chosen, search = _filters(lines)
    shown = matching(lines, chosen, search)
    if not shown:
        st.text(f"No papers match “{search}” here." if search else "No papers in this state.")
        st.button("Show all papers", on_click=_clear_filters, key="papers.clear")
        return
    _table(shown)


def _filters(lines: Sequence[PaperLine]) -> tuple[str, str]:
    """Draw filter and search; the link determines their values, so that Back and shared links restore them."""
    counts = {name: sum(keeps(line) for line in lines) for name, (_word, keeps) in FILTERS.items()}
    linked = state.read_param("show", "all")
    chosen = linked if linked in FILTERS else "all"
    search = state.read_param("q")[:200]
    search_key, show_key = state.key(PAGE, "q"), state.key(PAGE, "show")
    follow(search_key, search)
    follow(show_key, chosen)
    st.text_input(
        "Search title, source or ID",
        key=search_key,
        type="search",
        live="400ms",
        label_visibility="collapsed",
        placeholder="Search title, source or ID",
        on_change=lambda: state.write_param("q", _widget_text(search_key)),
    )
    st.pills(
        "Show",
        [name for name in FILTERS if counts[name] or name in ("all", chosen)],
        key=show_key,
        required=True,
        format_func=lambda name: f"{FILTERS[name][0]} {counts[name]:,}",
        label_visibility="collapsed",
        on_change=lambda: state.write_param("show", _widget_text(show_key).removeprefix("all")),
    )
    return chosen, search


def _widget_text(name: str) -> str:
    return str(st.session_state.get(name) or "")


def _clear_filters() -> None:
    state.write_param("q", "")
    state.write_param("show", "")


def matching(lines: Sequence[PaperLine], chosen: str, search: str) -> list[PaperLine]:
    """Return papers of a filter that contain every word of `search` in title, source, date or ID, ignoring case."""
    keeps, words = FILTERS[chosen][1], search.casefold().split()
    return [
        line
        for line in lines
        if keeps(line)
        and all(
            word in " ".join((line.title, line.source, line.publication_date, line.id)).casefold() for word in words
        )
    ]


def _table(shown: Sequence[PaperLine]) -> None:
    columns = {"": ["Open"] * len(shown)} | dict(
        zip(COLUMNS, map(list, zip(*map(_shown, shown), strict=True)), strict=True)
    )
    columns["Title read"] = ["Confirm" if line.is_title_read else None for line in shown]
    if not any(columns["Title read"]):
        del columns["Title read"]
    # Edits arrive by row and belong to the papers and versions drawn; others are another widget.
    key = state.act_key(TITLES, str(zlib.crc32(repr([(line.id, line.version) for line in shown]).encode())))
    st.session_state[DRAWN] = key, shown
    st.data_editor(
        columns,
        key=key,
        hide_index=True,
        height="content" if len(shown) < 17 else 632,
        placeholder="–",
        disabled=[name for name in columns if name != "Title"],
        column_config=_column_config(),
        alt=counted(len(shown), "paper"),
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by_id = {line.id: line.title for line in shown}
        opened = st.selectbox(
            "Open a paper",
            list(by_id),
            index=None,
            format_func=by_id.__getitem__,
            key=state.key(PAGE, "open"),
            placeholder="Type a title to open it",
            label_visibility="collapsed",
            width=420,
        )
        st.download_button(
            "Download CSV",
            lambda: papers_csv(shown),
            file_name="papers.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            key=state.key(PAGE, "csv"),
        )
    if opened:
        _go_to(opened)
        st.rerun()


def _save_titles(viewer: Viewer) -> None:
    key, drawn = _drawn()
    edited = st.session_state.get(key, {}).get("edited_rows", {})
    titles = {row: cells["Title"] or "" for row, cells in edited.items() if "Title" in cells}
    if (click := st.session_state.get(CONFIRMED)) and click["row"] < len(drawn):
        titles[click["row"]] = drawn[click["row"]].title
    with shell.boundary():
        for row, title in titles.items():
            form = f"{TITLES}.{drawn[row].id}"
            act = state.act_id(form)
            note(PAGE, papers.save_title(viewer, drawn[row].id, title, seen=drawn[row].version, act_id=act))
            state.spend(form)
        if titles:
            state.spend(TITLES)
            del st.session_state[DRAWN]  # the edits are saved; the next rerun draws another table
            st.rerun()


def _drawn() -> tuple[str, Sequence[PaperLine]]:
    drawn: tuple[str, Sequence[PaperLine]] = st.session_state.get(DRAWN, (TITLES, ()))
    return drawn


def _open_clicked() -> None:
    _key, drawn = _drawn()
    click = st.session_state.get(state.key(PAGE, "clicked"))
    if click and click["row"] < len(drawn):
        _go_to(drawn[click["row"]].id)


def _go_to(paper_id: str) -> None:
    """Open a paper, under Screening if the list shows papers to screen."""
    go(paper=paper_id, tab="screen" if state.read_param("show") == "open" else "")


def _shown(line: PaperLine) -> tuple[str | int | None, ...]:
    """Return the cells for the screen; "open" is the label of the line's button, so that state differs."""
    *before, screening, reasons = _cells(line)
    return *before, "to screen" if line.screening is Screening.OPEN else screening, reasons


def _cells(line: PaperLine) -> tuple[str | int | None, ...]:
    pages = line.page_count if line.has_file else None
    read = "from page 1" if line.is_title_read else ""
    return line.title, read, line.source, line.publication_date, pages, line.figures, str(line.screening), why(line)


def why(line: PaperLine) -> str:
    """Return why a paper is excluded: a person's reasons, or words of the automatic rule."""
    if line.screening is not Screening.EXCLUDED:
        return ""
    return "; ".join(line.reasons) or ", ".join(f"automatic: “{word}”" for word in line.automatic)


def _column_config() -> dict[str, Any]:
    words = {"Title": 460, "Source": 110, "Date": 75, "Screening": 85, "Reasons": 170}
    opening = st.column_config.ButtonColumn(
        "", type="tertiary", width=70, key=state.key(PAGE, "clicked"), on_click=_open_clicked
    )
    config: dict[str, Any] = {"": opening} | {
        name: st.column_config.TextColumn(name, width=width) for name, width in words.items()
    }
    config["Title read"] = st.column_config.ButtonColumn(
        "Title read",
        type="tertiary",
        width=90,
        key=CONFIRMED,
        help="The title is the largest text of page 1. Correct it in its cell, or confirm it; by keyboard, "
        "open the paper and save its metadata.",
    )
    config["Pages"] = st.column_config.NumberColumn("Pages", width=60, format="%d", help="–: no file yet")
    config["Figures"] = st.column_config.NumberColumn("Figures", width=62, format="%d")
    return config


def papers_csv(shown: Sequence[PaperLine]) -> bytes:
    rows = [[line.id, *("" if cell is None else str(cell) for cell in _cells(line))] for line in shown]
    return table_bytes(("id", *(name.lower() for name in COLUMNS)), rows, safe=True)
