"""How the work on a desk stands: what the store answered, and what may be done now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskState:
    """The part of a desk's data that is the same for every desk.

    `subject` names the person and the work: unsent acts and half-typed text are kept in the browser under it.
    `version` is that of the work shown. `saved_at` is when the store last wrote it, which
    the browser shows in its own time; `receipt` is said beside that, and `note` beside both. `halted` stops sending
    (this copy is stale) and keeps everything. `takes_focus`: the desk has the focus when it is opened, unless something
    else has it.
    """

    subject: str
    version: int
    saved_at: datetime | None = None
    receipt: str = ""
    note: str = ""
    editable: bool = True
    can_undo: bool = False
    can_redo: bool = False
    halted: bool = False
    takes_focus: bool = True

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
