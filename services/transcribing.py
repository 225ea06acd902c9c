"""Transcribing a figure: claim it, draw its edges act by act, submit, return with a comment.

A transcription is an assignment (whose, in which state) and a graph (what was drawn). Nobody but its annotator
sees it before it is submitted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.documents import Box, words_in
from core.documents import printed_names as names_in
from core.errors import BadInput, Conflict, Refused
from core.graphs import edits
from core.graphs.checks import Doubt, check_graph
from core.graphs.layout import Point, place
from core.graphs.parse import LineFault, parse_lines
from core.graphs.record import Change, EdgeRecord, GraphRecord, invert
from core.people import May, Receipt, Viewer
from services import figures
from services.acting import Writing, consulting, perform
from services.study import current_study
from store import assignments, graphs, history, papers, people
from store import documents as stored
from store.assignments import TRANSCRIPTION
from store.tables import AssignmentRow, FigureRow, GraphRow, PaperRow, new_id

EDITABLE = ("open", "returned")
LONGEST_TEXT = 200_000
MOST_EDGES = 2_000


@dataclass(frozen=True, slots=True)
class FigureView:
    """The figure a transcription shows: where it stands, and the page box in points."""

    id: str
    paper_id: str
    paper_title: str
    label: str
    caption: str
    place: str
    page: int
    box: Box
    version: int


@dataclass(frozen=True, slots=True)
class KeptFault:
    """A faulty line waiting for correction, and the act it came with: the same line typed again is another."""

    act_id: str
    line: int
    text: str
    message: str
    offer: str


@dataclass(frozen=True, slots=True)
class Transcription:
    """Everything the transcribe screen draws."""

    id: str
    graph_id: str
    version: int
    state: str
    comment: str
    annotator_id: str
    annotator: str
    is_mine: bool
    may_edit: bool
    may_return: bool
    figure: FigureView
    record: GraphRecord
    positions: dict[str, Point]
    can_undo: bool
    can_redo: bool
    saved_at: datetime | None
    faults: tuple[KeptFault, ...]
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class LinesOutcome:
    """What became of typed or pasted lines; `receipt` is None if no line could be taken."""

    receipt: Receipt | None
    faults: tuple[LineFault, ...]
    notices: tuple[str, ...]


# --- beginning -----------------------------------------------------------------------------------------------------


def take(viewer: Viewer, figure_id: str, *, act_id: str) -> Receipt:
    """Begin a figure, or go on with it: one transcription per person and figure. The subject is its id."""

    def act(w: Writing) -> Receipt:
        figure = assignments.figure(w.session, figure_id)
        if figure.archived_at is not None:
            raise Refused("This figure was archived; choose another.")
        found = assignments.assignment_of(w.session, TRANSCRIPTION, figure_id, w.viewer.person_id)
        name = "transcription.take" if found is None else "transcription.resume"
        if found is None:
            graph = GraphRow(
                kind="transcription", figure_id=figure.id, paper_id=figure.paper_id,
                created_by=w.viewer.person_id, created_at=w.now,
            )  # fmt: skip
            w.session.add(graph)
            w.session.flush()
            found = AssignmentRow(
                kind=TRANSCRIPTION, subject_id=figure_id, person_id=w.viewer.person_id,
                graph_id=graph.id, claimed_at=w.now,
            )  # fmt: skip
            w.session.add(found)
            w.session.flush()
        return w.record(name, "assignment", found.id, version=found.version, payload={"figure": figure_id})

    return perform(viewer, May.TRANSCRIBE, act_id, act)


# --- reading one ------------------------------------------------------------------------------------------------


def transcription(viewer: Viewer, assignment_id: str, printed: Sequence[str] = ()) -> Transcription:
    """The whole transcription, with what its checks doubt; `printed` are the names the figure shows.

    Raises Refused for anyone else's work that is not submitted.
    """
    with consulting(viewer, May.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        _require_sight(r.viewer, row)
        assert row.graph_id is not None, "a transcription has a graph from its first moment"
        graph = graphs.graph_row(r.session, row.graph_id)
        record = graphs.read_graph(r.session, row.graph_id)
        figure = assignments.figure(r.session, row.subject_id)
        is_mine = row.person_id == r.viewer.person_id
        may_edit = is_mine and row.state in EDITABLE and r.viewer.may(May.TRANSCRIBE)
        undo, redo = history.undo_stacks(r.session, graph.id) if may_edit else ([], [])
        return Transcription(
            id=row.id,
            graph_id=graph.id,
            version=graph.version,
            state=row.state,
            comment=row.comment,
            annotator_id=row.person_id,
            annotator=people.person(r.session, row.person_id).name,
            is_mine=is_mine,
            may_edit=may_edit,
            may_return=row.state == "submitted" and r.viewer.may(May.REVIEW) and not is_mine,
            figure=_figure_view(figure, papers.paper(r.session, figure.paper_id)),
            record=record,
            positions=_positions(record, graph.layout),
            can_undo=bool(undo),
            can_redo=bool(redo),
            saved_at=history.last_edit_at(r.session, graph.id),
            faults=_kept_faults(r.session, row) if may_edit else (),
            doubts=check_graph(record.graph(), printed),
        )


def require_transcription(viewer: Viewer, assignment_id: str) -> None:
    """Raises Missing or Refused if the viewer cannot open it."""
    with consulting(viewer, May.OPEN_WORK) as r:
        _require_sight(r.viewer, assignments.assignment(r.session, assignment_id))


def printed_names(viewer: Viewer, assignment_id: str) -> tuple[str, ...]:
    """The names printed in the transcription's figure, from the page's words; () for a picture or scan."""
    with consulting(viewer, May.OPEN_WORK) as r:
        row = assignments.assignment(r.session, assignment_id)
        _require_sight(r.viewer, row)
        figure = assignments.figure(r.session, row.subject_id)
        box = Box(figure.x0, figure.y0, figure.x1, figure.y1)
        paper_id, number = figure.paper_id, figure.page
    return names_in(words_in(figures.page(viewer, paper_id, number), box))


def _require_sight(viewer: Viewer, row: AssignmentRow) -> None:
    if row.person_id == viewer.person_id:
        return
    if viewer.may(May.REVIEW) and row.state in ("submitted", "accepted"):
        return
    raise Refused("This transcription is someone else's and not submitted; it stays blind until then.")


def _figure_view(figure: FigureRow, paper: PaperRow) -> FigureView:
    box = Box(figure.x0, figure.y0, figure.x1, figure.y1)
    return FigureView(
        figure.id, paper.id, paper.title, figure.label, figure.caption, figure.place, figure.page, box, figure.version
    )


def _positions(record: GraphRecord, layout: dict[str, Any]) -> dict[str, Point]:
    before = {node_id: Point(*layout[node_id]) for node_id in record.nodes if node_id in layout}
    return place(list(record.nodes), [(e.source_id, e.sink_id) for e in record.edges.values()], before)


def _kept_faults(session: Session, row: AssignmentRow) -> tuple[KeptFault, ...]:
    kept = stored.draft(session, row.person_id, _fault_key(row.id))
    return tuple(KeptFault(**fault) for fault in json.loads(kept.text)) if kept is not None else ()


def _fault_key(assignment_id: str) -> str:
    return f"faults/{assignment_id}"


# --- editing ----------------------------------------------------------------------------------------------------


def add_lines(viewer: Viewer, assignment_id: str, text: str, *, pasted: bool, seen: int, act_id: str) -> LinesOutcome:
    """Take typed or pasted lines: good ones become edges in one act, faulty ones are kept for correction.

    Raises Conflict if the graph moved past version `seen`; then nothing is kept.
    """
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"The text has {len(text):,} characters; paste at most {LONGEST_TEXT:,} at once.")
    parsed = parse_lines(text)
    listed: list[str] = []

    def act(w: Writing) -> Receipt:
        graph = _editable(w, assignment_id)
        _refuse_stale(graph, seen)
        state = graphs.read_graph(w.session, graph.id)
        changes, listed[:] = edits.add_edges(
            state,
            [(edge.source, edge.sink, edge.sign) for edge in parsed.edges],
            [node.name for node in parsed.nodes],
            new_id=new_id,
            origin="pasted" if pasted else "typed",
        )
        edges = len(state.edges) + sum(isinstance(change.element, EdgeRecord) for change in changes)
        if edges > MOST_EDGES:
            raise BadInput(f"There would be {edges:,} edges; a transcription may hold at most {MOST_EDGES:,}.")
        if parsed.faults:
            _add_faults(w.session, assignments.assignment(w.session, assignment_id), parsed.faults, act_id, w.now)
        return _apply(w, graph, state, changes, seen, "graph.edit", "lines")

    receipt = None
    if parsed.edges or parsed.nodes:
        receipt = perform(viewer, May.TRANSCRIBE, act_id, act)
    elif parsed.faults:
        with _own_faults(viewer, assignment_id) as (session, row, graph, now):
            _refuse_locked(row)
            _refuse_stale(graph, seen)
            _add_faults(session, row, parsed.faults, act_id, now)
    return LinesOutcome(receipt, parsed.faults, (*(notice.message for notice in parsed.notices), *listed))


def edit_edge(
    viewer: Viewer, assignment_id: str, edge_id: str, field: str, value: Any, *, seen: int, act_id: str
) -> Receipt:
    """Set the sign, delay, flag, note, source or sink of one edge."""
    return _edit(
        viewer, assignment_id, lambda state: edits.edit_edge(state, edge_id, field, value, new_id=new_id),
        seen=seen, act_id=act_id, note=f"edge {field}",
    )  # fmt: skip


def remove_edge(viewer: Viewer, assignment_id: str, edge_id: str, *, seen: int, act_id: str) -> Receipt:
    return _edit(
        viewer, assignment_id, lambda state: edits.remove_edge(state, edge_id), seen=seen, act_id=act_id, note="remove"
    )


def rename_node(viewer: Viewer, assignment_id: str, node_id: str, name: str, *, seen: int, act_id: str) -> Receipt:
    return _edit(
        viewer, assignment_id, lambda state: edits.rename_node(state, node_id, name),
        seen=seen, act_id=act_id, note="rename",
    )  # fmt: skip


def remove_node(viewer: Viewer, assignment_id: str, node_id: str, *, seen: int, act_id: str) -> Receipt:
    return _edit(
        viewer, assignment_id, lambda state: edits.remove_node(state, node_id),
        seen=seen, act_id=act_id, note="remove variable",
    )  # fmt: skip


def _edit(
    viewer: Viewer,
    assignment_id: str,
    changes: Callable[[GraphRecord], tuple[Change, ...]],
    *,
    seen: int,
    act_id: str,
    note: str,
) -> Receipt:
    def act(w: Writing) -> Receipt:
        graph = _editable(w, assignment_id)
        _refuse_stale(graph, seen)
        state = graphs.read_graph(w.session, graph.id)
        return _apply(w, graph, state, changes(state), seen, "graph.edit", note)

    return perform(viewer, May.TRANSCRIBE, act_id, act)


def undo(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Take back the last edit that still stands. Raises Refused if there is none."""

    def act(w: Writing) -> Receipt:
        graph = _editable(w, assignment_id)
        _refuse_stale(graph, seen)
        stack, _ = history.undo_stacks(w.session, graph.id)
        if not stack:
            raise Refused("There is nothing to undo.")
        changes = invert(history.changes_at(w.session, stack[-1]))
        state = graphs.read_graph(w.session, graph.id)
        return _apply(w, graph, state, changes, seen, "graph.undo", "undo", undoes=stack[-1])

    return perform(viewer, May.TRANSCRIBE, act_id, act)


def redo(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Do again what was last undone. Raises Refused if there is nothing."""

    def act(w: Writing) -> Receipt:
        graph = _editable(w, assignment_id)
        _refuse_stale(graph, seen)
        _, stack = history.undo_stacks(w.session, graph.id)
        if not stack:
            raise Refused("There is nothing to redo.")
        state = graphs.read_graph(w.session, graph.id)
        changes = history.changes_at(w.session, stack[-1])
        return _apply(w, graph, state, changes, seen, "graph.redo", "redo", undoes=stack[-1])

    return perform(viewer, May.TRANSCRIBE, act_id, act)


def _editable(w: Writing, assignment_id: str) -> GraphRow:
    row = assignments.assignment(w.session, assignment_id)
    if row.person_id != w.viewer.person_id:
        raise Refused("Only its annotator may change a transcription.")
    assert row.graph_id is not None
    graph = graphs.graph_row(w.session, row.graph_id, for_update=True)
    w.session.refresh(row)  # on a server another tab may have handed it in while this one waited for the graph
    _refuse_locked(row)
    return graph


def _refuse_locked(row: AssignmentRow) -> None:
    if row.state not in EDITABLE:
        raise Refused("This transcription is submitted and locked. A reviewer can return it to you.")


def _refuse_stale(graph: GraphRow, seen: int) -> None:
    """Checked before anything is worked out from the graph, so that a stale tab is told so and nothing else."""
    if graph.version != seen:
        raise Conflict("This graph was changed elsewhere since you opened it.", seen=seen, found=graph.version)


def _apply(
    w: Writing,
    graph: GraphRow,
    state: GraphRecord,
    changes: tuple[Change, ...],
    seen: int,
    act: str,
    note: str,
    *,
    undoes: int | None = None,
) -> Receipt:
    if not changes:  # kept as an act, so that it is acknowledged, but there is nothing to undo
        return w.record("graph.same", "graph", graph.id, version=seen, payload={"what": note})
    layout = dict(graph.layout)
    state = graphs.apply_changes(w.session, graph, state, changes, seen)
    if set(state.nodes) != set(layout):
        positions = _positions(state, layout)
        graphs.keep_layout(w.session, graph.id, {key: [p.x, p.y] for key, p in positions.items()})
    payload = {"changes": [change.as_json() for change in changes], "what": note}
    return w.record(act, "graph", graph.id, version=seen + 1, graph_id=graph.id, undoes=undoes, payload=payload)


def rearrange(viewer: Viewer, assignment_id: str) -> None:
    """Lay the graph out anew; only how it is drawn changes, so the history stays as it is."""
    with consulting(viewer, May.TRANSCRIBE) as r:
        row = assignments.assignment(r.session, assignment_id)
        _require_sight(r.viewer, row)
        graph_id = row.graph_id or ""
        record = graphs.read_graph(r.session, graph_id)
    positions = _positions(record, {})
    with current_study().store.writing() as session:
        graphs.keep_layout(session, graph_id, {key: [p.x, p.y] for key, p in positions.items()})


def drop_fault(viewer: Viewer, assignment_id: str, text: str) -> None:
    """Forget a faulty line, because it was corrected or discarded."""
    with _own_faults(viewer, assignment_id) as (session, row, _graph, now):
        _write_faults(session, row, [fault for fault in _kept_faults(session, row) if fault.text != text], now)


@contextmanager
def _own_faults(viewer: Viewer, assignment_id: str) -> Iterator[tuple[Session, AssignmentRow, GraphRow, datetime]]:
    """Hold a transcription to change its faulty lines, which are kept with it but are no part of its history."""
    with consulting(viewer, May.TRANSCRIBE) as r:
        person_id, now = r.viewer.person_id, r.now
    with current_study().store.writing() as session:
        row = assignments.assignment(session, assignment_id)
        if row.person_id != person_id:
            raise Refused("Only its annotator may change a transcription.")
        graph = graphs.graph_row(session, row.graph_id or "", for_update=True)
        session.refresh(row)
        yield session, row, graph, now


def _add_faults(session: Session, row: AssignmentRow, faults: Sequence[LineFault], act_id: str, now: datetime) -> None:
    again = {fault.text for fault in faults}
    earlier = (fault for fault in _kept_faults(session, row) if fault.text not in again)
    _write_faults(session, row, [*earlier, *(KeptFault(act_id=act_id, **asdict(fault)) for fault in faults)], now)


def _write_faults(session: Session, row: AssignmentRow, faults: Sequence[KeptFault], now: datetime) -> None:
    text = json.dumps([asdict(fault) for fault in faults]) if faults else ""
    stored.keep_draft(session, row.person_id, _fault_key(row.id), text, now)


# --- handing in and back ----------------------------------------------------------------------------------------


def submit(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Hand the transcription in and lock it. `seen` is the version of its graph that the person looked at.

    Raises Refused if it is empty or already submitted, Conflict if the graph moved on meanwhile.
    """

    def act(w: Writing) -> Receipt:
        graph = _editable(w, assignment_id)
        _refuse_stale(graph, seen)
        if graphs.count_elements(w.session, [graph.id])[graph.id][1] == 0:
            raise Refused("There is no edge yet; a transcription without edges cannot be submitted.")
        row = assignments.assignment(w.session, assignment_id)
        row.state, row.submitted_at = "submitted", w.now
        w.session.add(row)
        w.session.flush()
        return w.record(
            "transcription.submit", "assignment", row.id, version=row.version, payload={"graph_version": seen}
        )

    return perform(viewer, May.TRANSCRIBE, act_id, act)


def give_back(viewer: Viewer, assignment_id: str, comment: str, *, act_id: str) -> Receipt:
    """Return a submitted transcription to its annotator, who can edit it again. A comment is required."""
    words = comment.strip()
    if not words:
        raise BadInput("Write what should be looked at again; the annotator sees this comment.")
    if len(words) > 5_000:
        raise BadInput(f"The comment has {len(words):,} characters; at most 5,000 are kept.")
    return _rule(viewer, assignment_id, "returned", words, "transcription.return", act_id)


def accept(viewer: Viewer, assignment_id: str, *, act_id: str) -> Receipt:
    """Accept a submitted transcription; it stays locked."""
    return _rule(viewer, assignment_id, "accepted", "", "transcription.accept", act_id)


def _rule(viewer: Viewer, assignment_id: str, state: str, comment: str, name: str, act_id: str) -> Receipt:
    def act(w: Writing) -> Receipt:
        row = assignments.assignment(w.session, assignment_id)
        if row.person_id == w.viewer.person_id:
            raise Refused("Nobody reviews their own transcription.")
        if row.state != "submitted":
            raise Refused(f"This transcription is {row.state}, not submitted.")
        row.state, row.comment = state, comment
        w.session.add(row)
        w.session.flush()
        return w.record(name, "assignment", row.id, version=row.version, payload={"comment": comment})

    return perform(viewer, May.REVIEW, act_id, act)
