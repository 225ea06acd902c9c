"""The open table of the Results screen, and which of its cells is open."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import product

import streamlit as st

from components import shell, state
from components.widgets.cells import choose_cell
from components.widgets.charts import show_chart
from components.widgets.data_page import data_page
from core.analysis.headline import Finding, findings, headline, only_label_words
from core.analysis.printed import label_of, shown
from core.analysis.table_charts import chart_of
from core.analysis.tables import Lead, ResultTable, few
from core.words import counted
from pages.results.method_notes import method_notes
from pages.results.parts import PAGE, SAYS, Picked, cell_text, linked_choice
from services.results.files import asked_again_words
from services.results.results import PresetView

MOST_SUMS = 6
MOST_FOUND = 3
"""Pairs that the sentence above a table describes."""


def show(tables: Sequence[ResultTable], preset: PresetView) -> Picked:
    """Draw it below its sentence and its chart; which table, what its cells say and the open cell go into the link."""
    with st.container(horizontal=True, vertical_alignment="bottom", key=state.key(PAGE, "switches")):
        table = _table(tables, preset.key)
        says = linked_choice("Cells", "says", SAYS, "value", shows_label=False)
    is_confusion = preset.key == "confusion"
    name = state.key(PAGE, f"cell.{preset.key}.{table.title}.{_labels_of(table)}")
    heads, columns = tuple(map(label_of, table.row_labels)), tuple(map(label_of, table.column_labels))
    linked = tuple(state.read_param(name) for name in ("line", "column"))
    first = _first_defined(table)
    begin = tuple(
        int(text) if text.isdecimal() and len(text) < 6 else place for text, place in zip(linked, first, strict=True)
    )
    sentence = _sentence(table, "Confusion matrix: " if is_confusion else "")
    with data_page(sentence, method_notes(tables, preset), key=PAGE):
        show_chart(chart_of(table, preset.chart, preset.in_time), f"{name}.chart", name, heads, columns)
        row, column = choose_cell(
            f"{table.row_title} \u2193 {table.column_title.lower()} \u2192" if is_confusion else table.row_title,
            heads,
            columns,
            [
                [cell_text(table.cells[row, column], table.figure(column), says) for column in table.column_labels]
                for row in table.row_labels
            ],
            name=name,
            begin=(begin[0], begin[1]),
        )
        notes = [("", table.undefined_words), *(("", words) for words in _sums(table))]
        notes += [(":material/info: ", table.uneven), (":material/replay: ", asked_again_words(table))]
        lines = [f"{icon}{shell.escaped(words)}" for icon, words in notes if words]
        if lines:
            st.caption("  \n".join(lines))
    for name, now, usual in zip(("line", "column"), (row, column), first, strict=True):
        state.write_param(name, "" if now == usual else str(now))
    return Picked(table, table.row_labels[row], table.column_labels[column])


def _sentence(table: ResultTable, before: str) -> str:
    """The side or model that is ahead and whether it differs from the next; of other tables the lowest and the highest
    value of the main figure; of what, and what is left out."""
    about, compared = headline(table), findings(table)
    named = f"**{before}{shell.escaped(table.title)}**"
    if not about.ends:
        return f"{named}: no value is defined, {shell.escaped(table.of)}."

    def words(place: tuple[str, str]) -> str:
        of = " · ".join(map(label_of, place if about.is_in_columns else place[:1]))
        return f"**{shown(table.cells[place].estimate, about.figure)}** ({shell.escaped(of)})"

    samples = f"{shell.escaped(table.of)} · {counted(table.samples, 'sample')}"
    if about.asked is not None and not table.is_of_pairs:
        left_out = f", {about.left_out:,} of them not scored" if about.left_out else ""
        samples += f", {counted(about.asked, 'answer')}{left_out}"
    only = only_label_words(table)
    samples += f" · {shell.escaped(only)}" if only else ""
    if not compared:
        return f"{named}: {' to '.join(map(words, about.ends))} · {samples}"
    sentences = [_found(each) for each in compared[:MOST_FOUND]]
    left = len(compared) - MOST_FOUND
    sentences += [f"{counted(left, 'more pair')} in the table"] if left > 0 else []
    lead = table.lead
    if lead is None:
        return f"{named}: {'; '.join(sentences)} · {samples}"

    def of(row: str) -> str:
        return f"{shell.escaped(row)} ({shown(table.cells[row, lead.column].estimate, table.figure(lead.column))})"

    where = "" if len(table.column_labels) < 2 or table.figures else f", {shell.escaped(label_of(lead.column))}"
    best, second = of(lead.best), of(lead.second)
    if lead.baseline and _value(table, lead.baseline, lead) >= _value(table, lead.best, lead):
        models = second if lead.baseline == lead.best else f"{best}, then {second}"
        order = f"**no model beats the baseline {of(lead.baseline)}**; best model {models}"
    elif lead.baseline == lead.second:
        order = f"best **{best}**, then the baseline {second}"
    else:
        order = f"best **{best}**, then {second}" + (f"; best baseline: {of(lead.baseline)}" if lead.baseline else "")
    return f"{named}{where}: {order} · {sentences[0]} · {samples}"


def _value(table: ResultTable, row: str, lead: Lead) -> float:
    return table.cells[row, lead.column].estimate.value or 0.0


def _found(each: Finding) -> str:
    words = shell.escaped(each.words)
    return f"**{words}**{shell.escaped(f'{each.words}{each.numbers}').removeprefix(words)}"


def _first_defined(table: ResultTable) -> tuple[int, int]:
    """The cell that is open at first: the first that has a value."""
    places = product(range(len(table.row_labels)), range(len(table.column_labels)))
    defined = (
        (row, column)
        for row, column in places
        if table.cells[table.row_labels[row], table.column_labels[column]].estimate.value is not None
    )
    return next(defined, (0, 0))


def _table(tables: Sequence[ResultTable], preset: str) -> ResultTable:
    """One of the tables of the preset; kept in the link by its place."""
    if len(tables) == 1:
        return tables[0]
    key = state.key(PAGE, f"part.{preset}")
    if not isinstance(st.session_state.get(key), int) or st.session_state[key] >= len(tables):
        linked = state.read_param("part")
        place = int(linked) if linked.isdecimal() and len(linked) < 4 else 0
        st.session_state[key] = place if place < len(tables) else 0
    found = st.selectbox(
        "Table", range(len(tables)), key=key, format_func=lambda place: _title(tables, place), width=320
    )
    state.write_param("part", str(found) if found else "")
    return tables[found]


def _title(tables: Sequence[ResultTable], place: int) -> str:
    """A table's title; with its columns where another has the same."""
    table = tables[place]
    alike = [each for each in tables if each.title == table.title]
    return table.title if len(alike) == 1 else f"{table.title}, by {table.column_title.lower()}"


def _labels_of(table: ResultTable) -> int:
    """A mark of the labels: a box keeps showing a label's old text when other runs give it another."""
    return zlib.crc32(repr((table.row_labels, table.column_labels)).encode())


def _sums(table: ResultTable) -> list[str]:
    """List what the answers of each row count for, where not all of them have a score of their own."""
    sums = table.sums
    lines = [f"{few(list(map(label_of, rows)))}: {counts}." for counts, rows in list(sums.items())[:MOST_SUMS]]
    return (
        [*lines, f"{counted(len(sums) - MOST_SUMS, 'more line')} like these: see the CSV."]
        if len(sums) > MOST_SUMS
        else lines
    )
