"""Recognise disk errors of the operating system, SQLite and SQLAlchemy."""

from __future__ import annotations

import errno
import sqlite3

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_SQLITE_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)


def is_no_room(error: BaseException | None) -> bool:
    """Return True if the error or one of its causes says that a disk is full or cannot be written."""
    while error is not None:
        orig = getattr(error, "orig", error)
        if isinstance(orig, OSError) and orig.errno in _NO_ROOM:
            return True
        if isinstance(orig, sqlite3.DatabaseError) and getattr(orig, "sqlite_errorcode", 0) & 0xFF in _SQLITE_NO_ROOM:
            return True
        error = error.__cause__
    return False
