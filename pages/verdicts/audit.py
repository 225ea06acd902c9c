"""Quality of a run's judges, from labels that people gave before they saw the judges'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from components import shell, state
from components.widgets.charts import show_chart
from core.analysis.charts import Chart, ChartKind, chart_of_points
from core.estimate import undefined
from core.people import Permission, Viewer
from core.verdicts.agreement import FieldAgreement, Place, format_left_out
from core.verdicts.audit import UNATTENDED, JudgeAudit, SectionAudit
from core.verdicts.label_words import SECTION_WORDS
from core.words import counted, minus
from pages.verdicts import corrections, judges
from pages.verdicts.acts import PAGE
from pages.verdicts.parts import (
    Behind,
    agreement_columns,
    confusion,
    estimate_columns,
    estimate_point,
    format_estimate,
)
from services.runs import reading as runs
from services.verdicts import audit as auditing
from services.verdicts import behind, exporting
from services.verdicts.corrections import ALL_MODELS, AuditKey, ModelScores

CORRECTED = "F1 corrected"
AGAINST = {"people": "People", "judges": "Each other"}


def show(viewer: Viewer) -> None:
    runs_of = {run.number: run for run in runs.choices(viewer) if "judge" in run.tasks}
    if not runs_of:
        st.caption("No run of judges yet.")
        return
    linked = state.read_param("run")
    numbers = list(runs_of)
    number = st.selectbox(
        "Run of judges",
        numbers,
        index=numbers.index(int(linked)) if linked.isdecimal() and int(linked) in runs_of else 0,
        format_func=lambda each: f"Run {each}: {runs_of[each].title}",
        key=state.key(PAGE, "audit.run"),
    )
    state.write_param("run", str(number))
    name = state.key(PAGE, "audit.against")
    if name not in st.session_state:
        linked_against = state.read_param("against")
        st.session_state[name] = linked_against if linked_against in AGAINST else "people"
    against = st.segmented_control("Judges against", AGAINST, format_func=AGAINST.__getitem__, key=name, required=True)
    state.write_param("against", "" if against == "people" else str(against))
    if against == "judges":
        judges.show(viewer, str(number))
        return
    _people(viewer, str(number))


def _people(viewer: Viewer, number: str) -> None:
    audit = auditing.audit_run(viewer, number)
    st.caption(
        f"{counted(audit.raters, 'rater')}. Only items of the random draw count, labelled before a judge's label of "
        f"them was shown; {audit.other_items:,} of other draws are left out. Intervals are over samples. "
        f"{audit.settings.description}"
    )
    for why, many in audit.left_out.items():
        st.caption(f"{counted(many, 'item')} left out: {why}.")
    if not audit.judges:
        st.info("No item of the random draw is labelled yet. Draw sheets at random, then label them.")
    else:
        _judges(audit.judges, audit.corrected)
        key: AuditKey = st.selectbox(
            "Judge",
            list(audit.judges),
            format_func=lambda each: f"{each[1]}, {each[0].title}",
            key=state.key(PAGE, "audit.judge"),
        )
        corrections.show(viewer, number, key, audit.corrected[key])
        _sections(audit.judges[key])
        answers = audit.answers[key]
        if not answers.n:
            st.caption("F1, judge − people: no answer is labelled whole, in all four sections.")
        else:
            st.caption(
                f"F1 of {counted(answers.n, 'answer')} labelled whole: judge {format_estimate(answers.judge)}, people "
                f"{format_estimate(answers.person)}, judge − people {format_estimate(answers.bias)}."
            )
        people = audit.people[key[0]]
        _fields(audit.judges[key].fields, people, partial(behind.judge_and_people, viewer, number, key))
    if viewer.may(Permission.EXPORT):
        st.download_button(
            "Download review",
            lambda: exporting.export(viewer, number, as_json=True)[0].content,
            f"run-{number}-review.json",
            "application/json",
            on_click="ignore",
            key=state.key(PAGE, "audit.download"),
            icon=":material/download:",
        )


def _judges(audits: Mapping[AuditKey, JudgeAudit], corrected: Mapping[AuditKey, ModelScores]) -> None:
    for (variant, judge), audit in audits.items():
        if audit.is_fit_unattended is False:
            st.warning(
                shell.escaped(
                    f"{judge}, {variant.title}: do not use unattended. κ of presence is "
                    f"{minus(f'{audit.presence.value:.2f}')}, below {UNATTENDED} (a common rule of thumb, not a law)."
                ),
                icon=":material/warning:",
            )
    estimate_columns(
        {
            "Variant": [variant.title for variant, _judge in audits],
            "Judge": [judge for _variant, judge in audits],
            "Items": [f"{each.n:,}" for each in audits.values()],
            "Samples": [f"{each.samples:,}" for each in audits.values()],
            "F1 measured": [corrected[key][ALL_MODELS].measured_f1 for key in audits],
            CORRECTED: [corrected[key][ALL_MODELS].corrected_f1 for key in audits],
            "Lowest κ of presence": [each.presence for each in audits.values()],
        },
        bounded=(CORRECTED,),
    ).draw(key=state.key(PAGE, "audit.judges"), words=("Variant", "Judge"))
    st.caption(
        "Variant: of the judged answers. F1 measured is of all models' answers that were judged, without those that "
        "count as 0. F1 corrected: the F1 that people would give, from their labels of some items."
    )


def _sections_chart(rows: Sequence[SectionAudit]) -> Chart:
    points = [
        estimate_point(SECTION_WORDS[each.section], who, score)
        for each in rows
        for who, score in (("Judge", each.judge), ("People", each.person))
    ]
    return chart_of_points(
        points,
        kind=ChartKind.DOTS,
        title="Scores of sections by the judge and by people",
        row_title="Section",
        column_title="Labels by",
        value_title="Score",
    )


def _sections(audit: JudgeAudit) -> None:
    rows = list(audit.sections.values())
    show_chart(_sections_chart(rows), state.key(PAGE, "audit.chart"))
    estimate_columns(
        {
            "Section": [SECTION_WORDS[each.section] for each in rows],
            "Items": [f"{each.n:,}" for each in rows],
            "On whole sheets": [f"{each.bias.n or 0:,}" for each in rows],
            "Judge": [each.judge for each in rows],
            "People": [each.person for each in rows],
            "Judge − people": [each.bias for each in rows],
            "Sensitivity": [each.sensitivity for each in rows],
            "Specificity": [each.specificity for each in rows],
        }
    ).draw(key=state.key(PAGE, "audit.sections"), words=("Section",))
    st.caption(
        "Scores are of items on sheets labelled whole, 0–1. Sensitivity: share of the matches with the graph that "
        "people label and the judge finds; specificity: share of the others that it calls none."
    )


def _fields(by_field: Mapping[Place, FieldAgreement], people: Mapping[Place, FieldAgreement], items: Behind) -> None:
    alone = undefined("no two people labelled the same items")
    ceiling = {"κ of people": [people[place].kappa if place in people else alone for place in by_field]}
    columns = estimate_columns({**agreement_columns(by_field), **ceiling})
    columns.draw(key=state.key(PAGE, "audit.fields"), words=("Section", "Field"))
    for between, fields in (("Judge and people", by_field), ("People", people)):
        if left_out := format_left_out(between, fields):
            st.caption(left_out)
    confusion(by_field, "Judge", "Person", "audit.confusion", items)
