"""Whose password is looked at next.

A hash takes a core and 64 MB for a moment. It has threads of its own, so that the gate, which looks up the session of
every request, never waits for one; and one address has one turn at a time, so that a burst from somewhere does not
keep people elsewhere from signing in.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread

from core.errors import Refused

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE = 2
LONGEST_WAIT_S = 10.0


@dataclass
class _Line:
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    people: int = 0


class Turns:
    """`await turns.take(address, work, …)` runs `work` in a thread of its own when the address has its turn."""

    def __init__(self, at_once: int = AT_ONCE, longest_wait_s: float = LONGEST_WAIT_S) -> None:
        self._threads = CapacityLimiter(at_once)
        self._longest_wait_s = longest_wait_s
        self._lines: dict[str, _Line] = {}

    async def take(self, address: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns or raises. Raises Refused if the address has no turn within ten seconds."""
        async with self._turn_of(address):
            return await to_thread.run_sync(partial(work, *args, **kwargs), limiter=self._threads)

    @asynccontextmanager
    async def _turn_of(self, address: str) -> AsyncIterator[None]:
        line = self._lines.setdefault(address, _Line())
        line.people += 1
        try:
            try:
                await asyncio.wait_for(line.turn.acquire(), self._longest_wait_s)
            except TimeoutError:
                raise Refused("Many people sign in from your network just now. Try again in a moment.") from None
            try:
                yield
            finally:
                line.turn.release()
        finally:
            line.people -= 1
            if not line.people:
                del self._lines[address]


TURNS = Turns()
