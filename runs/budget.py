"""Budget of a whole run in dollars, tokens and requests, enforced before each request leaves.

The maximum cost of a request is reserved before it leaves and replaced by its actual cost when the reply reports
tokens. A request that would exceed the budget even if everything in flight were free stops the run. So one worker never
exceeds a budget, as far as the bound of a request holds. Several workers on one run read each other's attempts once a
second and may exceed it by what the others send within that second.
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

MOST_OUT = 32_768  # Tokens of a reply that neither a parameter nor the model's card bounds.
PER_MESSAGE = 16  # Tokens that a chat format may put around a message.


class OverBudget(Exception):
    """The next request does not fit; the text is the reason that the run shows."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Maximum cost of a run; None where it is not limited."""

    usd: float | None = None
    tokens: int | None = None
    requests: int | None = None


def read_budget(settings: Mapping[str, Any]) -> Budget:
    """Return the budget of a run's settings. Raises BadInput unless every value is a number from 0."""
    for name in ("usd", "tokens", "requests"):
        value = settings.get(name)
        is_number = isinstance(value, int | float if name == "usd" else int) and not isinstance(value, bool)
        if value is not None and not (is_number and value >= 0):
            raise BadInput(f"Budget in {name}: found {value!r}; expected a number from 0.")
    return Budget(settings.get("usd"), settings.get("tokens"), settings.get("requests"))


@dataclass(frozen=True, slots=True)
class Amount:
    """Actual or maximum cost of one request; `usd` is None if no price is known."""

    tokens: int
    usd: float | None


NOTHING = Amount(0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """Limits from a model's card; None where the card does not state them."""

    context_length: int | None = None
    takes_images: bool | None = None
    takes_pdfs: bool | None = None
    tokens_per_image: int | None = None
    tokens_per_page: int | None = None


def most_tokens(size: MessageSize, parameters: Mapping[str, Any], limits: ModelLimits) -> tuple[int, int]:
    """Return the maximum tokens (in, out) of a request. Raises BadInput if nothing bounds a picture or a PDF.

    A token is at least one byte, so the bytes of the text bound the input. The card bounds pictures and pages;
    otherwise the model's context does. The output is bounded by the request's own limit, else the model's context, else
    `MOST_OUT`.
    """
    return most_in(size, limits), most_out(parameters, limits.context_length)


def likely_in(size: MessageSize, limits: ModelLimits) -> int:
    """Estimate the input tokens: texts by their bytes, files by their maximum. Raises as `most_tokens`."""
    file_tokens = most_in(replace(size, texts=()), limits) if size.pictures or size.pages else 0
    return likely_tokens(size.texts) + file_tokens


def most_in(size: MessageSize, limits: ModelLimits) -> int:
    """Return the maximum input tokens. Raises as `most_tokens`."""
    bound = sum(each + PER_MESSAGE for each in size.texts)
    unbound = unbounded(size, limits)
    if unbound:
        if limits.context_length is None:
            raise BadInput(f"The model's card gives {unbound}.")
        return max(bound, limits.context_length)
    pages = sum(each or 0 for each in size.pages)
    return bound + size.pictures * (limits.tokens_per_image or 0) + pages * (limits.tokens_per_page or 0)


def unbounded(size: MessageSize, limits: ModelLimits) -> str:
    """Return why only the model's context bounds pictures or PDFs; empty if the card and the files bound them."""
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
    """Remaining budget of one run in this process. Not for several event loops or threads."""

    def __init__(self, budget: Budget, own: Spending, others: Spending) -> None:
        """`own` and `others`: spent on the run earlier by this worker and by other workers."""
        self.budget = budget
        self._now = Spending()
        self._earlier, self._others = own, others
        self._set_aside = Spending()
        self._changed = asyncio.Event()

    def see(self, *, budget: Budget | None = None, others: Spending | None = None) -> None:
        """Update the budget and the spending of other workers."""
        self.budget = budget or self.budget
        self._others = others or self._others
        self._changed.set()

    async def set_aside(self, model: str, most: Amount) -> None:
        """Wait until the request fits next to those in flight. Raises OverBudget if it never fits."""
        if most.usd is None and self.budget.usd is not None:
            raise OverBudget(f"Budget: no price is known for {model}, so a budget in dollars cannot be kept.")
        while True:
            spent = self._now.plus(self._earlier).plus(self._others)
            reason = shortfall(self.budget, spent, most.tokens, most.usd)
            if reason:
                raise OverBudget(reason)
            if not shortfall(self.budget, spent, most.tokens, most.usd, self._set_aside):
                break
            self._changed.clear()
            await self._changed.wait()
        self._set_aside = self._set_aside.plus(Spending(1, most.tokens, most.usd or 0.0))

    def refund(self, most: Amount) -> None:
        """Free the amount of a request that was not sent."""
        self._set_aside = self._set_aside.plus(Spending(-1, -most.tokens, -(most.usd or 0.0)))
        self._changed.set()

    def settle(self, most: Amount, cost: Amount | None) -> None:
        """Replace the reserved amount by the actual cost; None, if nobody knows it, keeps the whole amount reserved."""
        if cost is None:
            self._now = self._now.plus(Spending(1, 0, 0.0, 1, most.tokens, most.usd or 0.0))
        else:
            usd = most.usd if cost.usd is None else cost.usd
            self._now = self._now.plus(Spending(1, cost.tokens, usd or 0.0))
        self.refund(most)
