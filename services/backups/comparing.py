"""The last backup of a study beside the new one, as a witness of what nobody has changed since."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput, StoreTrouble
from services.backups.archive import DATABASE, opened_backup
from store.migrate import NEWEST
from store.sqlite.deadline import Deadline
from store.sqlite.definitions import foreign_definition
from store.sqlite.file import DATABASE_ERRORS
from store.unchanged import RecordedAct, faults_since, holds_act

MOST = 500
"""Zips that are looked at."""


@dataclass(frozen=True, slots=True)
class BackupComparison:
    """Which backup the study was compared with, None where there is none to compare it with, and what differs."""

    path: Path | None = None
    faults: tuple[str, ...] = ()


def compare_with_last(copy: Path, folder: Path, scratch: Path) -> BackupComparison:
    """Compare a study's database with its newest sound backup in `folder` that holds an earlier state of it.

    `copy` is the database, of this version and whole; the other is unpacked into `scratch`.
    """
    for path in _newest_first(copy, folder):
        faults = _faults_since(path, copy, scratch / "earlier.sqlite")
        if faults is not None:
            return BackupComparison(path, tuple(f"{fault}; {path.name} has it" for fault in faults))
    return BackupComparison()


def _newest_first(copy: Path, folder: Path) -> list[Path]:
    """Backups with tables of this version whose last act is in this study's history too; those without faults come
    first, so that what one of them told is told again until it is mended."""
    found = []
    for path in sorted(folder.glob("*.zip"))[:MOST]:
        try:
            with opened_backup(path) as archive:
                said = archive.manifest
        except BadInput:
            continue  # no backup, or a damaged one: it can witness nothing
        if said.revision == NEWEST and said.last_act is not None and holds_act(copy, RecordedAct(*said.last_act)):
            found.append((not said.faults, said.made_at, path))
    return [path for *_order, path in sorted(found, reverse=True)]


def _faults_since(path: Path, copy: Path, earlier: Path) -> list[str] | None:
    try:
        with opened_backup(path) as archive:
            archive.unpack(DATABASE, earlier, archive.manifest.database_sha256)
        deadline = Deadline.of(earlier)
        return faults_since(copy, earlier, deadline) if _is_ours(earlier, deadline) else None
    except (BadInput, *DATABASE_ERRORS):
        return None
    finally:
        earlier.unlink(missing_ok=True)


def _is_ours(earlier: Path, deadline: Deadline) -> bool:
    """A stranger's zip may lie in the folder: what it defines must not run here."""
    try:
        return foreign_definition(earlier, deadline) is None
    except StoreTrouble:
        return False  # of a version that this program does not know
