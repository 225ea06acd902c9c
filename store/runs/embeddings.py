"""Remembered vectors of texts: derived artefacts by (text's SHA-256, embedder, its version)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from store.ready_rows import insert_or_leave
from store.tables import DerivedRow, metadata

AT_ONCE = 500
"""Hashes in one query; SQLite takes about 32,000 parameters."""
PART = "vector"
VERSION = "1"
"""Of how runs ask for vectors; changes when the same text would get another one."""
DERIVED = metadata.tables[str(DerivedRow.__tablename__)]


def embedder_of(base_url: str, model: str) -> str:
    """Under which name the vectors of a model at an address are kept."""
    return f"{base_url}/{model}"


def found(session: Session, embedder: str, hashes: Sequence[str]) -> dict[str, str]:
    """Vectors that are kept, by the hash of their text, as text."""
    return dict(_of(session, embedder, hashes, DerivedRow.source_hash, DerivedRow.content))


def known(session: Session, embedder: str, hashes: Sequence[str]) -> set[str]:
    """Which of these texts have a vector."""
    return {row[0] for row in _of(session, embedder, hashes, DerivedRow.source_hash)}


def one_of(session: Session, embedder: str) -> str | None:
    """Any vector of an embedder: it says how long they are."""
    query = select(DerivedRow.content).where(
        DerivedRow.producer == _producer(embedder), DerivedRow.producer_version == VERSION, DerivedRow.part == PART
    )
    return session.exec(query.limit(1)).first()


def row(embedder: str, source_hash: str, content: str, now: datetime) -> dict[str, Any]:
    """A vector to keep."""
    return {
        "source_hash": source_hash,
        "producer": _producer(embedder),
        "producer_version": VERSION,
        "part": PART,
        "content": content,
        "created_at": now,
    }


def keep(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep vectors, as `row` has them; of a text that has one, that one stays."""
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
