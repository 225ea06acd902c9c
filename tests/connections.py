"""Connections to the tests' PostgreSQL that one test leaves to the next, on the database that it hands on too.

A new connection is a new process of the server, which reads the catalogue anew for every table that it touches: with
three of them a test, that was a third of what a test on PostgreSQL took beyond the same one on SQLite. Handed on are
those of our stores alone, idle and as new.
"""

from __future__ import annotations

import select
import threading
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import Engine

MOST = 8
PLAIN = (str, bool, int, tuple)


class Shelf:
    """What lies idle of one database; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[psycopg.Connection[Any]] = []
        self._database = ""
        self._server: dict[str, Any] = {}

    def keep_for(self, database: str) -> None:
        """From now on connections to this database; those to another are closed."""
        with self._lock:
            given_up, self._idle, self._database = self._idle, [], database
        for connection in given_up:
            connection.close()

    @property
    def processes(self) -> list[int]:
        """The server's processes behind what lies here."""
        with self._lock:
            return [connection.info.backend_pid for connection in self._idle]

    def serve(self, engine: Engine) -> None:
        """Let an engine take its connections from here and leave them here; what the server told an engine before is
        not asked again."""
        dialect: Any = engine.dialect
        connect, initialize = dialect.connect, dialect.initialize
        database = engine.url.database

        def asked_once(connection: Any) -> None:
            if self._server:
                vars(dialect).update(self._server)
                return
            before = dict(vars(dialect))
            initialize(connection)
            told = {name: value for name, value in vars(dialect).items() if before.get(name) is not value}
            self._server = {name: value for name, value in told.items() if isinstance(value, PLAIN)}

        dialect.connect = lambda *given, **named: self._take(database) or connect(*given, **named)
        dialect.do_close = self._leave
        dialect.do_terminate = lambda connection: connection.close()
        dialect.initialize = asked_once

    def _take(self, database: str | None) -> psycopg.Connection[Any] | None:
        with self._lock:
            while database == self._database and self._idle:
                connection = self._idle.pop()
                # Whatever comes unasked from the server is its farewell.
                if not connection.closed and not select.select([connection.fileno()], [], [], 0)[0]:
                    return connection
        return None

    def _leave(self, connection: psycopg.Connection[Any]) -> None:
        if connection.closed or connection.info.dbname != self._database or len(self._idle) >= MOST:
            connection.close()
            return
        try:
            connection.rollback()
            connection.isolation_level, connection.autocommit = None, True
            connection.execute("RESET ALL; SELECT pg_advisory_unlock_all()")
            connection.autocommit = False
            connection._notice_handlers.clear()
        except psycopg.Error:
            connection.close()
        if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
            return
        with self._lock:
            self._idle.append(connection)


SHELF = Shelf()
