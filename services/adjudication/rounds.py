"""The rounds of an adjudication: started with two transcriptions, finished into ground truth, reopened.

A figure has one adjudication. Reopening starts another round; the earlier ground truth stays, archived.
"""

from __future__ import annotations

from datetime import timedelta
from secrets import randbelow

from core.adjudication.ground_truth import changes_to
from core.errors import BadInput, Refused
from core.graphs.record import GraphRecord
from core.people import Permission, Receipt, Viewer
from core.transcription.declining import FigureOutcome, outcome
from core.words import counted
from services.acting import Writing, perform
from services.adjudication.editing import adjudication, case_of, checked_comment, hold, refuse_own_work, resolved_of
from services.transcription.post_submission.window import refuse_open
from store import assignments, history
from store import rulings as stored
from store.assignments import ADJUDICATION, DECLINED
from store.graphs import graphs
from store.rulings import AlignmentPair
from store.tables import AssignmentRow, FigureRow, GraphRow, new_id

IDLE_FOR = timedelta(hours=24)  # after this time without an act, another adjudicator may take over an open case


def begin(viewer: Viewer, figure_id: str, *, act_id: str) -> Receipt:
    """Start or continue the adjudication of a figure with two submissions. The receipt's subject is its id.

    Raises Refused with fewer than two, for the viewer's own work, if it is finished, while another rules on it, and
    while one of the annotators is in a post-submission review.
    """

    def act(w: Writing) -> Receipt:
        figure = assignments.figure(w.session, figure_id, for_update=True)  # of two who start at once one is second
        refuse_own_work(w, figure_id)
        existing = assignments.only_assignment(w.session, ADJUDICATION, figure_id)
        if existing is not None:
            return _continue_case(w, existing)
        a, b = _first_two(w, figure_id)
        if randbelow(2):  # random order: neither the letters nor the names asked about reveal who submitted first
            a, b = b, a
        for work in (a, b):
            graphs.graph_row(w.session, work.graph_id or "", for_update=True)  # wait for an answer being written
            w.session.refresh(work)
            refuse_open(work, w.now)
        pair = AlignmentPair(a.id, b.id, a.graph_id or "", b.graph_id or "")
        graph = GraphRow(
            kind="ground truth",
            figure_id=figure.id,
            paper_id=figure.paper_id,
            created_by=w.viewer.person_id,
            created_at=w.now,
        )
        w.session.add(graph)
        w.session.flush()
        row = AssignmentRow(
            kind=ADJUDICATION, subject_id=figure.id, person_id=w.viewer.person_id, graph_id=graph.id, claimed_at=w.now
        )
        w.session.add(row)
        w.session.flush()
        stored.keep_between(w.session, row, pair, w.viewer.person_id)
        changes = changes_to(GraphRecord(), resolved_of(case_of(w, row)), new_id)
        graphs.apply_changes(w.session, graph, GraphRecord(), changes, 1)
        payload = {"figure": figure_id, "changes": [change.as_json() for change in changes]}
        return w.record("adjudication.begin", "assignment", row.id, graph_id=graph.id, payload=payload)

    return perform(viewer, Permission.ADJUDICATE, act_id, act)


def _first_two(w: Writing, figure_id: str) -> list[AssignmentRow]:
    """Return the first two submissions in order: graphs, or a verdict instead of one."""
    rows = assignments.done_by_subject(w.session, figure_id).get(figure_id, [])
    if outcome([assignments.verdict_of(row) for row in rows]) is FigureOutcome.CLOSED:
        raise Refused(
            "Both annotators found no graph in this figure, for the same reason, so there is nothing to rule on. "
            "Exclude or reopen the figure under Transcribe, Declined."
        )
    if len(rows) < 2:
        word = "only 1 is" if rows else "none is"
        raise Refused(f"Adjudication needs 2 submitted transcriptions of a figure; {word} submitted.")
    return rows[:2]


def _continue_case(w: Writing, row: AssignmentRow) -> Receipt:
    if row.state != "open":
        raise Refused("This figure has been adjudicated. Open it to see the rulings, or reopen it to rule again.")
    is_taken_over = row.person_id != w.viewer.person_id
    if is_taken_over:
        last = history.last_edit_at(w.session, row.graph_id or "") or row.claimed_at
        if w.now - last < IDLE_FOR:
            raise Refused("Someone else is adjudicating this figure. You can take over after 24 h without a ruling.")
        row.person_id, row.claimed_at = w.viewer.person_id, w.now
        w.session.add(row)
        w.session.flush()
    name = "adjudication.take_over" if is_taken_over else "adjudication.resume"
    return w.record(name, "assignment", row.id, version=row.version, payload={"figure": row.subject_id})


def finish(viewer: Viewer, adjudication_id: str, *, seen: int, act_id: str) -> Receipt:
    """Make the resolved graph the figure's ground truth and send the rulings to both annotators.

    Raises Refused while something waits for a ruling, Conflict if the case moved past version `seen`.
    """

    def act(w: Writing) -> Receipt:
        locked = hold(w, adjudication_id, seen)
        resolved = resolved_of(locked.case)
        if resolved.waiting:
            left = counted(len(resolved.waiting), "difference")
            raise Refused(f"{left} without a ruling. Rule on all differences first.")
        row, pair = locked.case.row, locked.case.between
        row.state, row.submitted_at = "submitted", w.now
        w.session.add(row)
        for assignment_id in (pair.first, pair.second):
            work = assignments.assignment(w.session, assignment_id)
            work.state = DECLINED if work.state == DECLINED else "accepted"  # a verdict is no graph, upheld or not
            work.seen_at = None
            w.session.add(work)
        w.session.flush()
        payload = {
            "figure": row.subject_id,
            "round": row.round,
            "graph": locked.graph.id,
            "graph_version": seen,
            "nodes": len(resolved.nodes),
            "edges": len(resolved.edges),
            "rulings": len(locked.case.rulings),
        }
        return w.record("adjudication.finish", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.ADJUDICATE, act_id, act)


def _next_round(w: Writing, row: AssignmentRow, figure: FigureRow, old: GraphRow) -> GraphRow:
    """Archive the ground truth and open the next round on a new, empty one."""
    old.archived_at = w.now
    new = GraphRow(
        kind="ground truth",
        figure_id=figure.id,
        paper_id=figure.paper_id,
        based_on=old.id,
        layout=dict(old.layout),
        created_by=w.viewer.person_id,
        created_at=w.now,
    )
    w.session.add_all((old, new))
    w.session.flush()
    row.round, row.state, row.graph_id = row.round + 1, "open", new.id
    row.person_id, row.claimed_at, row.submitted_at = w.viewer.person_id, w.now, None
    w.session.add(row)
    w.session.flush()
    return new


def reopen(viewer: Viewer, adjudication_id: str, why: str, *, act_id: str) -> Receipt:
    """Start another round with the same rulings; the earlier ground truth is archived and stays in history.

    Raises BadInput without a reason, Refused if it is not finished or is about the viewer's own transcription.
    """
    words = checked_comment(why)
    if not words:
        raise BadInput("Write the reason for reopening; it is kept in the figure's history.")

    def act(w: Writing) -> Receipt:
        row = adjudication(w, adjudication_id)
        figure = assignments.figure(w.session, row.subject_id, for_update=True)
        w.session.refresh(row)
        if row.state != "submitted":
            raise Refused("This adjudication is open; there is nothing to reopen.")
        case = case_of(w, row)
        old = graphs.graph_row(w.session, row.graph_id or "", for_update=True)
        new = _next_round(w, row, figure, old)
        stored.keep_between(w.session, row, case.between, w.viewer.person_id)
        for ruling in case.rulings.values():
            stored.keep_ruling(w.session, row, ruling.key, ruling, w.viewer.person_id, w.now)
        changes = changes_to(GraphRecord(), resolved_of(case_of(w, row)), new_id)
        graphs.apply_changes(w.session, new, GraphRecord(), changes, 1)
        payload = {
            "figure": figure.id,
            "why": words,
            "round": row.round,
            "graph_before": old.id,
            "changes": [change.as_json() for change in changes],
        }
        return w.record(
            "adjudication.reopen", "assignment", row.id, version=row.version, graph_id=new.id, payload=payload
        )

    return perform(viewer, Permission.ADJUDICATE, act_id, act)
