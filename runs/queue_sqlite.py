"""The queue of a SQLite study: its rows. One worker at a time, which the operating system sees to."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlmodel import Session

from core.errors import StoreTrouble
from core.runs.states import RunState
from runs.queue import NO_SHARD, Later, Work
from store.engine import Store
from store.runs import groups, runs
from store.runs.ahead import has_more
from store.sqlite import lock as file_lock
from store.sqlite.file import worker_place

IDLE_S = 1.0
"""Between two looks for new runs: one query of an indexed column."""


class PlaceTaken(StoreTrouble):
    """Another worker is at work on this study."""


class RowQueue:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[str, deque[int]] = {}
        self._in_hand: dict[str, dict[int, asyncio.Task[Later | None]]] = {}
        self._later: dict[tuple[str, int], Later] = {}
        self._grows: dict[str, bool] = {}

    def submit(self, session: Session, run_id: str, shards: Sequence[int]) -> None:
        """Nothing to write: the items say it."""

    def hasten(self, session: Session, run_id: str) -> None:
        """Nothing to write: the run's state says it, and the worker asks itself how long to wait."""

    async def work(self, do: Work, *, at_once: int, stop: asyncio.Event, is_once: bool) -> None:
        while not stop.is_set():
            await asyncio.to_thread(self._look)
            self._hand_out(do, at_once)
            tasks = self._tasks()
            if tasks:
                stopping = asyncio.ensure_future(stop.wait())
                await asyncio.wait([*tasks, stopping], timeout=IDLE_S, return_when=asyncio.FIRST_COMPLETED)
                stopping.cancel()
                self._put_away()
            elif is_once and not any(self._waiting.values()):
                return
            else:
                await _either(stop, min([IDLE_S, *(later() for later in self._later.values())]))
        if tasks := self._tasks():
            await asyncio.wait(tasks)
            self._put_away()

    def _look(self) -> None:
        """Note the shards of runs whose known ones have all been worked on."""
        with self._store.reading() as session:
            open_runs = runs.open_runs(session)
            for run_id in [each for each in self._waiting if each not in open_runs]:
                del self._waiting[run_id]
            at_work = {run_id for run_id, run in open_runs.items() if run.state is not RunState.QUEUED}
            # A run that a person has queued again is wanted now, whatever it waited for.
            self._later = {key: later for key, later in self._later.items() if key[0] in at_work}
            for run_id in open_runs:
                waiting, in_hand = self._waiting.get(run_id), self._in_hand.get(run_id, {})
                if not (waiting or in_hand) or (self._may_grow(session, run_id) and self._next(run_id) is None):
                    left = [each for each in runs.pending_shards(session, run_id) if each not in in_hand]
                    self._waiting[run_id] = deque(left or (() if in_hand else (NO_SHARD,)))

    def _may_grow(self, session: Session, run_id: str) -> bool:
        """Whether a run may have further shards while some are in hand or put off: its next step has, before its last
        one ends, and so have samples that are written as it goes on."""
        if run_id not in self._grows:
            self._grows[run_id] = groups.has_any(session, run_id) or has_more(session, run_id)
        return self._grows[run_id]

    def _hand_out(self, do: Work, at_once: int) -> None:
        """Take the next shard of the run that has fewest in hand, so that no run waits for another's end."""
        while len(self._tasks()) < at_once:
            ready = {run_id: shard for run_id in self._waiting if (shard := self._next(run_id)) is not None}
            if not ready:
                return
            run_id = min(ready, key=lambda each: len(self._in_hand.get(each, ())))
            shard = ready[run_id]
            self._waiting[run_id].remove(shard)
            self._later.pop((run_id, shard), None)
            self._in_hand.setdefault(run_id, {})[shard] = asyncio.ensure_future(do(run_id, shard))

    def _next(self, run_id: str) -> int | None:
        """The first of a run's shards that nothing is to be waited for."""
        later = self._later
        return next((each for each in self._waiting.get(run_id, ()) if not later or self._is_due((run_id, each))), None)

    def _is_due(self, key: tuple[str, int]) -> bool:
        later = self._later.get(key)
        return later is None or later() <= 0

    def _tasks(self) -> list[asyncio.Task[Later | None]]:
        return [task for tasks in self._in_hand.values() for task in tasks.values()]

    def _put_away(self) -> None:
        """Forget what has ended, and keep what is to be taken up later. Raises what a task raised."""
        for run_id, tasks in self._in_hand.items():
            for shard in [shard for shard, task in tasks.items() if task.done()]:
                later = tasks.pop(shard).result()
                if later is not None:
                    self._later[run_id, shard] = later
                    self._waiting.setdefault(run_id, deque()).append(shard)


async def _either(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


@contextmanager
def only_worker(store: Store) -> Iterator[None]:
    """Hold a SQLite study's place of its one worker; the operating system frees it when the process ends, however.

    Raises PlaceTaken if another process holds it.
    """
    assert store.path is not None
    place = file_lock.take(worker_place(store.path))
    if place is None:
        raise PlaceTaken(f"Another worker is already running on {store.path}; a study in one file can have only one.")
    try:
        yield
    finally:
        place.release()
