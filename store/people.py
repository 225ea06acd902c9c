"""People in the store: the only table that knows names."""

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
    """Whose name this is, in any case and form of Unicode (`core.person_names.meant`)."""
    everyone = session.exec(
        select(PersonRow.id, PersonRow.name).order_by(col(PersonRow.created_at), col(PersonRow.id))
    ).all()
    found = meant(typed, [name for _, name in everyone])
    # Asked for a name that means nobody too, so that the time taken does not tell.
    person_id = "" if found is None else everyone[found][0]
    return session.exec(select(PersonRow).where(PersonRow.id == person_id)).first()


def hold_names(session: Session) -> list[str]:
    """Every name in the study; until the transaction ends, nobody else's gives or changes one.

    Which names look alike is reckoned, not stored: no index could refuse the later of two that come in at once.
    """
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.execute(text("SELECT pg_advisory_xact_lock(hashtext('person.name'))"))
    return list(session.exec(select(PersonRow.name).order_by(col(PersonRow.created_at), col(PersonRow.id))))


def all_people(session: Session) -> list[PersonRow]:
    return list(session.exec(select(PersonRow).order_by(col(PersonRow.created_at), col(PersonRow.id))))


def held_people(session: Session) -> list[PersonRow]:
    """Everyone, read anew and held until the transaction ends: for rules about people together."""
    query = select(PersonRow).order_by(col(PersonRow.id)).with_for_update()
    return list(session.exec(query, execution_options={"populate_existing": True}))


def names_of(session: Session, person_ids: Iterable[str]) -> dict[str, str]:
    """Names for ids of people; other actors (worker, terminal, models) are not in the result."""
    query = select(PersonRow.id, PersonRow.name).where(col(PersonRow.id).in_(set(person_ids)))
    return dict(session.exec(query).all())


def owner(session: Session) -> PersonRow | None:
    """The first active owner."""
    return next((row for row in all_people(session) if row.is_active and "owner" in row.roles), None)
