"""How far the annotators agree: the study in the form of the paper's tables, each cell open down to what differs."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import links, shell, state
from core.agreement.edges import View
from core.agreement.study_tables import AgreementTable
from core.graphs.alignment import NameClass
from core.people import May, Viewer
from core.words import counted
from pages.agreement import how, look, tables, verdicts
from pages.agreement.parts import FORMS, NOT_BLIND, OVER, PAGE, PARTS, TableChoice, chosen, interval, number
from services.agreement import annotators, files
from services.agreement.annotators import Headline, Reference, StudyAgreement
from services.files import MEDIA, TableForm

VIEWS = {"printed": "Printed names", "aligned": "Aligned names"}
REFERENCES = {"first": "Reference: first", "second": "Reference: second"}


def show(viewer: Viewer, top: DeltaGenerator, row: DeltaGenerator) -> None:
    """`top` is where the downloads stand, `row` where the switches do."""
    reference = Reference(_linked("reference", REFERENCES))
    found = annotators.study_agreement(viewer, reference)
    if not found.figures:
        _empty(viewer, found)
        verdicts.show(viewer, found.verdicts)
        return
    with row:
        view = View.ALIGNED if chosen("View", VIEWS, "view") == "aligned" else View.PRINTED
        chosen("Reference", REFERENCES, "reference")
        over = chosen("Over figures", OVER, "over")
    _headline(annotators.headline(found, view), found)
    verdicts.show(viewer, found.verdicts)
    part = AgreementTable(chosen("Table", {part.value: words for part, words in PARTS.items()}, "part"))
    _forget_the_cell_of_another(part)
    asked = TableChoice(part, view, reference, over)
    with top:
        _downloads(viewer, asked)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        opened = tables.show(found, asked)
        figure = look.figures(found, opened)
        with st.container(horizontal=True):
            how.how_popover()
            how.paper_popover()
    with right, shell.boundary():
        look.show(viewer, opened, figure)


def _linked(param: str, options: dict[str, str]) -> str:
    """What the switch stands at already, or the link says: it decides what is read, before the switch is drawn."""
    held = st.session_state.get(state.key(PAGE, param)) or state.read_param(param)
    return held if held in options else next(iter(options))


def _forget_the_cell_of_another(part: AgreementTable) -> None:
    """What the link opens belongs to one table."""
    key = state.key(PAGE, "part.before")
    if st.session_state.get(key, part) != part:
        for name in ("line", "column", "figure"):
            state.write_param(name, "")
    st.session_state[key] = part


def _headline(line: Headline, found: StudyAgreement) -> None:
    f1, kappa = line.f1, line.kappa
    spread = f"{number(f1.mean, f1.measure)} ± {number(f1.sd, f1.measure)}"
    parts = [
        f"**{counted(line.figures, 'figure')} transcribed twice**",
        f"F1 of edges **{spread}** (mean ± population sd over {counted(f1.mean.n or 0, 'figure')}), "
        f"**{number(f1.pooled, f1.measure)}** pooled{_in_brackets(interval(f1.pooled, f1.measure))}",
        f"κ **{number(kappa.mean, kappa.measure)}** (mean over {counted(kappa.mean.n or 0, 'figure')}), "
        f"**{number(kappa.pooled, kappa.measure)}** pooled over "
        f"{kappa.pooled.n or 0:,} ordered pairs{_in_brackets(interval(kappa.pooled, kappa.measure))}",
    ]
    st.markdown(" · ".join(parts))
    said = [_aligned(line)]
    further = sum(figure.further > 0 for figure in found.figures)
    if further:
        said.append(f"{counted(further, 'figure')} transcribed more than twice: only the first two submissions count")
    if found.left_out:
        said.append(f"{counted(found.left_out, 'figure')} left out while you are still at work on them")
    st.caption(". ".join(said) + ".")
    if found.not_blind:
        st.caption(
            f":material/visibility: **{len(found.not_blind)} of {counted(len(found.figures), 'figure')} not fully "
            f"blind** (marked {NOT_BLIND}): before submitting, the marked annotator had seen another "
            "transcription or an imported graph of the figure. These figures count like the others."
        )


def _aligned(line: Headline) -> str:
    typos, minor, major, distinct = (line.alignments[kind] for kind in NameClass)
    return (
        f"Aligned names: {typos} with a typo, {minor} with a minor difference, {major} with a major mismatch; "
        f"{distinct} ruled distinct"
    )


def _in_brackets(text: str) -> str:
    return f" [{text}]" if text else ""


def _downloads(viewer: Viewer, asked: TableChoice) -> None:
    with st.popover("Download", icon=":material/download:"):
        view, reference = VIEWS[asked.view.name.lower()].lower(), REFERENCES[asked.reference.value].lower()
        st.caption(f"{PARTS[asked.part]}, {view}, {reference}")
        for form, words in FORMS.items():
            st.download_button(
                words,
                partial(_content, viewer, asked, form),
                files.name_of(asked.part, asked.view, asked.reference, form),
                MEDIA[form],
                on_click="ignore",
                key=state.key(PAGE, f"download.{form.value}"),
                width="stretch",
            )


def _content(viewer: Viewer, asked: TableChoice, form: TableForm) -> bytes:
    return files.export_table(viewer, asked.part, asked.view, asked.reference, form).content


def _empty(viewer: Viewer, found: StudyAgreement) -> None:
    if found.left_out:
        st.info(
            f"{counted(found.left_out, 'figure')} left out while you are still at work on them. Submit your "
            "transcription or finish adjudicating first, so that both stay blind.",
            icon=":material/visibility_off:",
        )
    st.caption(
        "No figure has been transcribed twice yet. Agreement compares two submitted, blind transcriptions of one "
        "figure: nodes, edges, signs, delays and loops, as in ReCITE's tables 20 and 21, with every disagreement."
    )
    if viewer.may(May.TRANSCRIBE):
        links.page_button("Transcribe figures", "transcribe", {}, key=state.key(PAGE, "transcribe"))
    how.paper_popover()
