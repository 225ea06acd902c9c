"""A SQLite study as files: the database, its write-ahead log, and which processes have them open.

SQLite's log carries no mark of the database it belongs to: one that a killed process left is replayed into whatever
database is opened under its name next.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from store.sqlite.deadline import Deadline

_LOCK_BYTES = (2**30 + 2, 510)
"""Where SQLite locks a database's file for reading: from, how many bytes. Held as long as a log-keeping connection
is open."""
_INDEX_BYTES = (128, 1)
"""Where whoever has the log open locks its index (`-shm`)."""


DATABASE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What the driver raises for a damaged database; the second where SQLite quotes bytes of it that are no text."""


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def index_of(path: Path) -> Path:
    return path.with_name(path.name + "-shm")


def serving_place(path: Path) -> Path:
    """The file that the study's server holds."""
    return path.with_name(path.name + ".serving")


def worker_place(path: Path) -> Path:
    """The file that the study's worker holds."""
    return path.with_name(path.name + ".worker")


def importing_place(path: Path) -> Path:
    """The lock file of the process that imports into the study."""
    return path.with_name(path.name + ".importing")


def parts_there(path: Path) -> list[Path]:
    """Which of the database, its log and the log's index lie there, also as links that lead nowhere."""
    return [each for each in (path, log_of(path), index_of(path)) if os.path.lexists(each)]


def has_log(path: Path) -> bool:
    """Whether a log with anything in it lies beside the database."""
    return log_of(path).is_file() and log_of(path).stat().st_size > 0


def is_open_elsewhere(path: Path) -> bool:
    """Whether another process has the database or its log open, whatever program it is; nothing is changed.

    Not to be asked by a process that has the database open itself: its own locks would be lost. On Windows, where an
    open file cannot be moved anyway, the answer is no.
    """
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
    """A bare connection to a database that is there; each statement is a transaction of its own.

    `mode` "ro" leaves database and log as they are, and an empty log where there was none; "rw" tidies up at its end.
    """
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    if deadline is not None:
        deadline.hold(connection)
    return connection


def quick_fault(path: Path) -> str:
    """What SQLite finds wrong with the database as its log would make it, "" if nothing; neither is written to."""
    try:
        with closing(connected(path, "ro")) as connection:
            found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except DATABASE_ERRORS as error:
        return str(error)
    return "" if found == "ok" else found
