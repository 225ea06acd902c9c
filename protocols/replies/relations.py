"""The ends of one relation in an answer that is a graph: names, or numbers of given names, and each fault told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from core.errors import InvalidName
from core.graphs.names import LONGEST_NAME, clean_name, fold_name
from protocols.replies.json_in_text import Mark, fit
from protocols.replies.places import in_words

SOURCE, SINK, TARGET = "source", "sink", "target"
"""`target` says the same as `sink`: the released tables have it."""

MOST_FAULTS = 20

Relation = tuple[str, str]

_DIGITS = re.compile(r"[0-9]{1,9}")


def ends_of(relation: Any, number: int, reader: Names) -> Relation | None:
    """(source, sink) of relation `number` (from 1), by name; None, and a fault told to the reader, if there is none."""
    what = f"relationship {number:,}"
    said = {key.strip().lower(): value for key, value in relation.items()} if isinstance(relation, dict) else {}
    fault = ""
    if isinstance(relation, Mark):
        fault = f"has {relation.found}; right would be {relation.right}"
    elif not isinstance(relation, dict):
        fault = f"is {in_words(relation)}; right would be an object with source and sink"
    elif SOURCE not in said:
        fault = "has no source"
    elif SINK not in said and TARGET not in said:
        fault = "has neither sink nor target"
    elif SINK in said and TARGET in said and said[SINK] != said[TARGET]:
        fault = "has a sink and another target; right would be one of them"
    if fault:
        reader.wrong(f"{what} {fault}")
        return None
    source = reader.name(said[SOURCE], f"the source of {what}")
    sink = reader.name(said.get(SINK, said.get(TARGET)), f"the sink of {what}")
    return None if source is None or sink is None else (source, sink)


class Names:
    """Reads the ends of relations as names."""

    names_for_ids = 0

    def __init__(self) -> None:
        self._faults: list[str] = []
        self._more = 0
        self._clean: dict[str, str] = {}  # a name stands in several relations

    @property
    def faults(self) -> tuple[str, ...]:
        """The first faults, and how many more there are; each a sentence without its stop."""
        return (*self._faults, *([f"and {self._more:,} more faults"] if self._more else []))

    def wrong(self, fault: str) -> None:
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(fault)
        else:
            self._more += 1

    def name(self, said: Any, what: str) -> str | None:
        if not isinstance(said, str):
            self.wrong(f"{what} is {in_words(said)}; right would be a name")
            return None
        if said in self._clean:
            return self._clean[said]
        try:
            return self._clean.setdefault(said, clean_name(fit(said)))
        except InvalidName:
            self.wrong(f"{what} is {in_words(fit(said))}; right would be a name of 1 to {LONGEST_NAME} characters")
            return None


class Numbers(Names):
    """Reads them as numbers of given names; a name in place of a number counts if it is one of them after folding."""

    def __init__(self, given: Sequence[str]) -> None:
        super().__init__()
        self._given = given
        self._known = {name: name for name in given}

    @cached_property
    def _folded(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._given:
            found.setdefault(fold_name(name), []).append(name)
        return found

    def name(self, said: Any, what: str) -> str | None:
        number = said if isinstance(said, int) and not isinstance(said, bool) else None
        if isinstance(said, str) and _DIGITS.fullmatch(said.strip()):
            number = int(said.strip())
        if number is not None and 1 <= number <= len(self._given):
            return self._given[number - 1]
        named = self._named(said)
        if named is None:
            self.wrong(f"{what} is {in_words(said)}; right would be a number from 1 to {len(self._given)}")
        else:
            self.names_for_ids += 1
        return named

    def _named(self, said: Any) -> str | None:
        if not isinstance(said, str):
            return None
        alike = self._folded.get(fold_name(fit(said[: 2 * LONGEST_NAME])).strip(), [])
        return self._known.get(said) or (alike[0] if len(alike) == 1 else None)
