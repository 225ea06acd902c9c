"""A session that asks for a row by its key with a statement built once a table.

SQLAlchemy builds one at every `get`, which takes longer than it takes SQLite to answer.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, inspect
from sqlalchemy.orm.util import identity_key
from sqlmodel import Session, select


class KeyedSession(Session):
    def get(self, entity: Any, ident: Any, **options: Any) -> Any:
        """As SQLAlchemy's; rows that this session holds already, keys of several columns and options go to that."""
        if options or not isinstance(ident, str) or identity_key(entity, ident) in self.identity_map:
            return super().get(entity, ident, **options)
        return self.scalars(_by_key(entity), {"key": ident}).first()


@cache
def _by_key(entity: Any) -> Select[Any]:
    (key,) = inspect(entity).primary_key
    return select(entity).where(key == bindparam("key")).execution_options(autoflush=False)
