"""The typed form of a graph: lines of `source -> sink`, as people type and paste them.

`core.graphs.lines.write` is the inverse. An arrow is between white space or quotes. A comma or a dash never splits a
name, a `;` separates several sinks. A faulty line is reported by its number, with a suggested correction if one is
plausible; the good lines of the same text are accepted. Nothing is repaired silently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from core.graphs.bounds import refuse_more
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.lines.line_reading import read_line
from core.graphs.lines.line_suggestions import offer_for
from core.graphs.lines.line_tokens import LineFailure
from core.graphs.lines.write import quote_name
from core.sign import Sign

# Every character that ends a line in some program; a name cannot hold one, clean_name makes it a space.
_LINE_ENDS = re.compile("\r\n|[\r\n\v\f\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class ParsedEdge:
    """An edge as read from `line` (1-based): `source` acts on `sink`."""

    source: str
    sink: str
    sign: Sign | None
    line: int

    @property
    def edge(self) -> Edge:
        return Edge(self.source, self.sink, self.sign)


@dataclass(frozen=True, slots=True)
class ParsedNode:
    """A node declared without edges, by a line that is one quoted name."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class LineFault:
    line: int  # 1-based
    text: str
    message: str  # what is wrong with it
    offer: str = ""  # the suggested correction, "" if there is no plausible one


@dataclass(frozen=True, slots=True)
class LineNotice:
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class ParsedLines:
    """Parsed text. `edges` has every (source, sink, sign) once; `nodes` only those declared alone."""

    edges: tuple[ParsedEdge, ...]
    nodes: tuple[ParsedNode, ...]
    faults: tuple[LineFault, ...]
    notices: tuple[LineNotice, ...] = ()

    @property
    def graph(self) -> CausalGraph:
        """The good lines as a graph, nodes in the order in which the text names them."""
        named = [(edge.line, name) for edge in self.edges for name in (edge.source, edge.sink)]
        named += [(node.line, node.name) for node in self.nodes]
        named.sort(key=lambda entry: entry[0])
        return CausalGraph.of((edge.edge for edge in self.edges), (name for _, name in named))


@dataclass(frozen=True, slots=True)
class MostLines:
    """Maximum amounts that the caller can use: reading stops after the line with which one of them is exceeded."""

    edges: int
    nodes: int
    faults: int

    def is_passed_by(self, edges: int, nodes: int, faults: int) -> bool:
        return edges > self.edges or nodes > self.nodes or faults > self.faults


def parse_lines(text: str, *, of_file: str = "", most: MostLines | None = None) -> ParsedLines:
    """Read typed or pasted lines, `most` of them; or those of a file by its name, counted while they are read.

    `A -> B` one edge; `A -> B; C` several sinks; `A -> B -> C` a chain; `A ->+ B`, `A ->- B` with its sign, also as `A
    -> B (+)`; `A <-> B` both directions; `A <- B` is B → A; `-->`, `=>` and drawn arrows (→ ⇒ ↔ ←) are arrows too.
    Names with an arrow, a `;` or a quote in them are quoted, a quote inside is doubled: `"NH4->NO3 rate" -> "Yield"`. A
    line that is one quoted name declares a node. Blank lines are skipped. Raises UnreadableFile for a file beyond
    `core.graphs.bounds`.

    >>> parsed = parse_lines('Price -> Demand\\nA->B')
    >>> parsed.edges
    (ParsedEdge(source='Price', sink='Demand', sign=None, line=1),)
    >>> parsed.faults[0].line, parsed.faults[0].offer
    (2, '"A" -> "B"')
    """
    edges: dict[tuple[str, str, Sign | None], ParsedEdge] = {}
    nodes: dict[str, ParsedNode] = {}
    faults: list[LineFault] = []
    notices: list[LineNotice] = []
    rows = 0
    for number, line in enumerate(_lines(text), start=1):
        if not line.strip():
            continue
        rows += 1
        if of_file:
            refuse_more(of_file, number, edges=len(edges), nodes=len(nodes), rows=rows, faults=len(faults))
        if most is not None and most.is_passed_by(len(edges), len(nodes), len(faults)):
            break
        try:
            read = read_line(line)
        except LineFailure as failure:
            faults.append(LineFault(number, line, failure.message, offer_for(failure)))
            continue
        if read.list_mark:
            notices.append(LineNotice(number, f"The list mark {read.list_mark} was left out."))
        repeats = Counter(read.edges)
        for source, sink, sign in read.edges:
            listed_edge = edges.setdefault((source, sink, sign), ParsedEdge(source, sink, sign, number))
            if listed_edge.line != number or repeats[source, sink, sign] > 1:
                where = "in this line" if listed_edge.line == number else f"in line {listed_edge.line}"
                edge_text = f"{quote_name(source)} -> {quote_name(sink)}"
                notices.append(LineNotice(number, f"{edge_text} is already listed {where}; kept once."))
        if read.node is not None:
            nodes.setdefault(read.node, ParsedNode(read.node, number))
    if of_file:
        refuse_more(of_file, number, edges=len(edges), faults=len(faults))
    return ParsedLines(tuple(edges.values()), tuple(nodes.values()), tuple(faults), tuple(dict.fromkeys(notices)))


def _lines(text: str) -> Iterator[str]:
    """Yield one line after the other: a list of all lines of a file would take several times its size."""
    start = 0
    for end in _LINE_ENDS.finditer(text):
        yield text[start : end.start()]
        start = end.end()
    yield text[start:]
