"""Requests of an item: the first one, and those of its further rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.messages import MessageSize, TextByHash, size_of, text_hash, texts_in, with_stored_texts, with_texts
from core.runs.states import ItemStatus
from protocols.exchanges import Ask
from runs.active_run import VectorForm
from runs.endpoint.request import EmbeddingRequest, ModelRequest, canonical, canonical_embedding, hash_of, message_of
from runs.endpoint.request import request_hash as hash_of_request
from runs.item_outcomes import Turn, in_words
from runs.run_plan import ModelPlan, RunPlan
from store.runs.items import ItemOutcome, OpenItem

Row = dict[str, Any]
EMBEDDER = "embedder"  # Role of a model that returns vectors: a run cannot continue without it.


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemQuestion:
    """A request of an item that must be asked."""

    item: OpenItem
    model: ModelPlan
    request: ModelRequest | EmbeddingRequest
    hash: str
    canonical: Mapping[str, Any]  # the request as it is stored
    size: MessageSize
    ask: Ask  # texts by hash
    turns: tuple[Turn, ...] = ()  # earlier rounds of the item
    sent: int = 0  # how often this request has left
    before: int = 0  # how often the item's other requests have left
    is_cached: bool = True  # every earlier reply was stored before the item asked for it

    @property
    def round(self) -> Row:
        return round_row(self.item.id, len(self.turns) + 1, self.ask, self.model.name, self.hash)

    @property
    def first_hash(self) -> str:
        """Hash of the item's first request, by which a run finds the item's reply."""
        return self.turns[0].reply.request_hash if self.turns else self.hash


@dataclass(frozen=True, slots=True)
class NextRound:
    """An item whose replies require a further request. `attempts`: how often its requests have left."""

    item: OpenItem
    turns: tuple[Turn, ...]
    ask: Ask
    attempts: int
    is_cached: bool


def first_question(plan: RunPlan, item: OpenItem, texts: Mapping[str, str], known: str | None = None) -> ItemQuestion:
    """Return the first request of an item. `texts`: those that its messages name, by hash. `known`: the request's hash,
    if it was computed before."""
    return _question(plan, item, Ask(item.sample.messages), texts, (), len(item.sent), True, known)


def further_question(plan: RunPlan, onward: NextRound, texts: Mapping[str, str]) -> ItemQuestion:
    """Return the next round of an item (texts by hash). Raises BadInput for a role without a card."""
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
) -> ItemQuestion:
    model = plan.asked_for(ask.role, item.model, item.sample.step)
    messages = tuple([with_texts(each, texts) for each in ask.messages])
    request = model.request(messages, item.repeat)
    canonical_request = canonical(request)
    key = known or hash_of(canonical_request)
    sent = sum(1 for each in item.sent.values() if each == key) if item.sent else 0
    return ItemQuestion(
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
) -> ItemQuestion:
    """Return an embedding request. `sent`: hash → how often the item's requests have left."""
    model = plan.model(item.model)
    request = model.request_vectors(texts, as_floats=form.as_floats)
    canonical_request = canonical_embedding(request)
    key, messages = hash_of(canonical_request), (message_of(texts),)
    return ItemQuestion(
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
    """Replace texts by their hashes, as in a derived chain; return the texts too."""
    cache: dict[str, TextByHash] = {}
    messages = tuple(with_stored_texts(each, cache) for each in ask.messages)
    return replace(ask, messages=messages), {text_hash(text): text for text in texts_in(ask.messages)}


def request_of(model: ModelPlan, ask: Ask, repeat: int) -> str:
    """Return the hash of a request whose messages name texts by hash."""
    return hash_of_request(model.request(ask.messages, repeat))


def round_row(item_id: str, number: int, ask: Ask, model: str, request_hash: str) -> Row:
    """Return the row of request `number` of an item, about to be asked."""
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
    """Return the end of an item's requests; `last`: their number."""
    has_failed = outcome.status == ItemStatus.FAILED.value
    return {"item": item_id, "last": last, "ended": (ItemStatus.FAILED if has_failed else ItemStatus.ANSWERED).value}
