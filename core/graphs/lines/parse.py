"""The typed form of a graph: lines of `source -> sink`, as people type and paste them.

`core.graphs.lines.write` is the way back. An arrow stands between white space or quotes. A comma or a dash never splits
a name, a `;` separates several sinks. A faulty line is reported by its number, with a corrected line to take over where
one is plausible; the good lines of the same text are kept. Nothing is repaired silently.
"""

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
    """`source` acts on `sink`, as read from `line` (1-based)."""

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
    """A line that was not taken: its number (1-based), the line as given, what is wrong with it, and the
    corrected line we would offer ("" if there is no plausible one)."""

    line: int
    text: str
    message: str
    offer: str = ""


@dataclass(frozen=True, slots=True)
class LineNotice:
    """Something a person should know about a line that was taken."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class ParsedLines:
    """What a text held. `edges` holds every (source, sink, sign) once; `nodes` only those declared alone."""

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
    """How much of a text is of use: reading stops behind the first line with which there is more of anything."""

    edges: int
    nodes: int
    faults: int

    def is_passed_by(self, edges: int, nodes: int, faults: int) -> bool:
        return edges > self.edges or nodes > self.nodes or faults > self.faults


def parse_lines(text: str, *, of_file: str = "", most: MostLines | None = None) -> ParsedLines:
    """Read typed or pasted lines, `most` of them; or those of a file by its name, counted while they are read.

    `A -> B` one edge; `A -> B; C` several sinks; `A -> B -> C` a chain; `A ->+ B`, `A ->- B` with its sign, also
    as `A -> B (+)`; `A <-> B` both directions; `A <- B` is B → A; `-->`, `=>` and drawn arrows (→ ⇒ ↔ ←) are
    arrows too. Names with an arrow, a `;` or a quote in them are quoted, a quote inside is doubled:
    `"NH4->NO3 rate" -> "Yield"`. A line that is one quoted name declares a node. Blank lines are skipped.
    Raises UnreadableFile for a file beyond `core.graphs.bounds`.

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
            found = edges.setdefault((source, sink, sign), ParsedEdge(source, sink, sign, number))
            if found.line != number or repeats[source, sink, sign] > 1:
                notices.append(_already_listed(number, source, sink, found.line))
        if read.node is not None:
            nodes.setdefault(read.node, ParsedNode(read.node, number))
    if of_file:
        refuse_more(of_file, number, edges=len(edges), faults=len(faults))
    return ParsedLines(tuple(edges.values()), tuple(nodes.values()), tuple(faults), tuple(dict.fromkeys(notices)))


def _lines(text: str) -> Iterator[str]:
    """One after the other: a list of all lines of a file would take several times its size."""
    start = 0
    for end in _LINE_ENDS.finditer(text):
        yield text[start : end.start()]
        start = end.end()
    yield text[start:]


def _already_listed(line: int, source: str, sink: str, first: int) -> LineNotice:
    where = "in this line" if first == line else f"in line {first}"
    return LineNotice(line, f"{quote_name(source)} -> {quote_name(sink)} is already listed {where}; kept once.")
