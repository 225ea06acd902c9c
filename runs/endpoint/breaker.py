"""Whether one endpoint can be reached, as one worker knows it; while it cannot, one request at a time looks again.

A connection that is not made (refused, name not found, no TLS, nobody there) says nothing about a request and all about
the server: after `TRIPS_AFTER` in a row, over all items, nothing more is sent there. After a pause one request goes
alone (the probe); if it is not taken either, the pause grows, and if anything answers, all go on. A probe is a request
that is wanted anyway, so that looking costs the server nothing.

Slow answers and failing servers (time-outs, 5xx, connections lost amid an answer) trip nothing: they were reached.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

TRIPS_AFTER = 3


@dataclass(frozen=True, slots=True)
class Pauses:
    """Seconds before the first probe, doubled after each that fails up to `longest_s`."""

    first_s: float = 2.0
    longest_s: float = 120.0


PAUSES = Pauses()


class Unreachable(Exception):
    """The endpoint cannot be reached now; the request has not left, and is wanted again later."""

    def __init__(self, breaker: Breaker) -> None:
        super().__init__(breaker.why)
        self.breaker = breaker


class End(Enum):
    """How a passage ended. REACHED: the server was spoken to. UNHEARD: it was not refused, but said nothing that is
    HTTP. REFUSED: no connection was made. UNUSED: nothing was tried."""

    REACHED = "reached"
    UNHEARD = "unheard"
    REFUSED = "refused"
    UNUSED = "unused"


class SendingPermit:
    """Leave to send one request; give it back with `Breaker.leave`."""

    __slots__ = ()


class Breaker:
    """Of one endpoint in one event loop. `since`, `why`: of the refusals in a row, None and empty without one.

    `is_known`: the endpoint was reached once, by this worker or, as the store says, before.
    """

    def __init__(self, pauses: Pauses = PAUSES, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._pauses, self._clock = pauses, clock
        self.is_known = False
        self.is_open = False
        self.why = ""
        self.since: datetime | None = None
        self._refused = 0
        self._pause_s = 0.0
        self._due = 0.0
        self._probe: SendingPermit | None = None
        self._ended = asyncio.Event()

    def wait_s(self) -> float:
        """Seconds until it is worth asking; 0 where it can be reached, or a probe may leave or is on its way."""
        return max(0.0, self._due - self._clock()) if self.is_open and self._probe is None else 0.0

    async def enter(self) -> SendingPermit:
        """Leave to send, as the probe if need be; waits for the end of another's. Raises Unreachable."""
        while self.is_open:
            if self._probe is None:
                if self.wait_s() > 0:
                    raise Unreachable(self)
                self._probe = SendingPermit()
                return self._probe
            await self._ended.wait()
        return SendingPermit()

    def check(self, passage: SendingPermit) -> None:
        """Just before the request leaves. Raises Unreachable if the endpoint was lost since it entered."""
        if self.is_open and passage is not self._probe:
            raise Unreachable(self)

    def leave(self, passage: SendingPermit, end: End, at: datetime, why: str = "") -> None:
        """`at`: now, as clocks on walls say; `why`: of a refusal."""
        is_probe = passage is self._probe
        self.is_known = self.is_known or end is End.REACHED
        if end is End.REFUSED:
            self._refused += 1
            self.why, self.since = why, self.since or at
            if is_probe or (not self.is_open and self._refused >= TRIPS_AFTER):
                self._open()
        elif is_probe and end is End.UNHEARD:
            self._open()
        elif end is not End.UNUSED and (is_probe or not self.is_open):
            # An answer to what was sent before the endpoint was lost does not say that it is back.
            self.is_open, self._refused, self.why, self.since, self._pause_s = False, 0, "", None, 0.0
        if is_probe:
            self._probe = None
            self._ended.set()
            self._ended = asyncio.Event()

    def try_now(self) -> None:
        """Let a probe leave at once, for somebody says that the server is back."""
        self._due = self._clock()

    def _open(self) -> None:
        self._pause_s = min(self._pauses.longest_s, 2 * self._pause_s) if self._pause_s else self._pauses.first_s
        self.is_open, self._due = True, self._clock() + self._pause_s
