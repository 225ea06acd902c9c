"""A judge's YAML, parsed in one pass over libyaml's events with limits: no tags, anchors or merge keys. Scalars are
texts, except null and unquoted integers: `yes` stays a word. JSON is read too, since it is YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from core.errors import BadInput
from core.verdicts.verdict import MOST_ITEMS, in_short

MOST_BYTES = 5_000_000
MOST_DEPTH = 6
"""Nested mappings and lists: verdict, section, item, block, list of quotes, and one more."""


_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_WHOLE = re.compile(r"[-+]?[0-9]{1,9}")


def read_verdict_yaml(text: str) -> dict[str, Any]:
    """Return the mapping of a verdict's text; empty for an empty text. Raises BadInput for anything else, in one
    sentence with its line.

    >>> read_verdict_yaml("edge_recall_evaluations: [{edge_number: 1, presence_label: yes}]")
    {'edge_recall_evaluations': [{'edge_number': 1, 'presence_label': 'yes'}]}
    """
    try:
        if len(text) > MOST_BYTES or (not text.isascii() and len(text.encode()) > MOST_BYTES):
            raise BadInput(f"This verdict is larger than {MOST_BYTES // 1_000_000} MB.")
        value = _Reader(text).value
    except UnicodeEncodeError as error:
        raise BadInput(f"This verdict has half a character at position {error.start + 1:,}.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark is not None else "this verdict"
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "its characters cannot be read"
        problem = str(problem).replace("\n", " ").rstrip(".")
        raise BadInput(f"{where} is no YAML: {problem}.") from None
    if not isinstance(value, dict):
        raise BadInput(f"This verdict is {in_short(value)}; right would be a mapping of sections.")
    return value


@dataclass(slots=True)
class _Open:
    """A mapping or list that is being read. `key`: of the next value, if it `has_key`."""

    value: Any
    key: str = ""
    has_key: bool = False


class _Reader:
    def __init__(self, text: str) -> None:
        self.value: Any = {}
        self._open: list[_Open] = []
        documents = 0
        parser = yaml.CSafeLoader(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))
        try:
            while parser.check_event():
                event = parser.get_event()
                match event:
                    case yaml.ScalarEvent():
                        self._check(event)
                        self._scalar(event)
                    case yaml.MappingStartEvent():
                        self._begin({}, event)
                    case yaml.SequenceStartEvent():
                        self._begin([], event)
                    case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                        self._open.pop()
                    case yaml.AliasEvent():
                        raise BadInput(f"{_at(event)} refers to the anchor &{event.anchor}; verdicts have none.")
                    case yaml.DocumentStartEvent():
                        documents += 1
                        if documents > 1:
                            raise BadInput(f"{_at(event)} begins a second document; a verdict is one.")
        finally:
            parser.dispose()

    def _check(self, event: Any) -> None:
        if event.anchor is not None:
            raise BadInput(f"{_at(event)} defines the anchor &{event.anchor}; verdicts have none.")
        if event.tag is not None:
            raise BadInput(f"{_at(event)} has the tag {event.tag}; verdicts have none.")

    def _scalar(self, event: Any) -> None:
        scalar = event.value
        if self._open and isinstance(self._open[-1].value, dict) and not self._open[-1].has_key:
            top = self._open[-1]
            if scalar == "<<":
                raise BadInput(f"{_at(event)} has a merge key; verdicts have none.")
            if scalar in top.value:
                raise BadInput(f"{_at(event)} has the key {in_short(scalar)} a second time.")
            top.key, top.has_key = scalar, True
            return
        if event.style in (None, ""):
            if scalar in _NULL:
                scalar = None
            elif _WHOLE.fullmatch(scalar):
                scalar = int(scalar)
        self._put(scalar)

    def _begin(self, value: Any, event: Any) -> None:
        self._check(event)
        if self._open and isinstance(self._open[-1].value, dict) and not self._open[-1].has_key:
            raise BadInput(f"{_at(event)} has a key that is no text.")
        if len(self._open) >= MOST_DEPTH:
            raise BadInput(f"{_at(event)} is nested more deeply than {MOST_DEPTH}.")
        self._put(value)
        self._open.append(_Open(value))

    def _put(self, value: Any) -> None:
        if not self._open:
            self.value = value if value is not None else {}
            return
        top = self._open[-1]
        if isinstance(top.value, dict):
            top.value[top.key] = value
            top.has_key = False
            return
        top.value.append(value)
        if len(self._open) == 2 and len(top.value) > MOST_ITEMS:
            raise BadInput(f"{in_short(self._open[0].key)} has more than {MOST_ITEMS:,} items.")


def _at(event: Any) -> str:
    return f"line {event.start_mark.line + 1}"
