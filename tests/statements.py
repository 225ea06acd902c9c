"""Statements that one test compiled, kept for the next: every test opens a store, and so engines, of its own.

SQLAlchemy keeps compiled statements by engine and by dialect object; a test would compile each of its statements anew,
an eighth of the time of all tests on a store. What a statement compiles to depends on the kind of dialect only.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from tests.connections import SHELF

_KEPT: dict[type, Any] = defaultdict(lambda: LRUCache(2000))


def keep_compiled() -> None:
    """Let all stores of this process share what was compiled for their kind of database."""
    for kind in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        kind.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]
        kind.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    pytest.MonkeyPatch().setattr("store.engine.create_engine", _sharing)  # until the process ends


def _sharing(url: str, **options: Any) -> Engine:
    engine = create_engine(url, **options)
    engine._compiled_cache = _KEPT[type(engine.dialect)]
    if engine.dialect.name == "postgresql":
        SHELF.serve(engine)
    return engine
