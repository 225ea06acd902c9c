"""Tables of the Agreement screen and their open cell."""

from __future__ import annotations

from dataclasses import dataclass

from components import state
from components.widgets.cells import choose_cell
from components.widgets.charts import show_chart
from core.adjudication.differences import DifferenceKind
from core.agreement.counts import Element, Measure
from core.agreement.disagreements import kinds_behind
from core.agreement.edges import View
from core.agreement.over_graphs import OverGraphs
from core.agreement.study_tables import TABLE_21, AgreementTable, GridLine, is_distance, worst_first
from core.analysis.charts import Chart, Point
from core.words import sentence_case
from pages.agreement.charts import agreement_chart, errors_chart
from pages.agreement.parts import (
    PAGE,
    TableChoice,
    cell_text,
    ends_of,
    explain_undefined,
    number,
    of_element,
    short,
)
from services.agreement import annotators
from services.agreement.annotators import StudyAgreement

# Differences behind each column of table 21.
OF_COUNTS = (
    (Element.NODES, frozenset(DifferenceKind)),
    (Element.EDGES, frozenset(DifferenceKind)),
    (Element.NODES, frozenset({DifferenceKind.NODE, DifferenceKind.NAME})),
    (Element.NODES, frozenset({DifferenceKind.NODE})),
    (Element.EDGES, frozenset({DifferenceKind.EDGE, DifferenceKind.REVERSED})),
    (Element.EDGES, frozenset({DifferenceKind.EDGE, DifferenceKind.REVERSED})),
)


@dataclass(frozen=True, slots=True)
class Opened:
    title: str
    cell: OverGraphs | None
    view: View
    figures: tuple[int, ...]
    kinds: frozenset[DifferenceKind]


def show(agreement: StudyAgreement, choice: TableChoice) -> Opened:
    return _counts(agreement, choice) if choice.part is AgreementTable.TABLE_21 else _measures(agreement, choice)


def _measures(agreement: StudyAgreement, choice: TableChoice) -> Opened:
    grid = annotators.table(agreement, choice.view, choice.part)
    cells = [line.cells for line in grid.lines]
    heads, columns = [_head(choice.part, line) for line in grid.lines], [_column(choice.part, c) for c in cells[0]]
    texts = [[cell_text(cell, choice.over) for cell in line] for line in cells]
    begin = (1, 2) if choice.part is AgreementTable.TABLE_20 else (0, 1 if choice.part is AgreementTable.MORE else 3)
    is_by_measure = choice.part in (AgreementTable.TABLE_20, AgreementTable.MORE)
    corner = grid.corner if is_by_measure else f"{grid.corner} (figures)"
    heads, columns = list(map(sentence_case, heads)), list(map(sentence_case, columns))
    titles = sentence_case(grid.corner), "Elements" if choice.part is AgreementTable.MORE else "Measure"
    points = [
        Point.of(head, column, estimate, number(estimate, cell.measure), ends_of(estimate, cell.measure))
        for head, line in zip(heads, cells, strict=True)
        for column, cell in zip(columns, line, strict=True)
        if not is_distance(cell.measure)
        for estimate in [cell.pooled if choice.over == "pooled" else cell.mean]
    ]
    title = f"{grid.title}, {'pooled' if choice.over == 'pooled' else 'mean over figures'}"
    _show_chart(agreement_chart(title, titles, points), choice, heads, columns)
    place = _place(corner, heads, columns, texts, choice, begin)
    explain_undefined(texts)
    cell, line = cells[place[0]][place[1]], grid.lines[place[0]]
    counts = [row.counts for row in agreement.rows(choice.view)]
    behind = set(line.figures)
    order = [figure for figure in worst_first(counts, cell.element, cell.measure) if figure in behind]
    title = of_element(cell.measure, cell.element) + ("" if is_by_measure else f", {line.head}")
    return Opened(sentence_case(title), cell, choice.view, tuple(order), kinds_behind(cell.element, cell.measure))


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


def _counts(agreement: StudyAgreement, choice: TableChoice) -> Opened:
    lines = annotators.table_21(agreement, choice.view)
    texts = [[f"{count:,}" for count in line.cells] for line in lines]
    heads, columns = [sentence_case(line.head) for line in lines], list(map(sentence_case, TABLE_21))
    of_figures = [line.cells for line in lines if line.figure is not None]
    _show_chart(errors_chart(heads[: len(of_figures)], columns, of_figures), choice, heads, columns)
    place = _place("Figure, worst first", heads, columns, texts, choice, (0, 0))
    line, (_element, kinds) = lines[place[0]], OF_COUNTS[place[1]]
    ordered = tuple(each.figure for each in lines if each.figure is not None)
    figures = ordered if line.figure is None else (line.figure,)
    title = "All differences" if kinds == frozenset(DifferenceKind) else TABLE_21[place[1]]
    return Opened(f"{title}, all figures" if line.figure is None else title, None, choice.view, figures, kinds)


def _place(
    corner: str,
    heads: list[str],
    columns: list[str],
    texts: list[list[str]],
    choice: TableChoice,
    begin: tuple[int, int],
) -> tuple[int, int]:
    linked = tuple(state.read_param(name) for name in ("line", "column"))
    initial = tuple(
        int(text) if text.isdecimal() and len(text) < 6 else first for text, first in zip(linked, begin, strict=True)
    )
    place = choose_cell(
        sentence_case(corner),
        heads,
        columns,
        texts,
        name=_name(choice),
        begin=(initial[0], initial[1]),
    )
    for name, now, first in zip(("line", "column"), place, begin, strict=True):
        state.write_param(name, "" if now == first else str(now))
    return place


def _show_chart(chart: Chart, choice: TableChoice, heads: list[str], columns: list[str]) -> None:
    show_chart(chart, f"{_name(choice)}.chart", _name(choice), tuple(heads), tuple(columns))


def _name(choice: TableChoice) -> str:
    return state.key(PAGE, f"cell.{choice.part.value}")
