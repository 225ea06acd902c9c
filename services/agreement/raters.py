"""Agreement of experts with each other and with critics, for reviewers, by pseudonym.

Intervals are bootstrapped over papers with a fixed seed."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from core.agreement import scored
from core.agreement.icc import Icc
from core.agreement.kappa import cohen_kappa
from core.agreement.ratings import Ratings
from core.agreement.scored import ScorePair, ScoreTable
from core.estimate import Estimate, undefined
from core.people import Permission, Viewer
from core.scoring.interval import Resampling
from core.triplets.criteria import HIGHEST, Criterion
from core.triplets.forms import Rubric
from core.triplets.rubric import Boundary, expert_decision
from services.acting import consulting
from services.agreement.rater_material import Material, ScoreSheet, material_of, still_blind

INTERVALS = Resampling(seed=1, draws=1_000)
PEOPLE = "raters are the experts, by pseudonym"
TURNS = (
    "the experts differ from triplet to triplet, so rater 1 and rater 2 are the first and second to submit; only "
    "ICC(1,1) and ICC(1,k) are meaningful"
)
CRITICS = "ratings compared: the critics' mean and the expert's score"


@dataclass(frozen=True, slots=True)
class RatingCell:
    """A number and its triplets, the largest difference first."""

    found: Estimate
    triplet_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionAgreement:
    """Agreement on one criterion."""

    criterion: Criterion
    error: RatingCell  # mean absolute difference, in points
    bias: RatingCell  # mean of first − second (critics − expert), in points
    alpha: RatingCell  # ordinal
    kappa: RatingCell  # quadratic weights
    kappas: tuple[tuple[str, str, Estimate], ...]
    icc: Mapping[Icc, RatingCell]
    at_maximum: RatingCell  # share of scores that are 3
    warning: str  # about a ceiling; empty if there is none
    columns: str  # meaning of the columns of κ and ICC


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Agreement on accept or reject, derived from scores. Keys are (first accepts, second accepts): critics and expert,
    or the first and second expert to submit."""

    agreement: RatingCell
    kappa: RatingCell
    pairs: Mapping[tuple[bool, bool], int]  # counted like `agreement` and `kappa`
    counts: Mapping[tuple[bool, bool], int]  # triplets of these pairs
    table: Mapping[tuple[bool, bool], tuple[str, ...]]  # triplets the viewer may know: a cell reveals the verdicts

    def description(self, blind: Container[str]) -> RaterAgreement:
        """Return a copy that does not name blind triplets."""
        table = {key: tuple(each for each in ids if each not in blind) for key, ids in self.table.items()}
        return replace(self, table=table)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringAgreement:
    """Agreement on the six criteria."""

    experts: tuple[str, ...]  # pseudonyms
    triplets: int  # scored by at least one expert
    twice: int  # by two or more
    with_both: int  # by an expert and by all critics
    left_out: int  # the viewer is scoring them
    incomplete: int  # a critic lacks one of the six scores; these critics count in no number here
    on_boundary: int  # exactly 15 points by their critics
    expert_verdicts: RaterAgreement
    critic_verdicts: RaterAgreement
    among: tuple[CriterionAgreement, ...]
    with_critics: tuple[CriterionAgreement, ...]
    overall_error: RatingCell
    collections: tuple[str, ...] = ()  # titles
    not_blind: tuple[str, ...] = ()  # experts of sheets that followed a view of critics' scores; counted like others


def scoring_agreement(viewer: Viewer, boundary: Boundary = Boundary.GE) -> ScoringAgreement:
    """Return the agreement on all submitted sheets. `boundary` decides a total of exactly 15."""
    with consulting(viewer, Permission.REVIEW) as r:
        material = material_of(r, Rubric.ECONCAUSAL, boundary)
        blind = still_blind(r, {sheet.triplet_id for sheet in material.sheets})
    agreement = measured(material, boundary)
    return replace(
        agreement,
        expert_verdicts=agreement.expert_verdicts.description(blind),
        critic_verdicts=agreement.critic_verdicts.description(blind),
    )


@lru_cache(maxsize=8)  # a page is rendered again at every click, and an interval takes 1,000 draws a cell
def measured(material: Material, boundary: Boundary, how: Resampling = INTERVALS) -> ScoringAgreement:
    """Compute `scoring_agreement` from its material. Pure."""
    by_triplet: dict[str, list[ScoreSheet]] = defaultdict(list)
    for sheet in material.sheets:
        by_triplet[sheet.triplet_id].append(sheet)
    twice = {key: sheets for key, sheets in by_triplet.items() if len(sheets) > 1}
    complete = {sheet.triplet_id: sheet for sheet in material.critics if sheet.is_complete}
    steps = math.lcm(*(sheet.critics for sheet in complete.values())) if complete else 1
    both = [sheet for sheet in material.sheets if sheet.triplet_id in complete]
    pairs = [
        [
            ScorePair(each.triplet_id, each.paper, complete[each.triplet_id].means[place], Fraction(each.scores[place]))
            for each in both
        ]
        for place in range(len(Criterion))
    ]
    expert_pairs = [
        ScorePair(key, one.paper, _accepts(one, boundary), _accepts(other, boundary))
        for key, sheets in twice.items()
        for one, other in combinations(sheets, 2)
    ]
    return ScoringAgreement(
        experts=tuple(sorted({sheet.expert for sheet in material.sheets}, key=lambda name: (len(name), name))),
        triplets=len(by_triplet),
        twice=len(twice),
        with_both=len(complete),
        left_out=material.left_out,
        incomplete=sum(not sheet.is_complete for sheet in material.critics),
        on_boundary=sum(sheet.is_on_boundary for sheet in complete.values()),
        expert_verdicts=_verdicts(expert_pairs, how),
        critic_verdicts=_verdicts(
            [
                ScorePair(
                    sheet.triplet_id,
                    sheet.paper,
                    Fraction(complete[sheet.triplet_id].passes_filter),
                    _accepts(sheet, boundary),
                )
                for sheet in both
            ],
            how,
        ),
        among=tuple(
            _agreement_among_experts(criterion, place, twice, how) for place, criterion in enumerate(Criterion)
        ),
        with_critics=tuple(
            _agreement(
                criterion,
                scored.pair_table(pairs[place], steps, HIGHEST),
                pairs[place],
                None,
                [(int(pair.second), pair.cluster) for pair in pairs[place]],
                CRITICS,
                how,
            )
            for place, criterion in enumerate(Criterion)
        ),
        overall_error=_cell(scored.mean_absolute_error, [pair for some in pairs for pair in some], how),
        collections=material.collections,
        not_blind=material.not_blind,
    )


# --- criteria ----------------------------------------------------------------------------------------------------


def _agreement_among_experts(
    criterion: Criterion, place: int, twice: Mapping[str, Sequence[ScoreSheet]], how: Resampling
) -> CriterionAgreement:
    scores_by_expert = {key: {sheet.expert: sheet.scores[place] for sheet in sheets} for key, sheets in twice.items()}
    table = scored.score_table(scores_by_expert, {key: sheets[0].paper for key, sheets in twice.items()}, HIGHEST)
    # The columns of a table of people are experts in order; otherwise rater 1 is the first to submit.
    ordered = {
        key: sorted(sheets, key=lambda sheet: sheet.expert) if table.are_people else sheets
        for key, sheets in twice.items()
    }
    pairs = [
        ScorePair(key, sheets[0].paper, Fraction(one.scores[place]), Fraction(other.scores[place]))
        for key, sheets in ordered.items()
        for one, other in combinations(sheets, 2)
    ]
    has_order = table.are_people and len(table.raters) == 2
    bias = None if has_order else undefined("it is of two raters in a fixed order", len(pairs))
    scores = [(sheet.scores[place], sheet.paper) for sheets in twice.values() for sheet in sheets]
    return _agreement(criterion, table, pairs, bias, scores, PEOPLE if table.are_people else TURNS, how)


def _agreement(
    criterion: Criterion,
    table: ScoreTable,
    pairs: list[ScorePair],
    bias: Estimate | None,
    scores: Sequence[tuple[int, str]],
    columns: str,
    how: Resampling,
) -> CriterionAgreement:
    coefficients = scored.coefficients(table, how)
    ids = _by_largest_gap(pairs)
    at_maximum = scored.share_at([Fraction(score) for score, _ in scores], HIGHEST, [paper for _, paper in scores], how)
    return CriterionAgreement(
        criterion=criterion,
        error=RatingCell(scored.mean_absolute_error(pairs, how), ids),
        bias=RatingCell(bias if bias is not None else scored.bias(pairs, how), ids),
        alpha=RatingCell(coefficients.alpha, ids),
        kappa=RatingCell(coefficients.kappa, ids),
        kappas=tuple((table.raters[each.first], table.raters[each.second], each.kappa) for each in coefficients.kappas),
        icc={form: RatingCell(estimate, ids) for form, estimate in coefficients.icc.items()},
        at_maximum=RatingCell(at_maximum, ids),
        warning=scored.ceiling(at_maximum, "experts' scores"),
        columns=columns,
    )


# --- verdicts ----------------------------------------------------------------------------------------------------


def _accepts(sheet: ScoreSheet, boundary: Boundary) -> Fraction:
    decision = expert_decision(dict(zip(Criterion, sheet.scores, strict=True)), boundary)
    return Fraction(bool(decision.retained))


def _verdicts(pairs: list[ScorePair], how: Resampling) -> RaterAgreement:
    ratings = Ratings.of([[int(pair.first), int(pair.second)] for pair in pairs], (0, 1))
    clusters = [pair.cluster for pair in pairs]
    units = {
        (first, second): [pair.unit for pair in pairs if (pair.first == 1, pair.second == 1) == (first, second)]
        for first in (True, False)
        for second in (True, False)
    }
    table = {key: tuple(dict.fromkeys(unit_ids)) for key, unit_ids in units.items()}
    kappa = RatingCell(cohen_kappa(ratings, how=how, clusters=clusters), _by_largest_gap(pairs))
    return RaterAgreement(
        agreement=_cell(scored.share_agreeing, pairs, how),
        kappa=kappa,
        pairs={key: len(unit_ids) for key, unit_ids in units.items()},
        counts={key: len(ids) for key, ids in table.items()},
        table=table,
    )


def _cell(
    measure: Callable[[Sequence[ScorePair], Resampling], Estimate], pairs: list[ScorePair], how: Resampling
) -> RatingCell:
    return RatingCell(measure(pairs, how), _by_largest_gap(pairs))


def _by_largest_gap(pairs: Sequence[ScorePair]) -> tuple[str, ...]:
    """Return triplets by their largest difference; equal ones in the order of submission."""
    largest: dict[str, Fraction] = {}
    for pair in pairs:
        largest[pair.unit] = max(largest.get(pair.unit, Fraction(0)), abs(pair.gap))
    return tuple(sorted(largest, key=lambda unit: -largest[unit]))
