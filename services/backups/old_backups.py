"""Copies of a study near it, for people who destroy identities: these may still contain names."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from services.backups.archive import BAD_ZIP, DATABASE, LONGEST_MANIFEST, MANIFEST
from services.backups.restoring import REPLACED
from services.backups.scratch import PREFIX, SUFFIX
from services.study import Study

DEEPEST = 2  # folders below the study's own that are searched for copies
MOST = 500
# Leftovers of killed backups and restores, and files moved aside by a restore; the last two are of old versions.
_COPIES = (f"{PREFIX}*{SUFFIX}", f"*.{REPLACED}-*", f"tmp*/{DATABASE}", "*.zip.partial")


@dataclass(frozen=True, slots=True)
class OldBackup:
    """A backup with its own date, or another copy of a study with its modification time."""

    path: Path
    made_at: str


def backups_near(study: Study) -> tuple[OldBackup, ...]:
    """Return copies in the study's folder and two folders down, oldest first; none for a study on a server."""
    if study.store.path is None:
        return ()
    copies = list(_copies_in(study.store.path.parent, DEEPEST))
    return tuple(sorted(copies, key=lambda backup: (backup.made_at, str(backup.path))))


def _copies_in(folder: Path, depth: int) -> Iterator[OldBackup]:
    try:
        entries = sorted(folder.iterdir())[: MOST * 10]
        copies = sorted({path for pattern in _COPIES for path in folder.glob(pattern)})
    except OSError:
        return
    yield from (OldBackup(path, _modified_at(path)) for path in copies)
    backups = (
        _read_backup(path) for path in [each for each in entries if each.suffix == ".zip" and each.is_file()][:MOST]
    )
    yield from (backup for backup in backups if backup is not None)
    if depth:
        for path in entries:
            if path.is_dir() and not path.is_symlink() and path.name != "files" and path not in copies:
                yield from _copies_in(path, depth - 1)


def _modified_at(path: Path) -> str:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
    except OSError:
        return "unknown"


def _read_backup(path: Path) -> OldBackup | None:
    try:
        with zipfile.ZipFile(path) as archive:
            if DATABASE not in archive.namelist() or archive.getinfo(MANIFEST).file_size > LONGEST_MANIFEST:
                return None
            manifest = json.loads(archive.read(MANIFEST))
    except BAD_ZIP:
        return None
    made_at = manifest.get("made_at") if isinstance(manifest, dict) else None
    return OldBackup(path, str(made_at or "unknown"))
