"""What is asked of a database: that a screen's cost does not grow, and that what is kept is not read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event


@contextmanager
def asked(where: Callable[[str], bool] = lambda statement: True) -> Iterator[list[str]]:
    """The statements that any store of this process is asked meanwhile, of those that are `where`."""
    found: list[str] = []

    def note(_connection: Connection, _cursor: Any, statement: str, *_more: Any) -> None:
        if where(statement):
            found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def reads(statement: str) -> bool:
    return statement.lstrip().upper().startswith("SELECT")


def reads_graphs(statement: str) -> bool:
    return "FROM node" in statement or "FROM edge" in statement
