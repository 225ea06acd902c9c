"""Scratch folders of backups and restores: removed at the end, and recognised after a killed program."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreUnavailable
from store.sqlite import lock as file_lock

PREFIX, SUFFIX = ".edgewise-", ".scratch"
HELD = "held"  # file in it that its owner has locked while it lives
_UNHELD_S = 3600.0  # age after which a folder without that file is abandoned: its owner may not have locked it yet


@contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """Make a new folder in `folder`, for files that are renamed out of it; it is removed with everything in it.

    Raises StoreUnavailable if it cannot be locked: others would clear it while it is used.
    """
    path = Path(tempfile.mkdtemp(prefix=PREFIX, suffix=SUFFIX, dir=folder))
    lock = None
    try:
        lock = file_lock.take(path / HELD)
        if lock is None:
            raise StoreUnavailable(f"Another program has {path / HELD} open, so nothing was written. Try again.")
        yield path
    finally:
        if lock is not None:
            lock.release()
        shutil.rmtree(path, ignore_errors=True)


def leftovers(folder: Path) -> list[Path]:
    """Return scratch folders in `folder` whose owners are dead."""
    return [path for path in sorted(folder.glob(f"{PREFIX}*{SUFFIX}")) if path.is_dir() and _is_abandoned(path)]


def clear_leftovers(folder: Path) -> None:
    """Remove what killed backups and restores left in `folder`, as far as possible."""
    for path in leftovers(folder):
        shutil.rmtree(path, ignore_errors=True)


def _is_abandoned(path: Path) -> bool:
    try:
        if file_lock.holder(path / HELD):  # its owner's name is written once it is locked
            return not file_lock.is_held(path / HELD)
        return time.time() - path.stat().st_mtime > _UNHELD_S
    except OSError:
        return False
