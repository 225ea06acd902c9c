"""The obstacle for formats of acyclic graphs: a loop."""

from __future__ import annotations

from core.graphs.graph import CausalGraph
from core.graphs.lines.write import quote_name
from core.graphs.loops import loop_of, shown_loop


def loop_obstacle(graph: CausalGraph, form: str) -> str:
    """Return an `obstacle` sentence if the graph has a loop: it names one, shortened in its middle, and a remedy."""
    loop = loop_of(graph)
    if not loop:
        return ""
    shown = shown_loop([quote_name(name) for name in loop], " -> ")
    what = "an edge from a variable to itself" if len(loop) == 2 else "the loop"
    return (
        f"{form} allows only graphs without feedback, but this one has {what}: {shown}. "
        "Remove an edge from every loop, or choose a format that allows loops, such as GraphML, DOT or JSON."
    )
