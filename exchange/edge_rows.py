"""The fields of an edge in any file: names, spellings, and faults."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import BadRow, InvalidName, UnknownSign
from core.graphs.bounds import MOST_LISTED, refuse_more
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.lines.write import quote_name
from core.graphs.names import clean_name
from core.sign import Sign, parse_edge_sign
from core.words import quoted, whole
from exchange.forms import GraphForm

FIELDS = ("source", "sink", "sign", "delay", "flag", "note")

_SYNONYMS = {
    "source": ("source", "source_variable", "source_node", "from", "cause", "tail"),
    "sink": ("sink", "sink_variable", "sink_node", "target", "target_variable", "to", "effect", "head"),
    "sign": ("sign", "polarity"),
    "type": ("type",),
    "direction": ("direction", "directed"),
    "delay": ("delay", "delayed", "delay_mark"),
    "flag": ("flag",),
    "note": ("note", "notes", "comment"),
}
"""The meaning of `type` and `direction` follows from all rows together; see `exchange.edge_meanings`."""
_FIELD_OF = {spelling: field for field, spellings in _SYNONYMS.items() for spelling in spellings}
_YES = frozenset({"yes", "true", "1", "x", "delay", "delayed"})
_NO = frozenset({"", "no", "false", "0"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedGraph:
    """The contents of a file: the graph of its valid rows, notices, and every faulty row."""

    graph: CausalGraph
    notices: tuple[str, ...] = ()
    faults: tuple[BadRow, ...] = ()
    places: Mapping[str, Point] = field(default_factory=dict)  # y downwards; may lack nodes
    form: GraphForm | None = None  # as recognised
    title: str = ""  # in the file, or ""
    rows: int = 0  # read


def field_of(heading: str) -> str | None:
    """Return the field of a column or key in any spelling; None if it is none.

    >>> field_of(" From "), field_of("Source Variable"), field_of("Type"), field_of("weight")
    ('source', 'source', 'type', None)
    """
    return _FIELD_OF.get(re.sub(r"[\s_-]+", "_", heading.strip().casefold()))


def preference(heading: str) -> int:
    """Return the rank of a heading among those of one field; lower is preferred: "sign" before "polarity"."""
    field = field_of(heading)
    spelling = re.sub(r"[\s_-]+", "_", heading.strip().casefold())
    return _SYNONYMS[field].index(spelling) if field else len(_FIELD_OF)


def in_order(graph: CausalGraph) -> Iterator[Edge | str]:
    """Yield edges, preceded by nodes that must be named first, so that reading restores the order of nodes.

    >>> list(in_order(CausalGraph.of([Edge("A", "B")], nodes=["A", "B", "C"])))[1:]
    ['C']
    """
    nodes, reached = graph.nodes, 0
    named: set[str] = set()
    for edge in graph.edges:
        if edge.source in named and edge.sink in named:
            yield edge
            continue
        new = [name for name in dict.fromkeys(edge.pair) if name not in named]
        while new and nodes[reached : reached + len(new)] != tuple(new):
            name = nodes[reached]
            reached += 1
            named.add(name)
            yield name
            if name in new:
                new.remove(name)
        reached += len(new)
        named.update(new)
        yield edge
    yield from nodes[reached:]


class EdgeCollector:
    """Collects rows of text fields into an ImportedGraph; every fault is recorded, none stops it. Counts are
    limited: `add_node`, `add_edge` and `fault` raise UnreadableFile beyond `core.graphs.bounds`."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._edges: dict[tuple[str, str, Sign | None], tuple[Edge, str]] = {}
        self._nodes: dict[str, None] = {}
        self._declared: Counter[str] = Counter()
        self._repeated: list[str] = []
        self._signs: dict[str, Sign | None] = {}
        self._tidied: dict[str, str] = {}
        self._cleaned: dict[str, str | InvalidName] = {}  # a name is met again at each of its edges
        self._alone: list[str] = []
        self._places: dict[str, Point] = {}
        self._rows = 0
        self.notices: list[str] = []
        self.faults: list[BadRow] = []

    def add_node(self, text: str, line: int | None, field: str, at: tuple[float, float] | None = None) -> str | None:
        """Declare a node with its drawn place (y downwards); return the stored name, None if it is faulty. A
        repeated name (a "ghost" variable) is the same node and keeps its first place."""
        self._rows += 1
        name = self._name(text, line, field)
        if name is not None:
            self._nodes.setdefault(name)
            if at is not None and all(map(math.isfinite, at)):
                self._places.setdefault(name, Point(*at))
        refuse_more(self._file, line or field, nodes=len(self._nodes), rows=self._rows)
        return name

    def declare(self, text: str, line: int | None, field: str, at: tuple[float, float] | None = None) -> str | None:
        """Declare a node as `add_node`, for files that list each node once: two entries of one name are merged with
        a notice."""
        name = self.add_node(text, line, field, at)
        if name is not None:
            self._declared[name] += 1
        return name

    def add_edge(self, fields: Mapping[str, str], line: int | None, place: str = "", *, is_row: bool = True) -> None:
        """Add one edge; `place` prefixes the field's name in faults ("edges[3]."). A row with only a source declares
        a node. `is_row`: False for the reverse edge of the previous row."""
        has_more = any(value.strip() for field, value in fields.items() if field != "source")
        if fields.get("source", "").strip() and not has_more:
            self._alone.append(fields["source"].strip())
            self.add_node(fields["source"], line, f"{place}source")
            return
        self._rows += is_row
        count = len(self.faults)
        source = self._name(fields.get("source", ""), line, f"{place}source")
        sink = self._name(fields.get("sink", ""), line, f"{place}sink")
        sign = self._sign(fields.get("sign", ""), line, f"{place}sign")
        delay = self._delay(fields.get("delay", ""), line, f"{place}delay")
        flag = self._flag(fields.get("flag", ""), line, f"{place}flag")
        note = self._note(fields.get("note", ""), line, f"{place}note")
        if source is None or sink is None or len(self.faults) > count:
            return
        edge = Edge(source, sink, sign, delay, note, flag)
        self._nodes.setdefault(source)
        self._nodes.setdefault(sink)
        where = f"line {line}" if line is not None else place.rstrip(".")
        stored, first = self._edges.setdefault((source, sink, sign), (edge, where))
        refuse_more(self._file, line or where, edges=len(self._edges), nodes=len(self._nodes), rows=self._rows)
        if stored is not edge:
            self._repeated.append(f"{where}: {quote_name(source)} -> {quote_name(sink)} is already listed in {first}.")

    def fault(self, line: int | None, field: str, value: str, expected: str, *, is_row: bool = False) -> None:
        """Record a fault. `is_row`: it is of a row that is not added, and so not counted elsewhere."""
        self._rows += is_row
        self.faults.append(BadRow(self._file, line, field, _excerpt(value), expected))
        refuse_more(self._file, line or field, rows=self._rows, faults=len(self.faults))

    def result(self) -> ImportedGraph:
        graph = CausalGraph.of((edge for edge, _ in self._edges.values()), self._nodes)
        notices, faults = tuple(self._all_notices(graph)), tuple(self.faults)
        return ImportedGraph(graph=graph, notices=notices, faults=faults, places=self._places, rows=self._rows)

    def _all_notices(self, graph: CausalGraph) -> Iterator[str]:
        yield from self.notices
        if doubled := [name for name, count in self._declared.items() if count > 1]:
            yield f"Nodes of the same name were read as one: {_some(doubled)}."
        for spelling, sign in self._signs.items():
            yield f"The sign {quoted(spelling)} was read as {'unknown' if sign is None else sign.value}."
        if self._tidied:
            count = len(self._tidied)
            names = "1 name" if count == 1 else f"{count} names"
            yield f"White space or accents were tidied in {names}: {_some(self._tidied.values())}."
        if self._alone:
            yield f"Rows with a source only declare nodes without edges: {_some(self._alone)}."
        if any(name[0] in FORMULA_STARTS for name in graph.nodes):
            yield (
                "Names that begin like a formula (= + - @) were kept as text; "
                "use the spreadsheet-safe export to open them in a spreadsheet."
            )
        yield from some_notices(self._repeated)
        counts = Counter(edge.pair for edge in graph.edges)
        yield from some_notices(
            [
                f"{quote_name(source)} -> {quote_name(sink)} is listed with {count} different signs; all are kept."
                for (source, sink), count in counts.items()
                if count > 1
            ]
        )

    def _name(self, text: str, line: int | None, field: str) -> str | None:
        if text not in self._cleaned:
            self._cleaned[text] = self._clean(text)
        name = self._cleaned[text]
        if isinstance(name, InvalidName):
            self.fault(line, field, text, str(name))
            return None
        return name

    def _clean(self, text: str) -> str | InvalidName:
        try:
            name = clean_name(text)
        except InvalidName as error:
            return error.with_traceback(None)
        if name != text.strip():
            self._tidied[text] = name
        return name

    def _sign(self, text: str, line: int | None, field: str) -> Sign | None:
        try:
            sign = parse_edge_sign(text)
        except UnknownSign:
            self.fault(line, field, text, "an edge's sign is +, - or empty (also plus, minus, positive, negative)")
            return None
        spelling = text.strip()
        if spelling and spelling not in ("+", "-"):
            self._signs[spelling] = sign
        return sign

    def _delay(self, text: str, line: int | None, field: str) -> bool:
        word = text.strip().casefold()
        if word not in _YES | _NO:
            self.fault(line, field, text, "a delay mark is yes, no or empty")
        return word in _YES

    def _note(self, text: str, line: int | None, field: str) -> str:
        if whole(text) != text:
            self.fault(line, field, text, "a note of whole characters; it contains half of a surrogate pair")
        elif "\x00" in text:
            self.fault(line, field, text, "a note without the character U+0000, which no database keeps")
        return text

    def _flag(self, text: str, line: int | None, field: str) -> EdgeFlag | None:
        word = text.strip().casefold()
        if not word:
            return None
        try:
            return EdgeFlag(word)
        except ValueError:
            self.fault(line, field, text, f"a flag is one of: {', '.join(EdgeFlag)}; or empty")
            return None


FORMULA_STARTS = frozenset("=+-@\t\r＝＋－＠")
"""Characters that make a spreadsheet read a cell as a formula."""


def _some(names: Iterable[str]) -> str:
    listed = [quote_name(_excerpt(name, 60)) for name in names]
    return ", ".join(listed[:5]) + (f" and {len(listed) - 5} more" if len(listed) > 5 else "")


def some_notices(notices: list[str]) -> tuple[str, ...]:
    more = len(notices) - MOST_LISTED
    return tuple(notices) if more <= 0 else (*notices[:MOST_LISTED], f"… and {more:,} more of the same kind.")


def listed(names: Sequence[str], most: int = 20) -> str:
    """Return headings or sheets as text, long ones shortened, up to `most` of them."""
    shown = [_excerpt(name, 80) for name in names[:most]]
    return ", ".join(shown) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def not_read(what: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the notice of unread columns, keys or attributes with their counts; none without names.

    >>> not_read("Attributes", ["weight", "color", "weight"])
    ('Attributes not read: weight (2), color.',)
    """
    counts = Counter(names)
    shown = [name if count == 1 else f"{name} ({count:,})" for name, count in counts.items()]
    return (f"{what} not read: {listed(shown)}.",) if shown else ()


def _excerpt(text: str, length: int = 120) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
