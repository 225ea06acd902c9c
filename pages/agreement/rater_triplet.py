"""One triplet with experts' scores by pseudonym, critics' scores, reasons and comments."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import links, shell, state
from components.triplets.desk import direction_words
from core.people import Permission, Viewer
from core.triplets.criteria import Criterion
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary, expert_decision
from core.words import counted, minus, sentence_case
from pages.agreement.parts import NO_VALUE, PAGE
from services.agreement import compared
from services.agreement.compared import ComparedTriplet, ExpertSheet
from services.agreement.rater_tables import words_of

VERDICT = {True: "accept", False: "reject", None: NO_VALUE}
NUMBERS = st.column_config.TextColumn(alignment="right", width=52)


def show(viewer: Viewer, triplet_id: str, boundary: Boundary) -> None:
    """Draw the triplet; the caller's boundary shows Refused while the viewer is scoring it."""
    item = compared.compared(viewer, triplet_id, boundary)
    line, paper = item.triplet, item.paper
    is_direction = bool(item.experts) and all(each.rubric is Rubric.VALIDATION for each in item.experts)
    sign = direction_words(line.sign) if is_direction else minus(line.sign.value)
    st.markdown(f"**{shell.escaped(line.treatment)}** ──({sign})──▶ **{shell.escaped(line.outcome)}**")
    where = [paper.title, paper.venue_name, "" if paper.year is None else str(paper.year)]
    st.caption(shell.escaped(" · ".join(part for part in where if part)))
    six = [each for each in item.experts if each.rubric is Rubric.ECONCAUSAL]
    if six or item.critics:
        _scores(item, six, boundary)
    for sheet in [each for each in item.experts if each.rubric is Rubric.VALIDATION]:
        scores = ", ".join(f"{key} {score}" for key, score in sheet.scores.items())
        st.caption(f"{shell.escaped(sheet.expert)}, validation form: {shell.escaped(scores)}; {sheet.verdict.reason}.")
    for sheet in item.experts:
        if sheet.comment:
            st.caption(f":material/comment: {shell.escaped(sheet.expert)}: {shell.escaped(sheet.comment)}")
    if item.critics:
        with st.expander(f"Reasons of {counted(len(item.critics), 'critic')}"):
            for critic in item.critics:
                lines = [
                    f"{words_of(key)} {critic.scores[key.value]}: {critic.reasons.get(key.value) or 'no reason given'}"
                    for key in Criterion
                    if key.value in critic.scores
                ]
                st.markdown(f"**{shell.escaped(critic.critic)}**")
                shell.plain("\n".join(lines))
    with st.expander("Context and evidence"):
        if item.context:
            shell.plain(item.context)
        for text in item.evidence:
            shell.plain(f"“{text}”")
        if not item.evidence:
            st.caption("The file contains no evidence.")
    with st.container(horizontal=True, key=state.key(PAGE, "raters.ways")):
        if item.paper.paper_id is not None and viewer.may(Permission.CURATE):
            links.page_button(
                "Open paper", "papers", {"paper": item.paper.paper_id}, key=state.key(PAGE, "raters.paper")
            )
        if viewer.may(Permission.EXPORT):
            link = {"part": "triplets", "collection": item.triplet.collection, "search": item.triplet.treatment}
            links.page_button("Open collection", "exchange", link, key=state.key(PAGE, "raters.collection"))


def _scores(item: ComparedTriplet, six: list[ExpertSheet], boundary: Boundary) -> None:
    columns: dict[str, list[str]] = {
        "Criterion": [*(sentence_case(words_of(key)) for key in Criterion), "Total", "Decision"]
    }
    for sheet in six:
        decision = expert_decision({key: sheet.scores.get(key.value) for key in Criterion}, boundary)
        columns[sheet.expert] = [*_column(sheet.scores), str(sheet.verdict.total), VERDICT[decision.retained]]
    for number, critic in enumerate(item.critics, start=1):
        columns[f"C{number}"] = [*_column(critic.scores), str(sum(critic.scores.values())), ""]
    config = dict.fromkeys([name for name in columns if name != "Criterion"], NUMBERS)
    st.dataframe(
        columns,
        hide_index=True,
        height="content",
        column_config=config,
        key=state.key(PAGE, f"raters.scores.{item.triplet.id}"),
    )
    called = ", ".join(
        f"C{number} {critic.critic}{' (synthetic scores)' if critic.is_synthetic else ''}"
        for number, critic in enumerate(item.critics, start=1)
    )
    decided = sentence_case(item.critics_reason) if called else item.critics_reason
    st.caption(shell.escaped(f"Critics: {f'{called}. ' if called else ''}{decided}."))
    for sheet in six:
        if sheet.own_verdict is not None:
            st.caption(f"{shell.escaped(sheet.expert)}, own decision: {VERDICT[sheet.own_verdict]}.")


def _column(scores: Mapping[str, int]) -> list[str]:
    return [str(scores[key.value]) if key.value in scores else NO_VALUE for key in Criterion]
