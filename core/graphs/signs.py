"""The settled sign of an ordered pair, for everything that multiplies or compares signs."""

from __future__ import annotations

from core.graphs.graph import CausalGraph
from core.sign import Sign


def settled_signs(graph: CausalGraph) -> dict[tuple[str, str], Sign | None]:
    """Return the sign of every ordered pair that has an edge, in the order of edges; None if it is not known. A pair
    listed with different signs, or once with a sign and once without, has no settled sign.

    >>> from core.graphs.edge import Edge
    >>> settled_signs(CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("A", "B", Sign.MINUS)]))
    {('A', 'B'): None}
    """
    signs: dict[tuple[str, str], Sign | None] = {}
    for edge in graph.edges:
        if signs.setdefault(edge.pair, edge.sign) is not edge.sign:
            signs[edge.pair] = None
    return signs
