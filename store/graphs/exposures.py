"""Exposures: who saw others' work on what, and when first. They are events whose act ends in ".look", which have an
index of their own. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from store.graphs.name_similarity import figures_like
from store.history import by_person
from store.sql_in import among
from store.tables import EventRow, GraphRow
from store.tables.study import LOOKS

ExposureKind = Literal["figure", "graph", "triplet", "collection", "level", "sample", "table", "verdict"]
"""Subjects whose others' work can be seen; the act is named after it, with ".look" appended.

`graph`: an import without a figure; `collection`: critics' scores of all its triplets, in a file; `level`: others'
labels of a figure's nodes in its text; `sample`: the graph of a row of an imported table; `table`: the graphs of all
its rows, in a file; `verdict`: judges' labels of an item, a section or a whole run.
"""


class Exposure(NamedTuple):
    """A person's first exposure to others' work: sequence number and time."""

    seq: int
    at: datetime


Known = dict[tuple[str, str], Exposure]
"""(person, subject) → their first exposure."""
_PERSON = func.coalesce(EventRow.on_behalf_of, EventRow.actor)


def was_exposed(session: Session, person_id: str, subject_id: str, kind: ExposureKind = "figure") -> bool:
    """Return True if this person has seen others' work on it, also through an owner working as them."""
    query = _select_exposures(kind, EventRow.id).where(EventRow.subject_id == subject_id, by_person(person_id))
    return session.exec(query.limit(1)).first() is not None


def looked_at(session: Session, person_id: str, kind: ExposureKind) -> set[str]:
    return set(session.exec(_select_exposures(kind, EventRow.subject_id).where(by_person(person_id))))


def figures_seen(session: Session, person_id: str) -> set[str]:
    """Return figures of which this person saw others' work: a colleague's, an attached import, or an import that
    shares names with what was drawn."""
    graphs = looked_at(session, person_id, "graph")
    like = figures_like(session, graphs) if graphs else {}
    return looked_at(session, person_id, "figure").union(*like.values())


def first_exposures(session: Session, kind: ExposureKind, subject_ids: Iterable[str] | None = None) -> Known:
    """Return (person, subject) → first exposure, of all subjects or only some."""
    query = _select_exposures(kind, _PERSON, EventRow.subject_id, EventRow.seq, EventRow.at).order_by(col(EventRow.seq))
    if subject_ids is not None:
        query = query.where(among(session, EventRow.subject_id, subject_ids))
    return _firsts(session.execute(query))


def imported_graphs(session: Session, person_ids: Iterable[str]) -> Known:
    """Return (person, graph) → when they imported a graph without a figure: they know it since then."""
    columns: Any = (GraphRow.created_by, GraphRow.id, EventRow.seq, EventRow.at)
    query = select(*columns).join(EventRow, col(EventRow.graph_id) == col(GraphRow.id))
    loose = (GraphRow.kind == "import", col(GraphRow.figure_id).is_(None), EventRow.act == "graph.import")
    by_these_people = among(session, GraphRow.created_by, person_ids)
    return _firsts(session.execute(query.where(*loose, by_these_people).order_by(col(EventRow.seq))))


HAND_INS = ("transcription.submit", "transcription.decline")


def last_submits(session: Session, assignment_ids: Iterable[str], acts: tuple[str, ...] = HAND_INS) -> dict[str, int]:
    """Return assignment → sequence number of its last submission (or refusal); others are missing."""
    query = select(EventRow.subject_id, func.max(EventRow.seq)).where(col(EventRow.act).in_(acts))
    rows = session.execute(
        query.where(among(session, EventRow.subject_id, assignment_ids)).group_by(EventRow.subject_id)
    )
    return {row[0]: row[1] for row in rows}


def _firsts(rows: Iterable[Any]) -> Known:
    known: Known = {}
    for person_id, subject_id, seq, at in rows:
        known.setdefault((person_id, subject_id), Exposure(seq, at))
    return known


def _select_exposures(kind: ExposureKind, *columns: Any) -> Any:
    chosen: Any = select(*columns)
    return chosen.where(LOOKS, EventRow.act == f"{kind}.look")
