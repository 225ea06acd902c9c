"""What a drawn graph is made of, in Python's words: nodes, edges, a loop's mark, and what the person chose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal

from core.graphs.record import EdgeRecord
from core.sign import Sign

Style = Literal["plain", "matched", "missed", "spurious", "reversed", "cut"]
"""How an edge is drawn: in a comparison, missed is in the reference only, spurious in the other graph only. Cut is what
setting a variable takes away: as missed, and crossed out."""

NodeStyle = Literal["plain", "matched", "missed", "spurious"]
"""How a node is drawn; an edge is turned round, a node is not."""

SIGN_MARKS = {Sign.PLUS: "+", Sign.MINUS: "−", None: ""}
"""A sign as the figure and the table write it."""


@dataclass(frozen=True, slots=True)
class ViewNode:
    """A node to draw: `badge` is a few words drawn small at the node ("2 names")."""

    id: str
    name: str
    style: NodeStyle = "plain"
    badge: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StyledEdge(EdgeRecord):
    """An edge that is compared. `differs` says how a matched edge's sign is wrong ("+ → −"); it is drawn in a box in
    place of the sign."""

    style: Style = "plain"
    differs: str = ""


def styled(edge: EdgeRecord, style: Style) -> StyledEdge:
    return StyledEdge(**{each.name: getattr(edge, each.name) for each in fields(edge)}, style=style)


def look_of(edge: EdgeRecord) -> tuple[Style, str]:
    """Style and `differs` of an edge."""
    return (edge.style, edge.differs) if isinstance(edge, StyledEdge) else ("plain", "")


@dataclass(frozen=True, slots=True)
class ViewMark:
    """The mark of a loop ("R1", "B2"), drawn in the middle of its nodes.

    `node_ids` are in the order of the loop; where they lie says which way the mark's small arrow turns.
    """

    text: str
    node_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """What the person chose last; `n` grows with every choice, so that choosing the same again is noticed."""

    kind: Literal["node", "edge"]
    id: str
    n: int


def summary(nodes: Sequence[ViewNode], edges: Sequence[EdgeRecord]) -> str:
    """The figure in one sentence, for those who do not see it.

    >>> edge = StyledEdge(id="e", source_id="a", sink_id="b", sign=Sign.MINUS, style="missed")
    >>> summary([ViewNode("a", "A"), ViewNode("b", "B", "missed")], [edge])
    'Causal graph: 2 nodes (1 missed), 1 edge (1 missed; 0 plus, 1 minus, 0 without sign).'
    """
    signs = [edge.sign for edge in edges]
    signed = f"{signs.count(Sign.PLUS)} plus, {signs.count(Sign.MINUS)} minus, {signs.count(None)} without sign"
    looks = [look_of(edge) for edge in edges]
    wrong = sum(1 for _style, differs in looks if differs)
    classes = [_classes([style for style, _differs in looks]), f"{wrong} with another sign" if wrong else ""]
    detail = "; ".join([", ".join(filter(None, classes)), signed]).removeprefix("; ") if edges else ""
    return f"Causal graph: {_counted(nodes, 'node', _classes([node.style for node in nodes]))}, " + (
        f"{_counted(edges, 'edge', detail)}."
    )


def _counted(things: Sequence[object], word: str, detail: str) -> str:
    plural = "" if len(things) == 1 else "s"
    return f"{len(things)} {word}{plural}" + (f" ({detail})" if detail else "")


def _classes(styles: Sequence[str]) -> str:
    compared = dict.fromkeys(style for style in styles if style != "plain")
    return ", ".join(f"{styles.count(style)} {style}" for style in compared)
