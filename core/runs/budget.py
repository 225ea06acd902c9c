"""A run's budget in numbers and words: what is spent, what is held, what is left, and whether a request still fits.

What requests of unknown outcome or cost (their worker died, their provider reports no usage) may have cost at most is
held: it counts as spent until somebody raises the budget, since nobody will ever know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.words import counted

ROUNDING_USD = 1e-9


class Bounds(Protocol):
    """The most that a run may cost; None where nothing bounds it."""

    @property
    def usd(self) -> float | None: ...
    @property
    def tokens(self) -> int | None: ...
    @property
    def requests(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Spending:
    """`requests` that left; `tokens` and `usd` that were reported; `held` of the requests may have cost up to
    `held_tokens` and `held_usd` more."""

    requests: int = 0
    tokens: int = 0
    usd: float = 0.0
    held: int = 0
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
    """Why a request that may take so much does not fit, `aside` being set aside for others on their way; empty if it
    does. `next_usd`: None without a price."""
    if bounds.requests is not None and spent.requests + aside.requests + 1 > bounds.requests:
        return f"Budget of {counted(bounds.requests, 'request')} reached."
    if bounds.tokens is not None:
        taken = spent.tokens + spent.held_tokens + aside.tokens + next_tokens
        if taken > bounds.tokens:
            said = _tokens(spent, bounds.tokens)
            return f"Budget of {bounds.tokens:,} tokens: {said}; the next request may take {next_tokens:,}."
    if bounds.usd is None or next_usd is None:
        return ""
    if spent.usd + spent.held_usd + aside.usd + next_usd > bounds.usd + ROUNDING_USD:
        said = _usd(spent, bounds.usd)
        return f"Budget of {dollars(bounds.usd)}: {said}; the next request may cost {dollars(next_usd)}."
    return ""


def account(bounds: Bounds, spent: Spending) -> tuple[str, ...]:
    """Of each bound: what is spent, held and left, as "Budget of $0.3000: $0.1738 spent, $0.1218 held for 3 requests of
    unknown outcome or cost, $0.0044 left"."""
    found = []
    if bounds.usd is not None:
        found.append(f"Budget of {dollars(bounds.usd)}: {_usd(spent, bounds.usd)}")
    if bounds.tokens is not None:
        found.append(f"Budget of {bounds.tokens:,} tokens: {_tokens(spent, bounds.tokens)}")
    if bounds.requests is not None:
        left = max(0, bounds.requests - spent.requests)
        found.append(f"Budget of {counted(bounds.requests, 'request')}: {spent.requests:,} spent, {left:,} left")
    return tuple(found)


def _usd(spent: Spending, bound: float) -> str:
    held = f", {dollars(spent.held_usd)} held for {_unknown(spent)}" if spent.held_usd else ""
    return f"{dollars(spent.usd)} spent{held}, {dollars(max(0.0, bound - spent.usd - spent.held_usd))} left"


def _tokens(spent: Spending, bound: int) -> str:
    held = f", {spent.held_tokens:,} held for {_unknown(spent)}" if spent.held_tokens else ""
    return f"{spent.tokens:,} spent{held}, {max(0, bound - spent.tokens - spent.held_tokens):,} left"


def _unknown(spent: Spending) -> str:
    return f"{counted(spent.held, 'request')} of unknown outcome or cost"


def dollars(usd: float) -> str:
    """US dollars, with cents from a dollar on and four decimals below, where a run of a small model lies."""
    return dollars_alike([usd])[0]


def dollars_alike(amounts: Sequence[float]) -> list[str]:
    """The amounts of one column, with as many decimals as the one that needs most.

    >>> dollars_alike([0, 0.00931, 12]), dollars_alike([0, 12])
    (['$0.0000', '$0.0093', '$12.0000'], ['$0.00', '$12.00'])
    """
    if not any(amounts):
        return ["$0"] * len(amounts)
    decimals = 4 if any(0 < usd < 1 for usd in amounts) else 2
    return ["<$0.0001" if 0 < usd < 0.0001 else f"${usd:,.{decimals}f}" for usd in amounts]
