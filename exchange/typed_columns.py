"""Columns of a Parquet table as plain JSON values with their types, and the same columns written again."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

Form = Any
"""The type of a column as JSON: its name, `["list", form]` or `["struct", [[name, form], …]]`."""
_PLAIN = ("string", "large_string", "bool", *(f"{sign}int{n}" for sign in ("", "u") for n in (8, 16, 32, 64)))
_MOMENTS = tuple(f"timestamp[{unit}]" for unit in ("s", "ms", "us", "ns"))
_OTHERS = ("null", "float", "double", "date32[day]", *_MOMENTS, *(f"{each[:-1]}, tz=UTC]" for each in _MOMENTS))


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    form: Form


def as_json(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, list):
        return [as_json(each) for each in value]
    if isinstance(value, dict):
        return {key: as_json(each) for key, each in value.items()}
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def form_of(kind: Any) -> Form:
    """Return the type of a column as JSON; text for an unsupported one."""
    import pyarrow as pa

    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return ["list", form_of(kind.value_type)]
    if pa.types.is_struct(kind):
        return ["struct", [[field.name, form_of(field.type)] for field in kind]]
    return str(kind) if str(kind) in (*_PLAIN, *_OTHERS) else "string"


def write_columns(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows of JSON cells as Parquet, with these columns and types; missing cells are null. The same rows give
    the same bytes (with one version of pyarrow)."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = []
    for each in columns:
        values, kind = [row.get(each.name) for row in rows], _type(pa, each.form)
        is_time = pa.types.is_temporal(kind)  # JSON cells hold it as text
        arrays.append(pa.array(values, pa.string()).cast(kind) if is_time else pa.array(values, kind))
    table = pa.Table.from_arrays(arrays, names=[each.name for each in columns])
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="snappy", version="2.6")
    return buffer.getvalue()


def _type(pa: Any, form: Form) -> Any:
    if isinstance(form, str):
        if form.endswith(", tz=UTC]"):
            return pa.timestamp(form.removeprefix("timestamp[").partition(",")[0], tz="UTC")
        named = {"double": "float64", "float": "float32", "date32[day]": "date32"}
        return pa.type_for_alias(named.get(form, form))
    kind, inner = form
    if kind == "list":
        return pa.list_(_type(pa, inner))
    return pa.struct([(name, _type(pa, each)) for name, each in inner])
