"""Header of the raters' tables: main values next to the paper's, and warnings."""

from __future__ import annotations

import streamlit as st

from components import shell
from core.estimate import Estimate
from core.words import counted, ends, sentence_case
from services.agreement import rater_tables
from services.agreement.rater_files import format_exposures, shown
from services.agreement.rater_material import words_of_collections
from services.agreement.rater_tables import Scale, words_of
from services.agreement.raters import ScoringAgreement
from services.agreement.validation import ValidationAgreement


def sentence(agreement: ScoringAgreement) -> str:
    """Return the share of equal decisions with its interval, of what; without one, what was scored."""
    alike = agreement.critic_verdicts.agreement.found
    if alike.value is None:
        return (
            f"**{counted(len(agreement.experts), 'expert')} scored {counted(agreement.triplets, 'triplet')}**, "
            f"{agreement.with_both:,} of them also scored by all critics."
        )
    return (
        f"Critics and experts agree on **{shown(alike, Scale.SHARE)}**{within(alike, Scale.SHARE)} of "
        f"{counted(alike.n or 0, 'decision')} to accept or reject; EconCausal reports "
        f"{100 * rater_tables.PAPER_AGREEMENT:.1f}%."
    )


def notes(agreement: ScoringAgreement) -> str:
    """Return the other main values, what was scored and what is left out, and warnings, as Markdown."""
    kappa, error = agreement.critic_verdicts.kappa.found, agreement.overall_error.found
    parts = [
        f"κ {shown(kappa, Scale.COEFFICIENT)}{within(kappa, Scale.COEFFICIENT)} · "
        f"MAE {shown(error, Scale.POINTS)}{within(error, Scale.POINTS)} (n = {error.n or 0:,}; "
        f"EconCausal: {rater_tables.PAPER_ERROR})",
        f"{counted(len(agreement.experts), 'expert')} scored {counted(agreement.triplets, 'triplet')}, "
        f"{agreement.twice:,} by 2 or more experts, {agreement.with_both:,} also by all critics",
        f"{counted(agreement.on_boundary, 'triplet')} with a critics' total of exactly 15",
        (
            f"{counted(agreement.incomplete, 'triplet')} {'lacks' if agreement.incomplete == 1 else 'lack'} a critic's "
            "score; critics count only where all scored"
        )
        if agreement.incomplete
        else "No incomplete triplet",
    ]
    parts += filter(None, [words_of_collections(agreement.collections)])
    if agreement.left_out:
        parts.append(f"{counted(agreement.left_out, 'triplet')} left out while you are still scoring")
    lines = [shell.escaped(". ".join(parts) + ".")]
    if agreement.not_blind:
        lines.append(f":material/visibility: {shell.escaped(format_exposures(agreement))}")
    piled = [each for each in (agreement.with_critics if agreement.with_both else agreement.among) if each.warning]
    if piled:
        shares = (f"{words_of(each.criterion)} {shown(each.at_maximum.found, Scale.SHARE)}" for each in piled)
        lines.append(
            f":material/warning: Most scores are at the maximum ({', '.join(shares)}). With so little variance, "
            "α, κ and ICC can be low or undefined even where raters agree. Read MAE and raw agreement first."
        )
    return "  \n".join(lines)


def within(estimate: Estimate, scale: Scale) -> str:
    """Return the interval to append to a value: " [95%: 0.174–0.345]"; empty if there is none."""
    between = ends_of(estimate, scale)
    return f" [95%: {between}]" if between else ""


def ends_of(estimate: Estimate, scale: Scale) -> str:
    """Return the interval, such as "0.174–0.345"; empty if there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return ends(shown(Estimate(estimate.low), scale), shown(Estimate(estimate.high), scale))


def of_validation(validation: ValidationAgreement) -> None:
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
