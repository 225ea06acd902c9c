"""Cost of a request in US dollars, from its tokens and prices per million tokens.

A price table is `{"input": …, "cached": …, "output": …}`, None where unknown. Reasoning is paid as output: `tokens_out`
of a reply includes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.errors import BadInput
from core.words import quoted

PARTS = ("input", "cached", "output")
MILLION = 1_000_000
DEAREST = 100_000.0  # Dollars per million tokens; a higher price is a typing error.
BYTES_A_TOKEN = 4  # of English text, by the providers' rule of thumb
TOKENS_A_MESSAGE = 4  # about what a chat format puts around a message


@dataclass(frozen=True, slots=True)
class Cost:
    """`usd`, or None and the reason why it is unknown."""

    usd: float | None
    reason: str = ""


def cost(
    prices: Mapping[str, float | None],
    *,
    tokens_in: int | None,
    tokens_out: int | None,
    tokens_cached: int | None = None,
) -> Cost:
    """Return the cost of a usage. `tokens_in` includes the cached ones, which cost the input price if they have none.

    >>> prices = {"input": 2.0, "cached": 0.5, "output": 8.0}
    >>> cost(prices, tokens_in=1_000_000, tokens_out=500_000, tokens_cached=400_000)  # 0.6 * 2 + 0.4 * 0.5 + 0.5 * 8
    Cost(usd=5.4, reason='')
    """
    if tokens_in is None or tokens_out is None:
        return Cost(None, "the provider did not say how many tokens were used")
    unknown = [part for part in ("input", "output") if prices.get(part) is None]
    if unknown:
        return Cost(None, f"no price is known for {' and '.join(unknown)} tokens")
    price_in, price_out = prices["input"] or 0.0, prices["output"] or 0.0
    cached_price = prices.get("cached")
    price_cached = price_in if cached_price is None else cached_price
    cached = min(tokens_cached or 0, tokens_in)
    return Cost(((tokens_in - cached) * price_in + cached * price_cached + tokens_out * price_out) / MILLION)


def cost_usd(
    prices: Mapping[str, float | None],
    *,
    tokens_in: int | None,
    tokens_out: int | None,
    tokens_cached: int | None = None,
) -> float | None:
    return cost(prices, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=tokens_cached).usd


def most_cost(prices: Mapping[str, float | None], *, most_in: int, most_out: int) -> Cost:
    """Return the maximum cost of a request within these bounds, for any state of the provider's cache."""
    cached = prices.get("cached")
    dearer = max(prices.get("input") or 0.0, cached) if cached is not None else prices.get("input")
    return cost(
        {**prices, "input": None if prices.get("input") is None else dearer}, tokens_in=most_in, tokens_out=most_out
    )


def likely_tokens(sizes: Iterable[int]) -> int:
    """Estimate the tokens of messages with texts of these bytes; for plans and rates, never for a bill."""
    return sum([math.ceil(size / BYTES_A_TOKEN) + TOKENS_A_MESSAGE for size in sizes])


def checked_prices(prices: Mapping[str, float | None]) -> dict[str, float | None]:
    """Return the three prices. Raises BadInput naming the part and the value."""
    unknown = sorted(set(prices) - set(PARTS))
    if unknown:
        raise BadInput(f"Unknown price {quoted(unknown[0])}; choose from {', '.join(PARTS)}.")
    checked = {part: prices.get(part) for part in PARTS}
    for part, value in checked.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and not (is_number and 0 <= value <= DEAREST):
            raise BadInput(
                f"Price of {part} tokens: found {value!r}; dollars per million, from 0 to {DEAREST:,.0f}, are needed."
            )
    return checked
