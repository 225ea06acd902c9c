"""Cache of graphs by the id of the act that last changed them, so the next act or reading loads no rows."""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime

from sqlalchemy import event
from sqlmodel import Session

from core.graphs.record import GraphRecord
from store import history
from store.graphs import graphs

REMEMBERED = 32


class _GraphCache:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left: OrderedDict[str, GraphRecord] = OrderedDict()

    def get(self, act_id: str) -> GraphRecord | None:
        with self._lock:
            return self._left.get(act_id)

    def put(self, act_id: str, record: GraphRecord) -> None:
        with self._lock:
            self._left[act_id] = record
            while len(self._left) > REMEMBERED:
                self._left.popitem(last=False)


_cache = _GraphCache()


def cache_on_commit(session: Session, act_id: str, record: GraphRecord) -> None:
    """Cache an act's graph once its transaction is committed."""
    event.listen(session, "after_commit", lambda _session: _cache.put(act_id, record), once=True)


def graph_now(session: Session, graph_id: str) -> GraphRecord:
    """Return the current graph, from the cache if its last act is cached."""
    return graph_after(session, graph_id, history.last_edit(session, graph_id))


def graph_after(session: Session, graph_id: str, last: tuple[str, datetime] | None) -> GraphRecord:
    """Return the current graph, given its last act (`history.last_edit`)."""
    return (last and left_by(last[0])) or graphs.read_graph(session, graph_id)


def left_by(act_id: str) -> GraphRecord | None:
    """Return the graph as the act left it, None if it is not cached.

    It is the current graph if this was its last act: rows change only with an event, and act ids are unique.
    """
    return _cache.get(act_id)
