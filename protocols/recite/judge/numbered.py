"""Both graphs as a judge sees them: nodes and edges with numbers from 1."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.verdicts.labels import Section

Pair = tuple[str, str]
_TAG = re.compile(r"<(\s*+(?:/\s*+)?(?:text|truth|answer)\b[^<>]*+)>", re.IGNORECASE)
_OPEN_TAG = re.compile(r"<(?=\s*+(?:/\s*+)?(?:text|truth|answer)\b[^<>]*+\Z)", re.IGNORECASE)
"""A tag that the `>` of an edge's arrow would close."""
_LINE_ENDS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}  # line ends that JSON does not escape


@dataclass(frozen=True, slots=True)
class NumberedGraph:
    """A graph in numbered order, without repeats; `nodes` includes isolated ones, `edges` are (source, sink)."""

    nodes: tuple[str, ...]
    edges: tuple[Pair, ...]

    def as_json(self) -> dict[str, Any]:
        return {"nodes": list(self.nodes), "edges": [list(pair) for pair in self.edges]}


@dataclass(frozen=True, slots=True)
class JudgedGraphs:
    """The truth and the answer."""

    truth: NumberedGraph
    answer: NumberedGraph

    def nodes_of(self, section: Section) -> tuple[str, ...]:
        """Return the nodes that a section about nodes covers."""
        return self.answer.nodes if section is Section.NODE_PRECISION else self.truth.nodes

    def edges_of(self, section: Section) -> tuple[Pair, ...]:
        """Return the edges that a section about edges covers."""
        return self.answer.edges if section is Section.EDGE_PRECISION else self.truth.edges

    def size(self, section: Section) -> int:
        """Return the number of items of this section."""
        return len(self.nodes_of(section)) if section.is_of_nodes else len(self.edges_of(section))

    def names_of(self, section: Section) -> tuple[tuple[str, ...], ...]:
        """Return the names of each item: a node's, or an edge's source and sink."""
        return tuple((node,) for node in self.nodes_of(section)) if section.is_of_nodes else self.edges_of(section)


def numbered(nodes: Iterable[str], edges: Iterable[Sequence[str]]) -> NumberedGraph:
    """Number a graph as the released code does: nodes by code points, edges in order, without repeats.

    >>> numbered(["price"], [("price", "Demand"), ("price", "Demand")])
    NumberedGraph(nodes=('Demand', 'price'), edges=(('price', 'Demand'),))
    """
    once = tuple(dict.fromkeys((source, sink) for source, sink in edges))
    names = {*nodes, *(name for pair in once for name in pair)}
    return NumberedGraph(tuple(sorted(names)), once)


def read_numbered(content: Mapping[str, Any]) -> NumberedGraph:
    """Read the result of `NumberedGraph.as_json`."""
    return NumberedGraph(tuple(content["nodes"]), tuple((source, sink) for source, sink in content["edges"]))


def in_lines(graph: NumberedGraph) -> str:
    """Return the graph as text for a judge, one item per line, names as JSON. Tags of the message in names get other
    brackets.

    >>> print(in_lines(numbered([], [("rain", "flood")])))
    Nodes:
    1. "flood"
    2. "rain"
    Edges:
    1. "rain" -> "flood"
    """
    nodes = (f"{number}. {_quoted(name)}" for number, name in enumerate(graph.nodes, 1))
    edges = (f"{number}. {_quoted(source)} -> {_quoted(sink)}" for number, (source, sink) in enumerate(graph.edges, 1))
    return "\n".join(("Nodes:", *nodes, "Edges:", *edges))


def without_tags(text: str) -> str:
    """Replace the angle brackets of the message's own tags by ‹ and ›."""
    return _TAG.sub(r"‹\1›", text)


def has_tags(text: str) -> bool:
    return _TAG.search(text) is not None


def _quoted(name: str) -> str:
    return json.dumps(_OPEN_TAG.sub("‹", without_tags(name)), ensure_ascii=False).translate(_LINE_ENDS)
