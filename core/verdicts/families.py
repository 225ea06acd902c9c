"""Family bias: the difference of two judges on the judge's own family, against other families (ReCITE, Table 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.estimate import Estimate, undefined
from core.scoring.interval import Array, Resampling, Statistic, with_interval

NO_P_VALUE = (
    "No p-value: families would be permuted over answers, and a family with one model is that model. The interval is "
    "over samples, not over models."
)


@dataclass(frozen=True, slots=True)
class FamilyDifference:
    """One answer that two judges scored: `delta`, the judge's score minus the other's; `is_own`: whether the judged
    model is of the judge's family. `sample`: drawn again as a whole."""

    sample: str
    delta: float
    is_own: bool


@dataclass(frozen=True, slots=True)
class FamilyBias:
    """`own`, `others`: mean differences; `bias`: the first minus the second."""

    own: Estimate
    others: Estimate
    bias: Estimate


def family_bias(found: Sequence[FamilyDifference], how: Resampling) -> FamilyBias:
    """Compute mean differences over answers of the judge's own family and of others, with intervals over samples."""
    rows = [(each.delta * each.is_own, each.is_own, each.delta * (not each.is_own), not each.is_own) for each in found]
    sums = np.array(rows, dtype=np.float64).reshape(len(found), 4)
    samples = [each.sample for each in found]
    total = sums.sum(axis=0)
    if not total[1] or not total[3]:
        none = undefined("there are not answers of both, one's own family and others", len(found))
        return FamilyBias(_mean(total[0], total[1]), _mean(total[2], total[3]), none)
    own, others = total[0] / total[1], total[2] / total[3]

    def bounded(value: float, n: float, statistic: Statistic) -> Estimate:
        return with_interval(Estimate(float(value), n=int(n)), sums, statistic, how, samples)

    return FamilyBias(
        bounded(own, total[1], lambda drawn: _divided(drawn[:, 0], drawn[:, 1])),
        bounded(others, total[3], lambda drawn: _divided(drawn[:, 2], drawn[:, 3])),
        bounded(own - others, len(found), _apart),
    )


def _mean(total: float, n: float) -> Estimate:
    return Estimate(float(total / n), n=int(n)) if n else undefined("there is no such answer", 0)


def _apart(sums: Array) -> Array:
    return _divided(sums[:, 0], sums[:, 1]) - _divided(sums[:, 2], sums[:, 3])


def _divided(over: Array, under: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(under > 0, over / under, np.nan)
