"""How good each judge of a run is, by what people labelled before they saw its labels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from components import shell, state
from components.widgets.number_table import number_table
from core.people import May, Viewer
from core.verdicts.agreement import FieldAgreement, Place, format_left_out
from core.verdicts.audit import UNATTENDED, JudgeAudit
from core.verdicts.label_words import SECTION_WORDS
from core.verdicts.whole_answers import WholeAnswers
from core.words import counted, minus
from pages.verdicts import judges
from pages.verdicts.acts import PAGE
from pages.verdicts.parts import NO_VALUE, Behind, agreement_columns, confusion, told
from services.runs import reading as runs
from services.verdicts import audit as auditing
from services.verdicts import behind, exporting
from services.verdicts.audit import AuditKey

AGAINST = {"people": "People", "judges": "Each other"}


def show(viewer: Viewer) -> None:
    runs_of = {run.number: run for run in runs.choices(viewer) if "judge" in run.tasks}
    if not runs_of:
        st.caption("No run of judges yet.")
        return
    asked = state.read_param("run")
    numbers = list(runs_of)
    number = st.selectbox(
        "Run of judges",
        numbers,
        index=numbers.index(int(asked)) if asked.isdecimal() and int(asked) in runs_of else 0,
        format_func=lambda each: f"Run {each}: {runs_of[each].title}",
        key=state.key(PAGE, "audit.run"),
    )
    state.write_param("run", str(number))
    name = state.key(PAGE, "audit.against")
    if name not in st.session_state:
        kept = state.read_param("against")
        st.session_state[name] = kept if kept in AGAINST else "people"
    against = st.segmented_control("Judges against", AGAINST, format_func=AGAINST.__getitem__, key=name, required=True)
    state.write_param("against", "" if against == "people" else str(against))
    if against == "judges":
        judges.show(viewer, str(number))
        return
    _people(viewer, str(number))


def _people(viewer: Viewer, number: str) -> None:
    found = auditing.audit_run(viewer, number)
    st.caption(
        f"{counted(found.raters, 'rater')}. Only items of the random draw count, labelled before a judge's label of "
        f"them was shown; {found.other_items:,} of other draws are left out. Intervals are over samples. "
        f"{found.settings.told}"
    )
    for why, many in found.left_out.items():
        st.caption(f"{counted(many, 'item')} left out: {why}.")
    if not found.judges:
        st.info("No item of the random draw is labelled yet. Draw sheets at random, then label them.")
    else:
        _judges(found.judges)
        key: AuditKey = st.selectbox(
            "Judge",
            list(found.judges),
            format_func=lambda each: f"{each[1]}, {each[0].title}",
            key=state.key(PAGE, "audit.judge"),
        )
        _sections(found.judges[key])
        _answers(found.answers[key])
        people = found.people[key[0]]
        _fields(found.judges[key].fields, people, partial(behind.judge_and_people, viewer, number, key))
    if viewer.may(May.EXPORT):
        _download(viewer, number)


def _judges(found: Mapping[AuditKey, JudgeAudit]) -> None:
    for (variant, judge), each in found.items():
        if each.is_fit_unattended is False:
            st.warning(
                shell.escaped(
                    f"{judge}, {variant.title}: do not use unattended. κ of presence is "
                    f"{minus(f'{each.presence.value:.2f}')}, below {UNATTENDED} (a common rule of thumb, not a law)."
                ),
                icon=":material/warning:",
            )
    number_table(
        {
            "Variant": [variant.title for variant, _judge in found],
            "Judge": [judge for _variant, judge in found],
            "Items": [f"{each.n:,}" for each in found.values()],
            "Samples": [f"{each.samples:,}" for each in found.values()],
            "F1 measured": [told(each.measured_f1) for each in found.values()],
            "F1 corrected": [told(each.corrected_f1) for each in found.values()],
            "Lowest κ of presence": [told(each.presence) for each in found.values()],
        },
        key=state.key(PAGE, "audit.judges"),
        words=("Variant", "Judge"),
    )
    st.caption(
        "Variant: of the judged answers. F1 measured is of answers that were judged, without those that count as 0. F1 "
        "corrected: what F1 would be if people had labelled everything, from each section's bias. It takes no measured "
        "value's place."
    )


def _sections(found: JudgeAudit) -> None:
    rows = list(found.sections.values())
    number_table(
        {
            "Section": [SECTION_WORDS[each.section] for each in rows],
            "Items": [f"{each.n:,}" for each in rows],
            "On whole sheets": [f"{each.bias.n or 0:,}" for each in rows],
            "Judge": [told(each.judge) for each in rows],
            "People": [told(each.person) for each in rows],
            "Judge − people": [told(each.bias) for each in rows],
            "Finds of matches": [told(each.sensitivity) for each in rows],
            "Finds of others": [told(each.specificity) for each in rows],
        },
        key=state.key(PAGE, "audit.sections"),
        words=("Section",),
    )
    st.caption(
        "Scores are of items on sheets labelled whole, 0–1. Finds of matches: of what people call a match with the "
        "graph, the share that the judge does; of others, of what they call none."
    )


def _answers(found: WholeAnswers) -> None:
    if not found.n:
        st.caption("F1, judge − people: no answer is labelled whole, in all four sections.")
        return
    st.caption(
        f"F1 of {counted(found.n, 'answer')} labelled whole: judge {told(found.judge)}, people {told(found.person)}, "
        f"judge − people {told(found.bias)}."
    )


def _fields(found: Mapping[Place, FieldAgreement], people: Mapping[Place, FieldAgreement], items: Behind) -> None:
    ceiling = {"κ of people": [told(people[place].kappa) if place in people else NO_VALUE for place in found]}
    number_table(agreement_columns(found) | ceiling, key=state.key(PAGE, "audit.fields"), words=("Section", "Field"))
    for between, fields in (("Judge and people", found), ("People", people)):
        if left_out := format_left_out(between, fields):
            st.caption(left_out)
    confusion(found, "Judge", "Person", "audit.confusion", items)


def _download(viewer: Viewer, number: str) -> None:
    st.download_button(
        "Download review",
        lambda: exporting.export(viewer, number, as_json=True)[0].content,
        f"run-{number}-review.json",
        "application/json",
        on_click="ignore",
        key=state.key(PAGE, "audit.download"),
        icon=":material/download:",
    )
