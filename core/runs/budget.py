"""A run's budget: what is spent, what is reserved, what is left, and whether the next request fits.

The upper bound of requests of unknown outcome or cost (their worker died, their provider reports no usage) is reserved:
it counts as spent until someone raises the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.words import counted

ROUNDING_USD = 1e-9


class Bounds(Protocol):
    """Upper limits of a run; None for no limit."""

    @property
    def usd(self) -> float | None: ...
    @property
    def tokens(self) -> int | None: ...
    @property
    def requests(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Spending:
    requests: int = 0
    tokens: int = 0
    usd: float = 0.0
    held: int = 0  # requests of unknown cost; it may be up to `held_tokens` and `held_usd` more
    held_tokens: int = 0
    held_usd: float = 0.0

    def plus(self, other: Spending) -> Spending:
        return Spending(
            self.requests + other.requests,
            self.tokens + other.tokens,
            self.usd + other.usd,
            self.held + other.held,
            self.held_tokens + other.held_tokens,
            self.held_usd + other.held_usd,
        )


NOTHING = Spending()


def shortfall(
    bounds: Bounds, spent: Spending, next_tokens: int, next_usd: float | None, aside: Spending = NOTHING
) -> str:
    """Return why a request of this maximum size does not fit, "" if it does. `next_usd` is None without a price;
    `aside` is reserved for other requests that are being sent."""
    if bounds.requests is not None and spent.requests + aside.requests + 1 > bounds.requests:
        return f"Budget of {counted(bounds.requests, 'request')} reached."
    if bounds.tokens is not None:
        total_tokens = spent.tokens + spent.held_tokens + aside.tokens + next_tokens
        if total_tokens > bounds.tokens:
            usage = _tokens(spent, bounds.tokens)
            return f"Budget of {bounds.tokens:,} tokens: {usage}; the next request may take {next_tokens:,}."
    if bounds.usd is None or next_usd is None:
        return ""
    if spent.usd + spent.held_usd + aside.usd + next_usd > bounds.usd + ROUNDING_USD:
        usage = _usd(spent, bounds.usd)
        return f"Budget of {dollars(bounds.usd)}: {usage}; the next request may cost {dollars(next_usd)}."
    return ""


def account(bounds: Bounds, spent: Spending) -> tuple[str, ...]:
    """Return a line for each limit, as "Budget of $0.3000: $0.1738 spent, $0.1218 held for 3 requests of unknown
    outcome or cost, $0.0044 left"."""
    lines = []
    if bounds.usd is not None:
        lines.append(f"Budget of {dollars(bounds.usd)}: {_usd(spent, bounds.usd)}")
    if bounds.tokens is not None:
        lines.append(f"Budget of {bounds.tokens:,} tokens: {_tokens(spent, bounds.tokens)}")
    if bounds.requests is not None:
        left = max(0, bounds.requests - spent.requests)
        lines.append(f"Budget of {counted(bounds.requests, 'request')}: {spent.requests:,} spent, {left:,} left")
    return tuple(lines)


def _usd(spent: Spending, bound: float) -> str:
    reserved = f", {dollars(spent.held_usd)} held for {_unknown(spent)}" if spent.held_usd else ""
    return f"{dollars(spent.usd)} spent{reserved}, {dollars(max(0.0, bound - spent.usd - spent.held_usd))} left"


def _tokens(spent: Spending, bound: int) -> str:
    reserved = f", {spent.held_tokens:,} held for {_unknown(spent)}" if spent.held_tokens else ""
    return f"{spent.tokens:,} spent{reserved}, {max(0, bound - spent.tokens - spent.held_tokens):,} left"


def _unknown(spent: Spending) -> str:
    return f"{counted(spent.held, 'request')} of unknown outcome or cost"


def dollars(usd: float) -> str:
    """Return US dollars, with cents from a dollar on and four decimals below, the range of runs of small models."""
    return dollars_alike([usd])[0]


def dollars_alike(amounts: Sequence[float]) -> list[str]:
    """Format the amounts of one column with equal decimals: those of the amount that needs most.

    >>> dollars_alike([0, 0.00931, 12]), dollars_alike([0, 12])
    (['$0.0000', '$0.0093', '$12.0000'], ['$0.00', '$12.00'])
    """
    if not any(amounts):
        return ["$0"] * len(amounts)
    decimals = 4 if any(0 < usd < 1 for usd in amounts) else 2
    return ["<$0.0001" if 0 < usd < 0.0001 else f"${usd:,.{decimals}f}" for usd in amounts]
