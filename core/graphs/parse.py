"""The typed form of a graph: lines of `source -> sink`, as people type and paste them, and back.

An arrow stands between white space or quotes. A comma or a dash never splits a name, a `;` separates several
sinks. A faulty line is reported by its number, with a corrected line to take over where one is plausible; the
good lines of the same text are kept. Nothing is repaired silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from core.errors import InvalidName
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.names import clean_name
from core.sign import Sign

LONGEST_LINE = 20_000
"""Characters a line may have: over sixty names of the longest kind."""


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
class Parsed:
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


def parse_lines(text: str) -> Parsed:
    """Read typed or pasted lines.

    `A -> B` one edge; `A -> B; C` several sinks; `A -> B -> C` a chain; `A ->+ B`, `A ->- B` with its sign, also
    as `A -> B (+)`; `A <-> B` both directions; `A <- B` is B → A; `-->`, `=>` and drawn arrows (→ ⇒ ↔ ←) are
    arrows too. Names with an arrow, a `;` or a quote in them are quoted, a quote inside is doubled:
    `"NH4->NO3 rate" -> "Yield"`. A line that is one quoted name declares a node. Blank lines are skipped.

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
    for number, line in enumerate(_LINE_ENDS.split(text), start=1):
        if not line.strip():
            continue
        try:
            read = _read_line(line)
        except _Fault as fault:
            faults.append(LineFault(number, line, fault.message, _checked_offer(fault.offer())))
            continue
        if read.list_mark:
            notices.append(LineNotice(number, f"The list mark {read.list_mark} was left out."))
        for source, sink, sign in read.edges:
            found = edges.setdefault((source, sink, sign), ParsedEdge(source, sink, sign, number))
            if found.line != number or read.edges.count((source, sink, sign)) > 1:
                notices.append(_already_listed(number, source, sink, found.line))
        if read.node is not None:
            nodes.setdefault(read.node, ParsedNode(read.node, number))
    return Parsed(tuple(edges.values()), tuple(nodes.values()), tuple(faults), tuple(dict.fromkeys(notices)))


def quote_name(name: str) -> str:
    """A name in the standard format: in quotes, a quote inside doubled.

    >>> print(quote_name('the "rebound" effect'))
    "the ""rebound"" effect"
    """
    return '"' + name.replace('"', '""') + '"'


def format_edge(edge: Edge | ParsedEdge, *, signs: bool = False) -> str:
    """One edge in the standard format of ReCITE, `"source" -> "sink"`; with `signs`, `->+` or `->-` where known.

    >>> print(format_edge(Edge("Price, net", "Demand")))
    "Price, net" -> "Demand"
    """
    sign = edge.sign.value if signs and edge.sign is not None else ""
    return f"{quote_name(edge.source)} ->{sign} {quote_name(edge.sink)}"


def format_graph(graph: CausalGraph, *, signs: bool = False, isolated: bool = False) -> str:
    """Every edge on a line of its own, in order, each line ended.

    The standard format has no place for isolated nodes: they are left out, unless `isolated` appends each as a
    line of one quoted name, which `parse_lines` reads back. Signs are left out unless `signs`; delays, notes
    and flags always are.
    """
    lines = [format_edge(edge, signs=signs) for edge in graph.edges]
    if isolated:
        lines += map(quote_name, graph.isolated)
    return "".join(f"{line}\n" for line in lines)


# Every character that ends a line in some program; a name cannot hold one, clean_name makes it a space.
_LINE_ENDS = re.compile("\r\n|[\r\n\v\f\x85\u2028\u2029]")

# Shafts are bounded, so that a line of a million dashes is scanned once.
_BOTH = r"<-{1,8}>|<=>|[↔⟷⇔]"
_BACK = r"<-{1,8}|[←⟵⇐]"
_FORWARD = r"-{1,8}>|={1,8}>|[→⟶➔➝➜➞⇒⟹]"
_ANY_ARROW = re.compile(f"{_BOTH}|{_BACK}|{_FORWARD}")
_ARROW = re.compile(
    rf'(?:(?P<both>{_BOTH})|(?P<back>{_BACK})|(?P<forward>{_FORWARD}))(?P<mark>[^\w\s"();]*)(?=[\s"]|$)'
)
_LIST_MARK = re.compile(r"(\d{1,3}[.)]|[-*•–—‣◦·])\s+(?=\S)")
_GLUED_ARROW = re.compile(rf"(?:(?P<both>{_BOTH})|(?P<back>{_BACK})|(?P<forward>{_FORWARD}))(?P<mark>[-+−–]?)")
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"(?!")')
_END_SIGN = re.compile(r"\s\((?P<mark>[-+−–±/?]{1,4})\)\s*$")
_SIGN_BEHIND = re.compile(r"\s*\((?P<mark>[-+−–±/?]{1,4})\)\s*(?=;|$)")
_LEADING_SIGN = re.compile(r"(?P<mark>[-+−–]|\([-+−–]\))\s+(?=\S)")
_CURLY_QUOTED = re.compile(r"[“”„«].*[“”»]", re.DOTALL)
_MARKS = {"": None, "+": Sign.PLUS, "-": Sign.MINUS, "−": Sign.MINUS, "–": Sign.MINUS}

_Triple = tuple[str, str, Sign | None]


class _Fault(Exception):
    """A line cannot be taken; `offer` makes a corrected line, or "".

    It is called for the line itself only, never for a line that is tried as an offer: one repair, no chain of them.
    """

    def __init__(self, message: str, offer: Callable[[], str] = str) -> None:
        super().__init__(message)
        self.message = message
        self.offer = offer


@dataclass(frozen=True, slots=True)
class _Line:
    edges: tuple[_Triple, ...] = ()
    node: str | None = None
    list_mark: str = ""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name as written: `text` without its quotes, and the sign in brackets behind it."""

    text: str
    is_quoted: bool
    mark: str = ""


@dataclass(frozen=True, slots=True)
class _Arrow:
    direction: str  # forward, back or both
    mark: str


_Token = _Name | _Arrow | str  # a str is ";"


def _read_line(line: str) -> _Line:
    """The meaning of one line that is not blank. Raises _Fault."""
    if len(line) > LONGEST_LINE:
        raise _Fault(f"The line has {len(line):,} characters; a line may have at most {LONGEST_LINE:,}.")
    rest = line.strip()
    mark = ""
    if (found := _LIST_MARK.match(rest)) is not None:
        mark, rest = found.group(1), rest[found.end() :]
        if not rest.startswith('"'):
            raise _Fault(
                f'The line begins with "{mark}", which may be a list mark or belong to the name. '
                "Leave it out, or put the name in quotes.",
                partial(_offer_plain, rest),
            )
    tokens = _tokens(rest)
    if len(tokens) == 1 and isinstance(tokens[0], _Name):
        return _Line(node=_lone_node(tokens[0], rest), list_mark=mark)
    return _Line(edges=_edges(tokens, rest), list_mark=mark)


def _tokens(line: str) -> list[_Token]:
    """Names, arrows and semicolons in their order. Raises _Fault for quotes, glued arrows and empty places."""
    tokens: list[_Token] = []
    place = 0
    while True:
        name, place = _next_name(line, place)
        tokens.append(name)
        place = _skip_space(line, place)
        if place == len(line):
            return tokens
        if line[place] == ";":
            tokens.append(";")
            place += 1
            continue
        arrow = _ARROW.match(line, place)
        assert arrow is not None, "a name ends at the end of the line, a semicolon or an arrow"
        tokens.append(_arrow_of(arrow, line))
        place = arrow.end()


def _next_name(line: str, place: int) -> tuple[_Name, int]:
    place = _skip_space(line, place)
    if line.startswith('"', place):
        return _quoted_name(line, place)
    arrow = _free_arrow(line, place)
    semicolon = line.find(";", place)
    ends = [end for end in (arrow, semicolon) if end >= 0]
    end = min(ends, default=len(line))
    written = line[place:end]
    if not written.strip():
        raise _Fault(_empty_place(line, place, end), partial(_offer_trimmed, line))
    return _plain_name(written.rstrip(), line), end


def _quoted_name(line: str, place: int) -> tuple[_Name, int]:
    found = _QUOTED.match(line, place)
    if found is None:
        raise _Fault(
            "A quote is opened and not closed. Close it; a quote inside a name is doubled.",
            partial(_offer_unquoted, line),
        )
    end = found.end()
    sign = _SIGN_BEHIND.match(line, end)
    mark = sign.group("mark") if sign else ""
    end = sign.end() if sign else end
    follows = _skip_space(line, end)
    if follows < len(line) and line[follows] != ";" and _ARROW.match(line, follows) is None:
        if _ANY_ARROW.match(line, follows):
            raise _Fault(
                "An arrow needs white space or a quote on both sides; put both names in quotes.",
                partial(_offer_unquoted, line),
            )
        tail = _excerpt(line[follows:])
        raise _Fault(
            f"Text follows a closing quote: {tail}. After it comes an arrow, ; or the end of the line; "
            "a quote inside a name is doubled.",
            lambda: _offer_trimmed(line) or _offer_unquoted(line),
        )
    return _Name(found.group(1).replace('""', '"'), True, mark), end


def _plain_name(written: str, line: str) -> _Name:
    if _CURLY_QUOTED.fullmatch(written):
        raise _Fault('The name is in curly quotes; use straight ones (").', partial(_offer_plain, _straighten(line)))
    if '"' in written:
        raise _Fault(_quote_message(line), partial(_offer_requoted, line))
    if (lead := _LEADING_SIGN.match(written)) is not None and line[: line.find(written)].strip():
        mark = lead.group("mark").strip("()")
        raise _Fault(
            f"A sign stands apart from its arrow: {_excerpt(written)}. Write it on the arrow, ->{mark}, "
            "or put the name in quotes.",
            partial(_offer_sign_on_arrow, line),
        )
    if _ANY_ARROW.search(written):
        raise _Fault(*_glued(line))
    sign = _END_SIGN.search(written)
    if sign is None:
        return _Name(written, False)
    return _Name(written[: sign.start()], False, sign.group("mark"))


def _arrow_of(found: re.Match[str], line: str) -> _Arrow:
    direction, mark = _direction(found), found.group("mark")
    if mark not in _MARKS or (direction == "back" and mark):
        raise _Fault(
            f"The sign {mark!r} is not known here: {_excerpt(line)}. An edge takes ->+, ->- or a plain ->.",
            partial(_offer_plain, line[: found.start("mark")] + line[found.end("mark") :]),
        )
    return _Arrow(direction, mark)


def _direction(found: re.Match[str]) -> str:
    return next(name for name in ("both", "back", "forward") if found.group(name))


def _edges(tokens: list[_Token], line: str) -> tuple[_Triple, ...]:
    """Edges of `name arrow name (arrow name)* (; name)*`; in `A -> B; C` the last arrow leads to B and to C."""
    groups: list[list[_Name]] = [[]]
    arrows: list[_Arrow] = []
    for token in tokens:
        if isinstance(token, _Name):
            groups[-1].append(token)
        elif isinstance(token, _Arrow):
            arrows.append(token)
            groups.append([])
    if not arrows:
        raise _Fault("The line has several names and no arrow; write source -> sink.")
    if len(groups[0]) > 1:
        raise _Fault(*_several_sources(groups[0], line))
    if any(len(group) > 1 for group in groups[1:-1]):
        raise _Fault("Several sinks, separated by ;, can stand only at the end of a line; use a line for each.")
    if any(name.mark for name in [name for group in groups[1:-1] for name in group]):
        raise _Fault("A sign in brackets can stand only at the end; write it on the arrow, ->+ or ->-.")
    cleaned = [[_clean(name if place else _whole(name)) for name in group] for place, group in enumerate(groups)]
    triples: list[_Triple] = []
    for place, arrow in enumerate(arrows):
        source = cleaned[place][0]
        for name, written in zip(cleaned[place + 1], groups[place + 1], strict=True):
            triples += _directed(source, name, arrow.direction, _sign_of(arrow.mark, written, line))
    return tuple(triples)


def _directed(left: str, right: str, direction: str, sign: Sign | None) -> list[_Triple]:
    forward, back = (left, right, sign), (right, left, sign)
    return {"forward": [forward], "back": [back], "both": [forward, back]}[direction]


def _whole(name: _Name) -> _Name:
    """A first name keeps its "(+)": only sinks carry a sign in brackets."""
    return _Name(f"{name.text} ({name.mark})", False) if name.mark and not name.is_quoted else name


def _sign_of(arrow_mark: str, name: _Name, line: str) -> Sign | None:
    if name.mark and name.mark not in _MARKS:
        raise _Fault(
            f"The sign ({name.mark}) is not known; an edge takes (+), (-) or nothing. "
            "If it belongs to the name, put the name in quotes.",
            partial(_offer_plain, _END_SIGN.sub("", line)),
        )
    on_arrow, behind = _MARKS[arrow_mark], _MARKS[name.mark]
    if on_arrow is not None and behind is not None and on_arrow is not behind:
        raise _Fault(f"The arrow says {on_arrow.value} and the end of the line ({name.mark}); keep one of them.")
    return on_arrow if behind is None else behind


def _clean(name: _Name) -> str:
    try:
        return clean_name(name.text)
    except InvalidName as error:
        raise _Fault(str(error)) from None


def _lone_node(name: _Name, line: str) -> str:
    if name.mark:
        raise _Fault("A sign without an arrow; write source ->+ sink.")
    if not name.is_quoted:
        raise _Fault(
            "There is no arrow; write source -> sink with white space around the arrow. "
            "A name in quotes alone declares a node without edges.",
            partial(_offer_separated, line),
        )
    return _clean(name)


# Messages and offers


def _empty_place(line: str, start: int, end: int) -> str:
    if not line[:start].strip():
        return "The source is empty; write a name before the arrow."
    if end < len(line) and line[end] == ";":
        return "A name is missing before ;"
    return "The sink is empty; write a name after the arrow or the ;"


def _glued(line: str) -> tuple[str, Callable[[], str]]:
    """Message and offer for an unquoted name with an arrow inside: with another, free arrow on the line the
    glued one most likely belongs to a name (`NH4->NO3 rate -> Yield`), alone it is most likely the edge."""
    as_edges = _quote_around(line, list(_GLUED_ARROW.finditer(line)))
    free = _free_arrows(line)
    as_names = _quote_around(line, free)
    return (
        "An arrow is glued to a name, so it could be part of it. An arrow needs white space on both sides; "
        f"write {as_edges} or, if the arrow belongs to the name, {as_names}.",
        lambda: as_names if free else as_edges,
    )


def _several_sources(names: list[_Name], line: str) -> tuple[str, Callable[[], str]]:
    if any(name.is_quoted for name in names):
        return ("A line has one source; use a line for each.", str)
    source, rest = line[: _free_arrow(line, 0)].strip(), line[_free_arrow(line, 0) :]
    return (
        f"The source holds a ;, which separates sinks. If it belongs to the name, write it in quotes: "
        f"{quote_name(source)}; if these are several sources, use a line for each.",
        partial(_offer_plain, f"{quote_name(source)} {rest}"),
    )


def _quote_message(line: str) -> str:
    if line.count('"') % 2:
        return "The quotes are not balanced: each name in quotes is opened and closed, a quote inside is doubled."
    return "A quote stands inside a name without quotes; put the whole name in quotes and double the quote inside."


def _already_listed(line: int, source: str, sink: str, first: int) -> LineNotice:
    where = "in this line" if first == line else f"in line {first}"
    return LineNotice(line, f"{quote_name(source)} -> {quote_name(sink)} is already listed {where}; kept once.")


def _free_arrow(line: str, place: int) -> int:
    """Where the next arrow with white space, a quote or nothing on both sides begins, or -1."""
    for found in _ARROW.finditer(line, place):
        before = line[found.start() - 1] if found.start() else " "
        if before.isspace() or before == '"' or found.start() == place:
            return found.start()
    return -1


def _free_arrows(line: str) -> list[re.Match[str]]:
    arrows: list[re.Match[str]] = []
    place = 0
    while (start := _free_arrow(line, place)) >= 0:
        found = _ARROW.match(line, start)
        assert found is not None, "a free arrow is an arrow"
        arrows.append(found)
        place = found.end()
    return arrows


def _quote_around(line: str, arrows: list[re.Match[str]]) -> str:
    """What stands between `arrows`, each in quotes; directions, signs and several sinks are kept."""
    written, place = "", 0
    for arrow in arrows:
        shaft = {"both": "<->", "back": "<-", "forward": "->"}[_direction(arrow)]
        written += f"{quote_name(line[place : arrow.start()].strip())} {shaft}{arrow.group('mark')} "
        place = arrow.end()
    return written + "; ".join(quote_name(sink.strip()) for sink in line[place:].split(";"))


def _quote_whole(line: str) -> str:
    """The line with every name in quotes, signs on the arrows. Raises _Fault if it cannot be read."""
    read = _read_line(line)
    if read.node is not None:
        return quote_name(read.node)
    formatted = [format_edge(Edge(*triple), signs=True) for triple in read.edges]
    if len(formatted) == 1:
        return formatted[0]
    return " ".join(line.split())


def _try(build: Callable[[], str]) -> str:
    try:
        return build()
    except _Fault:
        return ""


def _offer_plain(line: str) -> str:
    return _try(lambda: _quote_whole(line))


def _offer_unquoted(line: str) -> str:
    """Quotes misplaced: the same line without any, if it then has one meaning."""
    bare = line.replace('"', " ")
    return _offer_plain(bare) or _quote_around(bare, list(_GLUED_ARROW.finditer(bare)))


def _offer_requoted(line: str) -> str:
    """A quote inside a name is doubled, one at its edge has lost its twin and is left out."""
    ends = [place for arrow in _free_arrows(line) for place in arrow.span()]
    edges = [0, *ends, len(line)]
    names = [line[start:end].strip() for start, end in zip(edges[::2], edges[1::2], strict=True)]
    if len(names) > 1 and any('"' in name.strip('"') for name in names):
        return _quote_around(line, _free_arrows(line))
    return _offer_unquoted(line)


def _offer_trimmed(line: str) -> str:
    """Without the comma, full stop or semicolon that ends the line, as in lists pasted from code."""
    bare = line.rstrip(" \t,;.")
    return _offer_plain(bare) if bare.strip() and bare != line.rstrip() else ""


def _offer_sign_on_arrow(line: str) -> str:
    moved = re.sub(rf"((?:{_FORWARD}))\s+\(?([-+−–])\)?\s+", r"\1\2 ", line, count=1)
    return _offer_plain(moved) if moved != line else ""


def _offer_separated(line: str) -> str:
    """A line without an arrow: two cells of a table or a bare > make an edge, anything else a node."""
    parts = re.split(r"\t| +~?> +", line)
    if len(parts) == 2 and all(part.strip() for part in parts):
        return f"{quote_name(parts[0].strip())} -> {quote_name(parts[1].strip())}"
    return quote_name(line.strip())


def _checked_offer(offer: str) -> str:
    """An offer must itself be taken, or it is none."""
    return offer if offer and _try(lambda: "taken" if _read_line(offer) else "") else ""


def _straighten(line: str) -> str:
    return re.sub("[“”„«»]", '"', line)


def _excerpt(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


def _skip_space(line: str, place: int) -> int:
    while place < len(line) and line[place].isspace():
        place += 1
    return place
