"""Rounds of items, followed in the store from reply to reply."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from core.messages import hashes_in
from protocols.exchanges import Ask
from runs.active_run import ActiveRun
from runs.item_outcomes import Turn, next_paired
from runs.ledger import RequestLedger
from runs.ledger_rows import outcome_row
from runs.questions import ItemQuestion, NextRound, by_hash, ended_rounds, first_question, further_question
from store.engine import Store
from store.runs import items as run_items
from store.runs import runs
from store.runs.items import OpenItem, StoredReply

T = TypeVar("T")
Row = dict[str, Any]


class Chains:
    """Reads stored replies and stores the next requests, for one event loop."""

    def __init__(self, store: Store, ledger: RequestLedger, clock: Callable[[], datetime]) -> None:
        self._store, self._ledger, self._clock = store, ledger, clock

    async def first(
        self, live: ActiveRun, items: Sequence[OpenItem], new_texts: Mapping[str, str], hashes: Mapping[str, str]
    ) -> list[ItemQuestion]:
        """Return the first requests of items. `new_texts`: those that the store lacks, by hash. `hashes`: item →
        hash of its request, where known."""
        known = {**live.derived.texts, **new_texts} if live.derived is not None else {**new_texts}
        missing = {key for item in items for key in hashes_in(item.sample.messages)}.difference(known)
        if missing:
            texts = await self.read(lambda session: runs.texts(session, missing))
            known.update(texts)
            if live.derived is not None:
                live.derived.remember(texts)
        return [first_question(live.plan, item, known, hashes.get(item.id)) for item in items]

    async def follow(
        self, live: ActiveRun, items: Sequence[tuple[OpenItem, str]]
    ) -> tuple[set[str], list[ItemQuestion]]:
        """Follow items, each with the hash of its first request. Returns the ids of items whose request has a reply,
        and the questions of these that must still be asked; the rest of them are settled."""
        if not items or live.is_halted:
            return set(), []
        answered, open_questions, settled = set[str](), list[ItemQuestion](), list[tuple[Row, Row | None]]()
        looked_up: list[tuple[OpenItem, str, ItemQuestion | None]] = [(item, key, None) for item, key in items]
        while looked_up:
            replies = await self._stored_replies([key for _, key, _ in looked_up])
            onward, now = list[NextRound](), self._clock()
            for item, key, question in looked_up:
                reply = replies.get(key)
                if reply is None:
                    open_questions += [question] if question is not None else []
                    continue
                answered.add(item.id)
                turns, is_cached = _turns(item, question, reply)
                step = await next_paired(live.protocol, item.sample, live.prompts, turns, live.rounds)
                if isinstance(step, Ask):
                    onward.append(NextRound(item, turns, step, len(item.sent), is_cached))
                    continue
                row = outcome_row(item.id, turns[0].reply.request_hash, step, len(item.sent), is_cached, now)
                settled.append((row, ended_rounds(item.id, len(turns), step) if live.rounds > 1 else None))
            looked_up = [(each.item, each.hash, each) for each in await self.further(live, onward)]
        await self._ledger.all_settled(settled)
        return answered, open_questions

    async def further(self, live: ActiveRun, onward: Sequence[NextRound]) -> list[ItemQuestion]:
        """Store the next rounds of items and return them. Raises BadInput for a role without a card."""
        if not onward:
            return []
        asks = [(replace(each, ask=ask), texts) for each in onward for ask, texts in [by_hash(each.ask)]]
        named = {key for each, texts in asks for key in hashes_in(each.ask.messages) if key not in texts}
        stored = await self.read(lambda session: runs.texts(session, named)) if named else {}
        questions = [further_question(live.plan, each, {**stored, **texts}) for each, texts in asks]
        pairs = zip(questions, asks, strict=True)
        for keeping in [self._ledger.asked_again(each.round, list(texts.values())) for each, (_, texts) in pairs]:
            await keeping
        return questions

    async def stored(self, request_hash: str) -> StoredReply | None:
        return (await self._stored_replies([request_hash])).get(request_hash)

    async def _stored_replies(self, hashes: Sequence[str]) -> dict[str, StoredReply]:
        return await self.read(lambda session: run_items.stored_replies(session, hashes))

    async def read(self, ask: Callable[..., T]) -> T:
        """Run a read of the store in a thread."""

        def read() -> T:
            with self._store.reading() as session:
                return ask(session)

        return await asyncio.to_thread(read)


def _turns(item: OpenItem, question: ItemQuestion | None, reply: StoredReply) -> tuple[tuple[Turn, ...], bool]:
    """Return the item's turns, and whether every reply was stored before the item asked for it. `question`: None if the
    reply is to its first request."""
    if question is None:
        return (Turn(Ask(item.sample.messages), item.model, reply),), reply.attempt_id not in item.sent
    turns = (*question.turns, Turn(question.ask, question.model.name, reply))
    return turns, question.is_cached and reply.attempt_id not in item.sent
