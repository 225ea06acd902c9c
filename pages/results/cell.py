"""The open cell: its value with interval, what is in it and what is not, and the answers it is made of."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_line
from components.widgets.copy_link import copy_link
from components.widgets.number_table import number_table
from core.analysis.groupings import MINUS
from core.analysis.printed import label_of, shown, shown_interval
from core.analysis.slices import Slice
from core.people import Viewer
from core.words import counted, sentence_case
from pages.failures import paging
from pages.failures.neighbours import side_text
from pages.failures.parts import PER_PAGE, score_head, table_of
from pages.results import reliability
from pages.results.parts import PAGE, Picked
from services.runs import failures
from services.runs.views import SCORE, FailureLine

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
    if cell.item_ids:
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
    if picked.table.is_of_pairs:
        _side_by_side(page.lines, picked.row)
    st.markdown(f"**{'Answers of both sides' if picked.table.is_of_pairs else 'Items in this cell'}: {page.total:,}**")
    opened = choose_line(
        [line.item_id for line in page.lines],
        {column: rows[column] for column in heads if column in rows},
        name=name,
        verb="Open",
    )
    paging.buttons(key, page.total, number)
    if opened:
        place = [line.item_id for line in page.lines].index(opened)
        state.write_param("item", opened)
        state.write_param("at", str((number - 1) * PER_PAGE + place))
        st.rerun()


def _side_by_side(lines: Sequence[FailureLine], row: str) -> None:
    """Open the answers of two models, or repeats, question by question; two variants have no list of their own."""
    sides = sides_of(lines, row)
    if len(sides) != 2:
        return
    first, second = sides
    params = {"show": "compare", "a": first, "b": second}
    for name, values in (("task", {line.task for line in lines}), ("variant", {line.variant for line in lines})):
        params |= {name: values.pop()} if len(values) == 1 else {}
    links.page_button("Compare answers", "failures", params, key=state.key(PAGE, "compare"))


def sides_of(lines: Sequence[FailureLine], row: str) -> list[str]:
    """Return the sides of answers as links hold them, that which the label of a pair names first before the other."""
    named = row.partition(MINUS)[0]

    def place(line: FailureLine) -> tuple[bool, int]:
        return named not in (line.model, f"{line.model} (run {line.run_number})"), line.repeat

    return list(dict.fromkeys(side_text(line.run_id, line.model, line.repeat) for line in sorted(lines, key=place)))
