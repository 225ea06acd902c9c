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
from runs.reply import storable
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
    """A reply that is being kept, and what it cost; None where the provider does not say."""

    reply: KeptReply
    cost: Amount | None
    keeping: asyncio.Future[bool]


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt without a reply, whose end is being kept."""

    error: SendError
    keeping: asyncio.Future[bool]


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
        """One attempt when its turn has come. Raises Halted, OverBudget.

        The place in flight is given up as soon as the reply is in the ledger's hands. Whoever takes it stands behind
        the reply there, so that never more attempts are open in the store than there are places.
        """
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
                attempt_id = await self._sent(live, question, number)
                got = await self._ask_once(live, question, desk, attempt_id, number)
                if isinstance(got, Failure):
                    error, cost = got.error, NOTHING if got.error.kind in FREE else None
                else:
                    cost = got.cost
                    slot.used(None if cost is None else cost.tokens)
            finally:
                live.purse.settle(most, cost)
        finally:
            await slot.__aexit__(None if error is None else type(error), error, None)
        return await self._kept(question, got, number)

    async def _sent(self, live: Live, question: Question, number: int) -> str:
        """The id of an attempt that is kept, and may leave."""
        attempt_id = new_id()
        await self._ledger.sent(
            sent_row(
                attempt_id, live.plan.run_id, question.item.id, question.hash, number, question.request.endpoint,
                question.model.name, self._worker_id, self._clock(),
            )
        )  # fmt: skip
        return attempt_id

    async def _ask_once(
        self, live: Live, question: Question, desk: Desk, attempt_id: str, number: int
    ) -> Answer | Failure:
        """Send, and hand to the ledger what came."""
        count = {"item": question.item.id, "attempts": number}
        try:
            reply = await desk.client.send(question.request, attempt_id)
        except SendError as error:
            if error.kind in STOPS_RUN:
                live.halt()  # before anything else: the next request would leave while this is being kept
            return Failure(error, self._ledger.failed(error_row(attempt_id, error, self._clock()), count))
        except asyncio.CancelledError:
            await self._ledger.failed(uncertain_row(attempt_id, self._clock()), count)
            raise
        now, asked = self._clock(), question.request
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        usd = cost_usd(
            question.model.prices, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=reply.tokens_cached
        )
        row = reply_row(question.hash, question.canonical, asked.endpoint, asked.model, attempt_id, reply, usd, now)
        is_known = tokens_in is not None and tokens_out is not None
        return Answer(
            KeptReply(question.hash, attempt_id, reply.text, reply.refusal, reply.finish_reason, reply.logprobs),
            Amount((tokens_in or 0) + (tokens_out or 0), usd) if is_known else None,
            self._ledger.answered(row, answered_row(attempt_id, reply, usd, now)),
        )

    async def _kept(self, question: Question, got: Answer | Failure, number: int) -> KeptReply | SendError:
        """What came, once it is kept. What is read is the reply that the store has, be it another's."""
        if isinstance(got, Failure):
            await got.keeping
            return got.error
        try:
            if await got.keeping:
                return got.reply
        except NotKept as refusal:
            error = SendError(Fault.BAD_SHAPE, f"The reply could not be kept. {refusal}", http_status=200)
            count = {"item": question.item.id, "attempts": number}
            await self._ledger.failed(error_row(got.reply.attempt_id, error, self._clock()), count)
            return error
        stored = await self._stored(question.hash)
        assert stored is not None, "a reply that stood in the way is there"
        return stored

    async def _settle(self, question: Question, outcome: Outcome, attempts: int, *, was_cached: bool = False) -> None:
        row = outcome_row(question.item.id, question.hash, outcome, attempts, was_cached, self._clock())
        await self._ledger.settled(row)
