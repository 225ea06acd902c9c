"""The two plain tables of edges: pairs in brackets, and a matrix of 0 and 1."""

from __future__ import annotations

import re

from core.errors import InvalidGraph
from core.graphs.edge import Edge
from core.graphs.encodings.names import LAST_LINE, last_line, twice_in, written
from core.graphs.encodings.scanner import Scanner
from core.graphs.graph import CausalGraph
from core.words import counted, quoted

# --- pairs ------------------------------------------------------------------------------------------------------

_MARK = re.compile(r'[(),"\\]')
_BARE = re.compile(r'[^(),"\\\n]+')


def write_adjacency(graph: CausalGraph) -> str:
    shown = {name: written(name, lambda each: _MARK.search(each) is not None) for name in graph.nodes}
    pairs = " ".join(f"({shown[edge.source]}, {shown[edge.sink]})" for edge in graph.edges)
    return "\n".join(filter(None, [pairs, last_line([shown[name] for name in graph.isolated])]))


def read_adjacency(text: str) -> CausalGraph:
    scanner = Scanner(text)
    edges: list[Edge] = []
    isolated: list[str] = []
    while not scanner.at_end():
        if scanner.skip(f"{LAST_LINE}:"):
            isolated = read_last_line(scanner, _BARE)
            break
        scanner.need("(")
        source = scanner.name(_BARE)
        scanner.need(",")
        sink = scanner.name(_BARE)
        scanner.need(")")
        edges.append(Edge(source, sink))
    return with_isolated(edges, isolated)


def read_last_line(scanner: Scanner, bare: re.Pattern[str]) -> list[str]:
    """Return the names up to the full stop that ends the text. Raises InvalidGraph."""
    listed = scanner.text[scanner.place :].rstrip()
    if not listed.endswith("."):
        scanner.place = len(scanner.text)
        raise scanner.fault("a full stop after the nodes without relations")
    inner = Scanner(listed[:-1], scanner.text.count("\n", 0, scanner.place) + 1)
    names = [inner.name(bare)]
    while inner.skip(","):
        names.append(inner.name(bare))
    if not inner.at_end():
        raise inner.fault("a comma between two names")
    return names


def with_isolated(edges: list[Edge], isolated: list[str]) -> CausalGraph:
    """Return the graph of edges and, last, of nodes without any. Raises InvalidGraph if one of these has an edge."""
    touched = dict.fromkeys(name for edge in edges for name in edge.pair)
    wrong = next((name for name in isolated if name in touched), None)
    if wrong is not None:
        raise InvalidGraph(f"{quoted(wrong)} is listed among the nodes without relations, but it has one.")
    return CausalGraph.of(edges, [*touched, *isolated])


# --- matrix -----------------------------------------------------------------------------------------------------

_WORD = re.compile(r'[^\s"]+')


def write_matrix(graph: CausalGraph) -> str:
    place = {name: number for number, name in enumerate(graph.nodes)}
    shown = [written(name, lambda each: '"' in each or any(map(str.isspace, each))) for name in graph.nodes]
    rows = [["0"] * len(shown) for _ in shown]
    for edge in graph.edges:
        rows[place[edge.source]][place[edge.sink]] = "1"
    lines = [shown, *([name, *cells] for name, cells in zip(shown, rows, strict=True))]
    return "\n".join(" ".join(cells) for cells in lines) if shown else ""


def read_matrix(text: str) -> CausalGraph:
    lines = [line for line in text.rstrip().split("\n") if line.strip()]
    if not lines:
        return CausalGraph((), ())
    head = Scanner(lines[0])
    names: list[str] = []
    while not head.at_end():
        names.append(head.name(_WORD))
    if (twice := twice_in(names)) is not None:
        raise InvalidGraph(f"Line 1: the name {quoted(twice)} is listed twice.")
    if len(lines) - 1 != len(names):
        raise InvalidGraph(
            f"Found {counted(len(lines) - 1, 'row')} below a header of {counted(len(names), 'name')}; "
            "expected a row for every name."
        )
    rows = (_row(line, number, names) for number, line in enumerate(lines[1:], start=2))
    edges = (Edge(name, sink) for name, sinks in zip(names, rows, strict=True) for sink in sinks)
    return CausalGraph.of(edges, names)


def _row(line: str, number: int, names: list[str]) -> list[str]:
    name, scanner = names[number - 2], Scanner(line, number)
    if scanner.name(_WORD) != name:
        scanner.place = 0
        raise scanner.fault(f"the row of {quoted(name)}, in the order of the header")
    cells = line[scanner.place :].split()
    if len(cells) != len(names) or not set(cells) <= {"0", "1"}:
        raise InvalidGraph(
            f"Line {number}, row {quoted(name)}: found {counted(len(cells), 'cell')}; "
            f"expected {len(names):,}, each 0 or 1, with blanks between."
        )
    return [sink for sink, cell in zip(names, cells, strict=True) if cell == "1"]
