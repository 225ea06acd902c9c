"""A deadline for queries of an untrusted database, which could otherwise run forever."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

LEAST_S = 60.0
MB_A_SECOND = 1.0
_STEPS = 10_000
"""SQLite VM steps between two checks of the clock."""


class Deadline:
    """The time at which queries are stopped; by default proportional to the size of the database."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    @classmethod
    def of(cls, path: Path) -> Deadline:
        return cls(LEAST_S + path.stat().st_size / 1e6 / MB_A_SECOND)

    def is_over(self) -> bool:
        return self._clock() >= self._end

    def hold(self, connection: sqlite3.Connection) -> None:
        """Stop this connection's queries at the deadline, with an error that `is_broken_off` recognises."""
        connection.set_progress_handler(self.is_over, _STEPS)


def is_broken_off(error: BaseException | None) -> bool:
    """Return True if the error or one of its causes is a query stopped at the deadline."""
    while error is not None:
        orig = getattr(error, "orig", error)
        if getattr(orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_INTERRUPT:
            return True
        error = error.__cause__
    return False
