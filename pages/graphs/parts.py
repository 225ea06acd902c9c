"""Shared by the Graph lab: state keys, highlights of the figure, and formats of signs."""

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
# Shown for an undefined value, with the reason next to it.
NONE = "–"
# Shown for an unknown sign.
OPEN = "?"


@dataclass(frozen=True, slots=True)
class Light:
    """Highlights of the figure.

    Attributes:
        ids: elements at full opacity; None dims nothing
        marks: loop marks
        centre: node to centre
        badges: short text at nodes
        cut: edges crossed out
        styles: nodes with a class of a comparison
    """

    ids: frozenset[str] | None = None
    marks: tuple[ViewMark, ...] = ()
    centre: str | None = None
    badges: Mapping[str, str] = field(default_factory=dict)
    cut: frozenset[str] = frozenset()
    styles: Mapping[str, NodeStyle] = field(default_factory=dict)


# Link parameters of the lab, without search and page of the list.
LINK = (
    *("graph", "with", "part", "loop", "node", "from", "to", "path", "show", "element"),
    *("kind", "of", "between", "level", "encoding", "order", "names", "seed", "asked"),
)


def open_link(**params: str) -> None:
    """Set these link parameters and clear the lab's others; without any, the list is shown."""
    for name in LINK:
        state.write_param(name, params.get(name, ""))


def all_graphs() -> None:
    st.button(
        "All graphs", key=state.key(PAGE, "back"), type="tertiary", icon=":material/arrow_back:", on_click=open_link
    )


def view_of(
    record: GraphRecord,
    badges: Mapping[str, str] | None = None,
    cut: Collection[str] = (),
    styles: Mapping[str, NodeStyle] | None = None,
) -> tuple[list[ViewNode], list[EdgeRecord]]:
    """Return nodes and edges to draw; `badges` and `styles` by node ID, `cut` by edge ID."""
    nodes = [
        ViewNode(node.id, node.name, (styles or {}).get(node.id, "plain"), (badges or {}).get(node.id, ""))
        for node in record.nodes.values()
    ]
    edges = [styled(edge, "cut") if edge.id in cut else edge for edge in record.ordered_edges()]
    return nodes, edges


def sign_mark(sign: Sign | None) -> str:
    """Format a sign; "?" if unknown, because an en dash looks like a minus."""
    return OPEN if sign is None else minus(sign.value)


def number(estimate: Estimate, decimals: int = 3) -> str:
    """Format a value; an en dash if it is undefined."""
    return NONE if estimate.value is None else f"{estimate.value:.{decimals}f}"


def reasons(estimates: Mapping[str, Estimate]) -> str:
    """List reasons of undefined values: "precision: the prediction has no edges"; empty if there are none."""
    measures_by_reason: dict[str, list[str]] = {}
    for what, estimate in estimates.items():
        if estimate.reason:
            measures_by_reason.setdefault(estimate.reason, []).append(what)
    return "; ".join(f"{', '.join(names)}: {reason}" for reason, names in measures_by_reason.items())
