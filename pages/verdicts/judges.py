"""How a run's judges compare with each other and with themselves: no label of a person is in these tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from components import shell, state
from components.widgets.number_table import number_table
from core.people import Viewer
from core.verdicts.agreement import FieldAgreement, Place, format_left_out
from core.verdicts.between_judges import FamilyRow, JudgesCompared, OrderCheck, OwnFamily, RepeatCheck
from core.verdicts.families import NO_P_VALUE
from core.verdicts.pairs import JudgePair
from core.words import counted
from pages.verdicts.acts import PAGE
from pages.verdicts.parts import NO_VALUE, agreement_columns, confusion, told
from services.verdicts import behind, judges

PLACES = 3


def show(viewer: Viewer, number: str) -> None:
    found = judges.judges_of(viewer, number)
    compared = found.compared
    if not compared.judges:
        st.info("This run has no verdict yet.")
        return
    st.caption(
        "Overall F1 in the default form, of answers that both judged whole; of repeated verdicts the first. Intervals "
        f"are over samples, seed {found.seed}. Another version of a judge is another run, and begins without values."
    )
    if len(compared.judges) > 1:
        _pairs("Shared answers", compared.shared)
        if len(compared.judges) > 2:
            _pairs(f"Answers that all judged: {compared.answers_by_all:,}", compared.by_all)
        _families(compared)
    _repeats(compared.repeats)
    _orders(compared.orders)
    if compared.labels:
        _labels(viewer, number, compared.labels)


def _pairs(title: str, pairs: Sequence[JudgePair]) -> None:
    st.markdown(f"**{title}**")
    number_table(
        {
            "First": [each.first for each in pairs],
            "Second": [each.second for each in pairs],
            "Answers": [f"{each.n:,}" for each in pairs],
            "Pearson r": [told(each.r, PLACES) for each in pairs],
            "First − second": [told(each.difference, PLACES) for each in pairs],
            "SD": [NO_VALUE if each.sd is None else f"{each.sd:.3f}" for each in pairs],
        },
        key=state.key(PAGE, f"judges.pairs.{title[:6]}"),
        words=("First", "Second"),
    )


def _families(compared: JudgesCompared) -> None:
    st.markdown("**By family of the judged model**")
    rows: Sequence[FamilyRow] = compared.families
    if rows:
        number_table(
            {
                "First": [each.first for each in rows],
                "Second": [each.second for each in rows],
                "Family": [each.family for each in rows],
                "Answers": [f"{each.difference.n or 0:,}" for each in rows],
                "First − second": [told(each.difference, PLACES) for each in rows],
            },
            key=state.key(PAGE, "judges.families"),
            words=("First", "Second", "Family"),
        )
    own: Sequence[OwnFamily] = [each for each in compared.own if each.bias.bias.value is not None]
    if own:
        number_table(
            {
                "Judge": [each.judge for each in own],
                "Beside": [each.other for each in own],
                "Own family": [each.family for each in own],
                "Own": [told(each.bias.own, PLACES) for each in own],
                "Others": [told(each.bias.others, PLACES) for each in own],
                "Own − others": [told(each.bias.bias, PLACES) for each in own],
            },
            key=state.key(PAGE, "judges.own"),
            words=("Judge", "Beside", "Own family"),
        )
        st.caption(
            "Own and others: the judge minus the other judge, over answers of its own family's models and of other "
            f"families'. {NO_P_VALUE}"
        )
    reasons = dict.fromkeys(
        f"{each.judge} beside {each.other}: {each.bias.bias.reason}."
        for each in compared.own
        if each.bias.bias.value is None
    )
    for reason in reasons:
        st.caption(reason)
    if compared.without_family:
        st.caption(f"{counted(len(compared.without_family), 'judged model')} without a family left out.")


def _repeats(found: Sequence[RepeatCheck]) -> None:
    st.markdown("**Asked again**")
    if not found:
        st.caption("No judge was asked repeatedly. Set repeats when you start a run of judges.")
        return
    number_table(
        {
            "Judge": [each.judge for each in found],
            "Answers": [f"{each.answers:,}" for each in found],
            "Distance of F1": [told(each.apart, PLACES) for each in found],
            "Items": [f"{each.items:,}" for each in found],
            "Equal labels": [told(each.equal, PLACES) for each in found],
        },
        key=state.key(PAGE, "judges.repeats"),
        words=("Judge",),
    )


ORDER_WORDS: Mapping[str, str] = {
    "shuffled": "numbered in another order − copy",
    "ordering": "with an order to the judge in the text − naming",
}


def _orders(found: Sequence[OrderCheck]) -> None:
    st.markdown("**The same graph again**")
    if not found:
        st.caption("Judge with the controls copy and shuffled (or ordering) to see what an order changes.")
        return
    number_table(
        {
            "Judge": [each.judge for each in found],
            "Control": [ORDER_WORDS[each.control] for each in found],
            "Samples": [f"{each.difference.n or 0:,}" for each in found],
            "Difference of F1": [told(each.difference, PLACES) for each in found],
            "Largest": [NO_VALUE if each.largest is None else f"{each.largest:.3f}" for each in found],
        },
        key=state.key(PAGE, "judges.orders"),
        words=("Judge", "Control"),
    )
    for each in found:
        if each.difference.value is None:
            st.caption(shell.escaped(f"{each.judge}: {each.difference.reason}."))


def _labels(viewer: Viewer, number: str, found: Mapping[tuple[str, str], Mapping[Place, FieldAgreement]]) -> None:
    st.markdown("**Labels**")
    pair = st.selectbox(
        "Judges",
        list(found),
        format_func=lambda each: f"{each[0]} and {each[1]}",
        key=state.key(PAGE, "judges.pair"),
    )
    fields = found[pair]
    number_table(agreement_columns(fields), key=state.key(PAGE, "judges.fields"), words=("Section", "Field"))
    if left_out := format_left_out("Both judges", fields):
        st.caption(left_out)
    confusion(fields, "First", "Second", "judges.confusion", partial(behind.judge_and_judge, viewer, number, pair))
