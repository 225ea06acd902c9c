"""Proposed arrows: offered beside the printed names, accepted or refused by the annotator, and counted.

Nothing proposed is in a graph before a person accepts it. Whether arrows are offered at all was decided when the
transcription was taken; printed names are offered always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import Missing, Refused
from core.graphs.record import GraphRecord
from core.people import May, Receipt, Viewer
from core.transcription.marks import Marks
from core.transcription.open_proposals import ChosenBy, OpenProposal, accept_edges, open_proposals_of, refuse_edges
from core.transcription.open_proposals import accept_as as accept_mended
from core.transcription.proposals import FigureProposals, ProposedName
from services.acting import consulting
from services.transcription.drawn_lately import graph_now
from services.transcription.editing import Edit, LockedTranscription, edit
from services.transcription.figure_proposals import place_of, proposals_within, read_proposals
from services.transcription.proposal_settings import withheld_from
from services.transcription.reading import NOTHING_READ, require_sight
from store import assignments
from store.assignments import EDITABLE
from store.graphs import marks as stored_marks
from store.tables import AssignmentRow

CHOSEN: dict[ChosenBy, str] = {
    "": "",
    "certain": ", all certain",
    "node": ", all at a node",
    "region": ", all in a region",
    "kind": ", all of a kind",
}
"""How proposals of one act were chosen, as its event says it."""

READING = "The figure is being read. What is found in it appears here; you can start now."


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenProposals:
    """What a figure offers: every printed name, and the arrows not yet answered, doubtful directions first.

    `origin` is "vector", "raster" or "ocr", whoever proposes besides; `notice` is what the readers say themselves;
    `withheld` says why no arrow is proposed, "" if they are. `reading` is all that was read, for
    `transcribing.transcription`, and is never drawn as it is. `is_read` is False while the figure is being read:
    nothing is offered then.
    """

    names: tuple[ProposedName, ...]
    edges: tuple[OpenProposal, ...]
    origin: str
    notice: str
    withheld: str
    reading: FigureProposals = NOTHING_READ
    is_read: bool = True


def open_proposals(
    viewer: Viewer, assignment_id: str, *, wait_s: float | None = None, with_edges: bool = True
) -> OpenProposals:
    """What the figure of a transcription offers now. Arrows are for its annotator alone, while they may edit.

    The first look at a figure takes its time; after `wait_s` (None: as long as it takes) it goes on by itself, and a
    later call has what it found. Without edges it is what was read alone, for whoever asks `Transcription.proposed`.

    Raises Refused for anyone else's work that is not submitted.
    """
    with consulting(viewer, May.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        require_sight(r, row)
        is_asked = row.person_id == r.viewer.person_id and row.state in EDITABLE and r.viewer.may(May.TRANSCRIBE)
        withheld = withheld_from(row)
        try:
            place = place_of(r, assignments.figure(r.session, row.subject_id), with_models=not withheld)
        except Missing as error:
            return OpenProposals(names=(), edges=(), origin="vector", notice=str(error), withheld=withheld)
        is_asked = is_asked and with_edges and not withheld
        graph_id = row.graph_id or ""
        record = graph_now(r.session, graph_id) if is_asked else GraphRecord()
        marks = stored_marks.read_marks(r.session, graph_id) if is_asked else Marks()
    found = proposals_within(place, wait_s)
    if found is None:
        return OpenProposals(names=(), edges=(), origin="vector", notice=READING, withheld=withheld, is_read=False)
    edges = tuple(open_proposals_of(found, record, marks)) if is_asked else ()
    return OpenProposals(
        names=found.printed, edges=edges, origin=found.origin, notice=found.notice, withheld=withheld, reading=found
    )


def accept(
    viewer: Viewer, assignment_id: str, ids: Sequence[str], by: ChosenBy = "", *, seen: int, act_id: str
) -> Receipt:
    """Make proposed arrows edges of the graph, all in one act. Ends that are not in the graph are made where they
    are printed. `by`: how they were chosen, for the event.

    Raises Refused if none are offered for this task, BadInput for an id that is not among them.
    """
    found = _proposals_for(viewer, assignment_id)

    def make(held: LockedTranscription) -> Edit:
        _refuse_withheld(held.row)
        return Edit(*accept_edges(found, ids, held.record, held.marks, new_id=held.ids(1)))

    note, asked = f"accept proposals{CHOSEN[by]}", (*ids, *([by] if by else []))
    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note=note, asked=asked)


def accept_as(
    viewer: Viewer, assignment_id: str, proposal_id: str, source: str, sink: str, *, seen: int, act_id: str
) -> Receipt:
    """Make a proposed arrow an edge between other names, one wrong end mended or the direction turned; it keeps the
    arrow's sign, delay and printed course. Names are as the graph, or else the figure, calls them.

    Raises Refused if none are offered for this task, BadInput for an id that is not among them, InvalidName for a
    name that cannot be kept.
    """
    found = _proposals_for(viewer, assignment_id)

    def make(held: LockedTranscription) -> Edit:
        _refuse_withheld(held.row)
        return Edit(*accept_mended(found, proposal_id, source, sink, held.record, held.marks, new_id=held.ids()))

    return edit(
        viewer, assignment_id, make, seen=seen, act_id=act_id, note="mend proposal", asked=(proposal_id, source, sink)
    )


def refuse(
    viewer: Viewer, assignment_id: str, ids: Sequence[str], by: ChosenBy = "", *, seen: int, act_id: str
) -> Receipt:
    """Turn proposed arrows down, all in one act; they are not offered again. One that was accepted stays accepted. `by`
    as in `accept`.

    Raises Refused if none are offered for this task, BadInput for an id that is not among them.
    """
    found = _proposals_for(viewer, assignment_id)

    def make(held: LockedTranscription) -> Edit:
        _refuse_withheld(held.row)
        return Edit(marks=refuse_edges(found, ids, held.marks))

    note, asked = f"refuse proposals{CHOSEN[by]}", (*ids, *([by] if by else []))
    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note=note, asked=asked)


def _proposals_for(viewer: Viewer, assignment_id: str) -> FigureProposals:
    """What the engine proposes for one's own transcription. Raises Refused for anyone else's."""
    with consulting(viewer, May.TRANSCRIBE) as r:
        row = assignments.assignment(r.session, assignment_id)
        if row.person_id != r.viewer.person_id:
            raise Refused("Only its annotator may change a transcription.")
        place = place_of(r, assignments.figure(r.session, row.subject_id))
    return read_proposals(place)


def _refuse_withheld(row: AssignmentRow) -> None:
    if words := withheld_from(row):
        raise Refused(words)
