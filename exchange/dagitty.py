"""DAGitty code, as its page and its R package print it, and its old format in two blocks.

`->` and `<-` are causes. `<->` (a hidden common cause), `--` and the undecided ends `@` of pdags, mags and pags are
faulty rows. Roles (exposure, outcome, adjusted, latent, selected) are named in a notice and dropped. Signs, delays,
flags and notes are written as attributes of arrows: DAGitty preserves unknown attributes.

One DAGitty unit is 200 pixels, with y downwards in both; written files record this as scale="200", which DAGitty
ignores. Without it, a drawing too dense for the labels is spread out.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from statistics import median
from urllib.parse import unquote

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.lines.write import quote_name
from exchange.acyclic import loop_obstacle
from exchange.dagitty_blocks import is_two_blocks, read_two_blocks
from exchange.dot_marks import escaped_note, unescaped_note
from exchange.dot_syntax import (
    MOST_EDGES,
    Attributes,
    DefaultStatement,
    Document,
    DotBlock,
    EdgeStatement,
    NodeStatement,
    parse,
)
from exchange.dot_tokens import DotToken, tokens
from exchange.edge_rows import EdgeCollector, ImportedGraph, not_read

SCALE = Decimal(200)
"""Pixels per DAGitty unit: neighbours in its example graphs are one or two units apart."""
TIGHT, ROOMY, MOST_MEASURED = 60.0, 160.0, 500

_KINDS = ("dag", "pdag", "mag", "pag", "graph", "digraph")
_HEAD = re.compile(r'\s*(digraph|graph|dag|pdag|mag|pag)\b\s*+(?:(?:"(?:[^"\\]|\\.)*+"|[\w.]++)\s*+)?\{', re.IGNORECASE)
_IN_R = re.compile(r"""^[^\S\n]*(?:[\w.]+\s*(?:<-|=)\s*)?(?:dagitty::)?dagitty\s*\(\s*(?P<quote>["'])""", re.MULTILINE)
_BARE = re.compile(r"[0-9A-Za-z_.]+")
_NUMBER = r"\s*(-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*"
_POSITION = re.compile(f"{_NUMBER},{_NUMBER}$")
_ROLES = {
    word: role
    for role, words in {
        "exposure": "exposure source e",
        "outcome": "outcome target o",
        "adjusted": "adjusted a",
        "latent": "latent unobserved l u",
        "selected": "selected s",
    }.items()
    for word in words.split()
}
_OTHER_ENDS = {
    "<->": "<-> means a hidden common cause, not an edge between the two; name the cause: A <- U -> B",
    "--": "-- has no direction; write -> or <-",
}
_LONGEST = 1_000
_READ = frozenset({"pos", "label", "sign", "polarity", "delay", "flag", "note"})


def is_mine(text: str) -> bool:
    """Return True if the text starts like `dag {` (or `graph {` with arrows), calls R's dagitty(), or has the two
    blocks of the old format, each variable with flag and place."""
    head = _HEAD.match(text)
    if head is None:
        return _IN_R.search(text) is not None or is_two_blocks(text)
    if "graph" not in head.group(1).lower():
        return True
    if head.group(1).lower() == "digraph":
        return False  # DAGitty takes it, and so does Graphviz, whose word it is
    return any(token.kind == "op" and token.text != "--" for token in tokens(text, is_dagitty=True))


def read(text: str, filename: str) -> ImportedGraph:
    """Read one graph; faulty statements and ends that are no cause are returned as faults with their line. Raises
    BadRow if the text is no DAGitty code or nests deeper than 32 braces."""
    code = _without_r(text)
    begins = _HEAD.match(code)
    has_arrow = any(token.kind == "op" for token in tokens(code, is_dagitty=True))
    if not begins and not has_arrow and is_two_blocks(code, is_strict=False):
        return read_two_blocks(code, filename, _placed)
    if not begins and has_arrow:
        code = f"dag {{{code}\n}}"  # DAGitty lets these words be left out
    return _Reader(filename, parse(code, filename, kinds=_KINDS, example="dag { A -> B }", is_dagitty=True)).result()


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    ids = _ids(graph)
    lines = ["dag {"]
    if places:
        lines.append(f'scale="{SCALE}"')
    for name in graph.nodes:
        marks = [] if ids[name] == name else [f"label={_quoted(name)}"]
        if point := places.get(name):
            marks.append(f'pos="{_units(point.x)},{_units(point.y)}"')
        lines.append(_id(ids[name]) + _listing(marks))
    for edge in graph.edges:
        lines.append(f"{_id(ids[edge.source])} -> {_id(ids[edge.sink])}{_listing(_marks(edge))}")
    return ("\n".join([*lines, "}"]) + "\n").encode("utf-8")


def obstacle(graph: CausalGraph) -> str:
    """Return what DAGitty cannot express: loops, edges that differ only in sign, names that end in a backslash."""
    if why := loop_obstacle(graph, "DAGitty"):
        return why
    pairs = Counter(edge.pair for edge in graph.edges)
    if several := [pair for pair, count in pairs.items() if count > 1]:
        source, sink = several[0]
        return (
            f"DAGitty allows one edge from one variable to another; {len(several)} here have several signs, such as "
            f"{quote_name(source)} -> {quote_name(sink)}. Decide on one sign, or choose DOT, CSV or JSON."
        )
    if ending := [name for name in graph.nodes if name.endswith("\\")]:
        return f"DAGitty cannot store a name that ends in a backslash: {quote_name(ending[0])}. Rename it."
    return ""


def _ids(graph: CausalGraph) -> dict[str, str]:
    """Return every node's id: its name, except `graph` and `node`, which DAGitty reserves; these get a label."""
    ids = {name: name for name in graph.nodes}
    for name in ("graph", "node"):
        while ids.get(name) in graph.nodes:
            ids[name] += "_"
    return ids


def _id(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def _listing(marks: list[str]) -> str:
    return f" [{','.join(marks)}]" if marks else ""


def _marks(edge: Edge) -> list[str]:
    marks = {
        "sign": edge.sign.value if edge.sign is not None else "",
        "delay": "yes" if edge.delay else "",
        "flag": edge.flag.value if edge.flag is not None else "",
        "note": escaped_note(edge.note),
    }
    return [f"{key}={_quoted(value)}" for key, value in marks.items() if value]


def _units(pixels: float) -> str:
    """Return exact units: a decimal divided by 200 is finite. DAGitty reads no exponents."""
    return format(Decimal(repr(pixels)) / SCALE, "f")


def _without_r(text: str) -> str:
    """Return the code inside a call of R's dagitty() with the same line numbers, or the text itself."""
    call = _IN_R.search(text)
    if call is None:
        return text
    quote = call.group("quote")
    ends = re.compile(rf"(?:[^\\{quote}]|\\.?)*+", re.DOTALL).match(text, call.end())
    code = text[call.end() : ends.end() if ends else len(text)]
    return "\n" * text.count("\n", 0, call.end()) + re.sub(r"\\(['\"\\])", r"\1", code)


class _Reader:
    def __init__(self, filename: str, document: Document) -> None:
        self._document = document
        self._collector = EdgeCollector(filename)
        self._nodes: dict[str, tuple[int, Attributes]] = {}
        self._arrows: list[tuple[str, str, int, Attributes]] = []
        self._meanings: dict[int, dict[str, str]] = {}
        self._scale = ""
        self._lost: Counter[str] = Counter()

    def result(self) -> ImportedGraph:
        for line, value, expected in self._document.faults:
            self._collector.fault(line, "", value, expected)
        self._walk(self._document.body)
        spots: dict[str, Spot] = {}
        for id, (_, attributes) in self._nodes.items():
            if "pos" in attributes and (match := _POSITION.match(attributes["pos"].text)):
                spots[id] = (Decimal(match.group(1)), Decimal(match.group(2)))
        places = _placed(spots, self._scale)
        names: dict[str, str | None] = {}
        for id, (line, attributes) in self._nodes.items():
            label = attributes.get("label")
            name = label.text if label is not None and label.text.strip() else id
            self._lost.update(key for key in attributes if key not in _READ and key not in _ROLES)
            names[id] = self._collector.declare(name, line, "variable", places.get(id))
        for source, sink, line, attributes in self._arrows:
            self._take(names[source], names[sink], line, attributes)
        self._collector.faults.sort(key=lambda fault: fault.line or 0)
        self._add_notices(names)
        return replace(self._collector.result(), title=" ".join(self._document.body.name.split()))

    def _walk(self, block: DotBlock) -> list[str]:
        named: dict[str, None] = {}
        for statement in block.statements:
            if isinstance(statement, DefaultStatement):
                scale = statement.attributes.get("scale")
                self._scale = scale.text if scale is not None else self._scale
            elif isinstance(statement, NodeStatement):
                self._declare(statement.id).update(statement.attributes)
                named[statement.id.text] = None
            elif isinstance(statement, EdgeStatement):
                named.update(dict.fromkeys(self._take_chain(statement)))
            else:
                named.update(dict.fromkeys(self._walk(statement)))
        return list(named)

    def _declare(self, token: DotToken) -> Attributes:
        return self._nodes.setdefault(token.text, (token.line, {}))[1]

    def _take_chain(self, chain: EdgeStatement) -> list[str]:
        ends: list[list[str]] = []
        for end in chain.ends:
            if isinstance(end, DotBlock):
                ends.append(self._walk(end))
            else:
                self._declare(end)
                ends.append([end.text])
        for op, left, right in zip(chain.ops, ends, ends[1:], strict=False):
            if op.text not in ("->", "<-"):
                shown = f"{', '.join(left)} {op.text} {', '.join(right)}"
                undecided = f"the end @ of {op.text} is undecided; write -> or <-"
                self._collector.fault(op.line, "", shown, _OTHER_ENDS.get(op.text, undecided))
                continue
            if len(self._arrows) + len(left) * len(right) > MOST_EDGES:
                self._collector.fault(
                    op.line, "", op.text, f"a file may contain {MOST_EDGES:,} edges; these were not read"
                )
                continue
            sources, sinks = (left, right) if op.text == "->" else (right, left)
            self._arrows += [(source, sink, op.line, chain.attributes) for source in sources for sink in sinks]
        return [name for end in ends for name in end]

    def _take(self, source: str | None, sink: str | None, line: int, attributes: Attributes) -> None:
        if source is None or sink is None:
            self._collector.fault(line, "", "", "both ends of the edge need a name that can be kept")
            return
        if id(attributes) not in self._meanings:  # all arrows between two groups share one
            self._meanings[id(attributes)] = _meaning(attributes)
        self._collector.add_edge({"source": source, "sink": sink, **self._meanings[id(attributes)]}, line)
        self._lost.update(key for key in attributes if key not in _READ)

    def _add_notices(self, node_names: Mapping[str, str | None]) -> None:
        roles: dict[str, list[str]] = {}
        for id, (_, attributes) in self._nodes.items():
            for role in dict.fromkeys(_ROLES[key] for key in attributes if key in _ROLES):
                roles.setdefault(role, []).append(node_names[id] or id)
        if roles:
            listed = "; ".join(
                f"{role}: {', '.join(names[:5])}{' …' * (len(names) > 5)}" for role, names in roles.items()
            )
            self._collector.notices.append(f"Roles of variables are not kept ({listed}).")
        self._collector.notices += not_read("Attributes", self._lost)


def _meaning(attributes: Attributes) -> dict[str, str]:
    """Return the fields of an arrow; of words only the first `_LONGEST` characters are read."""
    text = {key: token.text for key, token in attributes.items()}
    note = unescaped_note(text["note"]) if "note" in text else unquote(text.get("label", ""))
    words = {"sign": text.get("sign") or text.get("polarity") or "", "delay": text.get("delay", "")}
    words["flag"] = text.get("flag", "")
    return {"note": note, **{key: word[:_LONGEST] for key, word in words.items()}}


Spot = tuple[Decimal, Decimal]


def _placed(spots: Mapping[str, Spot], scale: str = "") -> dict[str, tuple[float, float]]:
    """Return places in pixels. Without a scale in the file, drawings whose neighbours would be under 60 px apart (in
    the median) are spread to 160 px."""
    pixels = Decimal(scale) if re.fullmatch(r"0*[1-9]\d{0,5}", scale) else SCALE
    if not scale and len(spots) > 1:
        points = [(float(x), float(y)) for x, y in list(spots.values())[:MOST_MEASURED]]
        nearest = (min(math.dist(a, b) for j, b in enumerate(points) if j != i) for i, a in enumerate(points))
        gap = median(nearest)
        if 0 < gap * float(SCALE) < TIGHT:
            pixels = Decimal(repr(round(ROOMY / gap, 1)))
    return {name: (float(x * pixels), float(y * pixels)) for name, (x, y) in spots.items()}
