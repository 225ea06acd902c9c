"""Graphs in sentences: one an edge ("A causes B."), or one a cause ("A causes B, C.")."""

from __future__ import annotations

import re

from core.graphs.edge import Edge
from core.graphs.encodings.names import LAST_LINE, Encoding, last_line, written
from core.graphs.encodings.plain import read_last_line
from core.graphs.encodings.scanner import Scanner
from core.graphs.graph import CausalGraph

_MARK = re.compile(r'[.,"]|\bcauses\b', re.IGNORECASE)
_CAUSE = re.compile(r'[^.,"\n]+?(?=\scauses\s)')
_EFFECT = re.compile(r'(?:(?!\bcauses\b)[^.,"\n])+', re.IGNORECASE)


def write_single(graph: CausalGraph) -> str:
    return _text(graph, [(cause, [effect]) for cause, effects in _grouped(graph) for effect in effects])


def write_multi(graph: CausalGraph) -> str:
    return _text(graph, _grouped(graph))


def read_single(text: str) -> CausalGraph:
    return _read(text, Encoding.SINGLE)


def read_multi(text: str) -> CausalGraph:
    return _read(text, Encoding.MULTI)


def _grouped(graph: CausalGraph) -> list[tuple[str, list[str]]]:
    """Causes in the order in which edges name them first, each with its effects in the order of edges."""
    groups: dict[str, list[str]] = {}
    for edge in graph.edges:
        groups.setdefault(edge.source, []).append(edge.sink)
    return list(groups.items())


def _text(graph: CausalGraph, sentences: list[tuple[str, list[str]]]) -> str:
    shown = {name: written(name, _needs_quotes) for name in graph.nodes}
    line = " ".join(
        f"{shown[cause]} causes {', '.join(shown[effect] for effect in effects)}." for cause, effects in sentences
    )
    return "\n".join(filter(None, [line, last_line([shown[name] for name in graph.isolated])]))


def _read(text: str, encoding: Encoding) -> CausalGraph:
    scanner = Scanner(text)
    edges: list[Edge] = []
    isolated: list[str] = []
    causes: set[str] = set()
    while not scanner.at_end():
        if scanner.skip(f"{LAST_LINE}:"):
            isolated = read_last_line(scanner, _EFFECT)
            break
        before = scanner.place
        cause = scanner.name(_CAUSE, "a name and “causes”")
        scanner.need("causes")
        if encoding is Encoding.MULTI and cause in causes:
            scanner.place = before
            raise scanner.fault("one sentence per cause (several are the encoding single)")
        causes.add(cause)
        edges.append(Edge(cause, scanner.name(_EFFECT)))
        while scanner.skip(","):
            if encoding is Encoding.SINGLE:
                raise scanner.fault("one effect per sentence (several are the encoding multi)")
            edges.append(Edge(cause, scanner.name(_EFFECT)))
        scanner.need(".")
    touched = dict.fromkeys(name for edge in edges for name in edge.pair)
    return CausalGraph.of(edges, [*touched, *isolated])


def _needs_quotes(name: str) -> bool:
    return _MARK.search(name) is not None
