"""A session whose `get` uses one prepared statement per table. SQLAlchemy builds a statement for every `get`, which
takes longer than SQLite's answer."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, inspect
from sqlalchemy.orm.util import identity_key
from sqlmodel import Session, select


class KeyedSession(Session):
    def get(self, entity: Any, ident: Any, **options: Any) -> Any:
        """Return the row, as `Session.get`, which handles loaded rows, other keys than texts, and options."""
        values = ident if isinstance(ident, tuple) else (ident,)
        is_text = all(isinstance(value, str) for value in values)
        if options or not is_text or identity_key(entity, values) in self.identity_map:
            return super().get(entity, ident, **options)
        return self.scalars(_by_key(entity), {f"key{place}": value for place, value in enumerate(values)}).first()


@cache
def _by_key(entity: Any) -> Select[Any]:
    keys = enumerate(inspect(entity).primary_key)
    query = select(entity).where(*(key == bindparam(f"key{place}") for place, key in keys))
    return query.execution_options(autoflush=False)
