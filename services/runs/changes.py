"""Changes of a run, for what is computed from it and kept until it changes."""

from __future__ import annotations

from sqlmodel import Session

from services.runs.benchmarks import get_services
from services.runs.judge_exposure import is_judges
from store.runs import results as stored
from store.tables.runs import RunRow


def last_changes(session: Session, row: RunRow) -> str:
    """A word that changes when any item of a run does, or of the runs that it judges."""
    judged_runs = get_services(row.protocol).judged_runs if is_judges(row) else None
    changes = stored.last_changes(session, [row.id, *(judged_runs(row) if judged_runs else ())])
    return " ".join(f"{run_id}:{word}" for run_id, word in sorted(changes.items()))
