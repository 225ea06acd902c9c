"""Time limit of a post-submission review, and the acts that wait for its end.

The assignment stays "submitted" during the review, so queues and due times ignore it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from core.errors import Refused
from store.assignments import DoneWork
from store.tables import AssignmentRow

WINDOW = timedelta(minutes=30)  # from the opening of the review


def ends_at(row: AssignmentRow | DoneWork, now: datetime) -> datetime | None:
    """Return the latest end of an open review, None if none is open."""
    if row.state != "submitted" or row.late_opened_at is None or row.late_closed_at is not None:
        return None
    end = row.late_opened_at + WINDOW
    return end if now < end else None


def refuse_open(row: AssignmentRow, now: datetime) -> None:
    """Raise Refused while the review is open: only final work is reviewed or ruled on."""
    if (end := ends_at(row, now)) is not None:
        minutes = max(1, round((end - now).total_seconds() / 60))
        raise Refused(
            "The annotator is comparing this transcription with the program's reading. Try again in "
            f"{minutes} min at the latest."
        )
