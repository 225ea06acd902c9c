"""Which shards wait for a worker. The truth is in the items; a queue only says who works on what next.

Two implementations: in a SQLite study one worker looks at the rows; on a server, jobs of procrastinate are handed to
any number of workers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from sqlmodel import Session

NO_SHARD = -1
"""Of a run without a pending item, which only has to be ended."""
LOST_AFTER_S = 60.0
"""Silence after which a server's worker is taken for dead, and its shards are given to others."""
Later = Callable[[], float]
"""Seconds until it is worth taking a shard up again, at any moment: what it waits for may come back sooner."""
Work = Callable[[str, int], Awaitable[Later | None]]
"""Works on (run id, shard) until no item of it is pending or its run is halted; repeating it is harmless. What cannot
be asked now is given back, so that it takes no place from others."""


class ShardQueue(Protocol):
    def submit(self, session: Session, run_id: str, shards: Sequence[int]) -> None:
        """Say that shards have pending items, in the transaction that made them so; none: the run only has to end.
        Shards of the run that were given back for later are wanted now."""
        ...

    def hasten(self, session: Session, run_id: str) -> None:
        """Shards of a run that were given back for later are wanted now."""
        ...

    async def work(self, do: Work, *, at_once: int, stop: asyncio.Event, is_once: bool) -> None:
        """Hand out shards, `at_once` at a time, until `stop` is set; then wait for those in hand. `is_once`: return
        when nothing is left to do."""
        ...
