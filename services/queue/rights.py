"""Permission to edit an own graph: a transcription, or a graph of a text."""

from __future__ import annotations

from core.errors import Refused
from core.people import Permission, Viewer
from store.assignments import READING
from store.tables import AssignmentRow


def drawing_right(viewer: Viewer) -> Permission:
    """Return the permission: people who score triplets build graphs of texts too, see `require_right`."""
    return Permission.TRANSCRIBE if viewer.may(Permission.TRANSCRIBE) else Permission.SCORE


def require_right(viewer: Viewer, row: AssignmentRow) -> None:
    """Raise Refused unless the viewer's roles allow such work."""
    if row.kind != READING and not viewer.may(Permission.TRANSCRIBE):
        raise Refused(f"Your role does not allow this: {Permission.TRANSCRIBE.value}.")
