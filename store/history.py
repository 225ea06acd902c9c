"""The append-only history: one event per act, written in the act's own transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, update
from sqlmodel import Session, col, select

from core.graphs.record import Change, EdgeRecord, GraphRecord
from store.tables import EventRow, GraphRow


@dataclass(frozen=True, slots=True)
class Actor:
    """The actor: a person's random id, `worker`, `terminal` or `model:<name>`; never a name."""

    id: str
    on_behalf_of: str | None = None  # the person as whom an owner works


def record(
    session: Session,
    actor: Actor,
    act: str,
    *,
    at: datetime,
    act_id: str,
    subject_kind: str,
    subject_id: str,
    graph_id: str | None = None,
    undoes: int | None = None,
    payload: dict[str, Any] | None = None,
) -> EventRow:
    """Append one event at the next sequence number. Raises sqlalchemy's IntegrityError if an event with `act_id`
    exists; services look it up first."""
    event = EventRow(
        id=act_id,
        at=at,
        actor=actor.id,
        on_behalf_of=actor.on_behalf_of,
        act=act,
        subject_kind=subject_kind,
        subject_id=subject_id,
        graph_id=graph_id,
        undoes=undoes,
        payload=payload or {},
    )
    session.add(event)
    session.flush()
    if graph_id is not None and act in _DEPTHS:  # depths are stored, so that screens need not fold the history
        session.connection().execute(_DEPTHS[act], {"graph_id": graph_id})
    return event


_OF_AN_ACT = select(EventRow).where(EventRow.id == bindparam("act_id"))  # every act runs it first


def event_of(session: Session, act_id: str) -> EventRow | None:
    return session.exec(_OF_AN_ACT, params={"act_id": act_id}).first()


def last_events(session: Session, limit: int, acts: Sequence[str] = ()) -> list[EventRow]:
    query = select(EventRow).order_by(col(EventRow.seq).desc()).limit(limit)
    return list(session.exec(query.where(col(EventRow.act).in_(acts)) if acts else query))


def events_about(session: Session, subject_id: str) -> list[EventRow]:
    return list(session.exec(select(EventRow).where(EventRow.subject_id == subject_id).order_by(col(EventRow.seq))))


def by_person(person_id: str) -> ColumnElement[bool]:
    """Condition: events by this person, or by an owner working as them."""
    own = and_(col(EventRow.actor) == person_id, col(EventRow.on_behalf_of).is_(None))
    return or_(own, col(EventRow.on_behalf_of) == person_id)


def graph_events(session: Session, graph_id: str, until: int | None = None) -> list[EventRow]:
    query = select(EventRow).where(EventRow.graph_id == graph_id).order_by(col(EventRow.seq))
    return list(session.exec(query if until is None else query.where(col(EventRow.seq) <= until)))


def changes_of(event: EventRow) -> tuple[Change, ...]:
    return tuple(Change.from_json(change) for change in event.payload.get("changes", ()))


def rebuild(session: Session, graph_id: str, until: int | None = None) -> GraphRecord:
    """Return the graph after event `until` (default: now), folded from its history alone."""
    state = GraphRecord()
    for event in graph_events(session, graph_id, until):
        state = state.apply(changes_of(event))
    return state


def edges_made(session: Session, graph_id: str, until: int | None = None) -> dict[str, str]:
    """Return id → origin of every edge ever drawn in this graph until event `until`, deleted ones included."""
    changes = (change for event in graph_events(session, graph_id, until) for change in changes_of(event))
    created = [change.after for change in changes if change.before is None and isinstance(change.after, EdgeRecord)]
    return {edge.id: edge.origin for edge in created}


EDIT_ACTS = ("graph.edit", "graph.undo", "graph.redo")
RULING_ACTS = ("adjudication.rule", "adjudication.undo", "adjudication.redo")
EDITED, UNDONE, REDONE = zip(EDIT_ACTS, RULING_ACTS, strict=True)
_GRAPHS: Any = GraphRow.__table__  # type: ignore[attr-defined]
_UNDO, _REDO = _GRAPHS.c.undo_depth, _GRAPHS.c.redo_depth
_OF_GRAPH = update(_GRAPHS).where(_GRAPHS.c.id == bindparam("graph_id"))
_DEPTHS = {
    **dict.fromkeys(EDITED, _OF_GRAPH.values(undo_depth=_UNDO + 1, redo_depth=0)),
    **dict.fromkeys(UNDONE, _OF_GRAPH.where(_UNDO > 0).values(undo_depth=_UNDO - 1, redo_depth=_REDO + 1)),
    **dict.fromkeys(REDONE, _OF_GRAPH.where(_REDO > 0).values(undo_depth=_UNDO + 1, redo_depth=_REDO - 1)),
}


def undo_stacks(session: Session, graph_id: str, acts: tuple[str, str, str] = EDIT_ACTS) -> tuple[list[int], list[int]]:
    """Return the sequence numbers of edits that can be undone and redone, the next one last. `acts`: the act names
    of edit, undo and redo. An undo event names the edit that it undoes; a redo event names the undo. A new edit
    clears the redo stack."""
    edit, undone, redone = acts
    rows = session.exec(
        select(EventRow.seq, EventRow.act)
        .where(EventRow.graph_id == graph_id, col(EventRow.act).in_(acts))
        .order_by(col(EventRow.seq))
    )
    undo: list[int] = []
    redo: list[int] = []
    for seq, act in rows:
        assert seq is not None
        if act == undone and undo:
            redo.append(undo.pop())
        elif act == redone and redo:
            undo.append(redo.pop())
        elif act == edit:
            undo.append(seq)
            redo.clear()
    return undo, redo


def event_at(session: Session, seq: int) -> EventRow:
    event = session.get(EventRow, seq)
    assert event is not None, "the history is append-only, so an event that was seen is still there"
    return event


def changes_at(session: Session, seq: int) -> tuple[Change, ...]:
    return changes_of(event_at(session, seq))


_LAST_EDIT = (
    select(EventRow.id, EventRow.at)
    .where(EventRow.graph_id == bindparam("graph_id"))
    .order_by(col(EventRow.seq).desc())
    .limit(1)
)


def last_acts(session: Session) -> dict[str, datetime]:
    """Return the time of each actor's last act of their own; signing in and out is none."""
    query = (
        select(EventRow.actor, func.max(EventRow.at))
        .where(col(EventRow.subject_kind) != "session", col(EventRow.on_behalf_of).is_(None))
        .group_by(col(EventRow.actor))
    )
    return dict(session.exec(query).all())


def last_edit(session: Session, graph_id: str) -> tuple[str, datetime] | None:
    """Return the id and time of the last act on a graph."""
    row = session.exec(_LAST_EDIT, params={"graph_id": graph_id}).first()
    return None if row is None else (row[0], row[1])


def last_edit_at(session: Session, graph_id: str) -> datetime | None:
    edit = last_edit(session, graph_id)
    return None if edit is None else edit[1]
