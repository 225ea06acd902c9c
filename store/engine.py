"""Open a store: a SQLite file with its files folder, or a PostgreSQL database.

SQLite writes use BEGIN IMMEDIATE: with the driver's own transactions, concurrent read-then-write updates are lost
without an error, and with a deferred BEGIN most fail as "database is locked". Reads use a separate engine without
IMMEDIATE, so that they never wait for a writer.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import Session

from core.errors import BadInput, Conflict, StoreUnavailable
from core.garbage import garbage_collection_off
from store import json_values
from store.prepared_get import KeyedSession
from store.sqlite import file as sqlite_file
from store.sqlite import lock as file_lock
from store.sqlite.deadline import Deadline

BUSY_TIMEOUT_MS = 30_000
LOOK_MS = 8
"""Waiting for SQLite's write lock: it is tried 1, 3 and 8 ms later, and again until the timeout."""
BUSY = "Busy, not saved: another program is using the store. Try again."
CROWDED = "Busy, not saved: too many people are waiting for the store. Try again."
IMPORTING = "Another import is under way, so this one was not begun. Try again when it is done."
IMPORT_PATIENCE_S, IMPORT_PAUSE_S = 120.0, 0.25
"""How long an import waits for another import into the same study, and the pause between two attempts."""
CONNECTIONS = 20
"""Pool size for writers and for readers on a server; a thread that needs a second connection exceeds it."""
WRITERS = 4
"""Concurrent writers on a server. More would only compete for the interpreter and for the same rows."""
log = logging.getLogger(__name__)
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def store_url(place: str) -> str:
    """Return the SQLAlchemy URL of a PostgreSQL URL or a SQLite path. Raises BadInput for a path with a question
    mark: in a URL the path would end there and name another file."""
    if place.startswith(("postgresql://", "postgres://")):
        return "postgresql+psycopg://" + place.split("://", 1)[1]
    if "://" in place:
        return place
    path = Path(place).expanduser().resolve()
    if "?" in str(path):
        raise BadInput(
            f"{path} cannot be a study's file: its path contains a question mark. Choose a path without one."
        )
    return f"sqlite:///{path}"


def study_file(place: str) -> Path | None:
    """Return the SQLite file that a path or URL names, None for a server."""
    url = make_url(store_url(place))
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def refuse_empty(path: Path | None) -> None:
    if path is not None and path.is_file() and path.stat().st_size == 0:
        raise StoreUnavailable(
            f"{path} is empty (0 bytes), so it is not a study. Remove it, or put your last backup in its place: "
            f"edgewise.py restore BACKUP.zip {path} --replace"
        )


def _engine(url: str, *, immediate: bool, **options: Any) -> Engine:
    engine = create_engine(url, json_serializer=json_values.written, json_deserializer=json_values.read, **options)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        if immediate:
            event.listen(engine, "connect", _look_often)
            event.listen(engine, "begin", _begin_immediate)
        else:
            event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    # SQLite's lower() folds ASCII only: a case-insensitive search must find "Ünal" by "ünal", as it does on PostgreSQL.
    connection.create_function("lower", 1, _lower, deterministic=True)
    cursor = connection.cursor()
    try:
        for pragma in (
            f"busy_timeout={BUSY_TIMEOUT_MS}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "secure_delete=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
    except UnicodeDecodeError as error:  # the driver cannot decode the damaged definition that SQLite quotes
        damage = sqlite3.DatabaseError("malformed database schema")
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage from error
    finally:
        cursor.close()


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _look_often(connection: Any, _record: Any) -> None:
    connection.execute(f"PRAGMA busy_timeout={LOOK_MS}")


def _begin_immediate(connection: Connection) -> None:
    """Acquire the write lock, waiting up to this session's timeout. SQLite's own busy handler polls every 100 ms,
    and under load keeps losing to frequent writers."""
    patience_ms = connection.get_execution_options().get("patience_ms", BUSY_TIMEOUT_MS)
    end = time.monotonic() + patience_ms / 1000
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as error:
            is_busy = isinstance(error.orig, sqlite3.DatabaseError) and _code_of(error.orig) == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() >= end:
                raise
        else:
            return


class WriteTurns:
    """A FIFO semaphore for the threads of this process. SQLite's waiters poll with growing pauses, and a connection
    pool gives a returned connection to the first that asks. Under load, recent holders win again and one thread can
    wait until its timeout."""

    def __init__(self, places: int, message: str, *, nests: bool = False) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._free, self._told = places, message
        self._nests, self._held = nests, threading.local()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @contextmanager
    def turn(self, patience_s: float) -> Iterator[None]:
        """Wait for a turn and hold it for the block. Raises StoreUnavailable on timeout."""
        if self._nests and getattr(self._held, "is_mine", False):
            yield
            return
        with self._guard:
            gate = None
            if self._free:
                self._free -= 1
            else:
                gate = threading.Lock()
                gate.acquire()
                self._waiting.append(gate)
        if gate is not None and not gate.acquire(timeout=patience_s):
            self._abandon(gate)
        self._held.is_mine = True
        try:
            yield
        finally:
            self._held.is_mine = False
            with self._guard:
                if self._waiting:
                    self._waiting.popleft().release()
                else:
                    self._free += 1

    def _abandon(self, gate: threading.Lock) -> None:
        with self._guard:
            if gate not in self._waiting:
                return  # the turn came at the last moment
            self._waiting.remove(gate)
        raise StoreUnavailable(self._told)


class Store:
    """An open store with its two engines. `writing()` commits or rolls back; `reading()` never writes. Raises
    StoreUnavailable for a file of 0 bytes, which SQLite would open as a new study."""

    def __init__(self, url: str) -> None:
        self.url = store_url(url)
        refuse_empty(self.path)
        parsed = make_url(self.url)
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        options: dict[str, Any] = {"pool_size": CONNECTIONS, "pool_timeout": BUSY_TIMEOUT_MS / 1000}
        reading = options
        if not self.is_sqlite:
            options["pool_pre_ping"] = True
            # As on SQLite, a read is one moment's state: else a graph's version and its rows could differ.
            reading = {**options, "isolation_level": "REPEATABLE READ"}
        self._writer = _engine(self.url, immediate=True, **options)
        self._reader = _engine(self.url, immediate=False, **reading)
        self._write_turns = WriteTurns(1, BUSY) if self.is_sqlite else WriteTurns(WRITERS, CROWDED, nests=True)
        self._read_turns = None if self.is_sqlite else WriteTurns(CONNECTIONS, CROWDED, nests=True)
        self._own = threading.local()

    @property
    def path(self) -> Path | None:
        return study_file(self.url)

    @property
    def name(self) -> str:
        """Name of the study: of its file or database."""
        return self.path.stem if self.path else str(make_url(self.url).database)

    @property
    def write_engine(self) -> Engine:
        return self._writer

    @contextmanager
    def writing(self, patience_ms: int | None = None) -> Iterator[Session]:
        """Open a session that commits at the end, or rolls back and raises. patience_ms: timeout for the write lock,
        30 seconds by default. Raises Conflict if a row changed meanwhile, StoreUnavailable if the store is locked or
        the disk is full."""
        wait_ms = BUSY_TIMEOUT_MS if patience_ms is None else patience_ms
        engine = self._writer if patience_ms is None else self._writer.execution_options(patience_ms=patience_ms)
        with (
            self._write_turns.turn(wait_ms / 1000),
            garbage_collection_off(),  # a search after a large file was read takes half a second
            translated_errors(),
            KeyedSession(engine, expire_on_commit=False) as session,
            json_values.named_column(session),
        ):
            yield session
            session.commit()
            self._own.written = self.written_here + 1

    @contextmanager
    def importing(self, patience_s: float = IMPORT_PATIENCE_S) -> Iterator[None]:
        """Hold the import lock of the study across all processes. It is freed when the process ends. Raises
        StoreUnavailable on timeout, or if the lock file cannot be written."""
        end = time.monotonic() + patience_s
        if self.path is not None:
            place = sqlite_file.importing_place(self.path)
            try:
                while (lock := file_lock.take(place)) is None:
                    _require_time_until(end)
            except OSError as error:
                raise StoreUnavailable(f"Nothing was imported: {place} cannot be written.") from error
            try:
                yield
            finally:
                lock.release(remove=True)
            return
        with ExitStack() as stack:
            with translated_errors():
                connection = stack.enter_context(self._writer.execution_options(isolation_level="AUTOCOMMIT").connect())
                connection.detach()  # closed at the end, which frees the lock; never returned to the pool
                while not connection.scalar(text("SELECT pg_try_advisory_lock(hashtext('edgewise.import'))")):
                    _require_time_until(end)
                    time.sleep(IMPORT_PAUSE_S)
            yield

    @property
    def written_here(self) -> int:
        """Number of writes committed by the calling thread; a read session opened before the last one is stale."""
        return int(getattr(self._own, "written", 0))

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with (
            self._read_turns.turn(BUSY_TIMEOUT_MS / 1000) if self._read_turns else nullcontext(),
            translated_errors(),
            KeyedSession(self._reader, autoflush=False) as session,
            json_values.named_column(session),
        ):
            yield session

    def break_off_at(self, deadline: Deadline) -> None:
        """Stop a SQLite store's queries at the deadline. Call it before the first query."""
        for engine in (self._writer, self._reader):
            event.listen(engine, "connect", lambda connection, _record: deadline.hold(connection))

    def close(self) -> None:
        self._writer.dispose()
        self._reader.dispose()

    def check(self) -> list[str]:
        """Return the faults that the database itself reports."""
        with self.reading() as session:
            if not self.is_sqlite:
                session.execute(text("SELECT 1"))
                return []
            rows = [str(row[0]) for row in session.execute(text("PRAGMA integrity_check"))]
            broken = [f"foreign key: {tuple(row)}" for row in session.execute(text("PRAGMA foreign_key_check"))]
        return [row for row in rows if row != "ok"] + broken


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate driver errors into Edgewise's, which say what happened and what to do."""
    try:
        yield
    except StaleDataError as error:
        raise Conflict("Someone else has changed this in the meantime. Reload it.", seen=0, found=0) from error
    except IntegrityError:
        raise
    except OperationalError as error:
        raise StoreUnavailable(_trouble(error.orig)) from error
    except PoolTimeout as error:
        raise StoreUnavailable(CROWDED) from error
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.DatabaseError) and _code_of(error.orig) in DAMAGED:
            raise StoreUnavailable(
                "The store's file is damaged or is not a study; restore it from a backup."
            ) from error
        if getattr(error.orig, "sqlstate", None) in ("40001", "40P01"):  # serialization failure, deadlock
            raise StoreUnavailable("Busy, not saved. Try again.") from error
        raise


def _code_of(error: sqlite3.DatabaseError) -> int:
    """Return SQLite's primary error code; errors of the driver itself have none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _require_time_until(end: float) -> None:
    if time.monotonic() >= end:
        raise StoreUnavailable(IMPORTING)


def _trouble(error: object) -> str:
    """Return the message for the user. The driver's text may contain paths, addresses and names, so it is logged
    only."""
    lowered, state = str(error).lower(), getattr(error, "sqlstate", None)
    is_sqlite = isinstance(error, sqlite3.Error)
    if state == "55P03" or (is_sqlite and "locked" in lowered):
        return BUSY
    if state == "53100" or (is_sqlite and any(word in lowered for word in ("full", "i/o", "no space"))):
        return "Not saved: the disk is full or cannot be written. Your text is still here; free space and try again."
    if state == "25006" or (is_sqlite and ("readonly" in lowered or "read-only" in lowered)):
        return "Not saved: the store is read-only."
    log.warning("The store does not answer: %s", " ".join(str(error).split()) or "no reason given")
    return "The store does not answer. Try again in a moment; the log says why."
