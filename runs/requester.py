"""Requests of one item, from its first attempt over its further rounds to its outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Protocol

from core.messages import File, files_in, text_hash, with_contents
from core.runs.states import ItemStatus
from core.words import quoted
from runs.active_run import ActiveRun, RunHalted
from runs.budget import NOTHING, Amount, OverBudget, likely_in
from runs.client_pool import ClientPool, ModelChannel
from runs.endpoint.breaker import Breaker, End, SendingPermit
from runs.endpoint.faults import FREE, STOPS_RUN, RequestFault, SendError
from runs.endpoint.prices import cost_usd
from runs.endpoint.reply import ModelReply, storable
from runs.endpoint.request import EmbeddingRequest, ModelRequest
from runs.endpoint.retrying import Policy, decide, pause_s
from runs.item_outcomes import Turn, next_paired
from runs.ledger import NotStored, RequestLedger, Row
from runs.ledger_rows import answered_row, error_row, halted_row, outcome_row, reply_row, sent_row, uncertain_row
from runs.questions import ItemQuestion, NextRound, ended_rounds
from runs.refusing_models import ALIKE
from runs.run_plan import ModelPlan
from runs.usage import usage_fault
from store.runs import embeddings
from store.runs.embeddings import embedder_of
from store.runs.items import ItemOutcome, StoredReply
from store.tables import new_id


@dataclass(frozen=True, slots=True)
class PendingReply:
    """A reply that is being stored. `cost`: None if the provider does not report it."""

    reply: StoredReply
    cost: Amount | None
    keeping: asyncio.Future[bool]


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt without a reply, whose end is being stored. `cost`: None if nobody knows it."""

    error: SendError
    cost: Amount | None
    keeping: asyncio.Future[bool]


class RunControl(Protocol):
    """Callbacks of the requester into the runner."""

    async def stop(self, live: ActiveRun, reason: str) -> None:
        """End a run that cannot continue."""
        ...

    async def stored(self, request_hash: str) -> StoredReply | None:
        """Return the stored reply to a request."""
        ...

    async def further(self, live: ActiveRun, onward: NextRound) -> ItemQuestion:
        """Store and return the next round of an item. Raises BadInput for a role without a card."""
        ...

    async def contents(self, files: Collection[File]) -> Mapping[str, bytes]:
        """Return the bytes of files of the study, by SHA-256. Raises Missing for a lost one."""
        ...

    async def permit(self, live: ActiveRun, model: ModelPlan) -> None:
        """Raise Refused for a model that an owner must name for this run and has not named."""
        ...

    async def was_reached(self, live: ActiveRun, model: ModelPlan) -> bool:
        """Return whether the store knows an answer of the model's endpoint."""
        ...

    async def unreachable(self, live: ActiveRun, model: ModelPlan, breaker: Breaker) -> None:
        """Make the run wait for the model's endpoint, and continue with its other models."""
        ...

    async def refuses(self, live: ActiveRun, model: str, why: str) -> None:
        """Continue the run without a model, or stop it if there is no other."""
        ...

    async def reached(self, live: ActiveRun, model: ModelPlan) -> None:
        """End the run's wait for the model's endpoint."""
        ...


class Requester:
    """Asks models for one worker."""

    def __init__(
        self,
        ledger: RequestLedger,
        clients: ClientPool,
        worker_id: str,
        clock: Callable[[], datetime],
        control: RunControl,
        retries: Policy,
    ) -> None:
        self._ledger, self._clients, self._worker_id = ledger, clients, worker_id
        self._clock, self._control = clock, control
        self._asking: dict[str, asyncio.Event] = {}
        self._retries = retries
        self._random = Random()  # noqa: S311 - spreads waits

    async def answer(self, live: ActiveRun, question: ItemQuestion) -> None:
        """Ask round after round until there is an outcome, and store it; the item stays pending if its run is halted.

        The store has no reply to a question with `turns`. Raises Unreachable; the item stays pending and no try is
        counted.
        """
        following: ItemQuestion | None = question
        while following is not None:
            following = await self._answer(live, following)

    async def _answer(self, live: ActiveRun, question: ItemQuestion) -> ItemQuestion | None:
        """Ask one request of an item; return the next one that must be asked."""
        while (other := self._asking.get(question.hash)) is not None:
            # The same question is in flight for another item: its answer applies to this item too.
            await other.wait()
            stored = await self._control.stored(question.hash)
            if stored is not None:
                return await self._continue(live, question, stored, question.sent, is_cached=question.is_cached)
        self._asking[question.hash] = done = asyncio.Event()
        try:
            result = await self.ask(live, question)
        finally:
            del self._asking[question.hash]
            done.set()
        if result is None:
            return None
        reply, sent = result
        assert isinstance(reply, StoredReply), "only requests for vectors are cut otherwise"
        return await self._continue(live, question, reply, sent, is_cached=False)

    async def _continue(
        self, live: ActiveRun, question: ItemQuestion, reply: StoredReply, sent: int, *, is_cached: bool
    ) -> ItemQuestion | None:
        """Continue from a reply to the outcome, or return the next request without a stored reply. `sent`: how often
        this request has left."""
        while True:
            turns = (*question.turns, Turn(question.ask, question.model.name, reply))
            step = await next_paired(live.protocol, question.item.sample, live.prompts, turns, live.rounds)
            attempts = question.before + sent
            if isinstance(step, ItemOutcome):
                await self._settle(live, question, step, attempts, was_cached=is_cached)
                return None
            question = await self._control.further(live, NextRound(question.item, turns, step, attempts, is_cached))
            stored = await self._control.stored(question.hash)
            if stored is None:
                return question
            reply, sent = stored, question.sent
            is_cached = is_cached and stored.attempt_id not in question.item.sent

    async def ask(self, live: ActiveRun, question: ItemQuestion) -> tuple[StoredReply | SendError, int] | None:
        """Ask one request: (reply, how often it has left), or None if the item is given up or stays pending.

        The reply is its fault if another form of the request would do better (`is_truncated`). Raises Unreachable.
        """
        name, endpoint = question.model.name, question.model.endpoint
        number, tries, unmade = question.sent, 0, 0
        if question.ask.role and name in live.stopped and not live.is_halted:
            await self._control.stop(live, _without(question, live.stopped[name]))
            return None
        try:
            while live.may_ask(name):
                result = await self._turn(live, question, number + 1)
                if isinstance(result, SendError) and result.kind is RequestFault.NOT_REACHED:
                    unmade += 1
                    await self._not_reached(live, question, unmade)
                    continue
                assert endpoint is not None
                if endpoint.name in live.waits_for and not self._clients.of(question.model).breaker.is_open:
                    await self._control.reached(live, question.model)
                tries += 1
                if not isinstance(result, SendError) or result.has_left:
                    number += 1
                if isinstance(result, StoredReply):
                    return result, number
                if is_truncated(question, result):
                    return result, number
                decision = decide(result, tries, self._random.random(), self._retries)
                if decision.stops_run:
                    await self._control.stop(live, f"{name}: {decision.reason}")
                    return None
                if decision.wait_s is None:
                    await self._fail(live, question, result, decision.reason, number)
                    return None
                await live.unless_halted(name, asyncio.sleep(decision.wait_s))
        except RunHalted:
            return None
        except OverBudget as over:
            await self._control.stop(live, str(over))
        return None

    async def settle(self, live: ActiveRun, row: Row) -> None:
        await self._ledger.settled(row)

    async def _fail(self, live: ActiveRun, question: ItemQuestion, error: SendError, reason: str, number: int) -> None:
        """Give the item up, and its model if that refused everything; without the card of a role the run stops."""
        name = question.model.name
        if error.kind is not RequestFault.BAD_REQUEST:
            live.first.ended(name, question.hash, error)
        elif name in live.stopped and question.ask.role:
            await self._control.stop(live, _without(question, live.stopped[name]))
        elif name in live.stopped:
            await self._control.refuses(live, name, live.stopped[name])
        outcome = ItemOutcome(status=ItemStatus.FAILED.value, fault=storable(f"{error.kind.value}: {reason}"))
        await self._settle(live, question, outcome, question.before + number, was_cached=False)

    async def _not_reached(self, live: ActiveRun, question: ItemQuestion, failures: int) -> None:
        """Retry soon after failed connection number `failures`. Once the endpoint counts as lost, the run waits for it.
        If the endpoint has never answered, the run stops: its address is most likely wrong."""
        breaker = self._clients.of(question.model).breaker
        if not breaker.is_open:
            await live.unless_halted(
                question.model.name, asyncio.sleep(pause_s(failures, self._random.random(), self._retries))
            )
            return
        if not breaker.is_known:
            breaker.is_known = await self._control.was_reached(live, question.model)
        if breaker.is_known:
            await self._control.unreachable(live, question.model, breaker)
        else:
            reason = f"{question.model.name}: {breaker.why} It has never answered: is the address right, and is it up?"
            await self._control.stop(live, reason)

    async def _turn(self, live: ActiveRun, question: ItemQuestion, number: int) -> StoredReply | SendError:
        """Make one attempt in its turn. Raises Halted, OverBudget, Unreachable.

        The slot is freed as soon as the ledger has the reply. The next attempt is queued behind it there, so the store
        never has more open attempts than there are slots.
        """
        channel = self._clients.of(question.model)
        slot = channel.throttle.slot(likely_in(question.size, question.model.limits))
        permit = await live.unless_halted(question.model.name, channel.breaker.enter())
        end, error = End.UNUSED, None
        try:
            await live.unless_halted(question.model.name, slot.__aenter__())
            try:
                attempt = await self._paid(live, question, channel, permit, number)
                if isinstance(attempt, Failure):
                    error, end = attempt.error, _end_of(attempt.error)
                else:
                    slot.used(None if attempt.cost is None else attempt.cost.tokens)
                    end = End.REACHED
            finally:
                await slot.__aexit__(None if error is None else type(error), error, None)
        finally:
            channel.breaker.leave(permit, end, self._clock(), error.message if error else "")
        return await self._confirm(question, attempt, number)

    async def _paid(
        self, live: ActiveRun, question: ItemQuestion, channel: ModelChannel, permit: SendingPermit, number: int
    ) -> PendingReply | Failure:
        """Make one attempt if the budget allows its maximum cost. Raises Halted, OverBudget, Unreachable, Refused."""
        most = question.model.most_of(question.size)
        await live.budget.set_aside(question.model.name, most)
        cost: Amount | None = None
        has_left = False
        try:
            request = await self._with_files(question.request)
            if live.plan.permissions:
                await self._control.permit(live, question.model)
            if not live.may_ask(question.model.name):
                raise RunHalted
            channel.breaker.check(permit)
            attempt_id = await self._sent(live, question, most, number)
            if not live.may_ask(question.model.name):  # a person may have halted it while the store was busy
                count = {"item": question.item.id, "attempts": question.before + number - 1}
                await self._ledger.failed(halted_row(attempt_id, self._clock()), count)
                raise RunHalted
            live.first.sent(question.model.name, question.hash)
            has_left = True
            attempt = await self._ask_once(live, question, request, channel, attempt_id, number)
            has_left = attempt.error.has_left if isinstance(attempt, Failure) else True
            cost = attempt.cost
            return attempt
        finally:
            if has_left:
                live.budget.settle(most, cost)
            else:
                live.budget.refund(most)

    async def _with_files(self, request: ModelRequest | EmbeddingRequest) -> ModelRequest | EmbeddingRequest:
        """Add the bytes of files when the request leaves, since a shard of PDFs does not fit into memory at once."""
        if isinstance(request, EmbeddingRequest):
            return request
        files = files_in(request.messages)
        if not files:
            return request
        contents = await self._control.contents(files)
        return replace(request, messages=tuple(with_contents(each, contents) for each in request.messages))

    async def _sent(self, live: ActiveRun, question: ItemQuestion, most: Amount, number: int) -> str:
        attempt_id = new_id()
        await self._ledger.sent(
            sent_row(
                attempt_id=attempt_id,
                run_id=live.plan.run_id,
                item_id=question.item.id,
                request_hash=question.hash,
                number=number,
                endpoint=question.request.endpoint,
                model=question.model.name,
                worker_id=self._worker_id,
                most=most,
                now=self._clock(),
            )
        )
        return attempt_id

    async def _ask_once(
        self,
        live: ActiveRun,
        question: ItemQuestion,
        request: ModelRequest | EmbeddingRequest,
        channel: ModelChannel,
        attempt_id: str,
        number: int,
    ) -> PendingReply | Failure:
        """Send, and pass the result to the ledger."""
        count = {"item": question.item.id, "attempts": question.before + number}
        try:
            reply = await channel.client.send(request, attempt_id)
        except SendError as error:
            if error.kind in STOPS_RUN:
                live.halt()  # first of all: the next request would leave while this fault is being stored
            elif is_truncated(question, error):
                pass  # says nothing of the model
            elif error.kind is RequestFault.BAD_REQUEST and live.first.ended(question.model.name, question.hash, error):
                why = f"its first {ALIKE} requests were all refused alike: {storable(error.message)}"
                live.abandon(question.model.name, why)
            count["attempts"] = question.before + (number if error.has_left else number - 1)
            cost = _cost_of(error, question.model)
            row = error_row(attempt_id, error, self._clock(), None if cost is None else cost.usd)
            return Failure(error, cost, self._ledger.failed(row, count))
        except asyncio.CancelledError:
            await self._ledger.failed(uncertain_row(attempt_id, self._clock()), count)
            raise
        live.first.ended(question.model.name, question.hash, None)
        now = self._clock()
        model = question.model
        fault = usage_fault(reply, question.size, model.parameters, model.limits)
        if fault:  # its maximum cost stays reserved, as without a reported usage
            reply = replace(reply, tokens_in=None, tokens_out=None, tokens_cached=None, tokens_reasoning=None)
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        usd = cost_usd(model.prices, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=reply.tokens_cached)
        row = reply_row(
            request_hash=question.hash,
            canonical=question.canonical,
            endpoint=request.endpoint,
            model=request.model,
            attempt_id=attempt_id,
            reply=reply,
            usd=usd,
            now=now,
        )
        is_known = tokens_in is not None and tokens_out is not None
        return PendingReply(
            StoredReply(question.hash, attempt_id, reply.text, reply.refusal, reply.finish_reason, reply.logprobs),
            Amount((tokens_in or 0) + (tokens_out or 0), usd) if is_known else None,
            self._ledger.answered(row, answered_row(attempt_id, reply, usd, now, fault), _vectors(request, reply, now)),
        )

    async def _confirm(
        self, question: ItemQuestion, attempt: PendingReply | Failure, number: int
    ) -> StoredReply | SendError:
        """Return the result once it is stored. If another reply to the request was stored first, return that one."""
        if isinstance(attempt, Failure):
            await attempt.keeping
            return attempt.error
        try:
            if await attempt.keeping:
                return attempt.reply
        except NotStored as refusal:
            error = SendError(RequestFault.BAD_SHAPE, f"The reply could not be kept. {refusal}", http_status=200)
            count = {"item": question.item.id, "attempts": question.before + number}
            await self._ledger.failed(error_row(attempt.reply.attempt_id, error, self._clock()), count)
            return error
        stored = await self._control.stored(question.hash)
        assert stored is not None, "the reply stored first is there"
        return stored

    async def _settle(
        self, live: ActiveRun, question: ItemQuestion, outcome: ItemOutcome, attempts: int, *, was_cached: bool
    ) -> None:
        item_id = question.item.id
        row = outcome_row(item_id, question.first_hash, outcome, attempts, was_cached, self._clock())
        await self._ledger.settled(
            row, ended_rounds(item_id, len(question.turns) + 1, outcome) if live.rounds > 1 else None
        )


def is_truncated(question: ItemQuestion, error: SendError) -> bool:
    """Return whether to ask for these vectors in another form: fewer at once, or as written numbers."""
    request = question.request
    if not isinstance(request, EmbeddingRequest):
        return False
    if error.kind is RequestFault.TOO_LONG:
        return len(request.texts) > 1
    return error.kind is RequestFault.BAD_REQUEST and "encoding_format" in (error.raw or "") and not request.as_floats


def _vectors(request: ModelRequest | EmbeddingRequest, reply: ModelReply, now: datetime) -> list[Row]:
    if not isinstance(request, EmbeddingRequest):
        return []
    embedder = embedder_of(request.base_url, request.model)
    pairs = zip(request.texts, reply.vectors, strict=True)
    return [embeddings.row(embedder, text_hash(text), vector, now) for text, vector in pairs]


def _without(question: ItemQuestion, why: str) -> str:
    """Return why a run stops that has lost the card of a role."""
    return f"{question.model.name}, asked as {quoted(question.ask.role)} by items of all models: {why}"


def _cost_of(error: SendError, model: ModelPlan) -> Amount | None:
    """Return the cost of a failed request; None if it is unknown and an answer may have been made."""
    if error.usage is None:
        return NOTHING if error.kind in FREE else None
    tokens_in, tokens_out, cached = error.usage
    usd = cost_usd(model.prices, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=cached)
    return Amount(tokens_in + tokens_out, usd)


def _end_of(error: SendError) -> End:
    if not error.has_left:
        return End.REFUSED if error.kind is RequestFault.NOT_REACHED else End.UNUSED
    return End.REACHED if error.http_status is not None else End.UNHEARD
