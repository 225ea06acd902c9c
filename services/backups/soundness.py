"""Soundness check of a study: database, rows, graphs, releases and texts, each against redundant data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from core.errors import StoreUnavailable
from core.papers.releases import faults_of
from runs.endpoint.request import hash_of
from store import releases
from store.engine import Store
from store.migrate import NEWEST, migrate
from store.runs.asked_again import sent_hash
from store.sqlite import soundness
from store.sqlite.deadline import Deadline, is_broken_off
from store.sqlite.definitions import ForeignDefinition, foreign_definition, lost_definitions
from store.sqlite.file import DATABASE_ERRORS
from store.sqlite.soundness import UNREADABLE, rows_of
from store.tables import metadata


@dataclass(frozen=True, slots=True)
class Findings:
    faults: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()  # faults of indexes, which were rebuilt from their tables
    is_whole: bool = True  # every row can be reached, so the study is usable with these faults
    # A definition that no study has. It could run anything when queried, so nothing of such a database was read.
    foreign: ForeignDefinition | None = None

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.faults, *(f"{fault} (the index was rebuilt from its table)" for fault in self.repaired))


def examine(path: Path) -> Findings:
    """Check a copy of a SQLite study after migrating it and rebuilding faulty indexes.

    Raises StoreUnavailable for a study of a newer version, or if it takes longer than a sound one could.
    """
    deadline = Deadline.of(path)
    try:
        return _examine(path, deadline)
    except (*DATABASE_ERRORS, SQLAlchemyError, StoreUnavailable) as error:
        if is_broken_off(error) or deadline.is_over():
            raise StoreUnavailable(
                f"checking the database took longer than {deadline.seconds:.0f} s and was stopped."
            ) from error
        raise


def _examine(path: Path, deadline: Deadline) -> Findings:
    foreign = _find_foreign(path, deadline)
    if foreign is not None:
        return Findings((f"the database defines {foreign}",), (), is_whole=False, foreign=foreign)
    faults = soundness.database_faults(path, deadline)
    rebuilt: list[str] = []
    if faults and soundness.rebuild_indexes(path):
        left = soundness.database_faults(path)
        rebuilt, faults = [fault for fault in faults if fault not in left], left
    if soundness.page_faults(faults):
        return Findings(tuple(faults), (), is_whole=False)
    store = Store(str(path))
    store.break_off_at(deadline)
    try:
        migrate(store)
        with store.reading() as session:
            damaged = soundness.definition_faults(session)
            if damaged:
                return Findings((*faults, *damaged), (), is_whole=False)
            row_faults = [*faults, *soundness.row_faults(session), *soundness.graph_faults(session)]
            for look in (_release_faults, _text_faults, _reply_faults):
                row_faults += look(session)
        row_faults += lost_definitions(path, NEWEST)
    finally:
        store.close()
    return Findings(tuple(row_faults), tuple(rebuilt))


def _find_foreign(path: Path, deadline: Deadline) -> ForeignDefinition | None:
    try:
        return foreign_definition(path, deadline)
    except DATABASE_ERRORS as error:
        if is_broken_off(error):
            raise
        return None  # the next reader reports the damage


def _release_faults(session: Session) -> list[str]:
    try:
        rows = releases.releases(session)
    except UNREADABLE:
        return []  # reported as rows that cannot be read
    faults = []
    for row in rows:
        try:
            is_same = not faults_of(row.manifest, row.sha256, releases.contents(session, row.id))
        except UNREADABLE:
            is_same = False
        if not is_same:
            faults.append(f"release {row.number} does not match its hashes")
    return faults


def _text_faults(session: Session) -> list[str]:
    return [
        f"text {key[:12]}… of model runs does not match its hash"
        for key, text in _readable_rows(session, "run_text", "hash", "text")
        if sha256(text.encode()).hexdigest() != key
    ]


def _reply_faults(session: Session) -> list[str]:
    return [
        f"the request of reply {key[:12]}… does not match its hash"
        for key, request in _readable_rows(session, "reply", "request_hash", "request")
        if hash_of(request) != sent_hash(key)
    ]


def _readable_rows(session: Session, table: str, *columns: str) -> Iterator[Sequence[Any]]:
    # Unreadable rows are reported by `row_faults`.
    known = metadata.tables[table].c
    return (values for _row, values in rows_of(session, [known[name] for name in columns]) if values is not None)
