"""The server's half of the outbox: read the acts a browser sends, remember which are done.

A browser sends the whole list of acts it has no receipt for, so the same act may come many times. `read_acts`
returns the unseen ones in order; the page applies them and answers with a `ActLedger`. Whatever comes from a browser
may be forged: the shape is checked before anything is believed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from threading import RLock
from types import MappingProxyType
from typing import Any

import uuid_utils

from core.act_ids import is_uuid7
from core.errors import BadInput, Conflict, EdgewiseError, SignedOut, StoreTrouble

MAX_ACTS = 500
MAX_CHARS = 1_000_000
REMEMBERED = 1000
_MAX_DEPTH = 4
_ANSWERED = 300  # more than the browser ever sends at once; the whole memory would travel at each rerun

_KIND = re.compile(r"[a-z][a-z_]{0,39}")
_RESERVED = ("id", "seq", "kind")


@dataclass(frozen=True)
class Act:
    """One thing a person did: a client-made UUIDv7, its place in order, what it was and with what."""

    id: str
    seq: int
    kind: str
    data: Mapping[str, Any]


class ActLedger:
    """Which acts are answered: done or refused with a reason, the last 1000 of each. Keep one in session state.

    Streamlit may start a session's next script run while the callback of the last one still works, so take the
    `turn` around reading and applying. The ledger forgets with the session: the store must accept a repeated act
    id without doing it twice.

    >>> ledger = ActLedger()
    >>> with ledger.turn():  # for act in read_acts(value, ledger.done): apply it, then
    ...     ledger.ack("0198c0de-0000-7000-8000-000000000001")
    """

    def __init__(self) -> None:
        self._id = str(uuid_utils.uuid7())
        self._answered = 0
        self._acked: dict[str, None] = {}
        self._refused: dict[str, str] = {}
        self._turn = RLock()

    def turn(self) -> AbstractContextManager[object]:
        """Hold back other runs of this session; without it two of them would apply the same act."""
        return self._turn

    @property
    def done(self) -> frozenset[str]:
        """Ids that need no further work."""
        with self._turn:
            return frozenset(self._acked) | frozenset(self._refused)

    def ack(self, *ids: str) -> None:
        """Note that the store has answered for `ids`."""
        with self._turn:
            self._answered += len(ids)
            self._acked.update(dict.fromkeys(ids))
            self._acked = dict(list(self._acked.items())[-REMEMBERED:])

    def refuse(self, act_id: str, message: str) -> None:
        """Turn an act down; the person gets `message` and the act's text back."""
        with self._turn:
            self._answered += 1
            self._refused[act_id] = message
            self._refused = dict(list(self._refused.items())[-REMEMBERED:])

    def as_data(self) -> dict[str, Any]:
        """The part of a component's `data` that answers its outbox; `answered` grows with each answer of it."""
        with self._turn:
            return {
                "acked": list(self._acked)[-_ANSWERED:],
                "refused": dict(list(self._refused.items())[-_ANSWERED:]),
                "ledger": self._id,
                "answered": self._answered,
            }


def held_back(ledger: ActLedger, act: Act, apply: Callable[[], object]) -> EdgewiseError | None:
    """Apply one act and note its answer: done, or refused with the reason.

    Returns the error for which it stays with the browser and is sent again: Conflict (this copy is stale), SignedOut
    or StoreTrouble. None if it is answered.
    """
    try:
        apply()
    except (Conflict, SignedOut, StoreTrouble) as error:
        return error
    except EdgewiseError as error:
        ledger.refuse(act.id, str(error))
    else:
        ledger.ack(act.id)
    return None


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
