"""Acts of the transcription desk as typed values. They come from a browser and may be forged."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from components.desk.act_fields import Data, identifier, name, read_act, sign, text, truth, unreadable
from components.desk.graph_acts import READERS, GraphAct
from components.desk.posting.acts import Act
from core.papers.pages import Box
from core.sign import Sign
from core.transcription.joining import MOST_JOINED
from core.transcription.open_proposals import CHOSEN_BY, ChosenBy
from core.words import quoted

MAX_PROPOSALS = 1_000
_SLACK = 0.5  # points: boxes of words are rounded on their way


@dataclass(frozen=True, slots=True)
class AddLines:
    """Typed or pasted lines, as `core.graphs.lines.parse` reads them."""

    text: str
    pasted: bool


@dataclass(frozen=True, slots=True)
class DropFault:
    """A faulty line that is corrected or given up."""

    text: str


@dataclass(frozen=True, slots=True)
class PlaceNode:
    """A new name at a place of the page; `box` if it is a printed name."""

    name: str
    x: float
    y: float
    box: Box | None
    origin: Literal["printed", "drawn"]


@dataclass(frozen=True, slots=True)
class JoinNames:
    """Nodes and printed texts, each with its box, that are one name."""

    name: str
    nodes: tuple[str, ...]
    words: tuple[tuple[str, Box], ...]


@dataclass(frozen=True, slots=True)
class MoveNode:
    """A node's new or first place."""

    node: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Connect:
    """A new edge between two names, which the act just before may have created."""

    source: str
    sink: str
    sign: Sign | None
    delay: bool
    lit: str = ""  # the printed arrow without an edge that was highlighted meanwhile


@dataclass(frozen=True, slots=True)
class ReverseEdge:
    """An edge to reverse."""

    edge_id: str


@dataclass(frozen=True, slots=True)
class Accept:
    """Accepted proposals; `by`: how those of one act were chosen."""

    proposal_ids: tuple[str, ...]
    by: ChosenBy = ""


@dataclass(frozen=True, slots=True)
class AcceptAs:
    """A proposal accepted between these names, not the proposed ones."""

    proposal_id: str
    source: str
    sink: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Rejected proposals; `by` as in `Accept`."""

    proposal_ids: tuple[str, ...]
    by: ChosenBy = ""


@dataclass(frozen=True, slots=True)
class Attest:
    """The annotator's statement that every edge out of a node is drawn, or not."""

    node: str
    swept: bool


@dataclass(frozen=True, slots=True)
class NotAVariable:
    """A printed text that is no variable, or is one again."""

    text: str
    is_none: bool


@dataclass(frozen=True, slots=True)
class NotAnEdge:
    """A printed arrow without an edge that means none, or does again."""

    arrow: str
    is_none: bool


DrawingAct = (
    PlaceNode
    | JoinNames
    | MoveNode
    | Connect
    | ReverseEdge
    | Accept
    | AcceptAs
    | Refuse
    | Attest
    | NotAVariable
    | NotAnEdge
)
TranscriptionAct = AddLines | DropFault | DrawingAct | GraphAct


def read_transcription_act(act: Act, within: Box | None = None) -> TranscriptionAct:
    """Return one act of the desk as a typed value; names come cleaned as `core.graphs.names.clean_name` stores them.

    `within`: the figure's crop in points of the page; every coordinate must lie in it. None without a figure: then
    nothing can be drawn.
    Raises BadInput for an unknown kind, a wrong shape or a place outside the figure, and InvalidName (a BadInput too)
    for a name that cannot be stored: a person may have typed that one."""
    return read_act(act, _TYPED if within is None else readers(within))


_TYPED: Mapping[str, Callable[[Data], TranscriptionAct]] = {
    **READERS,
    "lines": lambda data: AddLines(text(data, "text"), truth(data, "pasted")),
    "drop_fault": lambda data: DropFault(text(data, "text")),
}


def _place_node(data: Data, within: Box) -> PlaceNode:
    origin = data.get("origin")
    if origin not in ("printed", "drawn"):
        raise unreadable("the origin of a name is neither printed nor drawn")
    x, y = _point(data, within)
    return PlaceNode(name(data, "name"), x, y, _box(data.get("box"), within), origin)


def _join_names(data: Data, within: Box) -> JoinNames:
    nodes, words = data.get("nodes"), data.get("words")
    if not isinstance(nodes, list) or not isinstance(words, list) or len(nodes) + len(words) > MOST_JOINED:
        raise unreadable(f"the texts to join are not two lists of at most {MOST_JOINED} in all")
    return JoinNames(
        name(data, "name"),
        tuple(name({"node": node}, "node") for node in nodes),
        tuple(_word(word, within) for word in words),
    )


def _word(value: object, within: Box) -> tuple[str, Box]:
    if not isinstance(value, Mapping):
        raise unreadable("a printed text is not a text and a box")
    box = _box(value.get("box"), within)
    if box is None:
        raise unreadable("a printed text has no box")
    return text(value, "text"), box


def _connect(data: Data) -> Connect:
    highlighted = data.get("lit")
    drawn = name(data, "source"), name(data, "sink"), sign(data, "sign"), truth(data, "delay")
    return Connect(*drawn, identifier(highlighted) if highlighted != "" else "")


def readers(within: Box) -> Mapping[str, Callable[[Data], TranscriptionAct]]:
    """Return the reader of each kind on a figure whose crop is `within`."""
    return {
        **_TYPED,
        "place_node": lambda data: _place_node(data, within),
        "join_names": lambda data: _join_names(data, within),
        "move_node": lambda data: MoveNode(name(data, "node"), *_point(data, within)),
        "connect": _connect,
        "reverse_edge": lambda data: ReverseEdge(identifier(data.get("edge_id"))),
        "accept": lambda data: Accept(_ids(data.get("proposal_ids")), _chosen_by(data)),
        "accept_as": lambda data: AcceptAs(
            identifier(data.get("proposal_id")), name(data, "source"), name(data, "sink")
        ),
        "refuse": lambda data: Refuse(_ids(data.get("proposal_ids")), _chosen_by(data)),
        "attest": lambda data: Attest(name(data, "node"), truth(data, "swept")),
        "not_an_edge": lambda data: NotAnEdge(identifier(data.get("arrow")), truth(data, "is_none")),
        "not_a_variable": lambda data: NotAVariable(name(data, "text"), truth(data, "is_none")),
    }


def _chosen_by(data: Data) -> ChosenBy:
    by = data.get("by")
    if by not in CHOSEN_BY:
        raise unreadable(f"proposals are not chosen by {quoted(str(by))}")
    return cast(ChosenBy, by)


def _point(data: Data, within: Box) -> tuple[float, float]:
    x, y = _number(data.get("x")), _number(data.get("y"))
    if not (within.x0 - _SLACK <= x <= within.x1 + _SLACK and within.y0 - _SLACK <= y <= within.y1 + _SLACK):
        raise unreadable(f"the place ({x:.1f}, {y:.1f}) lies outside the figure")
    return x, y


def _box(value: object, within: Box) -> Box | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 4:
        raise unreadable("a box is not four numbers")
    x0, y0, x1, y1 = (_number(part) for part in value)
    xs, ys = (within.x0 - _SLACK, x0, x1, within.x1 + _SLACK), (within.y0 - _SLACK, y0, y1, within.y1 + _SLACK)
    if [*xs, *ys] != [*sorted(xs), *sorted(ys)]:
        raise unreadable("a box lies outside the figure, or its corners are swapped")
    return Box(x0, y0, x1, y1)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise unreadable("a coordinate is not a number")
    try:
        number = float(value)
    except OverflowError:
        raise unreadable("a coordinate is too large") from None
    if not math.isfinite(number):
        raise unreadable("a coordinate is not finite")
    return number


def _ids(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_PROPOSALS:
        raise unreadable(f"the proposals are not a list of 1 to {MAX_PROPOSALS} ids")
    ids = tuple(identifier(item) for item in value)
    if len(set(ids)) != len(ids):
        raise unreadable("a proposal is listed twice")
    return ids
