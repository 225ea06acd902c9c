"""Conditions on many values at once: one parameter however many there are, where an IN list has one for each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, any_, func, literal
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Session, col, select


def among(session: Session, column: Any, values: Iterable[str] | Iterable[int]) -> ColumnElement[bool]:
    """Whether the column, of texts or whole numbers, holds one of the values; false for all if there are none."""
    listed: list[Any] = sorted(set(values))
    if session.get_bind().dialect.name == "sqlite":
        found: Any = select(func.json_each(json.dumps(listed)).table_valued("value").c.value)
        return col(column).in_(found)
    is_one: ColumnElement[bool] = col(column) == any_(literal(listed, ARRAY(column.type)))
    return is_one
