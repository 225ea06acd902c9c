"""The two ends of a relation in a graph answer, by name or by the number of a given name, with faults."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from core.errors import InvalidName
from core.graphs.names import LONGEST_NAME, clean_name, fold_name
from protocols.replies.json_in_text import JsonMark, fit
from protocols.replies.places import in_words

SOURCE, SINK, TARGET = "source", "sink", "target"  # `target` means `sink`: the released tables use it

MOST_FAULTS = 20

Relation = tuple[str, str]

_DIGITS = re.compile(r"[0-9]{1,9}")


def ends_of(relation: Any, number: int, reader: RelationNames) -> Relation | None:
    """Return (source, sink) of relation `number` (from 1) by name; None, with a fault added to the reader, if it has
    none."""
    what = f"relationship {number:,}"
    members = {key.strip().lower(): value for key, value in relation.items()} if isinstance(relation, dict) else {}
    fault = ""
    if isinstance(relation, JsonMark):
        fault = f"has {relation.found}; right would be {relation.right}"
    elif not isinstance(relation, dict):
        fault = f"is {in_words(relation)}; right would be an object with source and sink"
    elif SOURCE not in members:
        fault = "has no source"
    elif SINK not in members and TARGET not in members:
        fault = "has neither sink nor target"
    elif SINK in members and TARGET in members and members[SINK] != members[TARGET]:
        fault = "has a sink and another target; right would be one of them"
    if fault:
        reader.wrong(f"{what} {fault}")
        return None
    source = reader.name(members[SOURCE], f"the source of {what}")
    sink = reader.name(members.get(SINK, members.get(TARGET)), f"the sink of {what}")
    return None if source is None or sink is None else (source, sink)


class RelationNames:
    """Reader of relation ends that are names."""

    names_for_ids = 0

    def __init__(self) -> None:
        self._faults: list[str] = []
        self._more = 0
        self._clean: dict[str, str] = {}  # cached, since a name occurs in several relations

    @property
    def faults(self) -> tuple[str, ...]:
        """The first faults, and the number of others; sentences without a full stop."""
        return (*self._faults, *([f"and {self._more:,} more faults"] if self._more else []))

    def wrong(self, fault: str) -> None:
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(fault)
        else:
            self._more += 1

    def name(self, end: Any, what: str) -> str | None:
        if not isinstance(end, str):
            self.wrong(f"{what} is {in_words(end)}; right would be a name")
            return None
        if end in self._clean:
            return self._clean[end]
        try:
            return self._clean.setdefault(end, clean_name(fit(end)))
        except InvalidName:
            self.wrong(f"{what} is {in_words(fit(end))}; right would be a name of 1 to {LONGEST_NAME} characters")
            return None


class Numbers(RelationNames):
    """Reader of relation ends that are numbers of given names; a name counts if it equals one of them after folding."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._given = names
        self._known = {name: name for name in names}

    @cached_property
    def _folded(self) -> dict[str, list[str]]:
        names_by_form: dict[str, list[str]] = {}
        for name in self._given:
            names_by_form.setdefault(fold_name(name), []).append(name)
        return names_by_form

    def name(self, end: Any, what: str) -> str | None:
        number = end if isinstance(end, int) and not isinstance(end, bool) else None
        if isinstance(end, str) and _DIGITS.fullmatch(end.strip()):
            number = int(end.strip())
        if number is not None and 1 <= number <= len(self._given):
            return self._given[number - 1]
        named = None
        if isinstance(end, str):
            alike = self._folded.get(fold_name(fit(end[: 2 * LONGEST_NAME])).strip(), [])
            named = self._known.get(end) or (alike[0] if len(alike) == 1 else None)
        if named is None:
            self.wrong(f"{what} is {in_words(end)}; right would be a number from 1 to {len(self._given)}")
        else:
            self.names_for_ids += 1
        return named
