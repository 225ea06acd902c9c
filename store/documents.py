"""Versioned documents, drafts and derived artefacts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlmodel import Session, col, select

from core.errors import Conflict
from store.tables import DerivedRow, DocumentVersionRow, DraftRow

CHUNK = 500


_NEWEST_NUMBER = select(func.max(DocumentVersionRow.number)).where(
    DocumentVersionRow.kind == bindparam("kind"), DocumentVersionRow.name == bindparam("name")
)


def newest_number(session: Session, kind: str, name: str) -> int:
    """Return the number of a document's newest version, 0 if there is none. No text is read."""
    return session.exec(_NEWEST_NUMBER, params={"kind": kind, "name": name}).one() or 0


def versions(session: Session, kind: str, name: str) -> list[DocumentVersionRow]:
    """All versions of one document, newest first."""
    query = select(DocumentVersionRow).where(DocumentVersionRow.kind == kind, DocumentVersionRow.name == name)
    return list(session.exec(query.order_by(col(DocumentVersionRow.number).desc())))


def add_version(
    session: Session, kind: str, name: str, text: str, *, seen: int, person_id: str, now: datetime
) -> DocumentVersionRow:
    """Write the version after `seen`. Raises Conflict if someone wrote one meanwhile."""
    newest = newest_number(session, kind, name)
    if newest != seen:
        raise Conflict(f"Someone has saved a newer version of the {kind}.", seen=seen, found=newest)
    row = DocumentVersionRow(kind=kind, name=name, number=newest + 1, text=text, created_by=person_id, created_at=now)
    session.add(row)
    session.flush()
    return row


def draft(session: Session, person_id: str, key: str) -> DraftRow | None:
    return session.get(DraftRow, (person_id, key))


def drafts_under(session: Session, person_id: str, prefix: str) -> list[DraftRow]:
    query = select(DraftRow).where(
        DraftRow.person_id == person_id, col(DraftRow.key).startswith(prefix, autoescape=True)
    )
    return list(session.exec(query.order_by(col(DraftRow.saved_at), col(DraftRow.key))))


def keep_draft(session: Session, person_id: str, key: str, text: str, now: datetime) -> None:
    """Store typed text under a key; empty text deletes the draft."""
    if not text:
        session.execute(delete(DraftRow).where(col(DraftRow.person_id) == person_id, col(DraftRow.key) == key))
        return
    written = _insert(session, DraftRow).values(person_id=person_id, key=key, text=text, saved_at=now)
    session.execute(
        written.on_conflict_do_update(index_elements=["person_id", "key"], set_={"text": text, "saved_at": now})
    )


def forget_draft(session: Session, person_id: str, key: str, text: str) -> None:
    """Delete the draft if this is its text. One statement, so that text typed in between is not lost."""
    is_same_draft = (col(DraftRow.person_id) == person_id, col(DraftRow.key) == key, col(DraftRow.text) == text)
    session.execute(delete(DraftRow).where(*is_same_draft))


def derived(session: Session, source_hash: str, producer: str, version: str, part: str) -> Any:
    """Return the content that `producer` derived from a source, or None."""
    row = session.get(DerivedRow, (source_hash, producer, version, part))
    return None if row is None else row.content


def newest_derived(session: Session, producer: str) -> dict[tuple[str, str], Any]:
    """Return the newest content of any version per source and part: (source hash, part) → content."""
    query = select(DerivedRow.source_hash, DerivedRow.part, DerivedRow.content).where(DerivedRow.producer == producer)
    rows = session.exec(query.order_by(col(DerivedRow.created_at), col(DerivedRow.producer_version)))
    return {(source_hash, part): content for source_hash, part, content in rows}


def derived_of(session: Session, sources: Iterable[str], producer: str, version: str) -> dict[tuple[str, str], Any]:
    """Return (source hash, part) → content for these sources. For small contents."""
    hashes, contents = list(dict.fromkeys(sources)), dict[tuple[str, str], Any]()
    for start in range(0, len(hashes), CHUNK):
        query = select(DerivedRow.source_hash, DerivedRow.part, DerivedRow.content).where(
            col(DerivedRow.source_hash).in_(hashes[start : start + CHUNK]),
            DerivedRow.producer == producer,
            DerivedRow.producer_version == version,
        )
        contents.update(((source_hash, part), content) for source_hash, part, content in session.exec(query))
    return contents


def newest_of(session: Session, source_hash: str, producer: str) -> dict[str, Any]:
    """Return the newest content of any version per part of one source."""
    query = select(DerivedRow.part, DerivedRow.content).where(
        DerivedRow.source_hash == source_hash, DerivedRow.producer == producer
    )
    return dict(session.exec(query.order_by(col(DerivedRow.created_at))).all())


def parts_of(session: Session, source_hash: str, producer: str) -> frozenset[str]:
    """Return the parts of one source that `producer` derived in any version. No content is read."""
    query = select(DerivedRow.part).where(DerivedRow.source_hash == source_hash, DerivedRow.producer == producer)
    return frozenset(session.exec(query))


def parts_of_sources(session: Session, sources: Iterable[str], producer: str, version: str) -> list[tuple[str, str]]:
    """Return (source hash, part) of all that `producer` derived from these sources. No content is read."""
    hashes, parts = list(dict.fromkeys(sources)), list[tuple[str, str]]()
    for start in range(0, len(hashes), CHUNK):
        query = select(DerivedRow.source_hash, DerivedRow.part).where(
            col(DerivedRow.source_hash).in_(hashes[start : start + CHUNK]),
            DerivedRow.producer == producer,
            DerivedRow.producer_version == version,
        )
        parts.extend((source_hash, part) for source_hash, part in session.exec(query))
    return parts


def keep_derived(
    session: Session, source_hash: str, producer: str, version: str, part: str, content: Any, now: datetime
) -> None:
    written = _insert(session, DerivedRow).values(
        source_hash=source_hash,
        producer=producer,
        producer_version=version,
        part=part,
        content=content,
        created_at=now,
    )
    session.execute(written.on_conflict_do_nothing())


def _insert(session: Session, table: Any) -> Any:
    """Return an INSERT that supports ON CONFLICT: two browser tabs may write the same row at once."""
    return (sqlite_insert if session.get_bind().dialect.name == "sqlite" else postgresql_insert)(table)
