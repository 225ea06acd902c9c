"""Cached vectors of texts: derived values by (text's SHA-256, embedder, its version)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from store.bulk_rows import insert_or_leave
from store.tables import DerivedRow, metadata

AT_ONCE = 500
"""Hashes per query; SQLite allows about 32,000 parameters."""
PART = "vector"
VERSION = "1"
"""Version of the way vectors are requested; changes when the same text would get a different one."""
DERIVED = metadata.tables[str(DerivedRow.__tablename__)]


def embedder_of(base_url: str, model: str) -> str:
    """Return the name under which the vectors of a model at an address are stored."""
    return f"{base_url}/{model}"


def found(session: Session, embedder: str, hashes: Sequence[str]) -> dict[str, str]:
    """Return the stored vectors, as text, by the hash of their text."""
    return dict(_of(session, embedder, hashes, DerivedRow.source_hash, DerivedRow.content))


def known(session: Session, embedder: str, hashes: Sequence[str]) -> set[str]:
    """Return the hashes of texts with a vector."""
    return {row[0] for row in _of(session, embedder, hashes, DerivedRow.source_hash)}


def one_of(session: Session, embedder: str) -> str | None:
    """Return any vector of an embedder: it shows their length."""
    query = select(DerivedRow.content).where(
        DerivedRow.producer == _producer(embedder), DerivedRow.producer_version == VERSION, DerivedRow.part == PART
    )
    return session.exec(query.limit(1)).first()


def row(embedder: str, source_hash: str, content: str, now: datetime) -> dict[str, Any]:
    """Return the row of a vector to store."""
    return {
        "source_hash": source_hash,
        "producer": _producer(embedder),
        "producer_version": VERSION,
        "part": PART,
        "content": content,
        "created_at": now,
    }


def keep(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows of vectors; texts that have one keep it."""
    if rows:
        # In one order everywhere: two that write the same rows in different orders may lock each other out.
        ordered = sorted(rows, key=lambda each: (each["producer"], each["source_hash"]))
        session.connection().execute(insert_or_leave(session, DERIVED), ordered)


def _producer(embedder: str) -> str:
    return f"embedding:{embedder}"


def _of(session: Session, embedder: str, hashes: Sequence[str], *columns: Any) -> list[Any]:
    rows: list[Any] = []
    for start in range(0, len(hashes), AT_ONCE):
        query = select(*columns).where(
            DerivedRow.producer == _producer(embedder),
            DerivedRow.producer_version == VERSION,
            DerivedRow.part == PART,
            col(DerivedRow.source_hash).in_(hashes[start : start + AT_ONCE]),
        )
        rows += [tuple(each) if len(columns) > 1 else (each,) for each in session.exec(query)]
    return rows
