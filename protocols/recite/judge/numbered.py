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
_BEGUN_TAG = re.compile(r"<(?=\s*+(?:/\s*+)?(?:text|truth|answer)\b[^<>]*+\Z)", re.IGNORECASE)
"""A tag that only the `>` of an edge's arrow would end."""
_LINE_ENDS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Ends of lines that JSON writes as they are."""


@dataclass(frozen=True, slots=True)
class NumberedGraph:
    """`nodes`: each once, as they are numbered, isolated ones too; `edges`: (source, sink), each once, likewise."""

    nodes: tuple[str, ...]
    edges: tuple[Pair, ...]

    def as_json(self) -> dict[str, Any]:
        return {"nodes": list(self.nodes), "edges": [list(pair) for pair in self.edges]}


@dataclass(frozen=True, slots=True)
class JudgedGraphs:
    """The truth and what was answered."""

    truth: NumberedGraph
    answer: NumberedGraph

    def nodes_of(self, section: Section) -> tuple[str, ...]:
        """The nodes that a section about nodes asks about."""
        return self.answer.nodes if section is Section.NODE_PRECISION else self.truth.nodes

    def edges_of(self, section: Section) -> tuple[Pair, ...]:
        """The edges that a section about edges asks about."""
        return self.answer.edges if section is Section.EDGE_PRECISION else self.truth.edges

    def size(self, section: Section) -> int:
        """How many items a verdict of this section has."""
        return len(self.nodes_of(section)) if section.is_of_nodes else len(self.edges_of(section))

    def names_of(self, section: Section) -> tuple[tuple[str, ...], ...]:
        """Of each item of a verdict the names that it is about: a node's, or an edge's source and sink."""
        return tuple((node,) for node in self.nodes_of(section)) if section.is_of_nodes else self.edges_of(section)


def numbered(nodes: Iterable[str], edges: Iterable[Sequence[str]]) -> NumberedGraph:
    """A graph in the order of the released code: nodes by code points, edges as they came, repeats left out.

    >>> numbered(["price"], [("price", "Demand"), ("price", "Demand")])
    NumberedGraph(nodes=('Demand', 'price'), edges=(('price', 'Demand'),))
    """
    once = tuple(dict.fromkeys((source, sink) for source, sink in edges))
    names = {*nodes, *(name for pair in once for name in pair)}
    return NumberedGraph(tuple(sorted(names)), once)


def read_numbered(said: Mapping[str, Any]) -> NumberedGraph:
    """The graph that `NumberedGraph.as_json` wrote, in its order."""
    return NumberedGraph(tuple(said["nodes"]), tuple((source, sink) for source, sink in said["edges"]))


def in_lines(graph: NumberedGraph) -> str:
    """The graph as a judge reads it, a line each, names as JSON so that none can be taken for something else. A name
    that holds a tag of the message, or the beginning of one, has other brackets.

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
    """The text with the angle brackets of the message's own tags as ‹ and ›."""
    return _TAG.sub(r"‹\1›", text)


def has_tags(text: str) -> bool:
    return _TAG.search(text) is not None


def _quoted(name: str) -> str:
    return json.dumps(_BEGUN_TAG.sub("‹", without_tags(name)), ensure_ascii=False).translate(_LINE_ENDS)
