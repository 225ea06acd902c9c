"""Circuit breaker of one endpoint in one worker: while it is unreachable, one request at a time probes it.

A connection that is not made (refused, name not found, no TLS, no answer) tells nothing about the request but says that
the server is down: after `TRIPS_AFTER` in a row, over all items, nothing more is sent. After a pause one request is
sent alone (the probe). If it fails too, the pause grows; if anything answers, all requests continue. A probe is a
request that is needed anyway, so probing costs the server nothing.

Slow replies and failing servers (time-outs, 5xx, connections lost during a reply) do not trip it: they were reached.
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
    """Seconds before the first probe, doubled after each failed one up to `longest_s`."""

    first_s: float = 2.0
    longest_s: float = 120.0


PAUSES = Pauses()


class Unreachable(Exception):
    """The endpoint is unreachable; the request was not sent and must be sent later."""

    def __init__(self, breaker: Breaker) -> None:
        super().__init__(breaker.why)
        self.breaker = breaker


class End(Enum):
    """End of a permit's use."""

    REACHED = "reached"  # the server answered
    UNHEARD = "unheard"  # not refused, but no HTTP came back
    REFUSED = "refused"  # no connection was made
    UNUSED = "unused"  # nothing was tried


class SendingPermit:
    """Permit to send one request; return it with `Breaker.leave`."""

    __slots__ = ()


class Breaker:
    """Breaker of one endpoint in one event loop.

    Attributes:
        is_known: this worker or, as the store says, an earlier one has reached the endpoint.
        why, since: reason and start of the current row of refusals; empty and None without one.
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
        """Return the seconds until the next probe may leave; 0 if it may leave now, is in flight, or is not needed."""
        return max(0.0, self._due - self._clock()) if self.is_open and self._probe is None else 0.0

    async def enter(self) -> SendingPermit:
        """Return a permit, for the probe if the breaker is open; wait for the end of another's probe. Raises
        Unreachable."""
        while self.is_open:
            if self._probe is None:
                if self.wait_s() > 0:
                    raise Unreachable(self)
                self._probe = SendingPermit()
                return self._probe
            await self._ended.wait()
        return SendingPermit()

    def check(self, passage: SendingPermit) -> None:
        """Raise Unreachable if the endpoint was lost since the permit was issued. Call it just before sending."""
        if self.is_open and passage is not self._probe:
            raise Unreachable(self)

    def leave(self, passage: SendingPermit, end: End, at: datetime, why: str = "") -> None:
        """Return a permit. `at`: wall-clock time; `why`: reason of a refusal."""
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
        """Let a probe leave at once, because a person or another worker says that the server is back."""
        self._due = self._clock()

    def _open(self) -> None:
        self._pause_s = min(self._pauses.longest_s, 2 * self._pause_s) if self._pause_s else self._pauses.first_s
        self.is_open, self._due = True, self._clock() + self._pause_s
