"""By which permission somebody edits a graph of their own: a transcription, or one that they build from a text."""

from __future__ import annotations

from core.errors import Refused
from core.people import May, Viewer
from store.assignments import READING
from store.tables import AssignmentRow


def drawing_right(viewer: Viewer) -> May:
    """Who scores triplets builds graphs of texts, too; of other work `require_right` says whether they may."""
    return May.TRANSCRIBE if viewer.may(May.TRANSCRIBE) else May.SCORE


def require_right(viewer: Viewer, row: AssignmentRow) -> None:
    """Raises Refused unless the viewer's roles allow such work."""
    if row.kind != READING and not viewer.may(May.TRANSCRIBE):
        raise Refused(f"Your role does not allow this: {May.TRANSCRIBE.value}.")
