"""Codes that models propose: the owner's setting, the link to a run that proposes them, and their effect."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.data_page import data_page
from components.widgets.number_table import number_table
from core.agreement.proposed_codes import LONGEST_GAP_S
from core.estimate import Estimate
from core.people import Permission, Viewer
from core.runs.codebook import LIST_OPTION, PROPOSING
from core.words import counted
from pages.failures.parts import PAGE, number
from pages.runs.parts import NO_VALUE
from services.failures import proposal_effect, proposal_settings
from services.failures.coding import ListLine
from services.failures.proposal_settings import USUAL_SHARE

FORM = f"{PAGE}.proposed.form"
ON = "Models may propose codes for lists drawn from now on"
OFF_WORDS = "Models propose no codes."
HOW = f"""\
- **Without** are the answers of the random share that is coded without proposals, **With** the others of these lists.
- **α** is Krippendorff's alpha of whole sets of codes, between people; **Codes** the mean number that a coder gives.
- **Seconds** is the median time since the same coder's previous answer. More than {LONGEST_GAP_S / 60:.0f} minutes are
  a break.
- **Accepted** is the share of decided proposals. The program refuses a proposal whose quotation is neither in the reply
  nor in its reasoning, and shows it to nobody who codes; the answer of its run has the reason.
"""


def words_of(line: ListLine) -> str:
    """Return how a list is coded, such as "run 7, 25% without"."""
    if line.share_without is None:
        return NO_VALUE
    runs = f"run {', '.join(map(str, line.proposing_runs))}" if line.proposing_runs else "none yet"
    return f"{runs}, {line.share_without:.0%} without"


def link_to_run(viewer: Viewer, lines: Sequence[ListLine]) -> None:
    """Draw the link to a new run over the newest list for which a model may still propose codes."""
    waiting = [
        each
        for each in lines
        if each.share_without is not None and not each.proposing_runs and not each.submitted and not each.at_work
    ]
    if waiting and viewer.may(Permission.RUN):
        link = {"show": "new", "protocol": PROPOSING, LIST_OPTION: waiting[0].list_id}
        links.page_button("Propose codes", "runs", link, key=state.key(PAGE, "proposed.run"))


def show_settings(viewer: Viewer) -> None:
    """Draw the owner's setting."""
    if not viewer.may(Permission.MANAGE):
        return
    now = proposal_settings.settings(viewer)
    share = now.share_without
    with st.expander("Proposals by models", key=state.key(PAGE, "proposed.settings")):
        seen = state.seen(FORM, now.version)
        without = (
            OFF_WORDS if share is None else f"Models may propose codes; {share:.0%} of each list is coded without."
        )
        shell.receipt_line(acts.last_receipt(FORM), without)
        is_on = st.checkbox(ON, share is not None, key=state.act_key(FORM, "on"))
        percent = st.number_input(
            "Share without (%)",
            0,
            100,
            round(100 * (USUAL_SHARE if share is None else share)),
            key=state.act_key(FORM, "share"),
            disabled=not is_on,
            help="Drawn at random with the seed of the list, so that the effect of proposals is measured.",
        )
        chosen = int(percent) / 100 if is_on else None
        if st.button("Save setting", key=state.act_key(FORM, "save")):
            acts.keep(FORM, FORM, lambda act: proposal_settings.save_settings(viewer, chosen, seen=seen, act_id=act))


def show_effect(viewer: Viewer) -> None:
    """Draw the comparison of answers with proposals and without."""
    arms = proposal_effect.effect(viewer)
    if arms is None:
        return
    st.subheader("Proposals", anchor=False)
    shown, without = arms
    decided = shown.accepted.n or 0
    with data_page(
        f"People accepted {_percent(shown.accepted)} of **{counted(decided, 'proposal')}** decided; α is "
        f"{number(shown.alpha, 2)} with proposals and {number(without.alpha, 2)} without.",
        HOW,
        key=state.key(PAGE, "proposed"),
    ):
        number_table(
            {
                "Proposals": ["With", "Without"],
                "Answers": [f"{each.answers:,}" for each in arms],
                "α": [number(each.alpha, 2) for each in arms],
                "Codes": [_with_n(each.codes, number(each.codes, 2)) for each in arms],
                "Seconds": [_with_n(each.seconds, number(each.seconds, 0)) for each in arms],
                "Accepted": [_with_n(each.accepted, _percent(each.accepted)) for each in arms],
                "Undecided": [f"{each.undecided:,}" for each in arms],
            },
            key=state.key(PAGE, "proposed.effect"),
            words=("Proposals",),
        )


def _with_n(estimate: Estimate, words: str) -> str:
    return NO_VALUE if estimate.value is None else f"{words} (n = {estimate.n or 0:,})"


def _percent(estimate: Estimate) -> str:
    return NO_VALUE if estimate.value is None else f"{estimate.value:.0%}"
