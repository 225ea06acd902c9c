"""Post-submission review: differences between the program's reading and a transcription drawn without proposals.

Nothing is shown before submission. Opening the review freezes a copy of the submitted graph; later changes belong to a
second state. The review ends with the last answer, with Finish, or when its time is up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from core.errors import Missing, Refused
from core.graphs.record import GraphRecord, invert
from core.people import Permission, Receipt, Viewer
from core.sign import Sign
from core.transcription.marks import Marks, invert_marks
from core.transcription.proposals import FigureProposals
from core.transcription.reading_differences import (
    AppliedReading,
    LateAnswer,
    ReadingDifference,
    ReadKind,
    answer_mark,
    reading_differences,
    take,
)
from services.acting import ReadContext, Writing, consulting, perform
from services.transcription.editing import Edit, LockedTranscription, keep, refuse_stale, write
from services.transcription.figure_proposals import place_of, proposals_within, read_proposals
from services.transcription.post_submission.settings import settings_in
from services.transcription.post_submission.window import ends_at
from services.transcription.proposal_settings import withheld_from
from services.transcription.reading import NOTHING_READ
from store import assignments, history, queue
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.graphs import graphs
from store.graphs import marks as stored_marks
from store.graphs.marks import mark_changes_at
from store.graphs.submitted_copies import firsts_of, keep_first
from store.tables import AssignmentRow, EventRow

NOT_NOW = "There is nothing to compare this transcription with now. It is final as you submitted it."
IS_OVER = "The comparison is closed. This transcription is final and cannot be changed."
NOT_OWN_TRANSCRIPTION = "Only its annotator compares a transcription with the reading."

LateState = Literal["none", "reading", "due", "open", "closed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LateRow:
    """A difference, and the annotator's answer. An answered one has no place or doubts: its question is settled."""

    read: ReadingDifference
    answer: LateAnswer | None  # None while it waits


@dataclass(frozen=True, slots=True, kw_only=True)
class PostSubmissionReader:
    """State of a transcription's review: none, or due, or waiting for the figure to be read, or open, or closed."""

    state: LateState
    version: int = 0  # of the graph; every answer names it
    until: datetime | None = None  # latest end of an open review
    rows: tuple[LateRow, ...] = ()
    can_undo: bool = False

    @property
    def waiting(self) -> tuple[LateRow, ...]:
        return tuple(row for row in self.rows if row.answer is None)

    @property
    def taken(self) -> int:
        return sum(row.answer is LateAnswer.TAKEN for row in self.rows)


def post_submission_reading(viewer: Viewer, assignment_id: str, *, wait_s: float | None = None) -> PostSubmissionReader:
    """Return the review of the viewer's own transcription. Raises Refused for anyone else's.

    The figure may have to be read first; after `wait_s` the state is "reading", and reading continues.
    """
    with consulting(viewer, Permission.TRANSCRIBE) as r:
        row = _own(r, assignment_id)
        graph_id = row.graph_id or ""
        opening = _opening(r, graph_id) if row.late_opened_at is not None else None
        end = ends_at(row, r.now)
        if opening is None and not _may_open(r, row):
            return PostSubmissionReader(state="none")
        version = graphs.graph_row(r.session, graph_id).version
        record, marks = graphs.read_graph(r.session, graph_id), stored_marks.read_marks(r.session, graph_id)
        can_undo = end is not None and _undoable(r, graph_id, opening) is not None
        try:
            place = place_of(r, assignments.figure(r.session, row.subject_id))
        except Missing:
            place = None  # a paper without a file prints nothing
    if opening is not None and end is None:
        return PostSubmissionReader(state="closed", version=version, rows=_rows(opening, NOTHING_READ, record, marks))
    reading = NOTHING_READ if place is None else proposals_within(place, wait_s)
    if reading is None:
        return PostSubmissionReader(state="reading", version=version)
    if opening is None:
        return PostSubmissionReader(
            state="due" if reading_differences(reading, record, marks) else "none", version=version
        )
    rows = _rows(opening, reading, record, marks)
    return PostSubmissionReader(state="open", version=version, until=end, rows=rows, can_undo=can_undo)


def open_window(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Open the review: freeze the submitted graph and let the annotator answer.

    Raises Refused for others' work, before submission, once it is final, and if there is no difference.
    """
    reading = _reading(viewer, assignment_id)

    def act(w: Writing) -> Receipt:
        row = _own(w, assignment_id)
        # Locked first: an adjudication that starts now waits, or has started already and ends this.
        queue.held_subject(w.session, TRANSCRIPTION, row.subject_id)
        graph = graphs.graph_row(w.session, row.graph_id or "", for_update=True)
        w.session.refresh(row)
        record, marks = graphs.read_graph(w.session, graph.id), stored_marks.read_marks(w.session, graph.id)
        differences = reading_differences(reading, record, marks)
        if row.late_opened_at is not None or not _may_open(w, row) or not differences:
            raise Refused(NOT_NOW)
        refuse_stale(graph, seen)
        first, payload = keep_first(w.session, graph, record, marks, row.person_id, w.now)
        row.late_opened_at = w.now
        w.session.add(row)
        w.session.flush()
        listed = {"listed": [difference.key for difference in differences], "graph_version": seen}
        return w.record(
            "late.open", "assignment", row.id, version=row.version, graph_id=first.id, payload={**payload, **listed}
        )

    return perform(viewer, Permission.TRANSCRIBE, act_id, act, asked=(assignment_id, "late voice open"))


def answer(viewer: Viewer, assignment_id: str, key: str, reply: LateAnswer, *, seen: int, act_id: str) -> Receipt:
    """Accept a difference into the graph, or keep what was drawn; the last answer ends the review.

    Raises Refused once it is closed, Missing for a key that does not wait, Conflict for a stale version.
    """
    reading = _reading(viewer, assignment_id)

    def act(w: Writing) -> Receipt:
        locked = _hold(w, assignment_id, seen)
        opening = _opening(w, locked.graph.id)
        waiting = _waiting(opening, reading, locked.record, locked.marks)
        difference = next((each for each in waiting if each.key == key), None)
        if difference is None:
            raise Missing("This question was answered already, or your last answer settled it. Reload the page.")
        accepted = AppliedReading(())
        if reply is LateAnswer.TAKEN:
            accepted = take(difference, reading, locked.record, locked.marks, new_id=locked.ids())
        effect = Edit(
            accepted.changes, (*accepted.marks, *answer_mark(difference, reply, locked.marks)), is_fold=accepted.is_fold
        )
        after = (locked.record.apply(effect.changes), locked.marks.apply(effect.marks))
        if not _waiting(opening, reading, *after):
            locked.row.late_closed_at = w.now
            w.session.add(locked.row)
            w.session.flush()
        return keep(locked, effect, "late voice")

    return perform(viewer, Permission.TRANSCRIBE, act_id, act, asked=(assignment_id, "late voice", key, reply.value))


def undo(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Undo the last answer of an open review. Raises Refused if there is none or the review is closed."""

    def act(w: Writing) -> Receipt:
        locked = _hold(w, assignment_id, seen)
        seq = _undoable(w, locked.graph.id, _opening(w, locked.graph.id))
        if seq is None:
            raise Refused("There is nothing to undo.")
        inverse = Edit(invert(history.changes_at(w.session, seq)), invert_marks(mark_changes_at(w.session, seq)))
        return write(locked, inverse, "graph.undo", "undo", undoes=seq)

    return perform(viewer, Permission.TRANSCRIBE, act_id, act, asked=(assignment_id, "late voice undo"))


def finish(viewer: Viewer, assignment_id: str, *, act_id: str) -> Receipt:
    """End the review: unanswered differences stay as drawn. Raises Refused if it is closed."""

    def act(w: Writing) -> Receipt:
        row = _own(w, assignment_id)
        graphs.graph_row(w.session, row.graph_id or "", for_update=True)  # wait for an answer that is being written
        w.session.refresh(row)
        _refuse_over(row, w.now)
        row.late_closed_at = w.now
        w.session.add(row)
        w.session.flush()
        return w.record("late.close", "assignment", row.id, version=row.version)

    return perform(viewer, Permission.TRANSCRIBE, act_id, act)


# --- conditions --------------------------------------------------------------------------------------------------


def _own(r: ReadContext, assignment_id: str) -> AssignmentRow:
    row = assignments.assignment(r.session, assignment_id)
    if row.person_id != r.viewer.person_id:
        raise Refused(NOT_OWN_TRANSCRIPTION)
    return row


def _may_open(r: ReadContext, row: AssignmentRow) -> bool:
    """Return whether a review may open: submitted without proposals, not yet adjudicated, and on in this study."""
    if row.kind != TRANSCRIPTION or row.state != "submitted" or row.proposals == "shown":
        return False
    if not withheld_from(row) or not settings_in(r.session).on:
        return False
    return assignments.only_assignment(r.session, ADJUDICATION, row.subject_id) is None


def _refuse_over(row: AssignmentRow, now: datetime) -> None:
    if ends_at(row, now) is None:
        raise Refused(IS_OVER if row.late_opened_at is not None else NOT_NOW)


def _hold(w: Writing, assignment_id: str, seen: int) -> LockedTranscription:
    row = _own(w, assignment_id)
    graph = graphs.graph_row(w.session, row.graph_id or "", for_update=True)
    w.session.refresh(row)  # on a server another tab may have ended it while this one waited for the graph
    _refuse_over(row, w.now)
    refuse_stale(graph, seen)
    return LockedTranscription(w, row, graph, seen)


def _reading(viewer: Viewer, assignment_id: str) -> FigureProposals:
    """Return the reading of the figure; slow, so never inside a transaction. Raises Refused if no review may open."""
    with consulting(viewer, Permission.TRANSCRIBE) as r:
        row = _own(r, assignment_id)
        if row.late_opened_at is None and not _may_open(r, row):
            raise Refused(NOT_NOW)
        place = place_of(r, assignments.figure(r.session, row.subject_id))
    return read_proposals(place)


def _opening(r: ReadContext, graph_id: str) -> EventRow:
    """Return the event that opened the review: it created the frozen copy and lists the differences."""
    (event,) = history.graph_events(r.session, firsts_of(r.session, [graph_id])[graph_id])
    return event


def _undoable(r: ReadContext, graph_id: str, opening: EventRow | None) -> int | None:
    """Return the history place of the answer that undo takes back, None if there is none."""
    stack, _redo = history.undo_stacks(r.session, graph_id)
    since = opening.seq if opening is not None else None
    return stack[-1] if stack and since is not None and stack[-1] > since else None


# --- differences -------------------------------------------------------------------------------------------------


def _waiting(
    opening: EventRow, reading: FigureProposals, record: GraphRecord, marks: Marks
) -> Sequence[ReadingDifference]:
    """Return the differences that were listed at the opening, still hold, and have no answer."""
    listed = opening.payload["listed"]
    answered = marks.of("late voice")
    now = {one.key: one for one in reading_differences(reading, record, marks)}
    return [now[key] for key in listed if key in now and key not in answered]


def _rows(opening: EventRow, reading: FigureProposals, record: GraphRecord, marks: Marks) -> tuple[LateRow, ...]:
    waiting = {one.key: one for one in _waiting(opening, reading, record, marks)}
    answered = marks.of("late voice")
    rows = []
    for key in opening.payload["listed"]:
        if key in waiting:
            rows.append(LateRow(read=waiting[key], answer=None))
        elif key in answered:
            rows.append(answered_row(key, answered[key]))
    return tuple(rows)


def answered_row(key: str, value: Mapping[str, Any]) -> LateRow:
    """Return an answered difference, restored from its mark."""
    read = ReadingDifference(
        key=key,
        kind=ReadKind(value["kind"]),
        source=value["source"],
        sink=value["sink"],
        sign=Sign(value["sign"]) if value["sign"] else None,
        delay=value["delay"],
        origin=value["origin"],
    )
    return LateRow(read=read, answer=LateAnswer(value["answer"]))
