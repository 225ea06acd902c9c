"""SQL IN conditions that bind all values as one parameter."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, any_, func, literal
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Session, col, select


def among(session: Session, column: Any, values: Iterable[str] | Iterable[int]) -> ColumnElement[bool]:
    """Return the condition that the column, of texts or integers, holds one of the values; false for no values."""
    listed: list[Any] = sorted(set(values))
    if session.get_bind().dialect.name == "sqlite":
        listed_values: Any = select(func.json_each(json.dumps(listed)).table_valued("value").c.value)
        return col(column).in_(listed_values)
    is_one: ColumnElement[bool] = col(column) == any_(literal(listed, ARRAY(column.type)))
    return is_one
