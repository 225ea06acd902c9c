"""The grammar shared by DOT and DAGitty code: tokens with lines, statements in order, faults. Follows Graphviz's
description of the language (graphviz.org/doc/info/lang.html) and DAGitty's grammar. Written because pydot reports no
lines, reads `a -- b` in a digraph as an edge, refuses `;;` and unquoted emoji, doubles its time with every nested
cluster, and is not thread-safe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from core.errors import BadRow
from exchange.dot_tokens import DotToken, tokens

DEEPEST = 32
"""Nested braces; real files nest three or four clusters."""
MOST_EDGES = 100_000
"""Edges per file: groups multiply, {a b} -> {c d} is four."""
MOST_ATTRIBUTES = 200
"""Attributes of a statement, and current defaults: every later node has all of them. Graphviz knows 180."""
MOST_FAULTS = 100
"""Faulty statements after which reading stops."""

Attributes = dict[str, DotToken]


@dataclass(slots=True)
class DotBlock:
    statements: list[Statement] = field(default_factory=list)
    line: int = 1
    name: str = ""


class NodeStatement(NamedTuple):
    id: DotToken
    attributes: Attributes


class EdgeStatement(NamedTuple):
    """A chain: `ends` has one more element than `ops`; an end is an id or a group in braces."""

    ends: list[DotToken | DotBlock]
    ops: list[DotToken]
    attributes: Attributes


class DefaultStatement(NamedTuple):
    """`node [...]`, `edge [...]` or `graph [...]`; `key = value` is a graph's attribute."""

    kind: str
    attributes: Attributes


Statement = NodeStatement | EdgeStatement | DefaultStatement | DotBlock


class SyntaxFault(NamedTuple):
    line: int
    value: str
    expected: str


@dataclass(slots=True)
class Document:
    kind: str
    is_strict: bool
    body: DotBlock
    faults: list[SyntaxFault]


class _Wrong(Exception):
    def __init__(self, token: DotToken | None, expected: str, is_in_list: bool = False) -> None:
        super().__init__(expected)
        self.token = token
        self.expected = expected
        self.is_in_list = is_in_list


def parse(text: str, filename: str, *, kinds: tuple[str, ...], example: str, is_dagitty: bool = False) -> Document:
    """Read one graph whose first word is one of `kinds`; faulty statements are skipped and listed. Raises BadRow if
    the text does not start like such a graph (`example` shows one) or nests deeper than 32."""
    return _Parser(text, filename, is_dagitty).document(kinds, example)


class _Parser:
    def __init__(self, text: str, filename: str, is_dagitty: bool) -> None:
        self._stream = tokens(text, is_dagitty=is_dagitty)
        self._waiting: list[DotToken] = []
        self._file = filename
        self._is_dagitty = is_dagitty
        self._faults: list[SyntaxFault] = []
        self._depth = 0
        self._last = 1

    def document(self, kinds: tuple[str, ...], example: str) -> Document:
        strict = self._peek() is not None and self._here().is_keyword("strict")
        if strict:
            self._take()
        first = self._peek()
        if first is None or not first.is_keyword(*kinds):
            raise BadRow(
                self._file, self._last, "", first.text[:60] if first else "", f"the file begins with {example}"
            )
        self._take()
        name = self._id().text if (named := self._peek()) is not None and named.is_id else ""
        if (brace := self._peek()) is None or not brace.is_mark("{"):
            raise BadRow(self._file, self._last, "", brace.text[:60] if brace else "", f"expected {{ as in {example}")
        body = self._block(name)
        if (rest := self._peek()) is not None and len(self._faults) < MOST_FAULTS:
            self._fault(
                rest, "the graph ends with the } before this; what follows was not read: a file contains one graph"
            )
        return Document(first.text.lower(), strict, body, self._faults)

    # tokens

    def _peek(self, ahead: int = 0) -> DotToken | None:
        while len(self._waiting) <= ahead:
            token = next(self._stream, None)
            if token is None:
                return None
            self._waiting.append(token)
        return self._waiting[ahead]

    def _here(self) -> DotToken:
        token = self._peek()
        if token is None:
            raise _Wrong(None, "the file ends in the middle of a statement")
        return token

    def _take(self) -> DotToken:
        token = self._here()
        self._waiting.pop(0)
        self._last = token.line
        return token

    def _skips(self, mark: str) -> bool:
        if (token := self._peek()) is None or not token.is_mark(mark):
            return False
        self._take()
        return True

    def _id(self) -> DotToken:
        token = self._here()
        if not token.is_id:
            expected = "expected a name"
            if token.kind == "junk" and token.text.startswith('"'):
                expected = "this quote is never closed"
            elif token.kind == "junk":
                expected += "; a name with other characters than letters, digits and _ must be in quotes"
            raise _Wrong(token, expected)
        pieces = [self._take().text]
        while token.kind == "quoted" and (plus := self._peek()) is not None and plus.is_mark("+"):
            self._take()
            if self._here().kind != "quoted":
                raise _Wrong(self._here(), "after + comes another text in quotes")
            pieces.append(self._take().text)
        return token._replace(text="".join(pieces))

    # statements

    def _block(self, name: str = "") -> DotBlock:
        opened = self._take()
        block = DotBlock(line=opened.line, name=name)
        self._depth += 1
        if self._depth > DEEPEST:
            raise BadRow(self._file, opened.line, "", "{", f"braces are nested deeper than {DEEPEST}")
        apart = 0  # statements before this one end at a ; or a line end; without one, a broken name may go across
        while not self._skips("}"):
            if (token := self._peek()) is None:
                if len(self._faults) < MOST_FAULTS:
                    self._fault(opened, "this { is never closed; is the file cut off?")
                break
            if token.is_mark(";") or token.line > self._last:
                apart = len(block.statements)
            if self._skips(";"):
                continue
            try:
                statement = self._statement()
            except _Wrong as wrong:
                if not wrong.is_in_list:
                    del block.statements[apart:]
                self._recover(wrong)
            else:
                block.statements += [] if statement is None else [statement]
        self._depth -= 1
        return block

    def _recover(self, wrong: _Wrong) -> None:
        """Record the fault and continue after the ; or on the next line, or after the ] inside a list."""
        at = wrong.token or DotToken("junk", "", self._last)
        self._fault(at, wrong.expected)
        if len(self._faults) >= MOST_FAULTS:
            self._fault(at, f"reading stopped here: more than {MOST_FAULTS} statements are faulty")
            self._waiting, self._stream = [], iter(())
        while (token := self._peek()) is not None:
            if not wrong.is_in_list and (token.line > at.line or (token.kind == "mark" and token.text in ";}")):
                return
            if wrong.is_in_list and token.is_mark("}"):
                return
            self._take()
            if wrong.is_in_list and token.is_mark("]"):
                return

    def _fault(self, token: DotToken, expected: str) -> None:
        self._faults.append(SyntaxFault(token.line, token.text, expected))

    def _statement(self) -> Statement | None:
        """Return the next statement; None for a chain with a faulty group."""
        faults = len(self._faults)
        first, second = self._here(), self._peek(1)
        defaults = ("graph", "node") if self._is_dagitty else ("graph", "node", "edge")
        if first.is_keyword(*defaults) and second is not None and second.is_mark("["):
            self._take()
            return DefaultStatement(first.text.lower(), self._attributes())
        if first.is_id and second is not None and second.is_mark("="):
            key = self._take().text
            self._take()
            return DefaultStatement("graph", {key: self._id()})
        end = self._end()
        ends, ops = [end], []
        while (token := self._peek()) is not None and token.kind == "op":
            ops.append(self._take())
            ends.append(self._end())
        attributes = self._attributes()
        if ops:
            return EdgeStatement(ends, ops, attributes) if len(self._faults) == faults else None
        return end if isinstance(end, DotBlock) else NodeStatement(end, attributes)

    def _end(self) -> DotToken | DotBlock:
        token, second = self._here(), self._peek(1)
        if token.is_mark("{"):
            return self._block()
        opens = second is not None and second.is_mark("{")
        if token.is_keyword("subgraph") or (self._is_dagitty and token.is_id and opens):
            self._take()
            name = "" if self._here().is_mark("{") else self._id().text
            if not self._here().is_mark("{"):
                raise _Wrong(self._here(), "a subgraph must be in braces: subgraph name { … }")
            return self._block(name)
        if token.is_keyword("graph", "node", "edge", "digraph", "strict") and not self._is_dagitty:
            raise _Wrong(token, f'{token.text} is a reserved word; a node of that name is written "{token.text}"')
        name_token = self._id()
        while self._skips(":"):  # a port: where on the box the arrow is drawn
            self._id()
        return name_token

    def _attributes(self) -> Attributes:
        attributes: Attributes = {}
        while self._skips("["):
            while not self._skips("]"):
                if self._skips(",") or self._skips(";"):
                    continue
                if (token := self._peek()) is None or not token.is_id:
                    raise _Wrong(token, "expected name=value or ] in the list of attributes", is_in_list=True)
                key = self._id()
                if len(attributes) >= MOST_ATTRIBUTES:
                    raise _Wrong(key, f"at most {MOST_ATTRIBUTES} attributes are read", is_in_list=True)
                attributes[key.text] = key._replace(text="true", kind="word")
                if self._skips("="):
                    if not self._here().is_id:
                        raise _Wrong(
                            self._here(),
                            f"expected a value for {key.text}; a space or special character in it needs quotes",
                            is_in_list=True,
                        )
                    attributes[key.text] = self._id()
        return attributes
