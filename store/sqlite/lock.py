"""A file lock held by one process at a time. The operating system frees it when the process ends for any reason."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

_PATIENCE_S = 0.25
"""Timeout for a lock. `is_held` locks the file for a moment; a lock that lasts longer is a real one."""
_PAUSE_S = 0.005


class FileLock:
    """A locked file that contains the id of the process."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def release(self, *, remove: bool = False) -> None:
        """Release the lock, once. `remove`: also delete the file, while it is still locked, so that no other
        process's is removed."""
        if remove:
            with suppress(OSError):  # Windows cannot delete an open file; the next process reuses it
                self.path.unlink()
        os.close(self._descriptor)


def take(path: Path) -> FileLock | None:
    """Lock the file at `path`, created if needed; None if another process has locked it. Raises OSError if it cannot
    be created."""
    end = time.monotonic() + _PATIENCE_S
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not _lock(descriptor):
            os.close(descriptor)
            if time.monotonic() >= end:
                return None
            time.sleep(_PAUSE_S)
            continue
        if _is_still(path, descriptor):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, str(os.getpid()).encode())
            return FileLock(path, descriptor)
        os.close(descriptor)  # its last holder removed it between our opening and our locking


def is_held(path: Path) -> bool:
    """Return True if a process has locked the file; does not conflict with other callers."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not _lock(descriptor, shared=True)
    finally:
        os.close(descriptor)


def holder(path: Path) -> str:
    """Return the process id in the file, "" if there is none."""
    try:
        content = path.read_text(encoding="ascii")[:20]
    except (OSError, UnicodeDecodeError):
        return ""
    return content if content.isdecimal() else ""


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _lock(descriptor: int, *, shared: bool = False) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        return _lock_on_windows(descriptor)
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


FAR = 2**30
"""Windows prevents others from reading locked bytes, so the lock lies behind the text."""


def _lock_on_windows(descriptor: int) -> bool:
    import msvcrt

    try:
        os.lseek(descriptor, FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError:
        return False
    return True
