"""Submitted copies: transcriptions as they were submitted, next to the graphs that changed afterwards. They never
change. They show what an annotator drew before seeing the figure's reading. A transcription without a copy is its
own. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import and_, text
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from core.graphs.record import GraphRecord, NodeRecord
from core.transcription.marks import MarkChange, Marks
from core.transcription.submitted_copy import copied
from store.graphs.graphs import AT_ONCE, insert_graph
from store.graphs.marks import write_marks
from store.history import changes_of, graph_events
from store.tables import AssignmentRow, GraphRow, new_id
from store.tables.graphs import IS_FIRST

FIRST = aliased(GraphRow, name="first_graph")
# The SQL text of the index over submitted copies. SQLAlchemy would write `is_first = 1`, for which SQLite scans the
# table.
OF_WORK = and_(col(FIRST.based_on) == col(AssignmentRow.graph_id), text("first_graph.is_first"))
"""Joins the submitted copy of an assignment's graph, if it has one."""


def firsts_of(session: Session, graph_ids: Iterable[str]) -> dict[str, str]:
    """Return graph → its submitted copy, for graphs that have one."""
    ids, copies = list(dict.fromkeys(graph_ids)), dict[str, str]()
    for start in range(0, len(ids), AT_ONCE):
        query = select(GraphRow.based_on, GraphRow.id).where(
            IS_FIRST, col(GraphRow.based_on).in_(ids[start : start + AT_ONCE])
        )
        copies.update((graph_id, first_id) for graph_id, first_id in session.exec(query) if graph_id is not None)
    return copies


def went_on_as(session: Session, graph_ids: Iterable[str]) -> dict[str, str]:
    """Return submitted copy → the graph it was copied from."""
    query = select(GraphRow.id, GraphRow.based_on).where(col(GraphRow.is_first), col(GraphRow.id).in_(list(graph_ids)))
    return {first_id: graph_id for first_id, graph_id in session.exec(query) if graph_id is not None}


def keep_first(
    session: Session, graph: GraphRow, record: GraphRecord, marks: Marks, by: str, at: datetime
) -> tuple[GraphRow, dict[str, Any]]:
    """Copy a graph and its marks; return the copy's row and the payload of its one event. Raises sqlalchemy's
    IntegrityError if it has a copy already."""
    first = GraphRow(
        kind=graph.kind,
        title=graph.title,
        figure_id=graph.figure_id,
        paper_id=graph.paper_id,
        based_on=graph.id,
        is_first=True,
        created_by=graph.created_by,
        created_at=at,
    )
    copy, copied_marks = copied(record, marks, new_id)
    changes = insert_graph(session, first, copy)
    mark_changes = tuple(MarkChange(kind, key, None, value) for (kind, key), value in copied_marks.values.items())
    write_marks(session, first.id, mark_changes, by, at)
    return first, {
        "changes": changes,
        **({"marks": [change.as_json() for change in mark_changes]} if mark_changes else {}),
    }


def names_then(session: Session, graph_id: str) -> dict[str, str]:
    """Return current name → name at submission of renamed nodes; empty without a submitted copy."""
    first_id = firsts_of(session, [graph_id]).get(graph_id)
    if first_id is None:
        return {}
    since = graph_events(session, first_id)[0].seq or 0
    then: dict[str, str | None] = {}
    now: dict[str, str | None] = {}
    for event in graph_events(session, graph_id):
        if (event.seq or 0) < since:
            continue
        for change in changes_of(event):
            if isinstance(change.element, NodeRecord):
                before, after = change.before, change.after
                then.setdefault(change.element.id, before.name if isinstance(before, NodeRecord) else None)
                now[change.element.id] = after.name if isinstance(after, NodeRecord) else None
    pairs = ((now[key], name) for key, name in then.items())
    return {
        name_now: name_before
        for name_now, name_before in pairs
        if name_now is not None and name_before is not None and name_now != name_before
    }
