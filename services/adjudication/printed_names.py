"""The names printed in the figure of an adjudication: where a variable stands that was typed, not placed."""

from __future__ import annotations

from core.errors import Missing
from core.people import May, Viewer
from core.transcription.proposals import ProposedName
from services.acting import consulting
from services.adjudication.editing import adjudication
from services.transcription.figure_proposals import place_of, read_proposals
from store import assignments


def printed_names(viewer: Viewer, adjudication_id: str) -> tuple[ProposedName, ...]:
    """Every name the figure's page prints, in reading order; none if its paper has no file.

    The first look at a figure takes its time. Raises Refused and Missing as `adjudicating.desk` does, and
    UnreadableDocument if the file cannot be read.
    """
    with consulting(viewer, May.ADJUDICATE) as r:
        row = adjudication(r, adjudication_id)
        try:
            place = place_of(r, assignments.figure(r.session, row.subject_id))
        except Missing:
            return ()
    return read_proposals(place).printed
