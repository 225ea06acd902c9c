"""What the transcription canvas sends, read into typed values. It comes from a browser and may be forged."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from components.desk.outbox import Act
from core.errors import BadInput
from core.graphs.edge import EdgeFlag
from core.graphs.names import clean_name
from core.papers.pages import Box
from core.sign import EDGE_SIGNS, Sign

MAX_PROPOSALS = 1_000
LONGEST_ID = 200
_SLACK = 0.5  # points: boxes of words are rounded on their way


@dataclass(frozen=True, slots=True)
class PlaceNode:
    """A new name at a place of the page; `box` if it is a printed name."""

    name: str
    x: float
    y: float
    box: Box | None
    origin: Literal["printed", "drawn"]


@dataclass(frozen=True, slots=True)
class MoveNode:
    """A node put at another place, or at a first one."""

    node: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Connect:
    """A new edge between two names; the node of either may have been made by the act just before."""

    source: str
    sink: str
    sign: Sign | None
    delay: bool


@dataclass(frozen=True, slots=True)
class EditEdge:
    """One field of an edge: sign ("+", "-", ""), delay (true or false), flag (an EdgeFlag value or ""), or the name at
    its source or sink. `edge_id`, here and below, is also that of an edge whose receipt is on its way: acts make ids.
    """

    edge_id: str
    field: Literal["sign", "delay", "flag", "source", "sink"]
    value: str | bool


@dataclass(frozen=True, slots=True)
class ReverseEdge:
    """An edge to turn round."""

    edge_id: str


@dataclass(frozen=True, slots=True)
class DeleteEdge:
    """An edge to remove."""

    edge_id: str


@dataclass(frozen=True, slots=True)
class DeleteNode:
    """A node to remove, with its edges."""

    node: str


@dataclass(frozen=True, slots=True)
class RenameNode:
    """A node's new name."""

    node: str
    name: str


@dataclass(frozen=True, slots=True)
class Accept:
    """Proposals that became the annotator's own edges."""

    proposal_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AcceptAs:
    """A proposal that became the annotator's own edge between these names, not the proposed ones."""

    proposal_id: str
    source: str
    sink: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Proposals turned down."""

    proposal_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attest:
    """Whether every edge out of a node is drawn, as the annotator says."""

    node: str
    swept: bool


@dataclass(frozen=True, slots=True)
class NotAVariable:
    """Whether a printed text that no node uses is no variable."""

    text: str
    is_none: bool


@dataclass(frozen=True, slots=True)
class UndoAct:
    """The last act taken back."""


@dataclass(frozen=True, slots=True)
class RedoAct:
    """The last act taken back, done again."""


CanvasAct = (
    PlaceNode
    | MoveNode
    | Connect
    | EditEdge
    | ReverseEdge
    | DeleteEdge
    | DeleteNode
    | RenameNode
    | Accept
    | AcceptAs
    | Refuse
    | Attest
    | NotAVariable
    | UndoAct
    | RedoAct
)


def read_canvas_act(act: Act, within: Box) -> CanvasAct:
    """One act of the canvas as a typed value; names come cleaned as `core.graphs.names.clean_name` keeps them.

    within: the figure's crop in points of the page; every coordinate must lie in it.
    Raises BadInput for an unknown kind, a wrong shape or a place outside the figure, and InvalidName (a BadInput
    too) for a name that cannot be kept: a person may have typed that one.
    """
    reader = _READERS.get(act.kind)
    if reader is None:
        raise BadInput(f"The canvas sent an act that this version does not know: {act.kind}. Reload the page.")
    return reader(act.data, within)


Data = Mapping[str, Any]


def _place_node(data: Data, within: Box) -> PlaceNode:
    origin = data.get("origin")
    if origin not in ("printed", "drawn"):
        raise _bad("the origin of a name is neither printed nor drawn")
    x, y = _point(data, within)
    return PlaceNode(_name(data, "name"), x, y, _box(data.get("box"), within), origin)


def _move_node(data: Data, within: Box) -> MoveNode:
    return MoveNode(_name(data, "node"), *_point(data, within))


def _connect(data: Data, _within: Box) -> Connect:
    sign, delay = _sign(data.get("sign")), _truth(data.get("delay"), "delay")
    return Connect(_name(data, "source"), _name(data, "sink"), sign, delay)


def _edit_edge(data: Data, _within: Box) -> EditEdge:
    edge_id, field, value = _id(data.get("edge_id")), data.get("field"), data.get("value")
    if field == "sign":
        sign = _sign(value)
        return EditEdge(edge_id, "sign", sign.value if sign else "")
    if field == "delay":
        return EditEdge(edge_id, "delay", _truth(value, "delay"))
    if field == "flag" and isinstance(value, str) and value in ("", *(flag.value for flag in EdgeFlag)):
        return EditEdge(edge_id, "flag", value)
    if field in ("source", "sink"):
        return EditEdge(edge_id, field, _name(data, "value"))
    raise _bad("an edge was to get something other than a sign, a delay, a known flag or another end")


def _accept_as(data: Data, _within: Box) -> AcceptAs:
    return AcceptAs(_id(data.get("proposal_id")), _name(data, "source"), _name(data, "sink"))


def _not_a_variable(data: Data, _within: Box) -> NotAVariable:
    return NotAVariable(_name(data, "text"), _truth(data.get("is_none"), "is_none"))


_READERS: Mapping[str, Callable[[Data, Box], CanvasAct]] = {
    "place_node": _place_node,
    "move_node": _move_node,
    "connect": _connect,
    "edit_edge": _edit_edge,
    "reverse_edge": lambda data, _within: ReverseEdge(_id(data.get("edge_id"))),
    "delete_edge": lambda data, _within: DeleteEdge(_id(data.get("edge_id"))),
    "delete_node": lambda data, _within: DeleteNode(_name(data, "node")),
    "rename_node": lambda data, _within: RenameNode(_name(data, "node"), _name(data, "name")),
    "accept": lambda data, _within: Accept(_ids(data.get("proposal_ids"))),
    "accept_as": _accept_as,
    "refuse": lambda data, _within: Refuse(_ids(data.get("proposal_ids"))),
    "attest": lambda data, _within: Attest(_name(data, "node"), _truth(data.get("swept"), "swept")),
    "not_a_variable": _not_a_variable,
    "undo": lambda _data, _within: UndoAct(),
    "redo": lambda _data, _within: RedoAct(),
}


def _name(data: Data, field: str) -> str:
    value = data.get(field)
    if not isinstance(value, str):
        raise _bad(f"{field} is not a text")
    return clean_name(value)


def _point(data: Data, within: Box) -> tuple[float, float]:
    x, y = _number(data.get("x")), _number(data.get("y"))
    if not (within.x0 - _SLACK <= x <= within.x1 + _SLACK and within.y0 - _SLACK <= y <= within.y1 + _SLACK):
        raise _bad(f"the place ({x:.1f}, {y:.1f}) lies outside the figure")
    return x, y


def _box(value: object, within: Box) -> Box | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 4:
        raise _bad("a box is not four numbers")
    x0, y0, x1, y1 = (_number(part) for part in value)
    xs, ys = (within.x0 - _SLACK, x0, x1, within.x1 + _SLACK), (within.y0 - _SLACK, y0, y1, within.y1 + _SLACK)
    if [*xs, *ys] != [*sorted(xs), *sorted(ys)]:
        raise _bad("a box lies outside the figure or is turned inside out")
    return Box(x0, y0, x1, y1)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad("a coordinate is not a number")
    try:
        number = float(value)
    except OverflowError:
        raise _bad("a coordinate is too large") from None
    if not math.isfinite(number):
        raise _bad("a coordinate is not finite")
    return number


def _sign(value: object) -> Sign | None:
    if value == "":
        return None
    if isinstance(value, str) and value in [sign.value for sign in EDGE_SIGNS]:
        return Sign(value)
    raise _bad('a sign is not "+", "-" or empty')


def _truth(value: object, field: str) -> bool:
    if not isinstance(value, bool):
        raise _bad(f"{field} is neither true nor false")
    return value


def _id(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID:
        raise _bad("an id is not a short text")
    return value


def _ids(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_PROPOSALS:
        raise _bad(f"the proposals are not a list of 1 to {MAX_PROPOSALS} ids")
    ids = tuple(_id(item) for item in value)
    if len(set(ids)) != len(ids):
        raise _bad("a proposal is named twice")
    return ids


def _bad(why: str) -> BadInput:
    return BadInput(f"The canvas sent an act that cannot be read: {why}. Reload the page; nothing was changed.")
