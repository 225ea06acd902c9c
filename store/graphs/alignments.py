"""People's decisions about which names of two graphs are equal. No function here commits."""

from __future__ import annotations

from sqlmodel import Session, select

from store.tables import AlignmentRow


def alignment(session: Session, reference_id: str, candidate_id: str) -> AlignmentRow | None:
    """Return the decisions about this pair of graphs, in this direction, or None."""
    query = select(AlignmentRow).where(
        AlignmentRow.reference_id == reference_id, AlignmentRow.candidate_id == candidate_id
    )
    return session.exec(query).first()


def keep_pairs(
    session: Session, row: AlignmentRow, pairs: dict[str, str], classes: dict[str, str] | None = None
) -> AlignmentRow:
    """Store all decisions of a pair of graphs: candidate name → reference name, or "" for a name without an equal.
    `classes` are kinds of difference by candidate name; those of names without a decision are dropped."""
    row.pairs = dict(pairs)  # a new object: SQLAlchemy does not see changes inside a JSON value
    stored = row.classes or {} if classes is None else classes
    row.classes = {name: kind for name, kind in stored.items() if name in pairs}
    session.add(row)
    session.flush()
    return row
