"""Progress of each step of a run, counted from groups, items and attempts. No function here commits."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from core.runs.states import IMPLAUSIBLE_USAGE, AttemptState, ItemStatus
from core.steps import GroupState
from store.runs.asked_again import replaced_replies
from store.runs.counts import unwritten
from store.runs.groups import GROUP, MADE
from store.runs.items import ATTEMPT
from store.runs.runs import ITEM, SAMPLE
from store.runs.totals import REPLY


@dataclass(slots=True, kw_only=True)
class StepCounts:
    """Counts of one step."""

    groups: Counter[str] = field(default_factory=Counter)  # by state
    items: Counter[str] = field(default_factory=Counter)  # by status
    made: int = 0
    undecided: int = 0  # values that wait for people
    ruled: int = 0  # values with a ruling
    requests: int = 0
    cost_usd: float | None = None  # known costs, None if none is known
    unpriced: int = 0  # answered attempts without a cost, except implausible ones
    implausible: int = 0  # attempts whose reported usage is impossible


def by_step(session: Session, run_id: str) -> dict[str, StepCounts]:
    """Return step or source → its counts; rows without a group (in a run of one step) are under the empty name."""
    by_name: dict[str, StepCounts] = defaultdict(StepCounts)
    step = func.coalesce(GROUP.c.step, "").label("step")
    groups = select(GROUP.c.step, GROUP.c.state, func.count()).where(GROUP.c.run_id == run_id)
    for name, state, many in session.execute(groups.group_by(GROUP.c.step, GROUP.c.state)):
        by_name[name].groups[state] = many
    values = (
        select(GROUP.c.step, func.count()).join(MADE, MADE.c.group_id == GROUP.c.id).where(GROUP.c.run_id == run_id)
    )
    for name, many in session.execute(values.group_by(GROUP.c.step)):
        by_name[name].made = many
    waiting = values.where(GROUP.c.state == GroupState.DECIDING.value, MADE.c.ruling.is_(None))
    for name, many in session.execute(waiting.group_by(GROUP.c.step)):
        by_name[name].undecided = many
    ruled = values.where(MADE.c.ruling.is_not(None))
    for name, many in session.execute(ruled.group_by(GROUP.c.step)):
        by_name[name].ruled = many
    items = _of_run(select(step, ITEM.c.status, func.count()).select_from(ITEM), run_id)
    for name, status, many in session.execute(items.group_by(step, ITEM.c.status)):
        by_name[name].items[status] = many
    for left in unwritten(session, [run_id]).values():  # only a run of one step has any
        by_name[""].items[ItemStatus.PENDING.value] += sum(left.values())
    is_implausible = ATTEMPT.c.kind == IMPLAUSIBLE_USAGE
    no_cost = (ATTEMPT.c.state == AttemptState.ANSWERED.value) & ATTEMPT.c.cost_usd.is_(None)
    attempts = _of_run(
        select(
            step,
            func.count().filter(ATTEMPT.c.state != AttemptState.UNSENT.value),
            func.sum(ATTEMPT.c.cost_usd),
            func.count().filter(no_cost & ~is_implausible),
            func.count().filter(no_cost & is_implausible),
        )
        .select_from(ATTEMPT)
        .join(ITEM, ITEM.c.id == ATTEMPT.c.item_id),
        run_id,
    )
    for name, requests, cost, unpriced, implausible in session.execute(attempts.group_by(step)):
        counts = by_name[name]
        counts.requests, counts.cost_usd, counts.unpriced, counts.implausible = requests, cost, unpriced, implausible
    return dict(by_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTokens:
    """Tokens and cost of a step's requests."""

    step: str
    requests: int
    tokens_in: int
    cached: int  # of tokens_in, those in a provider's cache
    tokens_out: int
    cost_usd: float | None  # None if no attempt has a cost


def tokens_by_step(session: Session, run_id: str) -> list[StepTokens]:
    """Return the usage of each step that sent a request, from this run's own attempts."""
    step, replaced = func.coalesce(GROUP.c.step, "").label("step"), replaced_replies()
    query = (
        select(
            step,
            func.count().filter(ATTEMPT.c.state != AttemptState.UNSENT.value),
            func.coalesce(func.sum(ATTEMPT.c.tokens_in), 0),
            func.coalesce(func.sum(func.coalesce(REPLY.c.tokens_cached, replaced.c.tokens_cached)), 0),
            func.coalesce(func.sum(ATTEMPT.c.tokens_out), 0),
            func.sum(ATTEMPT.c.cost_usd),
        )
        .select_from(ATTEMPT)
        .join(ITEM, ITEM.c.id == ATTEMPT.c.item_id)
        .outerjoin(REPLY, (REPLY.c.request_hash == ATTEMPT.c.request_hash) & (REPLY.c.attempt_id == ATTEMPT.c.id))
        .outerjoin(replaced, replaced.c.attempt_id == ATTEMPT.c.id)
    )
    return [
        StepTokens(step=row[0], requests=row[1], tokens_in=row[2], cached=row[3], tokens_out=row[4], cost_usd=row[5])
        for row in session.execute(_of_run(query, run_id).group_by(step))
    ]


def _of_run(query: Any, run_id: str) -> Any:
    return (
        query.join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .outerjoin(GROUP, GROUP.c.id == SAMPLE.c.group_id)
        .where(ITEM.c.run_id == run_id)
    )
