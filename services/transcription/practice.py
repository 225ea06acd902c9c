"""Requirements before a person's first real figure: reading the guidelines and drawing a practice figure.

The practice figure is drawn on the same screen with the same acts as any figure. Its paper is in no list, its
assignments have their own kind, and it is excluded from counts, exports and comparisons.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.papers.pages import Box
from core.people import Permission, Receipt, Role, Viewer
from core.transcription import practice as answer
from core.transcription.practice import Correctness, PracticeFinding
from services.acting import ReadContext, Writing, consulting, perform
from services.transcription.editing import hold
from services.transcription.guidelines import newest_number
from services.transcription.practice_figure import ensure_figure, training_figure
from services.transcription.reading import require_visible
from store import assignments, efforts, history, milestones, people
from store.assignments import EDITABLE, TRAINING, TRANSCRIPTION
from store.graphs import graphs
from store.tables import AssignmentRow, EventRow, GraphRow, MilestoneRow

PASSED, WAIVED, ASKED = "passed", "waived", "asked"
CHECK = "training.check"
NO_PROPOSALS = "training"


@dataclass(frozen=True, slots=True)
class PracticeDue:
    """Requirements that a person has to meet before a real figure opens."""

    guidelines: int = 0  # version to read, 0 if none
    training: bool = False
    started: str = ""  # id of their open training, "" if it is not started
    may_waive: bool = False  # they may excuse themselves

    @property
    def is_anything(self) -> bool:
        return bool(self.guidelines) or self.training


@dataclass(frozen=True, slots=True)
class Placed:
    finding: PracticeFinding
    where: str  # in words
    box: Box | None  # in points of the page; None if nothing is printed there


@dataclass(frozen=True, slots=True)
class Checked:
    tries: int  # checks so far, with this one
    is_passed: bool
    at: datetime
    found: tuple[Placed, ...]
    is_changed: bool  # the graph has changed since

    def count(self, verdict: Correctness) -> int:
        return sum(placed.finding.verdict is verdict for placed in self.found)


@dataclass(frozen=True, slots=True)
class PracticeState:
    person_id: str
    training: str  # `passed`, `waived`, `asked`, `started`, or "" for none of these
    at: datetime | None
    tries: int
    active_s: float
    guidelines: int  # last version they have read, 0 for none


# --- what is due ------------------------------------------------------------------------------------------------


def due(viewer: Viewer, assignment_id: str = "") -> PracticeDue:
    """Return what the viewer must do before their next real figure, or before one of their open transcriptions.

    Nothing is required for the training itself, others' work, or submitted work. The training is due once, for people
    who have submitted nothing yet, and again when the owner asks.
    """
    with consulting(viewer, Permission.READ_STUDY) as r:
        if not r.viewer.may(Permission.TRANSCRIBE):
            return PracticeDue()
        if assignment_id:
            row = assignments.assignment(r.session, assignment_id)
            if row.kind != TRANSCRIPTION or row.person_id != r.viewer.person_id or row.state not in EDITABLE:
                return PracticeDue()
        return due_in(r)


def due_in(r: ReadContext) -> PracticeDue:
    """Return what a person who transcribes must do before their next real figure."""
    read = milestones.last_milestone(r.session, r.viewer.person_id, milestones.GUIDELINES)
    newest = newest_number(r.session)
    assignment = _of_person(r.session, r.viewer.person_id)
    training = milestones.last_milestone(r.session, r.viewer.person_id, milestones.TRAINING)
    if training is not None:
        is_due = bool(training.details.get("how") == ASKED)
    else:
        works = assignments.assignments_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
        is_due = all(work.submitted_at is None for work in works)
    return PracticeDue(
        guidelines=newest if newest > (read.number if read else 0) else 0,
        training=is_due,
        started=assignment.id if assignment is not None and assignment.state in EDITABLE else "",
        may_waive=r.viewer.may(Permission.MANAGE),
    )


def _of_person(session: Session, person_id: str) -> AssignmentRow | None:
    return assignments.assignment_of(session, TRAINING, training_figure().id, person_id)


def is_training(viewer: Viewer, assignment_id: str) -> bool:
    """Return whether this is a training. Raises Missing or Refused if the viewer cannot open it."""
    with consulting(viewer, Permission.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        require_visible(r, row)
        return row.kind == TRAINING


# --- doing the training -----------------------------------------------------------------------------------------


def begin(viewer: Viewer, *, act_id: str) -> Receipt:
    """Start or continue the training; the receipt's subject is its assignment."""

    def act(w: Writing) -> Receipt:
        figure_id = ensure_figure(w)
        assignment = assignments.assignment_of(w.session, TRAINING, figure_id, w.viewer.person_id)
        if assignment is None:
            assignment = AssignmentRow(
                kind=TRAINING,
                subject_id=figure_id,
                person_id=w.viewer.person_id,
                graph_id=_empty_graph(w, figure_id),
                proposals=NO_PROPOSALS,
                claimed_at=w.now,
            )
            w.session.add(assignment)
            w.session.flush()
        return w.record("training.begin", "assignment", assignment.id, version=assignment.version)

    return perform(viewer, Permission.TRANSCRIBE, act_id, act)


def _empty_graph(w: Writing, figure_id: str) -> str:
    graph = GraphRow(
        kind="transcription", figure_id=figure_id, paper_id=figure_id, created_by=w.viewer.person_id, created_at=w.now
    )
    w.session.add(graph)
    w.session.flush()
    return graph.id


def check(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Checked:
    """Compare the viewer's training with the known answer; every check counts as a try.

    It is passed when nothing is left to correct. Raises Refused for real work, Conflict for a stale version.
    """

    def act(w: Writing) -> Receipt:
        locked = hold(w, assignment_id, seen)
        row = locked.row
        if row.kind != TRAINING:
            raise Refused("Only the practice diagram has a key to check against. Submit this transcription instead.")
        if row.subject_id != training_figure().id:
            raise Refused("This practice diagram has been replaced. Leave it and start the new one.")
        findings = answer.check(training_figure().graph, locked.record.graph())
        tries, is_passed = len(_checks(w.session, row)) + 1, answer.is_passed(findings)
        if is_passed:
            row.state, row.submitted_at = "accepted", w.now
            w.session.add(row)
            w.session.flush()
            _keep_milestone(w, row.person_id, PASSED, tries=tries)
        counts = Counter(str(finding.verdict) for finding in findings)
        return w.record(
            CHECK,
            "assignment",
            row.id,
            version=row.version,
            payload={"try": tries, "passed": is_passed, "round": row.round, "graph_version": seen, "found": counts},
        )

    perform(viewer, Permission.TRANSCRIBE, act_id, act)
    checked = last_check(viewer, assignment_id)
    assert checked is not None, "the check was kept just now"
    return checked


def last_check(viewer: Viewer, assignment_id: str) -> Checked | None:
    """Return the findings of the last check, recomputed from the graph as it was then; None before the first,
    and of a practice diagram that has been replaced."""
    with consulting(viewer, Permission.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        require_visible(r, row)
        checks = _checks(r.session, row)
        if not checks or row.subject_id != training_figure().id:
            return None
        last, graph_id = checks[-1], row.graph_id or ""
        drawn = history.rebuild(r.session, graph_id, until=last.seq).graph()
        is_changed = graphs.graph_row(r.session, graph_id).version != last.payload["graph_version"]
    findings = answer.check(training_figure().graph, drawn)
    box_of, figure = training_figure().place_of, training_figure().box
    placed = (
        Placed(finding, _describe_position(box, figure) if box else "", box)
        for finding, box in ((finding, box_of(finding)) for finding in findings)
    )
    return Checked(len(checks), last.payload["passed"], last.at, tuple(placed), is_changed)


def _checks(session: Session, row: AssignmentRow) -> list[EventRow]:
    """Return the checks of this round; a training that is asked for again starts a new round."""
    events = history.events_about(session, row.id)
    return [event for event in events if event.act == CHECK and event.payload["round"] == row.round]


def _describe_position(box: Box, figure: Box) -> str:
    down = ((box.y0 + box.y1) / 2 - figure.y0) / figure.height
    across = ((box.x0 + box.x1) / 2 - figure.x0) / figure.width
    row = "top" if down < 1 / 3 else "bottom" if down > 2 / 3 else ""
    side = "left" if across < 1 / 3 else "right" if across > 2 / 3 else ""
    return " ".join(part for part in (row, side) if part) or "in the middle"


# --- the owner's side -------------------------------------------------------------------------------------------


def practice_states(viewer: Viewer) -> dict[str, PracticeState]:
    """Return person → training state, for everyone whose roles let them transcribe."""
    with consulting(viewer, Permission.MANAGE) as r:
        done = milestones.last_milestones(r.session, milestones.TRAINING)
        read = milestones.last_milestones(r.session, milestones.GUIDELINES)
        rows = {row.person_id: row for row in assignments.assignments_of(r.session, TRAINING)}
        seconds = efforts.active_seconds(r.session, [row.id for row in rows.values()])
        states = {}
        for person in people.all_people(r.session):
            if not Viewer(
                person_id="", name="", roles=frozenset(Role(role) for role in person.roles), session_id=""
            ).may(Permission.TRANSCRIBE):
                continue
            row, milestone = rows.get(person.id), done.get(person.id)
            states[person.id] = PracticeState(
                person.id,
                milestone.details["how"] if milestone is not None else "begun" if row is not None else "",
                milestone.set_at if milestone is not None else None,
                len(_checks(r.session, row)) if row is not None else 0,
                seconds.get(row.id, 0.0) if row is not None else 0.0,
                read[person.id].number if person.id in read else 0,
            )
        return states


def waive(viewer: Viewer, person_id: str, *, act_id: str) -> Receipt:
    """Let a person start without the training. Raises BadInput if they have passed it."""

    def act(w: Writing) -> Receipt:
        people.person(w.session, person_id)
        known = milestones.last_milestone(w.session, person_id, milestones.TRAINING)
        if known is not None and known.details.get("how") == PASSED:
            raise BadInput("This person has passed the practice diagram; there is nothing to waive.")
        _keep_milestone(w, person_id, WAIVED)
        return w.record("training.waive", "person", person_id)

    return perform(viewer, Permission.MANAGE, act_id, act)


def ask_again(viewer: Viewer, person_id: str, *, act_id: str) -> Receipt:
    """Require the training (again) before a person's next figure; they start with an empty graph."""

    def act(w: Writing) -> Receipt:
        people.person(w.session, person_id)
        row = _of_person(w.session, person_id)
        if row is not None:
            row.graph_id, row.round, row.state = _empty_graph(w, row.subject_id), row.round + 1, "open"
            row.submitted_at = None
            w.session.add(row)
            w.session.flush()
        _keep_milestone(w, person_id, ASKED)
        return w.record("training.ask", "person", person_id)

    return perform(viewer, Permission.MANAGE, act_id, act)


def _keep_milestone(w: Writing, person_id: str, status: str, **details: Any) -> MilestoneRow:
    number = training_figure().number
    return milestones.keep_milestone(
        w.session, person_id, milestones.TRAINING, number, w.actor.id, w.now, {"how": status, **details}
    )
