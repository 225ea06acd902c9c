"""Versioned documents, drafts and derived artefacts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from store.tables import DerivedRow, DocumentVersionRow, DraftRow


def versions(session: Session, kind: str, name: str) -> list[DocumentVersionRow]:
    """All versions of one document, newest first."""
    query = select(DocumentVersionRow).where(DocumentVersionRow.kind == kind, DocumentVersionRow.name == name)
    return list(session.exec(query.order_by(col(DocumentVersionRow.number).desc())))


def draft(session: Session, person_id: str, key: str) -> DraftRow | None:
    return session.get(DraftRow, (person_id, key))


def keep_draft(session: Session, person_id: str, key: str, text: str, now: datetime) -> None:
    """Keep typed text under a key; empty text removes the draft."""
    row = session.get(DraftRow, (person_id, key))
    if not text:
        if row is not None:
            session.delete(row)
        return
    row = row or DraftRow(person_id=person_id, key=key, saved_at=now)
    row.text, row.saved_at = text, now
    session.add(row)


def derived(session: Session, source_hash: str, producer: str, version: str, part: str) -> Any:
    """What `producer` made of a source, or None if it has not yet."""
    row = session.get(DerivedRow, (source_hash, producer, version, part))
    return None if row is None else row.content


def keep_derived(
    session: Session, source_hash: str, producer: str, version: str, part: str, content: Any, now: datetime
) -> None:
    if session.get(DerivedRow, (source_hash, producer, version, part)) is None:
        session.add(
            DerivedRow(
                source_hash=source_hash,
                producer=producer,
                producer_version=version,
                part=part,
                content=content,
                created_at=now,
            )
        )
