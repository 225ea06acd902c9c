"""How an act changes a transcription: held in one transaction, refused when stale, kept with its event, undoable.

Every act that changes a graph or the marks beside it goes through `edit`, so that all follow the same rules.
"""

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
from core.transcription.marks import MarkChange, Marks, fallen, key_of
from core.transcription.printed import parts_of
from core.transcription.snapping import snapped
from core.transcription.sweep import pair_key
from services.acting import Writing, perform
from services.graphs.visibility import places_of
from services.queue.claim_expiry import FREED, GONE, refuse_expired
from services.queue.rights import drawing_right, require_right
from services.transcription.drawn_lately import graph_now, remember_if_kept
from services.transcription.figure_proposals import proposals_at_hand
from store import assignments
from store.assignments import DECLINED, EDITABLE, READING
from store.graphs import graphs
from store.graphs import marks as stored_marks
from store.queue import ends_of
from store.tables import AssignmentRow, GraphRow

MOST_EDGES = 2_000


@dataclass(frozen=True, slots=True)
class Edit:
    """What an act does to the graph and to the marks beside it; nothing at all is an act too.

    `is_fold`: the changes make two nodes one, so an edge that goes lives on as its twin. `lit`: the id of the printed
    arrow that was shown without an edge when this one was drawn.
    """

    changes: tuple[Change, ...] = ()
    marks: tuple[MarkChange, ...] = ()
    is_fold: bool = False
    lit: str = ""


@dataclass(frozen=True)
class LockedTranscription:
    """A transcription whose graph's row is locked for this act, as it stands. Its marks are read when asked for:
    most acts only add to the graph and need none."""

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
        """Ids of what the act makes, in their order: see `core.act_ids`."""
        return ids_within(self.w.act_id, first)

    def node(self, name: str) -> NodeRecord:
        """The node of this name. Raises InvalidGraph if there is none."""
        found = self.record.node_named(clean_name(name))
        if found is None:
            raise InvalidGraph(f"The node “{name}” is no longer in the graph.")
        return found


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
    """One edit of the viewer's own transcription, worked out by `make` from the state it finds and from what the
    person `asked`.

    Raises Conflict if the graph moved past version `seen`, Refused for anyone else's work or one handed in.
    """

    def act(w: Writing) -> Receipt:
        held = hold(w, assignment_id, seen)
        return keep(held, make(held), note)

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
        w.session.refresh(row)  # another tab may have handed it in while this one waited for the graph
    refuse_locked(w.session, row, w.now)
    refuse_stale(graph, seen)
    return LockedTranscription(w, row, graph, seen)


def refuse_locked(session: Session, row: AssignmentRow, now: datetime) -> None:
    """Raises Refused for work that is handed in, or whose claim ended."""
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
    """Checked before anything is worked out from the graph, so that a stale tab is told so and nothing else."""
    if graph.version != seen:
        raise Conflict("This graph has been changed elsewhere since you opened it.", seen=seen, found=graph.version)


def keep(held: LockedTranscription, made: Edit, note: str) -> Receipt:
    """Write an edit and the marks that follow from it, as one event that undo takes back: those that fall, and the
    printed arrows that new edges lie on."""
    marks = made.marks
    if any(change.before is not None for change in made.changes):  # what only adds makes no mark fall
        standing = held.marks.apply(marks)
        marks = (*marks, *fallen(made.changes, standing, is_fold=made.is_fold))
    if not made.is_fold and any(isinstance(change.after, EdgeRecord) for change in made.changes):
        marks = (*marks, *_on_print(held, made, marks))
    return write(held, replace(made, marks=marks), "graph.edit", note)


def _on_print(held: LockedTranscription, made: Edit, marks: tuple[MarkChange, ...]) -> tuple[MarkChange, ...]:
    """Where the figure has been read: what is not yet known moves no edge afterwards. A text has no print."""
    if held.row.kind == READING:
        return ()
    found = proposals_at_hand(held.w.session, held.row.subject_id)
    if found is None or not found.arrows:
        return ()
    record, standing = held.record.apply(made.changes), held.marks.apply(marks)
    return snapped(found, record, standing, made.changes, lit=made.lit)


def write(held: LockedTranscription, made: Edit, act: str, note: str, *, undoes: int | None = None) -> Receipt:
    """Write exactly these changes with their event, and raise the graph's version; nothing changed is acknowledged."""
    w, graph, seen = held.w, held.graph, held.seen
    if not made.changes and not made.marks:  # kept as an act, but there is nothing to undo
        return w.record("graph.same", "graph", graph.id, version=seen, payload={"what": note})
    _refuse_too_many(held.record, made.changes)
    grown = partial(_layout_of, graph.layout)
    record = graphs.apply_changes(w.session, graph, held.record, made.changes, seen, layout_of=grown)
    remember_if_kept(w.session, w.act_id, record)
    payload: dict[str, Any] = {"changes": [change.as_json() for change in made.changes], "what": note}
    if made.marks:
        held.marks.apply(made.marks)  # refuses what does not fit
        stored_marks.write_marks(w.session, graph.id, made.marks, w.viewer.person_id, w.now)
        payload["marks"] = [change.as_json() for change in made.marks]
    return w.record(act, "graph", graph.id, version=seen + 1, graph_id=graph.id, undoes=undoes, payload=payload)


def _layout_of(layout: graphs.Layout, record: GraphRecord) -> graphs.Layout | None:
    """Where the nodes are drawn that have a place by now, and the new ones; None if there are no others."""
    if record.nodes.keys() == layout.keys():
        return None
    return {key: [point.x, point.y] for key, point in places_of(record, layout).items()}


def renamed(held: LockedTranscription, node: NodeRecord, name: str) -> Edit:
    """A node under another name. If a node has that name already the two become one, which is kept as a mark.

    Raises InvalidName for a name that cannot be kept.
    """
    changes = edits.rename_node(held.record, node.id, name)
    if not any(change.after is None and change.element.id == node.id for change in changes):
        return Edit(changes)
    into = held.node(name)
    parts = [*parts_of(held.marks, into.id), *parts_of(held.marks, node.id)]
    moved = held.marks.setting("joined", into.id, {"parts": parts}) if parts_of(held.marks, node.id) else ()
    return Edit(changes, (*as_same(held.marks, node.name, clean_name(name)), *moved), is_fold=True)


def as_same(marks: Marks, name: str, into: str) -> tuple[MarkChange, ...]:
    """The marks that say `name` is but another spelling of `into`, in place of what was said of the two before."""
    return (
        *marks.setting("distinct", pair_key(name, into), None),
        *marks.setting("same", key_of(into), None),
        *marks.setting("same", key_of(name), {"name": name, "into": into}),
    )


def _refuse_too_many(record: GraphRecord, changes: tuple[Change, ...]) -> None:
    edges = [change for change in changes if isinstance(change.element, EdgeRecord)]
    grown = sum((change.after is not None) - (change.before is not None) for change in edges)
    if grown > 0 and len(record.edges) + grown > MOST_EDGES:
        raise BadInput(
            f"There would be {len(record.edges) + grown:,} edges; a transcription may have at most {MOST_EDGES:,}."
        )
