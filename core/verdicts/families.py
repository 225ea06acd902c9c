"""Bias of a judge for models of its own family, against another judge on the same answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling, mean_estimate, with_interval
from core.verdicts.judged import F1
from core.words import counted

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]
APART_BY_CHANCE = 1e-12  # sums that differ by rounding alone
FEWEST_MODELS = 4  # of a judge's family, and of others, for a test
FEWEST_ON_A_LINE = 6  # models, to remove a line on their mean score
MOST_ASSIGNMENTS = 10_000  # of families to models; of more, this number is drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFamily:
    """A judge minus another one: mean over answers of models of its `own` family, of the `others`, and the `bias`, the
    first minus the second. `p`: of families that do not matter, from their assignments to models; `adjusted`: the bias
    of what is left of each model's difference after a straight line on its mean score by both judges."""

    judge: str
    other: str
    family: str
    own: Estimate
    others: Estimate
    bias: Estimate
    p: Estimate
    adjusted: Estimate


def family_bias(
    judge: str, other: str, family: str, both: pd.DataFrame, families: Mapping[str, str], how: Resampling | None
) -> OwnFamily:
    """Mean differences over answers of the judge's own family and of others, with intervals over samples. Models of an
    unknown family are left out. `both`: `model`, `cluster` and `apart`, the judge's score minus the other's, and the
    scores."""
    of = both["model"].astype(object).map(lambda model: families.get(model, ""))
    known = both[of != ""]
    is_own = (of[of != ""] == family).to_numpy()
    apart, clusters = known["apart"].to_numpy(dtype=np.float64), known["cluster"].to_numpy()
    own, others = (mean_estimate(apart[side], clusters[side].tolist(), how) for side in (is_own, ~is_own))
    if own.value is None or others.value is None:
        none = undefined("there are not answers of both, the judge's family and others", len(known))
        return OwnFamily(
            judge=judge, other=other, family=family, own=own, others=others, bias=none, p=none, adjusted=none
        )
    models, numbers = np.unique(known["model"].astype(str).to_numpy(), return_inverse=True)
    own_models = np.zeros(len(models), dtype=bool)
    own_models[numbers[is_own]] = True
    # Of each answer, in the columns of its model: 1, the difference, the mean score by both judges.
    sums = np.zeros((len(known), 3, len(models)))
    rows = np.arange(len(known))
    sums[rows, 0, numbers], sums[rows, 1, numbers] = 1.0, apart
    sums[rows, 2, numbers] = known[F1].to_numpy(dtype=np.float64) - apart / 2
    columns = sums.reshape(len(known), -1)

    def bias(drawn: Array) -> Array:
        return _bias(drawn.reshape(len(drawn), 3, -1), own_models)

    def adjusted(drawn: Array) -> Array:
        return _bias(_without_line(drawn.reshape(len(drawn), 3, -1)), own_models)

    total = columns.sum(axis=0, keepdims=True)
    value = Estimate(own.value - others.value, n=len(known))
    left = float(adjusted(total)[0])
    if len(models) < FEWEST_ON_A_LINE:
        line = undefined(f"{counted(len(models), 'model')}; a line needs {FEWEST_ON_A_LINE}", len(models))
    elif np.isnan(left):
        line = undefined("all models have the same mean score", len(models))
    else:
        line = with_interval(Estimate(left, n=len(known)), columns, adjusted, how, clusters.tolist())
    return OwnFamily(
        judge=judge,
        other=other,
        family=family,
        own=own,
        others=others,
        bias=with_interval(value, columns, bias, how, clusters.tolist()),
        p=_permuted(total.reshape(1, 3, -1), own_models, 0 if how is None else how.seed),
        adjusted=line,
    )


def _bias(sums: Array, own: NDArray[np.bool_]) -> Array:
    """The mean difference over answers of own models minus that of others. `sums`: draws x (1, difference, …) x
    models."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [sums[:, 1, of].sum(axis=1) / sums[:, 0, of].sum(axis=1) for of in (own, ~own)]
        return np.asarray(means[0] - means[1], dtype=np.float64)


def _without_line(sums: Array) -> Array:
    """Sums without the straight line of models' differences on their mean scores, each with the weight of its
    answers."""
    n, apart, score = sums[:, 0], sums[:, 1], sums[:, 2]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(n > 0, score / n, 0.0)
        x = means - (score.sum(axis=1) / n.sum(axis=1))[:, None]
        spread = (n * x * x).sum(axis=1)
        slope = np.where(spread > APART_BY_CHANCE, (x * apart).sum(axis=1) / spread, np.nan)
    return np.stack([n, apart - slope[:, None] * x * n], axis=1)


def _permuted(sums: Array, own: NDArray[np.bool_], seed: int) -> Estimate:
    """Two-sided p of the bias where families are assigned to whole models at random: all assignments, or 10,000
    drawn ones and the observed one (Phipson and Smyth 2010). Answers of a model are no units: what a judge thinks of a
    model, it thinks of all of them."""
    models, many = len(own), int(own.sum())
    if min(many, models - many) < FEWEST_MODELS:
        return undefined(f"{counted(models, 'model')}, {many:,} of this family: too few for a test", models)
    if math.comb(models, many) <= MOST_ASSIGNMENTS:
        chosen = np.array(list(combinations(range(models), many)))
    else:
        order = np.random.default_rng(seed).random((MOST_ASSIGNMENTS, models)).argsort(axis=1)
        chosen = np.vstack([np.flatnonzero(own), order[:, :many]])
    is_own = np.zeros((len(chosen), models))
    np.put_along_axis(is_own, chosen, 1.0, axis=1)
    n, apart = sums[0, 0], sums[0, 1]
    biases = is_own @ apart / (is_own @ n) - (1 - is_own) @ apart / ((1 - is_own) @ n)
    observed = abs(float(_bias(sums, own)[0]))
    return Estimate(float(np.mean(np.abs(biases) >= observed - APART_BY_CHANCE)), n=models)
