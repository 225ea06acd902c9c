"""What part of a run cannot go on for, and the state that follows from it. No function here commits.

Kept with the run (`hindered`): servers of endpoints that cannot be reached, and models that refuse everything, each
with its reason and since when. The state follows from the items: the run stops when every pending one is for such a
model, waits when every other one is behind such a server, and runs on as long as there are any besides. So several
workers may each say what they find, in any order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlmodel import Session

from core.runs.states import Hindrance, ItemStatus, RunState
from store.runs import runs
from store.runs.counts import unwritten
from store.runs.rounds import ROUND
from store.runs.runs import ITEM, RUN

ENDPOINTS, MODELS = "endpoints", "models"


@dataclass(frozen=True, slots=True)
class Moved:
    """A run that went from one state to another."""

    before: RunState
    after: RunState
    reason: str


def read(hindered: Mapping[str, Any]) -> tuple[Hindrance, ...]:
    """What a run's row says, the longest standing first."""
    found = [
        Hindrance(name, said["why"], datetime.fromisoformat(said["since"]), part == MODELS)
        for part in (ENDPOINTS, MODELS)
        for name, said in hindered.get(part, {}).items()
    ]
    return tuple(sorted(found, key=lambda each: (each.is_model, each.since, each.name)))


def of_run(session: Session, run_id: str) -> tuple[RunState, tuple[Hindrance, ...]]:
    """A run's state, and what hinders it."""
    row = session.execute(select(RUN.c.state, RUN.c.hindered).where(RUN.c.id == run_id)).one()
    return RunState(row.state), read(row.hindered)


def note(
    session: Session, run_id: str, now: datetime, *, found: Sequence[Hindrance] = (), reached: Collection[str] = ()
) -> Moved | None:
    """Add what hinders a run that is at work, and take away endpoints that were `reached`; give it the state that
    follows. What is known already keeps its `since`. Returns the move, or None where the state stays."""
    query = select(RUN.c.state, RUN.c.reason, RUN.c.hindered, RUN.c.settings).where(RUN.c.id == run_id)
    row = session.execute(query.with_for_update()).one()
    before = RunState(row.state)
    if before not in (RunState.RUNNING, RunState.WAITING) or (before is RunState.WAITING and not row.hindered):
        return None  # in the second case it waits for people, or for blocked groups
    servers = {name: said for name, said in row.hindered.get(ENDPOINTS, {}).items() if name not in reached}
    refusing = dict(row.hindered.get(MODELS, {}))
    for each in found:
        part = refusing if each.is_model else servers
        since = part.get(each.name, {}).get("since") or each.since.isoformat()
        part[each.name] = {"why": each.why, "since": since}
    hindered = {name: part for name, part in ((ENDPOINTS, servers), (MODELS, refusing)) if part}
    after = _state(row.settings["models"], servers, refusing, _pending(session, run_id))
    if after is RunState.STOPPED:
        hindered = {MODELS: refusing}
    reason = "; ".join(f"{each.name}: {each.why}" if each.is_model else each.why for each in read(hindered))
    if after is RunState.STOPPED:
        runs.set_state(session, run_id, after, reason, now, only_from=[before])
    elif (after, reason, hindered) != (before, row.reason, row.hindered):
        values = {"state": after.value, "reason": reason, "hindered": hindered, "version": RUN.c.version + 1}
        session.connection().execute(update(RUN).where(RUN.c.id == run_id).values(values))
    return Moved(before, after, reason) if after is not before else None


def _pending(session: Session, run_id: str) -> set[str]:
    """Models that are to be asked next for a pending item, or one that is still to be written: its own, or a helper's
    where a further round is begun."""
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
