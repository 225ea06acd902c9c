"""The six intraclass correlations of Shrout and Fleiss, each by its name and with its interval from F."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from core.agreement.ratings import GAP, LEAST_UNITS, Array, Ratings, obstacle
from core.estimate import Estimate, undefined


class Icc(StrEnum):
    """Forms. First figure: 1 raters differ by unit, 2 raters are a sample and must give the same values (absolute
    agreement), 3 these raters only and their values may differ by a constant (consistency). Second: one rater, or the
    mean of k. McGraw and Wong 1996 write A for 2 and C for 3."""

    ONE_WAY = "ICC(1,1)"
    ABSOLUTE = "ICC(2,1)"
    CONSISTENT = "ICC(3,1)"
    ONE_WAY_MEAN = "ICC(1,k)"
    ABSOLUTE_MEAN = "ICC(2,k)"
    CONSISTENT_MEAN = "ICC(3,k)"


Bounds = tuple[float | None, float | None]

_NO_ERROR = "no interval: there is no error variance"
_LEAST_FREEDOM = 0.01  # below, both ends of the approximate interval fall together
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class MeanSquares:
    """Mean squares of a table of n units x k raters: between units, within units, between raters, and residual."""

    n: int
    k: int
    units: float
    within: float
    raters: float
    rest: float


def intraclass(ratings: Ratings, share: float = 0.95) -> Mapping[Icc, Estimate]:
    """Return all six forms, at most 1, on the units that every rater rated; `n`: those units. `share`: of the interval.

    Columns without a rating are no raters. Undefined with one rater, too few complete units, all ratings equal, two
    raters one of whom gave every unit the same value, and where the denominator, itself an estimate of a variance, is
    not positive (it is not clipped: ICC(2,k) of two units can be 6 otherwise). Shrout and Fleiss 1979; McGraw and Wong
    1996, table 7. Raises BadInput if a value of the domain is no number.

    >>> table = Ratings.of([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    >>> [round(found.value, 2) for found in intraclass(table).values()]
    [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    """
    scale = ratings.scale()
    missing = obstacle(ratings)
    if missing is not None:
        return dict.fromkeys(Icc, missing)
    codes = ratings.codes[:, list(ratings.raters)]
    is_complete = (codes != GAP).all(axis=1)
    table = scale[codes[is_complete]]
    problem = _problem(table)
    if problem is not None:
        return dict.fromkeys(Icc, problem)
    left_out = int((~is_complete).sum())
    note = f"{left_out} of {len(codes)} units are left out, because not every rater rated them" if left_out else ""
    forms = _forms(mean_squares(table), (1 + share) / 2)
    return {form: _noted(estimate, note) for form, estimate in forms.items()}


def mean_squares(table: Array) -> MeanSquares:
    """Return the two-way analysis of variance of n units x k raters; exactly 0 where rounding would leave a trace."""
    n, k = table.shape
    centred = table - table.mean()
    by_unit, by_rater = centred.mean(axis=1, keepdims=True), centred.mean(axis=0, keepdims=True)
    units, raters = float(k * (by_unit**2).sum()), float(n * (by_rater**2).sum())
    within, rest = float(((centred - by_unit) ** 2).sum()), float(((centred - by_unit - by_rater) ** 2).sum())
    steps, sums = table - table[:, :1], table.sum(axis=1)
    return MeanSquares(
        n,
        k,
        units=0.0 if (sums == sums[0]).all() else units / (n - 1),
        within=0.0 if not steps.any() else within / (n * (k - 1)),
        raters=raters / (k - 1),
        rest=0.0 if (steps == steps[0]).all() else rest / ((n - 1) * (k - 1)),
    )


def _problem(table: Array) -> Estimate | None:
    n, k = table.shape
    if n < LEAST_UNITS:
        what = {0: "no unit was", 1: "one unit was"}.get(n, f"{n} units were")
        return undefined(f"{what if n == 0 else 'only ' + what} rated by every rater, and {LEAST_UNITS} are needed", n)
    if (table == table[0, 0]).all():
        return undefined(f"every rating is {table[0, 0]:g}, so there is no variance", n)
    constant = [column for column in range(k) if (table[:, column] == table[0, column]).all()]
    if len(constant) == k:
        return undefined("every rater gave all units one value, so the units do not differ", n)
    if k == 2 and constant:
        who = ("first", "second")[constant[0]]
        return undefined(f"the {who} of two raters gave every unit {table[0, constant[0]]:g}", n)
    return None


def _forms(ms: MeanSquares, tail: float) -> dict[Icc, Estimate]:
    n, k = ms.n, ms.k
    one_way = _by_f(ms.units, ms.within, (n - 1, n * (k - 1)), tail)
    two_way = _by_f(ms.units, ms.rest, (n - 1, (n - 1) * (k - 1)), tail)
    spread = ms.units + (k - 1) * ms.rest + k * (ms.raters - ms.rest) / n
    absolute = _ratio(ms.units - ms.rest, spread, ms)
    bounds = _absolute_bounds(ms, absolute, tail)
    mean_bounds = _stepped(bounds[0], k), _stepped(bounds[1], k)  # from one rater to the mean of k (Spearman and Brown)
    return {
        Icc.ONE_WAY: _form(ms, ms.units - ms.within, ms.units + (k - 1) * ms.within, _singles(one_way, k)),
        Icc.ABSOLUTE: _bounded(absolute, bounds),
        Icc.CONSISTENT: _form(ms, ms.units - ms.rest, ms.units + (k - 1) * ms.rest, _singles(two_way, k)),
        Icc.ONE_WAY_MEAN: _form(ms, ms.units - ms.within, ms.units, _means(one_way)),
        Icc.ABSOLUTE_MEAN: _form(ms, ms.units - ms.rest, ms.units + (ms.raters - ms.rest) / n, mean_bounds),
        Icc.CONSISTENT_MEAN: _form(ms, ms.units - ms.rest, ms.units, _means(two_way)),
    }


def _form(ms: MeanSquares, numerator: float, denominator: float, bounds: Bounds) -> Estimate:
    return _bounded(_ratio(numerator, denominator, ms), bounds)


def _ratio(numerator: float, denominator: float, ms: MeanSquares) -> Estimate:
    if denominator <= _ROUNDING * (ms.units + ms.raters + ms.within):
        return undefined("the variance in its denominator is estimated at 0 or less", ms.n)
    return Estimate(numerator / denominator, n=ms.n)


def _bounded(estimate: Estimate, bounds: Bounds) -> Estimate:
    if estimate.value is None or bounds == (None, None):
        return replace(estimate, reason=_NO_ERROR) if estimate.value == 1 else estimate
    low, high = bounds
    reason = "" if low is not None and high is not None else "an end of the interval is infinite"
    return replace(estimate, low=low, high=high, reason=reason)


def _by_f(units: float, error: float, freedom: tuple[int, int], tail: float) -> Bounds:
    if error == 0:
        return None, None
    ratio = units / error
    return ratio / _f_quantile(tail, *freedom), ratio * _f_quantile(tail, *freedom[::-1])


def _f_quantile(probability: float, above: float, below: float) -> float:
    from scipy.special import fdtri  # importing scipy.stats takes three times as long

    return float(fdtri(above, below, probability))


def _singles(ends: Bounds, k: int) -> Bounds:
    low, high = ends
    return (None, None) if low is None or high is None else ((low - 1) / (low + k - 1), (high - 1) / (high + k - 1))


def _means(ends: Bounds) -> Bounds:
    low, high = ends
    return (1 - 1 / low if low else None, 1 - 1 / high if high else None)


def _absolute_bounds(ms: MeanSquares, single: Estimate, tail: float) -> Bounds:
    """Return the interval of ICC(2,1), by Satterthwaite's degrees of freedom for the mixture of raters and residual."""
    n, k, icc = ms.n, ms.k, single.value
    if icc is None or ms.within == 0:
        return None, None
    raters = k * icc / (n * (1 - icc)) * ms.raters
    rest = (1 + k * icc * (n - 1) / (n * (1 - icc))) * ms.rest
    spread = raters**2 / (k - 1) + rest**2 / ((n - 1) * (k - 1))
    freedom = (raters + rest) ** 2 / spread if spread else 0.0
    if freedom < _LEAST_FREEDOM:
        return None, None
    above, below = _f_quantile(tail, n - 1, freedom), _f_quantile(tail, freedom, n - 1)
    mixture = k * ms.raters + (k * n - k - n) * ms.rest
    return (
        n * (ms.units - above * ms.rest) / (above * mixture + n * ms.units),
        n * (below * ms.units - ms.rest) / (mixture + n * below * ms.units),
    )


def _stepped(end: float | None, k: int) -> float | None:
    return None if end is None or 1 + end * (k - 1) <= 0 else end * k / (1 + end * (k - 1))


def _noted(estimate: Estimate, note: str) -> Estimate:
    if not note or estimate.value is None:
        return estimate
    return replace(estimate, reason=f"{estimate.reason}; {note}" if estimate.reason else note)
