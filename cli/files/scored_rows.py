"""Rows of JSON lines with scores of items, each item once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli.files.files import name_of
from cli.files.json_files import read_json_lines, shortened
from core.errors import BadInput


def read_scored_rows(file: Path, scores: Mapping[str, bool]) -> list[tuple[str, list[float | None]]]:
    """Return the cluster and the scores of each row; an item without a cluster is one of its own. `scores`: name of
    each score, True if it may be null. Raises BadInput that names every fault with its line."""
    faults: list[str] = []
    lines: dict[str, int] = {}
    rows: list[tuple[str, list[float | None]]] = []
    for line, row in read_json_lines(file):
        item, cluster = row.get("item"), row.get("cluster")
        if not isinstance(item, str | int) or isinstance(item, bool):
            faults.append(f"Line {line}: `item` is {shortened(item)}; a name or a number is needed.")
        elif lines.setdefault(str(item), line) != line:
            faults.append(f"Item {item} is on lines {lines[str(item)]} and {line}.")
        values = [row.get(name) for name in scores]
        for (name, is_optional), value in zip(scores.items(), values, strict=True):
            if not (_is_number(value) or (value is None and is_optional)):
                needed = "a number or null" if is_optional else "a number"
                faults.append(f"Line {line}: `{name}` is {shortened(value)}; {needed} is needed.")
        rows.append((f"item {item}" if cluster is None else f"cluster {cluster}", values))
    if faults:
        raise BadInput("\n".join(f"{name_of(file)}: {fault}" for fault in faults))
    return rows


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
