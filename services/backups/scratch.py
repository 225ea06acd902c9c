"""Scratch folders of backups and restores: gone at the end, and recognised when a killed program left one behind."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreTrouble
from store.sqlite import lock as file_lock

PREFIX, SUFFIX = ".edgewise-", ".scratch"
HELD = "held"
"""The file inside that its maker holds while it lives."""
_UNHELD_S = 3600.0
"""A folder without that file, or whose file names nobody yet, may be so young that its maker has not come to it."""


@contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """A new folder in `folder`, for files that are renamed out of it at the end; it goes with everything left in it.

    Raises StoreTrouble if it cannot be held: others would clear it while it is used.
    """
    path = Path(tempfile.mkdtemp(prefix=PREFIX, suffix=SUFFIX, dir=folder))
    lock = None
    try:
        lock = file_lock.take(path / HELD)
        if lock is None:
            raise StoreTrouble(f"Another program has {path / HELD} open, so nothing was written. Try again.")
        yield path
    finally:
        if lock is not None:
            lock.release()
        shutil.rmtree(path, ignore_errors=True)


def leftovers(folder: Path) -> list[Path]:
    """Scratch folders in `folder` whose makers are dead."""
    return [path for path in sorted(folder.glob(f"{PREFIX}*{SUFFIX}")) if path.is_dir() and _is_left(path)]


def clear_leftovers(folder: Path) -> None:
    """Remove what killed backups and restores left in `folder`; what cannot be removed stays."""
    for path in leftovers(folder):
        shutil.rmtree(path, ignore_errors=True)


def _is_left(path: Path) -> bool:
    try:
        if file_lock.holder(path / HELD):  # it was held: the name is written while it is
            return not file_lock.is_held(path / HELD)
        return time.time() - path.stat().st_mtime > _UNHELD_S
    except OSError:
        return False
