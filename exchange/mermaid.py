"""Mermaid flowcharts, alone or in a fence of a Markdown file, as one causal graph. Follows Mermaid's description of
flowcharts (mermaid.js.org/syntax/flowchart.html) and its grammar. A node's name is the last text in its shape, else
its id. An arrow's label that is a sign, also in brackets, is its sign; any other is the note. `<-->` is two edges;
`---` has no direction and is a faulty row; `~~~`, which only affects layout, is dropped, and so are styles, classes
and clicks. A subgraph is no node."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from core.errors import BadRow, UnreadableFile
from core.graphs.bounds import MOST_EDGES, too_many
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from exchange.dot_labels import is_sign, shown
from exchange.dot_tokens import DotToken
from exchange.edge_rows import EdgeCollector, ImportedGraph, listed

_FENCE = re.compile(r"^[ \t]{0,8}(?:`{3,9}|~{3,9}|:{3,9})[ \t]*\{?mermaid\b[^\n]*\n", re.MULTILINE | re.IGNORECASE)
_FENCE_END = re.compile(r"^[ \t]{0,8}(?:`{3}|~{3}|:{3})", re.MULTILINE)
_TITLE = re.compile(r"^title:([^\n]*)", re.MULTILINE)
# Not possessive where there is a choice inside: Python before 3.11.5 matches that wrongly (its issue 106052).
_BLANK = re.compile(r"(?:[\s;]|%%\{[^%]*+%%|%%(?!\{)[^\n]*+)*")
_FLOWCHART = re.compile(r"(?:graph|flowchart(?:-elk)?)(?:[ \t]+(?:TB|TD|BT|RL|LR|BR|[<>^v]))?[ \t]*+(?:;|\n|$)")
_OTHER = re.compile(
    r"(sequenceDiagram|classDiagram(?:-v2)?|stateDiagram(?:-v2)?|erDiagram|journey|gantt|pie|quadrantChart|mindmap|"
    r"requirementDiagram|gitGraph|timeline|zenuml|kanban|(?:sankey|xychart|block|packet|architecture|radar|treemap)"
    r"(?:-beta)?|C4[A-Z][A-Za-z]{3,10})(?:[ \t]+(?:showData|title)\b[^\n]*+)?[ \t]*+:?(?:\n|$)"
)
_SPACE = re.compile(r"[ \t]*+")
_LINE_END = re.compile(r";|\n|$")
_KEYWORD = re.compile(
    r"(?:style|classDef|class|linkStyle|click|accTitle|accDescr|direction|subgraph|end)(?![\w!#$%'*+.`?\\/-])"
)
_WAYS = ("TB", "TD", "BT", "RL", "LR")
_ID = re.compile(r"(?:[\w!#$%'*+.`?\\/]|-(?=[^>\-.\s])|=(?!=))(?:[\w!#$%'*+.`?\\/]|&(?=\S)|-(?=[^>\-.\s])|=(?!=))*")
_DATA = re.compile(r"@\{([^{}\n]*+)\}")
_LABEL = re.compile(r"""\blabel[ \t]*+:[ \t]*+(?:"([^"]*+)"|([^,}\n]*+))""")
_CLASS = re.compile(r"(?::::[\w,-]++)?")
_SHAPES = {
    "(((": (")))",),
    "([": ("])",),
    "((": ("))",),
    "[[": ("]]",),
    "[(": (")]",),
    "{{": ("}}",),
    "(-": ("-)",),
    "[/": ("/]", "\\]"),
    "[\\": ("/]", "\\]"),
    "(": (")",),
    "[": ("]",),
    "{": ("}",),
    ">": ("]",),
}
"""Opening marks of shapes, longest first, and their closing marks."""
_QUOTED = re.compile(r'"([^"]*+)"')
_UNQUOTED = re.compile(r'((?:[^\[\](){}|"/\\-]|[/\\](?!\])|-(?!\)))*)')
_LINK = re.compile(r"([xo<]?)(?:-{2,99}([-xo>])|={2,99}([=xo>])|-?\.{1,99}-([xo>]?)|~{3,99}())")
_OPEN_LINK = re.compile(r"([xo<]?)(--|==|-\.)[ \t]*+")
_CLOSE_LINK = {
    "--": re.compile(r"-{2,99}([-xo>])"),
    "==": re.compile(r"={2,99}([=xo>])"),
    "-.": re.compile(r"\.{1,99}-([xo>]?)"),
}
_PIPED = re.compile(r'\|([ \t]*+"[^"]*+"[ \t]*+|[^|"\n]*+)\|')
_ENTITY = re.compile(r"#(\d{1,7}|[A-Za-z][A-Za-z0-9]{1,30});")

_EXPECTED = "a statement of a flowchart is A[name] --> B[name]; text with brackets or quotes in it must be in quotes"
_NOTICES = {
    "words": "Edge labels that are not signs were kept as notes: {}.",
    "both": "Arrows with two heads (<-->) were read as two edges: {}.",
    "marked": "Arrows that end in a circle or a cross (--o, --x) were read like other arrows: {}.",
    "invisible": "Invisible links (~~~) were left out: {}.",
}


class _Chart(NamedTuple):
    """A diagram in a text: its kind ("" for a flowchart), its title, and the range of its statements."""

    kind: str
    title: str
    start: int
    end: int


def is_mine(text: str) -> bool:
    """Return True if the text starts like a Mermaid diagram, ignoring comments, or has one in a fence."""
    return bool(_charts(text.replace("\r\n", "\n")))


def read(text: str, filename: str) -> ImportedGraph:
    """Read the one flowchart of a text; faulty statements are skipped and returned as faults with their line. Raises
    UnreadableFile if the text has diagrams of other kinds only; BadRow for several flowcharts, or none."""
    text = text.replace("\r\n", "\n")
    charts = _charts(text)
    flowcharts = [chart for chart in charts if not chart.kind]
    others = [chart.kind for chart in charts if chart.kind]
    if not flowcharts and others:
        expected = "flowcharts are read (flowchart TD, then A --> B)"
        raise UnreadableFile(f"{filename} is a Mermaid diagram of another kind, {listed(others)}; {expected}.")
    if not flowcharts:
        raise BadRow(filename, 1, "", text.strip()[:60], "a flowchart begins with flowchart TD or graph LR")
    if len(flowcharts) > 1:
        line = text.count("\n", 0, flowcharts[1].start - 1) + 1
        expected = f"the file contains {len(flowcharts)} flowcharts, the second begins here; write one graph per file"
        raise BadRow(filename, line, "", "", expected)
    reader = _Reader(text, filename, flowcharts[0])
    reader.read_statements()
    return reader.result(others)


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    """Return the graph as a flowchart in UTF-8, names and signs in quotes. Mermaid computes places itself: `places`
    are dropped. Signs are in brackets, because Mermaid reads a label of + or - alone as the start of a list."""
    ids = {name: f"n{number}" for number, name in enumerate(graph.nodes, start=1)}
    lines = ["flowchart TD"]
    lines += [f'  {ids[name]}["{_escaped(name)}"]' for name in graph.nodes]
    for edge in graph.edges:
        label = f'|"({edge.sign.value})"|' if edge.sign is not None else ""
        lines.append(f"  {ids[edge.source]} -->{label} {ids[edge.sink]}")
    return ("\n".join(lines) + "\n").encode("utf-8")


def _escaped(name: str) -> str:
    """Return a name in which nothing is markup, an entity, or a list mark."""
    return re.sub(r"[^\w ,'/:%?!=().-]|_|^[-(]|(?<=\d)[.)]", lambda found: f"#{ord(found.group())};", name)


def _charts(text: str) -> list[_Chart]:
    spans = []
    for fence in _FENCE.finditer(text):
        closed = _FENCE_END.search(text, fence.end())
        spans.append((fence.end(), closed.start() if closed else len(text)))
    charts = (_chart(text, start, end) for start, end in spans or [(0, len(text))])
    return [chart for chart in charts if chart is not None]


def _chart(text: str, start: int, end: int) -> _Chart | None:
    blank = _BLANK.match(text, start, end)
    start = blank.end() if blank else start
    title = ""
    if text.startswith("---", start, end) and (closed := text.find("\n---", start, end)) >= 0:
        named = _TITLE.search(text[start:closed])
        title = named.group(1).strip(" \"'") if named else ""
        start = text.find("\n", closed + 1, end) if "\n" in text[closed + 1 : end] else end
    blank = _BLANK.match(text, start, end)
    start = blank.end() if blank else start
    if (head := _FLOWCHART.match(text, start, end)) is not None:
        return _Chart("", title, head.end(), end)
    other = _OTHER.match(text, start, end)
    return _Chart(other.group(1), title, start, end) if other else None


class _Wrong(Exception):
    def __init__(self, place: int, value: str = "", expected: str = _EXPECTED) -> None:
        super().__init__(expected)
        self.place, self.value, self.expected = place, value, expected


class _Arrow(NamedTuple):
    is_both: bool
    label: str


@dataclass(slots=True)
class _Statement:
    """One statement: the texts of its nodes by id, its edges, and counts for notices."""

    nodes: dict[str, str] = field(default_factory=dict)
    edges: list[tuple[str, str, _Arrow]] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)


class _Reader:
    """Reads statements one by one; a faulty one has no effect."""

    def __init__(self, text: str, filename: str, chart: _Chart) -> None:
        self._text, self._file, self._chart = text, filename, chart
        self._at = chart.start
        self._lines = [0, *(line_end.end() for line_end in re.finditer("\n", text))]
        self._collector = EdgeCollector(filename)
        self._nodes: dict[str, tuple[str, int]] = {}
        self._edges: list[tuple[str, str, _Arrow, int]] = []
        self._groups: dict[str, str] = {}
        self._seen: Counter[str] = Counter()

    def read_statements(self) -> None:
        while self._match(_BLANK) is not None and self._at < self._chart.end:
            start = self._at
            if not self._passes_keyword():
                try:
                    statement = self._statement()
                except _Wrong as wrong:
                    ending = self._text.find("\n", max(wrong.place, start), self._chart.end)
                    self._at = self._chart.end if ending < 0 else ending
                    faulty = wrong.value or self._text[start : self._at].strip()
                    self._collector.fault(self._line(wrong.place), "", faulty, wrong.expected)
                else:
                    line = self._line(start)
                    for id, text in statement.nodes.items():
                        known = self._nodes.get(id, ("", line))
                        self._nodes[id] = (text or known[0], known[1])
                    self._edges += [(*edge, line) for edge in statement.edges]
                    self._seen += statement.seen

    def _passes_keyword(self) -> bool:
        """Skip a subgraph's border or a drawing statement, if one starts here."""
        start = self._at
        match = self._match(_KEYWORD)
        if match is None:
            return False
        ending = self._text.find("\n", self._at, self._chart.end)
        ending = self._chart.end if ending < 0 else ending
        keyword, rest = match.group(), self._text[self._at : ending].strip()
        is_node = rest[:1] in tuple("-=<~&[(>") or (keyword == "direction" and rest not in _WAYS)
        if is_node or (keyword == "end" and rest.strip("; ")):
            self._at = start
            return False
        self._at = ending
        if keyword == "subgraph":
            id, bracket, title = rest.partition("[")
            self._groups[id.strip().strip('"')] = _plain(title.rpartition("]")[0] if bracket else id)
        elif keyword == "accDescr" and rest.startswith("{"):
            closed = self._text.find("}", start, self._chart.end)
            self._at = self._chart.end if closed < 0 else closed + 1
        return True

    def result(self, others: list[str]) -> ImportedGraph:
        """Return the graph. `others` are the kinds of the file's other diagrams."""
        names = {
            id: self._collector.declare(_plain(text) or id, line, "node")
            for id, (text, line) in self._nodes.items()
            if id not in self._groups
        }
        for source, sink, arrow, line in self._edges:
            self._add_edge(source, sink, arrow, line, names)
        self._collector.faults.sort(key=lambda fault: fault.line or 0)
        notices = [words.format(self._seen[reason]) for reason, words in _NOTICES.items() if self._seen[reason]]
        if self._groups:
            notices.append(f"Groups (subgraphs) are not kept: {listed(list(self._groups.values()), most=8)}.")
        if others:
            notices.append(f"Diagrams of other kinds were not read: {listed(others)}.")
        self._collector.notices += notices
        return replace(self._collector.result(), title=" ".join(self._chart.title.split()))

    def _statement(self) -> _Statement:
        statement = _Statement()
        groups, links = [self._group(statement)], list[_Arrow | None]()
        while self._link(statement, links):
            groups.append(self._group(statement))
        if self._match(_LINE_END) is None:
            raise _Wrong(self._at)
        for arrow, (left, right) in zip(links, pairwise(groups), strict=True):
            if len(self._edges) + len(statement.edges) + len(left) * len(right) > MOST_EDGES:
                raise too_many(self._file, MOST_EDGES, "edges", self._line(self._at - 1))
            if arrow is not None:
                statement.edges += [(source, sink, arrow) for source in left for sink in right]
        return statement

    def _group(self, statement: _Statement) -> list[str]:
        ids = [self._node(statement)]
        self._match(_SPACE)
        while self._text.startswith("&", self._at, self._chart.end):
            self._at += 1
            ids.append(self._node(statement))
            self._match(_SPACE)
        return ids

    def _node(self, statement: _Statement) -> str:
        self._match(_SPACE)
        match = self._match(_ID)
        if match is None:
            raise _Wrong(self._at)
        if (data := self._match(_DATA)) is not None:
            label = _LABEL.search(data.group(1))
            text = (label.group(1) or label.group(2) or "") if label else ""
        else:
            text = self._shape()
        self._match(_CLASS)
        statement.nodes[match.group()] = text or statement.nodes.get(match.group(), "")
        return match.group()

    def _shape(self) -> str:
        place = self._at
        opening = next((mark for mark in _SHAPES if self._text.startswith(mark, place, self._chart.end)), "")
        if not opening:
            return ""
        self._at += len(opening)
        self._match(_SPACE)
        match = self._match(_QUOTED) or self._match(_UNQUOTED)
        self._match(_SPACE)
        closing = next((mark for mark in _SHAPES[opening] if self._text.startswith(mark, self._at)), "")
        if match is None or not closing:
            raise _Wrong(place)
        self._at += len(closing)
        return match.group(1)

    def _link(self, statement: _Statement, links: list[_Arrow | None]) -> bool:
        """Read the link that starts here, if any; an invisible one is None."""
        place, label = self._at, ""
        if (match := self._match(_LINK)) is not None:
            tail, head = match.group(1), match.group(match.lastindex or 0)
        elif (opened := self._match(_OPEN_LINK)) is not None:
            closing, ending = _CLOSE_LINK[opened.group(2)], self._text.find("\n", self._at, self._chart.end)
            quoted = self._match(_QUOTED)
            self._match(_SPACE)
            match = closing.search(self._text, self._at, self._chart.end if ending < 0 else ending)
            if match is None or (quoted and match.start() != self._at):
                raise _Wrong(place)
            label = quoted.group(1) if quoted else self._text[self._at : match.start()]
            tail, head, self._at = opened.group(1), match.group(1), match.end()
        else:
            return False
        self._match(_SPACE)
        if (piped := self._match(_PIPED)) is not None:
            label = piped.group(1)
        if "~~~" in match.group():
            statement.seen["invisible"] += 1
            links.append(None)
            return True
        if head not in ("x", "o", ">"):
            raise _Wrong(place, match.group(), "the line has no direction; write -->")
        if tail and (tail, head) != ("<", ">"):
            raise _Wrong(place, match.group(), "the ends of the line are no arrows; write --> or <-->")
        statement.seen["marked"] += head != ">"
        links.append(_Arrow(bool(tail), _plain(label)))
        return True

    def _add_edge(self, source: str, sink: str, arrow: _Arrow, line: int, names: Mapping[str, str | None]) -> None:
        if groups := [id for id in (source, sink) if id in self._groups]:
            self._collector.fault(line, "", groups[0], "this is a subgraph; an arrow joins two nodes")
            return
        start, end = names[source], names[sink]
        if start is None or end is None:
            self._collector.fault(line, "", f"{source} --> {sink}", "both ends need a name that can be kept")
            return
        label = arrow.label
        bare = label[1:-1].strip() if label.startswith("(") and label.endswith(")") else label
        if is_sign(bare):
            fields = {"sign": bare}
        elif bare in ("||", "//"):
            fields = {"delay": "yes"}
        else:
            fields = {"note": label} if label else {}
        self._seen["words"] += "note" in fields
        self._collector.add_edge(fields | {"source": start, "sink": end}, line)
        if arrow.is_both and start != end:
            self._seen["both"] += 1
            self._collector.add_edge(fields | {"source": end, "sink": start}, line, is_row=False)

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._at, self._chart.end)
        if match is not None:
            self._at = match.end()
        return match

    def _line(self, place: int) -> int:
        return bisect_right(self._lines, place)


def _plain(text: str) -> str:
    """Return a text as displayed: without quotes and markup, entities as characters, line breaks as spaces."""
    text = text.strip()
    if (quoted := _QUOTED.fullmatch(text)) is not None:
        text = quoted.group(1).strip()
    if len(text) > 1 and text[0] == text[-1] == "`":
        text = text[1:-1].replace("**", "").strip()
    entities = _ENTITY.sub(lambda found: f"&{'#' * found.group(1).isdigit()}{found.group(1)};", text)
    return " ".join(shown(DotToken("html", entities, 0)).split())
