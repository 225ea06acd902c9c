"""Reader of the acts that a desk posts. They may be forged: all shapes are checked first."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from core.act_ids import is_uuid7
from core.errors import BadInput

MAX_ACTS = 500
MAX_CHARS = 1_000_000
_MAX_DEPTH = 4

_KIND = re.compile(r"[a-z][a-z_]{0,39}")
_RESERVED = ("id", "seq", "kind")


@dataclass(frozen=True)
class Act:
    """One act of a user."""

    id: str  # a client-made UUIDv7
    seq: int  # its position in the order
    kind: str
    data: Mapping[str, Any]


def read_acts(value: object) -> tuple[Act, ...]:
    """Return the acts of `{"acts": [{"id", "seq", "kind", ...}]}`, in the order they were done.

    Raises BadInput if anything in it has the wrong shape; then none of its acts may be applied."""
    acts = tuple(_read_act(item, place) for place, item in enumerate(_listed(value), start=1))
    if len({act.id for act in acts}) != len(acts):
        raise _bad("two acts carry the same id")
    return tuple(sorted(acts, key=lambda act: (act.seq, act.id)))


def _listed(value: object) -> list[object]:
    if not isinstance(value, Mapping) or not isinstance(value.get("acts"), list):
        raise _bad("it is not a list of acts")
    acts: list[object] = value["acts"]
    if len(acts) > MAX_ACTS:
        raise _bad(f"it contains {len(acts)} acts; at most {MAX_ACTS} are allowed at once")
    if not all(_is_plain(item, _MAX_DEPTH) for item in acts):
        raise _bad("an act contains something other than short lists, texts and numbers")
    try:
        chars = len(json.dumps(acts, allow_nan=False, ensure_ascii=False).encode())
    except ValueError:  # NaN, infinity, or half a character: no store can keep them
        raise _bad("an act contains a number or a character that cannot be stored") from None
    if chars > MAX_CHARS:
        raise _bad(f"it is larger than {MAX_CHARS // 1_000_000} MB")
    return acts


def _is_plain(value: object, depth: int) -> bool:
    if value is None or isinstance(value, str | int | float):
        return True
    if depth == 0:
        return False
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and _is_plain(item, depth - 1) for key, item in value.items())
    return isinstance(value, list) and all(_is_plain(item, depth - 1) for item in value)


def _read_act(item: object, place: int) -> Act:
    if not isinstance(item, Mapping):
        raise _bad(f"act {place} is not an act")
    act_id, seq, kind = (item.get(name) for name in _RESERVED)
    if not isinstance(act_id, str) or not is_uuid7(act_id):
        raise _bad(f"act {place} has no valid id")
    if not isinstance(seq, int) or isinstance(seq, bool) or not 0 <= seq < 2**53:
        raise _bad(f"act {place} has no valid position in the order")
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise _bad(f"act {place} has no valid kind")
    data = {name: content for name, content in item.items() if name not in _RESERVED}
    return Act(act_id, seq, kind, MappingProxyType(data))


def _bad(why: str) -> BadInput:
    return BadInput(f"The browser sent acts that cannot be read: {why}. Reload the page; nothing was changed.")
