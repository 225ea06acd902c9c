"""What an answer says wrongly, each time with its place, and with what would be right there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, TypeAlias

from protocols.replies.json_in_text import Mark, shown

Place: TypeAlias = tuple[str | int, ...]
"""Keys and numbers (from 0) that lead from the whole answer to a value in it; () is the answer itself."""

_PLAIN = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class PlaceFault:
    """`found` and `right` are words of a sentence; of a missing key, `place` is where it would be.

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
        said = f"found {self.found}; right would be {self.right}"
        return f"{self.path}: {said}" if self.place else said


def path_of(place: Place) -> str:
    """
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


def in_words(said: Any) -> str:
    """What stands in a place, short: a value as JSON has it, a list by its length, an object by its name."""
    if isinstance(said, Mark):
        return said.found
    if isinstance(said, str):
        return shown(said)
    if isinstance(said, list):
        return f"a list of {len(said):,}"
    if isinstance(said, dict):
        return "an object"
    written = json.dumps(said)
    return written if len(written) <= 60 else f"{written[:60]}…"
