"""Parts of a drawn graph: nodes, edges, a loop's mark, and the selection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal

from core.graphs.record import EdgeRecord
from core.sign import Sign

Style = Literal["plain", "matched", "missed", "spurious", "reversed", "cut"]
"""Style of an edge in a comparison: missed is in the reference only, spurious in the other graph only. Cut is removed
by setting a variable: as missed, and crossed out."""

NodeStyle = Literal["plain", "matched", "missed", "spurious"]
"""Style of a node; an edge can be reversed, a node cannot."""

SIGN_MARKS = {Sign.PLUS: "+", Sign.MINUS: "−", None: ""}
"""Signs as the figure and the table write them."""


@dataclass(frozen=True, slots=True)
class ViewNode:
    """A node to draw: `badge` is a few words drawn small at the node ("2 names")."""

    id: str
    name: str
    style: NodeStyle = "plain"
    badge: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StyledEdge(EdgeRecord):
    """An edge that is compared. `differs`: how a matched edge's sign is wrong ("+ → −"), drawn in a box in place of the
    sign."""

    style: Style = "plain"
    differs: str = ""


def styled(edge: EdgeRecord, style: Style) -> StyledEdge:
    return StyledEdge(**{each.name: getattr(edge, each.name) for each in fields(edge)}, style=style)


def look_of(edge: EdgeRecord) -> tuple[Style, str]:
    """Return style and `differs` of an edge."""
    return (edge.style, edge.differs) if isinstance(edge, StyledEdge) else ("plain", "")


@dataclass(frozen=True, slots=True)
class ViewMark:
    """The mark of a loop ("R1", "B2"), drawn in the middle of its nodes."""

    text: str
    node_ids: tuple[str, ...]  # in the order of the loop: their places give the direction of the mark's small arrow


@dataclass(frozen=True, slots=True)
class Selection:
    """The last selection; `n` grows with every choice, so that selecting the same again is noticed."""

    kind: Literal["node", "edge"]
    id: str
    n: int


def summary(nodes: Sequence[ViewNode], edges: Sequence[EdgeRecord]) -> str:
    """Return the figure in one sentence, as its text alternative.

    >>> edge = StyledEdge(id="e", source_id="a", sink_id="b", sign=Sign.MINUS, style="missed")
    >>> summary([ViewNode("a", "A"), ViewNode("b", "B", "missed")], [edge])
    'Causal graph: 2 nodes (1 missed), 1 edge (1 missed; 0 plus, 1 minus, 0 without sign).'
    """
    signs = [edge.sign for edge in edges]
    signed = f"{signs.count(Sign.PLUS)} plus, {signs.count(Sign.MINUS)} minus, {signs.count(None)} without sign"
    styles = [look_of(edge) for edge in edges]
    wrong = sum(1 for _style, differs in styles if differs)
    classes = [_classes([style for style, _differs in styles]), f"{wrong} with another sign" if wrong else ""]
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
