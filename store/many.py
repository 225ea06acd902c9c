"""Conditions on many values at once: one parameter however many there are, where an IN list has one for each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import JSON, ColumnElement, String, cast, func, literal
from sqlmodel import Session, col, select


def among(session: Session, column: Any, values: Iterable[str]) -> ColumnElement[bool]:
    """Whether the column holds one of the values; none of them is, if there are none."""
    listed = json.dumps(sorted(set(values)))
    if session.get_bind().dialect.name == "sqlite":
        found: Any = select(func.json_each(listed).table_valued("value").c.value)
    else:
        each: Any = func.json_array_elements_text(cast(literal(listed, String), JSON)).column_valued("value")
        found = select(each)
    return col(column).in_(found)
