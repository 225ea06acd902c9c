"""Rules shared by all edits of a transcription: one transaction, stale versions refused, history event, undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Any

from sqlmodel import Session

from core.act_ids import ids_within
from core.errors import BadInput, Conflict, InvalidGraph, Refused
from core.graphs import edits
from core.graphs.names import clean_name
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from core.people import Receipt, Viewer
from core.transcription.label_nodes import parts_of
from core.transcription.marks import MarkChange, Marks, fallen, key_of
from core.transcription.snapping import snapped
from core.transcription.sweep import pair_key
from services.acting import Writing, perform
from services.graphs.visibility import places_of
from services.queue.claim_expiry import FREED, GONE, refuse_expired
from services.queue.rights import drawing_right, require_right
from services.transcription.figure_proposals import proposals_at_hand
from services.transcription.graph_cache import cache_on_commit, graph_now
from store import assignments
from store.assignments import DECLINED, EDITABLE, READING
from store.graphs import graphs
from store.graphs import marks as stored_marks
from store.queue import ends_of
from store.tables import AssignmentRow, GraphRow

MOST_EDGES = 2_000


@dataclass(frozen=True, slots=True)
class Edit:
    """Changes that an act makes to the graph and its marks; both may be empty."""

    changes: tuple[Change, ...] = ()
    marks: tuple[MarkChange, ...] = ()
    is_fold: bool = False  # two nodes become one, so a removed edge lives on as its twin
    lit: str = ""  # id of the printed arrow that was highlighted as having no edge when this one was drawn


@dataclass(frozen=True)
class LockedTranscription:
    """A transcription whose graph row is locked for this act. Marks are loaded lazily: most acts need none."""

    w: Writing
    row: AssignmentRow
    graph: GraphRow
    seen: int

    @cached_property
    def record(self) -> GraphRecord:
        return graph_now(self.w.session, self.graph.id)

    @cached_property
    def marks(self) -> Marks:
        return stored_marks.read_marks(self.w.session, self.graph.id)

    def ids(self, first: int = 0) -> Callable[[], str]:
        """Return a generator of ids for the new elements, in their order (`core.act_ids`)."""
        return ids_within(self.w.act_id, first)

    def node(self, name: str) -> NodeRecord:
        """Return the node of this name. Raises InvalidGraph if there is none."""
        match = self.record.node_named(clean_name(name))
        if match is None:
            raise InvalidGraph(f"The node “{name}” is no longer in the graph.")
        return match


def edit(
    viewer: Viewer,
    assignment_id: str,
    make: Callable[[LockedTranscription], Edit],
    *,
    seen: int,
    act_id: str,
    note: str,
    asked: tuple[object, ...],
) -> Receipt:
    """Edit the viewer's own transcription: `make` computes the changes from the locked state.

    `asked` is the request, part of what makes a repeated act id recognisable. Raises Conflict if the graph has
    moved past version `seen`, Refused for others' work or a submitted one.
    """

    def act(w: Writing) -> Receipt:
        locked = hold(w, assignment_id, seen)
        return keep(locked, make(locked), note)

    return perform(viewer, drawing_right(viewer), act_id, act, asked=(assignment_id, note, *asked))


def hold(w: Writing, assignment_id: str, seen: int) -> LockedTranscription:
    """Lock the viewer's own transcription for an act made at version `seen`. Raises Refused, Conflict."""
    row = assignments.assignment(w.session, assignment_id)
    require_right(w.viewer, row)
    if row.person_id != w.viewer.person_id:
        raise Refused("Only its annotator may change a transcription.")
    assert row.graph_id is not None, "a transcription has a graph from its first moment"
    graph = graphs.graph_row(w.session, row.graph_id, for_update=True)
    if not w.study.store.is_sqlite:
        w.session.refresh(row)  # another tab may have submitted it while this one waited for the lock
    refuse_locked(w.session, row, w.now)
    refuse_stale(graph, seen)
    return LockedTranscription(w, row, graph, seen)


def refuse_locked(session: Session, row: AssignmentRow, now: datetime) -> None:
    """Raise Refused if the work is submitted or its claim ended."""
    if row.state == "abandoned":
        raise Refused(FREED if ends_of(session, [row.id]).get(row.id) == "queue.free" else GONE)
    if row.state == DECLINED:
        raise Refused("You declined this figure. Your edges are kept. A researcher or the owner can return it to you.")
    if row.state not in EDITABLE:
        if row.kind == READING:
            raise Refused("This graph is submitted and cannot be changed.")
        raise Refused("This transcription is submitted and cannot be changed. A reviewer can return it to you.")
    refuse_expired(session, row, now)


def refuse_stale(graph: GraphRow, seen: int) -> None:
    # Called before any change is computed, so that a stale tab gets this error and no other.
    if graph.version != seen:
        raise Conflict("This graph has been changed elsewhere since you opened it.", seen=seen, found=graph.version)


def keep(locked: LockedTranscription, effect: Edit, note: str) -> Receipt:
    """Write an edit and the marks that follow from it as one undoable event.

    Marks of removed elements are dropped; new edges are snapped to the printed arrows they lie on.
    """
    marks = effect.marks
    if any(change.before is not None for change in effect.changes):  # additions never drop a mark
        stored = locked.marks.apply(marks)
        marks = (*marks, *fallen(effect.changes, stored, is_fold=effect.is_fold))
    if not effect.is_fold and any(isinstance(change.after, EdgeRecord) for change in effect.changes):
        marks = (*marks, *_snap_to_print(locked, effect, marks))
    return write(locked, replace(effect, marks=marks), "graph.edit", note)


def _snap_to_print(locked: LockedTranscription, effect: Edit, marks: tuple[MarkChange, ...]) -> tuple[MarkChange, ...]:
    # A text has no print. A figure that was not read yet is not read here either: it would move edges later.
    if locked.row.kind == READING:
        return ()
    reading = proposals_at_hand(locked.w.session, locked.row.subject_id)
    if reading is None or not reading.arrows:
        return ()
    record, current_marks = locked.record.apply(effect.changes), locked.marks.apply(marks)
    return snapped(reading, record, current_marks, effect.changes, highlighted=effect.lit)


def write(locked: LockedTranscription, effect: Edit, act: str, note: str, *, undoes: int | None = None) -> Receipt:
    """Write exactly these changes with their event and raise the graph's version; no changes leave only a receipt."""
    w, graph, seen = locked.w, locked.graph, locked.seen
    if not effect.changes and not effect.marks:  # stored as an act, but there is nothing to undo
        return w.record("graph.same", "graph", graph.id, version=seen, payload={"what": note})
    edge_changes = [change for change in effect.changes if isinstance(change.element, EdgeRecord)]
    added = sum((change.after is not None) - (change.before is not None) for change in edge_changes)
    edges = len(locked.record.edges) + added
    if added > 0 and edges > MOST_EDGES:
        raise BadInput(f"There would be {edges:,} edges; a transcription may have at most {MOST_EDGES:,}.")
    grown = partial(_layout_of, graph.layout)
    record = graphs.apply_changes(w.session, graph, locked.record, effect.changes, seen, layout_of=grown)
    cache_on_commit(w.session, w.act_id, record)
    payload: dict[str, Any] = {"changes": [change.as_json() for change in effect.changes], "what": note}
    if effect.marks:
        locked.marks.apply(effect.marks)  # raises for a mark that does not fit
        stored_marks.write_marks(w.session, graph.id, effect.marks, w.viewer.person_id, w.now)
        payload["marks"] = [change.as_json() for change in effect.marks]
    return w.record(act, "graph", graph.id, version=seen + 1, graph_id=graph.id, undoes=undoes, payload=payload)


def _layout_of(layout: graphs.Layout, record: GraphRecord) -> graphs.Layout | None:
    """Return positions of all nodes, old ones unchanged; None if no node came or went."""
    if record.nodes.keys() == layout.keys():
        return None
    return {key: [point.x, point.y] for key, point in places_of(record, layout).items()}


def renamed(locked: LockedTranscription, node: NodeRecord, name: str) -> Edit:
    """Rename a node; if another node has that name, merge the two and record it as a mark. Raises InvalidName."""
    changes = edits.rename_node(locked.record, node.id, name)
    if not any(change.after is None and change.element.id == node.id for change in changes):
        return Edit(changes)
    into = locked.node(name)
    parts = [*parts_of(locked.marks, into.id), *parts_of(locked.marks, node.id)]
    moved = locked.marks.setting("joined", into.id, {"parts": parts}) if parts_of(locked.marks, node.id) else ()
    return Edit(changes, (*as_same(locked.marks, node.name, clean_name(name)), *moved), is_fold=True)


def as_same(marks: Marks, name: str, into: str) -> tuple[MarkChange, ...]:
    """Return the marks that make `name` another spelling of `into`, replacing earlier marks about the two."""
    return (
        *marks.setting("distinct", pair_key(name, into), None),
        *marks.setting("same", key_of(into), None),
        *marks.setting("same", key_of(name), {"name": name, "into": into}),
    )
