"""State of the work on a desk: the store's last answer, and the possible actions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskState:
    """The part of a desk's data that is the same for every desk."""

    subject: str  # names the person and the work: the browser stores unsent acts and unfinished text under it
    version: int  # of the work shown
    saved_at: datetime | None = None  # when the store last wrote it; the browser shows it in its own time
    receipt: str = ""  # shown next to that
    note: str = ""  # shown next to both
    editable: bool = True
    can_undo: bool = False
    can_redo: bool = False
    halted: bool = False  # stops sending, since this copy is stale, and keeps everything
    takes_focus: bool = True  # the desk has the focus when it is opened, unless something else has it

    def as_data(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "version": self.version,
            "saved_at": _as_utc(self.saved_at).isoformat() if self.saved_at is not None else "",
            "receipt": self.receipt,
            "note": self.note,
            "editable": self.editable,
            "can_undo": self.can_undo,
            "can_redo": self.can_redo,
            "halted": self.halted,
            "takes_focus": self.takes_focus,
        }


def _as_utc(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)
