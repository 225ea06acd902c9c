"""A text with the graph that is true of it: what a model is asked to find, and what its answer is held against."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.graphs.circuits import strong_parts, successors_of
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph

Pair = tuple[str, str]

_YEAR = re.compile(r"[0-9]{4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSample:
    """`id`: within its release or table; `origin`: that release or table, in words.

    `nodes`: every node once, in code-point order, isolated ones too, as the released code numbers them. `edges`:
    (source, sink), each once, in the order of where they came from; `repeats`: edges left out since they stood there
    before. `text`: SHA-256 (hex) of its text, and `characters`, how long it is. `levels`: 1 named, 2 implied, 3 absent,
    in the order of `nodes`, None where not known. `subject`: (kind, id) of what it is in this study.
    """

    id: str
    origin: str
    nodes: tuple[str, ...]
    edges: tuple[Pair, ...]
    text: str
    characters: int
    repeats: int = 0
    title: str = ""
    source: str = ""
    url: str = ""
    domains: tuple[str, ...] = ()
    levels: tuple[int, ...] | None = None
    abstract: str = ""
    publication_date: str = ""
    licence: str = ""
    subject: Pair | None = None

    @property
    def graph(self) -> CausalGraph:
        return graph_of(self.nodes, self.edges)

    @property
    def explicitness(self) -> float | None:
        """Share of nodes labelled 1 or 2, 0–1 (ReCITE, appendix R)."""
        return _share(self.levels, (1, 2))

    @property
    def strict(self) -> float | None:
        """Share of nodes labelled 1, 0–1."""
        return _share(self.levels, (1,))

    @property
    def facts(self) -> dict[str, Any]:
        """What tables group by and lists show, as JSON; None where it is not known.

        date: as recorded, with month and day where known; year: its year, for tables and filters.
        density: m/(n(n−1)) of edges m and nodes n, None with n < 2. `is_cyclic`: it has a circuit, be it a self-loop.
        """
        n, m = len(self.nodes), len(self.edges)
        year = _YEAR.match(self.publication_date)
        return {
            "paper": self.id,
            "title": self.title,
            "publisher": self.source or None,
            "url": self.url,
            "origin": self.origin,
            "licence": self.licence,
            "domain": self.domains[0] if self.domains else None,
            "field": self.domains[1] if len(self.domains) > 1 else None,
            "date": self.publication_date or None,
            "year": int(year[0]) if year else None,
            "nodes": n,
            "edges": m,
            "density": m / (n * (n - 1)) if n > 1 else None,
            "is_cyclic": is_cyclic(self.graph),
            "characters": self.characters,
            "explicitness": self.explicitness,
            "strict": self.strict,
            "text": self.text,
            "repeats": self.repeats,
        }


def graph_of(nodes: Iterable[str], edges: Iterable[Sequence[str]]) -> CausalGraph:
    """The graph of names and (source, sink)."""
    return CausalGraph.of((Edge(source, sink) for source, sink in edges), nodes)


def graph_parts(nodes: Iterable[str], edges: Iterable[Pair]) -> tuple[tuple[str, ...], tuple[Pair, ...], int]:
    """(nodes in code-point order with the ends of every edge, edges each once in their order, how many were left out).

    >>> graph_parts(["price"], [("price", "Demand"), ("price", "Demand")])
    (('Demand', 'price'), (('price', 'Demand'),), 1)
    """
    listed = list(edges)
    once = tuple(dict.fromkeys(listed))
    names = {*nodes, *(name for pair in once for name in pair)}
    return tuple(sorted(names)), once, len(listed) - len(once)


def is_cyclic(graph: CausalGraph) -> bool:
    """Whether it has a circuit; a self-loop is one."""
    if any(edge.source == edge.sink for edge in graph.edges):
        return True
    return any(len(part) > 1 for part in strong_parts(successors_of(graph)))


def in_order(levels: Mapping[str, int], nodes: Iterable[str]) -> tuple[int, ...] | None:
    """Levels in the order of nodes; None unless each has one."""
    found = [levels.get(name) for name in nodes]
    return None if not found or None in found else tuple(each for each in found if each is not None)


def _share(levels: Sequence[int] | None, of: Sequence[int]) -> float | None:
    return sum(level in of for level in levels) / len(levels) if levels else None
