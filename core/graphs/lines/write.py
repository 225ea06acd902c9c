"""The typed form of a graph, written: `"source" -> "sink"`, one edge per line, as ReCITE has it."""

from __future__ import annotations

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph


def quote_name(name: str) -> str:
    """Return a name in the standard format: in quotes, a quote inside doubled.

    >>> print(quote_name('the "rebound" effect'))
    "the ""rebound"" effect"
    """
    return '"' + name.replace('"', '""') + '"'


def format_edge(edge: Edge, *, signs: bool = False) -> str:
    """Return one edge in the standard format of ReCITE, `"source" -> "sink"`; with `signs`, `->+` or `->-` where known.

    >>> print(format_edge(Edge("Price, net", "Demand")))
    "Price, net" -> "Demand"
    """
    sign = edge.sign.value if signs and edge.sign is not None else ""
    return f"{quote_name(edge.source)} ->{sign} {quote_name(edge.sink)}"


def format_graph(graph: CausalGraph, *, signs: bool = False, isolated: bool = False) -> str:
    """Return every edge on a line of its own, in order, each line ended.

    The standard format has no place for isolated nodes: they are left out, unless `isolated` appends each as a line of
    one quoted name, which `parse_lines` reads back. Signs are left out unless `signs`; delays, notes and flags always
    are."""
    lines = [format_edge(edge, signs=signs) for edge in graph.edges]
    if isolated:
        lines += map(quote_name, graph.isolated)
    return "".join(f"{line}\n" for line in lines)
