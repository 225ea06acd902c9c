"""Ids of what an act makes: known where the act begins, so that the next act can name it before a store has answered.

An act has a UUIDv7, made by whoever begins it. What it makes is numbered, and number n has the act's id with its last
16 bits replaced by n. Number 0 is what the act itself is about; a browser's acts end in 16 zero bits, so there 0 is the
act's own id.

- One thing placed or drawn: 0 is the node or the edge, 1 and 2 are the source and the sink of that edge.
- A list of E edges (typed lines, accepted proposals): 1 to E are the edges in the order given, E + 1 to 3E the source
  and the sink of each in that order, and what follows are nodes named without an edge.

A number is spent whether or not its thing is made: a node that is there already keeps its id, one that is named twice
has the number of its first place. So the numbers follow from the act alone, whatever the graph holds.

`components/desk/uuid7.js` says the same; tests/components/desk/act_ids.json holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

from core.errors import BadInput

MOST_MADE = 0xFFFF
_UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def is_uuid7(text: str) -> bool:
    """Whether a text has the form of a UUIDv7, in the small letters that every client writes."""
    return _UUID7.fullmatch(text) is not None


def id_within(act_id: str, number: int) -> str:
    """The id of what an act makes as its `number`. Raises BadInput beyond 65,535, the last that an id has room for."""
    if number > MOST_MADE:
        raise BadInput(f"One act can make at most {MOST_MADE:,} edges and nodes. Divide it into smaller ones.")
    return f"{act_id[:-4]}{number:04x}"


def ids_within(act_id: str, first: int = 0) -> Callable[[], str]:
    """Ids of an act, one a call, from number `first` on: 0 for one thing, 1 for a list. Raises as `id_within` does."""
    numbers = count(first)
    return lambda: id_within(act_id, next(numbers))
