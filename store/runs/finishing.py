"""The end of a run, or of the part that a worker can process. No function here commits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session

from core.runs.states import AT_WORK, ItemStatus, RunState
from store.runs import groups
from store.runs.runs import ITEM, RUN, set_state
from store.runs.sample_windows import has_more


@dataclass(frozen=True, slots=True)
class Ended:
    """The new state of a run without open items: done, or waiting for `reason`."""

    state: RunState
    reason: str = ""


def finish(session: Session, run_id: str, now: datetime) -> Ended | None:
    """Move a run without pending items to done, or to waiting if groups are blocked or need people. None if
    something is pending or unwritten, or the state stays."""
    if has_more(session, run_id):  # asked first: the last of them are pending as soon as it says no
        return None
    pending = select(ITEM.c.id).where(ITEM.c.run_id == run_id, ITEM.c.status == ItemStatus.PENDING.value).limit(1)
    if session.connection().execute(pending).first() is not None:
        return None
    groups.lock(session, run_id)  # so that a ruling made meanwhile is seen, and the run is not left waiting for it
    if groups.can_continue(session, run_id):
        return None
    reason = groups.waits_for(session, run_id)
    if not reason:
        moved = set_state(session, run_id, RunState.DONE, "", now, only_from=AT_WORK)
        return Ended(RunState.DONE) if moved else None
    known = session.execute(select(RUN.c.state, RUN.c.reason).where(RUN.c.id == run_id)).one()
    if (known.state, known.reason) == (RunState.WAITING.value, reason):
        return None
    moved = set_state(session, run_id, RunState.WAITING, reason, now, only_from=AT_WORK)
    return Ended(RunState.WAITING, reason) if moved else None
