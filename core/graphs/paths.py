"""All directed paths from one variable to another, each with its sign.

The sign of a directed path is the product of its edges' signs (Richardson 1986, "Problems with causal-loop diagrams"):
an even number of minus signs gives +, an odd number −. One edge without a sign leaves it open."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, pairwise

from core.errors import Missing
from core.graphs.graph import CausalGraph
from core.graphs.record import GraphRecord
from core.graphs.signs import settled_signs
from core.sign import Sign

MOST_PATHS = 200  # default maximum of listed paths: more than anyone reads, fewer than a dense graph has


class PathsSummary(StrEnum):
    """Summary of all listed paths: the effect of the source on the sink."""

    PLUS = "always +"
    MINUS = "always −"
    BOTH = "both signs"
    UNDETERMINED = "undetermined"
    NO_PATH = "no path"


@dataclass(frozen=True, slots=True)
class CausalPath:
    """A directed path without repeated variables: `nodes` from source to sink, one of `signs` per edge."""

    nodes: tuple[str, ...]
    signs: tuple[Sign | None, ...]
    sign: Sign | None  # their product, None if any edge has none

    @property
    def arrows(self) -> tuple[tuple[str, str], ...]:
        return tuple(pairwise(self.nodes))


@dataclass(frozen=True, slots=True)
class CausalPaths:
    """Paths from a source to a sink, short ones first."""

    paths: tuple[CausalPath, ...]
    verdict: PathsSummary
    unsigned: tuple[tuple[str, str], ...]  # edges on listed paths whose sign is open, in order of appearance
    is_capped: bool = False  # there may be more
    reason: str = ""  # why they are missing

    def count(self, sign: Sign | None) -> int:
        return sum(path.sign is sign for path in self.paths)


def find_paths(
    graph: CausalGraph,
    source: str,
    sink: str,
    *,
    most: int = MOST_PATHS,
    is_over: Callable[[], bool] = lambda: False,
) -> CausalPaths:
    """Return directed simple paths from `source` to `sink`, shortest first (Yen 1971), at most `most` of them.

    `is_over` is called between paths and ends the search when true. The verdict is about the listed paths: "both signs"
    holds for all paths, the other verdicts only if `is_capped` is False. Edges listed twice between the same two
    variables count once; if their signs differ, the sign is open. A variable reaches itself by loops, not by paths:
    then there is none.

    Raises Missing if either name is not in the graph.

    >>> from core.graphs.edge import Edge
    >>> graph = CausalGraph.of([Edge("A", "B", Sign.MINUS), Edge("B", "C", Sign.MINUS)])
    >>> find_paths(graph, "A", "C").verdict
    <PathsSummary.PLUS: 'always +'>
    """
    for name in (source, sink):
        if name not in graph.nodes:
            raise Missing(f"There is no node “{name}” in this graph.")
    signs = settled_signs(graph)
    node_paths, reason = _simple_paths(signs, source, sink, most, is_over) if source != sink else ([], "")
    path_signs = [tuple(signs[arrow] for arrow in pairwise(nodes)) for nodes in node_paths]
    paths = tuple(CausalPath(*parts, product(parts[1])) for parts in zip(node_paths, path_signs, strict=True))
    unsigned = dict.fromkeys(arrow for path in paths for arrow in path.arrows if signs[arrow] is None)
    return CausalPaths(paths, _verdict(paths), tuple(unsigned), bool(reason), reason)


def product(signs: tuple[Sign | None, ...]) -> Sign | None:
    """Return the sign of a chain of edges: None if any is open.

    >>> product((Sign.MINUS, Sign.PLUS, Sign.MINUS)), product((Sign.PLUS, None))
    (<Sign.PLUS: '+'>, None)
    """
    if any(sign is None for sign in signs):
        return None
    return Sign.MINUS if sum(sign is Sign.MINUS for sign in signs) % 2 else Sign.PLUS


def elements_along(record: GraphRecord, arrows: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return ids of every edge between these ordered pairs of names, and of the nodes at their ends."""
    pairs = set(arrows)
    names = {key: node.name for key, node in record.nodes.items()}
    edges = [e for e in record.edges.values() if (names[e.source_id], names[e.sink_id]) in pairs]
    return frozenset(key for edge in edges for key in (edge.id, edge.source_id, edge.sink_id))


def _simple_paths(
    arrows: dict[tuple[str, str], Sign | None], source: str, sink: str, most: int, is_over: Callable[[], bool]
) -> tuple[list[tuple[str, ...]], str]:
    import networkx as nx

    drawn = nx.DiGraph(list(arrows))
    if not (drawn.has_node(source) and drawn.has_node(sink) and nx.has_path(drawn, source, sink)):
        return [], ""
    paths: list[tuple[str, ...]] = []
    for nodes in islice(nx.shortest_simple_paths(drawn, source, sink), most + 1):
        if len(paths) == most:
            return paths, f"only the shortest {most:,} paths are listed"
        paths.append(tuple(nodes))
        if is_over():
            return paths, f"the search stopped at its time limit, after {len(paths):,} paths"
    return paths, ""


def _verdict(paths: tuple[CausalPath, ...]) -> PathsSummary:
    signs = {path.sign for path in paths}
    if not signs:
        return PathsSummary.NO_PATH
    if {Sign.PLUS, Sign.MINUS} <= signs:
        return PathsSummary.BOTH
    if None in signs:
        return PathsSummary.UNDETERMINED
    return PathsSummary.PLUS if Sign.PLUS in signs else PathsSummary.MINUS
