"""Frozen question sets. No function here commits."""

from __future__ import annotations

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.errors import Missing
from store.tables import QuestionSetRow


def sets(session: Session) -> list[QuestionSetRow]:
    return list(session.exec(select(QuestionSetRow).order_by(col(QuestionSetRow.number).desc())))


def find_set(session: Session, sha256: str) -> QuestionSetRow | None:
    return session.get(QuestionSetRow, sha256)


def question_set(session: Session, number: int) -> QuestionSetRow:
    row = session.exec(select(QuestionSetRow).where(QuestionSetRow.number == number)).first()
    if row is None:
        raise Missing(f"There is no question set {number} in this study.")
    return row


def next_number(session: Session) -> int:
    """Return the number for the next set. If two are frozen at once on a server, the second insert fails."""
    return (session.exec(select(func.max(QuestionSetRow.number))).one() or 0) + 1


def insert(session: Session, row: QuestionSetRow) -> None:
    session.add(row)
    session.flush()
