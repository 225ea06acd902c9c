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
from services.transcription.reading import require_visible, transcription
from store import assignments, people
from store.tables import AssignmentRow, WorkCommentRow

LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class WorkComment:
    """A comment. `who`: "you", a name the viewer may see, "the annotator" or "a reviewer"; `edge`: its names when the
    comment was written, "" for the figure."""

    who: str
    edge: str
    text: str
    at: datetime


def comments(viewer: Viewer, assignment_id: str) -> tuple[WorkComment, ...]:
    """Return the comments on a transcription, oldest first. Raises Refused for work that the viewer may not see."""
    with consulting(viewer, Permission.OPEN_WORK) as r:
        row = _visible(r, assignment_id)
        query = select(WorkCommentRow).where(WorkCommentRow.assignment_id == assignment_id)
        rows = r.session.exec(query.order_by(col(WorkCommentRow.written_at), col(WorkCommentRow.id))).all()
        names = people.names_of(r.session, {each.written_by for each in rows}) if r.viewer.sees_others else {}
        return tuple(
            WorkComment(_who(r, row, each.written_by, names), each.edge, each.text, each.written_at) for each in rows
        )


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


def _who(r: ReadContext, row: AssignmentRow, person_id: str, names: dict[str, str]) -> str:
    if person_id == r.viewer.person_id:
        return "you"
    return names.get(person_id, "the annotator" if person_id == row.person_id else "a reviewer")
