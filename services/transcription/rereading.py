"""Re-reading one box of a figure from its pixels, as a suggestion for the name printed there."""

from __future__ import annotations

from core.errors import BadInput, Refused
from core.papers.pages import Box
from core.people import Permission, Viewer
from services.acting import consulting
from services.study import current_study
from services.transcription.figure_proposals import place_of
from store import assignments

SLACK = 0.5  # points: boxes of words are rounded on their way
RIM = 0.3  # of a box's shorter side: letters that touch the edge of the clipping are misread


def read_again(viewer: Viewer, assignment_id: str, box: Box) -> str:
    """Return the text in a box, read alone and at the finest scale; "" if there is none. Takes 1 s or more."""
    with consulting(viewer, Permission.TRANSCRIBE) as r:
        row = assignments.assignment(r.session, assignment_id)
        if row.person_id != r.viewer.person_id:
            raise Refused("Only its annotator may read a figure again.")
        place = place_of(r, assignments.figure(r.session, row.subject_id))
    frame = place.box
    inside = frame.x0 - SLACK <= box.x0 < box.x1 <= frame.x1 + SLACK
    if not (inside and frame.y0 - SLACK <= box.y0 < box.y1 <= frame.y1 + SLACK):
        raise BadInput("The box to read again lies outside the figure. Reload the page.")
    rim = RIM * min(box.width, box.height)
    wide = Box(
        max(box.x0 - rim, frame.x0),
        max(box.y0 - rim, frame.y0),
        min(box.x1 + rim, frame.x1),
        min(box.y1 + rim, frame.y1),
    )
    return current_study().reader.box_text(place.path, place.sha256, place.page, wide)
