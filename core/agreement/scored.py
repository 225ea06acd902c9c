"""Agreement of scores: distance of experts from each other and from critics, by criterion and in verdicts."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from core.agreement.alpha import krippendorff_alpha
from core.agreement.icc import Icc, intraclass
from core.agreement.icc_clustered import clustered_intraclass
from core.agreement.kappa import PairKappa, Weights, cohen_kappa, pairwise_kappas
from core.agreement.level import MeasurementLevel
from core.agreement.ratings import GAP, Array, Ratings
from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling, with_interval

PILED_UP = 0.5  # share of combined scores at the maximum above which a low ICC says little; Edgewise's convention


@dataclass(frozen=True, slots=True)
class ScorePair:
    """Two scores of one thing, exact: `unit` is what was scored, `cluster` its paper."""

    unit: str
    cluster: str
    first: Fraction
    second: Fraction

    @property
    def gap(self) -> Fraction:
        return self.first - self.second


def mean_absolute_error(pairs: Sequence[ScorePair], how: Resampling | None = None) -> Estimate:
    """Return mean |first − second| over pairs, on the scale of the scores, with a bootstrap interval over clusters.
    Undefined without pairs. EconCausal, section 3.3: |critics' mean − expert| over expert–triplet pairs.

    >>> one, other = ScorePair("a", "p", Fraction(3), Fraction(2)), ScorePair("b", "p", Fraction(1), Fraction(1))
    >>> mean_absolute_error([one, other]).value
    0.5
    """
    return _mean([abs(pair.gap) for pair in pairs], pairs, how)


def bias(pairs: Sequence[ScorePair], how: Resampling | None = None) -> Estimate:
    """Return the mean of first − second over pairs: above 0 where the first scores higher. Undefined without pairs."""
    return _mean([pair.gap for pair in pairs], pairs, how)


def share_agreeing(pairs: Sequence[ScorePair], how: Resampling | None = None) -> Estimate:
    """Return the share, 0–1, of pairs whose two values are equal. Undefined without pairs."""
    return _mean([Fraction(pair.gap == 0) for pair in pairs], pairs, how)


def share_at(
    values: Sequence[Fraction], highest: int, clusters: Sequence[Hashable], how: Resampling | None
) -> Estimate:
    """Return the share, 0–1, of scores that are the highest possible. Undefined without scores."""
    hits = [float(value == highest) for value in values]
    if not hits:
        return undefined("there are no scores", 0)
    estimate = Estimate(sum(hits) / len(hits), n=len(hits))
    return with_interval(estimate, _columns(hits), _ratio, how, clusters)


def _mean(values: Sequence[Fraction], pairs: Sequence[ScorePair], how: Resampling | None) -> Estimate:
    if not pairs:
        return undefined("nothing was scored by both", 0)
    estimate = Estimate(float(sum(values, Fraction(0)) / len(values)), n=len(values))
    columns = _columns([float(value) for value in values])
    return with_interval(estimate, columns, _ratio, how, [pair.cluster for pair in pairs])


def _columns(values: Sequence[float]) -> Array:
    return np.stack([np.array(values, dtype=np.float64), np.ones(len(values))], axis=1)


def _ratio(sums: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sums[:, 1] > 0, sums[:, 0] / sums[:, 1], np.nan)


# --- tables of ratings -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Scores of one criterion: `ratings` units x raters, and of each unit its name and its cluster."""

    ratings: Ratings
    units: tuple[str, ...]
    clusters: tuple[str, ...]
    raters: tuple[str, ...]
    # every column is one rater; else columns are in order of submission, and only the one-way ICC applies
    are_people: bool


def score_table(
    scores_by_unit: Mapping[str, Mapping[str, int]], clusters: Mapping[str, str], highest: int
) -> ScoreTable:
    """Return the table of unit → rater → score (raters in order of submission), on the scale 0 to `highest`. Columns
    are raters if every unit was scored by the same ones, else the order of submission."""
    raters = tuple(sorted({rater for scores in scores_by_unit.values() for rater in scores}))
    are_people = all(set(scores) == set(raters) for scores in scores_by_unit.values())
    width = len(raters) if are_people else max((len(scores) for scores in scores_by_unit.values()), default=0)
    rows: list[list[int | None]] = []
    for scores in scores_by_unit.values():
        row = [scores[rater] for rater in raters] if are_people else list(scores.values())
        rows.append([*row, *[None] * (width - len(row))])
    ratings = Ratings.of(rows, tuple(range(highest + 1)))
    return ScoreTable(
        ratings, tuple(scores_by_unit), tuple(clusters[unit] for unit in scores_by_unit), raters, are_people
    )


def pair_table(pairs: Sequence[ScorePair], steps: int, highest: int) -> ScoreTable:
    """Return pairs as two columns, first and second, with `steps` steps per point: means of three critics have three.
    The scale has equal steps, so that distances on it are distances of scores."""
    scale = [Fraction(n, steps) for n in range(highest * steps + 1)]
    places = {value: n for n, value in enumerate(scale)}
    codes = [[places[pair.first], places[pair.second]] for pair in pairs]
    ratings = Ratings(np.array(codes, dtype=np.intp).reshape(len(pairs), 2), tuple(float(value) for value in scale))
    units, clusters = tuple(pair.unit for pair in pairs), tuple(pair.cluster for pair in pairs)
    return ScoreTable(ratings, units, clusters, ("first", "second"), are_people=True)


@dataclass(frozen=True, slots=True)
class Coefficients:
    alpha: Estimate
    kappa: Estimate  # with quadratic weights, of two columns; undefined with more
    kappas: tuple[PairKappa, ...]  # of every two raters, where columns are raters
    icc: Mapping[Icc, Estimate]


def coefficients(table: ScoreTable, how: Resampling | None) -> Coefficients:
    """Return ordinal alpha, weighted kappa and the six intraclass correlations, with intervals over clusters. Intervals
    of the correlations are over clusters for two columns without gaps; else they come from F."""
    ratings, clusters = table.ratings, table.clusters
    alpha = krippendorff_alpha(ratings, MeasurementLevel.ORDINAL, how, clusters)
    width = ratings.codes.shape[1]
    if width == 2:
        kappa = cohen_kappa(ratings, Weights.QUADRATIC, how, clusters)
    elif width < 2:
        kappa = undefined("there is only one rater", 0)
    else:
        kappa = undefined(f"it is defined for two raters, and there are {width}; see the pairs", len(table.units))
    kappas = pairwise_kappas(ratings, Weights.QUADRATIC) if table.are_people else ()
    is_paired = width == 2 and not (ratings.codes == GAP).any()
    icc = clustered_intraclass(ratings, how, clusters) if how is not None and is_paired else intraclass(ratings)
    return Coefficients(alpha, kappa, kappas, icc)


def spread(table: ScoreTable) -> dict[str, int]:
    """Return unit → the largest difference of two of its scores, in steps of the scale; 0 with one score."""
    spreads: dict[str, int] = {}
    for unit, codes in zip(table.units, table.ratings.codes, strict=True):
        rated = codes[codes != GAP]
        spreads[unit] = max(spreads.get(unit, 0), int(rated.max() - rated.min()) if len(rated) else 0)
    return spreads


def ceiling(at_maximum: Estimate, what: str) -> str:
    """Return a warning if at least `PILED_UP` of the scores are at the maximum; empty otherwise."""
    share = at_maximum.value
    if share is None or share < PILED_UP:
        return ""
    return (
        f"{share:.0%} of {what} are at the maximum. At {PILED_UP:.0%} or more, the variance is so small that α, κ and "
        "ICC can be low or undefined even where raters agree. Read MAE and raw agreement first."
    )
