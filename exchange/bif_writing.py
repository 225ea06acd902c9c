"""Structures written in BIF: words for names, placeholders for the required states and tables."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import product

from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point

STATES = ("state0", "state1")
"""States written for every variable; in a file with exactly these, variables have no states of their own."""
MOST_LISTED = 10
"""Number of parents up to which each row of a table is written, as bnlearn and pgmpy require; beyond, one `default`
row."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEYWORDS = frozenset({"network", "variable", "probability", "property", "type", "discrete", "default", "table"})
_UNSAFE = re.compile(r"[^\w .,'()<>=+*&!?:#@$~^-]")


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    """Return the structure in ASCII. The graph must have no loops (`obstacle`); edges that differ only in sign are
    merged."""
    words = _words(graph)
    parents: dict[str, dict[str, None]] = {name: {} for name in graph.nodes}
    for edge in graph.edges:
        parents[edge.sink].setdefault(edge.source)
    lines = ["network graph {", "  property comment = structure only, the numbers in the tables mean nothing ;", "}"]
    for name in graph.nodes:
        lines.append(f"variable {words[name]} {{")
        lines.append(f"  type discrete [ {len(STATES)} ] {{ {', '.join(STATES)} }};")
        if words[name] != name:
            escaped = _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode("utf-8")), name)
            lines.append(f'  property name = "{escaped}" ;')
        if point := places.get(name):
            lines.append(f"  property position = ({_number(point.x)}, {_number(point.y)}) ;")
        lines.append("}")
    for name, causes in parents.items():
        of = f" | {', '.join(words[cause] for cause in causes)}" if causes else ""
        lines += [f"probability ( {words[name]}{of} ) {{", *_rows(len(causes)), "}"]
    return ("\n".join(lines) + "\n").encode("utf-8")


def _rows(parents: int) -> Iterator[str]:
    even = ", ".join([str(1 / len(STATES))] * len(STATES))
    if not parents:
        yield f"  table {even};"
    elif parents > MOST_LISTED:
        yield f"  default {even};"
    else:
        for states in product(STATES, repeat=parents):
            yield f"  ({', '.join(states)}) {even};"


def _words(graph: CausalGraph) -> dict[str, str]:
    """Return a word of letters, digits and _ for every name, the name itself if it is one."""
    words = {name: name for name in graph.nodes if _WORD.fullmatch(name) and name.lower() not in _KEYWORDS}
    used = set(words)
    for name in graph.nodes:
        if name not in words:
            plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
            part = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")
            word = base = f"v_{part}" if not _WORD.fullmatch(part) or part in _KEYWORDS else part
            number = 1
            while word in used:
                number += 1
                word = f"{base}_{number}"
            words[name] = word
            used.add(word)
    return words


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
