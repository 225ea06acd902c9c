"""Cells of a run: one row per combination of labels of its samples, so that filters read few rows first. No function
here commits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Select, Text, cast, exists, func, insert, or_, select
from sqlmodel import Session

from core.runs.filters import YEAR, FailureFilters
from store.tables import metadata, new_id

CELL, RUN = (metadata.tables[name] for name in ("run_cell", "run"))
CHUNK = 500
Labels = Mapping[str, Sequence[str]]


def canonical_labels(labels: Labels) -> dict[str, list[str]]:
    """Return labels as a cell stores them: each value once, sorted; names without values dropped."""
    return {name: sorted(set(values)) for name, values in sorted(labels.items()) if values}


def hash_of(labels: Labels) -> str:
    text = json.dumps(canonical_labels(labels), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def hashes_of(labels: Iterable[Labels]) -> list[str]:
    """Return `hash_of` for each; computed once for the thousands that share labels."""
    known: dict[Hashable, str] = {}
    same: dict[int, tuple[str, Labels]] = {}  # with the labels, so that no others can have their id
    hashes = []
    for each in labels:
        if id(each) not in same:
            key = tuple((name, tuple(values)) for name, values in each.items())
            if key not in known:
                known[key] = hash_of(each)
            same[id(each)] = known[key], each
        hashes.append(same[id(each)][0])
    return hashes


def keep(session: Session, run_id: str, labels: Iterable[Labels]) -> list[str]:
    """Return the cell ids of samples with these labels, in order; missing cells are inserted. If two transactions
    insert the same cell, the second raises sqlalchemy's IntegrityError."""
    all_labels = list(labels)
    hashed = list(zip(hashes_of(all_labels), all_labels, strict=True))
    known: dict[str, str] = {}
    hashes = sorted({key for key, _ in hashed})
    for start in range(0, len(hashes), CHUNK):
        query = select(CELL.c.hash, CELL.c.id).where(CELL.c.run_id == run_id)
        some = query.where(CELL.c.hash.in_(hashes[start : start + CHUNK]))
        known |= {row.hash: row.id for row in session.execute(some)}
    rows: list[dict[str, Any]] = []
    for key, each in hashed:
        if key not in known:
            known[key] = new_id()
            rows.append({"id": known[key], "run_id": run_id, "hash": key, "labels": canonical_labels(each)})
    for start in range(0, len(rows), CHUNK):
        session.connection().execute(insert(CELL), rows[start : start + CHUNK])
    return [known[key] for key, _ in hashed]


def labels_of(session: Session, run_id: str) -> dict[str, dict[str, list[str]]]:
    query = select(CELL.c.id, CELL.c.labels).where(CELL.c.run_id == run_id)
    return {row.id: row.labels for row in session.execute(query)}


def values_in_use(session: Session, names: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the sorted values of these labels in runs in use. One DISTINCT query: most cells of different runs are
    equal."""
    query = select(cast(CELL.c.labels, Text)).join(RUN, RUN.c.id == CELL.c.run_id).where(RUN.c.archived_at.is_(None))
    values_by_name: dict[str, set[str]] = {name: set() for name in names}
    for cell_labels in session.execute(query.distinct()).scalars():
        labels = json.loads(cell_labels)
        for name, values in values_by_name.items():
            values.update(labels.get(name, ()))
    return {name: tuple(sorted(values)) for name, values in values_by_name.items()}


def matching(session: Session, filters: FailureFilters) -> Select[tuple[str]]:
    """Return a query for the ids of cells that match the runs, labels and years of the filters; without runs, of all
    runs in use."""
    where: list[Any] = [CELL.c.run_id.in_(runs_of(filters))]
    where += [_has_one(session, name, options) for name, options in filters.labels if options]
    if filters.years:
        low, high = (f"{max(0, min(year, 9999)):04}" for year in filters.years)
        value = _values(session, YEAR)
        years = func.length(value.c.value) == len(low), value.c.value.between(low, high)
        where.append(exists(select(1).select_from(value).where(*years)))
    return select(CELL.c.id).where(*where)


def runs_of(filters: FailureFilters) -> Any:
    """Return the named runs, or a query for all runs in use."""
    return filters.runs or select(RUN.c.id).where(RUN.c.archived_at.is_(None))


def _has_one(session: Session, name: str, options: Sequence[str]) -> Any:
    value = _values(session, name)
    has = exists(select(1).select_from(value).where(value.c.value.in_(list(options))))
    return or_(has, ~exists(select(1).select_from(value))) if "" in options else has


def _values(session: Session, name: str) -> Any:
    """Return a label's values as rows joined to their cell, with each database's JSON function."""
    if session.get_bind().dialect.name == "sqlite":
        opened = func.json_each(CELL.c.labels, f"$.{json.dumps(name)}")
    else:
        opened = func.json_array_elements_text(CELL.c.labels[name])
    return opened.table_valued("value")
