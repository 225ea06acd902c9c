"""How far runs are: counted from their items and attempts, never kept beside them."""

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
"""An attempt that failed. One whose run was halted before it left has no kind: nothing went wrong."""


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """Attempts that failed in one way, or never left, and what the newest of them said."""

    kind: str
    count: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressFacts:
    """A run at this moment. `by_status`: model → status → items, for all statuses together all items.

    `retrying`: pending items with a failed attempt; `in_flight`: requests on their way; `answered_since`: items that
    got an outcome since the given moment, of which `cached_since` without a request; `requests` that left, `unsent`
    attempts that never did; tokens and cost as providers report them, `without_cost` the answered attempts for which
    no cost is known, but for the `implausible` ones, whose reported usage cannot be true.
    """

    by_status: Mapping[str, Mapping[str, int]]
    retrying: int
    cached: int
    in_flight: int
    answered_since: int
    cached_since: int
    requests: int
    unsent: int
    tokens_in: int
    tokens_out: int
    cost_usd: float
    without_cost: int
    implausible: int
    uncertain: int
    resends: int
    errors: tuple[ErrorCount, ...]


def by_status(session: Session, run_ids: Collection[str]) -> dict[str, dict[str, dict[str, int]]]:
    """Run → model → status → number of items; those that are still to be written are pending."""
    query = (
        select(ITEM.c.run_id, ITEM.c.model, ITEM.c.status, func.count())
        .where(ITEM.c.run_id.in_(list(run_ids)))
        .group_by(ITEM.c.run_id, ITEM.c.model, ITEM.c.status)
    )
    found: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for run_id, model, status, count in session.execute(query):
        found[run_id][model][status] = count
    for run_id, models in unwritten(session, run_ids).items():
        for model, count in models.items():
            of_model = found[run_id][model]
            of_model[ItemStatus.PENDING.value] = of_model.get(ItemStatus.PENDING.value, 0) + count
    return {run_id: dict(models) for run_id, models in found.items()}


def unwritten(session: Session, run_ids: Collection[str] | None) -> dict[str, dict[str, int]]:
    """Run → model → items that are still to be written, of runs whose samples are numbered. None: of all that are not
    archived."""
    query = select(RUN.c.id, RUN.c.next_place, RUN.c.manifest[NUMBERED]).where(RUN.c.next_place.is_not(None))
    found = session.execute(
        query.where(RUN.c.archived_at.is_(None) if run_ids is None else RUN.c.id.in_(list(run_ids)))
    )
    return {run_id: read_numbered(said).unwritten(next_place) for run_id, next_place, said in found}


class OpenCells(NamedTuple):
    """Cells of a run in which something is left to ask. `least` and `most`: how many items of a model have ended in
    one of them."""

    cells: int
    least: int
    most: int


def open_cells(session: Session, run_id: str) -> OpenCells | None:
    """How full the cells are that are not full, of what is written; None where nothing that is written is pending."""
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
    """Everything that a progress page counts, of one moment."""
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
    said = {row[0]: row[1] for row in session.execute(words)}
    found = (ErrorCount(kind, count, said[newest]) for kind, count, newest in rows)
    return tuple(sorted(found, key=lambda each: (-each.count, each.kind)))
