"""Dispatch of desk acts to their services."""

from __future__ import annotations

from typing import Any

from components.desk.graph_acts import DeleteEdge, DeleteNode, EditEdge, RedoAct, RenameNode, UndoAct
from components.transcription.acts import (
    Accept,
    AcceptAs,
    AddLines,
    Attest,
    Connect,
    DrawingAct,
    DropFault,
    JoinNames,
    MoveNode,
    NotAnEdge,
    NotAVariable,
    PlaceNode,
    Refuse,
    ReverseEdge,
    TranscriptionAct,
)
from core.people import Receipt, Viewer
from services.transcription import canvas_edits, proposals, sweeping, transcribing


def applied(
    viewer: Viewer, assignment_id: str, act: TranscriptionAct, /, **to: Any
) -> tuple[Receipt | None, tuple[str, ...]]:
    """Perform an act. Return its receipt, None if the graph is unchanged, and notices about its lines."""
    match act:
        case AddLines(text, pasted):
            outcome = transcribing.add_lines(viewer, assignment_id, text, pasted=pasted, **to)
            return outcome.receipt, outcome.notices
        case DropFault(text):
            transcribing.drop_fault(viewer, assignment_id, text)
            return None, ()
        case EditEdge(edge_id, field, value):
            return transcribing.edit_edge(viewer, assignment_id, edge_id, field, value, **to), ()
        case DeleteEdge(edge_id):
            return transcribing.remove_edge(viewer, assignment_id, edge_id, **to), ()
        case RenameNode(node, name):
            return transcribing.rename_node(viewer, assignment_id, node, name, **to), ()
        case DeleteNode(node):
            return transcribing.remove_node(viewer, assignment_id, node, **to), ()
        case UndoAct():
            return transcribing.undo(viewer, assignment_id, **to), ()
        case RedoAct():
            return transcribing.redo(viewer, assignment_id, **to), ()
    return _drawn(viewer, assignment_id, act, **to), ()


def _drawn(viewer: Viewer, assignment_id: str, act: DrawingAct, /, **to: Any) -> Receipt:
    match act:
        case PlaceNode(name, x, y, box, origin):
            return canvas_edits.place_node(viewer, assignment_id, name, (x, y), box, origin, **to)
        case JoinNames(name, nodes, words):
            return canvas_edits.join_names(viewer, assignment_id, name, nodes, words, **to)
        case MoveNode(node, x, y):
            return canvas_edits.move_node(viewer, assignment_id, node, (x, y), **to)
        case Connect(source, sink, sign, delay, lit):
            return canvas_edits.connect(viewer, assignment_id, source, sink, sign, delay, lit=lit, **to)
        case ReverseEdge(edge_id):
            return transcribing.reverse_edge(viewer, assignment_id, edge_id, **to)
        case Accept(proposal_ids, by):
            return proposals.accept(viewer, assignment_id, proposal_ids, by, **to)
        case AcceptAs(proposal_id, source, sink):
            return proposals.accept_as(viewer, assignment_id, proposal_id, source, sink, **to)
        case Refuse(proposal_ids, by):
            return proposals.refuse(viewer, assignment_id, proposal_ids, by, **to)
        case Attest(node, swept):
            return sweeping.attest(viewer, assignment_id, node, swept, **to)
        case NotAnEdge(arrow, is_none):
            return sweeping.not_an_edge(viewer, assignment_id, arrow, is_none, **to)
        case NotAVariable(text, is_none):
            return sweeping.not_a_variable(viewer, assignment_id, text, is_none, **to)
