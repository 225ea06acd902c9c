"""Rows of a file as edges: the meaning of `type` and `direction` follows from all rows together. A column `type`
contains signs in one program, directions in Gephi's tables, and kinds of links in Kumu's. If one of the types is a
sign, all are signs, and any other is a faulty row. If none is, but one is a direction, they are directions.
Otherwise they are named in a notice and not read. A direction is directed, mutual (two edges) or undirected, which
says nothing about cause and is a faulty row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.errors import UnknownSign
from core.graphs.lines.write import quote_name
from core.graphs.names import LONGEST_NAME
from core.sign import parse_edge_sign
from exchange.edge_rows import EdgeCollector, listed, not_read

UNDIRECTED = "an undirected edge says nothing about cause; make it directed (source acts on sink) or mutual"
_EXPECTED = "a direction is directed, mutual or undirected"
_FORWARD, _BOTH, _NEITHER = "directed", "mutual", "undirected"
_DIRECTIONS = {_FORWARD: _FORWARD, _BOTH: _BOTH, _NEITHER: _NEITHER, "bidirectional": _BOTH, "both": _BOTH}
_ANSWERS = {"yes": _FORWARD, "true": _FORWARD, "no": _NEITHER, "false": _NEITHER}
"""Values under the heading `directed`."""


@dataclass(frozen=True, slots=True)
class EdgeRecordRow:
    """One edge of a file.

    Attributes:
        fields: texts by Edgewise's fields, and by `type` and `direction` if the file has them.
        line: line or row in the file, or None.
        place: prefix of a field's name in faults, such as "edges[3].".
        shown: converts Edgewise's field name to the file's, for faults.
    """

    fields: Mapping[str, str]
    line: int | None = None
    place: str = ""
    shown: Callable[[str], str] = str


class Meanings(NamedTuple):
    """The field that types represent (`sign`, `direction`, or ""), and whether directions are valid."""

    type: str = ""
    direction: bool = True


def meanings_of(rows: Sequence[EdgeRecordRow]) -> Meanings:
    """Return the meaning of the types and directions of these rows. The type of a row with its own sign does not
    make the types signs, nor one with a direction directions."""
    directions = [text for row in rows if (text := row.fields.get("direction", "").strip())]
    is_direction = not directions or any(_direction(text) for text in directions)
    types = [(text, row) for row in rows if (text := row.fields.get("type", "").strip())]
    if any(_is_sign(text) for text, row in types if not row.fields.get("sign", "").strip()):
        return Meanings("sign", is_direction)
    if any(text.casefold() in _DIRECTIONS for text, row in types if not row.fields.get("direction", "").strip()):
        return Meanings("direction", is_direction)
    return Meanings("", is_direction)


def add_rows(
    collector: EdgeCollector,
    rows: Iterable[EdgeRecordRow],
    meanings: Meanings,
    *,
    known: Collection[str] | None = None,
    sink: str = "",
) -> None:
    """Add rows as edges, mutual ones as two; invalid directions and signs are faults, unread values notices. known:
    names of a file that lists its nodes; other names are added with a notice. sink: the expectation for a row
    without a sink, if such a row declares no node."""
    noted = _Noted([], [], [], [], [])
    names = None if known is None else {name.strip() for name in known} | {""}
    for row in rows:
        if sink and not row.fields.get("sink", "").strip():
            collector.fault(row.line, _field(row, "sink"), "", sink, is_row=True)
        else:
            _add(collector, row, meanings, noted)
        if names is not None:
            ends = (row.fields.get(end, "").strip() for end in ("source", "sink"))
            noted.unlisted.extend(end for end in ends if end not in names)
    if noted.unlisted:
        named = listed(list(dict.fromkeys(noted.unlisted)), most=5)
        collector.notices.append(f"Edges name nodes that are not listed; they were added: {named}.")
    collector.notices += [*not_read("Types of edges", noted.types), *not_read("Directions of edges", noted.directions)]
    for arrows, words in (
        (noted.blank, "no direction; each was read as source → sink"),
        (noted.mutual, "both directions; each was read as two edges"),
    ):
        if arrows:
            number = "1 edge says" if len(arrows) == 1 else f"{len(arrows):,} edges say"
            collector.notices.append(f"{number} {words}: {listed(list(dict.fromkeys(arrows)), most=5)}.")


class _Noted(NamedTuple):
    types: list[str]
    directions: list[str]
    blank: list[str]
    mutual: list[str]
    unlisted: list[str]


def _add(collector: EdgeCollector, row: EdgeRecordRow, meanings: Meanings, noted: _Noted) -> None:
    fields = dict(row.fields)
    kind, direction = fields.pop("type", None), fields.pop("direction", None)
    own = {"sign": "sign", "direction": "direction"}
    if direction is not None and not meanings.direction:
        noted.directions.extend(filter(None, [direction.strip()]))
        direction = None
    if meanings.type == "direction" and kind is not None and not (direction or "").strip():
        direction, own["direction"] = kind, "type"
    elif kind and meanings.type == "sign" and not fields.get("sign", "").strip():
        fields["sign"], own["sign"] = kind, "type"
    elif kind and kind.strip() and not _is_same_sign(kind, fields.get("sign", "")):
        noted.types.append(kind.strip())
    way = _direction(direction or "")
    if way == _NEITHER or (direction and direction.strip() and not way):
        expected = UNDIRECTED if way else _EXPECTED
        collector.fault(row.line, _field(row, own["direction"]), direction or "", expected, is_row=True)
        return
    before = len(collector.faults)
    collector.add_edge(fields, row.line, row.place)
    is_edge = fields.get("sink", "").strip() and len(collector.faults) == before
    if is_edge and way == _BOTH:
        turned = fields | {"source": fields["sink"], "sink": fields["source"]}
        collector.add_edge(turned, row.line, row.place, is_row=False)
        noted.mutual.append(_arrow(fields))
    elif is_edge and direction is not None and not way:
        noted.blank.append(_arrow(fields))
    for number, fault in enumerate(collector.faults[before:], start=before):
        name = fault.field.removeprefix(row.place)
        collector.faults[number] = replace(fault, field=_field(row, own.get(name, name)))


def _arrow(fields: Mapping[str, str]) -> str:
    return " -> ".join(quote_name(fields[end][:LONGEST_NAME]) for end in ("source", "sink"))


def _field(row: EdgeRecordRow, name: str) -> str:
    return f"{row.place}{row.shown(name)}"


def _direction(text: str) -> str:
    word = text.strip().casefold()
    return _DIRECTIONS.get(word) or _ANSWERS.get(word, "")


def _is_sign(text: str) -> bool:
    try:
        parse_edge_sign(text)
    except UnknownSign:
        return False
    return True


def _is_same_sign(kind: str, sign: str) -> bool:
    return _is_sign(kind) and _is_sign(sign) and parse_edge_sign(kind) is parse_edge_sign(sign)
