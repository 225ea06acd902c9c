"""The machine as a late third voice: what the reading holds otherwise, shown to whoever drew without proposals.

Nothing is told before a transcription is submitted. The first look keeps its first state; what is changed from then on
is a second one. The look ends with the last answer, with Finish, or with time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from core.errors import Missing, Refused
from core.graphs.record import GraphRecord, invert
from core.people import May, Receipt, Viewer
from core.sign import Sign
from core.transcription.late_voice import (
    LateAnswer,
    ReadKind,
    ReadOtherwise,
    Taken,
    answer_mark,
    read_otherwise,
    take,
)
from core.transcription.marks import Marks, invert_marks
from core.transcription.proposals import FigureProposals
from services.acting import Reading, Writing, consulting, perform
from services.transcription.editing import Edit, LockedTranscription, keep, refuse_stale, write
from services.transcription.figure_proposals import place_of, proposals_within, read_proposals
from services.transcription.late.settings import settings_in
from services.transcription.late.window import ends_at
from services.transcription.proposal_settings import withheld_from
from services.transcription.reading import NOTHING_READ
from store import assignments, history, queue
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.graphs import graphs
from store.graphs import marks as stored_marks
from store.graphs.firsts import firsts_of, keep_first
from store.graphs.marks import mark_changes_at
from store.tables import AssignmentRow, EventRow

NOT_NOW = "There is nothing to compare this transcription with now. It is final as you submitted it."
IS_OVER = "The comparison is closed. This transcription is final and cannot be changed."
NOT_YOURS = "Only its annotator compares a transcription with the reading."

LateState = Literal["none", "reading", "due", "open", "closed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LateRow:
    """One thing that was read otherwise, and the answer, None while it waits. Of an answered one neither place nor
    doubts are known, since what was asked is no longer so."""

    read: ReadOtherwise
    answer: LateAnswer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LateVoice:
    """How a transcription stands to the reading. `state`: "reading" while the figure is being read, "due" if there is
    something to look at, "none" if there is nothing or nothing may be shown. `version` is the graph's, which every
    answer names; `until` when an open look ends at the latest."""

    state: LateState
    version: int = 0
    until: datetime | None = None
    rows: tuple[LateRow, ...] = ()
    can_undo: bool = False

    @property
    def waiting(self) -> tuple[LateRow, ...]:
        return tuple(row for row in self.rows if row.answer is None)

    @property
    def taken(self) -> int:
        return sum(row.answer is LateAnswer.TAKEN for row in self.rows)


def voice(viewer: Viewer, assignment_id: str, *, wait_s: float | None = None) -> LateVoice:
    """What the reading says to one's own transcription. The first look at a figure takes its time; after `wait_s` it
    goes on by itself ("reading"). Raises Refused for anyone else's work."""
    with consulting(viewer, May.TRANSCRIBE) as r:
        row = _own(r, assignment_id)
        graph_id = row.graph_id or ""
        kept = _opening(r, graph_id) if row.late_opened_at is not None else None
        end = ends_at(row, r.now)
        if kept is None and not _may_open(r, row):
            return LateVoice(state="none")
        version = graphs.graph_row(r.session, graph_id).version
        record, marks = graphs.read_graph(r.session, graph_id), stored_marks.read_marks(r.session, graph_id)
        can_undo = end is not None and _undoable(r, graph_id, kept) is not None
        try:
            place = place_of(r, assignments.figure(r.session, row.subject_id))
        except Missing:
            place = None  # a paper without a file prints nothing
    if kept is not None and end is None:
        return LateVoice(state="closed", version=version, rows=_rows(kept, NOTHING_READ, record, marks))
    found = NOTHING_READ if place is None else proposals_within(place, wait_s)
    if found is None:
        return LateVoice(state="reading", version=version)
    if kept is None:
        return LateVoice(state="due" if read_otherwise(found, record, marks) else "none", version=version)
    rows = _rows(kept, found, record, marks)
    return LateVoice(state="open", version=version, until=end, rows=rows, can_undo=can_undo)


def open_window(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Begin the look: from now on its annotator may answer, and what was submitted is kept as it is.

    Raises Refused for anyone else's work, before it is submitted, once it is final, and if nothing is read otherwise.
    """
    found = _reading(viewer, assignment_id)

    def act(w: Writing) -> Receipt:
        row = _own(w, assignment_id)
        queue.held_subject(w.session, TRANSCRIPTION, row.subject_id)  # an adjudication that begins waits, or was first
        graph = graphs.graph_row(w.session, row.graph_id or "", for_update=True)
        w.session.refresh(row)
        record, marks = graphs.read_graph(w.session, graph.id), stored_marks.read_marks(w.session, graph.id)
        asked = read_otherwise(found, record, marks)
        if row.late_opened_at is not None or not _may_open(w, row) or not asked:
            raise Refused(NOT_NOW)
        refuse_stale(graph, seen)
        first, payload = keep_first(w.session, graph, record, marks, row.person_id, w.now)
        row.late_opened_at = w.now
        w.session.add(row)
        w.session.flush()
        listed = {"listed": [one.key for one in asked], "graph_version": seen}
        return w.record(
            "late.open", "assignment", row.id, version=row.version, graph_id=first.id, payload={**payload, **listed}
        )

    return perform(viewer, May.TRANSCRIBE, act_id, act, asked=(assignment_id, "late voice open"))


def answer(viewer: Viewer, assignment_id: str, key: str, said: LateAnswer, *, seen: int, act_id: str) -> Receipt:
    """Take what was read, or keep what was drawn; the last answer ends the look.

    Raises Refused once it is over, Missing for a key that does not wait, Conflict after version `seen`.
    """
    found = _reading(viewer, assignment_id)

    def act(w: Writing) -> Receipt:
        held = _hold(w, assignment_id, seen)
        kept = _opening(w, held.graph.id)
        waiting = _waiting(kept, found, held.record, held.marks)
        one = next((one for one in waiting if one.key == key), None)
        if one is None:
            raise Missing("This question was answered already, or your last answer settled it. Reload the page.")
        taken = Taken(())
        if said is LateAnswer.TAKEN:
            taken = take(one, found, held.record, held.marks, new_id=held.ids())
        made = Edit(taken.changes, (*taken.marks, *answer_mark(one, said, held.marks)), is_fold=taken.is_fold)
        after = (held.record.apply(made.changes), held.marks.apply(made.marks))
        if not _waiting(kept, found, *after):
            held.row.late_closed_at = w.now
            w.session.add(held.row)
            w.session.flush()
        return keep(held, made, "late voice")

    return perform(viewer, May.TRANSCRIBE, act_id, act, asked=(assignment_id, "late voice", key, said.value))


def undo(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Take the last answer of an open look back. Raises Refused if there is none, or it is over."""

    def act(w: Writing) -> Receipt:
        held = _hold(w, assignment_id, seen)
        seq = _undoable(w, held.graph.id, _opening(w, held.graph.id))
        if seq is None:
            raise Refused("There is nothing to undo.")
        taken_back = Edit(invert(history.changes_at(w.session, seq)), invert_marks(mark_changes_at(w.session, seq)))
        return write(held, taken_back, "graph.undo", "undo", undoes=seq)

    return perform(viewer, May.TRANSCRIBE, act_id, act, asked=(assignment_id, "late voice undo"))


def finish(viewer: Viewer, assignment_id: str, *, act_id: str) -> Receipt:
    """End the look: what waits stays as it was drawn, and the transcription is final. Raises Refused if it is over."""

    def act(w: Writing) -> Receipt:
        row = _own(w, assignment_id)
        graphs.graph_row(w.session, row.graph_id or "", for_update=True)  # an answer being written is finished first
        w.session.refresh(row)
        _refuse_over(row, w.now)
        row.late_closed_at = w.now
        w.session.add(row)
        w.session.flush()
        return w.record("late.close", "assignment", row.id, version=row.version)

    return perform(viewer, May.TRANSCRIBE, act_id, act)


# --- what holds --------------------------------------------------------------------------------------------------


def _own(r: Reading, assignment_id: str) -> AssignmentRow:
    row = assignments.assignment(r.session, assignment_id)
    if row.person_id != r.viewer.person_id:
        raise Refused(NOT_YOURS)
    return row


def _may_open(r: Reading, row: AssignmentRow) -> bool:
    """Whether the reading may be heard: submitted, drawn without it, not yet final, and wanted in this study."""
    if row.kind != TRANSCRIPTION or row.state != "submitted" or row.proposals == "shown":
        return False
    if not withheld_from(row) or not settings_in(r.session).on:
        return False
    return assignments.only_assignment(r.session, ADJUDICATION, row.subject_id) is None


def _refuse_over(row: AssignmentRow, now: datetime) -> None:
    if ends_at(row, now) is None:
        raise Refused(IS_OVER if row.late_opened_at is not None else NOT_NOW)


def _hold(w: Writing, assignment_id: str, seen: int) -> LockedTranscription:
    """Lock the viewer's own transcription while its look is open. Raises Refused, Conflict."""
    row = _own(w, assignment_id)
    graph = graphs.graph_row(w.session, row.graph_id or "", for_update=True)
    w.session.refresh(row)  # on a server another tab may have ended it while this one waited for the graph
    _refuse_over(row, w.now)
    refuse_stale(graph, seen)
    return LockedTranscription(w, row, graph, seen)


def _reading(viewer: Viewer, assignment_id: str) -> FigureProposals:
    """What was read of the figure; never inside a transaction. Raises Refused before anything may be shown."""
    with consulting(viewer, May.TRANSCRIBE) as r:
        row = _own(r, assignment_id)
        if row.late_opened_at is None and not _may_open(r, row):
            raise Refused(NOT_NOW)
        place = place_of(r, assignments.figure(r.session, row.subject_id))
    return read_proposals(place)


def _opening(r: Reading, graph_id: str) -> EventRow:
    """The event that began the look: it made the first state and lists what was asked."""
    (event,) = history.graph_events(r.session, firsts_of(r.session, [graph_id])[graph_id])
    return event


def _undoable(r: Reading, graph_id: str, kept: EventRow | None) -> int | None:
    """The place in the history of the answer that undo takes back."""
    stack, _redo = history.undo_stacks(r.session, graph_id)
    since = kept.seq if kept is not None else None
    return stack[-1] if stack and since is not None and stack[-1] > since else None


# --- what is asked -----------------------------------------------------------------------------------------------


def _waiting(kept: EventRow, found: FigureProposals, record: GraphRecord, marks: Marks) -> Sequence[ReadOtherwise]:
    """What was listed at the beginning, is still so, and has no answer: one pass, no more."""
    listed = kept.payload["listed"]
    answered = marks.of("late voice")
    now = {one.key: one for one in read_otherwise(found, record, marks)}
    return [now[key] for key in listed if key in now and key not in answered]


def _rows(kept: EventRow, found: FigureProposals, record: GraphRecord, marks: Marks) -> tuple[LateRow, ...]:
    waiting = {one.key: one for one in _waiting(kept, found, record, marks)}
    answered = marks.of("late voice")
    rows = []
    for key in kept.payload["listed"]:
        if key in waiting:
            rows.append(LateRow(read=waiting[key], answer=None))
        elif key in answered:
            rows.append(answered_row(key, answered[key]))
    return tuple(rows)


def answered_row(key: str, value: Mapping[str, Any]) -> LateRow:
    """An answer as its mark keeps it."""
    read = ReadOtherwise(
        key=key,
        kind=ReadKind(value["kind"]),
        source=value["source"],
        sink=value["sink"],
        sign=Sign(value["sign"]) if value["sign"] else None,
        delay=value["delay"],
        origin=value["origin"],
    )
    return LateRow(read=read, answer=LateAnswer(value["answer"]))
