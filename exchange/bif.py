"""Structures of Bayesian networks in BIF 0.15, the format of the bnlearn repository; probabilities are dropped.
Follows Cozman's description (the Interchange Format for Bayesian Networks): names bare or quoted, `,` and `|`
without meaning between names, properties, comments. Written for strict readers too: words for names, with the true
name in a property, and every row of every table. Two neutral states and equal probabilities fill the required
places, and a property says that they are meaningless. Edges are read in the order of their sinks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from urllib.parse import unquote

from core.errors import BadRow
from core.graphs.graph import CausalGraph
from exchange.acyclic import loop_obstacle
from exchange.bif_tokens import BifToken, tokens
from exchange.bif_writing import STATES, write
from exchange.edge_rows import EdgeCollector, ImportedGraph

__all__ = ["is_mine", "obstacle", "read", "write"]

MOST_FAULTS = 100
"""Number of faulty blocks after which reading stops."""

_GAP = r"(?:\s++|//[^\n]*+|/\*.*?\*/)*+"
_NAME = r'(?:"[^"\n]*+"|[^\s{}"]++)'
# Not possessive: Python before 3.11.5 matches possessive groups with a choice inside wrongly (its issue 106052).
_NAME_UP_TO_COMMENT = r'(?:[^\s{}"/]|/(?![/*]))*'
_HEAD = re.compile(
    rf"{_GAP}(?:network\b{_GAP}(?:{_NAME}|{_NAME_UP_TO_COMMENT}){_GAP}\{{|variable\s++{_NAME}\s*+\{{\s*+type\b)",
    re.DOTALL,
)
_NUMBER = r"(-?[\d.]++(?:e[-+]?\d{1,3}+)?+)"
_POSITION = re.compile(rf"\(\s*+{_NUMBER}\s*+(?:,\s*+)?{_NUMBER}\s*+\)", re.IGNORECASE)
_EXAMPLE = "variable X { type discrete [ 2 ] { yes, no }; }"


def is_mine(text: str) -> bool:
    """Return True if the text starts like `network name {` or `variable X { type`, ignoring comments."""
    return _HEAD.match(text) is not None


def read(text: str, filename: str) -> ImportedGraph:
    """Read the structure of one network; faulty blocks are returned as faults with their line. Raises BadRow if the
    text has no variable."""
    return _Reader(text, filename).result()


def obstacle(graph: CausalGraph) -> str:
    """Return the loop that BIF cannot express, or ""."""
    return loop_obstacle(graph, "BIF")


@dataclass(slots=True)
class _Variable:
    word: str
    line: int
    states: list[str] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)


class _Table(NamedTuple):
    child: BifToken
    parents: list[BifToken]


class _Wrong(Exception):
    def __init__(self, line: int, value: str, expected: str) -> None:
        super().__init__(expected)
        self.fault = (line, value, expected)


class _Reader:
    def __init__(self, text: str, filename: str) -> None:
        self._tokens = list(tokens(text))
        self._place = 0
        self._file = filename
        self._collector = EdgeCollector(filename)
        self._variables: dict[str, _Variable] = {}
        self._tables: dict[str, _Table] = {}
        self._title = ""

    def result(self) -> ImportedGraph:
        while self._place < len(self._tokens) and len(self._collector.faults) < MOST_FAULTS:
            start = self._place
            try:
                self._block()
            except _Wrong as wrong:
                self._fault(*wrong.fault)
                self._place = max(self._place, start + 1)
                while self._place < len(self._tokens) and not self._may_begin_block(self._place):
                    self._place += 1
        if not self._variables:
            first = self._tokens[0] if self._tokens else BifToken("word", "", 1)
            raise BadRow(self._file, first.line, "", first.text[:60], f"a network has variables: {_EXAMPLE}")
        if len(self._collector.faults) >= MOST_FAULTS:
            self._fault(self._tokens[-1].line, "", f"reading stopped: more than {MOST_FAULTS} blocks are faulty")
        return self._graph()

    # blocks

    def _block(self) -> None:
        token = self._take()
        if token.is_word("network"):
            name = "" if self._peek().is_mark("{") else self._take().text
            self._title = "" if name in ("unknown", "graph") else name
            self._skip_braces()
        elif token.is_word("variable"):
            self._variable()
        elif token.is_word("probability"):
            self._probability()
        else:
            raise _Wrong(token.line, token.text, "expected network, variable or probability")

    def _variable(self) -> None:
        name = self._take()
        if not name.is_name:
            raise _Wrong(name.line, name.text, "expected a name")
        opened = self._peek()
        if opened.is_name:
            raise _Wrong(opened.line, f"{name.text} {opened.text}", "a name of several words must be in quotes")
        self._expect("{")
        variable = _Variable(name.text, name.line)
        first = self._variables.setdefault(
            name.text, variable
        )  # before its block, since a broken block declares it too
        while not self._peek().is_mark("}"):
            self._refuse_new_block(opened)
            token = self._take()
            if token.is_word("property"):
                key, _, value = " ".join(token.text for token in self._until(";", opened)).partition("=")
                variable.properties[key.strip()] = value.strip()
            elif token.is_mark("{"):  # the states
                variable.states = [token.text for token in self._until("}", opened) if token.is_name]
        self._take()
        if first is not variable:
            raise _Wrong(name.line, name.text, f"this variable is already declared in line {first.line}")

    def _probability(self) -> None:
        opened = self._peek()
        self._expect("(")
        names = [token for token in self._until(")", opened) if not token.is_mark(",") and not token.is_mark("|")]
        if wrong := [token for token in names if not token.is_name]:
            raise _Wrong(wrong[0].line, wrong[0].text, "expected ( variable | parent, parent )")
        if not names:
            raise _Wrong(opened.line, "( )", "expected ( variable | parent, parent )")
        self._skip_braces()
        child = names[0]
        if child.text in self._tables:
            first = self._tables[child.text].child.line
            raise _Wrong(child.line, child.text, f"the parents of this variable are already given in line {first}")
        self._tables[child.text] = _Table(child, names[1:])

    def _skip_braces(self) -> None:
        opened = self._peek()
        self._expect("{")
        depth = 1
        while depth:
            self._refuse_new_block(opened)
            token = self._take()
            depth += token.is_mark("{") - token.is_mark("}")

    # tokens

    def _peek(self) -> BifToken:
        if self._place >= len(self._tokens):
            last = self._tokens[-1]
            raise _Wrong(last.line, last.text, "the file ends inside a block; is it cut off?")
        return self._tokens[self._place]

    def _take(self) -> BifToken:
        token = self._peek()
        self._place += 1
        return token

    def _expect(self, mark: str) -> None:
        token = self._peek()
        if not token.is_mark(mark):
            raise _Wrong(token.line, token.text, f"expected {mark}")
        self._place += 1

    def _until(self, mark: str, opened: BifToken) -> list[BifToken]:
        tokens = []
        while not self._peek().is_mark(mark):
            self._refuse_new_block(opened)
            tokens.append(self._take())
        self._place += 1
        return tokens

    def _begins_block(self, place: int) -> bool:
        """Return True if `variable X {` or `probability (` starts here: no table or list of states contains that."""
        token = self._tokens[place]
        if token.kind != "word" or token.text not in ("variable", "probability"):
            return False
        after = self._tokens[place + 1 : place + 3]
        if token.text == "variable":
            return len(after) == 2 and after[0].is_name and after[1].is_mark("{")
        return bool(after) and after[0].is_mark("(")

    def _may_begin_block(self, place: int) -> bool:
        """Return True also for a broken block: its keyword is the first word of a line."""
        token, before = self._tokens[place], self._tokens[place - 1]
        is_first = token.line > before.line and token.text in ("network", "variable", "probability")
        return is_first or self._begins_block(place)

    def _refuse_new_block(self, opened: BifToken) -> None:
        if self._peek() and self._begins_block(self._place):
            raise _Wrong(opened.line, opened.text, f"this {opened.text} is never closed")

    # the graph

    def _graph(self) -> ImportedGraph:
        names: dict[str, str | None] = {}
        for word, variable in self._variables.items():
            place = _POSITION.search(variable.properties.get("position", ""))
            at = None
            if place is not None and all(part.count(".") < 2 for part in place.groups()):
                at = (float(place.group(1)), float(place.group(2)))
            name = unquote(variable.properties.get("name", "")) or word
            names[word] = self._collector.declare(name, variable.line, "variable", at)
        for child, parents in self._tables.values():
            undeclared = [token for token in (child, *parents) if token.text not in self._variables]
            for token in undeclared:
                self._fault(token.line, token.text, f"this variable is never declared; expected {_EXAMPLE}")
            sink = names.get(child.text)
            for parent in parents:
                source = names.get(parent.text)
                if source is not None and sink is not None:
                    self._collector.add_edge({"source": source, "sink": sink}, parent.line)
        self._collector.faults.sort(key=lambda fault: fault.line or 0)
        lost = [each.states for each in self._variables.values() if each.states and each.states != list(STATES)]
        if lost:
            count = sum(map(len, lost))
            self._collector.notices.append(
                f"States and probabilities are not kept: {count} states of {len(lost)} variables."
            )
        return replace(self._collector.result(), title=self._title)

    def _fault(self, line: int, value: str, expected: str) -> None:
        self._collector.fault(line, "", value, expected)
