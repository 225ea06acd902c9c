"""Blockers of a run, and the run state that follows from them. No function here commits.

Stored with the run (column `hindered`): servers of unreachable endpoints and models that refuse everything, each with a
reason and a start time. The run stops if every pending item is for a refusing model, waits if all others are behind
unreachable servers, and runs otherwise. Workers may report blockers in any order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlmodel import Session

from core.runs.states import Blocker, ItemStatus, RunState
from store.runs import runs
from store.runs.counts import unwritten
from store.runs.rounds import ROUND
from store.runs.runs import ITEM, RUN

ENDPOINTS, MODELS = "endpoints", "models"


@dataclass(frozen=True, slots=True)
class StateChange:
    """A change of a run's state."""

    before: RunState
    after: RunState
    reason: str


def read(blockers: Mapping[str, Any]) -> tuple[Blocker, ...]:
    """Return the stored blockers, the oldest first."""
    rows = [
        Blocker(name, entry["why"], datetime.fromisoformat(entry["since"]), part == MODELS)
        for part in (ENDPOINTS, MODELS)
        for name, entry in blockers.get(part, {}).items()
    ]
    return tuple(sorted(rows, key=lambda each: (each.is_model, each.since, each.name)))


def of_run(session: Session, run_id: str) -> tuple[RunState, tuple[Blocker, ...]]:
    """Return a run's state and its blockers."""
    row = session.execute(select(RUN.c.state, RUN.c.hindered).where(RUN.c.id == run_id)).one()
    return RunState(row.state), read(row.hindered)


def note(
    session: Session, run_id: str, now: datetime, *, found: Sequence[Blocker] = (), reached: Collection[str] = ()
) -> StateChange | None:
    """Add blockers to a running or waiting run, remove those of `reached` endpoints, and set the state that follows.
    A known blocker keeps its `since`. Returns the state change, None if the state is the same."""
    query = select(RUN.c.state, RUN.c.reason, RUN.c.hindered, RUN.c.settings).where(RUN.c.id == run_id)
    row = session.execute(query.with_for_update()).one()
    before = RunState(row.state)
    if before not in (RunState.RUNNING, RunState.WAITING) or (before is RunState.WAITING and not row.hindered):
        return None  # without blockers, a waiting run waits for people or for blocked groups
    servers = {name: entry for name, entry in row.hindered.get(ENDPOINTS, {}).items() if name not in reached}
    refusing = dict(row.hindered.get(MODELS, {}))
    for each in found:
        part = refusing if each.is_model else servers
        since = part.get(each.name, {}).get("since") or each.since.isoformat()
        part[each.name] = {"why": each.why, "since": since}
    blockers = {name: part for name, part in ((ENDPOINTS, servers), (MODELS, refusing)) if part}
    after = _state(row.settings["models"], servers, refusing, _pending(session, run_id))
    if after is RunState.STOPPED:
        blockers = {MODELS: refusing}
    reason = "; ".join(f"{each.name}: {each.why}" if each.is_model else each.why for each in read(blockers))
    if after is RunState.STOPPED:
        runs.set_state(session, run_id, after, reason, now, only_from=[before])
    elif (after, reason, blockers) != (before, row.reason, row.hindered):
        values = {"state": after.value, "reason": reason, "hindered": blockers, "version": RUN.c.version + 1}
        session.connection().execute(update(RUN).where(RUN.c.id == run_id).values(values))
    return StateChange(before, after, reason) if after is not before else None


def _pending(session: Session, run_id: str) -> set[str]:
    """Return the models of the next requests of pending and unwritten items; a further round may use a helper model."""
    further = select(ROUND.c.model).where(ROUND.c.item_id == ITEM.c.id).order_by(ROUND.c.number.desc()).limit(1)
    query = select(func.coalesce(further.scalar_subquery(), ITEM.c.model))
    query = query.where(ITEM.c.run_id == run_id, ITEM.c.status == ItemStatus.PENDING.value)
    written = set(session.execute(query.distinct()).scalars())
    return written.union(*unwritten(session, [run_id]).values())


def _state(
    models: Mapping[str, Any], servers: Collection[str], refusing: Collection[str], pending: Collection[str]
) -> RunState:
    behind = {name for name, about in models.items() if (about.get("endpoint") or {}).get("name") in servers}
    left = set(pending).difference(refusing)
    if not left:
        return RunState.STOPPED if pending else RunState.RUNNING
    return RunState.WAITING if left <= behind else RunState.RUNNING
