"""What canvas and edge list both send about the graph that they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from components.desk.act_fields import Data, identifier, name, sign, text, truth, unreadable
from core.graphs.edge import EdgeFlag


@dataclass(frozen=True, slots=True)
class EditEdge:
    """One field of an edge: sign ("+", "-", ""), delay (true or false), flag (an EdgeFlag value or ""), note, or the
    name at its source or sink. `edge_id`, here and below, is also that of an edge whose receipt is on its way: acts
    make ids.
    """

    edge_id: str
    field: Literal["sign", "delay", "flag", "note", "source", "sink"]
    value: str | bool


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
    """The last act taken back."""


@dataclass(frozen=True, slots=True)
class RedoAct:
    """The last act taken back, done again."""


GraphAct = EditEdge | DeleteEdge | RenameNode | DeleteNode | UndoAct | RedoAct


def _edit_edge(data: Data) -> EditEdge:
    edge_id, field, value = identifier(data.get("edge_id")), data.get("field"), data.get("value")
    if field == "sign":
        found = sign(data, "value")
        return EditEdge(edge_id, "sign", found.value if found else "")
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
"""How each kind is read."""
