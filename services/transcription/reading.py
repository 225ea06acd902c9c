"""One transcription as its screen shows it: figure, graph, marks, doubts, and the viewer's permissions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from core.errors import Refused
from core.graphs.checks import Doubt
from core.graphs.layouts.layout import Point
from core.graphs.record import GraphRecord
from core.papers.pages import Box
from core.people import Permission, Viewer
from core.transcription.declining import FigureVerdict
from core.transcription.label_nodes import unused_labels
from core.transcription.marks import Marks
from core.transcription.open_proposals import OpenProposal, open_proposals_of
from core.transcription.proposals import FigureProposals
from core.transcription.proposals import Point as PagePoint
from core.transcription.snapping import PrintedMarks, offered_marks
from core.transcription.stored_fault import StoredFault
from core.transcription.sweep import open_doubts
from core.transcription.unmatched_arrows import UnmatchedArrow, both_printed, courses_of, unmatched_arrows
from services.acting import ReadContext, consulting
from services.graphs.visibility import places_of, refuse_at_work
from services.pseudonyms import unnamed_figures
from services.queue.claim_expiry import state_now
from services.transcription.faulty_lines import stored_faults
from services.transcription.graph_cache import graph_after
from services.transcription.guidelines import newest_number
from services.transcription.proposal_settings import withheld_from
from store import assignments, history, people
from store.assignments import EDITABLE, HANDED_IN, TRAINING
from store.graphs import graphs
from store.graphs import marks as stored_marks
from store.tables import AssignmentRow

NOTHING_READ = FigureProposals(names=(), edges=(), origin="vector")


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureView:
    """The figure of a transcription: its paper, and its page box in points."""

    id: str
    paper_id: str
    paper_title: str
    label: str
    caption: str
    place: str
    page: int
    box: Box
    version: int


@dataclass(frozen=True, kw_only=True)
class Transcription:
    id: str
    graph_id: str
    version: int
    state: str
    comment: str
    verdict: FigureVerdict | None  # if its annotator declined the figure, with `reason`
    reason: str
    annotator: str  # empty where the viewer must not know it
    is_mine: bool
    is_training: bool
    may_edit: bool
    may_return: bool
    figure: FigureView
    record: GraphRecord
    marks: Marks
    paths: Mapping[str, tuple[PagePoint, ...]]  # printed curves by edge id, from tail to tip in points of the page
    layout: Mapping[str, Iterable[float]]  # stored node positions
    can_undo: bool
    can_redo: bool
    saved_at: datetime | None
    faults: tuple[StoredFault, ...]
    guidelines: int  # their newest version, 0 if none was written
    reading: FigureProposals  # what the program read of the figure
    is_offered: bool  # more of the reading than names may be shown

    def positions(self, record: GraphRecord) -> dict[str, Point]:
        """Return the positions in pixels of the nodes of `record`, which may be another version of the graph."""
        return places_of(record, self.layout)

    @cached_property
    def unused(self) -> tuple[str, ...]:
        """Printed texts that belong to no node."""
        return tuple(label.text for label in unused_labels(self.reading.names, self.record, self.marks))

    @cached_property
    def bare(self) -> tuple[UnmatchedArrow, ...]:
        """Printed arrows without an edge and not dismissed; none before the first edge, when nothing was forgotten yet.

        They name no variables, so they are shown with or without proposals.
        """
        if not self.record.edges or not self.reading.arrows:
            return ()
        arrows = unmatched_arrows(self.reading, self.record, self.marks, is_offered=self.is_offered)
        return tuple(arrow for arrow in arrows if not arrow.is_dismissed)

    @cached_property
    def proposed(self) -> tuple[OpenProposal, ...]:
        """Proposed edges that wait for the viewer's answer; none where proposals are withheld."""
        if not (self.is_offered and self.may_edit and self.reading.edges):
            return ()
        return tuple(open_proposals_of(self.reading, self.record, self.marks))

    @cached_property
    def offers(self) -> Mapping[str, PrintedMarks]:
        """Suggested sign and delay by edge id, as printed at its arrow; none where proposals are withheld."""
        if not self.is_offered or not self.may_edit:
            return {}
        return offered_marks(self.reading, self.record, self.marks)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Questions of the checks that the annotator has not answered. Lazy: an act's receipt is shown before."""
        both = both_printed(self.reading, self.record, self.marks)
        return open_doubts(self.record.graph(), self.unused, self.marks, both)


def transcription(viewer: Viewer, assignment_id: str, reading: FigureProposals = NOTHING_READ) -> Transcription:
    """Return the whole transcription with its open doubts. Raises Refused for others' work that is not submitted.

    With the figure's `reading`, a printed name counts as used by the node placed on it, even if the node is renamed,
    and an arrow as drawn if an edge lies on it.
    """
    with consulting(viewer, Permission.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        require_visible(r, row)
        assert row.graph_id is not None, "a transcription has a graph from its first moment"
        graph = graphs.graph_row(r.session, row.graph_id)
        last = history.last_edit(r.session, row.graph_id)
        record = graph_after(r.session, row.graph_id, last)
        marks = stored_marks.read_marks(r.session, row.graph_id)
        is_mine = row.person_id == r.viewer.person_id
        state = state_now(r.session, row, r.now)
        may_edit = is_mine and state in EDITABLE and r.viewer.may(Permission.TRANSCRIBE)
        return Transcription(
            id=row.id,
            graph_id=graph.id,
            version=graph.version,
            state=state,
            comment=row.comment,
            verdict=assignments.verdict_of(row),
            reason=row.reason,
            annotator=_annotator(r, row),
            is_mine=is_mine,
            is_training=row.kind == TRAINING,
            may_edit=may_edit,
            may_return=row.state == "submitted" and r.viewer.may(Permission.REVIEW) and not is_mine,
            figure=figure_view(r, row.subject_id),
            record=record,
            marks=marks,
            paths=courses_of(record, marks),
            layout=graph.layout,
            can_undo=may_edit and graph.undo_depth > 0,
            can_redo=may_edit and graph.redo_depth > 0,
            saved_at=last and last[1],
            faults=stored_faults(r.session, row) if may_edit else (),
            guidelines=newest_number(r.session),
            reading=reading,
            is_offered=not withheld_from(row),
        )


def _annotator(r: ReadContext, row: AssignmentRow) -> str:
    if row.person_id == r.viewer.person_id:
        return r.viewer.name
    return "" if unnamed_figures(r, [row.subject_id]) else people.person(r.session, row.person_id).name


def require_transcription(viewer: Viewer, assignment_id: str) -> None:
    with consulting(viewer, Permission.OPEN_WORK) as r:
        require_visible(r, assignments.assignment(r.session, assignment_id))


def require_visible(r: ReadContext, row: AssignmentRow) -> None:
    """Raise Refused unless it is the viewer's own work, or it is submitted and they review.

    A person who is transcribing or ruling on the figure sees no one else's work on it, in any role.
    """
    if row.person_id == r.viewer.person_id:
        return
    if r.viewer.may(Permission.REVIEW) and row.state in HANDED_IN:
        refuse_at_work(r, row.subject_id)
        r.record_exposure(row.subject_id)
        return
    raise Refused("This transcription belongs to someone else and stays hidden until it is submitted.")


def figure_view(r: ReadContext, figure_id: str) -> FigureView:
    """Return a figure with its paper's title. Raises Missing."""
    figure, paper = assignments.subject_of(r.session, figure_id)
    box = Box(figure.x0, figure.y0, figure.x1, figure.y1)
    return FigureView(
        id=figure.id,
        paper_id=paper.id,
        paper_title=paper.title,
        label=figure.label,
        caption=figure.caption,
        place=figure.place,
        page=figure.page,
        box=box,
        version=figure.version,
    )
