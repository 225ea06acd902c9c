"""Lists of items: filtered pages, comparison of two sides, and the values of filters. No function here commits.
Conditions on samples filter the few cells first, then samples, then items. A page costs the counts of matching items
and the items of its runs in order; the counts determine the runs. Its lines are read for the page only."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Table, Text, and_, case, cast, func, not_, or_, select
from sqlmodel import Session

from core.analysis.compare import SideItem
from core.analysis.items import SCORED
from core.runs.filters import YEAR, FailureFilters, ItemOrder, OutcomeFilter, Side
from core.runs.states import ModelKind
from store.runs import cells
from store.sql_in import among
from store.tables.runs import ReplyRow, RunCellRow, RunItemRow, RunRoundRow, RunRow, RunSampleRow

RUN, CELL, SAMPLE, ITEM, ROUND, REPLY = (
    Table(kind.__tablename__, kind.metadata)
    for kind in (RunRow, RunCellRow, RunSampleRow, RunItemRow, RunRoundRow, ReplyRow)
)
CHUNK = 500
FEW = 2_000
"""Samples or items that a search finds, up to this number, are addressed by their ids."""
SCORED_STATUSES = tuple(sorted(SCORED))


class ItemLine(NamedTuple):
    """An item with its sample."""

    item_id: str
    run_id: str
    run_number: int
    protocol: str
    sample_id: str
    step: str
    key: str
    task: str
    variant: str
    model: str
    repeat: int
    status: str
    fault: str
    answer: str | None
    predicted: str | None
    is_right: bool | None
    score: float | None
    sample_hash: str
    subject_kind: str | None
    subject_id: str | None
    truth: Any
    slots: dict[str, str] | None
    facts: dict[str, Any]
    parsed: Any  # of an answer with both a label and a truth, such as names; else None


def page(
    session: Session,
    filters: FailureFilters,
    searched: Sequence[str],
    offset: int,
    limit: int,
    without: Collection[str] = (),
) -> tuple[Counter[str], list[ItemLine], int]:
    """Return matching items by status, one page, and the number of baselines' items left out: newest run first, then
    by place, model and repeat; or the hardest samples first. searched: the facts in which the search looks. without:
    samples to skip."""
    where, of_samples = _of_items(session, filters), _of_samples(session, filters, searched)
    where += [ITEM.c.sample_id.not_in(list(without))] if without else []
    if filters.search:
        # A search reads all samples, so few matches are addressed by id instead of searching twice.
        sample_ids = session.execute(select(SAMPLE.c.id).where(*of_samples).limit(FEW + 1)).scalars().all()
        of_samples = of_samples if len(sample_ids) > FEW else [among(session, SAMPLE.c.id, sample_ids)]
    chosen = [ITEM.c.sample_id.in_(select(SAMPLE.c.id).where(*of_samples))] if of_samples else []
    hidden = None if filters.has_baselines or filters.models else _of_baselines(session)
    groups = (ITEM.c.run_id, ITEM.c.status, *([] if hidden is None else [hidden]))
    counts = session.execute(select(*groups, func.count()).where(*where, *chosen).group_by(*groups)).all()
    # Where baselines alone match, they are listed.
    is_left_out = hidden is not None and not all(row[2] for row in counts)
    by_status, by_run, left_out = Counter[str](), Counter[str](), 0
    for run_id, status, *is_hidden, items in counts:
        if is_left_out and any(is_hidden):
            left_out += items
        else:
            by_status[status] += items
            by_run[run_id] += items
    if is_left_out:
        assert hidden is not None
        where.append(not_(hidden))
    if filters.order is ItemOrder.HARDEST:
        hardest = _hardest([*where, *chosen], list(by_run))
        lines = _in_order(session, session.execute(hardest.offset(offset).limit(limit)).scalars().all())
        return by_status, lines, left_out
    if filters.order is ItemOrder.LOWEST:
        return by_status, _in_order(session, _lowest(session, [*where, *chosen], offset, limit)), left_out
    ids: list[str] = []
    for run_id in session.execute(select(RUN.c.id).order_by(RUN.c.number.desc())).scalars().all():
        if offset >= by_run[run_id]:
            offset -= by_run[run_id]
            continue
        # Filtering by the samples' run reads samples and items in index order, which is the list's order: once the
        # page is full, no further sample is read.
        query = _with_samples(ITEM.c.id).where(SAMPLE.c.run_id == run_id, *where, *of_samples).order_by(*_order())
        ids += session.execute(query.offset(offset).limit(limit - len(ids))).scalars()
        offset = 0
        if len(ids) == limit:
            break
    return by_status, _in_order(session, ids), left_out


def ids(session: Session, filters: FailureFilters, searched: Sequence[str] = ()) -> list[str]:
    """Return the ids of all items that match, in no order of lists; those of baselines too. searched: as for `page`."""
    where, of_samples = _of_items(session, filters), _of_samples(session, filters, searched)
    where += [ITEM.c.sample_id.in_(select(SAMPLE.c.id).where(*of_samples))] if of_samples else []
    return list(session.execute(select(ITEM.c.id).where(*where).order_by(ITEM.c.id)).scalars())


def _in_order(session: Session, item_ids: Sequence[str]) -> list[ItemLine]:
    lines = {line.item_id: line for line in _of(session, item_ids)}
    return [lines[item_id] for item_id in item_ids]


def _lowest(session: Session, where: Sequence[Any], offset: int, limit: int) -> Sequence[str]:
    """Return the ids of the lowest scores; equal scores are ordered by creation."""
    query = select(ITEM.c.id).where(*where).order_by(ITEM.c.score.is_(None), ITEM.c.score, ITEM.c.id)
    return list(session.execute(query.offset(offset).limit(limit)).scalars())


def _hardest(where: Sequence[Any], run_ids: Collection[str]) -> Any:
    scored = select(ITEM.c.sample_id, func.avg(case((_right(), 1.0), else_=0.0)).label("share"))
    scored = scored.where(ITEM.c.run_id.in_(list(run_ids)), ITEM.c.is_right.is_not(None))
    shares = scored.group_by(ITEM.c.sample_id).subquery()
    query = _with_samples(ITEM.c.id).outerjoin(shares, shares.c.sample_id == ITEM.c.sample_id).where(*where)
    by_share = (func.coalesce(shares.c.share, 2.0), RUN.c.number.desc())  # 2: after the easiest
    return query.order_by(*by_share, *_order())


def right_of(session: Session, sample_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Return sample → (right answers, right or wrong answers); samples without any are missing."""
    query = select(ITEM.c.sample_id, func.sum(case((_right(), 1), else_=0)), func.count())
    query = query.where(ITEM.c.sample_id.in_(list(sample_ids)), ITEM.c.is_right.is_not(None))
    return {sample: (int(right), n) for sample, right, n in session.execute(query.group_by(ITEM.c.sample_id))}


def lines_of(session: Session, item_ids: Iterable[str]) -> list[ItemLine]:
    """Return these items, in the order of lists; unknown ones are missing."""
    lines = _of(session, list(dict.fromkeys(item_ids)))
    return sorted(
        lines, key=lambda line: (-line.run_number, line.task, line.variant, line.key, line.model, line.repeat)
    )


def names_of(session: Session, sample_ids: Collection[str]) -> set[str]:
    """Return the hash and key of samples, by which they are equal in every run."""
    if not sample_ids:
        return set()
    query = select(SAMPLE.c.sample_hash, SAMPLE.c.key).where(among(session, SAMPLE.c.id, list(sample_ids)))
    return {f"{row.sample_hash}/{row.key}" for row in session.execute(query)}


def names_with(session: Session, run_ids: Sequence[str], search: str, searched: Sequence[str]) -> set[str]:
    """Return the hash and key of the samples of runs that contain every word of a search."""
    where = [SAMPLE.c.run_id.in_(list(run_ids)), *_says(session, search.split(), searched)]
    query = select(SAMPLE.c.sample_hash, SAMPLE.c.key).where(*where)
    return {f"{row.sample_hash}/{row.key}" for row in session.execute(query)}


def others_of(session: Session, item_id: str) -> list[ItemLine]:
    """Return the other items of samples with the same content: other models, repeats and runs."""
    this = select(SAMPLE.c.sample_hash, SAMPLE.c.key).join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
    sample = session.execute(this.where(ITEM.c.id == item_id)).one_or_none()
    if sample is None:
        return []
    query = _listed().where(
        SAMPLE.c.sample_hash == sample.sample_hash, SAMPLE.c.key == sample.key, ITEM.c.id != item_id
    )
    return _lines(session, query.order_by(RUN.c.number.desc(), ITEM.c.model, ITEM.c.repeat))


@dataclass(frozen=True, slots=True, kw_only=True)
class InUse:
    """Values in runs in use, sorted."""

    runs: tuple[tuple[str, str], ...]  # (id, "number · title"), newest first
    protocols: Mapping[str, str]  # by run id
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    variants: tuple[str, ...]
    expected: tuple[str, ...]
    predicted: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    years: tuple[int, ...]


def values_in_use(session: Session, labels: Iterable[str]) -> InUse:
    """Return the values of runs, samples and items in use, and of these labels. Models come from the runs' settings,
    so that no item is read for them."""
    listed = select(RUN.c.id, RUN.c.number, RUN.c.title, RUN.c.protocol).where(RUN.c.archived_at.is_(None))
    runs = session.execute(listed.order_by(RUN.c.number.desc())).all()

    # As text, which is equal for most runs.
    of_models = select(cast(RUN.c.settings["models"], Text)).where(RUN.c.archived_at.is_(None)).distinct()
    set_up = [json.loads(models) for models in session.execute(of_models).scalars() if models]

    # Joined by cell, samples are read from a covering index.
    of_samples = (
        select(SAMPLE.c.task, SAMPLE.c.variant, SAMPLE.c.answer)
        .join(CELL, CELL.c.id == SAMPLE.c.cell_id)
        .join(RUN, RUN.c.id == CELL.c.run_id)
        .where(RUN.c.archived_at.is_(None))
    )
    samples = session.execute(of_samples.distinct()).all()
    predicted = select(ITEM.c.predicted).where(ITEM.c.predicted.is_not(None), _is_listed()).distinct()
    names = tuple(labels)
    label_values = cells.values_in_use(session, {*names, YEAR})
    return InUse(
        runs=tuple((row.id, f"{row.number} · {row.title}" if row.title else str(row.number)) for row in runs),
        protocols={row.id: row.protocol for row in runs},
        models=tuple(sorted({name for models in set_up for name, about in models.items() if not about.get("embeds")})),
        tasks=tuple(sorted({row.task for row in samples})),
        variants=tuple(sorted({row.variant for row in samples})),
        expected=tuple(sorted({row.answer for row in samples if row.answer is not None})),
        predicted=tuple(sorted(session.execute(predicted).scalars())),
        labels={name: label_values[name] for name in names},
        years=tuple(int(year) for year in label_values[YEAR] if len(year) == 4 and year.isascii() and year.isdecimal()),
    )


# --- two sides ---------------------------------------------------------------------------------------------------


def side(
    session: Session, wanted: Side, filters: FailureFilters, searched: Sequence[str], without: Collection[str] = ()
) -> list[SideItem]:
    """Return the items of one side for samples that match, in run order; other arguments as in `page`. The sides are
    compared in memory: without an index over contents a join would read every pair."""
    columns = (
        ITEM.c.id,
        SAMPLE.c.sample_hash,
        SAMPLE.c.key,
        SAMPLE.c.task,
        SAMPLE.c.variant,
        ITEM.c.is_right,
        ITEM.c.predicted,
        ITEM.c.score,
    )
    of_side = (ITEM.c.run_id == wanted.run_id, ITEM.c.model == wanted.model, ITEM.c.repeat == wanted.repeat)
    where = _of_samples(session, replace(filters, runs=(wanted.run_id,)), searched)
    query = _with_samples(*columns).where(*of_side, *where).order_by(SAMPLE.c.place)
    query = query.where(SAMPLE.c.id.not_in(list(without))) if without else query
    return [
        SideItem(item_id, tuple(sample), is_right, predicted, score)
        for item_id, *sample, is_right, predicted, score in session.execute(query)
    ]


# --- filters -----------------------------------------------------------------------------------------------------


def _of_items(session: Session, filters: FailureFilters) -> list[Any]:
    # A named run is included even if archived, so that links to it keep working.
    where: list[Any] = [] if filters.runs else [_is_listed()]
    for column, options in (
        (ITEM.c.run_id, filters.runs),
        (ITEM.c.model, filters.models),
        (ITEM.c.status, filters.statuses),
        (ITEM.c.predicted, filters.predicted),
    ):
        where += [column.in_([str(each) for each in options])] if options else []
    if filters.only is OutcomeFilter.RIGHT:
        where.append(_right())
    elif filters.only is OutcomeFilter.WRONG:
        where.append(ITEM.c.is_right.is_(False))
    elif filters.only is OutcomeFilter.UNANSWERED:
        where.append(ITEM.c.status.not_in(SCORED_STATUSES))
    where += [_replied(session, filters)] if filters.replied.split() else []
    return where


def _replied(session: Session, filters: FailureFilters) -> Any:
    """Return the condition that a reply of an item, or its reasoning, has every word. A page asks several times: few
    items are looked up once and addressed by id; of many, each item's own reply is read, so that a page ends early."""
    says = [_in_reply(session, word) for word in filters.replied.split()]
    first = select(ITEM.c.id).join(REPLY, REPLY.c.request_hash == ITEM.c.request_hash).where(*says)
    first = first.where(ITEM.c.run_id.in_(filters.runs)) if filters.runs else first
    further = select(ROUND.c.item_id).join(REPLY, REPLY.c.request_hash == ROUND.c.request_hash).where(*says)
    ids = [*session.execute(first.limit(FEW + 1)).scalars(), *session.execute(further.limit(FEW + 1)).scalars()]
    if len(ids) <= FEW:
        return among(session, ITEM.c.id, ids)
    own = select(REPLY.c.request_hash).where(REPLY.c.request_hash == ITEM.c.request_hash, *says).exists()
    return or_(own, ITEM.c.id.in_(further))


def _in_reply(session: Session, word: str) -> Any:
    is_plain = session.get_bind().dialect.name == "sqlite" and word.isascii()  # as in `_says`
    texts = (REPLY.c.text, REPLY.c.reasoning)
    return or_(*((each.contains if is_plain else each.icontains)(word, autoescape=True) for each in texts))


def _of_baselines(session: Session) -> Any | None:
    """Return the condition that an item is a baseline's, by the settings of its run; None if no run has a baseline."""
    runs_of: dict[str, list[str]] = {}  # by the run's models as text, which is equal for most runs
    for run_id, models in session.execute(select(RUN.c.id, cast(RUN.c.settings["models"], Text))):
        runs_of.setdefault(models or "{}", []).append(run_id)
    conditions = []
    for models, run_ids in runs_of.items():
        names = [name for name, about in json.loads(models).items() if about.get("kind") == ModelKind.BASELINE]
        if names:
            conditions.append(and_(ITEM.c.run_id.in_(run_ids), ITEM.c.model.in_(names)))
    return or_(*conditions) if conditions else None


def _is_listed() -> Any:
    """Return the condition that an item's run is in use; not a join, which would look up a run per item."""
    return ITEM.c.run_id.not_in(select(RUN.c.id).where(RUN.c.archived_at.is_not(None)))


def _right() -> Any:
    return ITEM.c.is_right.is_(True)


def _of_samples(session: Session, filters: FailureFilters, searched: Sequence[str]) -> list[Any]:
    where: list[Any] = []
    for column, labels in (
        (SAMPLE.c.task, filters.tasks),
        (SAMPLE.c.variant, filters.variants),
        (SAMPLE.c.answer, filters.expected),
    ):
        where += [column.in_(list(labels))] if labels else []
    where += _says(session, filters.search.split(), searched)
    if filters.years or any(labels for _name, labels in filters.labels) or (where and not filters.search):
        # Joined by cell, samples are read from an index that covers all conditions except the search.
        where.insert(0, SAMPLE.c.cell_id.in_(cells.matching(session, filters)))
    elif where:
        where.insert(0, SAMPLE.c.run_id.in_(cells.runs_of(filters)))
    return where


def _says(session: Session, words: Sequence[str], searched: Sequence[str]) -> list[Any]:
    """Return conditions that a sample contains every word, ignoring case. Facts are searched as JSON text before any
    is parsed, since few match; with ASCII words SQLite uses its own LIKE, not the slower Unicode function."""
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    written, opened = list[Any](), list[Any]()
    for word in words:
        is_plain = is_sqlite and word.isascii()
        # A key ends in a hash, which may contain any short word.
        begins = (SAMPLE.c.key.startswith if is_plain else SAMPLE.c.key.istartswith)(word, autoescape=True)
        facts = [SAMPLE.c.facts[name].as_string() for name in searched]
        holds = [(each.contains if is_plain else each.icontains)(word, autoescape=True) for each in facts]
        letters = max(_LETTERS.findall(word), key=len, default="")
        if letters:
            text = cast(SAMPLE.c.facts, Text)  # JSON never escapes letters and digits
            written.append(or_(begins, text.contains(letters) if is_sqlite else text.icontains(letters)))
        opened.append(or_(begins, *holds))
    return [*written, *opened]


_LETTERS = re.compile("[A-Za-z0-9]+")


def _with_samples(*columns: Any) -> Any:
    joined = select(*columns).select_from(ITEM).join(RUN, RUN.c.id == ITEM.c.run_id)
    return joined.join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)


def _listed() -> Any:
    return _with_samples(
        ITEM.c.id,
        ITEM.c.run_id,
        RUN.c.number,
        RUN.c.protocol,
        ITEM.c.sample_id,
        SAMPLE.c.step,
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
        ITEM.c.score,
        SAMPLE.c.sample_hash,
        SAMPLE.c.subject_kind,
        SAMPLE.c.subject_id,
        SAMPLE.c.truth,
        SAMPLE.c.slots,
        SAMPLE.c.facts,
        case((SAMPLE.c.answer.is_not(None) & SAMPLE.c.truth.is_not(None), ITEM.c.parsed)),
    )


def _order() -> Sequence[Any]:
    return (SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)


def _of(session: Session, item_ids: Sequence[str]) -> list[ItemLine]:
    lines: list[ItemLine] = []
    for start in range(0, len(item_ids), CHUNK):
        lines += _lines(session, _listed().where(ITEM.c.id.in_(item_ids[start : start + CHUNK])))
    return lines


def _lines(session: Session, query: Any) -> list[ItemLine]:
    return [ItemLine(*row) for row in session.execute(query)]
