"""The tables of the Agreement screen, and which cell of them is open."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components import shell, state
from components.widgets.cells import choose_cell
from core.adjudication.differences import Kind
from core.agreement.counts import Element, Measure
from core.agreement.disagreements import kinds_behind
from core.agreement.edges import View
from core.agreement.over_graphs import OverGraphs
from core.agreement.study_tables import TABLE_21, AgreementTable, GridLine, worst_first
from core.words import sentence_case
from pages.agreement.parts import NO_VALUE, PAGE, TableChoice, cell_text, of_element, short
from services.agreement import annotators
from services.agreement.annotators import StudyAgreement
from services.agreement.files import why

OF_COUNTS = (
    (Element.NODES, frozenset(Kind)),
    (Element.EDGES, frozenset(Kind)),
    (Element.NODES, frozenset({Kind.NODE, Kind.NAME})),
    (Element.NODES, frozenset({Kind.NODE})),
    (Element.EDGES, frozenset({Kind.EDGE, Kind.REVERSED})),
    (Element.EDGES, frozenset({Kind.EDGE, Kind.REVERSED})),
)
"""What lies behind the columns of table 21."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The cell that is open: what it is, its measure (None for a count), the figures behind it, the worst first, and
    the kinds of disagreement that lower it."""

    title: str
    cell: OverGraphs | None
    view: View
    figures: tuple[int, ...]
    kinds: frozenset[Kind]


def show(found: StudyAgreement, asked: TableChoice) -> Opened:
    """Draw the table that is asked for; the open cell goes into the link."""
    return _counts(found, asked) if asked.part is AgreementTable.TABLE_21 else _measures(found, asked)


def _measures(found: StudyAgreement, asked: TableChoice) -> Opened:
    made = annotators.table(found, asked.view, asked.part)
    cells = [line.cells for line in made.lines]
    heads, columns = [_head(asked.part, line) for line in made.lines], [_column(asked.part, c) for c in cells[0]]
    texts = [[cell_text(cell, asked.over) for cell in line] for line in cells]
    begin = (1, 2) if asked.part is AgreementTable.TABLE_20 else (0, 1 if asked.part is AgreementTable.MORE else 3)
    corner = made.corner if asked.part in (AgreementTable.TABLE_20, AgreementTable.MORE) else f"{made.corner} (figures)"
    place = _place(corner, heads, columns, texts, asked, begin)
    cell, line = cells[place[0]][place[1]], made.lines[place[0]]
    _undefined(cells, asked)
    counts = [row.counts for row in found.rows(asked.view)]
    behind = set(line.figures)
    order = [figure for figure in worst_first(counts, cell.element, cell.measure) if figure in behind]
    of = "" if asked.part in (AgreementTable.TABLE_20, AgreementTable.MORE) else f", {line.head}"
    title = f"{of_element(cell.measure, cell.element)}{of}"
    return Opened(sentence_case(title), cell, asked.view, tuple(order), kinds_behind(cell.element, cell.measure))


def _head(part: AgreementTable, line: GridLine) -> str:
    if part is AgreementTable.MORE:
        return short(line.cells[0].measure)
    return line.head if part is AgreementTable.TABLE_20 else f"{line.head} ({len(line.figures)})"


def _column(part: AgreementTable, cell: OverGraphs) -> str:
    if part is AgreementTable.TABLE_20:
        return short(cell.measure)
    if part is AgreementTable.MORE:
        return cell.element.value
    if cell.measure is Measure.NORMALISED_SHD:
        return f"SHD ÷ {cell.element.value}"
    return short(cell.measure) if cell.measure is Measure.KAPPA else of_element(cell.measure, cell.element)


def _counts(found: StudyAgreement, asked: TableChoice) -> Opened:
    lines = annotators.table_21(found, asked.view)
    texts = [[f"{count:,}" for count in line.cells] for line in lines]
    place = _place("Figure, worst first", [line.head for line in lines], list(TABLE_21), texts, asked, (0, 0))
    line, (_element, kinds) = lines[place[0]], OF_COUNTS[place[1]]
    ordered = tuple(each.figure for each in lines if each.figure is not None)
    figures = ordered if line.figure is None else (line.figure,)
    title = "All differences" if kinds == frozenset(Kind) else TABLE_21[place[1]]
    return Opened(f"{title}, all figures" if line.figure is None else title, None, asked.view, figures, kinds)


def _place(
    corner: str,
    heads: list[str],
    columns: list[str],
    texts: list[list[str]],
    asked: TableChoice,
    begin: tuple[int, int],
) -> tuple[int, int]:
    linked = tuple(state.read_param(name) for name in ("line", "column"))
    wanted = tuple(
        int(text) if text.isdecimal() and len(text) < 6 else first for text, first in zip(linked, begin, strict=True)
    )
    place = choose_cell(
        sentence_case(corner),
        [sentence_case(head) for head in heads],
        [sentence_case(column) for column in columns],
        texts,
        name=state.key(PAGE, f"cell.{asked.part.value}"),
        begin=(wanted[0], wanted[1]),
        words=("Row", "Column"),
    )
    for name, now, first in zip(("line", "column"), place, begin, strict=True):
        state.write_param(name, "" if now == first else str(now))
    return place


def _undefined(cells: list[tuple[OverGraphs, ...]], asked: TableChoice) -> None:
    """Why values are missing, once for each reason."""
    said: dict[str, list[str]] = {}
    for cell in (cell for line in cells for cell in line):
        if cell_text(cell, asked.over) == NO_VALUE and _is_news(cell):
            said.setdefault(why(cell), []).append(of_element(cell.measure, cell.element))
    if said:
        listed = "; ".join(f"{', '.join(dict.fromkeys(names))}: {reason}" for reason, names in said.items())
        st.caption(f"{NO_VALUE} means undefined. {shell.escaped(listed)}.")


def _is_news(cell: OverGraphs) -> bool:
    """Whether a missing value says something of this study: what no study can have needs a word once, in How."""
    of_edges_only = cell.element is not Element.EDGES and cell.measure not in (
        Measure.LABELS_EXACT,
        Measure.LABELS_TYPO,
        Measure.LABELS_MINOR,
    )
    is_label = cell.measure.value.startswith("labels")
    return not of_edges_only and not (is_label and cell.element is not Element.NODES)
