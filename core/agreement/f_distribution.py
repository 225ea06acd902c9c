"""Quantiles of Fisher's F, for intervals of intraclass correlations. Implemented here to avoid SciPy (100 MB installed)
for one function; tests compare it with SciPy."""

from __future__ import annotations

import math

_TINY = 1e-300
_LAST_BIT = 1e-16
_MOST_STEPS = 200_000
_LARGE = 20.0


def f_cdf(value: float, above: float, below: float) -> float:
    """Return P(F ≤ value) with `above` and `below` degrees of freedom, which need not be whole.

    >>> round(f_cdf(1.0, 5, 5), 12)
    0.5
    """
    if value <= 0:
        return 0.0
    share, rest = above * value / (above * value + below), below / (above * value + below)
    a, b = above / 2, below / 2
    # Either tail has a continued fraction that converges fast on its own side of the mean only.
    if share <= (a + 1) / (a + b + 2):
        return _lower_tail(a, b, share, rest)
    return 1 - _lower_tail(b, a, rest, share)


def f_quantile(probability: float, above: float, below: float) -> float:
    """Return the value that F stays below with `probability`, 0–1 without the ends; `above`, `below`: degrees of
    freedom.

    >>> round(f_quantile(0.975, 5, 10), 4)
    4.2361
    """
    if not (0 < probability < 1 and above > 0 and below > 0):
        raise ValueError(f"no quantile of F for probability {probability} with {above} and {below} degrees of freedom")
    low, high = -1.0, 1.0  # logarithms of the value
    while f_cdf(math.exp(low), above, below) > probability:
        low *= 2
    while f_cdf(math.exp(high), above, below) < probability:
        high *= 2
    while (middle := (low + high) / 2) not in (low, high):
        if f_cdf(math.exp(middle), above, below) < probability:
            low = middle
        else:
            high = middle
    return math.exp((low + high) / 2)


def _lower_tail(a: float, b: float, share: float, rest: float) -> float:
    """Return the regularised incomplete beta function at `share`; `rest` is 1 − share without rounding."""
    powers = a * _log(share, rest) + b * _log(rest, share)
    return math.exp(powers - _log_beta(a, b)) / a * _continued_fraction(a, b, share)


def _log(share: float, rest: float) -> float:
    """Return the logarithm of a share; near 1 it is computed from `rest`."""
    return math.log(share) if share < rest else math.log1p(-rest)


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction of Abramowitz and Stegun 26.5.8 by Lentz's method (Press et al. 2007, section
    6.4)."""
    c, d = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / _apart(1 + even * d), _apart(1 + even / c)
        value *= c * d
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / _apart(1 + odd * d), _apart(1 + odd / c)
        value *= c * d
        if abs(c * d - 1) <= _LAST_BIT:
            return value
    raise ArithmeticError(f"the incomplete beta function of {a}, {b} at {x} did not converge")


def _apart(number: float) -> float:
    return number if abs(number) > _TINY else _TINY


def _log_beta(a: float, b: float) -> float:
    small, large = min(a, b), max(a, b)
    if large < _LARGE:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    # Two logarithms of gamma of 100,000 are a million each and leave ten digits of their difference: take Stirling's
    # series of the difference itself (Abramowitz and Stegun 6.1.41).
    both = a + b
    difference = (large - 0.5) * math.log1p(-small / both) - small * math.log(both) + small
    return math.lgamma(small) + difference + _beyond_stirling(large) - _beyond_stirling(both)


def _beyond_stirling(x: float) -> float:
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * x * x)) / (x * x)) / (x * x)) / x
