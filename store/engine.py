"""Opens a store: one SQLite file with its files folder, or one PostgreSQL database.

SQLite writes begin IMMEDIATE: with the driver's own transactions concurrent read-then-write updates are lost
without an error, and with a deferred BEGIN most of them fail as "database is locked". Reads use an engine of
their own without IMMEDIATE, so that they never wait for a writer.
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

from core.errors import BadInput, Conflict, StoreTrouble
from core.garbage import garbage_collection_off
from store import json_values
from store.by_key import KeyedSession
from store.sqlite import file as sqlite_file
from store.sqlite import lock as file_lock
from store.sqlite.deadline import Deadline

BUSY_TIMEOUT_MS = 30_000
LOOK_MS = 8
"""Who waits for SQLite's write lock looks 1, 3 and 8 ms later, and begins again until its patience is over."""
BUSY = "Busy, not saved: another program is using the store. Try again."
CROWDED = "Busy, not saved: too many people are waiting for the store. Try again."
IMPORTING = "Another import is under way, so this one was not begun. Try again when it is done."
IMPORT_PATIENCE_S, IMPORT_PAUSE_S = 120.0, 0.25
"""How long an import waits for another one of the same study, which takes seconds; the pause between two attempts."""
CONNECTIONS = 20
"""To a server, of those who write and of those who read; a thread that needs a second one gets it beyond these."""
WRITERS = 4
"""Of them at work at once: more only take turns at the interpreter, and at a row that several want."""
log = logging.getLogger(__name__)
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def store_url(place: str) -> str:
    """A SQLAlchemy URL from a PostgreSQL URL or a SQLite path.

    Raises BadInput for a path with a question mark: in a URL the path would end there, and another file be opened.
    """
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
    """The SQLite file that a path or URL names, or None for a server."""
    url = make_url(store_url(place))
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def refuse_empty(path: Path | None) -> None:
    """Raises StoreTrouble for a file of 0 bytes."""
    if path is not None and path.is_file() and path.stat().st_size == 0:
        raise StoreTrouble(
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
    # SQLite's own knows A to Z only: a search in any case must find "Ünal" by "ünal", as it does on PostgreSQL.
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
    except UnicodeDecodeError as error:  # the driver cannot read what SQLite quotes of a damaged definition
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
    """Take the write lock, waiting for it as long as this write may.

    SQLite itself would look every tenth of a second, and again and again find it taken by one who writes much.
    """
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


class Turns:
    """First come, first served among this process's threads: so many of them at once.

    SQLite's waiters poll with growing pauses, and a pool's waiters are passed by whoever comes as a connection is given
    back: under load those who have just had it win again, and one unlucky thread can wait out its whole patience.
    """

    def __init__(self, places: int, told: str, *, nests: bool = False) -> None:
        """`told`: what is said to whom patience runs out. `nests`: a thread that holds a turn needs no second one."""
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._free, self._told = places, told
        self._nests, self._held = nests, threading.local()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @contextmanager
    def turn(self, patience_s: float) -> Iterator[None]:
        """Wait for one's turn and hold it. Raises StoreTrouble when patience runs out."""
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
            self._give_up(gate)
        self._held.is_mine = True
        try:
            yield
        finally:
            self._held.is_mine = False
            self._pass_on()

    def _give_up(self, gate: threading.Lock) -> None:
        with self._guard:
            if gate not in self._waiting:
                return  # the turn came at the last moment
            self._waiting.remove(gate)
        raise StoreTrouble(self._told)

    def _pass_on(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


class Store:
    """The two engines of an open store. `writing()` commits or leaves nothing; `reading()` never writes.

    Raises StoreTrouble for a file of 0 bytes: SQLite would take what a full disk or a torn copy left for a new study.
    """

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
        self._write_turns = Turns(1, BUSY) if self.is_sqlite else Turns(WRITERS, CROWDED, nests=True)
        self._read_turns = None if self.is_sqlite else Turns(CONNECTIONS, CROWDED, nests=True)
        self._own = threading.local()

    @property
    def path(self) -> Path | None:
        """The SQLite file, or None for a server."""
        return study_file(self.url)

    @property
    def name(self) -> str:
        """What the study is called: its file's or database's name."""
        return self.path.stem if self.path else str(make_url(self.url).database)

    @property
    def write_engine(self) -> Engine:
        return self._writer

    @contextmanager
    def writing(self, patience_ms: int | None = None) -> Iterator[Session]:
        """A session that commits at the end, or rolls back and raises.

        patience_ms: how long to wait for other writers; 30 seconds if it is not given.
        Raises Conflict if a row changed meanwhile, StoreTrouble if the store is locked or the disk full.
        """
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
        """Be the one who imports into the study, whatever process asks; the end of a process frees it for the next.

        Raises StoreTrouble if it stays taken, or cannot be asked for.
        """
        end = time.monotonic() + patience_s
        if self.path is not None:
            place = sqlite_file.importing_place(self.path)
            try:
                while (lock := file_lock.take(place)) is None:
                    _require_time_until(end)
            except OSError as error:
                raise StoreTrouble(f"Nothing was imported: {place} cannot be written.") from error
            try:
                yield
            finally:
                lock.release(remove=True)
            return
        with ExitStack() as held:
            with translated_errors():
                connection = held.enter_context(self._writer.execution_options(isolation_level="AUTOCOMMIT").connect())
                connection.detach()  # closed at the end, which frees the lock, and given to nobody else
                while not connection.scalar(text("SELECT pg_try_advisory_lock(hashtext('edgewise.import'))")):
                    _require_time_until(end)
                    time.sleep(IMPORT_PAUSE_S)
            yield

    @property
    def written_here(self) -> int:
        """How many writes the calling thread has committed: a read it opened before the last one is out of date."""
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
        """Have a SQLite store's queries end then. To be said before anything is asked."""
        for engine in (self._writer, self._reader):
            event.listen(engine, "connect", lambda connection, _record: deadline.hold(connection))

    def close(self) -> None:
        self._writer.dispose()
        self._reader.dispose()

    def check(self) -> list[str]:
        """Faults the database itself finds; an empty list means all is well."""
        with self.reading() as session:
            if not self.is_sqlite:
                session.execute(text("SELECT 1"))
                return []
            rows = [str(row[0]) for row in session.execute(text("PRAGMA integrity_check"))]
            broken = [f"foreign key: {tuple(row)}" for row in session.execute(text("PRAGMA foreign_key_check"))]
        return [row for row in rows if row != "ok"] + broken


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn the drivers' errors into ours, so that a person reads what happened and what to do."""
    try:
        yield
    except StaleDataError as error:
        raise Conflict("Someone else has changed this in the meantime. Reload it.", seen=0, found=0) from error
    except IntegrityError:
        raise
    except OperationalError as error:
        raise StoreTrouble(_trouble(error.orig)) from error
    except PoolTimeout as error:
        raise StoreTrouble(CROWDED) from error
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.DatabaseError) and _code_of(error.orig) in DAMAGED:
            raise StoreTrouble("The store's file is damaged or is not a study; restore it from a backup.") from error
        if getattr(error.orig, "sqlstate", None) in ("40001", "40P01"):  # serialization failure, deadlock
            raise StoreTrouble("Busy, not saved. Try again.") from error
        raise


def _code_of(error: sqlite3.DatabaseError) -> int:
    """SQLite's primary code; errors of the driver itself have none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _require_time_until(end: float) -> None:
    if time.monotonic() >= end:
        raise StoreTrouble(IMPORTING)


def _trouble(error: object) -> str:
    """What a person is told. The driver's own words may hold paths, addresses and names: they go into the log."""
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
