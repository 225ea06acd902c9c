"""Who may call what of the work queue, with each kind of work: rows of the table in test_roles.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.people import Role, Viewer
from services.queue.work import WorkKind
from store.tables import new_id

ASSIGNERS = {Role.RESEARCHER, Role.OWNER}
Row = tuple[set[Role], Callable[[Viewer, Any], Any]]


def queue_rows(name: str, kind: WorkKind, workers: set[Role], work: Callable[[Any], str]) -> dict[str, Row]:
    """`workers` may do the work; `work` names an assignment of a place. What is called has the kind behind its name."""
    rows: dict[str, Row] = {
        "waiting": (workers, lambda v, p: p.f("queue.work").waiting(v, kind)),
        "check_own": (workers, lambda v, p: p.f("queue.work").check_own(v, kind, work(p))),
        "claim_next": (workers, lambda v, p: p.f("queue.work").claim_next(v, kind, act_id=new_id())),
        "resume": (workers, lambda v, p: p.f("queue.work").resume(v, kind, work(p), act_id=new_id())),
        "skip": (workers, lambda v, p: p.f("queue.work").skip(v, kind, work(p), "Not mine", seen=1, act_id=new_id())),
        "return_claim": (ASSIGNERS, lambda v, p: p.f("queue.work").return_claim(v, kind, work(p), act_id=new_id())),
    }
    return {f"queue.work.{function} of {name}": row for function, row in rows.items()}
