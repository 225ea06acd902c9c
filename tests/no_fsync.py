"""SQLite of the tests that does not wait for the disk, as their PostgreSQL does not: nothing here outlives its run.

A commit that waits takes two to six milliseconds, and the tests make some ten thousands of them. What a killed process
has written is there all the same: the operating system has it. Programs of their own (the writers that are killed,
workers, servers) and `make soak` wait as in use.
"""

from __future__ import annotations

from typing import Any

import store.engine

AS_IN_USE = store.engine._prepare_sqlite


def wait_for_no_disk() -> None:
    """From now on, of every store that this process opens."""
    store.engine._prepare_sqlite = _prepare


def _prepare(connection: Any, _record: Any) -> None:
    AS_IN_USE(connection, _record)
    connection.execute("PRAGMA synchronous=OFF").close()
