"""The queue of a store."""

from __future__ import annotations

from runs.queue import LOST_AFTER_S, ShardQueue
from store.engine import Store


def queue_of(store: Store, *, lost_after_s: float = LOST_AFTER_S) -> ShardQueue:
    if store.is_sqlite:
        from runs.queue_sqlite import RowQueue

        return RowQueue(store)
    from runs.queue_postgres import JobQueue

    return JobQueue(store, lost_after_s)
