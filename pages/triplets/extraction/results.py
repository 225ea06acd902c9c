"""Tables of a run's candidates: signs, agreement of extractions, evidence, critics by criterion."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import state
from components.widgets.number_table import number_table
from core.people import Viewer
from core.runs.budget import dollars_alike
from core.words import counted, minus, sentence_case
from protocols.econcausal_pipeline.summary import CandidateSummary
from services.agreement.rater_tables import PAPER_AGREEMENT, PAPER_ERROR
from services.extraction import summaries
from services.extraction.summaries import StepCost

SCOPE = state.key("triplets", "extraction.results")
SETTINGS = {"grouping": "Who is the same", "votes": "Votes for a sign", "wording": "Shown wording and evidence"}


def show(viewer: Viewer, run: str) -> None:
    summary = summaries.summary(viewer, run)
    if not summary.signs:
        st.caption("No candidate yet. Tables appear with the first ones.")
        return
    left, right = st.columns(2)
    with left:
        st.markdown("**Signs of candidates**")
        _counts("Sign", {minus(sign): many for sign, many in dict(summary.signs).items()}, "signs")
        st.markdown("**Evidence**")
        _counts("Match", {sentence_case(name): many for name, many in summary.matches.items()}, "matches")
    with right:
        st.markdown("**Groups by extractions**")
        _counts("Extractions", {str(runs): many for runs, many in summary.agreed.items()}, "agreed")
        st.caption(f"{counted(summary.ties, 'tie')} among the candidates.")
        st.markdown("**Groups otherwise as released**")
        _counts("Setting", {SETTINGS[name]: many for name, many in summary.changed.items()}, "changed")
    st.caption(
        f"Of {counted(summary.scored, 'candidate')} that went through the filter, {summary.edited:,} have a context "
        f"and {summary.other_methods:,} methods of their own; {counted(summary.on_boundary, 'total')} of exactly 15."
    )
    _critics(summary)
    lines = summaries.venues(viewer, run)
    st.markdown("**Papers with candidates by venue**")
    number_table(
        {
            "Venue": [sentence_case(each.venue) or "Not known" for each in lines],
            "Domain": [sentence_case(each.domain) or "–" for each in lines],
            "Papers": [f"{each.papers:,}" for each in lines],
            "Candidates": [f"{each.candidates:,}" for each in lines],
            "Accepted": [f"{each.accepted:,}" for each in lines],
        },
        words=("Venue", "Domain"),
        key=state.key(SCOPE, "venues"),
    )
    st.caption("EconCausal's domains are those of its eight journals, five of economics and three of finance.")
    _costs(summaries.costs(viewer, run))


def _counts(what: str, counts: dict[str, int], name: str) -> None:
    st.dataframe({what: list(counts), "Number": list(counts.values())}, hide_index=True, key=state.key(SCOPE, name))


def _critics(summary: CandidateSummary) -> None:
    """Draw a row per criterion; undefined values are en dashes with a reason in the caption."""
    critics = list(dict.fromkeys(name for each in summary.criteria for name in each.means))
    if not critics:
        return
    pairs = list(dict.fromkeys(pair for each in summary.criteria for pair in each.kappas))
    st.markdown("**Critics**")
    number_table(
        {
            "Criterion": [sentence_case(each.criterion.words) for each in summary.criteria],
            "N": [f"{each.n:,}" for each in summary.criteria],
            **{f"Mean, {name}": [_number(each.means.get(name)) for each in summary.criteria] for name in critics},
            "Spread": [_number(each.spread) for each in summary.criteria],
            "α": [_number(each.alpha.value) for each in summary.criteria],
            **{
                f"κ, {first} and {second}": [_number(each.kappas[first, second].value) for each in summary.criteria]
                for first, second in pairs
            },
            "Rejects": [f"{each.drops:,}" for each in summary.criteria],
            "Rejects alone": [f"{each.drops_alone:,}" for each in summary.criteria],
        },
        words=("Criterion",),
        key=state.key(SCOPE, "critics"),
    )
    st.caption(
        f"With experts' scores, Agreement, Raters holds critics against experts. EconCausal publishes "
        f"{PAPER_AGREEMENT:.1%} agreement and a mean absolute error of {PAPER_ERROR}."
    )
    reasons = dict.fromkeys(each.alpha.reason for each in summary.criteria if each.alpha.value is None)
    for reason in reasons:
        st.caption(f"α is undefined: {reason}.")


def _costs(lines: Sequence[StepCost]) -> None:
    if not lines:
        st.caption("This run sent no request.")
        return
    st.markdown("**Requests and cost by step**")
    costs = iter(dollars_alike([each.used.cost_usd for each in lines if each.used.cost_usd is not None]))
    number_table(
        {
            "Step": [each.title for each in lines],
            "Requests": [f"{each.used.requests:,}" for each in lines],
            "Tokens in": [f"{each.used.tokens_in:,}" for each in lines],
            "Of these cached": [
                f"{each.used.cached / each.used.tokens_in:.0%}" if each.used.tokens_in else "–" for each in lines
            ],
            "Tokens out": [f"{each.used.tokens_out:,}" for each in lines],
            "Cost": ["–" if each.used.cost_usd is None else next(costs) for each in lines],
        },
        words=("Step",),
        key=state.key(SCOPE, "costs"),
    )
    st.caption("Cached: found by the provider in its cache, since each request about a paper begins with it.")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
