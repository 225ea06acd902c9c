"""Agreement of experts among themselves and with critics; each cell opens its triplets."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import links, shell, state
from components.widgets.data_page import data_page, how_computed
from components.widgets.downloads import content_on_click
from core.people import Permission, Viewer
from core.triplets.rubric import Boundary
from core.words import counted
from pages.agreement import rater_drilldown, rater_head, rater_how
from pages.agreement import rater_tables as agreement_rater_tables
from pages.agreement.parts import FORMS, PAGE, chosen
from services.agreement import rater_files, rater_tables, raters
from services.agreement import validation as validation_agreement
from services.agreement.rater_tables import RaterPart
from services.files import MEDIA
from services.triplets import lists

TABLES = {
    RaterPart.CRITICS: "Critics and experts",
    RaterPart.EXPERTS: "Among experts",
    RaterPart.VERDICTS: "Decisions",
    RaterPart.ICC: "ICC",
    RaterPart.PAIRS: "Pairs",
    RaterPart.VALIDATION: "Validation form",
}
BOUNDARIES = {Boundary.GE.value: "Accept (EconCausal paper)", Boundary.GT.value: "Reject (EconCausal README)"}


def show(viewer: Viewer, top: DeltaGenerator) -> None:
    """Draw the part; `top` contains the downloads."""
    validation = validation_agreement.validation_agreement(viewer)
    value = st.session_state.get(state.key(PAGE, "raters.boundary")) or state.read_param("boundary")
    boundary = Boundary(value if value in BOUNDARIES else Boundary.GE.value)
    agreement = raters.scoring_agreement(viewer, boundary)
    if not agreement.triplets and not validation.annotators:
        _empty(viewer, max(agreement.left_out, validation.left_out))
        return
    with data_page(rater_head.sentence(agreement), rater_how.HOW, key=PAGE, notes=rater_head.notes(agreement)):
        part = _part()
        with top:
            _downloads(viewer, part, boundary)
        table = rater_tables.rater_table(part, agreement, validation)
        if part is RaterPart.PAIRS and not table.lines:
            st.caption(
                "No pairs yet. This table is filled only if the same experts scored every triplet that has two experts."
            )
            return
        left, right = st.columns([3, 2], gap="medium")
        with left:
            if part is RaterPart.VALIDATION:
                rater_head.of_validation(validation)
            cell = agreement_rater_tables.show(table)
            triplet = rater_drilldown.behind(viewer, cell, part, boundary)
        with right, shell.boundary():
            rater_drilldown.show(viewer, table, cell, triplet, agreement, boundary)


def _part() -> RaterPart:
    """Draw the choice of the table, and of the decision on a total of exactly 15, which `show` has read before."""
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "tables")):
        options = {part.value: words for part, words in TABLES.items()}
        part = RaterPart(chosen("Table", options, "table", key="raters.table"))
        st.caption("A total of exactly 15:", width="content")
        chosen("Boundary", BOUNDARIES, "boundary", key="raters.boundary")
    key = state.key(PAGE, "raters.before")
    if st.session_state.get(key, part) != part:
        for name in ("line", "column", "triplet"):
            state.write_param(name, "")
    st.session_state[key] = part
    return part


def _downloads(viewer: Viewer, part: RaterPart, boundary: Boundary) -> None:
    with st.popover("Download", icon=":material/download:"):
        st.caption(f"{TABLES[part]}, {rater_files.BOUNDARIES[boundary]}")
        for form, words in FORMS.items():
            st.download_button(
                words,
                content_on_click(rater_files.export_table, viewer, part, boundary, form),
                rater_files.name_of(part, boundary, form),
                MEDIA[form],
                on_click="ignore",
                key=state.key(PAGE, f"raters.download.{form.value}"),
                width="stretch",
            )


def _empty(viewer: Viewer, left_out: int) -> None:
    if left_out:
        st.info(
            f"{counted(left_out, 'triplet')} left out while you are still scoring. Submit your scores first, so that "
            "they stay blind.",
            icon=":material/visibility_off:",
        )
    st.caption(
        "No submitted scores yet. Agreement of raters compares experts with critics and, on triplets scored by "
        "two experts, experts with each other."
    )
    if viewer.may(Permission.CURATE) and not lists.collections(viewer):
        links.page_button("Import triplets", "exchange", {}, key=state.key(PAGE, "raters.import"))
    elif viewer.may(Permission.SCORE):
        links.page_button("Score triplets", "triplets", {}, key=state.key(PAGE, "raters.score"))
    how_computed(rater_how.HOW, key=PAGE)
