"""Annotators' marks on graphs, written in the transaction of the act that sets them. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from types import MappingProxyType

from sqlalchemy import bindparam, delete
from sqlmodel import Session, col, select

from core.transcription.marks import MarkChange, MarkKind, Marks, Value
from store.graphs.graphs import AT_ONCE
from store.history import graph_events
from store.tables import EventRow, MarkRow

_OF_GRAPHS = (
    select(MarkRow)
    .where(col(MarkRow.graph_id).in_(bindparam("graph_ids", expanding=True)))
    .order_by(col(MarkRow.set_at), col(MarkRow.key))
)


def read_marks(session: Session, graph_id: str) -> Marks:
    return read_all_marks(session, [graph_id])[graph_id]


def read_all_marks(session: Session, graph_ids: Iterable[str]) -> dict[str, Marks]:
    """Return the marks of many graphs, with one query per 500."""
    ids = list(dict.fromkeys(graph_ids))
    values: dict[str, dict[tuple[MarkKind, str], Value]] = {graph_id: {} for graph_id in ids}
    for start in range(0, len(ids), AT_ONCE):
        for row in session.exec(_OF_GRAPHS, params={"graph_ids": ids[start : start + AT_ONCE]}):
            values[row.graph_id][row.kind, row.key] = row.value  # type: ignore[index]  # a CHECK holds the kinds
    return {graph_id: Marks(MappingProxyType(graph_marks)) for graph_id, graph_marks in values.items()}


def write_marks(session: Session, graph_id: str, changes: Iterable[MarkChange], by: str, at: datetime) -> None:
    """Write changes that were validated against the marks read in this transaction, under the graph's row lock."""
    for change in changes:
        where = (col(MarkRow.graph_id) == graph_id, col(MarkRow.kind) == change.kind, col(MarkRow.key) == change.key)
        session.execute(delete(MarkRow).where(*where))
        if change.after is not None:
            row = MarkRow(
                graph_id=graph_id, kind=change.kind, key=change.key, value=dict(change.after), set_by=by, set_at=at
            )
            session.add(row)
            session.flush()


def mark_changes_at(session: Session, seq: int) -> tuple[MarkChange, ...]:
    event = session.get(EventRow, seq)
    assert event is not None, "the history is append-only, so an event that was seen is still there"
    return mark_changes_of(event)


def mark_changes_of(event: EventRow) -> tuple[MarkChange, ...]:
    return tuple(MarkChange.from_json(change) for change in event.payload.get("marks", ()))


def rebuild_marks(session: Session, graph_id: str) -> Marks:
    """Return the marks folded from the graph's history alone."""
    marks = Marks()
    for event in graph_events(session, graph_id):
        marks = marks.apply(mark_changes_of(event))
    return marks
