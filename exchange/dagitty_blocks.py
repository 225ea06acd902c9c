"""DAGitty code before 2013, printed in old papers: a block of variables, a blank line, a block of arrows.

    E E @-2.2,1.6          name, role (E exposure, O outcome, A adjusted, U latent; a number is none), place
    D O @1.4,1.6

    E D                    a variable and its children; or a matrix of 0 and 1, row to column

Names are percent-encoded. Two variables that point at each other have a hidden common cause (`<->` of today).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import unquote

from exchange.edge_rows import EdgeCollector, ImportedGraph

LONGEST_LINE = 2_000
"""Longest line of a variable: a percent-encoded name and its place."""

_NUMBER = r"(-?(?:\d+(?:\.\d*)?|\.\d+))"
_PLACE = re.compile(f"@{_NUMBER},{_NUMBER}")
_FLAG = re.compile(r"\d+(?:\.\d+)?|[EOAUS]+")
_ROLES = {"E": "exposure", "O": "outcome", "A": "adjusted", "U": "latent", "S": "selected"}

Spot = tuple[Decimal, Decimal]
_Words = dict[str | None, "_Words"]
Placer = Callable[[Mapping[str, Spot]], dict[str, tuple[float, float]]]


class _Line(NamedTuple):
    number: int
    text: str


def is_two_blocks(text: str, *, is_strict: bool = True) -> bool:
    """Return True if the text has the two blocks. Strict: every variable has a flag and a place, so that no other
    text matches."""
    variables, arrows = _blocks(text)
    if not variables or not arrows:
        return False
    if not is_strict:
        return True
    return all(len(line.text) <= LONGEST_LINE and all(_parts(line.text)) for line in variables)


def read_two_blocks(text: str, filename: str, placed: Placer) -> ImportedGraph:
    """Read the two blocks; `placed` converts DAGitty's units to pixels. Faulty lines are returned as faults."""
    variables, arrows = _blocks(text)
    collector = EdgeCollector(filename)
    names, spots, lines, roles = _variables(variables, collector)
    places = placed(spots)
    stored = [collector.add_node(name, lines[name], "variable", places.get(name)) for name in names]
    if all(set(line.text.split()) <= {"0", "1"} for line in arrows):
        pairs = _of_matrix(arrows, names, collector)
    else:
        pairs = _of_lists(arrows, names, collector)
    order = {name: place for place, name in enumerate(names)}
    for (source, sink), number in pairs.items():
        if (sink, source) in pairs and source != sink:
            if order[source] < order[sink]:
                collector.fault(
                    number,
                    "",
                    f"{source} <-> {sink}",
                    "two variables that point at each other have a hidden common cause here; name it: A <- U -> B",
                )
        else:
            collector.add_edge({"source": source, "sink": sink}, number)
    if roles and any(stored):
        listed = "; ".join(f"{role}: {', '.join(members[:5])}" for role, members in roles.items())
        collector.notices.append(f"Roles of variables are not kept ({listed}).")
    return collector.result()


def _blocks(text: str) -> tuple[list[_Line], list[_Line]]:
    lines = [_Line(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
    first = next((place for place, line in enumerate(lines) if line.text), len(lines))
    gap = next((place for place in range(first, len(lines)) if not lines[place].text), len(lines))
    return lines[first:gap], [line for line in lines[gap:] if line.text]


def _variables(
    block: list[_Line], collector: EdgeCollector
) -> tuple[list[str], dict[str, Spot], dict[str, int], dict[str, list[str]]]:
    names: dict[str, int] = {}
    spots: dict[str, Spot] = {}
    roles: dict[str, list[str]] = {}
    for number, text in block:
        if len(text) > LONGEST_LINE:
            collector.fault(number, "variable", text, "a line is: name, role or number, @x,y")
            continue
        written, flag, place = _parts(text)
        name = unquote(written)
        names.setdefault(name, number)
        if place is not None:
            spots[name] = (Decimal(place.group(1)), Decimal(place.group(2)))
        for letter in flag:
            if letter in _ROLES:
                roles.setdefault(_ROLES[letter], []).append(name)
    return list(names), spots, names, roles


def _parts(line: str) -> tuple[str, str, re.Match[str] | None]:
    """Return name, role or number ("" without one) and place of a variable's line; a line of one word is a name."""
    rest, flag, place = line, "", None
    if len(words := rest.rsplit(None, 1)) == 2 and (place := _PLACE.fullmatch(words[1])) is not None:
        rest = words[0]
    if len(words := rest.rsplit(None, 1)) == 2 and _FLAG.fullmatch(words[1]) is not None:
        rest, flag = words
    return rest, flag, place


def _of_matrix(block: list[_Line], names: list[str], collector: EdgeCollector) -> dict[tuple[str, str], int]:
    rows = [(line.number, line.text.split()) for line in block]
    size = len(names)
    if len(rows) != size or any(len(row) != size for _, row in rows):
        expected = f"the matrix has {size} rows of {size} numbers, one for each variable above"
        collector.fault(rows[0][0], "", f"{len(rows)} rows", expected)
        return {}
    return {
        (source, sink): number
        for source, (number, row) in zip(names, rows, strict=True)
        for sink, cell in zip(names, row, strict=True)
        if cell == "1"
    }


def _of_lists(block: list[_Line], names: list[str], collector: EdgeCollector) -> dict[tuple[str, str], int]:
    pairs: dict[tuple[str, str], int] = {}
    known = _word_by_word(names)
    for number, text in block:
        named = list(_names_in(text, known))
        unknown = [name for name, is_known in named if not is_known]
        if unknown:
            collector.fault(number, "", unknown[0], "no variable of this name is in the block above")
        source = named[0] if named else ("", False)
        for sink, is_known in named[1:]:
            if source[1] and is_known:
                pairs.setdefault((source[0], sink), number)
    return pairs


def _word_by_word(names: list[str]) -> _Words:
    """Return the names as a tree of their words; None marks the last word of each."""
    tree: _Words = {}
    for name in names:
        branch = tree
        for word in name.split(" "):
            branch = branch.setdefault(word, {})
        branch[None] = {}
    return tree


def _names_in(text: str, known: _Words) -> Iterator[tuple[str, bool]]:
    """Yield the names along a line, each the shortest run of words that is a variable; places of bends are skipped."""
    words: list[str] = []
    branch: _Words | None = known
    for written in text.split():
        if _PLACE.fullmatch(written):
            continue
        words.append(unquote(written))
        for word in words[-1].split(" "):  # one with %20 in it is several
            branch = None if branch is None else branch.get(word)
        if branch is not None and None in branch:
            yield " ".join(words), True
            words, branch = [], known
    if words:
        yield " ".join(words), False
