"""Queue of shards that wait for a worker. The items are authoritative; the queue only orders the work.

Two implementations: in a SQLite study one worker reads the rows; on a server, jobs of procrastinate go to any number of
workers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from sqlmodel import Session

NO_SHARD = -1  # Shard of a run without pending items, which only has to be ended.
LOST_AFTER_S = 60.0  # Silence after which a server's worker counts as dead and its shards go to others.
# Returns the seconds until a shard is worth resuming; they may shrink if its blocker disappears.
Later = Callable[[], float]
# Works on (run id, shard) until no item is pending or the run is halted; repeating it is harmless. A shard that must
# wait is returned to the queue, so that it occupies no slot.
Work = Callable[[str, int], Awaitable[Later | None]]


class ShardQueue(Protocol):
    def submit(self, session: Session, run_id: str, shards: Sequence[int]) -> None:
        """Queue shards with pending items, in the transaction that created these; without shards the run only has to
        end. Postponed shards of the run become due."""
        ...

    def wake_worker(self, session: Session, run_id: str) -> None:
        """Make the postponed shards of a run due."""
        ...

    async def work(self, do: Work, *, at_once: int, stop: asyncio.Event, is_once: bool) -> None:
        """Work on `at_once` shards at a time until `stop` is set, then wait for those in progress. `is_once`: return
        when nothing is left to do."""
        ...
