"""The acts of the canvas, each handed to the service that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from components.canvas.acts import (
    Accept,
    AcceptAs,
    Attest,
    Connect,
    DeleteEdge,
    DeleteNode,
    EditEdge,
    MoveNode,
    NotAVariable,
    PlaceNode,
    RedoAct,
    Refuse,
    RenameNode,
    ReverseEdge,
    UndoAct,
    read_canvas_act,
)
from components.desk.outbox import Act
from core.errors import BadInput
from core.papers.pages import Box
from core.people import Receipt, Viewer
from services.transcription import canvas_edits, proposals, sweeping, transcribing


class Tab(Protocol):
    """What a stroke needs to know of its tab: where the figure lies."""

    box: Box | None


class _Do:
    """One viewer's hand on one transcription, at the version their tab shows."""

    def __init__(self, viewer: Viewer, assignment_id: str, tab: Tab, how: dict[str, Any]) -> None:
        self.to = (viewer, assignment_id)
        self.how = how


def take_stroke(viewer: Viewer, assignment_id: str, act: Act, tab: Tab, **how: Any) -> Receipt:
    """Do one act of the canvas about the version `how` says. Raises what its service raises, and BadInput for an act
    that cannot be read."""
    if tab.box is None:
        raise BadInput("The figure is not open in this tab. Reload the page.")
    stroke = read_canvas_act(act, tab.box)
    return _SERVICES[type(stroke)](_Do(viewer, assignment_id, tab, how), stroke)


def _place(do: _Do, act: PlaceNode) -> Receipt:
    return canvas_edits.place_node(*do.to, act.name, (act.x, act.y), act.box, act.origin, **do.how)


_SERVICES: Mapping[type, Callable[[_Do, Any], Receipt]] = {
    PlaceNode: _place,
    MoveNode: lambda do, act: canvas_edits.move_node(*do.to, act.node, (act.x, act.y), **do.how),
    Connect: lambda do, act: canvas_edits.connect(*do.to, act.source, act.sink, act.sign, act.delay, **do.how),
    EditEdge: lambda do, act: transcribing.edit_edge(*do.to, act.edge_id, act.field, act.value, **do.how),
    ReverseEdge: lambda do, act: transcribing.reverse_edge(*do.to, act.edge_id, **do.how),
    DeleteEdge: lambda do, act: transcribing.remove_edge(*do.to, act.edge_id, **do.how),
    DeleteNode: lambda do, act: transcribing.remove_node(*do.to, act.node, **do.how),
    RenameNode: lambda do, act: transcribing.rename_node(*do.to, act.node, act.name, **do.how),
    Accept: lambda do, act: proposals.accept(*do.to, act.proposal_ids, **do.how),
    AcceptAs: lambda do, act: proposals.accept_as(*do.to, act.proposal_id, act.source, act.sink, **do.how),
    Refuse: lambda do, act: proposals.refuse(*do.to, act.proposal_ids, **do.how),
    Attest: lambda do, act: sweeping.attest(*do.to, act.node, act.swept, **do.how),
    NotAVariable: lambda do, act: sweeping.not_a_variable(*do.to, act.text, act.is_none, **do.how),
    UndoAct: lambda do, _act: transcribing.undo(*do.to, **do.how),
    RedoAct: lambda do, _act: transcribing.redo(*do.to, **do.how),
}
