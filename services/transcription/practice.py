"""What comes before a person's first real figure: the guidelines read, and a figure with a known answer drawn.

The training figure is drawn on the same screen by the same acts as any figure. But its paper is in no list, its
assignments are of a kind of their own, and nothing of it is counted, exported or compared.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.papers.pages import Box
from core.people import May, Receipt, Role, Viewer
from core.transcription import practice as answer
from core.transcription.practice import Correctness, Finding
from services.acting import Reading, Writing, consulting, perform
from services.transcription.editing import hold
from services.transcription.guidelines import newest_number
from services.transcription.practice_figure import ensure_figure, training_figure
from services.transcription.reading import require_sight
from store import assignments, efforts, history, milestones, people
from store.assignments import EDITABLE, TRAINING, TRANSCRIPTION
from store.graphs import graphs
from store.tables import AssignmentRow, EventRow, GraphRow, MilestoneRow

PASSED, WAIVED, ASKED = "passed", "waived", "asked"
CHECK = "training.check"
NO_PROPOSALS = "training"


@dataclass(frozen=True, slots=True)
class Due:
    """What a person has to do before a real figure opens. `guidelines` is the version to read, 0 if none; `begun` is
    their training's assignment, "" if it is not begun; `may_waive` says whether they may excuse themselves."""

    guidelines: int = 0
    training: bool = False
    begun: str = ""
    may_waive: bool = False

    @property
    def is_anything(self) -> bool:
        return bool(self.guidelines) or self.training


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding, and where to look: in words and as a box in points of the page; None if nothing is printed there."""

    finding: Finding
    where: str
    box: Box | None


@dataclass(frozen=True, slots=True)
class Checked:
    """The last check of a training: the how-manieth it was, what it found, and whether the drawing changed since."""

    tries: int
    is_passed: bool
    at: datetime
    found: tuple[Placed, ...]
    is_changed: bool

    def count(self, verdict: Correctness) -> int:
        return sum(placed.finding.verdict is verdict for placed in self.found)


@dataclass(frozen=True, slots=True)
class PracticeState:
    """How one person stands, for the owner. `training`: passed, waived, asked, begun, or "" for none of these;
    `tries` and `active_s` are those of the training, `guidelines` the last version they have read (0: none)."""

    person_id: str
    training: str
    at: datetime | None
    tries: int
    active_s: float
    guidelines: int


# --- what is due ------------------------------------------------------------------------------------------------


def due(viewer: Viewer, assignment_id: str = "") -> Due:
    """What stands before the viewer's next real figure, or before one of their open transcriptions.

    Nothing stands before the training itself, others' work, or work that is handed in. The training is due once, to
    people who have handed nothing in yet, and again to whom the owner asks.
    """
    with consulting(viewer, May.READ_STUDY) as r:
        if not r.viewer.may(May.TRANSCRIBE) or (assignment_id and not _is_real_work(r, assignment_id)):
            return Due()
        return due_in(r)


def due_in(r: Reading) -> Due:
    """What stands before the next real figure of somebody who transcribes, inside a caller's session."""
    read = milestones.last_milestone(r.session, r.viewer.person_id, milestones.GUIDELINES)
    newest = newest_number(r.session)
    begun = _of_person(r.session, r.viewer.person_id)
    return Due(
        guidelines=newest if newest > (read.number if read else 0) else 0,
        training=_is_due(r.session, r.viewer.person_id),
        begun=begun.id if begun is not None and begun.state in EDITABLE else "",
        may_waive=r.viewer.may(May.MANAGE),
    )


def _is_real_work(r: Reading, assignment_id: str) -> bool:
    row = assignments.assignment(r.session, assignment_id)
    return row.kind == TRANSCRIPTION and row.person_id == r.viewer.person_id and row.state in EDITABLE


def _is_due(session: Session, person_id: str) -> bool:
    known = milestones.last_milestone(session, person_id, milestones.TRAINING)
    if known is not None:
        return bool(known.details.get("how") == ASKED)
    rows = assignments.assignments_of_person(session, TRANSCRIPTION, person_id)
    return all(row.submitted_at is None for row in rows)


def _of_person(session: Session, person_id: str) -> AssignmentRow | None:
    return assignments.assignment_of(session, TRAINING, training_figure().id, person_id)


def is_training(viewer: Viewer, assignment_id: str) -> bool:
    """Whether this is a training and no real transcription. Raises Missing or Refused if the viewer cannot open it."""
    with consulting(viewer, May.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        require_sight(r, row)
        return row.kind == TRAINING


# --- taking it --------------------------------------------------------------------------------------------------


def begin(viewer: Viewer, *, act_id: str) -> Receipt:
    """Begin the training, or go on with it; the subject is its assignment."""

    def act(w: Writing) -> Receipt:
        figure_id = ensure_figure(w)
        found = assignments.assignment_of(w.session, TRAINING, figure_id, w.viewer.person_id)
        if found is None:
            found = AssignmentRow(
                kind=TRAINING,
                subject_id=figure_id,
                person_id=w.viewer.person_id,
                graph_id=_empty_graph(w, figure_id),
                proposals=NO_PROPOSALS,
                claimed_at=w.now,
            )
            w.session.add(found)
            w.session.flush()
        return w.record("training.begin", "assignment", found.id, version=found.version)

    return perform(viewer, May.TRANSCRIBE, act_id, act)


def _empty_graph(w: Writing, figure_id: str) -> str:
    graph = GraphRow(
        kind="transcription", figure_id=figure_id, paper_id=figure_id, created_by=w.viewer.person_id, created_at=w.now
    )
    w.session.add(graph)
    w.session.flush()
    return graph.id


def check(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Checked:
    """Compare one's training with the known answer; every check is counted as a try.

    Passed when nothing is left to correct: then the training is kept as done, with its tries. Raises Refused for
    real work, Conflict if the graph moved past version `seen`.
    """

    def act(w: Writing) -> Receipt:
        held = hold(w, assignment_id, seen)
        row = held.row
        if row.kind != TRAINING:
            raise Refused("Only the practice diagram has a key to check against. Submit this transcription instead.")
        findings = answer.check(training_figure().graph, held.record.graph())
        tries, is_passed = len(_checks(w.session, row)) + 1, answer.is_passed(findings)
        if is_passed:
            row.state, row.submitted_at = "accepted", w.now
            w.session.add(row)
            w.session.flush()
            _keep(w, row.person_id, PASSED, tries=tries)
        found = Counter(str(finding.verdict) for finding in findings)
        return w.record(
            CHECK,
            "assignment",
            row.id,
            version=row.version,
            payload={"try": tries, "passed": is_passed, "round": row.round, "graph_version": seen, "found": found},
        )

    perform(viewer, May.TRANSCRIBE, act_id, act)
    checked = last_check(viewer, assignment_id)
    assert checked is not None, "the check was kept just now"
    return checked


def last_check(viewer: Viewer, assignment_id: str) -> Checked | None:
    """What the last check found, worked out from the drawing as it was then; None before the first."""
    with consulting(viewer, May.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        require_sight(r, row)
        checks = _checks(r.session, row)
        if not checks:
            return None
        last, graph_id = checks[-1], row.graph_id or ""
        drawn = history.rebuild(r.session, graph_id, until=last.seq).graph()
        is_changed = graphs.graph_row(r.session, graph_id).version != last.payload["graph_version"]
    findings = answer.check(training_figure().graph, drawn)
    return Checked(len(checks), last.payload["passed"], last.at, tuple(map(_placed, findings)), is_changed)


def _checks(session: Session, row: AssignmentRow) -> list[EventRow]:
    """The checks of this round: a training that is asked for again begins anew."""
    events = history.events_about(session, row.id)
    return [event for event in events if event.act == CHECK and event.payload["round"] == row.round]


def _placed(finding: Finding) -> Placed:
    box = training_figure().place_of(finding)
    return Placed(finding, _in_words(box, training_figure().box) if box else "", box)


def _in_words(box: Box, figure: Box) -> str:
    """Where in the figure, as a reader would say it: "top left", "in the middle"."""
    down = ((box.y0 + box.y1) / 2 - figure.y0) / figure.height
    across = ((box.x0 + box.x1) / 2 - figure.x0) / figure.width
    row = "top" if down < 1 / 3 else "bottom" if down > 2 / 3 else ""
    side = "left" if across < 1 / 3 else "right" if across > 2 / 3 else ""
    return " ".join(part for part in (row, side) if part) or "in the middle"


# --- the owner's side -------------------------------------------------------------------------------------------


def standings(viewer: Viewer) -> dict[str, PracticeState]:
    """Person → how they stand, for everyone whose roles let them transcribe."""
    with consulting(viewer, May.MANAGE) as r:
        done = milestones.last_milestones(r.session, milestones.TRAINING)
        read = milestones.last_milestones(r.session, milestones.GUIDELINES)
        rows = {row.person_id: row for row in assignments.assignments_of(r.session, TRAINING)}
        seconds = efforts.active_seconds(r.session, [row.id for row in rows.values()])
        found = {}
        for person in people.all_people(r.session):
            if not Viewer(
                person_id="", name="", roles=frozenset(Role(role) for role in person.roles), session_id=""
            ).may(May.TRANSCRIBE):
                continue
            row, milestone = rows.get(person.id), done.get(person.id)
            found[person.id] = PracticeState(
                person.id,
                milestone.details["how"] if milestone is not None else "begun" if row is not None else "",
                milestone.set_at if milestone is not None else None,
                len(_checks(r.session, row)) if row is not None else 0,
                seconds.get(row.id, 0.0) if row is not None else 0.0,
                read[person.id].number if person.id in read else 0,
            )
        return found


def waive(viewer: Viewer, person_id: str, *, act_id: str) -> Receipt:
    """Let a person begin without the training. Raises BadInput if they have passed it."""

    def act(w: Writing) -> Receipt:
        people.person(w.session, person_id)
        known = milestones.last_milestone(w.session, person_id, milestones.TRAINING)
        if known is not None and known.details.get("how") == PASSED:
            raise BadInput("This person has passed the practice diagram; there is nothing to waive.")
        _keep(w, person_id, WAIVED)
        return w.record("training.waive", "person", person_id)

    return perform(viewer, May.MANAGE, act_id, act)


def ask_again(viewer: Viewer, person_id: str, *, act_id: str) -> Receipt:
    """Have a person take the training (again) before their next figure opens; they begin with an empty drawing."""

    def act(w: Writing) -> Receipt:
        people.person(w.session, person_id)
        row = _of_person(w.session, person_id)
        if row is not None:
            row.graph_id, row.round, row.state = _empty_graph(w, row.subject_id), row.round + 1, "open"
            row.submitted_at = None
            w.session.add(row)
            w.session.flush()
        _keep(w, person_id, ASKED)
        return w.record("training.ask", "person", person_id)

    return perform(viewer, May.MANAGE, act_id, act)


def _keep(w: Writing, person_id: str, how: str, **details: Any) -> MilestoneRow:
    number = training_figure().number
    return milestones.keep_milestone(
        w.session, person_id, milestones.TRAINING, number, w.actor.id, w.now, {"how": how, **details}
    )
