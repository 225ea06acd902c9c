"""Intervals of intraclass correlations for dependent units: several pairs of one paper are drawn together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.agreement.icc import Icc, intraclass
from core.agreement.ratings import GAP, Array, Ratings
from core.estimate import Estimate
from core.scoring.interval import Resampling, with_interval


def clustered_intraclass(ratings: Ratings, how: Resampling, clusters: Sequence[Hashable]) -> Mapping[Icc, Estimate]:
    """Return the six forms of `intraclass` for two columns without gaps, with percentile intervals over whole clusters.

    The interval from F assumes independent units and is too narrow where one paper, or one triplet scored twice, gives
    several. Raises ValueError for another number of columns, or for gaps."""
    codes = ratings.codes
    if codes.ndim != 2 or codes.shape[1] != 2 or (codes == GAP).any():
        raise ValueError("intervals over clusters are of two columns without gaps")
    x, y = ratings.scale()[codes].T
    sums = np.column_stack((np.ones_like(x), x, y, x * x, y * y, x * y))
    forms = {form: replace(estimate, low=None, high=None) for form, estimate in intraclass(ratings).items()}
    return {form: with_interval(estimate, sums, _FORMS[form], how, clusters) for form, estimate in forms.items()}


Form = Callable[[Array, Array, Array, Array, Array], tuple[Array, Array]]


def _statistic(form: Form) -> Callable[[Array], Array]:
    """Return the ratio of a form; NaN where a draw's denominator is not positive, as in `intraclass`."""

    def of(sums: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            n, x, y, xx, yy, xy = sums.T
            correction = (x + y) ** 2 / (2 * n)
            total = xx + yy - correction
            between = (xx + 2 * xy + yy) / 2 - correction
            of_raters = (x * x + y * y) / n - correction
            # Mean squares between units, within them, between the two raters, and residual.
            units, within, raters = between / (n - 1), (total - between) / n, of_raters
            rest = (total - between - of_raters) / (n - 1)
            numerator, denominator = form(n, units, within, raters, rest)
            is_defined = denominator > 1e-12 * (units + raters + within)
            return np.where(is_defined, numerator / denominator, np.nan)

    return of


# In the order of `Icc`; Shrout and Fleiss 1979, with k = 2.
_FORMS: Mapping[Icc, Callable[[Array], Array]] = {
    Icc.ONE_WAY: _statistic(lambda n, u, w, r, e: (u - w, u + w)),
    Icc.ABSOLUTE: _statistic(lambda n, u, w, r, e: (u - e, u + e + 2 * (r - e) / n)),
    Icc.CONSISTENT: _statistic(lambda n, u, w, r, e: (u - e, u + e)),
    Icc.ONE_WAY_MEAN: _statistic(lambda n, u, w, r, e: (u - w, u)),
    Icc.ABSOLUTE_MEAN: _statistic(lambda n, u, w, r, e: (u - e, u + (r - e) / n)),
    Icc.CONSISTENT_MEAN: _statistic(lambda n, u, w, r, e: (u - e, u)),
}
