"""A worker: the process that asks models. It finds runs by itself, follows what people say of them, and can be killed.

What it needs to know stands in the store; what it holds itself is requests on their way, at most as many as the
endpoints allow at once. Those it leaves behind when it is killed are found by whichever worker comes next.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session

from core.errors import StoreTrouble
from core.runs.budget import Spending
from core.runs.states import Hindrance, RunState
from runs.budget import Budget, read_budget
from runs.client_pool import Closing
from runs.endpoint.breaker import PAUSES, Pauses
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import FREE
from runs.endpoint.retrying import STANDARD, Policy
from runs.ledger import RequestLedger
from runs.queue import LOST_AFTER_S
from runs.queues import queue_of
from runs.runner import Runner, waited_for
from store.engine import Store
from store.hindrances import read
from store.runs import replies, runs
from store.tables import new_id

WATCH_S = 0.5
"""Between two looks at what people said of the runs in hand."""
SIGN_OF_LIFE_S = 10.0
CUT_OFF_S = 5.0
"""For what is cut off to be kept as uncertain."""
AT_ONCE = 6
"""Shards in hand at once: enough items that the end of one shard leaves no place at an endpoint empty."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a worker looks up, in seconds, and how many shards it has in hand, when it asks again."""

    sign_of_life_s: float = SIGN_OF_LIFE_S
    lost_after_s: float = LOST_AFTER_S
    at_once: int = AT_ONCE
    retries: Policy = STANDARD
    pauses: Pauses = PAUSES


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a look at the store found for the runs in hand then (`lives`): those that may go on, budgets and hindrances
    that changed, runs that a person wants to be tried again, what other workers spent; and how many workers there
    are."""

    lives: tuple[str, ...] = ()
    runs: dict[str, runs.OpenRun] = field(default_factory=dict)
    budgets: dict[str, Budget] = field(default_factory=dict)
    hindered: dict[str, tuple[Hindrance, ...]] = field(default_factory=dict)
    asked_again: tuple[str, ...] = ()
    others: dict[str, Spending] = field(default_factory=dict)
    workers: int | None = None


def openai_client(endpoint: Endpoint) -> Closing:
    """The client of an endpoint; its library is a second of imports, so it is loaded when something is asked."""
    from runs.endpoint.client import OpenAIClient

    return OpenAIClient(endpoint)


def load_openai() -> None:
    """For a thread beside the requests: the import would hold them all up. What is loaded by then stays, so the garbage
    collector is told not to look through it again and again, a tenth of a run's own processor time."""
    if "runs.endpoint.client" not in sys.modules:
        import runs.endpoint.client  # noqa: F401

        gc.collect()
        gc.freeze()


class Worker:
    """`run()` works until `stop` is set, or with `is_once` until nothing is left to do."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime],
        make_client: Callable[[Endpoint], Closing] = openai_client,
        load_client: Callable[[], None] = load_openai,
        pace: Pace | None = None,
    ) -> None:
        self.id = new_id()
        self.stop = asyncio.Event()
        self._store, self._clock, self._pace = store, clock, pace or Pace()
        self._ledger = RequestLedger(store)
        self._runner = Runner(
            store,
            self._ledger,
            self.id,
            clock=clock,
            make_client=make_client,
            load_client=load_client,
            retries=self._pace.retries,
            pauses=self._pace.pauses,
        )
        self._queue = queue_of(store, lost_after_s=self._pace.lost_after_s)
        self._versions: dict[str, int] = {}
        self._signed_at = time.monotonic()

    @property
    def awaits_replies(self) -> bool:
        """Whether requests are on their way and everything that has come of them is stored."""
        return self._runner.is_asking and not self._ledger.unwritten

    @property
    def unwritten(self) -> int:
        """Entries of the ledger that are not stored yet."""
        return self._ledger.unwritten

    async def run(self, *, is_once: bool = False, grace_s: float = 20.0) -> int:
        """Returns how many entries of the ledger could not be kept (0 unless the store was lost).

        Told to stop, it sends nothing more and waits `grace_s` for what is on its way; the rest becomes uncertain.
        """
        self._runner.share(await asyncio.to_thread(self._begin))
        self._ledger.start()
        working = asyncio.create_task(
            self._queue.work(self._runner.work_shard, at_once=self._pace.at_once, stop=self.stop, is_once=is_once)
        )
        others = [asyncio.create_task(self._watch()), asyncio.create_task(self.stop.wait())]
        try:
            ended, _ = await asyncio.wait([working, *others], return_when=asyncio.FIRST_COMPLETED)
            self._runner.halt()
            self.stop.set()
            await asyncio.wait([working], timeout=grace_s)
            self._runner.cut_off()
            await asyncio.wait([working], timeout=CUT_OFF_S)
        finally:
            for task in others:
                task.cancel()
            # Whoever still waits for a store that cannot be written is let go with this.
            unkept = await self._ledger.close(patience_s=grace_s)
            await asyncio.wait([working])
            await self._runner.close()
            await asyncio.to_thread(self._end)
        for task in (working, *ended):
            task.result()
        return unkept

    # --- signs of life, and what became of runs ------------------------------------------------------------------

    def _begin(self) -> int:
        """How many workers there are with this one."""
        with self._store.writing() as session:
            replies.begin_worker(session, self.id, socket.gethostname(), os.getpid(), self._clock())
            self._mark_dead_workers(session)
            return 1 if self._store.is_sqlite else replies.live_workers(session, self._pace.lost_after_s)

    def _end(self) -> None:
        try:
            with self._store.writing() as session:
                replies.end_workers(session, [self.id], self._clock())
                replies.mark_uncertain(session, self._clock())
        except StoreTrouble as trouble:
            log.error("The worker's end could not be kept: %s", trouble)

    def _mark_dead_workers(self, session: Session) -> None:
        """What dead workers left on its way is uncertain from now on. A SQLite study has one worker: no other lives."""
        silence_s = None if self._store.is_sqlite else self._pace.lost_after_s
        lost = replies.lost_workers(session, self.id, silence_s)
        if lost:
            replies.end_workers(session, lost, self._clock())
        left = replies.mark_uncertain(session, self._clock())
        if left:
            log.warning("%d requests were on their way when their worker ended; they will be sent again.", left)

    async def _watch(self) -> None:
        """Follow what people say of the runs in hand, and show that this worker lives."""
        while True:
            await asyncio.sleep(WATCH_S)
            if not self._runner.lives and not self._must_sign:
                continue
            findings = {run_id: live.findings for run_id, live in self._runner.lives.items()}
            try:
                seen = await asyncio.to_thread(self._look, tuple(findings))
            except StoreTrouble as trouble:
                log.warning("Could not look at the runs: %s", trouble)
                continue
            self._follow(seen, findings)

    def _look(self, lives: tuple[str, ...]) -> Seen:
        workers = self._sign() if self._must_sign else None
        if not lives:
            return Seen(workers=workers)
        with self._store.reading() as session:
            open_runs = runs.open_runs(session)
            changed = [
                each for each in lives if each in open_runs and self._versions.get(each) != open_runs[each].version
            ]
            rows = {each: runs.run_row(session, each) for each in changed}
            budgets = {each: read_budget(row.settings.get("budget") or {}) for each, row in rows.items()}
            blockers = {each: read(row.hindered) for each, row in rows.items()}
            shared = () if self._store.is_sqlite else lives
            others = {each: replies.spent(session, each, self.id, FREE)[1] for each in shared if each in open_runs}
        asked_again = tuple(each for each in lives if each in open_runs and open_runs[each].state is RunState.QUEUED)
        if asked_again:
            self._go_on(asked_again)
        return Seen(
            lives=lives,
            runs=open_runs,
            budgets=budgets,
            hindered=blockers,
            asked_again=asked_again,
            others=others,
            workers=workers,
        )

    @property
    def _must_sign(self) -> bool:
        return time.monotonic() - self._signed_at >= self._pace.sign_of_life_s

    def _sign(self) -> int | None:
        """A sign of life; how many workers there are, where there can be several."""
        self._signed_at = time.monotonic()
        with self._store.writing() as session:
            replies.see_worker(session, self.id, self._clock())
            if self._store.is_sqlite:
                return None
            self._mark_dead_workers(session)
            return replies.live_workers(session, self._pace.lost_after_s)

    def _go_on(self, run_ids: Sequence[str]) -> None:
        with self._store.writing() as session:
            for run_id in run_ids:
                runs.set_state(session, run_id, RunState.RUNNING, "", self._clock(), only_from=(RunState.QUEUED,))

    def _follow(self, seen: Seen, findings: Mapping[str, int]) -> None:
        """Do as the store said; `findings`: of each run in hand when the look began."""
        if seen.workers is not None:
            self._runner.share(seen.workers)
        for run_id in seen.lives:
            live = self._runner.lives.get(run_id)
            if live is None:
                continue
            if run_id not in seen.runs:
                live.halt()
                continue
            live.purse.see(budget=seen.budgets.get(run_id), others=seen.others.get(run_id))
            if live.knows_more(findings.get(run_id, live.findings)):
                continue  # the next look sees both: what was found here, and what a person said
            self._versions[run_id] = seen.runs[run_id].version
            if run_id in seen.hindered:
                live.waits_for, stopped = waited_for(seen.hindered[run_id])
                live.follow(stopped)
        for run_id in seen.asked_again:
            self._runner.try_now(run_id)
