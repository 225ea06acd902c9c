"""Graphs in sentences: one per edge ("A causes B."), or one per cause ("A causes B, C.")."""

from __future__ import annotations

import re

from core.graphs.edge import Edge
from core.graphs.encodings.names import LAST_LINE, Encoding, last_line, written
from core.graphs.encodings.plain import read_last_line, with_isolated
from core.graphs.encodings.scanner import Scanner
from core.graphs.graph import CausalGraph

_MARK = re.compile(r'[.,"]|\bcauses\b', re.IGNORECASE)
_BARE = re.compile(r'[^.,"\n]+')
_CAUSES = re.compile(r"\bcauses\b")


def write_single(graph: CausalGraph) -> str:
    return _text(graph, [(cause, [effect]) for cause, effects in _grouped(graph) for effect in effects])


def write_multi(graph: CausalGraph) -> str:
    return _text(graph, _grouped(graph))


def read_single(text: str) -> CausalGraph:
    return _read(text, Encoding.SINGLE)


def read_multi(text: str) -> CausalGraph:
    return _read(text, Encoding.MULTI)


def _grouped(graph: CausalGraph) -> list[tuple[str, list[str]]]:
    """Return causes in the order in which edges name them first, each with its effects in the order of edges."""
    groups: dict[str, list[str]] = {}
    for edge in graph.edges:
        groups.setdefault(edge.source, []).append(edge.sink)
    return list(groups.items())


def _text(graph: CausalGraph, sentences: list[tuple[str, list[str]]]) -> str:
    shown = {name: written(name, lambda each: _MARK.search(each) is not None) for name in graph.nodes}
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
            isolated = read_last_line(scanner, _BARE)
            break
        before = scanner.place
        cause = _cause(scanner)
        if encoding is Encoding.MULTI and cause in causes:
            scanner.place = before
            raise scanner.fault("one sentence per cause (several are the encoding single)")
        causes.add(cause)
        edges.append(Edge(cause, _effect(scanner)))
        while scanner.skip(","):
            if encoding is Encoding.SINGLE:
                raise scanner.fault("one effect per sentence (several are the encoding multi)")
            edges.append(Edge(cause, _effect(scanner)))
        scanner.need(".")
    return with_isolated(edges, isolated)


def _cause(scanner: Scanner) -> str:
    """Return the name before the next "causes", and step over both. Raises InvalidGraph."""
    scanner.skip_blank()
    if scanner.text.startswith('"', scanner.place):
        cause = scanner.name(_BARE)
        scanner.need("causes")
        return cause
    before = scanner.place
    bare = scanner.match(_BARE)
    verb = bare and _CAUSES.search(bare[0])
    if bare is None or verb is None or not bare[0][: verb.start()].strip():
        scanner.place = before
        raise scanner.fault("a name and “causes”")
    scanner.place = before + verb.end()
    return bare[0][: verb.start()].strip()


def _effect(scanner: Scanner) -> str:
    """Return the next name. Raises InvalidGraph if it contains the word "causes" and is not in quotation marks."""
    scanner.skip_blank()
    before = scanner.place
    effect = scanner.name(_BARE)
    is_quoted = scanner.text.startswith('"', before)
    if not is_quoted and (verb := _CAUSES.search(effect)) is not None:
        scanner.place = before + verb.start()
        raise scanner.fault("“.” or a name in quotation marks")
    return effect
