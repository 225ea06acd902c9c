"""Shared reading of GraphML and GEXF: nodes with ids and labels, edges that name nodes by id, and their values."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from core.errors import BadRow, UnknownSign
from core.sign import Sign, parse_edge_sign
from exchange.edge_meanings import EdgeRecordRow, add_rows, meanings_of
from exchange.edge_rows import EdgeCollector, ImportedGraph, field_of, not_read, preference
from exchange.xml_reading import Element, attribute, children, line_of, local, prefix_notice, restored_controls

FORWARDS, BACKWARDS = False, True
LABELS = ("label", "name")
"""Values that may hold a node's name; the first that is not blank counts."""
LONGEST_KEY = 200
"""Limit of a key's name or a word: each element may repeat the key."""
MOST_DEFAULTS, LONGEST_DEFAULT = 50, 1_000
"""Keys with a default, and characters of one: every element has them all."""
_DELAY_MARKS = frozenset({"||", "//"})
_MARKS = ("sign", "type", "direction", "delay", "flag", "note")


def only_graph(root: Element, filename: str, word: str) -> Element:
    """Return the one <graph> inside <graphml> or <gexf>. Raises BadRow for another root, or not exactly one graph."""
    if local(root.tag) != word:
        raise BadRow(filename, line_of(root), "", f"<{local(root.tag)}>", f"such a file begins with <{word}>")
    graphs = list(children(root, "graph"))
    if not graphs:
        raise BadRow(filename, line_of(root), "", "", f"there is no <graph> inside <{word}>")
    if len(graphs) > 1:
        expected = f"the file contains {len(graphs)} graphs, the second begins here; write one graph per file"
        raise BadRow(filename, line_of(graphs[1]), "", "", expected)
    return graphs[0]


def place_of(element: Element) -> str:
    """Return an element's name for faults: "edge e3"; "edge" without an id."""
    return f"{local(element.tag)} {attribute(element, 'id') or ''}".strip()


def is_read(kind: str, name: str) -> bool:
    """Return True if a value of this lower-case name is read on a "node" or "edge"."""
    return name in (*LABELS, "x", "y") if kind == "node" else kind == "edge" and field_of(name) in _MARKS


def check_defaults(filename: str, last: Element, defaults: Mapping[str, str]) -> None:
    """Raise BadRow at the `last` of a kind's defaults if they are too many, or one is too long."""
    expected = ""
    if len(defaults) > MOST_DEFAULTS:
        expected = f"at most {MOST_DEFAULTS} keys have a default"
    elif any(len(text) > LONGEST_DEFAULT for text in defaults.values()):
        expected = f"a default has at most {LONGEST_DEFAULT:,} characters"
    if expected:
        raise BadRow(filename, line_of(last), "default", "", expected)


class XmlGraph:
    """Collects the nodes of a file, then its edges, into an ImportedGraph with every fault and grouped notices."""

    def __init__(self, filename: str, root: Element, touched: Container[str]) -> None:
        """`touched`: the ids that edges name; a group of nodes without edges is no variable."""
        self._collector = EdgeCollector(filename)
        self._collector.notices += prefix_notice(root)
        self._touched = touched
        self._nodes: dict[str, tuple[str | None, int | None]] = {}
        self._edges: list[EdgeRecordRow] = []
        self._unread: list[str] = []
        self._grouped: dict[str, dict[str, None]] = {}

    def add_node(
        self, element: Element, label: str, at: tuple[float, float] | None = None, *, is_group: bool = False
    ) -> None:
        """Add a node: its label is its name, else its id. Two nodes of one name are one variable drawn twice."""
        node = attribute(element, "id") or ""
        if not node:
            self.fault(element, "id", "", 'a node needs an id, as in <node id="n1">')
            return
        if node in self._nodes:
            self.fault(element, "id", node, f"the node of line {self._nodes[node][1]} has this id; ids must differ")
            return
        if is_group and node not in self._touched:
            self.say("Groups that no edge touches only frame other nodes and were not read as variables", label or node)
            return
        if not label.strip():
            self.say("Nodes without a label are named by their id", node)
        line = line_of(element)
        name = self._collector.declare(label if label.strip() else node, line, f"{place_of(element)}, label", at)
        self._nodes[node] = (name, line)

    def drop_node(self, element: Element) -> None:
        self._nodes.setdefault(attribute(element, "id") or "", (None, line_of(element)))

    def add_edge(self, element: Element, fields: Mapping[str, str], ways: Sequence[bool] = (FORWARDS,)) -> None:
        """Add an edge in each direction: forwards from source to target, backwards from target to source."""
        place = place_of(element)
        source, sink = self._end(element, place, "source"), self._end(element, place, "target")
        if source is None or sink is None:
            return
        for way in ways[:1] if source == sink else ways:
            ends = (sink, source) if way is BACKWARDS else (source, sink)
            row = {**fields, "source": ends[0], "sink": ends[1]}
            self._edges.append(EdgeRecordRow(row, line_of(element), f"{place}, "))

    def fault(self, element: Element, field: str, value: str, expected: str) -> None:
        """Record a faulty element: "edge e3, sign"."""
        self._collector.fault(line_of(element), f"{place_of(element)}, {field}".rstrip(", "), value, expected)

    def say(self, sentence: str, *items: str) -> None:
        self._grouped.setdefault(sentence, {}).update(dict.fromkeys(items))

    def unread(self, element: Element, keys: Iterable[str]) -> None:
        self._unread += (f"{local(element.tag)} {key}" for key in keys)

    def number_pair(self, element: Element, x: str, y: str) -> tuple[float, float] | None:
        """Return a node's place; None, without a notice, if either coordinate is missing."""
        if not x.strip() or not y.strip():
            return None
        numbers = []
        for axis, text in (("x", x), ("y", y)):
            try:
                number = float(text)
            except ValueError:
                number = math.nan
            if not math.isfinite(number):
                self.fault(element, axis, text, "a place is a number; the node was read without its place")
                return None
            numbers.append(number)
        return numbers[0], numbers[1]

    def edge_fields(
        self, element: Element, values: Mapping[str, str], labels: Sequence[str] = (), drawn: Sequence[str] = ()
    ) -> dict[str, str]:
        """Return the fields of an edge from named values, from its labels and from the drawing at the arrow. A label
        that is a sign counts if no value has one. The drawing takes precedence over a value that differs: in a
        drawing program a user changes the drawing, and the values of Edgewise's export become stale."""
        fields: dict[str, str] = {}
        unread = []
        for key in sorted(values, key=preference):
            field, text = field_of(key), values[key]
            if field in _MARKS and field not in fields and (text.strip() or field == "note"):
                fields[field] = restored_controls(text) if field == "note" else text
            elif text.strip():
                unread.append(key)
        for label in map(str.strip, (*drawn, *labels)):
            if label in _DELAY_MARKS:
                fields.setdefault("delay", "yes")
            elif not _is_known(label):
                unread.append("label")
            elif label and _sign_of(fields.get("type", "")) is None:
                fields.setdefault("sign", label)
        self.unread(element, unread)
        self._settle_sign(element, fields, list(filter(_sign_of, drawn)), list(filter(_sign_of, labels)))
        return fields

    def result(self, title: str = "") -> ImportedGraph:
        """Return the collected graph; `title` is its name in the file."""
        add_rows(self._collector, self._edges, meanings_of(self._edges))
        self._collector.notices += not_read("Data", self._unread)
        for sentence, items in self._grouped.items():
            named = f"{': ' if items else ''}{', '.join(list(items)[:8])}"
            rest = f" and {len(items) - 8} more" if len(items) > 8 else ""
            self._collector.notices.append(f"{sentence}{named}{rest}.")
        return replace(self._collector.result(), title=" ".join(title.split()))

    def _end(self, element: Element, place: str, which: str) -> str | None:
        node = attribute(element, which) or ""
        name, line = self._nodes.get(node, (None, None))
        if name is not None:
            return name
        if not node:
            expected = f'an edge names a node by its id, as in {which}="n1"'
        elif node in self._nodes:
            expected = f"this node is itself faulty, see line {line}"
        else:
            expected = "no node has this id"
        self._collector.fault(line_of(element), f"{place}, {which}", node, expected)
        return None

    def _settle_sign(self, element: Element, fields: dict[str, str], drawn: list[str], labels: list[str]) -> None:
        """Report a sign with two different values; an invalid sign stays, and becomes a fault."""
        value_sign = _sign_of(fields.get("sign") or fields.get("type", ""))
        if value_sign is None:
            return
        if drawn and _sign_of(drawn[0]) is not value_sign:
            self.say("The sign drawn at the arrow differs from its data; the drawing was followed", place_of(element))
            fields["sign"] = drawn[0]
        elif labels and _sign_of(labels[0]) is not value_sign:
            self.say("The label of the arrow differs from its sign; the sign was followed", place_of(element))


def label_of(values: Mapping[str, str], keys: Sequence[str]) -> tuple[str, str]:
    """Return the first non-blank value of these keys, and its key; both "" if there is none."""
    key = next((key for key in keys if values.get(key, "").strip()), "")
    return values.get(key, "") if key else "", key


def is_same_name(one: str, other: str) -> bool:
    """Return True if two labels of a node are equal, ignoring white space."""
    return one.split() == other.split()


def _is_known(text: str) -> bool:
    try:
        parse_edge_sign(text)
    except UnknownSign:
        return False
    return True


def _sign_of(text: str) -> Sign | None:
    return parse_edge_sign(text) if _is_known(text) else None
