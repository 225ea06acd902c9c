"""Scores of judged models next to what people's labels make of them, and a draw of the labels that are missing."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.choosing import choose_line
from core.estimate import Estimate
from core.people import Permission, Viewer
from core.scoring.corrected import TARGET
from core.verdicts.label_words import SECTION_WORDS
from core.verdicts.labels import Section
from core.verdicts.review import DrawnBy
from core.words import counted, sentence_case
from pages.verdicts.acts import PAGE
from pages.verdicts.parts import estimate_columns
from services.verdicts import corrections, samples
from services.verdicts.corrections import ALL_MODELS, AuditKey, ModelScores

F1, CORRECTED = "F1", "Corrected"
FILLS = "Corrected scores need more items of the random draw that people label before they see the judge's labels."


def show(viewer: Viewer, number: str, key: AuditKey, of_models: ModelScores) -> None:
    """Draw the table of a judge's scores; a chosen section offers the draw of its missing labels."""
    shown = {model: each for model, each in sorted(of_models.items()) if model or len(of_models) > 2}
    rows: dict[str, tuple[str, Section | None]] = {
        f"{model}/{section or F1}": (model, section)
        for model, scores in shown.items()
        for section in (None, *scores.sections)
    }
    titles = {model: model or "All models" for model in shown}
    parts = [None if section is None else shown[model].sections[section] for model, section in rows.values()]
    pairs = [
        (shown[model].measured_f1, shown[model].corrected_f1) if part is None else (part.measured, part.corrected)
        for (model, _), part in zip(rows.values(), parts, strict=True)
    ]
    words = [F1 if section is None else SECTION_WORDS[section] for _, section in rows.values()]
    missing = f"Labels missing for ±{TARGET}"
    columns = estimate_columns(
        {
            "Model": [titles[model] for model, _ in rows.values()],
            "Score": words,
            "Measured": [measured for measured, _ in pairs],
            CORRECTED: [corrected for _, corrected in pairs],
            "Labelled": ["" if part is None else f"{part.labelled:,} of {part.items:,}" for part in parts],
            missing: [
                sentence_case(corrected.reason) if part is None else _missing(part.labels_missing)
                for part, (_, corrected) in zip(parts, pairs, strict=True)
            ],
        },
        bounded=(CORRECTED,),
    )
    right = [name for name in ("Measured", CORRECTED, "Labelled") if name in columns.columns]
    chosen = choose_line(
        list(rows),
        columns.columns,
        name=state.key(PAGE, "audit.corrected"),
        columns={name: st.column_config.TextColumn(alignment="right") for name in right}
        | {missing: st.column_config.TextColumn(width="medium")},
    )
    columns.draw_notes()
    if CORRECTED not in columns.columns and viewer.may(Permission.ASSIGN):
        st.button("Open draws", key=state.key(PAGE, "audit.to_draws"), on_click=_open_draws, help=FILLS)
    st.caption(
        "Measured: all items by the judge, of ten samples or more: fewer show its labels. Corrected: the score that "
        "people would give, by the judge on all items and people on those labelled; F1 needs it in all four sections."
    )
    model, section = rows[chosen] if chosen is not None else (ALL_MODELS, None)
    labels = None if section is None else shown[model].sections[section].labels_to_draw
    if section is not None and labels is not None and viewer.may(Permission.ASSIGN):
        _draw(viewer, number, key, model, section, labels)


def _open_draws() -> None:
    """Open the part of the page with the draws."""
    st.session_state[state.key(PAGE, "part")] = "label"


def _missing(labels: Estimate) -> str:
    return sentence_case(labels.reason) if labels.value is None else f"{labels.value:,}"


def _draw(viewer: Viewer, number: str, key: AuditKey, model: str, section: Section, labels: int) -> None:
    plan = corrections.further_draw(viewer, number, key, model, section, labels)
    if plan.waiting:
        st.caption(f"{counted(plan.waiting, 'item')} of this score are drawn and not labelled yet.")
    if not plan.sheets:
        return
    form = state.key(PAGE, f"audit.draw.{key}.{model}.{section}.{plan.sheets}")
    with shell.boundary(partial(state.spend, form)):
        st.caption(
            f"A random draw is of the whole run: the missing labels are on {counted(plan.sheets, 'sheet')} with about "
            f"{counted(plan.items, 'item')} of all models and sections."
        )
        if st.button(f"Draw {counted(plan.sheets, 'sheet')}", key=state.act_key(form, "go")):
            acts.keep(
                PAGE,
                form,
                lambda act_id: samples.draw(viewer, number, DrawnBy.RANDOM, plan.items, plan.seed, act_id=act_id),
                reload=partial(state.spend, form),
            )
