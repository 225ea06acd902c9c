"""Graphs as the last acts left them, by the id of the act: a reading or an act that follows needs no rows again."""

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


class _Lately:
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


_lately = _Lately()


def remember_if_kept(session: Session, act_id: str, record: GraphRecord) -> None:
    """Remember what an act made of a graph, from the moment at which its transaction is committed."""
    event.listen(session, "after_commit", lambda _session: _lately.put(act_id, record), once=True)


def graph_now(session: Session, graph_id: str) -> GraphRecord:
    """The graph as it stands, without its rows where its last act is remembered."""
    return graph_after(session, graph_id, history.last_edit(session, graph_id))


def graph_after(session: Session, graph_id: str, last: tuple[str, datetime] | None) -> GraphRecord:
    """As `graph_now`, for whoever has looked up the graph's last act (`history.last_edit`)."""
    return (last and left_by(last[0])) or graphs.read_graph(session, graph_id)


def left_by(act_id: str) -> GraphRecord | None:
    """The graph as the act left it, None if that is not remembered. What it is now, if this was its last act: rows
    change with an event only, and an act's id is of no other."""
    return _lately.get(act_id)
