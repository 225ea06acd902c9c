"""People: the only table with names."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import text
from sqlmodel import Session, col, select

from core.errors import Missing
from core.person_names import meant
from store.tables import PersonRow


def person(session: Session, person_id: str) -> PersonRow:
    row = session.get(PersonRow, person_id)
    if row is None:
        raise Missing("There is no such person in this study.")
    return row


def person_named(session: Session, typed: str) -> PersonRow | None:
    """Return the person of this name, ignoring case and Unicode form (`core.person_names.meant`)."""
    everyone = session.exec(
        select(PersonRow.id, PersonRow.name).order_by(col(PersonRow.created_at), col(PersonRow.id))
    ).all()
    place = meant(typed, [name for _, name in everyone])
    # Also queried for an unknown name, so that the response time does not reveal whether it exists.
    person_id = "" if place is None else everyone[place][0]
    return session.exec(select(PersonRow).where(PersonRow.id == person_id)).first()


def hold_names(session: Session) -> list[str]:
    """Return every name, and block concurrent changes of names until the transaction ends. No index could refuse a
    similar name that arrives at the same time: similarity is computed, not stored."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.execute(text("SELECT pg_advisory_xact_lock(hashtext('person.name'))"))
    return list(session.exec(select(PersonRow.name).order_by(col(PersonRow.created_at), col(PersonRow.id))))


def all_people(session: Session) -> list[PersonRow]:
    return list(session.exec(select(PersonRow).order_by(col(PersonRow.created_at), col(PersonRow.id))))


def held_people(session: Session) -> list[PersonRow]:
    """Return everyone, read again and locked until the transaction ends, for rules that concern several people."""
    query = select(PersonRow).order_by(col(PersonRow.id)).with_for_update()
    return list(session.exec(query, execution_options={"populate_existing": True}))


def names_of(session: Session, person_ids: Iterable[str]) -> dict[str, str]:
    """Return id → name of people; other actors (worker, terminal, models) are missing."""
    query = select(PersonRow.id, PersonRow.name).where(col(PersonRow.id).in_(set(person_ids)))
    return dict(session.exec(query).all())


def owner(session: Session) -> PersonRow | None:
    return next((row for row in all_people(session) if row.is_active and "owner" in row.roles), None)
