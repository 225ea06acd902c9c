"""Who saw others' work on what, and when first: the events that end in ".look", asked by the index that holds them
alone. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from store.graphs.likeness import figures_like
from store.history import by_person
from store.many import among
from store.tables import EventRow, GraphRow
from store.tables.study import LOOKS

Looked = Literal["figure", "graph", "triplet", "collection", "level", "sample", "table", "verdict"]
"""What others' work can be seen of. `graph`: an imported one that is attached to no figure; `collection`: critics'
scores of all its triplets, in a file; `level`: how others labelled the nodes of a figure in its text; `sample`: the
graph of a row of an imported table; `table`: those of all its rows, in a file; `verdict`: what judges said of an item
of an answer, of a section of it, or in a whole run. The act is called so, with ".look" behind it."""


class Look(NamedTuple):
    """Somebody's first look at others' work: its place in the history, and when."""

    seq: int
    at: datetime


Known = dict[tuple[str, str], Look]
"""(person, what they looked at) → their first look."""
_PERSON = func.coalesce(EventRow.on_behalf_of, EventRow.actor)


def has_looked(session: Session, person_id: str, subject_id: str, kind: Looked = "figure") -> bool:
    """Whether this person has seen others' work on it, also while an owner worked as them."""
    query = _looks(kind, EventRow.id).where(EventRow.subject_id == subject_id, by_person(person_id))
    return session.exec(query.limit(1)).first() is not None


def looked_at(session: Session, person_id: str, kind: Looked) -> set[str]:
    """The subjects of this kind of which this person has seen others' work."""
    return set(session.exec(_looks(kind, EventRow.subject_id).where(by_person(person_id))))


def figures_seen(session: Session, person_id: str) -> set[str]:
    """Figures of which this person has seen others' work: a colleague's, an import that is attached to it, or one that
    has the names of what was drawn of it by now."""
    graphs = looked_at(session, person_id, "graph")
    like = figures_like(session, graphs) if graphs else {}
    return looked_at(session, person_id, "figure").union(*like.values())


def first_looks(session: Session, kind: Looked, subject_ids: Iterable[str] | None = None) -> Known:
    """(person, subject) → their first look; of `subject_ids` only, if given."""
    query = _looks(kind, _PERSON, EventRow.subject_id, EventRow.seq, EventRow.at).order_by(col(EventRow.seq))
    if subject_ids is not None:
        query = query.where(among(session, EventRow.subject_id, subject_ids))
    return _firsts(session.execute(query))


def brought_in(session: Session, person_ids: Iterable[str]) -> Known:
    """(person, graph) → when they brought in an import that is attached to no figure: they know it since."""
    columns: Any = (GraphRow.created_by, GraphRow.id, EventRow.seq, EventRow.at)
    query = select(*columns).join(EventRow, col(EventRow.graph_id) == col(GraphRow.id))
    loose = (GraphRow.kind == "import", col(GraphRow.figure_id).is_(None), EventRow.act == "graph.import")
    theirs = among(session, GraphRow.created_by, person_ids)
    return _firsts(session.execute(query.where(*loose, theirs).order_by(col(EventRow.seq))))


HAND_INS = ("transcription.submit", "transcription.decline")


def last_submits(session: Session, assignment_ids: Iterable[str], acts: tuple[str, ...] = HAND_INS) -> dict[str, int]:
    """Assignment → the place in the history of the last time it was submitted (or declined); others are missing."""
    query = select(EventRow.subject_id, func.max(EventRow.seq)).where(col(EventRow.act).in_(acts))
    rows = session.execute(
        query.where(among(session, EventRow.subject_id, assignment_ids)).group_by(EventRow.subject_id)
    )
    return {row[0]: row[1] for row in rows}


def _firsts(rows: Iterable[Any]) -> Known:
    found: Known = {}
    for person_id, subject_id, seq, at in rows:
        found.setdefault((person_id, subject_id), Look(seq, at))
    return found


def _looks(kind: Looked, *columns: Any) -> Any:
    chosen: Any = select(*columns)
    return chosen.where(LOOKS, EventRow.act == f"{kind}.look")
