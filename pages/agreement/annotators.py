"""Agreement of annotators in the paper's tables; each cell opens its differences."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import links, shell, state
from components.widgets.data_page import data_page
from components.widgets.downloads import content_on_click
from core.agreement.edges import View
from core.agreement.study_tables import AgreementTable
from core.graphs.alignment import NameClass
from core.people import Permission, Viewer
from core.words import counted
from pages.agreement import drilldown, method_notes, tables, verdicts
from pages.agreement.parts import FORMS, NOT_BLIND, OVER, PAGE, PARTS, TableChoice, chosen, interval, number
from services.agreement import annotators, files
from services.agreement.annotators import Headline, Reference, StudyAgreement
from services.files import MEDIA

VIEWS = {"printed": "Printed names", "aligned": "Aligned names"}
REFERENCES = {"first": "Reference: first", "second": "Reference: second"}


def show(viewer: Viewer, top: DeltaGenerator) -> None:
    """Draw the part; `top` contains the downloads."""
    linked_view = st.session_state.get(state.key(PAGE, "view")) or state.read_param("view")
    value = st.session_state.get(state.key(PAGE, "reference")) or state.read_param("reference")
    reference = Reference(value if value in REFERENCES else next(iter(REFERENCES)))
    agreement = annotators.study_agreement(viewer, reference)
    if not agreement.figures:
        if agreement.left_out:
            st.info(
                f"{counted(agreement.left_out, 'figure')} left out while you are still at work on them. Submit your "
                "transcription or finish adjudicating first, so that both stay blind.",
                icon=":material/visibility_off:",
            )
        st.caption(
            "No figure has been transcribed twice yet. Agreement compares two submitted, blind transcriptions of one "
            "figure: nodes, edges, signs, delays and loops, as in ReCITE's tables 20 and 21, with every disagreement."
        )
        if uncovered := _uncovered(agreement):
            st.caption(f"{uncovered}.")
        if viewer.may(Permission.TRANSCRIBE):
            links.page_button("Transcribe figures", "transcribe", {}, key=state.key(PAGE, "transcribe"))
        method_notes.paper_popover()
        verdicts.show(viewer, agreement.verdicts)
        return
    headline = annotators.headline(agreement, View.ALIGNED if linked_view == "aligned" else View.PRINTED)
    with data_page(_sentence(headline), method_notes.HOW, key=PAGE, notes=_notes(headline, agreement)):
        verdicts.show(viewer, agreement.verdicts)
        choice = _choice(reference)
        with top:
            _downloads(viewer, choice)
        left, right = st.columns([3, 2], gap="medium")
        with left:
            opened = tables.show(agreement, choice)
            figure = drilldown.figures(agreement, opened)
            method_notes.paper_popover()
        with right, shell.boundary():
            drilldown.show(viewer, opened, figure)


def _choice(reference: Reference) -> TableChoice:
    """Draw the choice of the table and of what its numbers are; another table begins with its own cell."""
    part = AgreementTable(chosen("Table", {part.value: words for part, words in PARTS.items()}, "part"))
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "numbers")):
        view = View.ALIGNED if chosen("View", VIEWS, "view") == "aligned" else View.PRINTED
        chosen("Reference", REFERENCES, "reference")
        over = chosen("Over figures", OVER, "over")
    key = state.key(PAGE, "part.before")
    if st.session_state.get(key, part) != part:
        for name in ("line", "column", "figure"):
            state.write_param(name, "")
    st.session_state[key] = part
    return TableChoice(part, view, reference, over)


def _sentence(line: Headline) -> str:
    f1, kappa = line.f1, line.kappa
    figures = counted(line.figures, "figure")
    over = figures if f1.mean.n == line.figures else f"{f1.mean.n or 0:,} of {figures}"
    return (
        f"Two annotators agree on edges with an F1 of **{number(f1.mean, f1.measure)}** and a κ of "
        f"**{number(kappa.mean, kappa.measure)}**: means over {over} transcribed twice."
    )


def _notes(line: Headline, agreement: StudyAgreement) -> str:
    f1, kappa = line.f1, line.kappa
    typos, minor, major, distinct = (line.alignments[kind] for kind in NameClass)
    notes = [
        f"Pooled: F1 {number(f1.pooled, f1.measure)}{_in_brackets(interval(f1.pooled, f1.measure))}, "
        f"κ {number(kappa.pooled, kappa.measure)}{_in_brackets(interval(kappa.pooled, kappa.measure))} over "
        f"{kappa.pooled.n or 0:,} ordered pairs",
        f"Aligned names: {typos} with a typo, {minor} with a minor difference, {major} with a major mismatch; "
        f"{distinct} ruled distinct. A ruling aligns names, so that agreement can rise though nobody drew again",
    ]
    further = sum(figure.further > 0 for figure in agreement.figures)
    if further:
        notes.append(f"{counted(further, 'figure')} transcribed more than twice: only the first two submissions count")
    if uncovered := _uncovered(agreement):
        notes.append(uncovered)
    if agreement.left_out:
        notes.append(f"{counted(agreement.left_out, 'figure')} left out while you are still at work on them")
    text = ". ".join(notes) + "."
    if agreement.not_blind:
        text += (
            f"  \n:material/visibility: **{len(agreement.not_blind)} of {counted(len(agreement.figures), 'figure')} "
            f"not fully blind** (marked {NOT_BLIND}): before submitting, the marked annotator had seen another "
            "transcription or an imported graph of the figure. These figures count like the others."
        )
    return text


def _uncovered(agreement: StudyAgreement) -> str:
    """Return what agreement does not cover, without a full stop; "" if nothing."""
    parts = [
        f"{counted(number, 'figure')} {words}"
        for number, words in ((agreement.once, "transcribed once"), (agreement.imported, "with imported ground truth"))
        if number
    ]
    return f"Not covered: {' and '.join(parts)}" if parts else ""


def _in_brackets(text: str) -> str:
    return f" [{text}]" if text else ""


def _downloads(viewer: Viewer, choice: TableChoice) -> None:
    with st.popover("Download", icon=":material/download:"):
        view, reference = VIEWS[choice.view.name.lower()].lower(), REFERENCES[choice.reference.value].lower()
        st.caption(f"{PARTS[choice.part]}, {view}, {reference}")
        for form, words in FORMS.items():
            st.download_button(
                words,
                content_on_click(files.export_table, viewer, choice.part, choice.view, choice.reference, form),
                files.name_of(choice.part, choice.view, choice.reference, form),
                MEDIA[form],
                on_click="ignore",
                key=state.key(PAGE, f"download.{form.value}"),
                width="stretch",
            )
