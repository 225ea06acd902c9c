"""Ids of the elements an act creates. The client knows them at once, so the next act can use them before a store
answers.

The client that starts an act gives it a UUIDv7. What the act creates is numbered, and number n has the act's id with
its last 16 bits replaced by n. Number 0 is the subject of the act; a browser's acts end in 16 zero bits, so there 0 is
the act's own id.

- One element placed or drawn: 0 is the node or the edge, 1 and 2 are the source and the sink of that edge.
- A list of E edges (typed lines, accepted proposals): 1 to E are the edges in the order given, E + 1 to 3E the source
  and the sink of each in that order, and what follows are nodes named without an edge.

A number is used up even if its element is not created: an existing node keeps its id, and one that is named twice has
the number of its first place. So the numbers follow from the act alone, independent of the graph.

`components/desk/uuid7.js` implements the same; tests/components/desk/act_ids.json tests both."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

from core.errors import BadInput

MOST_MADE = 0xFFFF
_UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def is_uuid7(text: str) -> bool:
    """Return True if a text has the form of a UUIDv7, in the lower-case letters that every client writes."""
    return _UUID7.fullmatch(text) is not None


def id_within(act_id: str, number: int) -> str:
    """Return the id of an act's element `number`. Raises BadInput beyond 65,535, the last that 16 bits can hold."""
    if number > MOST_MADE:
        raise BadInput(f"One act can make at most {MOST_MADE:,} edges and nodes. Divide it into smaller ones.")
    return f"{act_id[:-4]}{number:04x}"


def ids_within(act_id: str, first: int = 0) -> Callable[[], str]:
    """Return a function that gives ids of an act from number `first` on: 0 for one element, 1 for a list. Raises as
    `id_within` does."""
    numbers = count(first)
    return lambda: id_within(act_id, next(numbers))
