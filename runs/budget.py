"""A budget of a whole run: in dollars, in tokens, in requests. It is kept by asking before, not by counting after.

Before a request leaves, the most it may cost is set aside; when its answer names its tokens, what it did cost takes
that place. A request that would pass the budget even if everything on its way came for nothing stops the run. So one
worker never passes a budget, as far as the bound of a request holds (`worst_of`). Several workers on one run see each
other's attempts once a second, and may pass it by what the others send within that second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import BadInput
from core.messages import MessageSize
from core.runs.budget import Spending, shortfall
from runs.endpoint.prices import likely_tokens

MOST_OUT = 32_768
"""Tokens that a reply may have where neither a parameter nor the model's card bounds it."""
PER_MESSAGE = 16
"""Tokens that a chat format may put around a message."""


class OverBudget(Exception):
    """The next request does not fit; its text is the reason that the run shows."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The most a run may cost; None where nothing bounds it."""

    usd: float | None = None
    tokens: int | None = None
    requests: int | None = None


def read_budget(settings: Mapping[str, Any]) -> Budget:
    """The budget of a run's settings. Raises BadInput for one that is no number from 0."""
    for name in ("usd", "tokens", "requests"):
        value = settings.get(name)
        is_number = isinstance(value, int | float if name == "usd" else int) and not isinstance(value, bool)
        if value is not None and not (is_number and value >= 0):
            raise BadInput(f"Budget in {name}: found {value!r}; expected a number from 0.")
    return Budget(settings.get("usd"), settings.get("tokens"), settings.get("requests"))


@dataclass(frozen=True, slots=True)
class Amount:
    """What one request costs, or may; `usd` is None where no price is known."""

    tokens: int
    usd: float | None


NOTHING = Amount(0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """What a model's card says of how much it takes; None where it does not say."""

    context_length: int | None = None
    takes_images: bool | None = None
    takes_pdfs: bool | None = None
    tokens_per_image: int | None = None
    tokens_per_page: int | None = None


def most_tokens(size: MessageSize, parameters: Mapping[str, Any], limits: ModelLimits) -> tuple[int, int]:
    """The most tokens (in, out) that a request may cost. Raises BadInput where nothing bounds a picture or a PDF.

    A token is at least one byte of the text, so that its bytes bound what goes in; a picture and a page are bounded by
    the card, and where that says nothing, by the model's context. What comes out is bounded by the request's own limit,
    else by the model's context, else taken as `MOST_OUT`.
    """
    return most_in(size, limits), most_out(parameters, limits.context_length)


def likely_in(size: MessageSize, limits: ModelLimits) -> int:
    """About how many tokens go in: of texts by their bytes, of files the most. Raises as `most_tokens`."""
    file_tokens = most_in(replace(size, texts=()), limits) if size.pictures or size.pages else 0
    return likely_tokens(size.texts) + file_tokens


def most_in(size: MessageSize, limits: ModelLimits) -> int:
    """Of messages of this size. Raises as `most_tokens`."""
    bound = sum(each + PER_MESSAGE for each in size.texts)
    unbound = unbounded(size, limits)
    if unbound:
        if limits.context_length is None:
            raise BadInput(f"The model's card gives {unbound}.")
        return max(bound, limits.context_length)
    pages = sum(each or 0 for each in size.pages)
    return bound + size.pictures * (limits.tokens_per_image or 0) + pages * (limits.tokens_per_page or 0)


def unbounded(size: MessageSize, limits: ModelLimits) -> str:
    """What bounds no tokens of pictures or PDFs but the model's context; empty where the card and the files do."""
    if size.pictures and limits.tokens_per_image is None:
        return "neither tokens per picture nor a context length, so the maximum cost of a picture is unknown"
    if size.pages and limits.tokens_per_page is None:
        return "neither tokens per page nor a context length, so the maximum cost of a PDF is unknown"
    if None in size.pages:
        return "no context length, and the number of pages of a PDF is unknown, so its maximum cost cannot be computed"
    return ""


def most_out(parameters: Mapping[str, Any], context: int | None) -> int:
    return int(parameters.get("max_completion_tokens") or parameters.get("max_tokens") or context or MOST_OUT)


class BudgetTracker:
    """What is left of one run's budget in this process. Not for several event loops or threads."""

    def __init__(self, budget: Budget, own: Spending, others: Spending) -> None:
        """`own`: what this worker spent on the run before; `others`: what others did."""
        self.budget = budget
        self._now = Spending()
        self._mine, self._others = own, others
        self._set_aside = Spending()
        self._changed = asyncio.Event()

    def see(self, *, budget: Budget | None = None, others: Spending | None = None) -> None:
        """Take note of another budget, and of what other workers have spent meanwhile."""
        self.budget = budget or self.budget
        self._others = others or self._others
        self._changed.set()

    async def set_aside(self, model: str, most: Amount) -> None:
        """Wait until the request fits beside those on their way. Raises OverBudget if it does not fit at all."""
        if most.usd is None and self.budget.usd is not None:
            raise OverBudget(f"Budget: no price is known for {model}, so a budget in dollars cannot be kept.")
        while True:
            spent = self._spent()
            reason = shortfall(self.budget, spent, most.tokens, most.usd)
            if reason:
                raise OverBudget(reason)
            if not shortfall(self.budget, spent, most.tokens, most.usd, self._set_aside):
                break
            self._changed.clear()
            await self._changed.wait()
        self._set_aside = self._set_aside.plus(Spending(1, most.tokens, most.usd or 0.0))

    def give_back(self, most: Amount) -> None:
        """The request was not sent after all."""
        self._set_aside = self._set_aside.plus(Spending(-1, -most.tokens, -(most.usd or 0.0)))
        self._changed.set()

    def settle(self, most: Amount, cost: Amount | None) -> None:
        """The request has ended: what it did cost, or None where nobody knows and all set aside is held."""
        if cost is None:
            self._now = self._now.plus(Spending(1, 0, 0.0, 1, most.tokens, most.usd or 0.0))
        else:
            usd = most.usd if cost.usd is None else cost.usd
            self._now = self._now.plus(Spending(1, cost.tokens, usd or 0.0))
        self.give_back(most)

    def _spent(self) -> Spending:
        """What was spent or is held: by this worker before and now, and by others."""
        return self._now.plus(self._mine).plus(self._others)
