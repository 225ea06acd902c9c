"""Why a graph cannot be written as a DAG: forms for networks without feedback share this question."""

from __future__ import annotations

from core.graphs.graph import CausalGraph
from core.graphs.lines.write import quote_name
from core.graphs.loops import loop_of, shown_loop


def loop_obstacle(graph: CausalGraph, form: str) -> str:
    """A sentence for `obstacle` if the graph has a loop: names one, shortened in its middle, and says what helps."""
    loop = loop_of(graph)
    if not loop:
        return ""
    shown = shown_loop([quote_name(name) for name in loop], " -> ")
    what = "an edge from a variable to itself" if len(loop) == 2 else "the loop"
    return (
        f"{form} allows only graphs without feedback, but this one has {what}: {shown}. "
        "Remove an edge from every loop, or choose a format that allows loops, such as GraphML, DOT or JSON."
    )
