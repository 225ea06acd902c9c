"""A study grown many times: every paper, figure, drawing, text, triplet, score, run, verdict and event of it copied
under new ids."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

COPIED = (
    "paper",
    "figure",
    "paper_text",
    "paper_text_change",
    "sample_table",
    "sample_row",
    "triplet_paper",
    "graph",
    "triplet",
    "alignment",
    "assignment",
    "critic_score",
    "node",
    "edge",
    "effort",
    "expert_score",
    "ruling",
    "queue_entry",
    "mark",
    "run",
    "run_cell",
    "run_sample",
    "run_item",
    "attempt",
    "verdict_sheet",
    "person_label",
    "verdict_override",
    "verdict_reviewed",
    "event",
)
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
EVENT = "event"


def grow(store: Path, times: int) -> dict[str, int]:
    """Make a SQLite study `times` as large; returns how many rows each table has now.

    People, settings, files, training, replies and releases stay as they are, so that the same people have many times
    the work.
    """
    with sqlite3.connect(store) as connection:
        heads = {table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in COPIED}
        rows = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in COPIED}
        own = {row[heads[table].index("id")] for table in COPIED if "id" in heads[table] for row in rows[table]}
        last, runs = max(row[0] for row in rows[EVENT]), len(rows["run"])
        rows = _without(rows, heads, {each for each in own if not ID.fullmatch(each)})
        for number in range(1, times):
            new = {each: str(uuid5(NAMESPACE_OID, f"{number} {each}")) for each in own}
            for table in COPIED:
                copies = (_copy(row, new) for row in rows[table])
                if table == EVENT:
                    copies = (_moved(row, heads[EVENT], number * last) for row in copies)
                if table == "triplet_paper":
                    copies = (_renamed(row, heads[table].index("external_id"), number) for row in copies)
                if table == "run":
                    copies = (_numbered(row, heads[table].index("number"), number * runs) for row in copies)
                connection.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(heads[table]))})", copies)
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in COPIED}


def _without(
    rows: dict[str, list[tuple[Any, ...]]], heads: dict[str, list[str]], single: set[str]
) -> dict[str, list[tuple[Any, ...]]]:
    """Rows without those of fixed names (the training's paper and figure) and all that hangs on them."""
    kept = {table: [row for row in listed if not single.intersection(row)] for table, listed in rows.items()}
    gone = {
        row[heads[table].index("id")]
        for table, listed in rows.items()
        if "id" in heads[table]
        for row in listed
        if single.intersection(row)
    }
    return kept if gone <= single else _without(kept, heads, single | gone)


def _copy(row: tuple[Any, ...], new: dict[str, str]) -> tuple[Any, ...]:
    """The row with every id in it, also inside JSON, exchanged for its copy's."""
    return tuple(
        ID.sub(lambda found: new.get(found[0], found[0]), value) if isinstance(value, str) else value for value in row
    )


def _moved(row: tuple[Any, ...], head: list[str], by: int) -> tuple[Any, ...]:
    """An event behind all that are there; `undoes` names an event by its place too."""
    undoes = head.index("undoes")
    return tuple(value + by if place in (0, undoes) and value is not None else value for place, value in enumerate(row))


def _renamed(row: tuple[Any, ...], place: int, number: int) -> tuple[Any, ...]:
    return (*row[:place], f"{row[place]}~{number}", *row[place + 1 :])


def _numbered(row: tuple[Any, ...], place: int, by: int) -> tuple[Any, ...]:
    return (*row[:place], row[place] + by, *row[place + 1 :])
