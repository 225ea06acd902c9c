"""A text with its true graph: the target of extraction and the reference for scoring."""

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
    id: str  # within its release or table
    origin: str  # that release or table, in words
    nodes: tuple[str, ...]  # once each, in code-point order, isolated ones too, as the released code numbers them
    edges: tuple[Pair, ...]  # (source, sink), each once, in the order of their source
    text: str  # SHA-256 (hex) of its text
    characters: int  # length of the text
    repeats: int = 0  # duplicate edges that were left out
    title: str = ""
    source: str = ""
    url: str = ""
    domains: tuple[str, ...] = ()
    levels: tuple[int, ...] | None = None  # 1 named, 2 implied, 3 absent, in the order of `nodes`; None where not known
    abstract: str = ""
    publication_date: str = ""
    licence: str = ""
    truth_origin: str = ""  # of the graph: adjudicated, single or imported; "" if not known
    subject: Pair | None = None  # (kind, id) of its subject in this study

    @property
    def graph(self) -> CausalGraph:
        return graph_of(self.nodes, self.edges)

    @property
    def explicitness(self) -> float | None:
        """Share of nodes labelled 1 or 2, 0–1 (ReCITE, appendix R)."""
        return _share(self.levels, (1, 2))

    @property
    def strict(self) -> float | None:  # share of nodes labelled 1, 0–1
        return _share(self.levels, (1,))

    @property
    def facts(self) -> dict[str, Any]:
        """Facts for grouping in tables and for lists, as JSON; None if not known."""
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
            "year": int(year[0]) if year else None,  # for tables and filters; `date` has month and day where known
            "nodes": n,
            "edges": m,
            "density": m / (n * (n - 1)) if n > 1 else None,  # m/(n(n−1)), None with n < 2
            "is_cyclic": is_cyclic(self.graph),  # has a circuit, possibly a self-loop
            "characters": self.characters,
            "explicitness": self.explicitness,
            "strict": self.strict,
            "text": self.text,
            "repeats": self.repeats,
            **({"truth_origin": self.truth_origin} if self.truth_origin else {}),
        }


def graph_of(nodes: Iterable[str], edges: Iterable[Sequence[str]]) -> CausalGraph:
    return CausalGraph.of((Edge(source, sink) for source, sink in edges), nodes)


def graph_parts(nodes: Iterable[str], edges: Iterable[Pair]) -> tuple[tuple[str, ...], tuple[Pair, ...], int]:
    """Return (nodes in code-point order with the ends of every edge, edges each once in their order, number of
    duplicates).

    >>> graph_parts(["price"], [("price", "Demand"), ("price", "Demand")])
    (('Demand', 'price'), (('price', 'Demand'),), 1)
    """
    listed = list(edges)
    once = tuple(dict.fromkeys(listed))
    names = {*nodes, *(name for pair in once for name in pair)}
    return tuple(sorted(names)), once, len(listed) - len(once)


def is_cyclic(graph: CausalGraph) -> bool:
    """Return True if the graph has a circuit; a self-loop is one."""
    if any(edge.source == edge.sink for edge in graph.edges):
        return True
    return any(len(part) > 1 for part in strong_parts(successors_of(graph)))


def in_order(levels: Mapping[str, int], nodes: Iterable[str]) -> tuple[int, ...] | None:
    """Return levels in the order of nodes; None unless each has one."""
    node_levels = [levels.get(name) for name in nodes]
    return None if not node_levels or None in node_levels else tuple(each for each in node_levels if each is not None)


def _share(levels: Sequence[int] | None, of: Sequence[int]) -> float | None:
    return sum(level in of for level in levels) / len(levels) if levels else None
