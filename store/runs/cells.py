"""Cells of a run: one row for each combination of labels that its samples have, so that a filter asks few rows first.

No function here commits.
"""

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


def kept(labels: Labels) -> dict[str, list[str]]:
    """Labels as a cell keeps them: each value once, sorted; a name without values is left out."""
    return {name: sorted(set(values)) for name, values in sorted(labels.items()) if values}


def hash_of(labels: Labels) -> str:
    """SHA-256 of labels as they are kept."""
    text = json.dumps(kept(labels), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def hashes_of(labels: Iterable[Labels]) -> list[str]:
    """`hash_of` each; of the thousands that have the same labels it is made once."""
    known: dict[Hashable, str] = {}
    same: dict[int, tuple[str, Labels]] = {}  # with the labels, so that no others can have their id
    found = []
    for each in labels:
        if id(each) not in same:
            key = tuple((name, tuple(values)) for name, values in each.items())
            if key not in known:
                known[key] = hash_of(each)
            same[id(each)] = known[key], each
        found.append(same[id(each)][0])
    return found


def keep(session: Session, run_id: str, labels: Iterable[Labels]) -> list[str]:
    """The cells of samples with these labels, one id for each in their order; cells that a run lacks are made. Two that
    make the same cell of a run at one moment: the second raises sqlalchemy's IntegrityError."""
    given = list(labels)
    asked = list(zip(hashes_of(given), given, strict=True))
    known = _known(session, run_id, sorted({key for key, _ in asked}))
    rows: list[dict[str, Any]] = []
    for key, each in asked:
        if key not in known:
            known[key] = new_id()
            rows.append({"id": known[key], "run_id": run_id, "hash": key, "labels": kept(each)})
    for start in range(0, len(rows), CHUNK):
        session.connection().execute(insert(CELL), rows[start : start + CHUNK])
    return [known[key] for key, _ in asked]


def _known(session: Session, run_id: str, hashes: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for start in range(0, len(hashes), CHUNK):
        query = select(CELL.c.hash, CELL.c.id).where(CELL.c.run_id == run_id)
        some = query.where(CELL.c.hash.in_(hashes[start : start + CHUNK]))
        found |= {row.hash: row.id for row in session.execute(some)}
    return found


def labels_of(session: Session, run_id: str) -> dict[str, dict[str, list[str]]]:
    """Cell → its labels, of all cells of a run."""
    query = select(CELL.c.id, CELL.c.labels).where(CELL.c.run_id == run_id)
    return {row.id: row.labels for row in session.execute(query)}


def values_in_use(session: Session, names: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The values of these labels in runs that are not archived, sorted: one look at all cells, of which most are alike
    in many runs."""
    query = select(cast(CELL.c.labels, Text)).join(RUN, RUN.c.id == CELL.c.run_id).where(RUN.c.archived_at.is_(None))
    found: dict[str, set[str]] = {name: set() for name in names}
    for said in session.execute(query.distinct()).scalars():
        labels = json.loads(said)
        for name, values in found.items():
            values.update(labels.get(name, ()))
    return {name: tuple(sorted(values)) for name, values in found.items()}


def matching(session: Session, filters: FailureFilters) -> Select[tuple[str]]:
    """A query for the ids of the cells that runs, labels and years of the filters let through; where they name no run,
    of those that are not archived."""
    where: list[Any] = [CELL.c.run_id.in_(runs_of(filters))]
    where += [_has_one(session, name, wanted) for name, wanted in filters.labels if wanted]
    if filters.years:
        low, high = (f"{max(0, min(year, 9999)):04}" for year in filters.years)
        value = _values(session, YEAR)
        years = func.length(value.c.value) == len(low), value.c.value.between(low, high)
        where.append(exists(select(1).select_from(value).where(*years)))
    return select(CELL.c.id).where(*where)


def runs_of(filters: FailureFilters) -> Any:
    """The runs that are named, or else a query for those that are not archived."""
    return filters.runs or select(RUN.c.id).where(RUN.c.archived_at.is_(None))


def _has_one(session: Session, name: str, wanted: Sequence[str]) -> Any:
    value = _values(session, name)
    has = exists(select(1).select_from(value).where(value.c.value.in_(list(wanted))))
    return or_(has, ~exists(select(1).select_from(value))) if "" in wanted else has


def _values(session: Session, name: str) -> Any:
    """A label's values as rows beside their cell; both databases open a JSON list, each by a function of its own."""
    if session.get_bind().dialect.name == "sqlite":
        opened = func.json_each(CELL.c.labels, f"$.{json.dumps(name)}")
    else:
        opened = func.json_array_elements_text(CELL.c.labels[name])
    return opened.table_valued("value")
