"""Quantiles of F beside SciPy's, from one degree of freedom to those of 10,000 units and 20 raters."""

from __future__ import annotations

import math
from itertools import product

import pytest
from scipy.stats import f

from core.agreement.f_distribution import f_cdf, f_quantile

FEW = (0.3, 1, 1.37, 2, 5, 29)
MANY = (1, 2, 3.3, 7, 100, 9_999, 189_981)


def test_quantiles_equal_scipys() -> None:
    for above, below in [*product(FEW, MANY), *product(MANY, FEW), (9_999, 189_981)]:
        for probability in (0.005, 0.025, 0.5, 0.95, 0.975, 0.995):
            expected = f.ppf(probability, above, below)
            assert f_quantile(probability, above, below) == pytest.approx(expected, rel=1e-9)


def test_probabilities_equal_scipys_in_both_tails() -> None:
    for above, below in product(FEW, MANY):
        for value in (1e-3, 0.2, 1.0, 3.0, 50.0):
            assert f_cdf(value, above, below) == pytest.approx(f.cdf(value, above, below), rel=1e-9)


def test_printed_quantiles() -> None:
    assert f_quantile(0.95, 4, 6) == pytest.approx(4.53, abs=0.005)  # any printed table of F
    # With 2 and 2 degrees of freedom P(F ≤ x) = x / (1 + x).
    assert f_quantile(0.975, 2, 2) == pytest.approx(39.0)
    assert f_cdf(0, 3, 4) == f_cdf(-1, 3, 4) == 0


@pytest.mark.parametrize("arguments", [(0, 1, 1), (1, 1, 1), (0.5, 0, 1), (0.5, 1, -2), (math.nan, 1, 1)])
def test_what_has_no_quantile_is_refused(arguments: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="no quantile"):
        f_quantile(*arguments)
