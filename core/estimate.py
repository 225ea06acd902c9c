"""A measured number, or the reason why it is undefined; undefined is never 0 and never NaN."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value; None where the measure is undefined, and then `reason` says why, in a sentence without full
    stop.

    A value with a reason is a convention, which the reason names. Raises ValueError for NaN or infinity, and for a
    missing value without a reason."""

    value: float | None
    low: float | None = None  # of an interval around the value
    high: float | None = None
    n: int | None = None  # measured units
    reason: str = ""
    sd: float | None = None  # population standard deviation where the value is a mean

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("an undefined estimate needs its reason")
        for number in (self.value, self.low, self.high, self.sd):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"an estimate is a finite number or None with a reason, not {number}")


def undefined(reason: str, n: int | None = None) -> Estimate:
    return Estimate(None, n=n, reason=reason)


def ratio(numerator: float, denominator: float, reason: str) -> Estimate:
    """Return numerator ÷ denominator; undefined because of `reason` where the denominator is 0.

    >>> ratio(1, 4, "nothing was drawn").value, ratio(0, 0, "nothing was drawn").reason
    (0.25, 'nothing was drawn')
    """
    return Estimate(numerator / denominator) if denominator else undefined(reason)
