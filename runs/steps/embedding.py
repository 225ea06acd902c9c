"""A batch of texts from its first embedding request to its last vector.

Only texts without a vector are asked for, so each is asked for once: not again after a kill, since vectors are stored
together with their reply, and not for two batches that share it. A reply that is too long halves this and all later
requests to the model.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import partial

from core.messages import hashes_in
from core.runs.states import ItemStatus
from core.words import counted
from runs.active_run import ActiveRun, VectorForm
from runs.endpoint.faults import RequestFault, SendError
from runs.item_rounds import Chains
from runs.ledger_rows import outcome_row
from runs.questions import embedding_question
from runs.requester import Requester
from runs.run_plan import ModelPlan
from store.runs import embeddings, runs
from store.runs.embeddings import embedder_of
from store.runs.items import ItemOutcome, OpenItem

Way = tuple[str, str]  # (embedder, hash of a text)


class Embedding:
    """Asks for vectors for one worker, through its requester."""

    def __init__(self, chains: Chains, requester: Requester, clock: Callable[[], datetime]) -> None:
        self._chains, self._requester, self._clock = chains, requester, clock
        self._on_their_way: dict[Way, asyncio.Event] = {}

    async def answer(self, live: ActiveRun, item: OpenItem) -> None:
        """Ask until every text of an item has its vector. The item stays pending if its run is halted, and is given up
        with one of its requests. Raises Unreachable."""
        hashes = list(dict.fromkeys(hashes_in(item.sample.messages)))
        ways = [(embedder(live.plan.model(item.model)), key) for key in hashes]
        while others := next((self._on_their_way[way] for way in ways if way in self._on_their_way), None):
            await others.wait()
        # Before the store is read, so that no other batch's vectors can arrive between that read and the request.
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
            texts = await self._chains.read(partial(runs.texts, hashes=part))
            question = embedding_question(live.plan, item, [texts[key] for key in part], sent, form)
            result = await self._requester.ask(live, question)
            if result is None:
                return
            came, sent[question.hash] = result
            if isinstance(came, SendError):
                if came.kind is RequestFault.TOO_LONG:
                    form.most_texts = min(form.most_texts or len(part), max(1, len(part) // 2))
                else:
                    form.as_floats = True
            else:
                first_hash = first_hash or question.hash
        attempts = sent.total()
        outcome = ItemOutcome(status=ItemStatus.ANSWERED.value, parsed=f"vectors of {counted(len(hashes), 'text')}")
        # Without a reply of its own, its vectors came with other items; its planned request still names its texts.
        row = outcome_row(item.id, first_hash or item.request_hash, outcome, attempts, not attempts, self._clock())
        await self._requester.settle(live, row)

    async def _missing(self, model: ModelPlan, hashes: list[str]) -> list[str]:
        known = await self._chains.read(lambda session: embeddings.known(session, embedder(model), hashes))
        return [key for key in hashes if key not in known]


def embedder(model: ModelPlan) -> str:
    """Return the name under which a model's vectors are stored."""
    assert model.endpoint is not None
    return embedder_of(model.endpoint.base_url, model.model)
