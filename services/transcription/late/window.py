"""How long a submitted transcription stays open to its annotator's late look, and what waits for its end.

The row says when a look began and, if it was ended, when; time alone ends it too. The assignment stays "submitted" all
the while, so no queue and no due time knows of it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from core.errors import Refused
from store.assignments import DoneWork
from store.tables import AssignmentRow

WINDOW = timedelta(minutes=30)
"""From the first look at what was read otherwise."""


def ends_at(row: AssignmentRow | DoneWork, now: datetime) -> datetime | None:
    """When an open look ends at the latest, None if none is open."""
    if row.state != "submitted" or row.late_opened_at is None or row.late_closed_at is not None:
        return None
    end = row.late_opened_at + WINDOW
    return end if now < end else None


def refuse_open(row: AssignmentRow, now: datetime) -> None:
    """Raises Refused while its annotator looks: what is not final is neither reviewed nor ruled on."""
    if (end := ends_at(row, now)) is not None:
        minutes = max(1, round((end - now).total_seconds() / 60))
        raise Refused(
            "The annotator is comparing this transcription with the program's reading. Try again in "
            f"{minutes} min at the latest."
        )
