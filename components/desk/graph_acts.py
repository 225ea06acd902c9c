"""Acts on the graph that canvas and edge list have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from components.desk.act_fields import Data, identifier, name, sign, text, truth, unreadable
from core.graphs.edge import EdgeFlag


@dataclass(frozen=True, slots=True)
class EditEdge:
    """A change of one field of an edge."""

    edge_id: str  # here and below also that of an edge whose receipt is on its way: acts create ids
    field: Literal["sign", "delay", "flag", "note", "source", "sink"]
    value: str | bool  # sign ("+", "-", ""), delay, flag (an EdgeFlag value or ""), note, or the name at an end


@dataclass(frozen=True, slots=True)
class DeleteEdge:
    """An edge to remove."""

    edge_id: str


@dataclass(frozen=True, slots=True)
class RenameNode:
    """A node's new name."""

    node: str
    name: str


@dataclass(frozen=True, slots=True)
class DeleteNode:
    """A node to remove, with its edges."""

    node: str


@dataclass(frozen=True, slots=True)
class UndoAct:
    """Undo of the last act."""


@dataclass(frozen=True, slots=True)
class RedoAct:
    """Redo of the act undone last."""


GraphAct = EditEdge | DeleteEdge | RenameNode | DeleteNode | UndoAct | RedoAct


def _edit_edge(data: Data) -> EditEdge:
    edge_id, field, value = identifier(data.get("edge_id")), data.get("field"), data.get("value")
    if field == "sign":
        edge_sign = sign(data, "value")
        return EditEdge(edge_id, "sign", edge_sign.value if edge_sign else "")
    if field == "delay":
        return EditEdge(edge_id, "delay", truth(data, "value"))
    if field == "flag" and isinstance(value, str) and value in ("", *(flag.value for flag in EdgeFlag)):
        return EditEdge(edge_id, "flag", value)
    if field == "note":
        return EditEdge(edge_id, "note", text(data, "value"))
    if field in ("source", "sink"):
        return EditEdge(edge_id, field, name(data, "value"))
    raise unreadable("an edge can get only a sign, a delay, a known flag, a note or another end")


READERS: Mapping[str, Callable[[Data], GraphAct]] = {
    "edit_edge": _edit_edge,
    "delete_edge": lambda data: DeleteEdge(identifier(data.get("edge_id"))),
    "rename_node": lambda data: RenameNode(name(data, "node"), name(data, "name")),
    "delete_node": lambda data: DeleteNode(name(data, "node")),
    "undo": lambda _data: UndoAct(),
    "redo": lambda _data: RedoAct(),
}
"""Reader of each kind."""
