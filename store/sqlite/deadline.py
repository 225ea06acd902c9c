"""An end to queries of a database that a stranger may have made: SQLite itself would go on for ever."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

LEAST_S = 60.0
MB_A_SECOND = 1.0
_STEPS = 10_000
"""Of SQLite's machine, between two looks at the clock."""


class Deadline:
    """The moment at which queries are broken off; by default as late as the size of the database demands."""

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
        """Break off this connection's queries from then on, with an error that `is_broken_off` knows."""
        connection.set_progress_handler(self.is_over, _STEPS)


def is_broken_off(error: BaseException | None) -> bool:
    """Whether an error, or one it came from, says that a query was broken off."""
    while error is not None:
        orig = getattr(error, "orig", error)
        if getattr(orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_INTERRUPT:
            return True
        error = error.__cause__
    return False
