"""A measured number, or the reason why there is none: "undefined" is a value here, never 0 and never NaN."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` is None where the measure is undefined, and then `reason` says why, in a sentence without its stop.

    A value may have a reason too: then it is a convention, and the reason names it. `low` and `high` bound an
    interval around the value, `n` is the number of things measured, `sd` their population standard deviation where the
    value is a mean; None where there is no such thing.
    Raises ValueError for NaN or infinity, and for a missing value without a reason.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    reason: str = ""
    sd: float | None = None

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("an undefined estimate needs its reason")
        for number in (self.value, self.low, self.high, self.sd):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"an estimate is a finite number or None with a reason, not {number}")


def undefined(reason: str, n: int | None = None) -> Estimate:
    """The measure has no value here, because of `reason`."""
    return Estimate(None, n=n, reason=reason)


def ratio(numerator: float, denominator: float, reason: str) -> Estimate:
    """numerator ÷ denominator; undefined because of `reason` where the denominator is 0.

    >>> ratio(1, 4, "nothing was drawn").value, ratio(0, 0, "nothing was drawn").reason
    (0.25, 'nothing was drawn')
    """
    return Estimate(numerator / denominator) if denominator else undefined(reason)
