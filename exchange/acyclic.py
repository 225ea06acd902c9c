"""Why a graph cannot be written as a DAG: forms for networks without feedback share this question."""

from __future__ import annotations

from core.graphs.graph import CausalGraph
from core.graphs.lines.write import quote_name


def loop_of(graph: CausalGraph) -> tuple[str, ...]:
    """The names along one loop of arrows, the first again at the end; () if the graph has none.

    >>> from core.graphs.edge import Edge
    >>> loop_of(CausalGraph.of([Edge("A", "B"), Edge("B", "C"), Edge("C", "B")]))
    ('B', 'C', 'B')
    """
    ahead: dict[str, list[str]] = {name: [] for name in graph.nodes}
    for edge in graph.edges:
        ahead[edge.source].append(edge.sink)
    done: set[str] = set()
    for start in graph.nodes:
        path, open_ends = [start], [iter(ahead[start])]
        places = {start: 0}
        while open_ends and start not in done:
            sink = next(open_ends[-1], None)
            if sink is None:
                done.add(path[-1])
                del places[path.pop()]
                open_ends.pop()
            elif sink in places:
                return (*path[places[sink] :], sink)
            elif sink not in done:
                places[sink] = len(path)
                path.append(sink)
                open_ends.append(iter(ahead[sink]))
    return ()


def loop_obstacle(graph: CausalGraph, form: str) -> str:
    """A sentence for `obstacle` if the graph has a loop: names one, shortened in its middle, and says what helps."""
    loop = loop_of(graph)
    if not loop:
        return ""
    shown = [quote_name(name) for name in loop]
    if len(shown) > 7:
        shown = [*shown[:3], "…", *shown[-3:]]
    what = "an edge from a variable to itself" if len(loop) == 2 else "the loop"
    return (
        f"{form} allows only graphs without feedback, but this one has {what}: {' -> '.join(shown)}. "
        "Remove an edge from every loop, or choose a format that allows loops, such as GraphML, DOT or JSON."
    )
