"""Proposed edges: shown with the printed names, accepted or rejected by the annotator, and counted.

A proposal enters the graph only when a person accepts it. Whether edges are proposed was decided when the
transcription was claimed; printed names are always proposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import Missing, Refused
from core.graphs.record import GraphRecord
from core.people import Permission, Receipt, Viewer
from core.transcription.marks import Marks
from core.transcription.open_proposals import ChosenBy, OpenProposal, accept_edges, open_proposals_of, refuse_edges
from core.transcription.open_proposals import accept_as as accept_changed
from core.transcription.proposals import FigureProposals, ProposedName
from services.acting import consulting
from services.transcription.editing import Edit, LockedTranscription, edit
from services.transcription.figure_proposals import place_of, proposals_within, read_proposals
from services.transcription.graph_cache import graph_now
from services.transcription.proposal_settings import withheld_from
from services.transcription.reading import NOTHING_READ, require_visible
from store import assignments
from store.assignments import EDITABLE
from store.graphs import marks as stored_marks
from store.tables import AssignmentRow

# Wording of the event, by how the proposals of one act were chosen.
CHOSEN: dict[ChosenBy, str] = {
    "": "",
    "certain": ", all certain",
    "node": ", all at a node",
    "region": ", all in a region",
    "kind": ", all of a kind",
}

SETTLING = "The picture is read at further sizes; proposals may still change."
READING = "The figure is being read. What is found in it appears here; you can start now."


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenProposals:
    """Proposals for a figure: every printed name, and the edges not yet answered, doubtful directions first."""

    names: tuple[ProposedName, ...]
    edges: tuple[OpenProposal, ...]
    origin: str  # "vector", "raster" or "ocr"
    notice: str  # message of the readers
    withheld: str  # why no edge is proposed, "" if edges are
    reading: FigureProposals = NOTHING_READ  # all that was read, for `transcribing.transcription`; never shown as it is
    is_read: bool = True  # False while the figure is being read
    is_settled: bool = True  # False also while its proposals may change, since a picture is read at further sizes


def open_proposals(
    viewer: Viewer, assignment_id: str, *, wait_s: float | None = None, with_edges: bool = True
) -> OpenProposals:
    """Return the current proposals for a transcription. Edges are for its annotator alone, while they may edit.

    The figure may have to be read first: after `wait_s` (None: no limit) nothing is returned, reading continues, and a
    later call has its result. Without `with_edges` only names, for callers of `Transcription.proposed`.
    Raises Refused for others' work that is not submitted.
    """
    with consulting(viewer, Permission.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        require_visible(r, row)
        is_asked = row.person_id == r.viewer.person_id and row.state in EDITABLE and r.viewer.may(Permission.TRANSCRIBE)
        withheld = withheld_from(row)
        try:
            place = place_of(r, assignments.figure(r.session, row.subject_id), with_models=not withheld)
        except Missing as error:
            return OpenProposals(names=(), edges=(), origin="vector", notice=str(error), withheld=withheld)
        is_asked = is_asked and with_edges and not withheld
        graph_id = row.graph_id or ""
        record = graph_now(r.session, graph_id) if is_asked else GraphRecord()
        marks = stored_marks.read_marks(r.session, graph_id) if is_asked else Marks()
    reading = proposals_within(place, wait_s)
    if reading is None:
        return OpenProposals(
            names=(), edges=(), origin="vector", notice=READING, withheld=withheld, is_read=False, is_settled=False
        )
    edges = tuple(open_proposals_of(reading, record, marks)) if is_asked else ()
    return OpenProposals(
        names=reading.printed,
        edges=edges,
        origin=reading.origin,
        notice=" ".join(filter(None, (reading.notice, "" if reading.is_settled else SETTLING))),
        withheld=withheld,
        reading=reading,
        is_settled=reading.is_settled,
    )


def accept(
    viewer: Viewer, assignment_id: str, ids: Sequence[str], by: ChosenBy = "", *, seen: int, act_id: str
) -> Receipt:
    """Accept proposed edges in one act, adding missing nodes where they are printed. `by` is recorded in the event.

    Raises Refused if no edges are proposed for this task, BadInput for an unknown id.
    """
    reading = _proposals_for(viewer, assignment_id)

    def make(locked: LockedTranscription) -> Edit:
        _refuse_withheld(locked.row)
        return Edit(*accept_edges(reading, ids, locked.record, locked.marks, new_id=locked.ids(1)))

    note, request = f"accept proposals{CHOSEN[by]}", (*ids, *([by] if by else []))
    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note=note, asked=request)


def accept_as(
    viewer: Viewer, assignment_id: str, proposal_id: str, source: str, sink: str, *, seen: int, act_id: str
) -> Receipt:
    """Accept a proposed edge with another end or the direction reversed; it keeps its sign, delay and printed path.

    Names are those of the graph or else of the figure. Raises Refused if no edges are proposed for this task,
    BadInput for an unknown id, InvalidName.
    """
    reading = _proposals_for(viewer, assignment_id)

    def make(locked: LockedTranscription) -> Edit:
        _refuse_withheld(locked.row)
        return Edit(
            *accept_changed(reading, proposal_id, source, sink, locked.record, locked.marks, new_id=locked.ids())
        )

    return edit(
        viewer, assignment_id, make, seen=seen, act_id=act_id, note="mend proposal", asked=(proposal_id, source, sink)
    )


def refuse(
    viewer: Viewer, assignment_id: str, ids: Sequence[str], by: ChosenBy = "", *, seen: int, act_id: str
) -> Receipt:
    """Reject proposed edges in one act; they are not proposed again. Accepted ones stay accepted.

    Raises Refused if no edges are proposed for this task, BadInput for an unknown id.
    """
    reading = _proposals_for(viewer, assignment_id)

    def make(locked: LockedTranscription) -> Edit:
        _refuse_withheld(locked.row)
        return Edit(marks=refuse_edges(reading, ids, locked.marks))

    note, request = f"refuse proposals{CHOSEN[by]}", (*ids, *([by] if by else []))
    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note=note, asked=request)


def _proposals_for(viewer: Viewer, assignment_id: str) -> FigureProposals:
    """Return the reading for the viewer's own transcription. Raises Refused for anyone else's."""
    with consulting(viewer, Permission.TRANSCRIBE) as r:
        row = assignments.assignment(r.session, assignment_id)
        if row.person_id != r.viewer.person_id:
            raise Refused("Only its annotator may change a transcription.")
        place = place_of(r, assignments.figure(r.session, row.subject_id))
    return read_proposals(place)


def _refuse_withheld(row: AssignmentRow) -> None:
    if words := withheld_from(row):
        raise Refused(words)
