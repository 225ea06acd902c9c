"""What the edge list sends, read into typed values: lines beside the acts that it shares with the canvas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from components.desk.act_fields import Data, read_act, text, truth
from components.desk.graph_acts import READERS, GraphAct
from components.desk.outbox import Act


@dataclass(frozen=True, slots=True)
class AddLines:
    """Typed or pasted lines, as `core.graphs.lines.parse` reads them."""

    text: str
    pasted: bool


@dataclass(frozen=True, slots=True)
class DropFault:
    """A faulty line that is corrected or given up."""

    text: str


EdgeListAct = AddLines | DropFault | GraphAct


def read_edge_list_act(act: Act) -> EdgeListAct:
    """One act of the edge list. Raises BadInput for an unknown kind or a wrong shape, InvalidName (a BadInput too) for
    a name that cannot be kept."""
    return read_act(act, _READERS)


def _by_name(data: Data) -> Data:
    """An act kept from the version before names its node by the node's id."""
    return data if "node" in data else {"node": data.get("node_id"), "name": data.get("name")}


_READERS: Mapping[str, Callable[[Data], EdgeListAct]] = {
    **READERS,
    "lines": lambda data: AddLines(text(data, "text"), truth(data, "pasted")),
    "drop_fault": lambda data: DropFault(text(data, "text")),
    "rename_node": lambda data: READERS["rename_node"](_by_name(data)),
    "delete_node": lambda data: READERS["delete_node"](_by_name(data)),
}
