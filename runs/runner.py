"""Work on a shard, from its pending items to their outcomes: stored replies are used first, the rest is asked.

For every item: its attempt is stored, its request leaves, its reply is stored, then read; that leads to a further
round, stored and asked in the same way, or to its outcome, which is stored last. After a kill the shard resumes from
what was stored last: the rounds of an item are derived again from its replies.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from sqlmodel import Session

from core.errors import EdgewiseError, Refused, StoreUnavailable
from core.messages import File
from core.runs.states import AT_WORK, Blocker, ModelKind, RunState
from core.steps import Span
from runs.active_run import ActiveRun
from runs.budget import BudgetTracker
from runs.client_pool import ClientPool, Closing
from runs.endpoint.breaker import PAUSES, Breaker, Pauses, Unreachable
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import FREE
from runs.endpoint.offload import offload
from runs.endpoint.retrying import STANDARD, Policy
from runs.item_outcomes import protocol_of, rounds_of
from runs.item_rounds import Chains
from runs.ledger import RequestLedger
from runs.ledger_rows import outcome_row
from runs.numbered.derived import DerivedMessages
from runs.numbered.windows import advance as advance_windows
from runs.numbered.windows import numbered_run
from runs.offline import baseline_replies
from runs.questions import ItemQuestion, NextRound
from runs.queue import Later
from runs.refusing_models import FirstRequests
from runs.requester import Requester
from runs.run_plan import ModelPlan, read_plan
from runs.run_prompts import prompts_of
from runs.steps import group_progress, making_child
from runs.steps.embedding import Embedding
from runs.steps.stepped_run import SteppedRun, stepped
from store import history, run_blockers
from store.engine import Store
from store.files import read_file
from store.runs import items as run_items
from store.runs import replies, runs
from store.runs.finishing import finish
from store.runs.items import OpenItem, StoredReply
from store.runs.permissions import refusal
from store.tables import new_id

TROUBLE_S = 2.0  # wait before a retry if the store did not answer
ACTOR = history.Actor("worker")
# Acts in the history when a run starts to wait, resumes, or has no model left to ask.
MOVES = {RunState.WAITING: "run.wait", RunState.RUNNING: "run.go_on", RunState.STOPPED: "run.stop"}
log = logging.getLogger(__name__)
T = TypeVar("T")


def waited_for(blockers: Iterable[Blocker]) -> tuple[dict[str, str], dict[str, str]]:
    """Return endpoint → reason for the run's wait, and model → reason why it is no longer asked."""
    listed = list(blockers)
    servers = {each.name: each.why for each in listed if not each.is_model}
    return servers, {each.name: each.why for each in listed if each.is_model}


class Runner:
    """Works on the shards of a worker's runs, in one event loop; the worker starts and closes its ledger."""

    def __init__(
        self,
        store: Store,
        ledger: RequestLedger,
        worker_id: str,
        *,
        clock: Callable[[], datetime],
        make_client: Callable[[Endpoint], Closing],
        load_client: Callable[[], None],
        retries: Policy = STANDARD,
        pauses: Pauses = PAUSES,
    ) -> None:
        self._store, self._ledger, self._worker_id, self._clock = store, ledger, worker_id, clock
        self._clients, self._load_client = ClientPool(make_client, pauses), load_client
        self._chains = Chains(store, ledger, clock)
        self._requester = Requester(ledger, self._clients, worker_id, clock, self, retries)
        self._embedding = Embedding(self._chains, self._requester, clock)
        self._opening = asyncio.Lock()
        self._is_closing = False
        self._asking: set[asyncio.Task[None]] = set()
        self.lives: dict[str, ActiveRun] = {}

    async def close(self) -> None:
        await self._clients.close()

    def halt(self) -> None:
        """Send no further request; those in flight end and are stored."""
        self._is_closing = True
        for live in self.lives.values():
            live.halt()

    @property
    def is_asking(self) -> bool:
        return bool(self._asking)

    def cut_off(self) -> None:
        """Abandon the requests in flight, which become uncertain."""
        for task in self._asking:
            task.cancel()

    def share(self, workers: int) -> None:
        """Keep to an equal share of the endpoints' limits, with `workers` workers in all."""
        self._clients.share(workers)

    def try_now(self, run_id: str) -> None:
        """Probe the endpoints that a run waits for at once."""
        live = self.lives.get(run_id)
        if live is not None:
            self._try_all(live)

    async def work_shard(self, run_id: str, shard: int) -> Later | None:
        """Bring every pending item of a shard to its outcome, unless the run is halted. Returns when to come back if an
        endpoint is unreachable. Raises nothing: errors stop the run with a reason."""
        live: ActiveRun | None = None
        try:
            live = await self._enter(run_id)
            if live is not None:
                later = await self._work(live, shard)
                if live.stepped is not None and not live.is_halted:
                    await self._advance(live, live.stepped)
                if live.windows is not None and not live.is_halted:
                    await self._next_window(live)
                return later
        except StoreUnavailable as trouble:
            log.warning("Shard %d of run %s waits: %s", shard, run_id, trouble)
            await asyncio.sleep(0 if self._is_closing else TROUBLE_S)
        except EdgewiseError as error:
            await self._stop_run(run_id, str(error))
        except Exception as error:
            log.exception("Shard %d of run %s failed", shard, run_id)
            await self._stop_run(run_id, f"A fault in Edgewise: {type(error).__name__}: {error}")
        finally:
            await self._leave(run_id, live)
        return None

    # --- the end of a run ------------------------------------------------------------------------------------------

    async def stop(self, live: ActiveRun, reason: str) -> None:
        live.halt()
        await self._stop_run(live.plan.run_id, reason)

    async def _stop_run(self, run_id: str, reason: str) -> None:
        if run_id in self.lives:
            self.lives[run_id].halt()
        await self._retry_until_stored(lambda: self._stop_now(run_id, reason))

    # --- start and end of work on a run --------------------------------------------------------------------------

    async def _enter(self, run_id: str) -> ActiveRun | None:
        async with self._opening:
            live = self.lives.get(run_id)
            if live is None or live.is_halted:
                live = None if self._is_closing else await asyncio.to_thread(self._open, run_id)
                if live is None:
                    return None
                self.lives[run_id] = live
            live.shards += 1
            return live

    def _open(self, run_id: str) -> ActiveRun | None:
        with self._store.reading() as session:
            row = runs.run_row(session, run_id)
            if RunState(row.state) not in AT_WORK:
                return None
            plan, protocol = read_plan(row), protocol_of(row.protocol)
            rounds = rounds_of(protocol, row.settings)
            prompts = prompts_of(session, row, protocol) if rounds > 1 else {}
            own, others = replies.spent(session, run_id, self._worker_id, FREE)
            first = FirstRequests(replies.answering_models(session, run_id))
            several_steps, windows = stepped(session, row), numbered_run(session, row)
            derived = DerivedMessages.of(session, row)
        if row.state == RunState.QUEUED:
            self._mark_running(run_id)  # unless another worker or a person was first, which the next poll shows
        if any(model.endpoint and not model.endpoint.is_scripted for model in plan.models.values()):
            self._load_client()
        waits_for, stopped = waited_for(run_blockers.read(row.hindered))
        budget = BudgetTracker(plan.budget, own, others)
        live = ActiveRun(
            plan=plan,
            protocol=protocol,
            budget=budget,
            waits_for=waits_for,
            stopped=stopped,
            first=first,
            rounds=rounds,
            prompts=prompts,
            stepped=several_steps,
            windows=windows,
            derived=derived,
        )
        # Endpoints of a run that a person queued, or that another worker has reached, are probed without a pause.
        self._try_all(live, but=() if row.state == RunState.QUEUED else waits_for)
        return live

    def _try_all(self, live: ActiveRun, but: Collection[str] = ()) -> None:
        for model in live.plan.models.values():
            if model.endpoint is not None and model.endpoint.name not in but:
                self._clients.of(model).breaker.try_now()

    async def _leave(self, run_id: str, live: ActiveRun | None) -> None:
        if live is not None:
            live.shards -= 1
            if not live.shards and self.lives.get(run_id) is live:
                del self.lives[run_id]
        await self._retry_until_stored(lambda: self._finish(run_id))
        if live is not None and (live.waits_for or live.stopped):
            await self._note(live)  # it waits or stops once nothing else is left to do

    def _finish(self, run_id: str) -> None:
        with self._store.writing() as session:
            ended = finish(session, run_id, self._clock())
            if ended is not None:
                act = "run.finish" if ended.state is RunState.DONE else "run.hold"
                self._record(session, act, run_id, {"reason": ended.reason} if ended.reason else {})

    def _stop_now(self, run_id: str, reason: str) -> None:
        with self._store.writing() as session:
            if runs.set_state(session, run_id, RunState.STOPPED, reason, self._clock(), only_from=AT_WORK):
                self._record(session, "run.stop", run_id, {"reason": reason})

    def _record(self, session: Session, act: str, run_id: str, payload: dict[str, str]) -> None:
        history.record(
            session,
            ACTOR,
            act,
            at=self._clock(),
            act_id=new_id(),
            subject_kind="run",
            subject_id=run_id,
            payload=payload,
        )

    def _mark_running(self, run_id: str) -> bool:
        with self._store.writing() as session:
            queued = (RunState.QUEUED,)
            return runs.set_state(session, run_id, RunState.RUNNING, "", self._clock(), only_from=queued)

    async def unreachable(self, live: ActiveRun, model: ModelPlan, breaker: Breaker) -> None:
        assert model.endpoint is not None
        name, why = model.endpoint.name, breaker.why[:1].lower() + breaker.why[1:].rstrip(".")
        if live.waits_for.get(name) != why:
            live.waits_for[name] = why
            await self._note(live, blockers=[Blocker(name, why, breaker.since or self._clock())])
            live.mark_stored()

    async def refuses(self, live: ActiveRun, model: str, why: str) -> None:
        await self._note(live, blockers=[Blocker(model, why, self._clock(), is_model=True)])
        live.mark_stored(model)

    async def reached(self, live: ActiveRun, model: ModelPlan) -> None:
        assert model.endpoint is not None
        if live.waits_for.pop(model.endpoint.name, None) is not None:
            await self._note(live, reached=[model.endpoint.name])
            live.mark_stored()

    async def was_reached(self, live: ActiveRun, model: ModelPlan) -> bool:
        endpoint = model.endpoint
        assert endpoint is not None
        run_id = live.plan.run_id
        return await self._chains.read(
            lambda session: replies.was_reached(session, run_id, endpoint.name, endpoint.base_url)
        )

    async def _note(self, live: ActiveRun, *, blockers: Sequence[Blocker] = (), reached: Sequence[str] = ()) -> None:
        moved = await self._retry_until_stored(lambda: self._note_now(live.plan.run_id, blockers, reached))
        if moved is not None and moved.after is RunState.STOPPED:
            live.halt()

    def _note_now(
        self, run_id: str, blockers: Sequence[Blocker], reached: Sequence[str]
    ) -> run_blockers.StateChange | None:
        with self._store.writing() as session:
            moved = run_blockers.note(session, run_id, self._clock(), found=blockers, reached=reached)
            if moved is not None:
                self._record(session, MOVES[moved.after], run_id, {"reason": moved.reason} if moved.reason else {})
            return moved

    async def _retry_until_stored(self, act: Callable[[], T]) -> T | None:
        """Do it as soon as the store allows; a worker that is about to end does not wait."""
        while True:
            try:
                return await asyncio.to_thread(act)
            except StoreUnavailable as trouble:
                log.warning("Waiting for the store: %s", trouble)
                if self._is_closing:
                    return None
                await asyncio.sleep(TROUBLE_S)

    # --- groups of several steps -------------------------------------------------------------------------------------

    async def _advance(self, live: ActiveRun, run: SteppedRun) -> None:
        """Start the groups that may start now. Raises as `expanding.advance`, and EdgewiseError for a failed child
        process."""
        tried = set[str]()
        async with live.advancing:
            while not self._is_closing:
                whole = await asyncio.to_thread(group_progress.advance, self._store, run, self._clock())
                left = [each for each in whole if each not in tried]
                if not left:
                    return
                tried.add(left[0])
                await self._all_of([making_child.begin(self._store.url, run.plan.run_id, left[0])])

    # --- samples that are numbered -----------------------------------------------------------------------------------

    async def _next_window(self, live: ActiveRun) -> None:
        """Write the next samples if few are left to ask. Raises as `windows.advance`."""
        async with live.advancing:
            run = None if self._is_closing else live.windows
            if run is not None and not await asyncio.to_thread(advance_windows, self._store, run, live.made):
                live.windows = None

    # --- a shard -------------------------------------------------------------------------------------------------

    def _mark_left(self, item_ids: list[str]) -> None:
        """A shard may be taken over from a worker before that counts as stopped."""
        with self._store.writing() as session:
            replies.mark_left(session, item_ids, self._worker_id, self._clock())

    async def _work(self, live: ActiveRun, shard: int) -> Later | None:
        items = await self._chains.read(lambda session: run_items.open_items(session, live.plan.run_id, shard))
        if not self._store.is_sqlite and (before := [item.id for item in items if item.sent]):
            await asyncio.to_thread(self._mark_left, before)
        texts, hashes = dict[str, str](), dict[str, str]()
        if live.derived is not None:
            items, texts, hashes = live.derived.of_items(items, live.made)
        kinds = {item.model: live.plan.model(item.model).kind for item in items}
        baselines = [item for item in items if kinds[item.model] is ModelKind.BASELINE]
        if baselines:
            await self._baselines(live, baselines)
        model_items = [item for item in items if kinds[item.model] is not ModelKind.BASELINE]
        embeds = {item.id for item in model_items if live.plan.model(item.model).embeds}
        known = [(item, item.request_hash) for item in model_items if item.request_hash and item.id not in embeds]
        answered, further = await self._chains.follow(live, known)
        left = [item for item in model_items if item.id not in answered and live.may_ask(item.model)]
        shut = {model.name: model for model in self._models(live, left) if not await self._may_try(live, model)}
        open_ = [item for item in left if item.model not in shut]
        questions = await self._chains.first(live, [item for item in open_ if item.id not in embeds], texts, hashes)
        changed = [(each.item, each.hash) for each in questions if each.hash != each.item.request_hash]
        if changed:
            answered_now, others = await self._chains.follow(live, changed)
            answered, further = answered | answered_now, further + others
        open_questions = [each for each in questions if each.item.id not in answered] + further
        batches = [self._embedding.answer(live, item) for item in open_ if item.id in embeds]
        lost = await self._all_of([*batches, *(self._requester.answer(live, each) for each in open_questions)])
        breakers = {self._clients.of(model).breaker for model in shut.values()} | lost
        models = [*self._models(live, left), *(each.model for each in further), *live.plan.helpers]
        for model in {each.name: each for each in models}.values():
            breaker = self._clients.of(model).breaker
            if breaker in breakers and breaker.is_open and breaker.is_known:
                await self.unreachable(live, model, breaker)
        return (lambda: min(breaker.wait_s() for breaker in breakers)) if breakers else None

    def _models(self, live: ActiveRun, items: Sequence[OpenItem]) -> list[ModelPlan]:
        return [live.plan.model(name) for name in dict.fromkeys(item.model for item in items)]

    async def _may_try(self, live: ActiveRun, model: ModelPlan) -> bool:
        """Return whether to try the endpoint now, since a person or another worker may know that it is back."""
        breaker = self._clients.of(model).breaker
        if breaker.wait_s() <= 0:
            return True
        assert model.endpoint is not None
        name, run_id = model.endpoint.name, live.plan.run_id
        state, blockers = await self._chains.read(lambda session: run_blockers.of_run(session, run_id))
        is_reached = name in live.waits_for and name not in {each.name for each in blockers}
        if state is not RunState.QUEUED and not is_reached:
            return False
        if state is RunState.QUEUED:
            await self._retry_until_stored(lambda: self._mark_running(run_id))
        else:
            del live.waits_for[name]
        breaker.try_now()
        return True

    async def _baselines(self, live: ActiveRun, items: Sequence[OpenItem]) -> None:
        now = self._clock()
        await self._summarise_all(live, items)
        reads = baseline_replies.texts_read(live.plan, live.protocol, items)
        texts = await self._chains.read(partial(runs.texts, hashes=reads)) if reads else {}
        size = sum(map(len, texts.values()))
        rows, outcomes = await offload(
            size, lambda: baseline_replies.answers(live.plan, live.protocol, items, now, live.of_all, texts)
        )
        await self._ledger.store_replies(rows)
        await self._ledger.all_settled(
            [
                (outcome_row(item.id, request_hash, outcome, 0, False, now), None)
                for item, request_hash, outcome in outcomes
            ]
        )

    async def _summarise_all(self, live: ActiveRun, items: Sequence[OpenItem]) -> None:
        """Summarise all samples of a step over the whole run, which are made during the run, for its baselines."""
        run = live.stepped
        if run is None:
            return
        for model, sample in baseline_replies.unknown(live.plan, live.protocol, items, live.of_all):
            if run.step(sample.step).span is Span.ALL:
                samples = await self._chains.read(
                    partial(run_items.samples_of_variant, run_id=run.plan.run_id, sample=sample)
                )
                summary = await asyncio.to_thread(baseline_replies.of_all, live.plan, live.protocol, model, samples)
                live.of_all[model, baseline_replies.pair_of(sample)] = summary

    async def further(self, live: ActiveRun, onward: NextRound) -> ItemQuestion:
        (question,) = await self._chains.further(live, [onward])
        return question

    async def stored(self, request_hash: str) -> StoredReply | None:
        return await self._chains.stored(request_hash)

    async def contents(self, files: Collection[File]) -> dict[str, bytes]:
        hashes = {file.sha256 for file in files}
        return await self._chains.read(lambda session: {key: read_file(self._store, session, key) for key in hashes})

    async def permit(self, live: ActiveRun, model: ModelPlan) -> None:
        assert model.endpoint is not None
        where = {model.name: {"endpoint": {"base_url": model.endpoint.base_url}, "model": model.model}}
        why = await self._chains.read(lambda session: refusal(session, live.plan.permissions, where))
        if why:
            raise Refused(why)

    async def _all_of(self, coroutines: Iterable[Coroutine[Any, Any, None]]) -> set[Breaker]:
        """Run them concurrently to their ends; return the breakers of unreachable endpoints, and raise the first other
        error."""
        tasks = [asyncio.create_task(each) for each in coroutines]
        self._asking.update(tasks)
        try:
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._asking.difference_update(tasks)
        for fault in ended:
            if fault is not None and not isinstance(fault, asyncio.CancelledError | Unreachable):
                raise fault
        return {fault.breaker for fault in ended if isinstance(fault, Unreachable)}
