"""Continuation of a run after the last ruling on a group."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from core.runs.states import AT_WORK, RunState
from runs.queues import queue_of
from store.engine import Store
from store.runs import groups, runs


def resume(store: Store, session: Session, run_id: str, group_id: str, now: datetime) -> None:
    """Queue a run at work if no value of this group lacks a ruling. Called in the transaction of the ruling, which
    locks the run (`groups.lock`)."""
    if groups.lock(session, run_id) in AT_WORK and group_id not in groups.unruled(session, run_id):
        runs.set_state(session, run_id, RunState.QUEUED, "", now, only_from=AT_WORK, keeps_blockers=True)
        queue_of(store).submit(session, run_id, runs.pending_shards(session, run_id))
