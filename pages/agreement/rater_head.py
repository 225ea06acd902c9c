"""What stands above the tables of raters' agreement: the main figures with the paper's beside, and warnings."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell
from core.estimate import Estimate
from core.words import counted, ends, sentence_case
from services.agreement import rater_tables
from services.agreement.rater_files import shown, words_of_looks
from services.agreement.rater_material import words_of_collections
from services.agreement.rater_tables import Scale, words_of
from services.agreement.raters import CriterionAgreement, ScoringAgreement
from services.agreement.validation import ValidationAgreement


def headline(found: ScoringAgreement) -> None:
    """Everything on the six criteria in a line, what is not counted, and whether scores pile up."""
    alike, kappa = found.critic_verdicts.agreement.found, found.critic_verdicts.kappa.found
    error = found.overall_error.found
    parts = [
        f"**{counted(len(found.experts), 'expert')} scored {counted(found.triplets, 'triplet')}**",
        f"{found.twice:,} by 2 or more experts",
        f"{found.with_both:,} also by all critics",
        f"Critics and experts agree on accept or reject: {_bold(alike, Scale.SHARE)} (n = {alike.n or 0:,}; "
        f"EconCausal: {100 * rater_tables.PAPER_AGREEMENT:.1f}%), κ {_bold(kappa, Scale.COEFFICIENT)}",
        f"MAE {_bold(error, Scale.POINTS)} (n = {error.n or 0:,}; EconCausal: {rater_tables.PAPER_ERROR})",
    ]
    st.markdown(" · ".join(parts))
    said = [f"{counted(found.on_boundary, 'triplet')} with a critics' total of exactly 15"]
    said.append(
        (
            f"{counted(found.incomplete, 'triplet')} {'lacks' if found.incomplete == 1 else 'lack'} a critic's "
            "score; critics count only where all scored"
        )
        if found.incomplete
        else "No incomplete triplet"
    )
    said += filter(None, [words_of_collections(found.collections)])
    if found.left_out:
        said.append(f"{counted(found.left_out, 'triplet')} left out while you are still scoring")
    st.caption(shell.escaped(". ".join(said) + "."))
    if found.not_blind:
        st.caption(f":material/visibility: {shell.escaped(words_of_looks(found))}")
    _ceiling(found.with_critics if found.with_both else found.among)


def _bold(found: Estimate, scale: Scale) -> str:
    return f"**{shown(found, scale)}**{within(found, scale)}"


def within(found: Estimate, scale: Scale) -> str:
    """Its interval as it follows a value: " [95%: 0.174–0.345]"; empty without one."""
    if found.low is None or found.high is None:
        return ""
    low, high = (shown(Estimate(end), scale) for end in (found.low, found.high))
    return f" [95%: {ends(low, high)}]"


def _ceiling(those: Sequence[CriterionAgreement]) -> None:
    """One warning for all criteria whose scores pile up at the maximum."""
    piled = [each for each in those if each.warning]
    if piled:
        shares = (f"{words_of(each.criterion)} {shown(each.at_maximum.found, Scale.SHARE)}" for each in piled)
        st.caption(
            f":material/warning: Most scores are at the maximum ({', '.join(shares)}). With so little variance, "
            "α, κ and ICC can be low or undefined even where raters agree. Read MAE and raw agreement first."
        )


def of_validation(validation: ValidationAgreement) -> None:
    """What the table of the validation form is over."""
    st.caption(
        f"{counted(validation.relations, 'relation')} scored by two raters on the form of Lee et al. 2025, "
        f"{validation.once:,} by one. The paper reports ICC 0.57 [0.36, 0.70] over 104 relations, which fits the "
        "average of two raters; for a single rater it would be 0.40."
        + (
            f" {shell.escaped(sentence_case(pooled))}."
            if (pooled := words_of_collections(validation.collections))
            else ""
        )
        + (f" :material/warning: {shell.escaped(validation.warning)}" if validation.warning else "")
    )
