"""A graph row to write to, and a way to write changes with their event."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.graphs.record import Change, GraphRecord
from services.study import Study
from store import history
from store.graphs import graphs
from store.tables import GraphRow, new_id


@pytest.fixture
def graph_id(study: Study) -> str:
    """An empty graph of kind import, at version 1."""
    row = GraphRow(kind="import", created_by="terminal", created_at=study.clock())
    with study.store.writing() as session:
        session.add(row)
    return row.id


@pytest.fixture
def write(study: Study, graph_id: str) -> Callable[..., int]:
    """`write(changes, seen=None)` applies changes with one event and returns the event's place."""

    def apply(changes: tuple[Change, ...], seen: int | None = None) -> int:
        with study.store.writing() as session:
            row = graphs.graph_row(session, graph_id, for_update=True)
            state: GraphRecord = graphs.read_graph(session, graph_id)
            graphs.apply_changes(session, row, state, changes, row.version if seen is None else seen)
            event = history.record(
                session,
                history.Actor("terminal"),
                "graph.edit",
                at=study.clock(),
                act_id=new_id(),
                subject_kind="graph",
                subject_id=graph_id,
                graph_id=graph_id,
                payload={"changes": [change.as_json() for change in changes]},
            )
            assert event.seq is not None
            return event.seq

    return apply
