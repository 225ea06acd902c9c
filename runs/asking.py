"""One item's request, from its first attempt to its outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from core.runs import ItemStatus
from runs.budget import NOTHING, Amount, OverBudget
from runs.desks import Desk, Desks
from runs.faults import FREE, STOPS_RUN, Fault, SendError
from runs.ledger import Ledger, NotKept
from runs.ledger_rows import answered_row, error_row, outcome_row, reply_row, sent_row, uncertain_row
from runs.live import Halted, Live
from runs.outcomes import outcome_of
from runs.prices import cost_usd, likely_tokens
from runs.reply import Reply, storable
from runs.request import ModelRequest
from runs.retrying import Policy, decide
from runs.run_plan import ModelPlan
from store.run_items import KeptReply, OpenItem, Outcome
from store.tables import new_id


@dataclass(frozen=True, slots=True)
class Question:
    """An item that must be asked: its request, its hash, and the request as it is stored."""

    item: OpenItem
    model: ModelPlan
    request: ModelRequest
    hash: str
    canonical: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply as it is stored, and what it cost; None where the provider does not say."""

    reply: KeptReply
    cost: Amount | None


class Asker:
    """Asks on behalf of one worker. `stop(live, reason)` ends a run that cannot go on; `stored(hash)` is the stored
    reply to a request."""

    def __init__(
        self,
        ledger: Ledger,
        desks: Desks,
        worker_id: str,
        clock: Callable[[], datetime],
        stop: Callable[[Live, str], Awaitable[None]],
        stored: Callable[[str], Awaitable[KeptReply | None]],
        retries: Policy,
    ) -> None:
        self._ledger, self._desks, self._worker_id = ledger, desks, worker_id
        self._clock, self._stop, self._stored = clock, stop, stored
        self._asking: dict[str, asyncio.Event] = {}
        self._retries = retries
        self._random = Random()  # noqa: S311 - spreads waits

    async def answer(self, live: Live, question: Question) -> None:
        """Ask until there is an outcome, and keep it; the item stays pending if its run is halted before."""
        while (other := self._asking.get(question.hash)) is not None:
            # The same question is on its way for another item: its answer is this item's too.
            await other.wait()
            kept = await self._stored(question.hash)
            if kept is not None:
                outcome = outcome_of(live.protocol, question.item.sample, kept)
                await self._settle(question, outcome, len(question.item.sent), was_cached=True)
                return
        self._asking[question.hash] = done = asyncio.Event()
        try:
            await self._ask(live, question)
        finally:
            del self._asking[question.hash]
            done.set()

    async def _ask(self, live: Live, question: Question) -> None:
        number, tries = len(question.item.sent), 0
        try:
            while not live.is_halted:
                number, tries = number + 1, tries + 1
                got = await self._turn(live, question, number)
                if isinstance(got, KeptReply):
                    outcome = outcome_of(live.protocol, question.item.sample, got)
                    return await self._settle(question, outcome, number)
                decision = decide(got, tries, self._random.random(), self._retries)
                if decision.stops_run:
                    return await self._stop(live, f"{question.model.name}: {decision.reason}")
                if decision.wait_s is None:
                    fault = storable(f"{got.kind.value}: {decision.reason}")
                    return await self._settle(question, Outcome(ItemStatus.FAILED.value, fault=fault), number)
                await live.unless_halted(asyncio.sleep(decision.wait_s))
        except Halted:
            return None
        except OverBudget as over:
            await self._stop(live, str(over))

    async def _turn(self, live: Live, question: Question, number: int) -> KeptReply | SendError:
        """One attempt when its turn has come. Raises Halted, OverBudget."""
        desk = self._desks.of(question.model)
        slot = desk.throttle.slot(likely_tokens(question.request.messages))
        most = question.model.most(question.request)
        await live.unless_halted(slot.__aenter__())
        error: SendError | None = None
        try:
            await live.purse.set_aside(question.model.name, most)
            if live.is_halted:
                live.purse.give_back(most)
                raise Halted
            cost: Amount | None = None
            try:
                got = await self._send(live, question, desk, number)
                if isinstance(got, SendError):
                    error, cost = got, NOTHING if got.kind in FREE else None
                    return got
                cost = got.cost
                slot.used(None if cost is None else cost.tokens)
                return got.reply
            finally:
                live.purse.settle(most, cost)
        finally:
            await slot.__aexit__(None if error is None else type(error), error, None)

    async def _send(self, live: Live, question: Question, desk: Desk, number: int) -> Answer | SendError:
        """Send once, kept before and after."""
        attempt_id, item = new_id(), question.item
        await self._ledger.sent(
            sent_row(
                attempt_id, live.plan.run_id, item.id, question.hash, number, question.request.endpoint,
                question.model.name, self._worker_id, self._clock(),
            )
        )  # fmt: skip
        count = {"item": item.id, "attempts": number}
        try:
            reply = await desk.client.send(question.request, attempt_id)
        except SendError as error:
            if error.kind in STOPS_RUN:
                live.halt()  # before anything else: the next request would leave while this is being kept
            await self._ledger.failed(error_row(attempt_id, error, self._clock()), count)
            return error
        except asyncio.CancelledError:
            await self._ledger.failed(uncertain_row(attempt_id, self._clock()), count)
            raise
        return await self._keep(question, attempt_id, reply, count)

    async def _keep(
        self, question: Question, attempt_id: str, reply: Reply, count: Mapping[str, Any]
    ) -> Answer | SendError:
        """Keep a reply before anybody looks into it; what is read afterwards is the one that the store has."""
        now = self._clock()
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        usd = cost_usd(
            question.model.prices, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=reply.tokens_cached
        )
        asked = question.request
        row = reply_row(question.hash, question.canonical, asked.endpoint, asked.model, attempt_id, reply, usd, now)
        try:
            is_first = await self._ledger.answered(row, answered_row(attempt_id, reply, usd, now))
        except NotKept as refusal:
            error = SendError(Fault.BAD_SHAPE, f"The reply could not be kept. {refusal}", http_status=200)
            await self._ledger.failed(error_row(attempt_id, error, now), count)
            return error
        kept = KeptReply(question.hash, attempt_id, reply.text, reply.refusal, reply.finish_reason, reply.logprobs)
        if not is_first:
            stored = await self._stored(question.hash)
            assert stored is not None, "a reply that stood in the way is there"
            kept = stored
        is_known = tokens_in is not None and tokens_out is not None
        return Answer(kept, Amount((tokens_in or 0) + (tokens_out or 0), usd) if is_known else None)

    async def _settle(self, question: Question, outcome: Outcome, attempts: int, *, was_cached: bool = False) -> None:
        row = outcome_row(question.item.id, question.hash, outcome, attempts, was_cached, self._clock())
        await self._ledger.settled(row)
