"""The files of a SQLite study: the database, its write-ahead log, and which processes have them open. SQLite's log
does not identify its database: a log left by a killed process is replayed into any database that is opened under its
name next."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from store.sqlite.deadline import Deadline

_LOCK_BYTES = (2**30 + 2, 510)
"""Bytes (start, length) that SQLite locks in a database file while a connection with a log is open."""
_INDEX_BYTES = (128, 1)
"""Bytes (start, length) that a process with an open log locks in its index (`-shm`)."""


DATABASE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors of the driver for a damaged database; the second where SQLite quotes bytes that are not text."""


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def index_of(path: Path) -> Path:
    return path.with_name(path.name + "-shm")


def serving_place(path: Path) -> Path:
    """Lock file of the study's server."""
    return path.with_name(path.name + ".serving")


def worker_place(path: Path) -> Path:
    """Lock file of the study's worker."""
    return path.with_name(path.name + ".worker")


def importing_place(path: Path) -> Path:
    """Lock file of the process that imports into the study."""
    return path.with_name(path.name + ".importing")


def parts_there(path: Path) -> list[Path]:
    """Return the existing files of database, log and index, dangling links included."""
    return [each for each in (path, log_of(path), index_of(path)) if os.path.lexists(each)]


def has_log(path: Path) -> bool:
    """Return True if a log that is not empty lies next to the database."""
    return log_of(path).is_file() and log_of(path).stat().st_size > 0


def is_open_elsewhere(path: Path) -> bool:
    """Return True if another process, of any program, has the database or its log open. Do not call it in a process
    that has the database open: its own locks would be lost. On Windows, where an open file cannot be moved anyway,
    it returns False."""
    return _is_locked(path, *_LOCK_BYTES) or _is_locked(index_of(path), *_INDEX_BYTES)


def _is_locked(path: Path, start: int, length: int) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        # Tried rather than asked for: what a question is called differs between systems. Closing frees it.
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            raise
        return True
    finally:
        os.close(descriptor)
    return False


def connected(path: Path, mode: str = "rw", deadline: Deadline | None = None) -> sqlite3.Connection:
    """Open a bare connection to an existing database, in autocommit mode. mode: "ro" changes neither database nor
    log, but may leave an empty log; "rw" removes the log at its end."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    if deadline is not None:
        deadline.hold(connection)
    return connection


def quick_fault(path: Path) -> str:
    """Return SQLite's first finding about the database with its log, "" if there is none. Nothing is written."""
    try:
        with closing(connected(path, "ro")) as connection:
            finding = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except DATABASE_ERRORS as error:
        return str(error)
    return "" if finding == "ok" else finding
