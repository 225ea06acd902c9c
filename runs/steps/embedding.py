"""A batch of texts from its first request to the last of its vectors.

What is asked for is what has no vector yet, so that a text is asked for once: not again after a kill, since vectors
are kept together with the reply that brought them, and not for two batches that share it. A reply that is too long
makes this and all later requests to the model half as long.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import datetime

from core.messages import hashes_in
from core.runs.states import ItemStatus
from core.words import counted
from runs.active_run import ActiveRun, VectorForm
from runs.chains import Chains
from runs.endpoint.faults import RequestFault, SendError
from runs.ledger_rows import outcome_row
from runs.questions import embedding_question
from runs.requester import Requester
from runs.run_plan import ModelPlan
from store.runs import embeddings, runs
from store.runs.embeddings import embedder_of
from store.runs.items import ItemOutcome, OpenItem

Way = tuple[str, str]
"""The vector of a text (its hash), by an embedder."""


class Embedding:
    """Asks on behalf of one worker, through its requester."""

    def __init__(self, chains: Chains, requester: Requester, clock: Callable[[], datetime]) -> None:
        self._chains, self._requester, self._clock = chains, requester, clock
        self._on_their_way: dict[Way, asyncio.Event] = {}

    async def answer(self, live: ActiveRun, item: OpenItem) -> None:
        """Ask until every text of an item has its vector; the item stays pending if its run is halted before, and is
        given up where its requester gives one of its requests up. Raises Unreachable as that does."""
        hashes = list(dict.fromkeys(hashes_in(item.sample.messages)))
        ways = [(embedder(live.plan.model(item.model)), key) for key in hashes]
        while others := next((self._on_their_way[way] for way in ways if way in self._on_their_way), None):
            await others.wait()
        # Before the store is looked at, so that no other batch's vectors can come between that look and the request.
        self._on_their_way.update(dict.fromkeys(ways, done := asyncio.Event()))
        try:
            await self._answer(live, item, hashes)
        finally:
            for way in ways:
                del self._on_their_way[way]
            done.set()

    async def _answer(self, live: ActiveRun, item: OpenItem, hashes: list[str]) -> None:
        model, sent = live.plan.model(item.model), Counter(item.sent.values())
        form, first_hash = live.vectors.setdefault(model.name, VectorForm()), None
        while missing := await self._missing(model, hashes):
            part = missing[: form.most_texts]
            texts = await self._texts(part)
            question = embedding_question(live.plan, item, [texts[key] for key in part], sent, form)
            result = await self._requester.ask(live, question)
            if result is None:
                return
            came, sent[question.hash] = result
            if isinstance(came, SendError):
                _learn(form, came, len(part))
            else:
                first_hash = first_hash or question.hash
        await self._settle(live, item, first_hash, len(hashes), sent.total())

    async def _texts(self, hashes: list[str]) -> dict[str, str]:
        return await self._chains.read(lambda session: runs.texts(session, hashes))

    async def _missing(self, model: ModelPlan, hashes: list[str]) -> list[str]:
        known = await self._chains.read(lambda session: embeddings.known(session, embedder(model), hashes))
        return [key for key in hashes if key not in known]

    async def _settle(self, live: ActiveRun, item: OpenItem, first: str | None, texts: int, attempts: int) -> None:
        outcome = ItemOutcome(status=ItemStatus.ANSWERED.value, parsed=f"vectors of {counted(texts, 'text')}")
        # Without a reply of its own its texts came with others; the request that it was made for still names them.
        row = outcome_row(item.id, first or item.request_hash, outcome, attempts, not attempts, self._clock())
        await self._requester.settle(live, row)


def embedder(model: ModelPlan) -> str:
    """Under which name the vectors of a model are kept."""
    assert model.endpoint is not None
    return embedder_of(model.endpoint.base_url, model.model)


def _learn(form: VectorForm, error: SendError, texts: int) -> None:
    if error.kind is RequestFault.TOO_LONG:
        form.most_texts = min(form.most_texts or texts, max(1, texts // 2))
    else:
        form.as_floats = True
