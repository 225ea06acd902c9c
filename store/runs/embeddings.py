"""Remembered vectors of texts: derived artefacts by (text's SHA-256, embedder, its version)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from sqlmodel import col, select

from store.documents import keep_derived
from store.engine import Store
from store.tables import DerivedRow

AT_ONCE = 500
"""Hashes in one query; SQLite takes about 32,000 parameters."""
PART = "vector"


class KeptVectors:
    """The vectors of one embedder in a study. `version` changes when the same text would get another vector."""

    def __init__(self, store: Store, producer: str, version: str, now: Callable[[], datetime]) -> None:
        self.producer, self.version = f"embedding:{producer}", version
        self._store, self._now = store, now

    def find(self, hashes: Sequence[str]) -> Mapping[str, str]:
        """Those that are remembered, by the hash of their text."""
        found: dict[str, str] = {}
        with self._store.reading() as session:
            for start in range(0, len(hashes), AT_ONCE):
                query = select(DerivedRow.source_hash, DerivedRow.content).where(
                    DerivedRow.producer == self.producer,
                    DerivedRow.producer_version == self.version,
                    DerivedRow.part == PART,
                    col(DerivedRow.source_hash).in_(hashes[start : start + AT_ONCE]),
                )
                found.update(session.exec(query).all())
        return found

    def keep(self, found: Mapping[str, str]) -> None:
        """Remembers them in one transaction."""
        with self._store.writing() as session:
            for source_hash, content in found.items():
                keep_derived(session, source_hash, self.producer, self.version, PART, content, self._now())
