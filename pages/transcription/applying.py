"""The acts of edge list and canvas, each handed to the service that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from components.canvas.acts import (
    Accept,
    AcceptAs,
    Attest,
    CanvasAct,
    Connect,
    MoveNode,
    NotAVariable,
    PlaceNode,
    Refuse,
    ReverseEdge,
)
from components.desk.graph_acts import DeleteEdge, DeleteNode, EditEdge, RedoAct, RenameNode, UndoAct
from components.edge_list.acts import AddLines, DropFault, EdgeListAct
from core.people import Receipt, Viewer
from services.transcription import canvas_edits, proposals, sweeping, transcribing

Work = tuple[Viewer, str]
"""Whose hand it is, and the assignment."""


def applied(
    viewer: Viewer, assignment_id: str, act: CanvasAct | EdgeListAct, /, *, seen: int, act_id: str
) -> tuple[Receipt | None, tuple[str, ...]]:
    """The receipt of an act about version `seen`, None if it wrote nothing of the graph, and what became of its lines
    in words. Raises what its service raises."""
    work, how = (viewer, assignment_id), {"seen": seen, "act_id": act_id}
    if isinstance(act, AddLines):
        outcome = transcribing.add_lines(*work, act.text, pasted=act.pasted, seen=seen, act_id=act_id)
        return outcome.receipt, outcome.notices
    if isinstance(act, DropFault):
        transcribing.drop_fault(*work, act.text)
        return None, ()
    return _SERVICES[type(act)](work, act, how), ()


_SERVICES: Mapping[type, Callable[[Work, Any, dict[str, Any]], Receipt]] = {
    PlaceNode: lambda work, act, how: canvas_edits.place_node(
        *work, act.name, (act.x, act.y), act.box, act.origin, **how
    ),
    MoveNode: lambda work, act, how: canvas_edits.move_node(*work, act.node, (act.x, act.y), **how),
    Connect: lambda work, act, how: canvas_edits.connect(*work, act.source, act.sink, act.sign, act.delay, **how),
    EditEdge: lambda work, act, how: transcribing.edit_edge(*work, act.edge_id, act.field, act.value, **how),
    ReverseEdge: lambda work, act, how: transcribing.reverse_edge(*work, act.edge_id, **how),
    DeleteEdge: lambda work, act, how: transcribing.remove_edge(*work, act.edge_id, **how),
    DeleteNode: lambda work, act, how: transcribing.remove_node(*work, act.node, **how),
    RenameNode: lambda work, act, how: transcribing.rename_node(*work, act.node, act.name, **how),
    Accept: lambda work, act, how: proposals.accept(*work, act.proposal_ids, **how),
    AcceptAs: lambda work, act, how: proposals.accept_as(*work, act.proposal_id, act.source, act.sink, **how),
    Refuse: lambda work, act, how: proposals.refuse(*work, act.proposal_ids, **how),
    Attest: lambda work, act, how: sweeping.attest(*work, act.node, act.swept, **how),
    NotAVariable: lambda work, act, how: sweeping.not_a_variable(*work, act.text, act.is_none, **how),
    UndoAct: lambda work, _act, how: transcribing.undo(*work, **how),
    RedoAct: lambda work, _act, how: transcribing.redo(*work, **how),
}
