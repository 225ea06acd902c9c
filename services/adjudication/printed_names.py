"""Printed names of an adjudication's figure, to locate variables that were typed instead of placed."""

from __future__ import annotations

from core.errors import Missing
from core.people import Permission, Viewer
from core.transcription.proposals import ProposedName
from services.acting import consulting
from services.adjudication.editing import adjudication
from services.transcription.figure_proposals import place_of, proposals_within
from store import assignments


def printed_names(
    viewer: Viewer, adjudication_id: str, *, wait_s: float | None = None
) -> tuple[ProposedName, ...] | None:
    """Return the names that the figure's page prints, in reading order; empty if its paper has no file.

    The figure may have to be read first; after `wait_s` the result is None, and reading continues.
    Raises Refused and Missing as `adjudicating.desk` does, and UnreadableDocument if the file cannot be read.
    """
    with consulting(viewer, Permission.ADJUDICATE) as r:
        row = adjudication(r, adjudication_id)
        try:
            place = place_of(r, assignments.figure(r.session, row.subject_id))
        except Missing:
            return ()
    reading = proposals_within(place, wait_s)
    return None if reading is None else reading.printed
