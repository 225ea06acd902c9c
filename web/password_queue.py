"""Queue for password hashing. A hash takes a core and 64 MB for a moment. It has its own threads, so that the gate,
which queries the session of every request, never waits for one. The queue has a short timeout: requests of a burst
are rejected at once, and later ones do not wait behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import count
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread

from core.errors import Busy

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE = 2
LONGEST_WAIT_S = 4.0
MOST_WAITING = 200
COME_BACK_S = 5
"""Seconds after which a rejected request may be repeated: all that waited with it are gone by then."""


class Rank(IntEnum):
    """Priority in the queue."""

    KNOWN = 0
    """A secret was shown: this name signed in from this address recently, or an invitation is used."""
    NEW = 1
    FAILED = 2
    """Wrong passwords came from this address recently."""


@dataclass(eq=False)
class _Waiting:
    line: str
    order: tuple[int, int]
    turn: asyncio.Future[None]


class HashTurns:
    """`await turns.take(line, rank, work, …)` runs `work` in a separate thread when its turn comes. A line, usually
    an address, has one turn at a time, so that a burst from one address leaves threads to others. Among lines the
    better rank goes first, and within a rank the latest: a burst is rejected, instead of delaying everyone after it."""

    def __init__(
        self, at_once: int = AT_ONCE, longest_wait_s: float = LONGEST_WAIT_S, most_waiting: int = MOST_WAITING
    ) -> None:
        self._threads = CapacityLimiter(at_once)
        self._free = at_once
        self._longest_wait_s = longest_wait_s
        self._most_waiting = most_waiting
        self._numbers = count()
        self._waiting: list[_Waiting] = []
        self._under_way: set[str] = set()

    async def take(self, line: str, rank: Rank, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return or raise the result of `work`. Raises Busy if no turn came within four seconds, or too many wait."""
        async with self._turn_of(line, rank):
            return await to_thread.run_sync(partial(work, *args, **kwargs), limiter=self._threads)

    @asynccontextmanager
    async def _turn_of(self, line: str, rank: Rank) -> AsyncIterator[None]:
        one = _Waiting(line, (rank, -next(self._numbers)), asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        self._start_next()
        if len(self._waiting) > self._most_waiting:
            self._send_away(max(self._waiting, key=lambda each: each.order))
        try:
            await asyncio.wait({one.turn}, timeout=self._longest_wait_s)
            if not one.turn.done():
                self._send_away(one)
            one.turn.result()
            yield
        finally:
            if one in self._waiting:
                self._waiting.remove(one)
            elif one.turn.exception() is None:
                self._under_way.remove(line)
                self._free += 1
                self._start_next()

    def _start_next(self) -> None:
        while self._free:
            able = [each for each in self._waiting if each.line not in self._under_way]
            if not able:
                return
            first = min(able, key=lambda each: each.order)
            self._waiting.remove(first)
            self._under_way.add(first.line)
            self._free -= 1
            first.turn.set_result(None)

    def _send_away(self, one: _Waiting) -> None:
        self._waiting.remove(one)
        is_shared = one.line in self._under_way
        where = "from your network " if is_shared else ""
        one.turn.set_exception(
            Busy(f"Many people are signing in {where}right now. Try again in {COME_BACK_S} seconds.", COME_BACK_S)
        )


TURNS = HashTurns()
