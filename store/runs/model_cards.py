"""Endpoints and model cards. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session, col, select

from core.errors import Missing
from core.words import quoted
from store.tables.runs import EndpointRow, ModelCardRow


def endpoint(session: Session, name: str) -> EndpointRow:
    row = session.get(EndpointRow, name)
    if row is None:
        raise Missing(f"There is no endpoint called {quoted(name)} in this study.")
    return row


def find_endpoint(session: Session, name: str) -> EndpointRow | None:
    return session.get(EndpointRow, name)


def endpoints(session: Session) -> list[EndpointRow]:
    """Return all endpoints, archived ones included, by name."""
    return list(session.exec(select(EndpointRow).order_by(col(EndpointRow.name))))


def keep_endpoint(session: Session, row: EndpointRow) -> EndpointRow:
    session.add(row)
    session.flush()
    return row


def card(session: Session, card_id: str) -> ModelCardRow:
    row = session.get(ModelCardRow, card_id)
    if row is None:
        raise Missing("There is no such model card in this study.")
    return row


def card_named(session: Session, name: str) -> ModelCardRow | None:
    return session.exec(select(ModelCardRow).where(ModelCardRow.name == name)).first()


def cards(session: Session, names: Iterable[str] | None = None) -> list[ModelCardRow]:
    """Return all cards, or those of these names, archived ones included, by name."""
    query = select(ModelCardRow).order_by(col(ModelCardRow.name))
    if names is not None:
        query = query.where(col(ModelCardRow.name).in_(list(names)))
    return list(session.exec(query))


def keep_card(session: Session, row: ModelCardRow) -> ModelCardRow:
    session.add(row)
    session.flush()
    return row
