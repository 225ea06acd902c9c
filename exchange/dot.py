"""Graphviz DOT: clusters, chains, groups, defaults and HTML labels are read; all fields of a graph are written. A
node's name is its label, else its id; a line break in a label is a space. An edge's sign is its `sign` or
`polarity`, else a label that is a sign, else the arrowhead `tee` (minus). Another label is the note. `pos` is in
points with y upwards; one point is one pixel. `dir=back` reverses an edge, `dir=both` makes two; invisible edges,
which only affect layout, are dropped, and drawing attributes are ignored silently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from core.errors import BadRow
from exchange.dot_labels import displayed, is_sign, shown, sign_or_text, without_fields
from exchange.dot_marks import DRAWING, unescaped_note
from exchange.dot_syntax import (
    MOST_ATTRIBUTES,
    MOST_EDGES,
    Attributes,
    DefaultStatement,
    Document,
    DotBlock,
    EdgeStatement,
    NodeStatement,
    parse,
)
from exchange.dot_tokens import DotToken
from exchange.dot_writing import write
from exchange.edge_rows import EdgeCollector, ImportedGraph, listed, not_read

__all__ = ["is_mine", "read", "write"]

_GAP = r"(?:\s++|(?://|\#)[^\n]*+|/\*.*?\*/)*+"
_HEAD = re.compile(
    rf'{_GAP}(?:strict\s++)?(?:di)?graph\b\s*+(?:(?:"(?:[^"\\]|\\.)*+"|[\w.]++)\s*+)?\{{', re.IGNORECASE | re.DOTALL
)
_POSITION = re.compile(r"\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*,\s*([-+]?[\d.]+(?:e[-+]?\d+)?)", re.IGNORECASE)
_SIGN_LABELS = ("label", "headlabel", "taillabel", "xlabel")
_LONGEST = 1_000
"""Longest word that is read; names have at most 300 characters."""
_DELAY_LABELS = frozenset({"||", "//"})
_READ = frozenset({*_SIGN_LABELS, "sign", "polarity", "delay", "flag", "note", "comment"})


def is_mine(text: str) -> bool:
    """Return True if the text starts like `digraph name {`, ignoring comments."""
    return _HEAD.match(text) is not None


def read(text: str, filename: str) -> ImportedGraph:
    """Read one digraph; faulty statements and arrows are returned as faults with their line. Raises BadRow if the
    text is no digraph (an undirected graph has no causes) or nests deeper than 32 braces."""
    document = parse(text, filename, kinds=("digraph", "graph"), example="digraph { A -> B }")
    if document.kind == "graph":
        raise BadRow(filename, None, "", "graph", "a causal graph needs directed edges (digraph, ->)")
    return _Reader(filename, document).result()


@dataclass(slots=True)
class _Node:
    """A node. `defaults` were current at its first mention, one mapping shared by all such nodes."""

    id: str
    line: int
    defaults: Attributes
    own: Attributes = field(default_factory=dict)

    @property
    def attributes(self) -> Attributes:
        return {**self.defaults, **self.own} if self.own else self.defaults


@dataclass(slots=True)
class _Arrow:
    source: str
    sink: str
    line: int
    attributes: Attributes


@dataclass(slots=True)
class _Meaning:
    attributes: Attributes
    fields: dict[str, str] | None  # None if signs differ
    differing: str = ""
    seen: tuple[str, ...] = ()  # reasons for notices
    arrows: int = 0


class _Reader:
    """Processes statements in order, as Graphviz does: a default applies to later names in its braces and inner
    ones. Attribute mappings are never modified, so that many nodes can share one."""

    def __init__(self, filename: str, document: Document) -> None:
        self._document = document
        self._collector = EdgeCollector(filename)
        self._nodes: dict[str, _Node] = {}
        self._arrows: list[_Arrow] = []
        self._first: dict[tuple[str, str], _Arrow] = {}
        self._groups: list[str] = []
        self._seen: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()
        self._labels: dict[tuple[DotToken, bool, str], str] = {}
        self._meanings: dict[int, _Meaning] = {}
        self._title = document.body.name
        self._is_full = False

    def result(self) -> ImportedGraph:
        for line, value, expected in self._document.faults:
            self._collector.fault(line, "", value, expected)
        self._walk(self._document.body, {}, {})
        names: dict[str, str | None] = {}
        for node in self._nodes.values():
            attributes = node.attributes
            name = ""
            if (label := attributes.get("label")) is not None:
                is_record = label.kind != "html" and _word(attributes, "shape").lower() in _RECORDS
                name = self._label(label, is_record, node.id)
            name = name if name.strip() else displayed(node.id)
            names[node.id] = self._collector.declare(name, node.line, "node", _place(attributes))
            self._count_lost(attributes, {"label", "comment"})
        for arrow in self._arrows:
            self._take(arrow, names)
        for meaning in self._meanings.values():
            self._count_lost(meaning.attributes, _READ, meaning.arrows)
        self._collector.faults.sort(key=lambda fault: fault.line or 0)
        self._add_notices()
        title = "" if self._title == "G" else " ".join(displayed(self._title).split())
        return replace(self._collector.result(), title=title)

    # statements

    def _walk(self, block: DotBlock, nodes: Attributes, edges: Attributes) -> list[str]:
        """Process a block's statements; return the ids it names, which are its ends in a chain."""
        named: dict[str, None] = {}
        for statement in block.statements:
            if isinstance(statement, DefaultStatement):
                nodes, edges = self._with_default(statement, block, nodes, edges)
            elif isinstance(statement, NodeStatement):
                self._declare(statement.id, nodes).own.update(statement.attributes)
                named[statement.id.text] = None
            elif isinstance(statement, EdgeStatement):
                named.update(dict.fromkeys(self._take_chain(statement, nodes, edges)))
            else:
                named.update(dict.fromkeys(self._walk(statement, nodes, edges)))
        return list(named)

    def _with_default(
        self, statement: DefaultStatement, block: DotBlock, nodes: Attributes, edges: Attributes
    ) -> tuple[Attributes, Attributes]:
        if statement.kind == "node":
            return self._more(nodes, statement), edges
        if statement.kind == "edge":
            return nodes, self._more(edges, statement)
        if (label := statement.attributes.get("label")) is not None and label.text.strip():
            if block is self._document.body:
                self._title = shown(label, self._title)
            else:
                self._groups.append(shown(label, block.name))
        return nodes, edges

    def _more(self, defaults: Attributes, statement: DefaultStatement) -> Attributes:
        new = {**defaults, **statement.attributes}
        if len(new) <= MOST_ATTRIBUTES:
            return new
        if not self._seen["defaults"]:
            first = next(iter(statement.attributes.values()))
            expected = f"at most {MOST_ATTRIBUTES} defaults are kept; this one and later ones were not"
            self._collector.fault(first.line, "", statement.kind, expected)
        self._seen["defaults"] += 1
        return defaults

    def _declare(self, token: DotToken, defaults: Attributes) -> _Node:
        node = self._nodes.get(token.text)
        if node is None:
            node = self._nodes[token.text] = _Node(token.text, token.line, defaults)
        return node

    def _take_chain(self, chain: EdgeStatement, nodes: Attributes, edges: Attributes) -> list[str]:
        if wrong := [op for op in chain.ops if op.text != "->"]:
            for op in wrong:
                self._collector.fault(op.line, "", op.text, _OTHER_ARROWS.get(op.text, "an edge is written ->"))
            return []
        ends: list[list[str]] = []
        for end in chain.ends:
            if isinstance(end, DotBlock):
                ends.append(self._walk(end, nodes, edges))
            else:
                ends.append([self._declare(end, nodes).id])
        for op, sources, sinks in zip(chain.ops, ends, ends[1:], strict=False):
            if len(self._arrows) + len(sources) * len(sinks) > MOST_EDGES:
                if not self._is_full:
                    self._collector.fault(
                        op.line, "", "->", f"a file may contain {MOST_EDGES:,} edges; the rest was not read"
                    )
                self._is_full = True
            else:
                pairs = ((source, sink) for source in sources for sink in sinks)
                self._add_arrows(pairs, op.line, {**edges, **chain.attributes})
        return [name for end in ends for name in end]

    def _add_arrows(self, pairs: Iterator[tuple[str, str]], line: int, attributes: Attributes) -> None:
        for pair in pairs:
            if self._document.is_strict and pair in self._first:
                first = self._first[pair]
                first.attributes = {**first.attributes, **attributes}
                continue
            arrow = _Arrow(*pair, line, attributes)
            self._first.setdefault(pair, arrow)
            self._arrows.append(arrow)

    # what they mean

    def _label(self, label: DotToken, is_record: bool, id: str) -> str:
        """Return a label as displayed. Thousands of nodes may share a long one, which is converted once: a label
        over `_LONGEST` is refused as a name anyway, so ids are not inserted."""
        has_id = label.kind != "html" and len(label.text) <= _LONGEST and "\\N" in label.text
        key = (label, is_record, id if has_id else "")
        if key not in self._labels:
            plain = label._replace(text=without_fields(label.text)) if is_record else label
            self._labels[key] = shown(plain, id[:_LONGEST] if has_id else r"\N", self._document.body.name[:_LONGEST])
        return self._labels[key]

    def _take(self, arrow: _Arrow, names: Mapping[str, str | None]) -> None:
        attributes, line = arrow.attributes, arrow.line
        source, sink = names[arrow.source], names[arrow.sink]
        direction = _word(attributes, "dir").lower()
        if "invis" in _word(attributes, "style"):
            self._seen["invisible"] += 1
            return
        if source is None or sink is None:
            ends = f"{arrow.source[:_LONGEST]} -> {arrow.sink[:_LONGEST]}"
            self._collector.fault(line, "", ends, "both ends need a name that can be kept")
            return
        if direction == "none":
            self._collector.fault(line, "dir", "none", "an edge without an arrowhead has no direction; leave dir out")
            return
        if id(attributes) not in self._meanings:
            self._meanings[id(attributes)] = _meaning(attributes, direction)
        meaning = self._meanings[id(attributes)]
        meaning.arrows += 1
        pairs = {"back": [(sink, source)], "both": [(source, sink), (sink, source)]}.get(direction, [(source, sink)])
        self._seen.update([direction, *meaning.seen])
        if meaning.fields is None:
            self._collector.fault(line, "label", meaning.differing, "the labels give different signs; keep one")
        for start, end in pairs if meaning.fields is not None else []:
            self._collector.add_edge({"source": start, "sink": end, **(meaning.fields or {})}, line)

    def _count_lost(self, attributes: Attributes, read: frozenset[str] | set[str], times: int = 1) -> None:
        for key in attributes:
            if key not in read and key not in DRAWING:
                self._lost[key] += times

    def _add_notices(self) -> None:
        add = self._collector.notices.append
        for reason, words in _NOTICES.items():
            if count := self._seen[reason]:
                add(words.format(count=count))
        if self._groups:
            add(f"Groups (labelled subgraphs) are not kept: {listed(self._groups, most=8)}.")
        self._collector.notices += not_read("Attributes", self._lost)


def _meaning(attributes: Attributes, direction: str) -> _Meaning:
    labels = {key: shown(attributes[key]) for key in _SIGN_LABELS if key in attributes}
    labels = {key: label for key, label in labels.items() if label.strip()}
    signs = {key: label for key, label in labels.items() if is_sign(label)}
    words = [label for key, label in labels.items() if key not in signs and label not in _DELAY_LABELS]
    sign = _word(attributes, "sign") or _word(attributes, "polarity")
    if not sign and len({sign_or_text(label) for label in signs.values()}) > 1:
        return _Meaning(attributes, None, ", ".join(f"{key} {label}" for key, label in signs.items()))
    seen = []
    sign = sign or next(iter(signs.values()), "")
    if not sign and _word(attributes, "arrowtail" if direction == "back" else "arrowhead").lower() == "tee":
        sign = "-"
        seen.append("tee")
    delay = _word(attributes, "delay") or ("yes" if _DELAY_LABELS & set(labels.values()) else "")
    comment = attributes["comment"].text.strip() if "comment" in attributes else ""
    note = unescaped_note(attributes["note"].text) if "note" in attributes else comment
    if not note and words:
        note = "; ".join(words)
        seen.append("words")
    fields = {"sign": sign, "delay": delay, "flag": _word(attributes, "flag"), "note": note}
    return _Meaning(attributes, fields, seen=tuple(seen))


_RECORDS = ("record", "mrecord")
_OTHER_ARROWS = {
    "--": "-- has no direction; a causal graph needs directed edges (->)",
    "<-": "DOT has only ->; write the source first",
    "<->": "DOT has only ->; write two edges",
}
_NOTICES = {
    "tee": "Arrowheads of the form tee were read as minus: {count}.",
    "words": "Edge labels that are not signs were kept as notes: {count}.",
    "back": "Edges drawn backwards (dir=back) were read from their tail to their head: {count}.",
    "both": "Edges with two heads (dir=both) were read as two edges: {count}.",
    "invisible": "Invisible edges (style=invis) were left out: {count}.",
}


def _word(attributes: Attributes, key: str) -> str:
    """Return the start of a word attribute: long values may be shared by many edges."""
    return attributes[key].text[:_LONGEST].strip() if key in attributes else ""


def _place(attributes: Attributes) -> tuple[float, float] | None:
    match = _POSITION.match(_word(attributes, "pos"))
    try:
        return (float(match.group(1)), 0 - float(match.group(2))) if match else None
    except ValueError:
        return None
