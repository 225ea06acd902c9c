"""A file that one process at a time holds. The operating system frees it when the process ends, however it ends."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

_PATIENCE_S = 0.25
"""Whoever only asks holds the file for a moment; whoever still has it then keeps it."""
_PAUSE_S = 0.005


class FileLock:
    """A held file; it says in its text which process holds it."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def release(self, *, remove: bool = False) -> None:
        """Let it go, once. `remove`: the file itself too, while it is still held, so that nobody else's is removed."""
        if remove:
            with suppress(OSError):  # Windows removes no open file; one that stays is taken by whoever comes next
                self.path.unlink()
        os.close(self._descriptor)


def take(path: Path) -> FileLock | None:
    """Hold the file at `path`, making it if needed; None if another process holds it.

    Raises OSError if it cannot be made, as in a folder that may not be written.
    """
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
    """Whether a process holds the file at `path` now; any number may ask at once."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not _lock(descriptor, shared=True)
    finally:
        os.close(descriptor)


def holder(path: Path) -> str:
    """The process id that the file names, "" if it names none."""
    try:
        said = path.read_text(encoding="ascii")[:20]
    except (OSError, UnicodeDecodeError):
        return ""
    return said if said.isdecimal() else ""


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
"""Windows keeps others from reading what is locked; behind the text nothing is read."""


def _lock_on_windows(descriptor: int) -> bool:
    import msvcrt

    try:
        os.lseek(descriptor, FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError:
        return False
    return True
