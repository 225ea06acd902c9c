"""What a run's candidates come to: signs, how far extractions agree, evidence, local edits, and its critics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, pstdev
from typing import Any

from core.agreement.alpha import krippendorff_alpha
from core.agreement.kappa import Weights, pairwise_kappas
from core.agreement.level import Level
from core.agreement.ratings import Ratings
from core.estimate import Estimate
from core.triplets.criteria import HIGHEST, Criterion
from core.triplets.passages import Match
from protocols.econcausal_pipeline.grouping import CHOICES


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionSummary:
    """Of one criterion over all candidates that every critic scored. `means`: by critic, 0–3; `spread`: standard
    deviation of all its scores; `alpha`: Krippendorff's, ordinal; `kappas`: by two critics, quadratic weights;
    `drops`: candidates that fail it; `drops_alone`: that fail nothing else and reach the total."""

    criterion: Criterion
    n: int
    means: Mapping[str, float]
    spread: float | None
    alpha: Estimate
    kappas: Mapping[tuple[str, str], Estimate]
    drops: int
    drops_alone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSummary:
    """`signs`: of candidates; `agreed`: groups by the number of extractions that have them, ties apart; `matches`:
    paragraphs by match; `edited`, `other_methods`: of `scored` candidates, those whose context or methods are not the
    paper's; `on_boundary`: totals of exactly 15; `changed`: by setting, groups that are otherwise as released."""

    signs: Mapping[str, int]
    agreed: Mapping[int, int]
    ties: int
    matches: Mapping[str, int]
    scored: int
    edited: int
    other_methods: int
    on_boundary: int
    changed: Mapping[str, int]
    criteria: tuple[CriterionSummary, ...]


def summary_of(consensus: Sequence[Mapping[str, Any]], candidates: Sequence[Mapping[str, Any]]) -> CandidateSummary:
    """`consensus`: the value of each paper; `candidates`: what is known of each, those that were filtered in full."""
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
    given = [score for row in table for score in row if score is not None]
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
        spread=pstdev(given) if given else None,
        alpha=krippendorff_alpha(ratings, Level.ORDINAL),
        kappas=kappas,
        drops=sum(criterion.value in each["failing"] for each in whole),
        drops_alone=len(alone),
    )
