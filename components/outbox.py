"""The server's half of the outbox: read the acts a browser sends, remember which are done.

A browser sends the whole list of acts it has no receipt for, so the same act may come many times. `read_acts`
returns the unseen ones in order; the page applies them and answers with a `Ledger`. Whatever comes from a browser
may be forged: the shape is checked before anything is believed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.errors import BadInput

OUTBOX_JS = Path(__file__).with_name("outbox.js").read_text(encoding="utf-8")
"""Defines `createOutbox`; put it in front of a component's own JavaScript."""

MAX_ACTS = 500
MAX_CHARS = 1_000_000
REMEMBERED = 1000
_MAX_DEPTH = 4
_ANSWERED = 300  # more than the browser ever sends at once; the whole memory would travel at each rerun

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_KIND = re.compile(r"[a-z][a-z_]{0,39}")
_RESERVED = ("id", "seq", "kind")


@dataclass(frozen=True)
class Act:
    """One thing a person did: a client-made UUIDv7, its place in order, what it was and with what."""

    id: str
    seq: int
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Ledger:
    """Which acts are answered, kept in session state: done (the last 1000) or refused with a reason.

    It forgets with the session, so the store must accept a repeated act id without doing it twice.
    """

    acked: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def done(self) -> frozenset[str]:
        """Ids that need no further work."""
        return frozenset(self.acked) | frozenset(self.refused)

    def ack(self, *ids: str) -> Ledger:
        """The ledger after the store has answered for `ids`."""
        return replace(self, acked=tuple(dict.fromkeys((*self.acked, *ids)))[-REMEMBERED:])

    def refuse(self, act_id: str, message: str) -> Ledger:
        """The ledger after an act was turned down; `message` is shown to the person beside the act's text."""
        kept = list({**self.refused, act_id: message}.items())[-REMEMBERED:]
        return replace(self, refused=MappingProxyType(dict(kept)))

    def as_data(self) -> dict[str, Any]:
        """The part of a component's `data` that answers its outbox."""
        return {"acked": list(self.acked[-_ANSWERED:]), "refused": dict(list(self.refused.items())[-_ANSWERED:])}


def read_acts(value: object, done: Collection[str]) -> tuple[Act, ...]:
    """Read a component's outbox state; return the acts not in `done`, in the order they were done.

    `value` is `{"tab": str, "attempt": int, "acts": [{"id", "seq", "kind", ...}]}`, or None before the first act.
    Raises BadInput if anything in it has the wrong shape; then none of its acts may be applied.
    """
    if value is None:
        return ()
    listed = _listed(value)
    acts = tuple(_read_act(item, place) for place, item in enumerate(listed, start=1))
    if len({act.id for act in acts}) != len(acts):
        raise _bad("two acts carry the same id")
    seen = frozenset(done)
    return tuple(sorted((act for act in acts if act.id not in seen), key=lambda act: (act.seq, act.id)))


def _listed(value: object) -> list[object]:
    if not isinstance(value, Mapping) or not isinstance(value.get("acts"), list):
        raise _bad("it is not a list of acts")
    acts: list[object] = value["acts"]
    if len(acts) > MAX_ACTS:
        raise _bad(f"it holds {len(acts)} acts, at most {MAX_ACTS} are taken at once")
    if not all(_is_plain(item, _MAX_DEPTH) for item in acts):
        raise _bad("an act holds something other than short lists, texts and numbers")
    try:
        chars = len(json.dumps(acts, allow_nan=False, ensure_ascii=False).encode())
    except ValueError:  # NaN, infinity, or half a character: no store can keep them
        raise _bad("an act holds a number or a character that cannot be stored") from None
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
    if not isinstance(act_id, str) or not _ID.fullmatch(act_id):
        raise _bad(f"act {place} has no valid id")
    if not isinstance(seq, int) or isinstance(seq, bool) or not 0 <= seq < 2**53:
        raise _bad(f"act {place} has no valid place in the order")
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise _bad(f"act {place} has no valid kind")
    data = {name: content for name, content in item.items() if name not in _RESERVED}
    return Act(act_id, seq, kind, MappingProxyType(data))


def _bad(why: str) -> BadInput:
    return BadInput(f"The browser sent work that cannot be read: {why}. Reload the page; nothing was changed.")
