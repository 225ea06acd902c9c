"""What part of a run cannot go on for, and the state that follows from it. No function here commits.

Kept with the run (`hindered`): servers of endpoints that cannot be reached, each with its reason and since when.
Whether the run waits follows from its items: it does when every pending one is for a model behind such a server, and
runs on with the others as long as there are any. So several workers may each say what they find, in any order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlmodel import Session

from core.runs import Hindrance, ItemStatus, RunState
from store.runs import ITEM, RUN

ENDPOINTS = "endpoints"


@dataclass(frozen=True, slots=True)
class Moved:
    """A run that went from one state to another."""

    before: RunState
    after: RunState
    reason: str


def read(hindered: Mapping[str, Any]) -> tuple[Hindrance, ...]:
    """What a run's row says, the longest standing first."""
    kept: Mapping[str, Mapping[str, str]] = hindered.get(ENDPOINTS, {})
    found = [Hindrance(name, said["why"], datetime.fromisoformat(said["since"])) for name, said in kept.items()]
    return tuple(sorted(found, key=lambda each: (each.since, each.name)))


def of_run(session: Session, run_id: str) -> tuple[RunState, tuple[Hindrance, ...]]:
    """A run's state, and what hinders it."""
    row = session.execute(select(RUN.c.state, RUN.c.hindered).where(RUN.c.id == run_id)).one()
    return RunState(row.state), read(row.hindered)


def note(
    session: Session, run_id: str, *, found: Sequence[Hindrance] = (), reached: Collection[str] = ()
) -> Moved | None:
    """Add what hinders a run that is at work, and take away endpoints that were `reached`; give it the state that
    follows. What is known already keeps its `since`. Returns the move, or None where the state stays."""
    query = select(RUN.c.state, RUN.c.reason, RUN.c.hindered, RUN.c.settings).where(RUN.c.id == run_id)
    row = session.execute(query.with_for_update()).one()
    before = RunState(row.state)
    if before not in (RunState.RUNNING, RunState.WAITING):
        return None
    servers = {name: said for name, said in row.hindered.get(ENDPOINTS, {}).items() if name not in reached}
    for each in found:
        since = servers.get(each.name, {}).get("since") or each.since.isoformat()
        servers[each.name] = {"why": each.why, "since": since}
    hindered = {ENDPOINTS: servers} if servers else {}
    after = _state(row.settings["models"], servers, _pending(session, run_id))
    reason = "; ".join(each.why for each in read(hindered))
    if (after, reason, hindered) != (before, row.reason, row.hindered):
        values = {"state": after.value, "reason": reason, "hindered": hindered, "version": RUN.c.version + 1}
        session.connection().execute(update(RUN).where(RUN.c.id == run_id).values(values))
    return Moved(before, after, reason) if after is not before else None


def _pending(session: Session, run_id: str) -> set[str]:
    """Models with a pending item."""
    query = select(ITEM.c.model).where(ITEM.c.run_id == run_id, ITEM.c.status == ItemStatus.PENDING.value)
    return set(session.execute(query.distinct()).scalars())


def _state(models: Mapping[str, Any], servers: Collection[str], pending: Collection[str]) -> RunState:
    behind = {name for name, about in models.items() if (about.get("endpoint") or {}).get("name") in servers}
    return RunState.WAITING if pending and behind.issuperset(pending) else RunState.RUNNING
