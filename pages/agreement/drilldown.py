"""Drill-down of an open cell: its figures, worst first, and how the two transcriptions differ."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets.cells import WRAPPED_PX
from components.widgets.choosing import choose_line
from core.adjudication.differences import DifferenceKind
from core.agreement.counts import measured
from core.agreement.disagreements import ABSENT, Disagreement
from core.people import Permission, Viewer
from core.words import counted, sentence_case
from pages.agreement.parts import NOT_BLIND, PAGE, interval, number, short
from pages.agreement.tables import Opened
from services.agreement import annotators
from services.agreement.annotators import AgreedFigure, StudyAgreement
from services.agreement.files import why

COLUMN_PX = (90, 150, 85, 85)
"""Kind, element, A and B: all of them in view at 1440 px."""
RIGHT = st.column_config.TextColumn(alignment="right")
WORDS = {
    DifferenceKind.NAME: "name",
    DifferenceKind.NODE: "node",
    DifferenceKind.EDGE: "edge",
    DifferenceKind.REVERSED: "direction",
    DifferenceKind.SIGN: "sign",
    DifferenceKind.DELAY: "delay",
}


def figures(agreement: StudyAgreement, opened: Opened) -> AgreedFigure | None:
    """Draw the figures of the cell, worst first; return the chosen one, initially the worst."""
    behind = {agreement.figures[place].figure_id: agreement.figures[place] for place in opened.figures}
    figure_id: str | None = next(iter(behind), None)
    if len(behind) > 1:
        linked = state.read_param("figure")
        first = figure_id or ""
        listed = list(behind.values())
        cells = {
            "Figure": [figure.title for figure in listed],
            "A, B": [f"{_marked(figure, figure.first)}, {_marked(figure, figure.second)}" for figure in listed],
        }
        if opened.cell is not None:
            cell = opened.cell
            estimates = [measured(figure.counts[opened.view], cell.element, cell.measure) for figure in listed]
            cells[short_of(opened)] = [number(each, cell.measure, is_total=True) for each in estimates]
        cells["Differences"] = [str(len(_behind(figure, opened))) for figure in listed]
        st.markdown(f"**Figures in this cell: {len(behind):,}, worst first**")
        figure_id = choose_line(
            list(behind),
            cells,
            name=state.key(PAGE, "figure"),
            chosen=linked if linked in behind else first,
            columns={
                "Figure": st.column_config.TextColumn(width="large"),
                short_of(opened): RIGHT,
                "Differences": RIGHT,
            },
        )
        state.write_param("figure", figure_id if figure_id and figure_id != first else "")
    return behind.get(figure_id or "")


def show(viewer: Viewer, opened: Opened, figure: AgreedFigure | None) -> None:
    st.markdown(f"**{shell.escaped(opened.title)}**")
    cell = opened.cell
    if cell is not None:
        mean, pooled = cell.mean, cell.pooled
        lines = []
        if mean.value is not None:
            spread = f"mean **{number(mean, cell.measure)}** ± {number(cell.sd, cell.measure)} (population sd)"
            lines.append(f"{spread} over {counted(mean.n or 0, 'figure')} {_bounds(interval(mean, cell.measure))}")
        if pooled.value is not None:
            total, ends = (form(pooled, cell.measure, is_total=True) for form in (number, interval))
            lines.append(f"pooled **{total}** {_bounds(ends)}")
        st.markdown("  \n".join(line.rstrip() for line in lines))
        notes = [cell.measure.value] if short(cell.measure) != cell.measure.value else []
        notes += [why(cell)] if why(cell) else []
        if notes:
            st.caption(". ".join(map(shell.escaped, notes)) + ".")
    if figure is not None:
        _figure(viewer, figure, opened)


def _bounds(text: str) -> str:
    return f"[{text}]" if text else ""


def _marked(figure: AgreedFigure, who: str) -> str:
    return f"{who} {NOT_BLIND}" if who in figure.looked else who


def short_of(opened: Opened) -> str:
    return sentence_case(short(opened.cell.measure)) if opened.cell is not None else "Value"


def _behind(figure: AgreedFigure, opened: Opened) -> list[Disagreement]:
    return [each for each in figure.disagreements if each.kind in opened.kinds]


def _figure(viewer: Viewer, figure: AgreedFigure, opened: Opened) -> None:
    annotators.record_exposure(viewer, figure.figure_id)
    behind = _behind(figure, opened)
    rest = len(figure.disagreements) - len(behind)
    st.markdown(f"**{shell.escaped(figure.title)}**")
    if figure.looked:
        who = " and ".join(figure.looked)
        st.caption(
            f":material/visibility: Not fully blind: {who} had seen another transcription or an imported graph of "
            "this figure before submitting."
        )
    with_rest = False
    if rest:
        with_rest = st.toggle(f"Show {counted(rest, 'difference')} outside this cell", key=state.key(PAGE, "all"))
    listed = list(figure.disagreements) if with_rest else behind
    if listed:
        table = _table(listed, figure)
        st.dataframe(
            table,
            column_config={
                name: st.column_config.TextColumn(width=width) for name, width in zip(table, COLUMN_PX, strict=True)
            },
            hide_index=True,
            height="content" if len(listed) <= 5 else 385,
            row_height=WRAPPED_PX,
            key=state.key(PAGE, f"differences.{figure.figure_id}.{with_rest}"),
        )
    else:
        st.caption("No difference in this cell.")
    with st.container(horizontal=True, key=state.key(PAGE, "ways")):
        if viewer.may(Permission.ADJUDICATE):
            links.page_button(
                "Adjudicate figure", "adjudicate", {"figure": figure.figure_id}, key=state.key(PAGE, "adjudicate")
            )
        links.page_button(
            "Compare graphs",
            "graphs",
            {"graph": figure.first_graph, "with": figure.second_graph},
            key=state.key(PAGE, "compare"),
        )


def _table(listed: list[Disagreement], figure: AgreedFigure) -> dict[str, list[str]]:
    return {
        "Kind": [WORDS[each.kind] if each.name_class is None else each.name_class.value for each in listed],
        "Element": [_element(each) for each in listed],
        f"A ({_marked(figure, figure.first)})": [
            "" if each.name_class else _side_text(each, each.first) for each in listed
        ],
        f"B ({_marked(figure, figure.second)})": [
            "" if each.name_class else _side_text(each, each.second) for each in listed
        ],
    }


def _side_text(disagreement: Disagreement, word: str) -> str:
    """Format one annotator's side; files retain the en dash."""
    if word != ABSENT:
        return word
    return "no delay" if disagreement.kind is DifferenceKind.DELAY else "not drawn"


def _element(disagreement: Disagreement) -> str:
    if disagreement.name_class is not None:
        return f"“{disagreement.first}”, “{disagreement.second}”"
    return f"{disagreement.source} → {disagreement.sink}" if disagreement.sink else disagreement.source
