"""Comparison of a new backup with the last one, to detect changes of rows that never change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput, StoreUnavailable
from services.backups.archive import DATABASE, opened_backup
from store.migrate import NEWEST
from store.sqlite.deadline import Deadline
from store.sqlite.definitions import foreign_definition
from store.sqlite.file import DATABASE_ERRORS
from store.tamper_check import StoredAct, faults_since, holds_act

MOST = 500  # zips that are examined


@dataclass(frozen=True, slots=True)
class BackupComparison:
    """The backup that the study was compared with, if any, and the differences."""

    path: Path | None = None
    faults: tuple[str, ...] = ()


def compare_with_last(copy: Path, folder: Path, scratch: Path) -> BackupComparison:
    """Compare a study's database with its newest sound backup in `folder` that has an earlier state of it.

    `copy` is a whole database of this version; the other one is unpacked into `scratch`.
    """
    for path in _comparable_backups(copy, folder):
        faults = _faults_since(path, copy, scratch / "earlier.sqlite")
        if faults is not None:
            return BackupComparison(path, tuple(f"{fault}; {path.name} has it" for fault in faults))
    return BackupComparison()


def _comparable_backups(copy: Path, folder: Path) -> list[Path]:
    """Return backups of this version whose last act is in this study's history, newest first.

    Those without faults come first, so that a difference is reported again until it is repaired.
    """
    candidates = []
    for path in sorted(folder.glob("*.zip"))[:MOST]:
        try:
            with opened_backup(path) as archive:
                manifest = archive.manifest
        except BadInput:
            continue  # no backup, or a damaged one: it proves nothing
        if (
            manifest.revision == NEWEST
            and manifest.last_act is not None
            and holds_act(copy, StoredAct(*manifest.last_act))
        ):
            candidates.append((not manifest.faults, manifest.made_at, path))
    return [path for *_order, path in sorted(candidates, reverse=True)]


def _faults_since(path: Path, copy: Path, earlier: Path) -> list[str] | None:
    try:
        with opened_backup(path) as archive:
            archive.unpack(DATABASE, earlier, archive.manifest.database_sha256)
        deadline = Deadline.of(earlier)
        return faults_since(copy, earlier, deadline) if _is_native(earlier, deadline) else None
    except (BadInput, *DATABASE_ERRORS):
        return None
    finally:
        earlier.unlink(missing_ok=True)


def _is_native(earlier: Path, deadline: Deadline) -> bool:
    # A stranger's zip may be in the folder: its definitions must not run here.
    try:
        return foreign_definition(earlier, deadline) is None
    except StoreUnavailable:
        return False  # of a version that this program does not know
