"""What became of each step of a run: counted from groups, items and attempts. No function here commits."""

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
    """Of one step. `groups`: by state; `undecided`: values that wait for people, `ruled`: on which they decided;
    `items`: by status; `cost_usd` as far as it is known, None where none is; `unpriced`: answered attempts without a
    cost, but for the `implausible` ones, whose reported usage cannot be true."""

    groups: Counter[str] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)
    made: int = 0
    undecided: int = 0
    ruled: int = 0
    requests: int = 0
    cost_usd: float | None = None
    unpriced: int = 0
    implausible: int = 0


def by_step(session: Session, run_id: str) -> dict[str, StepCounts]:
    """Step or source → its counts; what belongs to no group (in a run of one step) is under the empty name."""
    found: dict[str, StepCounts] = defaultdict(StepCounts)
    step = func.coalesce(GROUP.c.step, "").label("step")
    groups = select(GROUP.c.step, GROUP.c.state, func.count()).where(GROUP.c.run_id == run_id)
    for name, state, many in session.execute(groups.group_by(GROUP.c.step, GROUP.c.state)):
        found[name].groups[state] = many
    made = select(GROUP.c.step, func.count()).join(MADE, MADE.c.group_id == GROUP.c.id).where(GROUP.c.run_id == run_id)
    for name, many in session.execute(made.group_by(GROUP.c.step)):
        found[name].made = many
    waiting = made.where(GROUP.c.state == GroupState.DECIDING.value, MADE.c.ruling.is_(None))
    for name, many in session.execute(waiting.group_by(GROUP.c.step)):
        found[name].undecided = many
    ruled = made.where(MADE.c.ruling.is_not(None))
    for name, many in session.execute(ruled.group_by(GROUP.c.step)):
        found[name].ruled = many
    items = _of_run(select(step, ITEM.c.status, func.count()).select_from(ITEM), run_id)
    for name, status, many in session.execute(items.group_by(step, ITEM.c.status)):
        found[name].items[status] = many
    for left in unwritten(session, [run_id]).values():  # only a run of one step has any
        found[""].items[ItemStatus.PENDING.value] += sum(left.values())
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
        counts = found[name]
        counts.requests, counts.cost_usd, counts.unpriced, counts.implausible = requests, cost, unpriced, implausible
    return dict(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTokens:
    """What a step's requests used. `cached`: of `tokens_in`, those that a provider found in its cache; `cost_usd`: None
    where no attempt has a cost."""

    step: str
    requests: int
    tokens_in: int
    cached: int
    tokens_out: int
    cost_usd: float | None


def tokens_by_step(session: Session, run_id: str) -> list[StepTokens]:
    """Of each step that sent a request, by the ledger of this run's own attempts."""
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
