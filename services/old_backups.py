"""Backups that lie beside a study: whoever destroys identities should know which of them still hold names."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from services.backup import DATABASE, MANIFEST
from services.study import Study

DEEPEST = 2
"""Folders below the study's own in which backups are looked for."""
MOST = 500
_LONGEST_MANIFEST = 64 * 1024**2


@dataclass(frozen=True, slots=True)
class OldBackup:
    """A backup's file and when it was made, as it says itself."""

    path: Path
    made_at: str


def backups_near(study: Study) -> tuple[OldBackup, ...]:
    """Backups in the study's folder and two folders down, oldest first; none for a study on a server."""
    if study.store.path is None:
        return ()
    found = [backup for path in _zips(study.store.path.parent, DEEPEST) if (backup := _read(path)) is not None]
    return tuple(sorted(found, key=lambda backup: (backup.made_at, str(backup.path))))


def _zips(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())[: MOST * 10]
    except OSError:
        return
    yield from [path for path in entries if path.suffix == ".zip" and path.is_file()][:MOST]
    if depth:
        for path in entries:
            if path.is_dir() and not path.is_symlink() and path.name != "files":
                yield from _zips(path, depth - 1)


def _read(path: Path) -> OldBackup | None:
    """The backup at `path`, None if it is none; a damaged one is none to anyone."""
    try:
        with zipfile.ZipFile(path) as archive:
            if DATABASE not in archive.namelist() or archive.getinfo(MANIFEST).file_size > _LONGEST_MANIFEST:
                return None
            manifest = json.loads(archive.read(MANIFEST))
    except (OSError, zipfile.BadZipFile, zlib.error, KeyError, ValueError, RuntimeError, NotImplementedError):
        return None
    made_at = manifest.get("made_at") if isinstance(manifest, dict) else None
    return OldBackup(path, str(made_at or "unknown"))
