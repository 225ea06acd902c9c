"""Associations of two variables over units: Pearson's and Spearman's r, Kendall's τ-b."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.estimate import Estimate, undefined

LEAST = 3
"""Units that a correlation needs."""
MOST_ENUMERATED = 7
"""Units up to which p of Spearman's r is exact, over all orders of one variable: t is far off there."""
COEFFICIENTS = ("pearson", "spearman", "kendall")


def associations(first: ArrayLike, second: ArrayLike) -> dict[str, Estimate]:
    """Return each coefficient by its name, its two-sided p as name_p, and the number of units as n; NaN in either
    variable leaves the unit out. Pearson's r has the interval of Fisher's z, 95%; τ-b corrects for ties (Kendall
    1945); p of Spearman's r is of a t distribution, exact for up to seven units. All are undefined for fewer than three
    units or a constant variable."""
    from scipy import stats

    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    both = ~(np.isnan(one) | np.isnan(two))
    one, two = one[both], two[both]
    n = len(one)
    result = {"n": Estimate(n, n=n)}
    why = ""
    if n < LEAST:
        why = f"a correlation needs {LEAST} units, and there are {n}"
    elif np.ptp(one) == 0 or np.ptp(two) == 0:
        why = "one of the two variables is the same in all units"
    if why:
        names = [name for each in COEFFICIENTS for name in (each, f"{each}_p")]
        return result | dict.fromkeys(names, undefined(why, n))
    tests: Mapping[str, Any] = {
        "pearson": stats.pearsonr(one, two),
        "spearman": stats.spearmanr(one, two),
        "kendall": stats.kendalltau(one, two),
    }
    for name, test in tests.items():
        result[name] = _finite(test.statistic, n)
        result[f"{name}_p"] = _finite(test.pvalue, n)
    if n <= MOST_ENUMERATED:
        result["spearman_p"] = Estimate(_exact_p(stats.rankdata(one), stats.rankdata(two)), n=n)
    if n > LEAST and abs(tests["pearson"].statistic) < 1:
        low, high = map(float, tests["pearson"].confidence_interval())
        result["pearson"] = replace(result["pearson"], low=low, high=high)
    return result


def _exact_p(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    """Share of all orders of one variable whose ranks go with those of the other as closely, up to rounding."""
    orders = np.array(list(permutations(two - two.mean())))
    sums = np.abs(orders @ (one - one.mean()))
    return float(np.mean(sums >= sums[0] - 1e-9))


def _finite(value: float, n: int) -> Estimate:
    if not np.isfinite(value):
        return undefined("it is not defined for these values", n)
    return Estimate(float(np.clip(value, -1.0, 1.0)), n=n)
