"""Which names of one graph stand for which names of another, as people decided it. No function here commits."""

from __future__ import annotations

from sqlmodel import Session, select

from store.tables import AlignmentRow


def alignment(session: Session, reference_id: str, candidate_id: str) -> AlignmentRow | None:
    """The decisions about this pair of graphs, in this direction; None if there are none yet."""
    query = select(AlignmentRow).where(
        AlignmentRow.reference_id == reference_id, AlignmentRow.candidate_id == candidate_id
    )
    return session.exec(query).first()


def keep_pairs(
    session: Session, row: AlignmentRow, pairs: dict[str, str], classes: dict[str, str] | None = None
) -> AlignmentRow:
    """Write all decisions of a pair of graphs: candidate name → reference name, or "" for a name of its own.

    `classes` are kinds of difference by candidate name; those of names that are decided no longer fall away.
    """
    row.pairs = dict(pairs)  # a new object: SQLAlchemy does not see changes inside a JSON value
    kept = row.classes or {} if classes is None else classes
    row.classes = {name: kind for name, kind in kept.items() if name in pairs}
    session.add(row)
    session.flush()
    return row
