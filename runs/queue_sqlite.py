"""Queue of a SQLite study: its rows. A file lock allows one worker at a time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from sqlmodel import Session

from core.errors import StoreUnavailable
from core.runs.states import RunState
from runs.queue import NO_SHARD, Later, Work
from store.engine import Store
from store.runs import groups, runs
from store.runs.sample_windows import has_more
from store.sqlite import lock as file_lock
from store.sqlite.file import worker_place

IDLE_S = 1.0  # between two polls for new runs: one query of an indexed column


class PlaceTaken(StoreUnavailable):
    """Another worker is running on this study."""


class RowQueue:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[str, deque[int]] = {}
        self._in_hand: dict[str, dict[int, asyncio.Task[Later | None]]] = {}
        self._later: dict[tuple[str, int], Later] = {}
        self._grows: dict[str, bool] = {}

    def submit(self, session: Session, run_id: str, shards: Sequence[int]) -> None:
        """Do nothing: the items are the queue."""

    def wake_worker(self, session: Session, run_id: str) -> None:
        """Do nothing: the worker reads the run's state, and recomputes its waits."""

    async def work(self, do: Work, *, at_once: int, stop: asyncio.Event, is_once: bool) -> None:
        while not stop.is_set():
            await asyncio.to_thread(self._look)
            self._start_shards(do, at_once)
            tasks = self._tasks()
            if tasks:
                stopping = asyncio.ensure_future(stop.wait())
                await asyncio.wait([*tasks, stopping], timeout=IDLE_S, return_when=asyncio.FIRST_COMPLETED)
                stopping.cancel()
                self._collect_ended()
            elif is_once and not any(self._waiting.values()):
                return
            else:
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), min([IDLE_S, *(later() for later in self._later.values())]))
        if tasks := self._tasks():
            await asyncio.wait(tasks)
            self._collect_ended()

    def _look(self) -> None:
        """Find the shards of runs whose known shards have all been worked on."""
        with self._store.reading() as session:
            open_runs = runs.open_runs(session)
            for run_id in [each for each in self._waiting if each not in open_runs]:
                del self._waiting[run_id]
            at_work = {run_id for run_id, run in open_runs.items() if run.state is not RunState.QUEUED}
            # A run that a person has queued again is due now, regardless of its blockers.
            self._later = {key: later for key, later in self._later.items() if key[0] in at_work}
            for run_id in open_runs:
                waiting, in_hand = self._waiting.get(run_id), self._in_hand.get(run_id, {})
                if not (waiting or in_hand) or (self._may_grow(session, run_id) and self._next(run_id) is None):
                    left = [each for each in runs.pending_shards(session, run_id) if each not in in_hand]
                    self._waiting[run_id] = deque(left or (() if in_hand else (NO_SHARD,)))

    def _may_grow(self, session: Session, run_id: str) -> bool:
        """Return whether a run may get further shards while some are in progress or postponed. Its next step may start
        before the last shard ends, and its samples may be written window by window."""
        if run_id not in self._grows:
            self._grows[run_id] = groups.has_any(session, run_id) or has_more(session, run_id)
        return self._grows[run_id]

    def _start_shards(self, do: Work, at_once: int) -> None:
        """Start the next shard of the run with the fewest in progress, so that no run waits for another's end."""
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
        """Return the first shard of a run that is due."""
        for shard in self._waiting.get(run_id, ()):
            later = self._later.get((run_id, shard))
            if later is None or later() <= 0:
                return shard
        return None

    def _tasks(self) -> list[asyncio.Task[Later | None]]:
        return [task for tasks in self._in_hand.values() for task in tasks.values()]

    def _collect_ended(self) -> None:
        """Forget finished tasks and queue their postponed shards. Raises what a task raised."""
        for run_id, tasks in self._in_hand.items():
            for shard in [shard for shard, task in tasks.items() if task.done()]:
                later = tasks.pop(shard).result()
                if later is not None:
                    self._later[run_id, shard] = later
                    self._waiting.setdefault(run_id, deque()).append(shard)


@contextmanager
def only_worker(store: Store) -> Iterator[None]:
    """Lock a SQLite study for its one worker; the operating system frees the lock when the process ends for any reason.
    Raises PlaceTaken if another process has it."""
    assert store.path is not None
    place = file_lock.take(worker_place(store.path))
    if place is None:
        raise PlaceTaken(f"Another worker is already running on {store.path}; a study in one file can have only one.")
    try:
        yield
    finally:
        place.release()
