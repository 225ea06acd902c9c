"""Two graphs on one picture: matched, missed and spurious elements, scores and names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from components import shell, state
from components.graph.view import Style, graph_view
from components.widgets import acts
from core.errors import EdgewiseError
from core.graphs.layouts.layout import Point
from core.people import Viewer
from core.words import sentence_case
from pages.graphs import elements, names, scores
from pages.graphs.comparison_choice import compare
from pages.graphs.elements import node_id
from pages.graphs.parts import PAGE, Light, all_graphs, open_link
from services.graphs import comparing, lab
from services.graphs.comparing import GraphComparison
from services.graphs.visibility import MOST_DRAWN

# Styles that each view hides, by its name in links.
HIDDEN: dict[str, tuple[Style, ...]] = {"Both": (), "Truth": ("spurious", "reversed"), "Prediction": ("missed",)}
HEIGHT = 560
FAILED = state.key(PAGE, "failed")


def show(viewer: Viewer, reference_id: str, candidate_id: str) -> None:
    comparison = comparing.comparison(viewer, reference_id, candidate_id)
    ends = (comparison.reference.id, comparison.candidate.id)
    with shell.top_row("Compare", acts.last_receipt(names.scope(*ends))):
        st.button(
            "Swap graphs",
            key=state.key(PAGE, "swap"),
            icon=":material/swap_horiz:",
            on_click=compare,
            args=ends[::-1],
            help=f"Use the {comparison.ends.candidate} as {comparison.ends.reference}",
        )
        all_graphs()
    with st.container(horizontal=True, gap="small", key=state.key(PAGE, "ends")):
        for end, word, head in zip(
            ("Truth", "Prediction"), comparison.ends, (comparison.reference, comparison.candidate), strict=True
        ):
            st.button(
                f"{sentence_case(word)}: **{shell.escaped(head.title)}**",
                type="tertiary",
                key=state.key(PAGE, f"open.{end}"),
                on_click=open_link,
                kwargs={"graph": head.id},
                help="Open graph",
            )
    left, right = st.columns([3, 2], gap="medium")
    with right:  # first, because it determines what is highlighted
        linked = state.read_param("part")
        chosen = st.segmented_control(
            "Comparison",
            list(PARTS),
            default=linked if linked in PARTS else "Scores",
            key=state.key(PAGE, "compare.part"),
            label_visibility="collapsed",
            required=True,
        )
        state.write_param("part", chosen or "")
        light = Light()
        with shell.boundary():
            light = PARTS[chosen or "Scores"](viewer, comparison)
    with left:
        _figure(viewer, comparison, light)


PARTS: dict[str, Callable[[Viewer, GraphComparison], Light]] = {
    "Scores": scores.show,
    "Names": names.show,
    "Elements": elements.show,
}


# --- the picture --------------------------------------------------------------------------------------------------


def _figure(viewer: Viewer, comparison: GraphComparison, light: Light) -> None:
    if not comparison.places:
        st.info(
            f"Together, the two graphs have {len(comparison.result.nodes):,} nodes; at most {MOST_DRAWN} are drawn. "
            "Elements lists all of them.",
            icon=":material/table:",
        )
        return
    labels = {"Both": "Both", "Truth": comparison.ends.reference, "Prediction": comparison.ends.candidate}
    linked = state.read_param("show")
    shown = st.segmented_control(
        "Show",
        list(HIDDEN),
        format_func=lambda view: sentence_case(labels[view]),
        default=linked if linked in HIDDEN else "Both",
        key=state.key(PAGE, "show"),
        label_visibility="collapsed",
        required=True,
    )
    view = shown or "Both"
    state.write_param("show", "" if view == "Both" else view)
    ids = comparison.reference_ids
    chosen = graph_view(
        *elements.view_of_pair(comparison, view),
        {node_id(name): point for name, point in comparison.places.items()},
        key=state.key(PAGE, f"figure.{comparison.reference.id}.{comparison.candidate.id}"),
        height=HEIGHT,
        lit=light.ids,
        hidden=HIDDEN[view],
        centre=light.centre,
        ends=comparison.ends,
        on_moved=partial(_moved, viewer, comparison.reference.id, ids) if comparison.reference.may_move else None,
    )
    failed = st.session_state.pop(FAILED, None)
    if failed:
        st.caption(f":material/error: {shell.escaped(failed)}")
    key = state.key(PAGE, "clicked")
    if chosen is None or st.session_state.get(key) == chosen.n:
        return
    st.session_state[key] = chosen.n
    if state.read_param("part") == "Elements":
        elements.ask_about(chosen.id)
        st.rerun(scope="fragment")


def _moved(viewer: Viewer, graph_id: str, ids: Mapping[str, str], places: dict[str, Point]) -> None:
    """Store dragged places of the reference; nodes of the candidate alone are placed by their neighbours next time."""
    own = {ids[name]: places[node_id(name)] for name in ids if node_id(name) in places}
    try:
        lab.keep_places(viewer, graph_id, own)
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
