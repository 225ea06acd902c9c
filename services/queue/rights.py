"""Permission to edit an own graph: a transcription, or a graph of a text."""

from __future__ import annotations

from core.errors import Refused
from core.people import May, Viewer
from store.assignments import READING
from store.tables import AssignmentRow


def drawing_right(viewer: Viewer) -> May:
    """Return the permission: people who score triplets build graphs of texts too, see `require_right`."""
    return May.TRANSCRIBE if viewer.may(May.TRANSCRIBE) else May.SCORE


def require_right(viewer: Viewer, row: AssignmentRow) -> None:
    """Raise Refused unless the viewer's roles allow such work."""
    if row.kind != READING and not viewer.may(May.TRANSCRIBE):
        raise Refused(f"Your role does not allow this: {May.TRANSCRIBE.value}.")
