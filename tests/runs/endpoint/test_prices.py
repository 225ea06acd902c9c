"""Costs by hand arithmetic; unknown is unknown, never 0."""

from __future__ import annotations

import pytest

from core.errors import BadInput
from runs.endpoint.prices import checked_prices, cost, cost_usd, likely_tokens, most_cost

PRICES = {"input": 2.0, "cached": 0.5, "output": 8.0}


def test_a_usage_costs_its_tokens() -> None:
    # 1,000 in at $2 + 500 out at $8, a million tokens each: 0.002 + 0.004
    assert cost_usd(PRICES, tokens_in=1_000, tokens_out=500) == pytest.approx(0.006)
    # 400 of the 1,000 cached at $0.5: 600 * 2 + 400 * 0.5 + 500 * 8 = 5,400
    assert cost_usd(PRICES, tokens_in=1_000, tokens_out=500, tokens_cached=400) == pytest.approx(0.0054)


def test_cached_tokens_without_a_price_cost_the_input_price() -> None:
    assert cost_usd({**PRICES, "cached": None}, tokens_in=1_000, tokens_out=0, tokens_cached=400) == pytest.approx(
        0.002
    )
    assert cost_usd(PRICES, tokens_in=100, tokens_out=0, tokens_cached=400) == pytest.approx(0.00005)


def test_a_free_model_costs_nothing_and_an_unpriced_one_is_unknown() -> None:
    assert cost({"input": 0, "cached": None, "output": 0}, tokens_in=10, tokens_out=10).usd == 0
    unpriced = cost({"input": 1.0, "cached": None, "output": None}, tokens_in=10, tokens_out=10)
    assert unpriced.usd is None
    assert unpriced.reason == "no price is known for output tokens"
    assert cost({}, tokens_in=10, tokens_out=10).reason == "no price is known for input and output tokens"


def test_unreported_tokens_have_no_cost() -> None:
    assert cost(PRICES, tokens_in=None, tokens_out=5).usd is None
    assert "how many tokens" in cost(PRICES, tokens_in=5, tokens_out=None).reason


def test_the_most_a_request_may_cost_takes_the_dearer_input_price() -> None:
    assert most_cost(PRICES, most_in=1_000_000, most_out=1_000_000).usd == pytest.approx(10.0)
    assert most_cost({**PRICES, "cached": 3.0}, most_in=1_000_000, most_out=0).usd == pytest.approx(3.0)
    assert most_cost({"input": None, "cached": 1.0, "output": 1.0}, most_in=1, most_out=1).usd is None


def test_tokens_are_guessed_from_bytes() -> None:
    assert likely_tokens([400]) == 104
    assert likely_tokens([400, 0]) == 108


@pytest.mark.parametrize(
    "prices", [{"input": -1.0}, {"output": float("nan")}, {"cached": True}, {"reasoning": 1.0}, {"input": "2"}]
)
def test_a_price_that_is_none_is_refused(prices: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        checked_prices(prices)


def test_missing_prices_stay_unknown() -> None:
    assert checked_prices({"input": 2}) == {"input": 2, "cached": None, "output": None}
