"""A session whose `get` by a single key uses one prepared statement per table. SQLAlchemy builds a statement for
every `get`, which takes longer than SQLite's answer."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, inspect
from sqlalchemy.orm.util import identity_key
from sqlmodel import Session, select


class KeyedSession(Session):
    def get(self, entity: Any, ident: Any, **options: Any) -> Any:
        """Return the row, as `Session.get`, which handles loaded rows, composite keys and options."""
        if options or not isinstance(ident, str) or identity_key(entity, ident) in self.identity_map:
            return super().get(entity, ident, **options)
        return self.scalars(_by_key(entity), {"key": ident}).first()


@cache
def _by_key(entity: Any) -> Select[Any]:
    (key,) = inspect(entity).primary_key
    return select(entity).where(key == bindparam("key")).execution_options(autoflush=False)
