"""Readers of the fields of an act, which comes from a browser and may be forged.

Each raises BadInput that says what is wrong; a missing field counts as one of the wrong shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from components.desk.posting.acts import Act
from core.errors import BadInput
from core.graphs.names import clean_name
from core.sign import EDGE_SIGNS, Sign

LONGEST_ID = 200

Data = Mapping[str, Any]
Parsed = TypeVar("Parsed")


def read_act(act: Act, readers: Mapping[str, Callable[[Data], Parsed]]) -> Parsed:
    """Return one act as a typed value. Raises BadInput for a kind without a reader, and the errors of its reader."""
    reader = readers.get(act.kind)
    if reader is None:
        raise BadInput(f"The browser sent an act that this version does not know: {act.kind}. Reload the page.")
    return reader(act.data)


def unreadable(why: str) -> BadInput:
    return BadInput(f"The browser sent an act that cannot be read: {why}. Reload the page; nothing was changed.")


def text(data: Data, field: str) -> str:
    value = data.get(field)
    if not isinstance(value, str):
        raise unreadable(f"{field} is not a text")
    return value


def truth(data: Data, field: str) -> bool:
    value = data.get(field)
    if not isinstance(value, bool):
        raise unreadable(f"{field} is neither true nor false")
    return value


def sign(data: Data, field: str) -> Sign | None:
    """Return plus, minus, or None for the empty text."""
    value = data.get(field)
    if value == "":
        return None
    if isinstance(value, str) and value in [each.value for each in EDGE_SIGNS]:
        return Sign(value)
    raise unreadable("a sign is not +, - or empty")


def identifier(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID:
        raise unreadable("an id is not a short text")
    return value


def name(data: Data, field: str) -> str:
    """Return a node's name as `clean_name` stores it. Raises InvalidName (a BadInput too), since a person may have
    typed it."""
    return clean_name(text(data, field))
