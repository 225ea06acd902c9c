"""Copies that lie beside a study: whoever destroys identities should know which of them still hold names."""

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

DEEPEST = 2
"""Folders below the study's own in which copies are looked for."""
MOST = 500
_COPIES = (f"{PREFIX}*{SUFFIX}", f"*.{REPLACED}-*", f"tmp*/{DATABASE}", "*.zip.partial")
"""What backups and restores leave when they are killed, and what a restore moved aside; the last two of versions that
did not clear them."""


@dataclass(frozen=True, slots=True)
class OldBackup:
    """A backup's file and when it was made, as it says itself; or another copy of a study, and when it was written."""

    path: Path
    made_at: str


def backups_near(study: Study) -> tuple[OldBackup, ...]:
    """Copies in the study's folder and two folders down, oldest first; none for a study on a server."""
    if study.store.path is None:
        return ()
    found = list(_near(study.store.path.parent, DEEPEST))
    return tuple(sorted(found, key=lambda backup: (backup.made_at, str(backup.path))))


def _near(folder: Path, depth: int) -> Iterator[OldBackup]:
    try:
        entries = sorted(folder.iterdir())[: MOST * 10]
        copies = sorted({path for pattern in _COPIES for path in folder.glob(pattern)})
    except OSError:
        return
    yield from (OldBackup(path, _written(path)) for path in copies)
    backups = (_read(path) for path in [each for each in entries if each.suffix == ".zip" and each.is_file()][:MOST])
    yield from (backup for backup in backups if backup is not None)
    if depth:
        for path in entries:
            if path.is_dir() and not path.is_symlink() and path.name != "files" and path not in copies:
                yield from _near(path, depth - 1)


def _written(path: Path) -> str:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
    except OSError:
        return "unknown"


def _read(path: Path) -> OldBackup | None:
    """The backup at `path`, None if it is none; a damaged one is none to anyone."""
    try:
        with zipfile.ZipFile(path) as archive:
            if DATABASE not in archive.namelist() or archive.getinfo(MANIFEST).file_size > LONGEST_MANIFEST:
                return None
            manifest = json.loads(archive.read(MANIFEST))
    except BAD_ZIP:
        return None
    made_at = manifest.get("made_at") if isinstance(manifest, dict) else None
    return OldBackup(path, str(made_at or "unknown"))
