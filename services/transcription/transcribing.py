"""Transcribing a figure: claim it, draw its edges act by act, submit it, return it with a comment.

A transcription is an assignment (person and state) and a graph. Until it is submitted, only its annotator sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput, Refused
from core.graphs import edits
from core.graphs.lines.parse import LineFault, MostLines
from core.graphs.record import Change, invert
from core.people import Permission, Receipt, Viewer
from core.transcription.marks import invert_marks
from services.acting import Writing, consulting, perform
from services.exchange.file_reading import read_lines
from services.graphs.visibility import DRAWS_IT, places_of
from services.queue.rights import drawing_right
from services.queue.settings import settings_in
from services.study import current_study
from services.transcription.editing import (
    MOST_EDGES,
    Edit,
    LockedTranscription,
    edit,
    hold,
    keep,
    refuse_locked,
    refuse_stale,
    renamed,
    write,
)
from services.transcription.faulty_lines import (
    MOST_FAULTS,
    add_faults,
    forget_fault,
    own_faults,
    refuse_too_many_faults,
)
from services.transcription.post_submission.window import refuse_open
from services.transcription.reading import require_visible
from services.transcription.work_kind import FIGURES, claim_figure
from store import assignments, history, queue
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.graphs import graphs
from store.graphs.marks import mark_changes_at

LONGEST_TEXT = 200_000
MOST_NODES = 2 * MOST_EDGES  # of one paste: the ends of that many edges
MOST_NOTICES = 20  # of one paste; the number of further ones is shown


@dataclass(frozen=True, slots=True)
class LinesOutcome:
    """Result of typed or pasted lines; `receipt` is None if no line was accepted."""

    receipt: Receipt | None
    faults: tuple[LineFault, ...]
    notices: tuple[str, ...]


# --- claiming ------------------------------------------------------------------------------------------------------


def take(viewer: Viewer, figure_id: str, *, act_id: str) -> Receipt:
    """Claim a figure, continue it, or resume it after the claim expired. The receipt's subject is the transcription.

    Raises NoFreeClaim (a Refused) if all places of the figure are taken, Refused for people who have reviewed or
    adjudicated it, or who must read the guidelines or draw the practice figure first.
    """

    def act(w: Writing) -> Receipt:
        assignments.figure(w.session, figure_id)
        figure = queue.held_subject(w.session, TRANSCRIPTION, figure_id)  # locked: of two claims one is the second
        known = assignments.assignment_of(w.session, TRANSCRIPTION, figure_id, w.viewer.person_id)
        row, is_taken = claim_figure(w, figure, w.viewer.person_id, known)
        if is_taken:
            FIGURES.refuse_unprepared(w)
        name = "transcription.take" if known is None else "transcription.resume"
        payload = {"figure": figure_id, "proposals": row.proposals}
        return w.record(name, "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.TRANSCRIBE, act_id, act)


# --- editing ----------------------------------------------------------------------------------------------------


def add_lines(viewer: Viewer, assignment_id: str, text: str, *, pasted: bool, seen: int, act_id: str) -> LinesOutcome:
    """Add typed or pasted lines: valid ones become edges in one act, faulty ones are stored for correction.

    Long texts are parsed in a child process. Raises Conflict if the graph moved past version `seen`, BadInput for more
    than a transcription may have; then nothing is stored.
    """
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"The text has {len(text):,} characters; paste at most {LONGEST_TEXT:,} at once.")
    parsed = read_lines(text, MostLines(edges=MOST_EDGES, nodes=MOST_NODES, faults=MOST_FAULTS))
    refuse_too_many_faults(parsed.faults)
    for elements, most, what in ((parsed.edges, MOST_EDGES, "edges"), (parsed.nodes, MOST_NODES, "nodes")):
        if len(elements) > most:
            raise BadInput(
                f"The text has more than {most:,} {what}, the most that a transcription may have. Nothing was added."
            )
    listed: list[str] = []

    def act(w: Writing) -> Receipt:
        locked = hold(w, assignment_id, seen)
        changes, listed[:] = edits.add_edges(
            locked.record,
            [(edge.source, edge.sink, edge.sign) for edge in parsed.edges],
            [node.name for node in parsed.nodes],
            new_id=locked.ids(1),
            origin="pasted" if pasted else "typed",
        )
        if parsed.faults:
            add_faults(w.session, locked.row, parsed.faults, act_id, w.now)
        return keep(locked, Edit(changes), "lines")

    receipt = None
    if parsed.edges or parsed.nodes:
        receipt = perform(viewer, drawing_right(viewer), act_id, act, asked=(assignment_id, "lines", text, pasted))
    elif parsed.faults:
        with own_faults(viewer, assignment_id) as (session, row, graph, now):
            refuse_locked(session, row, now)
            refuse_stale(graph, seen)
            add_faults(session, row, parsed.faults, act_id, now)
    notices = [*(notice.message for notice in parsed.notices), *listed]
    if (more := len(notices) - MOST_NOTICES) > 0:
        notices = [*notices[:MOST_NOTICES], f"… and {more:,} more of this kind."]
    return LinesOutcome(receipt, parsed.faults, tuple(notices))


def edit_edge(
    viewer: Viewer, assignment_id: str, edge_id: str, field: str, value: Any, *, seen: int, act_id: str
) -> Receipt:
    return _edit_graph(
        viewer,
        assignment_id,
        lambda locked: edits.edit_edge(locked.record, edge_id, field, value, new_id=locked.ids()),
        seen=seen,
        act_id=act_id,
        note=f"edge {field}",
        asked=(edge_id, value),
    )


def reverse_edge(viewer: Viewer, assignment_id: str, edge_id: str, *, seen: int, act_id: str) -> Receipt:
    """Reverse an edge; its sign, delay, flag, note and printed path stay.

    Raises InvalidGraph if the edge is gone, or the opposite edge exists with this sign.
    """
    return _edit_graph(
        viewer,
        assignment_id,
        lambda locked: edits.reverse_edge(locked.record, edge_id),
        seen=seen,
        act_id=act_id,
        note="reverse",
        asked=(edge_id,),
    )


def remove_edge(viewer: Viewer, assignment_id: str, edge_id: str, *, seen: int, act_id: str) -> Receipt:
    return _edit_graph(
        viewer,
        assignment_id,
        lambda locked: edits.remove_edge(locked.record, edge_id),
        seen=seen,
        act_id=act_id,
        note="remove",
        asked=(edge_id,),
    )


def rename_node(viewer: Viewer, assignment_id: str, name: str, new_name: str, *, seen: int, act_id: str) -> Receipt:
    """Rename a node; if another node has that name, the two are merged, which is recorded as a mark.

    Raises InvalidGraph if there is no such node, InvalidName.
    """
    return edit(
        viewer,
        assignment_id,
        lambda locked: renamed(locked, locked.node(name), new_name),
        seen=seen,
        act_id=act_id,
        note="rename",
        asked=(name, new_name),
    )


def remove_node(viewer: Viewer, assignment_id: str, name: str, *, seen: int, act_id: str) -> Receipt:
    """Remove a node with its edges. Raises InvalidGraph if there is none of this name."""
    return _edit_graph(
        viewer,
        assignment_id,
        lambda locked: edits.remove_node(locked.record, locked.node(name).id),
        seen=seen,
        act_id=act_id,
        note="remove variable",
        asked=(name,),
    )


def _edit_graph(
    viewer: Viewer,
    assignment_id: str,
    changes: Callable[[LockedTranscription], tuple[Change, ...]],
    *,
    seen: int,
    act_id: str,
    note: str,
    asked: tuple[object, ...],
) -> Receipt:
    def make(locked: LockedTranscription) -> Edit:
        return Edit(changes(locked))

    return edit(viewer, assignment_id, make, seen=seen, act_id=act_id, note=note, asked=asked)


def undo(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Undo the last edit of the graph and its marks that is not undone yet. Raises Refused if there is none."""

    def act(w: Writing) -> Receipt:
        locked = hold(w, assignment_id, seen)
        stack, _ = history.undo_stacks(w.session, locked.graph.id)
        if not stack:
            raise Refused("There is nothing to undo.")
        done = _edit_at(locked, stack[-1])
        inverse = Edit(invert(done.changes), invert_marks(done.marks))
        return write(locked, inverse, "graph.undo", "undo", undoes=stack[-1])

    return perform(viewer, drawing_right(viewer), act_id, act, asked=(assignment_id, "undo"))


def redo(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Redo the edit that was undone last. Raises Refused if there is none."""

    def act(w: Writing) -> Receipt:
        locked = hold(w, assignment_id, seen)
        _, stack = history.undo_stacks(w.session, locked.graph.id)
        if not stack:
            raise Refused("There is nothing to redo.")
        return write(locked, _edit_at(locked, stack[-1]), "graph.redo", "redo", undoes=stack[-1])

    return perform(viewer, drawing_right(viewer), act_id, act, asked=(assignment_id, "redo"))


def _edit_at(locked: LockedTranscription, seq: int) -> Edit:
    return Edit(history.changes_at(locked.w.session, seq), mark_changes_at(locked.w.session, seq))


def rearrange(viewer: Viewer, assignment_id: str) -> None:
    """Compute a new layout. Only the drawing changes, so there is no history event."""
    with consulting(viewer, Permission.TRANSCRIBE) as r:
        row = assignments.assignment(r.session, assignment_id)
        require_visible(r, row)
        graph_id = row.graph_id or ""
        record = graphs.read_graph(r.session, graph_id)
    positions = places_of(record, {})
    with current_study().store.writing() as session:
        graphs.keep_layout(session, graph_id, {key: [p.x, p.y] for key, p in positions.items()})


def drop_fault(viewer: Viewer, assignment_id: str, text: str) -> None:
    """Delete a faulty line that was corrected or discarded."""
    with own_faults(viewer, assignment_id) as (session, row, _graph, now):
        forget_fault(session, row, text, now)


# --- submitting and returning -----------------------------------------------------------------------------------


def submit(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Submit the transcription and lock it. `seen` is the version of its graph that the person saw.

    Raises Refused if it is empty or already submitted, Conflict if the graph has changed since.
    """

    def act(w: Writing) -> Receipt:
        locked = hold(w, assignment_id, seen)
        if locked.row.kind != TRANSCRIPTION:
            raise Refused("The practice diagram is checked against its key and cannot be submitted.")
        if graphs.count_elements(w.session, [locked.graph.id])[locked.graph.id][1] == 0:
            raise Refused("The transcription has no edge. Draw at least one before you submit.")
        row = locked.row
        row.state, row.submitted_at = "submitted", w.now
        w.session.add(row)
        w.session.flush()
        return w.record(
            "transcription.submit", "assignment", row.id, version=row.version, payload={"graph_version": seen}
        )

    return perform(viewer, Permission.TRANSCRIBE, act_id, act)


def return_to_annotator(viewer: Viewer, assignment_id: str, comment: str, *, act_id: str) -> Receipt:
    """Return a submitted transcription to its annotator, who can edit it again. A comment is required."""
    words = comment.strip()
    if not words:
        raise BadInput("Write what to check again. The annotator sees this comment.")
    if len(words) > 5_000:
        raise BadInput(f"The comment has {len(words):,} characters; at most 5,000 are allowed.")
    return _review(viewer, assignment_id, "returned", words, "transcription.return", act_id)


def accept(viewer: Viewer, assignment_id: str, *, act_id: str) -> Receipt:
    """Accept a submitted transcription; it stays locked."""
    return _review(viewer, assignment_id, "accepted", "", "transcription.accept", act_id)


def _review(viewer: Viewer, assignment_id: str, state: str, comment: str, name: str, act_id: str) -> Receipt:
    def act(w: Writing) -> Receipt:
        row = assignments.assignment(w.session, assignment_id)
        if row.person_id == w.viewer.person_id:
            raise Refused("You cannot review your own transcription.")
        if row.state != "submitted":
            raise Refused(f"This transcription is {row.state}, not submitted.")
        refuse_open(row, w.now)
        if assignments.only_assignment(w.session, ADJUDICATION, row.subject_id) is not None:
            raise Refused("This figure is in adjudication. Rule on its differences there.")
        if queue.is_at(w.session, TRANSCRIPTION, row.subject_id, w.viewer.person_id):
            raise Refused(DRAWS_IT)
        row.state, row.comment = state, comment
        if state == "returned":  # a new time limit: it may have been submitted long ago
            row.expires_at = w.now + settings_in(w.session).idle
        w.session.add(row)
        w.session.flush()
        return w.record(name, "assignment", row.id, version=row.version, payload={"comment": comment})

    return perform(viewer, Permission.REVIEW, act_id, act)
