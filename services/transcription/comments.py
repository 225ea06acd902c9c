"""Comments between an annotator and reviewers, on a transcription or one of its edges.

They are part of the annotator's work: who may not see the work sees no comment on it, so that another annotator of the
figure reads none before both have submitted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from core.errors import BadInput, Missing
from core.people import Permission, Receipt, Viewer
from services.acting import ReadContext, Writing, consulting, perform
from services.pseudonyms import unnamed_figures
from services.transcription.reading import require_visible, transcription
from store import agreement, assignments, documents, people
from store.assignments import ADJUDICATION, HANDED_IN, TRANSCRIPTION
from store.tables import AssignmentRow, WorkCommentRow

LONGEST = 2_000
READ = "comments.read."
"""With the assignment's ID, the key of a person's draft that holds how many of the comments to them they have read."""


@dataclass(frozen=True, slots=True)
class WorkComment:
    """A comment. `who`: "you", a name the viewer may see, "the annotator" or "a reviewer"; `edge`: its names when the
    comment was written, "" for the figure."""

    who: str
    edge: str
    text: str
    at: datetime
    is_to_viewer: bool  # see `_is_to`


@dataclass(frozen=True, slots=True)
class UnreadComments:
    """A transcription with comments to the viewer that they have not read."""

    assignment_id: str
    figure_id: str
    is_mine: bool
    number: int


def comments(viewer: Viewer, assignment_id: str) -> tuple[WorkComment, ...]:
    """Return the comments on a transcription, oldest first. Raises Refused for work that the viewer may not see."""
    with consulting(viewer, Permission.OPEN_WORK) as r:
        row = _visible(r, assignment_id)
        query = select(WorkCommentRow).where(WorkCommentRow.assignment_id == assignment_id)
        rows = r.session.exec(query.order_by(col(WorkCommentRow.written_at), col(WorkCommentRow.id))).all()
        hidden = {row.person_id} if unnamed_figures(r, [row.subject_id]) else set()
        writers = {each.written_by for each in rows} - hidden
        names = people.names_of(r.session, writers) if r.viewer.sees_others else {}
        return tuple(
            WorkComment(
                who=_who(r, row, each.written_by, names),
                edge=each.edge,
                text=each.text,
                at=each.written_at,
                is_to_viewer=_is_to(r.viewer, row.person_id, each.written_by),
            )
            for each in rows
        )


def unread(r: ReadContext) -> tuple[UnreadComments, ...]:
    """Return the transcriptions with unread comments to the viewer, by the time of the first unread one.

    Work is hidden as in the list of submitted work. Nothing of it is shown, so this is no exposure.
    """
    me = r.viewer.person_id
    query = (
        select(AssignmentRow.id, AssignmentRow.person_id, AssignmentRow.subject_id, WorkCommentRow.written_at)
        .join(WorkCommentRow, col(WorkCommentRow.assignment_id) == col(AssignmentRow.id))
        .where(WorkCommentRow.written_by != me)
        .order_by(col(WorkCommentRow.written_at), col(WorkCommentRow.id))
    )
    to_reviewers = col(AssignmentRow.state).in_(HANDED_IN) & (
        col(WorkCommentRow.written_by) == col(AssignmentRow.person_id)
    )
    is_own = col(AssignmentRow.person_id) == me
    reviews = r.viewer.may(Permission.REVIEW)
    at_work = agreement.figures_in_hand(r.session, me, (TRANSCRIPTION, ADJUDICATION)) if reviews else set()
    times: dict[tuple[str, str, bool], list[datetime]] = {}
    for key, person_id, figure_id, at in r.session.exec(query.where(is_own | to_reviewers if reviews else is_own)):
        if person_id == me or figure_id not in at_work:
            times.setdefault((key, figure_id, person_id == me), []).append(at)
    read = {row.key.removeprefix(READ): int(row.text) for row in documents.drafts_under(r.session, me, READ)}
    waiting = sorted((at[read.get(about[0], 0) :], about) for about, at in times.items())
    return tuple(UnreadComments(*about, len(at)) for at, about in waiting if at)


def write(viewer: Viewer, assignment_id: str, text: str, edge_id: str | None, *, act_id: str) -> Receipt:
    """Add a comment on the figure, or on an edge of the transcription.

    Raises BadInput for an empty or long text, Missing without such an edge, Refused as `comments`.
    """
    text = text.replace("\x00", "").strip()
    if not 1 <= len(text) <= LONGEST:
        raise BadInput(f"The comment has {len(text):,} characters; it must have 1 to {LONGEST:,}.")
    record = transcription(viewer, assignment_id).record
    if edge_id is not None and edge_id not in record.edges:
        raise Missing("This edge is no longer in the transcription.")
    ends = (record.edges[edge_id].source_id, record.edges[edge_id].sink_id) if edge_id is not None else ()
    names = " → ".join(record.nodes[node].name for node in ends)

    def act(w: Writing) -> Receipt:
        _visible(w, assignment_id)
        row = WorkCommentRow(
            assignment_id=assignment_id,
            edge_id=edge_id,
            edge=names,
            text=text,
            written_by=w.viewer.person_id,
            written_at=w.now,
        )
        w.session.add(row)
        w.session.flush()
        payload = {"comment": row.id, "edge": edge_id, "text": text}
        return w.record("transcription.comment", "assignment", assignment_id, payload=payload)

    return perform(viewer, Permission.OPEN_WORK, act_id, act)


def _visible(r: ReadContext, assignment_id: str) -> AssignmentRow:
    row = assignments.assignment(r.session, assignment_id)
    require_visible(r, row)
    return row


def _is_to(viewer: Viewer, annotator_id: str, writer_id: str) -> bool:
    """Return whether a comment is to the viewer: annotators get others' comments on their own work, reviewers
    those by the annotator."""
    return viewer.person_id != writer_id and annotator_id in (viewer.person_id, writer_id)


def _who(r: ReadContext, row: AssignmentRow, person_id: str, names: dict[str, str]) -> str:
    if person_id == r.viewer.person_id:
        return "you"
    return names.get(person_id, "the annotator" if person_id == row.person_id else "a reviewer")
