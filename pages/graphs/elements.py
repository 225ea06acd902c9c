"""Table of all edges and nodes of two graphs with their classes; the chosen one is highlighted in the figure."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import state
from components.graph.view import NodeStyle, StyledEdge, ViewNode, interactive_html
from components.widgets.choosing import choose_id, choose_line
from components.widgets.downloads import content_on_click
from core.graphs.compare import ComparedEdge, ComparedNode, ElementOutcome
from core.people import Viewer
from pages.graphs.downloads import interactive_button
from pages.graphs.parts import OPEN, PAGE, Light, sign_mark
from services.graphs import comparing, files
from services.graphs.comparing import GraphComparison

BOX = state.key(PAGE, "element")
ASKED = state.key(PAGE, "element.asked")
# Order of classes: those to check first.
ORDER = (ElementOutcome.REVERSED, ElementOutcome.SPURIOUS, ElementOutcome.MISSED, ElementOutcome.MATCHED)


def node_id(name: str) -> str:
    return f"node {name}"


def edge_id(pair: tuple[str, str]) -> str:
    """Return the figure's ID of an edge; names contain no line break."""
    return f"edge {pair[0]}\n{pair[1]}"


def ask_about(element: str) -> None:
    """Select an element in the table at the next rerun."""
    st.session_state[ASKED] = element


def show(viewer: Viewer, comparison: GraphComparison) -> Light:
    classes = [outcome for outcome in ORDER if any(outcome is each.outcome for each in _all(comparison))]
    classes_chosen = st.pills(
        "Labels",
        classes,
        selection_mode="multi",
        key=state.key(PAGE, "classes"),
        format_func=lambda outcome: outcome.value,
        label_visibility="collapsed",
    )
    elements = [each for each in _all(comparison) if not classes_chosen or each.outcome in classes_chosen]
    elements.sort(key=lambda each: ORDER.index(each.outcome))
    requested = st.session_state.pop(ASKED, None)
    ids = [_id(each) for each in elements]
    if requested in ids:
        choose_id(BOX, requested, ids, "Label")
    text = st.column_config.TextColumn
    chosen = choose_line(
        ids,
        {
            "Label": [each.outcome.value for each in elements],
            "Sign": [_signs(each) for each in elements],
            "Edge or node": [_words(each) for each in elements],
        },
        name=BOX,
        chosen=state.read_param("element"),
        columns={"Label": text(width=80), "Sign": text(width=60), "Edge or node": text(width="large")},
    )
    state.write_param("element", chosen or "")
    _download(viewer, comparison)
    edge = next((each for each in elements if isinstance(each, ComparedEdge) and _id(each) == chosen), None)
    if edge is not None:
        return Light(frozenset({edge_id(edge.pair), *(node_id(name) for name in edge.pair)}))
    return Light(around(comparison, chosen.removeprefix("node ")), centre=chosen) if chosen else Light()


def around(comparison: GraphComparison, *names: str) -> frozenset[str]:
    """Return the IDs to highlight for nodes: the nodes, edges at them, and the other ends."""
    touching = [edge.pair for edge in comparison.result.edges if set(names) & set(edge.pair)]
    ends = {node_id(name) for pair in touching for name in pair}
    return frozenset({*(node_id(name) for name in names), *map(edge_id, touching), *ends})


Element = ComparedEdge | ComparedNode


def _all(comparison: GraphComparison) -> list[Element]:
    return [*comparison.result.edges, *comparison.result.nodes]


def _id(element: Element) -> str:
    return edge_id(element.pair) if isinstance(element, ComparedEdge) else node_id(element.name)


def _words(element: Element) -> str:
    return " → ".join(element.pair) if isinstance(element, ComparedEdge) else element.name


def _signs(element: Element) -> str:
    if isinstance(element, ComparedNode):
        return ""
    own, other = sign_mark(element.reference_sign), sign_mark(element.candidate_sign)
    if element.outcome is ElementOutcome.MATCHED:
        return own if own == other else f"{own} → {other}"
    sign = own if element.outcome is ElementOutcome.MISSED else other
    return "" if sign == OPEN else sign


def view_of_pair(comparison: GraphComparison, view: str = "Both") -> tuple[list[ViewNode], list[StyledEdge]]:
    styles: dict[ElementOutcome, NodeStyle] = {
        ElementOutcome.MATCHED: "matched",
        ElementOutcome.MISSED: "missed",
        ElementOutcome.SPURIOUS: "spurious",
    }
    nodes = [
        ViewNode(node_id(node.name), node.name, styles[node.outcome], comparing.badge_of(node))
        for node in comparison.result.nodes
    ]
    return nodes, [_edge(edge, view) for edge in comparison.result.edges]


def _edge(edge: ComparedEdge, view: str) -> StyledEdge:
    """Style an edge with the sign of the viewed graph; if both are shown, a difference is noted."""
    reference_sign, candidate_sign = edge.reference_sign, edge.candidate_sign
    is_truth = edge.outcome is ElementOutcome.MISSED or (
        edge.outcome is ElementOutcome.MATCHED and view != "Prediction"
    )
    sign = reference_sign if is_truth else candidate_sign
    words = comparing.difference(edge) if view == "Both" else ""
    source, sink = (node_id(name) for name in edge.pair)
    return StyledEdge(
        id=edge_id(edge.pair),
        source_id=source,
        sink_id=sink,
        sign=sign,
        style=edge.outcome.value,
        differs=words,
    )


def _download(viewer: Viewer, comparison: GraphComparison) -> None:
    ends = (comparison.reference.id, comparison.candidate.id)
    title = comparing.title_of_pair(comparison)
    row = st.container(horizontal=True)
    row.download_button(
        "Download table (CSV)",
        content_on_click(comparing.export_comparison, viewer, *ends),
        files.file_name(title, ".csv"),
        "text/csv",
        key=state.key(PAGE, "elements.csv"),
        on_click="ignore",
        help="Every element with its label, for spreadsheets",
    )
    for form, media_type in files.PICTURES.items() if comparison.places else ():
        row.download_button(
            form.upper(),
            content_on_click(comparing.picture, viewer, *ends, form),
            files.file_name(title, f".{form}"),
            media_type,
            key=state.key(PAGE, f"elements.{form}"),
            on_click="ignore",
            help="Both graphs, with a legend",
        )
    if comparison.places:
        with row:
            interactive_button(files.file_name(title, ".html"), partial(_interactive, viewer, *ends))


def _interactive(viewer: Viewer, reference_id: str, candidate_id: str) -> str:
    pair = comparing.open_drawn(viewer, reference_id, candidate_id)
    places = {node_id(name): point for name, point in pair.places.items()}
    return interactive_html(*view_of_pair(pair), places, comparing.title_of_pair(pair))
