"""Progress of runs, counted from their items and attempts, never stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlmodel import Session

from core.runs.states import IMPLAUSIBLE_USAGE, AttemptState, ItemStatus
from core.runs.windows import NUMBERED, read_numbered
from store.runs.items import ATTEMPT
from store.runs.replies import resends
from store.runs.runs import ITEM, RUN, SAMPLE

IS_FAULT = ATTEMPT.c.state.in_([AttemptState.ERROR.value, AttemptState.UNSENT.value]) & (ATTEMPT.c.kind != "")
"""A failed attempt. One whose run was halted before it was sent has no kind: nothing failed."""


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """Attempts that failed in one way, with the message of the newest."""

    kind: str
    count: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressFacts:
    """The state of a run at one moment."""

    by_status: Mapping[str, Mapping[str, int]]  # model → status → items
    retrying: int  # pending items with a failed attempt
    cached: int
    in_flight: int  # requests without a reply yet
    answered_since: int  # items that ended since the given time
    cached_since: int  # of these, without a request
    requests: int  # attempts that were sent
    unsent: int  # attempts that were not
    tokens_in: int
    tokens_out: int
    cost_usd: float
    without_cost: int  # answered attempts without a known cost, except implausible ones
    implausible: int  # attempts whose reported usage is impossible
    uncertain: int
    resends: int
    errors: tuple[ErrorCount, ...]


def by_status(session: Session, run_ids: Collection[str]) -> dict[str, dict[str, dict[str, int]]]:
    """Return run → model → status → number of items; unwritten items are pending."""
    query = (
        select(ITEM.c.run_id, ITEM.c.model, ITEM.c.status, func.count())
        .where(ITEM.c.run_id.in_(list(run_ids)))
        .group_by(ITEM.c.run_id, ITEM.c.model, ITEM.c.status)
    )
    counts: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for run_id, model, status, count in session.execute(query):
        counts[run_id][model][status] = count
    for run_id, models in unwritten(session, run_ids).items():
        for model, count in models.items():
            of_model = counts[run_id][model]
            of_model[ItemStatus.PENDING.value] = of_model.get(ItemStatus.PENDING.value, 0) + count
    return {run_id: dict(models) for run_id, models in counts.items()}


def unwritten(session: Session, run_ids: Collection[str] | None) -> dict[str, dict[str, int]]:
    """Return run → model → unwritten items, of runs with numbered samples. None: all runs in use."""
    query = select(RUN.c.id, RUN.c.next_place, RUN.c.manifest[NUMBERED]).where(RUN.c.next_place.is_not(None))
    rows = session.execute(query.where(RUN.c.archived_at.is_(None) if run_ids is None else RUN.c.id.in_(list(run_ids))))
    return {run_id: read_numbered(numbered).unwritten(next_place) for run_id, next_place, numbered in rows}


class OpenCells(NamedTuple):
    """Cells of a run with open items. `least`, `most`: items of a model that ended in one of them."""

    cells: int
    least: int
    most: int


def open_cells(session: Session, run_id: str) -> OpenCells | None:
    """Return the range of ended items over written cells with pending items; None without any."""
    is_pending = ITEM.c.status == ItemStatus.PENDING.value
    of = (SAMPLE.c.cell_id, SAMPLE.c.task, SAMPLE.c.variant)
    query = (
        select(*of, func.count().filter(~is_pending))
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(SAMPLE.c.run_id == run_id)
        .group_by(*of, ITEM.c.model)
        .having(func.count().filter(is_pending) > 0)
    )
    ended = [(row[:3], row[3]) for row in session.execute(query)]
    many = [each for _, each in ended]
    return OpenCells(len({cell for cell, _ in ended}), min(many), max(many)) if many else None


def progress_facts(session: Session, run_id: str, since: datetime) -> ProgressFacts:
    """Return all counts of the progress page, at one moment."""
    is_pending = ITEM.c.status == ItemStatus.PENDING.value
    items = session.execute(
        select(
            func.count().filter(is_pending & (ITEM.c.attempts > 0)),
            func.count().filter(ITEM.c.was_cached),
            func.count().filter(ITEM.c.done_at > since),
            func.count().filter((ITEM.c.done_at > since) & ITEM.c.was_cached),
        ).where(ITEM.c.run_id == run_id)
    ).one()
    state, is_implausible = ATTEMPT.c.state, ATTEMPT.c.kind == IMPLAUSIBLE_USAGE
    is_answered = state == AttemptState.ANSWERED.value
    sent = session.execute(
        select(
            func.count().filter(state == AttemptState.SENT.value),
            func.count().filter(state != AttemptState.UNSENT.value),
            func.coalesce(func.sum(ATTEMPT.c.tokens_in), 0),
            func.coalesce(func.sum(ATTEMPT.c.tokens_out), 0),
            func.coalesce(func.sum(ATTEMPT.c.cost_usd), 0.0),
            func.count().filter(is_answered & ~is_implausible & ATTEMPT.c.cost_usd.is_(None)),
            func.count().filter(state == AttemptState.UNCERTAIN.value),
            func.count().filter(state == AttemptState.UNSENT.value),
            func.count().filter(is_answered & is_implausible),
        ).where(ATTEMPT.c.run_id == run_id)
    ).one()
    return ProgressFacts(
        by_status=by_status(session, [run_id]).get(run_id, {}),
        retrying=items[0],
        cached=items[1],
        answered_since=items[2],
        cached_since=items[3],
        in_flight=sent[0],
        requests=sent[1],
        tokens_in=int(sent[2]),
        tokens_out=int(sent[3]),
        cost_usd=float(sent[4]),
        without_cost=sent[5],
        uncertain=sent[6],
        unsent=sent[7],
        implausible=sent[8],
        resends=len(resends(session, run_id)) if sent[6] else 0,
        errors=_errors(session, run_id),
    )


def _errors(session: Session, run_id: str) -> tuple[ErrorCount, ...]:
    failed = (ATTEMPT.c.run_id == run_id) & IS_FAULT
    counts = select(ATTEMPT.c.kind, func.count(), func.max(ATTEMPT.c.id)).where(failed).group_by(ATTEMPT.c.kind)
    rows = session.execute(counts).all()
    words = select(ATTEMPT.c.id, ATTEMPT.c.message).where(ATTEMPT.c.id.in_([row[2] for row in rows]))
    messages = {row[0]: row[1] for row in session.execute(words)}
    error_counts = (ErrorCount(kind, count, messages[newest]) for kind, count, newest in rows)
    return tuple(sorted(error_counts, key=lambda each: (-each.count, each.kind)))
