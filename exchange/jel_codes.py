"""Users' files of JEL codes and of variables. The code tree itself is copyrighted by its owner, so none is included."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput, BadRow
from core.triplets.jel import JEL_TITLES
from core.triplets.jel_codes import SECONDARY
from exchange.relations import rows_of
from exchange.triplet_rows import Row, shown


@dataclass(frozen=True, slots=True)
class NamedVector:
    """A variable, or a code with its title. `vector`: None without one in the file."""

    name: str
    title: str
    vector: tuple[float, ...] | None


def read_codes(content: bytes, filename: str) -> list[NamedVector]:
    """Read columns code, title and optionally vector. Raises BadInput with every fault, UnreadableFile."""
    rows, faults = _rows(content, filename, ("code", "title"))
    by_code: dict[str, NamedVector] = {}
    for line, row in rows:
        code = row.get("code")
        if not isinstance(code, str) or not SECONDARY.fullmatch(code.strip().upper()):
            faults.append(BadRow(filename, line, "code", shown(code), "a letter and a digit is right"))
            continue
        name = code.strip().upper()
        if name[0] not in JEL_TITLES:
            faults.append(BadRow(filename, line, "code", name, f"there is no primary letter {name[0]}"))
        elif name in by_code:
            faults.append(BadRow(filename, line, "code", name, "an earlier row has it too"))
        else:
            title, vector = _text(filename, line, row, "title", faults), _vector(filename, line, row, faults)
            by_code[name] = NamedVector(name, title, vector)
    return _without_faults(list(by_code.values()), faults, filename)


def read_variables(content: bytes, filename: str) -> list[NamedVector]:
    """Read columns variable and optionally vector. Raises BadInput with every fault, UnreadableFile."""
    rows, faults = _rows(content, filename, ("variable",))
    variables = [
        NamedVector(_text(filename, line, row, "variable", faults), "", _vector(filename, line, row, faults))
        for line, row in rows
    ]
    return _without_faults(variables, faults, filename)


def _rows(content: bytes, filename: str, columns: Sequence[str]) -> tuple[list[tuple[int, Row]], list[BadRow]]:
    rows, faults = rows_of(content, filename)
    present = {name for _, row in rows for name in row}
    lacking = [name for name in columns if name not in present]
    if lacking and not faults:
        raise BadInput(f"{filename} has no column {', '.join(lacking)}; it needs {', '.join(columns)}.")
    return rows, faults


def _without_faults(entries: list[NamedVector], faults: Sequence[BadRow], filename: str) -> list[NamedVector]:
    if faults:
        raise BadInput("\n".join(map(str, faults)))
    if len({each.vector is None for each in entries}) > 1:
        without = next(each.name for each in entries if each.vector is None)
        raise BadInput(f"{filename}: {without} has no vector and others have; give all or none.")
    return entries


def _text(filename: str, line: int, row: Row, column: str, faults: list[BadRow]) -> str:
    value = row.get(column)
    if isinstance(value, str) and value.strip():
        return " ".join(value.split())
    faults.append(BadRow(filename, line, column, shown(value), "expected text"))
    return ""


def _vector(filename: str, line: int, row: Row, faults: list[BadRow]) -> tuple[float, ...] | None:
    value: Any = row.get("vector")
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = False
    if value is None:
        return None
    if (
        isinstance(value, list)
        and value
        and all(isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) for x in value)
    ):
        return tuple(float(x) for x in value)
    faults.append(BadRow(filename, line, "vector", shown(row["vector"]), "expected a list of numbers"))
    return None
