"""Lists of what runs asked and got: pages by filters, two sides beside each other, what the filters can be set to.

A page costs counts over the items that match, and a sort of one run's items: the runs that a page lies in are known
from the counts. No function here commits.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Table, and_, case, func, or_, select
from sqlmodel import Session

from core.results.compare import SideItem
from core.results.items import SCORED
from core.runs.filters import FailureFilters, Only, Order, Side
from store.tables.runs import RunItemRow, RunRow, RunSampleRow

RUN, SAMPLE, ITEM = (Table(kind.__tablename__, kind.metadata) for kind in (RunRow, RunSampleRow, RunItemRow))
CHUNK = 500
SAID = tuple(sorted(SCORED))


class ItemLine(NamedTuple):
    """One item with what is said of its sample."""

    item_id: str
    run_id: str
    run_number: int
    sample_id: str
    place: int
    key: str
    task: str
    variant: str
    model: str
    repeat: int
    status: str
    fault: str
    answer: str
    predicted: str | None
    is_right: bool | None
    facts: dict[str, Any]


def page(
    session: Session, filters: FailureFilters, searched: Sequence[str], offset: int, limit: int
) -> tuple[Counter[str], list[ItemLine]]:
    """Items by status, of all that match, and one page of them: newest run first, then by place, model and repeat; or
    the hardest samples first. `searched`: the facts of samples that a search looks into."""
    where = _where(filters, searched)
    counted = session.execute(
        _joined(ITEM.c.run_id, RUN.c.number, ITEM.c.status, func.count())
        .where(*where)
        .group_by(ITEM.c.run_id, RUN.c.number, ITEM.c.status)
    ).all()
    by_status: Counter[str] = Counter()
    by_run: Counter[tuple[int, str]] = Counter()
    for run_id, number, status, items in counted:
        by_status[status] += items
        by_run[number, run_id] += items
    if filters.order is Order.HARDEST:
        return by_status, _lines(session, _hardest(where, [run_id for _number, run_id in by_run], offset, limit))
    lines: list[ItemLine] = []
    for (_number, run_id), items in sorted(by_run.items(), reverse=True):
        if offset >= items:
            offset -= items
            continue
        found = _listed().where(*where, ITEM.c.run_id == run_id).order_by(*_order()).offset(offset)
        lines += _lines(session, found.limit(limit - len(lines)))
        offset = 0
        if len(lines) == limit:
            break
    return by_status, lines


def _hardest(where: Sequence[Any], run_ids: Collection[str], offset: int, limit: int) -> Any:
    scored = select(ITEM.c.sample_id, func.avg(case((_right(), 1.0), else_=0.0)).label("share"))
    scored = scored.where(ITEM.c.run_id.in_(list(run_ids)), ITEM.c.is_right.is_not(None))
    shares = scored.group_by(ITEM.c.sample_id).subquery()
    query = _listed().outerjoin(shares, shares.c.sample_id == ITEM.c.sample_id).where(*where)
    by_share = (func.coalesce(shares.c.share, 2.0), RUN.c.number.desc())  # 2: after the easiest
    return query.order_by(*by_share, *_order()).offset(offset).limit(limit)


def right_of(session: Session, sample_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Of each sample: how many of the answers to it are right, and how many are right or wrong; samples without any
    are left out."""
    query = select(ITEM.c.sample_id, func.sum(case((_right(), 1), else_=0)), func.count())
    query = query.where(ITEM.c.sample_id.in_(list(sample_ids)), ITEM.c.is_right.is_not(None))
    return {sample: (int(right), n) for sample, right, n in session.execute(query.group_by(ITEM.c.sample_id))}


def lines_of(session: Session, item_ids: Iterable[str]) -> list[ItemLine]:
    """These items, in the order of lists; unknown ones are missing."""
    listed = list(dict.fromkeys(item_ids))
    found: list[ItemLine] = []
    for start in range(0, len(listed), CHUNK):
        found += _lines(session, _listed().where(ITEM.c.id.in_(listed[start : start + CHUNK])))
    return sorted(
        found, key=lambda line: (-line.run_number, line.task, line.variant, line.key, line.model, line.repeat)
    )


def others_of(session: Session, item_id: str) -> list[ItemLine]:
    """Every other item of a sample with the same content, in any run: other models, other times, other runs."""
    this = select(SAMPLE.c.sample_hash, SAMPLE.c.key).join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
    found = session.execute(this.where(ITEM.c.id == item_id)).one_or_none()
    if found is None:
        return []
    query = _listed().where(SAMPLE.c.sample_hash == found.sample_hash, SAMPLE.c.key == found.key, ITEM.c.id != item_id)
    return _lines(session, query.order_by(RUN.c.number.desc(), ITEM.c.model, ITEM.c.repeat))


@dataclass(frozen=True, slots=True, kw_only=True)
class InUse:
    """What stands in the runs in use, each sorted: (id, "number · title") of runs, newest first, and values."""

    runs: tuple[tuple[str, str], ...]
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    variants: tuple[str, ...]
    expected: tuple[str, ...]
    predicted: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    years: tuple[int, ...]


def values_in_use(session: Session, labels: Iterable[str]) -> InUse:
    """Values of runs, samples and items that are not archived, and of these facts of samples; one query each."""
    listed = select(RUN.c.id, RUN.c.number, RUN.c.title).where(RUN.c.archived_at.is_(None))
    found = session.execute(listed.order_by(RUN.c.number.desc())).all()

    def values(table: Table, column: Any) -> tuple[Any, ...]:
        query = select(column).join_from(table, RUN, RUN.c.id == table.c.run_id).where(RUN.c.archived_at.is_(None))
        return tuple(sorted(each for each in session.execute(query.distinct()).scalars() if each is not None))

    facts = SAMPLE.c.facts
    return InUse(
        runs=tuple((run_id, f"{number} · {title}" if title else str(number)) for run_id, number, title in found),
        models=values(ITEM, ITEM.c.model),
        tasks=values(SAMPLE, SAMPLE.c.task),
        variants=values(SAMPLE, SAMPLE.c.variant),
        expected=values(SAMPLE, SAMPLE.c.answer),
        predicted=values(ITEM, ITEM.c.predicted),
        labels={name: _each(values(SAMPLE, facts[name].as_string())) for name in labels},
        years=values(SAMPLE, facts["year"].as_integer()),
    )


def _each(kept: Iterable[str]) -> tuple[str, ...]:
    """Values that facts hold, sorted: a text is one; a list, which comes as JSON, is several; an empty text is none."""
    found: set[str] = set()
    for value in kept:
        found.update(json.loads(value) if value.startswith('["') or value == "[]" else [value])
    return tuple(sorted(found - {""}))


# --- two sides ---------------------------------------------------------------------------------------------------


def side(session: Session, wanted: Side, filters: FailureFilters, searched: Sequence[str]) -> list[SideItem]:
    """What one side said to the samples that match, in the order of its run; `searched` as in `page`. Sides are held
    beside each other in memory: without an index over contents a join would look at every pair."""
    columns = (
        ITEM.c.id,
        SAMPLE.c.sample_hash,
        SAMPLE.c.key,
        ITEM.c.is_right,
        ITEM.c.predicted,
    )
    asked = (ITEM.c.run_id == wanted.run_id, ITEM.c.model == wanted.model, ITEM.c.repeat == wanted.repeat)
    query = _joined(*columns).where(*asked, *_of_samples(filters, searched)).order_by(SAMPLE.c.place)
    return [
        SideItem(item_id, (sample_hash, key), is_right, predicted)
        for item_id, sample_hash, key, is_right, predicted in session.execute(query)
    ]


# --- filters -----------------------------------------------------------------------------------------------------


def _where(filters: FailureFilters, searched: Sequence[str]) -> list[Any]:
    where = [*_of_items(filters), *_of_samples(filters, searched)]
    # Whoever names a run wants it, archived or not: links to it stay alive.
    return where if filters.runs else [RUN.c.archived_at.is_(None), *where]


def _of_items(filters: FailureFilters) -> list[Any]:
    where: list[Any] = []
    for column, wanted in (
        (ITEM.c.run_id, filters.runs),
        (ITEM.c.model, filters.models),
        (ITEM.c.status, filters.statuses),
        (ITEM.c.predicted, filters.predicted),
    ):
        where += [column.in_([str(each) for each in wanted])] if wanted else []
    if filters.only is Only.RIGHT:
        where.append(_right())
    elif filters.only is Only.WRONG:
        where.append(ITEM.c.is_right.is_(False))
    elif filters.only is Only.UNANSWERED:
        where.append(ITEM.c.status.not_in(SAID))
    return where


def _right() -> Any:
    return ITEM.c.is_right.is_(True)


def _of_samples(filters: FailureFilters, searched: Sequence[str]) -> list[Any]:
    where: list[Any] = []
    for column, wanted in (
        (SAMPLE.c.task, filters.tasks),
        (SAMPLE.c.variant, filters.variants),
        (SAMPLE.c.answer, filters.expected),
    ):
        where += [column.in_(list(wanted))] if wanted else []
    if filters.years:
        where.append(SAMPLE.c.facts["year"].as_integer().between(*filters.years))
    for name, wanted in filters.labels:
        held = SAMPLE.c.facts[name].as_string()  # a list comes as JSON text: its values are plain words
        listed = (and_(held.startswith("["), held.contains(f'"{value}"', autoescape=True)) for value in wanted)
        where += [or_(held.in_(list(wanted)), *listed)] if wanted else []
    for word in filters.search.split():
        said = [SAMPLE.c.facts[name].as_string() for name in searched]
        # A key ends in a hash, in which any short word can stand.
        begins = SAMPLE.c.key.istartswith(word, autoescape=True)
        where.append(or_(begins, *(each.icontains(word, autoescape=True) for each in said)))
    return where


def _joined(*columns: Any) -> Any:
    return (
        select(*columns)
        .select_from(ITEM)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .join(RUN, RUN.c.id == ITEM.c.run_id)
    )


def _listed() -> Any:
    return _joined(
        ITEM.c.id,
        ITEM.c.run_id,
        RUN.c.number,
        ITEM.c.sample_id,
        SAMPLE.c.place,
        SAMPLE.c.key,
        SAMPLE.c.task,
        SAMPLE.c.variant,
        ITEM.c.model,
        ITEM.c.repeat,
        ITEM.c.status,
        ITEM.c.fault,
        SAMPLE.c.answer,
        ITEM.c.predicted,
        ITEM.c.is_right,
        SAMPLE.c.facts,
    )


def _order() -> Sequence[Any]:
    return (SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)


def _lines(session: Session, query: Any) -> list[ItemLine]:
    return [ItemLine(*row) for row in session.execute(query)]


def samples_with(session: Session, run_ids: Collection[str]) -> list[Any]:
    """(id, run, task, variant, key, answer, facts) of the samples of runs, in order."""
    columns = (
        SAMPLE.c.id,
        SAMPLE.c.run_id,
        SAMPLE.c.task,
        SAMPLE.c.variant,
        SAMPLE.c.key,
        SAMPLE.c.answer,
        SAMPLE.c.facts,
    )
    query = select(*columns).where(SAMPLE.c.run_id.in_(list(run_ids))).order_by(SAMPLE.c.run_id, SAMPLE.c.place)
    return list(session.execute(query))
