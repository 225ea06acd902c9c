"""What is asked of a model for an item: its first request, and those of its further rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.messages import Kept, MessageSize, size_of, text_hash, texts_in, with_kept, with_texts
from core.runs.states import ItemStatus
from protocols.turns import Ask
from runs.active_run import VectorForm
from runs.endpoint.request import EmbeddingRequest, ModelRequest, canonical, canonical_embedding, hash_of, message_of
from runs.endpoint.request import request_hash as hash_of_request
from runs.outcomes import Turn, in_words
from runs.run_plan import ModelPlan, RunPlan
from store.runs.items import ItemOutcome, OpenItem

Row = dict[str, Any]
EMBEDDER = "embedder"
"""As what a model is asked for vectors: like the card of a role, a run cannot go on without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request of an item that must be asked: its hash, the request as it is stored, how long its messages are.

    `ask`: what the protocol wants, texts by their hash; `turns`: what the item was asked and answered before.
    `sent`: how often this request has left so far; `before`: how often the item's others have. `is_cached`: every
    reply so far was there before the item asked for it.
    """

    item: OpenItem
    model: ModelPlan
    request: ModelRequest | EmbeddingRequest
    hash: str
    canonical: Mapping[str, Any]
    size: MessageSize
    ask: Ask
    turns: tuple[Turn, ...] = ()
    sent: int = 0
    before: int = 0
    is_cached: bool = True

    @property
    def round(self) -> Row:
        """Its row, of a further request."""
        return round_row(self.item.id, len(self.turns) + 1, self.ask, self.model.name, self.hash)

    @property
    def first_hash(self) -> str:
        """Of the item's first request, by which a run knows the item's reply."""
        return self.turns[0].reply.request_hash if self.turns else self.hash


@dataclass(frozen=True, slots=True)
class Onward:
    """An item whose replies so far lead to a further request. `attempts`: how often its requests have left so far."""

    item: OpenItem
    turns: tuple[Turn, ...]
    ask: Ask
    attempts: int
    is_cached: bool


def first_question(plan: RunPlan, item: OpenItem, texts: Mapping[str, str], known: str | None = None) -> Question:
    """What a run has kept to be asked. `texts`: those that its messages name, by their hash; `known`: the hash of the
    request, where these very messages have been hashed before."""
    return _question(plan, item, Ask(item.sample.messages), texts, (), len(item.sent), True, known)


def further_question(plan: RunPlan, onward: Onward, texts: Mapping[str, str]) -> Question:
    """The next round of an item; `onward.ask` names its texts by hash. Raises BadInput for a role without a card."""
    return _question(plan, onward.item, onward.ask, texts, onward.turns, onward.attempts, onward.is_cached)


def _question(
    plan: RunPlan,
    item: OpenItem,
    ask: Ask,
    texts: Mapping[str, str],
    turns: tuple[Turn, ...],
    attempts: int,
    is_cached: bool,
    known: str | None = None,
) -> Question:
    model = plan.asked_for(ask.role, item.model, item.sample.step)
    messages = tuple([with_texts(each, texts) for each in ask.messages])
    request = model.request(messages, item.repeat)
    canonical_request = canonical(request)
    key = known or hash_of(canonical_request)
    sent = sum(1 for each in item.sent.values() if each == key) if item.sent else 0
    return Question(
        item=item,
        model=model,
        request=request,
        hash=key,
        canonical=canonical_request,
        size=size_of(messages, {}),
        ask=ask,
        turns=turns,
        sent=sent,
        before=attempts - sent,
        is_cached=is_cached,
    )


def embedding_question(
    plan: RunPlan, item: OpenItem, texts: Sequence[str], sent: Counter[str], form: VectorForm
) -> Question:
    """A request for vectors of some texts of an item. `sent`: how often its requests have left so far, by hash."""
    model = plan.model(item.model)
    request = model.request_vectors(texts, as_floats=form.as_floats)
    canonical_request = canonical_embedding(request)
    key, messages = hash_of(canonical_request), (message_of(texts),)
    return Question(
        item=item,
        model=model,
        request=request,
        hash=key,
        canonical=canonical_request,
        size=size_of(messages, {}),
        ask=Ask((), purpose="embed", role=EMBEDDER),
        sent=sent[key],
        before=sent.total() - sent[key],
    )


def by_hash(ask: Ask) -> tuple[Ask, dict[str, str]]:
    """The same with every text by its hash, as a chain that is derived again has it, and the texts that it held."""
    cache: dict[str, Kept] = {}
    messages = tuple(with_kept(each, cache) for each in ask.messages)
    return replace(ask, messages=messages), {text_hash(text): text for text in texts_in(ask.messages)}


def request_of(model: ModelPlan, ask: Ask, repeat: int) -> str:
    """The hash of a request whose messages name their texts by hash."""
    return hash_of_request(model.request(ask.messages, repeat))


def round_row(item_id: str, number: int, ask: Ask, model: str, request_hash: str) -> Row:
    """A further request of an item, the n-th of its requests, that is about to be asked."""
    return {
        "item_id": item_id,
        "number": number,
        "purpose": ask.purpose,
        "model": model,
        "request_hash": request_hash,
        "status": ItemStatus.PENDING.value,
        "fault": in_words(ask.faults),
    }


def ended_rounds(item_id: str, last: int, outcome: ItemOutcome) -> Row:
    """How the requests of an item ended, `last` of them in all."""
    has_failed = outcome.status == ItemStatus.FAILED.value
    return {"item": item_id, "last": last, "ended": (ItemStatus.FAILED if has_failed else ItemStatus.ANSWERED).value}
