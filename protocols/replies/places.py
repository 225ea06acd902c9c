"""Faults of an answer, each with its place and the expected value."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, TypeAlias

from protocols.replies.json_in_text import JsonMark, shown

Place: TypeAlias = tuple[str | int, ...]
"""Keys and positions (from 0) that lead from the answer to a value; () is the answer itself."""

_PLAIN = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class PlaceFault:
    """A fault; `found` and `right` are parts of a sentence. The place of a missing key is where it would be.

    >>> print(PlaceFault(("causal_relations", 2, "sign"), '"up"', "one of +, -, None, mixed"))
    causal_relations[2].sign: found "up"; right would be one of +, -, None, mixed
    """

    place: Place
    found: str
    right: str

    @property
    def path(self) -> str:
        return path_of(self.place)

    def __str__(self) -> str:
        sentence = f"found {self.found}; right would be {self.right}"
        return f"{self.path}: {sentence}" if self.place else sentence


def path_of(place: Place) -> str:
    """Format a place.

    >>> path_of(("scores", "Price of oil", 0)), path_of((2, "sign"))
    ('scores["Price of oil"][0]', '[2].sign')
    """
    path = ""
    for step in place:
        if isinstance(step, int):
            path += f"[{step}]"
        elif _PLAIN.fullmatch(step):
            path += f".{step}" if path else step
        else:
            path += f"[{shown(step)}]"
    return path


def in_words(value: Any) -> str:
    """Describe a value briefly: as JSON, a list by its length, an object as such."""
    if isinstance(value, JsonMark):
        return value.found
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list):
        return f"a list of {len(value):,}"
    if isinstance(value, dict):
        return "an object"
    written = json.dumps(value)
    return written if len(written) <= 60 else f"{written[:60]}…"
