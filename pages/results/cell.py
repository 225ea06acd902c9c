"""The open cell: its value with interval, what is in it and what is not, and the answers it is made of."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_line
from components.widgets.copy_link import copy_link
from components.widgets.number_table import number_table
from core.analysis.printed import label_of, shown, shown_interval
from core.analysis.slices import Slice
from core.people import Viewer
from core.words import counted, sentence_case
from pages.failures import paging
from pages.failures.neighbours import side_text
from pages.failures.parts import (
    PER_PAGE,
    TALLEST,
    columns_of,
    predicted,
    result_of,
    score_head,
    score_of,
    table_of,
)
from pages.results import reliability
from pages.results.parts import PAGE, Picked
from services.failures import failures
from services.runs.views import SCORE, FailureLine

MOST_LINES = 500
"""Answers that are read at a time."""
COLUMNS = ("Result", "True", "Predicted", SCORE, "Model", "Sample", "Year", "Run")


def show(viewer: Viewer, runs: Sequence[str], preset: str, wanted: Slice, picked: Picked) -> None:
    cell, table = picked.cell, picked.table
    row, column = label_of(picked.row), label_of(picked.column)
    heading = shell.escaped(f"{table.row_title}: {row} · {table.column_title}: {column}")
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "cell.head")):
        st.markdown(f"**{heading}**", width="stretch")
        copy_link(PAGE)
    figure = table.figure(picked.column)
    interval = shown_interval(cell.estimate, figure)
    within = f" [95%: {interval}]" if interval else ""
    st.markdown(f"{shell.escaped(figure.title)} **{shown(cell.estimate, figure)}**{within}")
    again = f", {cell.asked_again:,} asked again" if cell.asked_again else ""
    st.caption(f"{cell.counts}{again}")
    if cell.estimate.reason:
        st.caption(shell.escaped(cell.estimate.reason[0].upper() + cell.estimate.reason[1:]) + ".")
    if len(cell.statuses) > 1:
        number_table(
            {sentence_case(status): [f"{number:,}"] for status, number in cell.statuses.items()},
            key=state.key(PAGE, "statuses"),
            words=(),
        )
    if preset == "calibration":
        reliability.show(viewer, runs, wanted, picked.row)
    if cell.places:
        _both_sides(viewer, picked)
    elif cell.item_ids:
        _behind(viewer, picked)


def _behind(viewer: Viewer, picked: Picked) -> None:
    """The answers of the cell; one opens whole, and from it the next."""
    ids = picked.cell.item_ids
    key = state.key(PAGE, f"page.{zlib.crc32(repr((picked.row, picked.column, picked.table.title)).encode())}")
    number = paging.number(key)
    page = failures.lines(viewer, ids, offset=(number - 1) * PER_PAGE, limit=PER_PAGE)
    rows, score = table_of(page.lines), score_head(page.lines)
    heads = [score if column == SCORE else column for column in COLUMNS]
    if {line.model for line in page.lines} <= {picked.row, picked.column}:  # the heading names it
        heads.remove("Model")
    name = f"{key}.line.{number}"
    if page.withholds and page.total < len(ids):
        few = counted(len(ids) - page.total, "item")
        st.caption(
            f"{few} about the sheet of verdicts that you are labelling: left out until you have compared all of it."
        )
    st.markdown(f"**Items in this cell: {page.total:,}**")
    opened = choose_line(
        [line.item_id for line in page.lines],
        {column: rows[column] for column in heads if column in rows},
        name=name,
        columns=columns_of(page.lines),
        tallest=TALLEST,
        verb="Open",
    )
    paging.buttons(key, page.total, number)
    if opened:
        place = [line.item_id for line in page.lines].index(opened)
        state.write_param("item", opened)
        state.write_param("at", str((number - 1) * PER_PAGE + place))
        st.rerun()


def _both_sides(viewer: Viewer, picked: Picked) -> None:
    """The questions of the cell, a line for each, with the answers of both sides in columns of their own."""
    cell = picked.cell
    questions = cell.questions
    key = state.key(PAGE, f"page.{zlib.crc32(repr((picked.row, picked.column, picked.table.title)).encode())}")
    number = paging.number(key)
    shown = questions[(number - 1) * PER_PAGE : number * PER_PAGE]
    lines: dict[str, FailureLine] = {}
    ids = [item_id for question in shown for side in question for item_id in side]
    for start in range(0, len(ids), MOST_LINES):
        page = failures.lines(viewer, ids[start : start + MOST_LINES], limit=MOST_LINES)
        lines |= {line.item_id: line for line in page.lines}
    rows = [tuple([lines[each] for each in side if each in lines] for side in question) for question in shown]
    rows = [row for row in rows if all(row)]
    first = [row[0][0] for row in rows]
    _compare(list(lines.values()), rows)
    st.markdown(f"**Samples in this cell: {len(questions):,}**")
    summary = table_of(first)
    columns = {"Sample": summary.get("Sample", []), "True": summary.get("True", [])}
    for place, side in enumerate(cell.sides):
        columns[side] = ["; ".join(map(_answer_words, row[place])) for row in rows]
    if len({line.task for line in first} | {line.variant for line in first}) > 2:
        columns["Task"] = summary["Task"]
    opened = choose_line(
        [line.item_id for line in first],
        {name: values for name, values in columns.items() if any(values)},
        name=f"{key}.line.{number}",
        columns=columns_of(first),
        tallest=TALLEST,
        verb="Open",
    )
    paging.buttons(key, len(questions), number)
    if opened:
        place = [line.item_id for line in first].index(opened)
        state.write_param("item", opened)
        state.write_param("with", rows[place][1][0].item_id)
        state.write_param("at", str((number - 1) * PER_PAGE + place))
        st.rerun()


def _answer_words(line: FailureLine) -> str:
    """An answer with its result or score: "False · wrong", "0.612"."""
    return " · ".join(filter(None, (predicted(line), result_of(line), score_of(line))))


def _compare(lines: Sequence[FailureLine], rows: Sequence[Sequence[Sequence[FailureLine]]]) -> None:
    """Open the answers of two models, or repeats, question by question; two variants have no list of their own."""
    sides = [
        list(dict.fromkeys(side_text(line.run_id, line.model, line.repeat) for row in rows for line in row[place]))
        for place in (0, 1)
    ]
    if [len(each) for each in sides] != [1, 1] or sides[0] == sides[1]:
        return
    params = {"show": "compare", "a": sides[0][0], "b": sides[1][0]}
    for name, values in (("task", {line.task for line in lines}), ("variant", {line.variant for line in lines})):
        params |= {name: values.pop()} if len(values) == 1 else {}
    links.page_button("Compare answers", "failures", params, key=state.key(PAGE, "compare"))
