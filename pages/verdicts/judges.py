"""Comparison of a run's judges with each other and with repeats; no label of a person is included."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import streamlit as st

from components import links, shell, state
from components.widgets.charts import show_chart
from components.widgets.data_page import data_page
from components.widgets.number_table import number_table
from core.analysis.charts import Chart, ChartKind, chart_of_points
from core.analysis.groupings import MINUS
from core.people import Viewer
from core.verdicts.agreement import format_left_out
from core.verdicts.families import OwnFamily
from core.verdicts.judged import AnswerVariant
from core.verdicts.judges import FamilyRow, JudgePair, JudgesCompared, OrderCheck, RepeatCheck
from core.words import counted
from pages.verdicts.acts import PAGE
from pages.verdicts.parts import (
    NO_VALUE,
    agreement_columns,
    confusion,
    estimate_columns,
    estimate_point,
    format_estimate,
)
from services.verdicts import behind, judges
from services.verdicts.judges import RunJudges

T = TypeVar("T")
PLACES = 3
HOW = """\
- Overall F1 in the default form, of answers that both judged whole; of repeated verdicts the first.
- Each variant of the answers has its own rows. Intervals are over samples, seed {seed}.
- Another version of a judge is another run, and begins without values. No label of a person is included.
"""


def show(viewer: Viewer, number: str) -> None:
    run_judges = judges.judges_of(viewer, number)
    if not any(compared.judges for compared in run_judges.compared.values()):
        st.info("This run has no verdict yet.")
        links.page_button("Open run", "runs", {"run": number}, key=state.key(PAGE, "judges.run"))
        return
    shared = _rows(run_judges, lambda compared: compared.shared)
    with data_page(_sentence(run_judges, shared), HOW.format(seed=run_judges.seed), key=PAGE):
        if shared:
            show_chart(_pairs_chart(shared), state.key(PAGE, "judges.chart"))
            _pairs("Shared answers", shared)
            if max(len(compared.judges) for compared in run_judges.compared.values()) > 2:
                _pairs("Answers that all judged", _rows(run_judges, lambda compared: compared.by_all))
            _families(run_judges)
        _repeats(_rows(run_judges, lambda compared: compared.repeats))
        _orders(run_judges.orders)
    labels = {
        (variant, pair): fields
        for variant, compared in run_judges.compared.items()
        for pair, fields in compared.labels.items()
    }
    if labels:
        st.markdown("**Labels**")
        key: LabelKey = st.selectbox(
            "Judges",
            list(labels),
            format_func=lambda each: f"{each[1][0]} and {each[1][1]}, {each[0].title}",
            key=state.key(PAGE, "judges.pair"),
        )
        fields = labels[key]
        columns = estimate_columns(agreement_columns(fields))
        columns.draw(key=state.key(PAGE, "judges.fields"), words=("Section", "Field"))
        if left_out := format_left_out("Both judges", fields):
            st.caption(left_out)
        confusion(fields, "First", "Second", "judges.confusion", partial(behind.judge_and_judge, viewer, number, *key))


def _sentence(run_judges: RunJudges, shared: Sequence[tuple[AnswerVariant, JudgePair]]) -> str:
    """The largest difference between two judges, of what, and over how many answers."""
    defined = [row for row in shared if row[1].difference.value is not None]
    if not defined:
        judges_here = {judge for compared in run_judges.compared.values() for judge in compared.judges}
        return f"**{counted(len(judges_here), 'judge')}**, and no answers that two of them judged whole."
    variant, pair = max(defined, key=lambda row: abs(row[1].difference.value or 0.0))
    names = shell.escaped(f"{pair.first}{MINUS}{pair.second}")
    most = f", the largest of {len(defined):,} differences" if len(defined) > 1 else ""
    return (
        f"**{format_estimate(pair.difference, PLACES)}** in overall F1: {names}, over {pair.n:,} of "
        f"{counted(pair.asked, 'answer')} ({shell.escaped(variant.title)}){most}."
    )


def _rows(run_judges: RunJudges, rows_of: Callable[[JudgesCompared], Sequence[T]]) -> list[tuple[AnswerVariant, T]]:
    return [(variant, each) for variant, compared in run_judges.compared.items() for each in rows_of(compared)]


def _variants(rows: Sequence[tuple[AnswerVariant, object]]) -> list[str]:
    return [variant.title for variant, _each in rows]


def _pairs_chart(rows: Sequence[tuple[AnswerVariant, JudgePair]]) -> Chart:
    points = [
        estimate_point(f"{pair.first}{MINUS}{pair.second}", variant.title, pair.difference, PLACES)
        for variant, pair in rows
    ]
    return chart_of_points(
        points,
        kind=ChartKind.DOTS,
        title="Overall F1, first judge − second, on shared answers",
        row_title="Judges",
        column_title="Variant",
        value_title="First − second",
        are_pairs=True,
        reference=0.0,
    )


def _pairs(title: str, rows: Sequence[tuple[AnswerVariant, JudgePair]]) -> None:
    st.markdown(f"**{title}**")
    pairs = [each for _variant, each in rows]
    estimate_columns(
        {
            "Variant": _variants(rows),
            "First": [each.first for each in pairs],
            "Second": [each.second for each in pairs],
            "Answers": [f"{each.n:,} of {each.asked:,}" for each in pairs],
            "Pearson r": [each.r for each in pairs],
            "First − second": [each.difference for each in pairs],
            "SD": [NO_VALUE if each.sd is None else f"{each.sd:.3f}" for each in pairs],
        },
        places=PLACES,
    ).draw(key=state.key(PAGE, f"judges.pairs.{title[:6]}"), words=("Variant", "First", "Second"))


def _families(run_judges: RunJudges) -> None:
    st.markdown("**By family of the judged model**")
    by_family = _rows(run_judges, lambda compared: compared.families)
    if by_family:
        rows: Sequence[FamilyRow] = [each for _variant, each in by_family]
        number_table(
            {
                "Variant": _variants(by_family),
                "First": [each.first for each in rows],
                "Second": [each.second for each in rows],
                "Family": [each.family for each in rows],
                "Answers": [f"{each.difference.n or 0:,}" for each in rows],
                "First − second": [format_estimate(each.difference, PLACES) for each in rows],
            },
            key=state.key(PAGE, "judges.families"),
            words=("Variant", "First", "Second", "Family"),
        )
    every = _rows(run_judges, lambda compared: compared.own)
    defined = [row for row in every if row[1].bias.value is not None]
    if defined:
        own: Sequence[OwnFamily] = [each for _variant, each in defined]
        estimate_columns(
            {
                "Variant": _variants(defined),
                "Judge": [each.judge for each in own],
                "Compared with": [each.other for each in own],
                "Own family": [each.family for each in own],
                "Own": [each.own for each in own],
                "Others": [each.others for each in own],
                "Own − others": [each.bias for each in own],
                "P-value": [each.p for each in own],
                "Without line": [each.adjusted for each in own],
            },
            places=PLACES,
        ).draw(key=state.key(PAGE, "judges.own"), words=("Variant", "Judge", "Compared with", "Own family"))
        st.caption(
            "Own and others: the judge minus the other judge, over answers of its own family's models and of other "
            "families'. P-value: families permuted over whole models. Without line: own − others, after a straight "
            "line of models' differences on their mean F1 by both judges is removed. Intervals are over samples, not "
            "models."
        )
    reasons: dict[str, list[AnswerVariant]] = {}
    for variant, row in every:
        if row.bias.value is None and row.bias.reason:
            reasons.setdefault(f"{row.judge} compared with {row.other}: {row.bias.reason}", []).append(variant)
    for variant, compared in run_judges.compared.items():
        if compared.without_family:
            models = counted(len(compared.without_family), "judged model")
            reasons.setdefault(f"{models} without a family left out", []).append(variant)
    for reason, variants in reasons.items():
        of = "" if len(variants) == len(run_judges.compared) else f" ({', '.join(each.title for each in variants)})"
        st.caption(f"{reason}{of}.")


def _repeats(rows: Sequence[tuple[AnswerVariant, RepeatCheck]]) -> None:
    st.markdown("**Asked again**")
    if not rows:
        st.caption("No judge was asked repeatedly. Set repeats when you start a run of judges.")
        return
    checks = [each for _variant, each in rows]
    number_table(
        {
            "Variant": _variants(rows),
            "Judge": [each.judge for each in checks],
            "Answers": [f"{each.answers:,}" for each in checks],
            "Distance of F1": [format_estimate(each.apart, PLACES) for each in checks],
            "Items": [f"{each.items:,}" for each in checks],
            "Equal labels": [format_estimate(each.equal, PLACES) for each in checks],
        },
        key=state.key(PAGE, "judges.repeats"),
        words=("Variant", "Judge"),
    )


ORDER_WORDS: Mapping[str, str] = {
    "shuffled": "numbered in another order − copy",
    "ordering": "with an order to the judge in the text − naming",
}


def _orders(checks: Sequence[OrderCheck]) -> None:
    st.markdown("**The same graph again**")
    if not checks:
        st.caption("Judge with the controls copy and shuffled (or ordering) to see what an order changes.")
        return
    number_table(
        {
            "Judge": [each.judge for each in checks],
            "Control": [ORDER_WORDS[each.control] for each in checks],
            "Samples": [f"{each.difference.n or 0:,}" for each in checks],
            "Difference of F1": [format_estimate(each.difference, PLACES) for each in checks],
            "Largest": [NO_VALUE if each.largest is None else f"{each.largest:.3f}" for each in checks],
        },
        key=state.key(PAGE, "judges.orders"),
        words=("Judge", "Control"),
    )
    for check in checks:
        if check.difference.value is None:
            st.caption(shell.escaped(f"{check.judge}: {check.difference.reason}."))


LabelKey = tuple[AnswerVariant, tuple[str, str]]
