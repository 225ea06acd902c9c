"""Undefined is a value with a reason; it can be neither 0 nor NaN by accident."""

from __future__ import annotations

import math

import pytest

from core.estimate import Estimate, ratio, undefined


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_an_estimate_is_finite(number: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Estimate(number)
    with pytest.raises(ValueError, match="finite"):
        Estimate(0.5, low=number, high=1.0)


def test_a_missing_value_needs_its_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        Estimate(None)
    assert undefined("one rater", n=4) == Estimate(None, n=4, reason="one rater")


def test_a_ratio_is_undefined_over_nothing_only() -> None:
    assert ratio(0, 4, "nothing was rated").value == 0
    assert ratio(0, 0, "nothing was rated") == undefined("nothing was rated")
