"""What the parts of the graph lab share: names of keys, what is lit in the figure, and how signs are written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import streamlit as st

from components import state
from components.graph.parts import styled
from components.graph.view import NodeStyle, ViewMark, ViewNode
from core.estimate import Estimate
from core.graphs.record import EdgeRecord, GraphRecord
from core.sign import Sign
from core.words import minus

PAGE = "graphs"
KIND_WORDS = {"R": "reinforcing", "B": "balancing", "U": "undetermined"}
NONE = "–"
"""What stands for a value that is not there; its reason stands with it."""
OPEN = "?"
"""What stands for a sign that is not known."""


@dataclass(frozen=True, slots=True)
class Light:
    """What a part wants to be seen in the figure: ids at full strength (None dims nothing), loop marks, a centre, small
    words at nodes, edges crossed out, and nodes in the classes of a comparison."""

    ids: frozenset[str] | None = None
    marks: tuple[ViewMark, ...] = ()
    centre: str | None = None
    badges: Mapping[str, str] = field(default_factory=dict)
    cut: frozenset[str] = frozenset()
    styles: Mapping[str, NodeStyle] = field(default_factory=dict)


LINK = (
    *("graph", "with", "part", "loop", "node", "from", "to", "path", "show", "element"),
    *("kind", "of", "between", "level", "encoding", "order", "names", "seed", "asked"),
)
"""What the lab's link restores, beside the list's own search and page."""


def open_link(**params: str) -> None:
    """Make the link say these and nothing else of the lab's; without any it is the list."""
    for name in LINK:
        state.write_param(name, params.get(name, ""))


def all_graphs() -> None:
    """The way back to the list."""
    st.button(
        "All graphs", key=state.key(PAGE, "back"), type="tertiary", icon=":material/arrow_back:", on_click=open_link
    )


def view_of(
    record: GraphRecord,
    badges: Mapping[str, str] | None = None,
    cut: Collection[str] = (),
    styles: Mapping[str, NodeStyle] | None = None,
) -> tuple[list[ViewNode], list[EdgeRecord]]:
    """A graph's nodes and edges as the figure and the table draw them; `badges` and `styles` by node id, `cut` edges by
    id."""
    nodes = [
        ViewNode(node.id, node.name, (styles or {}).get(node.id, "plain"), (badges or {}).get(node.id, ""))
        for node in record.nodes.values()
    ]
    edges = [styled(edge, "cut") if edge.id in cut else edge for edge in record.ordered_edges()]
    return nodes, edges


def sign_mark(sign: Sign | None) -> str:
    """A sign as tables write it; "?" where it is open, for an en dash looks like a minus."""
    return OPEN if sign is None else minus(sign.value)


def number(estimate: Estimate, decimals: int = 3) -> str:
    """A measured value with its decimals, or an en dash where it is undefined."""
    return NONE if estimate.value is None else f"{estimate.value:.{decimals}f}"


def reasons(estimates: Mapping[str, Estimate]) -> str:
    """Why values are missing, or conventions: "precision: the prediction has no edges"; "" if none needs a word."""
    said: dict[str, list[str]] = {}
    for what, estimate in estimates.items():
        if estimate.reason:
            said.setdefault(estimate.reason, []).append(what)
    return "; ".join(f"{', '.join(names)}: {reason}" for reason, names in said.items())
