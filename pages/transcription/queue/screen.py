"""Queue of figures: slots, claims and expiry, for those who assign work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.cells import WRAPPED_PX
from components.widgets.choosing import choose_filter
from components.widgets.work_list import WorkLine, work_list
from core.people import Permission, Viewer
from core.transcription.effort import LEAST_TASKS
from core.words import counted
from exchange.edge_table import table_bytes
from pages.transcription.expectations import minutes_of, thumbnail_url
from pages.transcription.queue import acts as queue_acts
from services.graphs import thumbnails
from services.runs.run_settings import link_to_new_run
from services.transcription import expected, queue
from services.transcription.expected import ExpectedFigure
from services.transcription.queue import FigureQueue, Holder, QueueLine

PAGE = queue_acts.PAGE
NOT_BLIND = "Not fully blind"
WORDS = {"Figure": 80, "Paper": 215, "Ended": 110, NOT_BLIND: 250}
THUMBNAIL = "Thumbnail"
GRAPH = "Newest graph"
NUMBERS = {
    "Nodes found": 62,
    "Minutes": 68,
    "Turn": 70,
    "Wanted": 70,
    "Submitted": 76,
    "In progress": 80,
    "Free": 50,
    "Priority": 65,
}
# What the table shows over a column; the names stay those of the CSV.
HEADS = {"Turn": "Position", "Nodes found": "Nodes"}
COLUMNS = ("Figure", "Paper", *NUMBERS, "Held by", "Expires", "Ended", NOT_BLIND)
FILTERS: dict[str, tuple[str, Callable[[QueueLine], bool]]] = {
    "all": ("All", lambda line: True),
    "free": ("Free places", lambda line: line.free > 0),
    "held": ("In progress", lambda line: line.in_progress > 0),
    "untouched": ("Not started", lambda line: not (line.submitted or line.in_progress)),
    "done": ("Complete", lambda line: line.submitted >= line.wanted > 0),
    "ended": ("Expired or returned", lambda line: bool(line.ended)),
    "looked": (NOT_BLIND, lambda line: bool(line.not_blind)),
}


def of_study(viewer: Viewer) -> None:
    with shell.boundary():
        figure_queue = queue.queue_of_study(viewer)
        free, active, done = (
            sum(getattr(line, name) for line in figure_queue.lines) for name in ("free", "in_progress", "submitted")
        )
        rule = figure_queue.settings
        share = "" if rule.share == 1 or rule.overlap == 1 else f" for {rule.share:.0%} of figures, 1 for the others"
        people = f"{counted(rule.overlap, 'annotator')} per figure{share}"
        figures = counted(len(figure_queue.lines), "figure")
        shell.receipt_line(
            acts.last_receipt(PAGE),
            f"{figures} · {counted(free, 'free place')} · transcriptions: {done:,} submitted, {active:,} in progress · "
            f"{people} · claims expire after {rule.idle_hours} h without edits",
        )
        with st.container(horizontal=True):
            links.page_button("Queue settings", "settings", {"show": "figures"}, key=state.key(PAGE, "settings"))
            if figure_queue.lines and viewer.may(Permission.RUN):
                ask = link_to_new_run("figures", "waiting")
                links.page_button("Ask a model", "runs", ask, key=state.key(PAGE, "ask"))
        if figure_queue.lines:
            search_key = state.key(PAGE, "q")
            if search_key not in st.session_state:
                st.session_state[search_key] = state.read_param("q")[:200]
            counts = {name: sum(keeps(line) for line in figure_queue.lines) for name, (_word, keeps) in FILTERS.items()}
            search = st.text_input(
                "Search paper, figure or annotator",
                key=search_key,
                type="search",
                live="400ms",
                label_visibility="collapsed",
                placeholder="Search paper, figure or annotator",
            )
            filter_name = choose_filter(PAGE, counts, lambda name: FILTERS[name][0])
            state.write_param("q", search or "")
            shown = matching(figure_queue.lines, filter_name, search or "")
            _claims(viewer, shown)
            _figures(viewer, figure_queue, shown)
        else:
            st.caption("No figure has been located yet. Locate figures under Papers.")


def matching(lines: Sequence[QueueLine], chosen: str, search: str) -> list[QueueLine]:
    """Return figures of a filter that contain every word of `search` in paper, figure or name, ignoring case."""
    keeps, words = FILTERS[chosen][1], search.casefold().split()
    return [line for line in lines if keeps(line) and all(word in _searched(line) for word in words)]


def _searched(line: QueueLine) -> str:
    names = (holder.name for holder in (*line.holders, *line.done, *line.ended))
    return " ".join((line.paper_title, line.label, line.place, line.figure_id, *names)).casefold()


# --- who is at it ------------------------------------------------------------------------------------------------


def _claims(viewer: Viewer, shown: Sequence[QueueLine]) -> None:
    claims = [(holder, line) for line in shown for holder in line.holders]
    claims.sort(key=lambda pair: (pair[0].expires_at is None, pair[0].expires_at))
    if not claims:
        return
    st.subheader("In progress", anchor=False)
    lines = [
        WorkLine(
            id=holder.assignment_id,
            title=holder.name,
            detail=" · ".join((queue_acts.called(line), line.paper_title)),
            state=("returned for correction · " if holder.state == "returned" else "")
            + f"since {shell.moment(holder.since)}",
            counts=expiry(holder),
            comment="",
            verb="Return claim",
        )
        for holder, line in claims
    ]
    work_list(lines, key=state.key(PAGE, "held"), on_choose=partial(queue_acts.free, viewer))


def expiry(holder: Holder) -> str:
    return f"expires {shell.moment(holder.expires_at)}" if holder.expires_at is not None else ""


# --- the figures -------------------------------------------------------------------------------------------------


def _figures(viewer: Viewer, figure_queue: FigureQueue, shown: Sequence[QueueLine]) -> None:
    st.subheader("Figures", anchor=False)
    if not shown:
        st.caption("No figure matches.")
        return
    # A clicked row number refers to the table as drawn; a figure located meanwhile must not shift it.
    ids = st.session_state[state.key(PAGE, "drawn")] = [line.figure_id for line in shown]
    figures = expected.expected(viewer, ids)
    cells = [_cells(line, figures.get(line.figure_id)) for line in shown]
    pictures = [thumbnail_url(line.figure_id, figures.get(line.figure_id)) or None for line in shown]
    newest = thumbnails.newest_of_figures(viewer, ids)
    graphs = [f"/image/graph/{one.graph_id}?v={one.version}" if one else None for one in map(newest.get, ids)]
    # Who holds a figure is listed above. Columns of ended claims and of blinding come only with values.
    ended = ["Ended"] if any(line.ended for line in shown) else []
    not_blind = [NOT_BLIND] if any(line.not_blind for line in shown) else []
    numbers = [name for name in NUMBERS if name != "Free"]
    order = ["", THUMBNAIL, *([GRAPH] if newest else []), "Figure", "Paper", "Free", *not_blind, *numbers, *ended]
    st.dataframe(
        {"": ["Choose"] * len(shown), THUMBNAIL: pictures, GRAPH: graphs}
        | {name: [row[place] for row in cells] for place, name in enumerate(COLUMNS)},
        key=state.key(PAGE, "table"),
        hide_index=True,
        height="content" if len(shown) < 9 else 492,
        row_height=WRAPPED_PX,
        placeholder="–",
        column_config=_columns(),
        column_order=order,
        alt=counted(len(shown), "figure"),
    )
    queue_acts.chosen_figures(viewer, figure_queue, shown)
    st.download_button(
        "Download CSV",
        lambda: queue_csv(shown, figures),
        file_name="queue.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key=state.key(PAGE, "csv"),
    )


def _choose_clicked() -> None:
    drawn: list[str] = st.session_state.get(state.key(PAGE, "drawn"), [])
    click = st.session_state.get(state.key(PAGE, "clicked"))
    if click and click["row"] < len(drawn):
        queue_acts.toggle(drawn[click["row"]])


def _cells(line: QueueLine, figure: ExpectedFigure | None) -> tuple[str | int | None, ...]:
    return (
        queue_acts.called(line),
        line.paper_title,
        figure.nodes if figure is not None else None,
        minutes_of(figure.minutes) if figure is not None else None,
        line.turn or None,
        line.wanted,
        line.submitted,
        line.in_progress,
        line.free,
        line.priority,
        "; ".join(holder.name for holder in line.holders),
        "; ".join(shell.moment(holder.expires_at) for holder in line.holders if holder.expires_at is not None),
        ", ".join(holder.name for holder in line.ended),
        ", ".join(f"{holder.name} ({shell.moment(holder.looked_at)})" for holder in line.not_blind if holder.looked_at),
    )


def _columns() -> dict[str, Any]:
    opening = st.column_config.ButtonColumn(
        "", type="tertiary", width=72, key=state.key(PAGE, "clicked"), on_click=_choose_clicked
    )
    words = {name: st.column_config.TextColumn(name, width=width) for name, width in WORDS.items()}
    numbers = {
        name: st.column_config.NumberColumn(HEADS.get(name, name), width=width, format="%d")
        for name, width in NUMBERS.items()
    }
    numbers["Turn"] = st.column_config.NumberColumn(
        HEADS["Turn"],
        width=NUMBERS["Turn"],
        format="%d",
        help="Position in the queue for someone who may take any figure. –: no place is free.",
    )
    numbers["Wanted"] = st.column_config.NumberColumn(
        "Wanted", width=NUMBERS["Wanted"], format="%d", help="Annotators wanted for the figure."
    )
    numbers["Nodes found"] = st.column_config.NumberColumn(
        HEADS["Nodes found"],
        width=NUMBERS["Nodes found"],
        format="%d",
        help="Names that the program found in the figure. –: the figure is not read yet.",
    )
    numbers["Minutes"] = st.column_config.NumberColumn(
        "Minutes",
        width=NUMBERS["Minutes"],
        format="%d",
        help="Expected active time: nodes found × the time a node took in this study. –: the figure is not read yet, "
        f"or fewer than {LEAST_TASKS} submitted transcriptions have a measured time.",
    )
    words["Ended"] = st.column_config.TextColumn(
        "Ended", width=WORDS["Ended"], help="Whose claim expired or was returned. Their edges are kept."
    )
    words[NOT_BLIND] = st.column_config.TextColumn(
        NOT_BLIND,
        width=WORDS[NOT_BLIND],
        help="Who saw another transcription or an imported graph of the figure before submitting, and when first.",
    )
    picture = st.column_config.ImageColumn(THUMBNAIL, width=110)
    graph = st.column_config.ImageColumn(
        "Graph", width=110, help="The ground truth or, before it, the transcription that was submitted last."
    )
    return {"": opening, THUMBNAIL: picture, GRAPH: graph, **words, **numbers}


def queue_csv(shown: Sequence[QueueLine], figures: Mapping[str, ExpectedFigure]) -> bytes:
    cells = [(line.figure_id, *_cells(line, figures.get(line.figure_id))) for line in shown]
    rows = [["" if cell is None else str(cell) for cell in row] for row in cells]
    return table_bytes(("id", *(name.lower() for name in COLUMNS)), rows, safe=True)
