"""Summary of a run's candidates: signs, agreement of extractions, evidence, local edits, critics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, pstdev
from typing import Any

from core.agreement.alpha import krippendorff_alpha
from core.agreement.kappa import Weights, pairwise_kappas
from core.agreement.level import MeasurementLevel
from core.agreement.ratings import Ratings
from core.estimate import Estimate
from core.triplets.criteria import HIGHEST, Criterion
from core.triplets.passages import Match
from protocols.econcausal_pipeline.grouping import CHOICES


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionSummary:
    """Summary of one criterion over all candidates that every critic scored."""

    criterion: Criterion
    n: int
    means: Mapping[str, float]  # by critic, 0–3
    spread: float | None  # standard deviation of all scores
    alpha: Estimate  # Krippendorff's, ordinal
    kappas: Mapping[tuple[str, str], Estimate]  # by pair of critics, quadratic weights
    drops: int  # candidates that fail it
    drops_alone: int  # candidates that fail nothing else and reach the total


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSummary:
    """Counts over all candidates of a run."""

    signs: Mapping[str, int]  # of candidates
    agreed: Mapping[int, int]  # groups by the number of extractions that have them
    ties: int  # not in `agreed`
    matches: Mapping[str, int]  # paragraphs by match
    scored: int
    edited: int  # of `scored`, those whose context is not the paper's
    other_methods: int  # of `scored`, those whose methods are not the paper's
    on_boundary: int  # totals of exactly 15
    changed: Mapping[str, int]  # by setting, groups that differ as released
    criteria: tuple[CriterionSummary, ...]


def summary_of(consensus: Sequence[Mapping[str, Any]], candidates: Sequence[Mapping[str, Any]]) -> CandidateSummary:
    """Summarise the consensus of each paper, and the candidates, filtered or not."""
    groups = [group for each in consensus for group in (*each["kept"], *each["dropped"])]
    scored = [each for each in candidates if "verdict" in each]
    matches = Counter(one["match"] for each in candidates for one in each["evidence"])
    return CandidateSummary(
        signs=dict(Counter("tie" if each["sign"] is None else each["sign"] for each in candidates)),
        agreed=dict(sorted(Counter(group["runs"] for group in groups).items(), reverse=True)),
        ties=sum(group["sign"] is None for each in consensus for group in each["kept"]),
        matches={match.value: matches[match.value] for match in Match},
        scored=len(scored),
        edited=sum(each["context"] != each["global_context"] for each in scored),
        other_methods=sum(each["methods"] != each["global_methods"] for each in scored),
        on_boundary=sum(bool(each["is_on_boundary"]) for each in scored),
        changed={name: sum(each["changed"].get(name, 0) for each in consensus) for name in CHOICES},
        criteria=tuple(_criterion(each, scored) for each in Criterion),
    )


def _criterion(criterion: Criterion, scored: Sequence[Mapping[str, Any]]) -> CriterionSummary:
    whole = [each for each in scored if each["total"] is not None]
    critics = sorted({name for each in whole for name in each["per_model_scores"]})
    table = [[each["per_model_scores"].get(name, {}).get(criterion.value) for name in critics] for each in whole]
    ratings = Ratings.of(table, list(range(HIGHEST + 1)))
    values = [score for row in table for score in row if score is not None]
    alone = [each for each in whole if each["failing"] == [criterion.value] and Fraction(*each["total"]) >= 15]
    kappas = {
        (critics[pair.first], critics[pair.second]): pair.kappa
        for pair in (pairwise_kappas(ratings, Weights.QUADRATIC) if len(critics) > 1 else ())
    }
    return CriterionSummary(
        criterion=criterion,
        n=len(whole),
        means={
            name: fmean(column)
            for at, name in enumerate(critics)
            if (column := [row[at] for row in table if row[at] is not None])
        },
        spread=pstdev(values) if values else None,
        alpha=krippendorff_alpha(ratings, MeasurementLevel.ORDINAL),
        kappas=kappas,
        drops=sum(criterion.value in each["failing"] for each in whole),
        drops_alone=len(alone),
    )
