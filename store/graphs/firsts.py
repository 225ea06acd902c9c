"""First states of transcriptions: copies as they were submitted, beside the graphs that went on. They never change.

Whoever asks what an annotator drew without having seen the figure's reading asks for these; a transcription without one
is its own. No function here commits.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import and_, text
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from core.graphs.record import GraphRecord, NodeRecord
from core.transcription.first_state import copied
from core.transcription.marks import MarkChange, Marks
from store.graphs.graphs import AT_ONCE, insert_graph
from store.graphs.marks import write_marks
from store.history import changes_of, graph_events
from store.tables import AssignmentRow, GraphRow, new_id
from store.tables.graphs import IS_FIRST

FIRST = aliased(GraphRow, name="first_graph")
# In the words of the index over first states: `is_first = 1`, as SQLAlchemy has it for SQLite, is to SQLite another
# condition, and all graphs are looked through for each.
OF_WORK = and_(col(FIRST.based_on) == col(AssignmentRow.graph_id), text("first_graph.is_first"))
"""Joins the first state of an assignment's graph, if it has one."""


def firsts_of(session: Session, graph_ids: Iterable[str]) -> dict[str, str]:
    """Graph → its first state, for those that have one."""
    ids, found = list(dict.fromkeys(graph_ids)), dict[str, str]()
    for start in range(0, len(ids), AT_ONCE):
        query = select(GraphRow.based_on, GraphRow.id).where(
            IS_FIRST, col(GraphRow.based_on).in_(ids[start : start + AT_ONCE])
        )
        found.update((graph_id, first_id) for graph_id, first_id in session.exec(query) if graph_id is not None)
    return found


def went_on_as(session: Session, graph_ids: Iterable[str]) -> dict[str, str]:
    """First state → the graph that it is of, for those of these graphs that are first states."""
    query = select(GraphRow.id, GraphRow.based_on).where(col(GraphRow.is_first), col(GraphRow.id).in_(list(graph_ids)))
    return {first_id: graph_id for first_id, graph_id in session.exec(query) if graph_id is not None}


def keep_first(
    session: Session, graph: GraphRow, record: GraphRecord, marks: Marks, by: str, at: datetime
) -> tuple[GraphRow, dict[str, Any]]:
    """Copy a graph and its marks as they stand; also what the copy's one event must carry.

    Raises sqlalchemy's IntegrityError if it has a first state already.
    """
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
    copy, kept = copied(record, marks, new_id)
    changes = insert_graph(session, first, copy)
    made = tuple(MarkChange(kind, key, None, value) for (kind, key), value in kept.values.items())
    write_marks(session, first.id, made, by, at)
    return first, {"changes": changes, **({"marks": [change.as_json() for change in made]} if made else {})}


def names_then(session: Session, graph_id: str) -> dict[str, str]:
    """Name of a node now → what it was called when the graph's first state was kept, for those that were renamed since;
    nothing for a graph without a first state."""
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
    return {here: there for here, there in pairs if here is not None and there is not None and here != there}
