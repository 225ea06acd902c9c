"""Worker that asks models. It finds runs by itself, follows what people decide about them, and can be killed.

All it needs to know is in the store; in memory it has only requests in flight, at most as many as the endpoints allow.
The next worker finds those that a killed one leaves.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session

from core.errors import StoreUnavailable
from core.runs.budget import Spending
from core.runs.states import Blocker, RunState
from runs.budget import Budget, read_budget
from runs.client_pool import Closing, client_of
from runs.endpoint.breaker import PAUSES, Pauses
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import FREE
from runs.endpoint.retrying import STANDARD, Policy
from runs.ledger import RequestLedger
from runs.queue import LOST_AFTER_S
from runs.queues import queue_of
from runs.runner import Runner, waited_for
from store.engine import Store
from store.run_blockers import read
from store.runs import replies, runs
from store.tables import new_id

WATCH_S = 0.5  # between two polls for people's decisions on the runs at work
SIGN_OF_LIFE_S = 10.0
CUT_OFF_S = 5.0  # for storing abandoned requests as uncertain
AT_ONCE = 6  # Shards at work at once: enough items that the end of one shard leaves no slot of an endpoint empty.
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """Intervals of a worker in seconds, its number of shards, and its retries."""

    sign_of_life_s: float = SIGN_OF_LIFE_S
    lost_after_s: float = LOST_AFTER_S
    at_once: int = AT_ONCE
    retries: Policy = STANDARD
    pauses: Pauses = PAUSES


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerHeartbeat:
    """Result of polling the store for the runs at work then (`lives`)."""

    lives: tuple[str, ...] = ()
    runs: dict[str, runs.OpenRun] = field(default_factory=dict)  # those that may continue
    budgets: dict[str, Budget] = field(default_factory=dict)  # of changed runs
    hindered: dict[str, tuple[Blocker, ...]] = field(default_factory=dict)  # of changed runs
    asked_again: tuple[str, ...] = ()  # runs that a person queued again
    others: dict[str, Spending] = field(default_factory=dict)  # spending of other workers
    workers: int | None = None  # None if not counted


def load_openai() -> None:
    """Import the library, in a thread, since the import would delay all requests. Loaded modules are never freed, so
    the garbage collector skips them: scanning takes a tenth of a run's processor time."""
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
        make_client: Callable[[Endpoint], Closing] = client_of,
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
        """Requests are in flight, and everything received is stored."""
        return self._runner.is_asking and not self._ledger.unwritten

    @property
    def unwritten(self) -> int:
        return self._ledger.unwritten

    async def run(self, *, is_once: bool = False, grace_s: float = 20.0) -> int:
        """Return how many entries of the ledger could not be stored (0 unless the store was lost). After `stop`,
        nothing more is sent; requests in flight have `grace_s`, the rest becomes uncertain."""
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
            # This also ends the tasks that wait for a store that cannot be written.
            unkept = await self._ledger.close(patience_s=grace_s)
            await asyncio.wait([working])
            await self._runner.close()
            await asyncio.to_thread(self._end)
        for task in (working, *ended):
            task.result()
        return unkept

    # --- signs of life, and what became of runs ------------------------------------------------------------------

    def _begin(self) -> int:
        """Register this worker; return the number of workers."""
        with self._store.writing() as session:
            replies.begin_worker(session, self.id, socket.gethostname(), os.getpid(), self._clock())
            self._mark_dead_workers(session)
            return 1 if self._store.is_sqlite else replies.live_workers(session, self._pace.lost_after_s)

    def _end(self) -> None:
        try:
            with self._store.writing() as session:
                replies.end_workers(session, [self.id], self._clock())
                replies.mark_uncertain(session, self._clock())
        except StoreUnavailable as trouble:
            log.error("The worker's end could not be kept: %s", trouble)

    def _mark_dead_workers(self, session: Session) -> None:
        """Mark the requests of dead workers as uncertain. A SQLite study has one worker, so all others are dead."""
        silence_s = None if self._store.is_sqlite else self._pace.lost_after_s
        lost = replies.lost_workers(session, self.id, silence_s)
        if lost:
            replies.end_workers(session, lost, self._clock())
        left = replies.mark_uncertain(session, self._clock())
        if left:
            log.warning("%d requests were on their way when their worker ended; they will be sent again.", left)

    async def _watch(self) -> None:
        """Poll the runs at work and show that this worker is alive."""
        while True:
            await asyncio.sleep(WATCH_S)
            if not self._runner.lives and not self._must_sign:
                continue
            findings = {run_id: live.findings for run_id, live in self._runner.lives.items()}
            try:
                seen = await asyncio.to_thread(self._look, tuple(findings))
            except StoreUnavailable as trouble:
                log.warning("Could not look at the runs: %s", trouble)
                continue
            self._follow(seen, findings)

    def _look(self, lives: tuple[str, ...]) -> WorkerHeartbeat:
        workers = self._sign() if self._must_sign else None
        if not lives:
            return WorkerHeartbeat(workers=workers)
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
            with self._store.writing() as session:
                for run_id in asked_again:
                    runs.set_state(session, run_id, RunState.RUNNING, "", self._clock(), only_from=(RunState.QUEUED,))
        return WorkerHeartbeat(
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
        """Show that this worker is alive; return the number of workers if there can be several."""
        self._signed_at = time.monotonic()
        with self._store.writing() as session:
            replies.see_worker(session, self.id, self._clock())
            if self._store.is_sqlite:
                return None
            self._mark_dead_workers(session)
            return replies.live_workers(session, self._pace.lost_after_s)

    def _follow(self, seen: WorkerHeartbeat, findings: Mapping[str, int]) -> None:
        """Apply what the store says. `findings`: of each run at work when the poll started."""
        if seen.workers is not None:
            self._runner.share(seen.workers)
        for run_id in seen.lives:
            live = self._runner.lives.get(run_id)
            if live is None:
                continue
            if run_id not in seen.runs:
                live.halt()
                continue
            live.budget.see(budget=seen.budgets.get(run_id), others=seen.others.get(run_id))
            if live.knows_more(findings.get(run_id, live.findings)):
                continue  # the next poll shows both: this worker's findings and a person's decisions
            self._versions[run_id] = seen.runs[run_id].version
            if run_id in seen.hindered:
                live.waits_for, stopped = waited_for(seen.hindered[run_id])
                live.follow(stopped)
        for run_id in seen.asked_again:
            self._runner.try_now(run_id)
