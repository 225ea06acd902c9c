"""The names printed in the figure of an adjudication: where a variable stands that was typed, not placed."""

from __future__ import annotations

from core.errors import Missing
from core.people import May, Viewer
from core.transcription.proposals import ProposedName
from services.acting import consulting
from services.adjudication.editing import adjudication
from services.transcription.figure_proposals import place_of, proposals_within
from store import assignments


def printed_names(
    viewer: Viewer, adjudication_id: str, *, wait_s: float | None = None
) -> tuple[ProposedName, ...] | None:
    """Every name the figure's page prints, in reading order; none if its paper has no file.

    The first look at a figure takes its time; after `wait_s` the answer is None, and the reading goes on by itself.
    Raises Refused and Missing as `adjudicating.desk` does, and UnreadableDocument if the file cannot be read.
    """
    with consulting(viewer, May.ADJUDICATE) as r:
        row = adjudication(r, adjudication_id)
        try:
            place = place_of(r, assignments.figure(r.session, row.subject_id))
        except Missing:
            return ()
    found = proposals_within(place, wait_s)
    return None if found is None else found.printed
