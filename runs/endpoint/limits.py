"""Rate limits of one endpoint: requests and tokens a minute, concurrent requests, and slow-downs that it asks for.

A `Throttle` belongs to one process; several processes on one endpoint take a share each (`Throttle.of(endpoint,
share)`).
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType

from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import RequestFault, SendError

MINUTE_S = 60.0
# Providers count over shorter spans than they publish: a sixth of a minute's requests is the maximum of this span.
BURST_S = 10.0
LONGEST_PAUSE_S = 300.0


class Window:
    """Sliding window: no more than `most` in any half-open span of `period_s`; a larger amount goes alone. Times are
    arguments."""

    def __init__(self, most: int, period_s: float = MINUTE_S) -> None:
        self.most = most
        self.period_s = period_s
        self._taken: deque[RateLimitSlot] = deque()
        self._total = 0

    def wait_s(self, now: float, amount: int = 1) -> float:
        """Return the seconds until the amount fits."""
        while self._taken and self._taken[0].at + self.period_s <= now:
            past = self._taken.popleft()
            past.is_past = True
            self._total -= past.amount
        over = self._total + min(amount, self.most) - self.most  # amount that must leave the window first
        if over <= 0:
            return 0.0
        for entry in self._taken:
            over -= entry.amount
            if over <= 0:
                return max(0.0, entry.at + self.period_s - now)
        raise AssertionError("an empty window takes any amount")

    def take(self, now: float, amount: int = 1) -> RateLimitSlot:
        entry = RateLimitSlot(now, amount)
        self._taken.append(entry)
        self._total += amount
        return entry

    def settle(self, entry: RateLimitSlot, amount: int) -> None:
        """Replace the expected amount by the actual one."""
        if not entry.is_past:
            self._total += amount - entry.amount
            entry.amount = amount


class RateLimitSlot:
    __slots__ = ("amount", "at", "is_past")

    def __init__(self, at: float, amount: int) -> None:
        self.at = at
        self.amount = amount
        self.is_past = False


class Throttle:
    """Admits requests to one endpoint in the order in which they ask.

        async with throttle.slot(tokens) as slot:
            reply = await client.send(request, attempt_id)
            slot.used(tokens_in + tokens_out)

    A RATE_LIMITED `SendError` that leaves the block halves the requests in flight and applies the provider's wait;
    every answer allows a few more (additive increase, multiplicative decrease, as in TCP).
    """

    def __init__(
        self,
        *,
        concurrency: int,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.concurrency = concurrency
        self.in_flight = 0
        self.allowed = float(concurrency)
        self._requests = _request_windows(requests_per_minute)
        self._tokens = None if tokens_per_minute is None else Window(tokens_per_minute)
        self._clock, self._sleep = clock, sleep
        self._turn = asyncio.Lock()
        self._left = asyncio.Event()
        self._cut_at = -math.inf
        self._not_before = -math.inf

    @staticmethod
    def of(endpoint: Endpoint, share: float = 1.0) -> Throttle:
        """Return a throttle with this process's share of the endpoint's limits (at least 1 each)."""
        return Throttle(
            concurrency=max(1, int(endpoint.concurrency * share)),
            requests_per_minute=_part(endpoint.requests_per_minute, share),
            tokens_per_minute=_part(endpoint.tokens_per_minute, share),
        )

    def keep_to(self, endpoint: Endpoint, share: float = 1.0) -> None:
        """Change the share. Requests of the last minute still count, and a wait that the provider asked for still
        applies."""
        was_free = self.allowed >= self.concurrency
        self.concurrency = max(1, int(endpoint.concurrency * share))
        self.allowed = float(self.concurrency) if was_free else min(self.allowed, float(self.concurrency))
        for window, fresh in zip(
            self._requests, _request_windows(_part(endpoint.requests_per_minute, share)), strict=True
        ):
            window.most = fresh.most
        most = _part(endpoint.tokens_per_minute, share)
        if self._tokens is not None and most is not None:
            self._tokens.most = most
        self._left.set()

    @property
    def paused_s(self) -> float:
        return max(0.0, self._not_before - self._clock())

    def slot(self, tokens: int = 0) -> Slot:
        return Slot(self, tokens)

    async def enter(self, tokens: int) -> tuple[float, RateLimitSlot | None]:
        """Wait for a free slot; return the arguments of `leave` and `settle`."""
        async with self._turn:
            while True:
                if self.in_flight >= max(1, int(self.allowed)):
                    self._left.clear()
                    await self._left.wait()
                    continue
                now = self._clock()
                waits = [self._not_before - now, *(window.wait_s(now) for window in self._requests)]
                if self._tokens is not None:
                    waits.append(self._tokens.wait_s(now, tokens))
                wait_s = max(waits)
                if wait_s <= 0:
                    break
                await self._sleep(wait_s)
            now = self._clock()
            for window in self._requests:
                window.take(now)
            self.in_flight += 1
            return now, None if self._tokens is None else self._tokens.take(now, tokens)

    def leave(self, entered_at: float, error: BaseException | None) -> None:
        """Free the slot after an answer (`error` None) or a failure."""
        self.in_flight -= 1
        self._left.set()
        if error is None:
            self.allowed = min(float(self.concurrency), self.allowed + 1 / self.allowed)
        elif isinstance(error, SendError) and error.kind in (RequestFault.RATE_LIMITED, RequestFault.SERVER_ERROR):
            now = self._clock()
            if error.retry_after_s is not None:
                self._not_before = max(self._not_before, now + min(error.retry_after_s, LONGEST_PAUSE_S))
            # Requests in flight at the last slow-down say nothing about the new pace.
            if error.kind is RequestFault.RATE_LIMITED and entered_at >= self._cut_at:
                self.allowed = max(1.0, self.allowed / 2)
                self._cut_at = now

    def settle(self, entry: RateLimitSlot, tokens: int) -> None:
        if self._tokens is not None:
            self._tokens.settle(entry, tokens)


class Slot:
    __slots__ = ("_entered_at", "_taken", "_throttle", "_tokens")

    def __init__(self, throttle: Throttle, tokens: int) -> None:
        self._throttle = throttle
        self._tokens = tokens
        self._entered_at = 0.0
        self._taken: RateLimitSlot | None = None

    async def __aenter__(self) -> Slot:
        self._entered_at, self._taken = await self._throttle.enter(self._tokens)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._throttle.leave(self._entered_at, error)

    def used(self, tokens: int | None) -> None:
        """Set the actual number of tokens; None keeps the estimate."""
        if tokens is not None and self._taken is not None:
            self._throttle.settle(self._taken, tokens)


def _part(limit: int | None, share: float) -> int | None:
    return None if limit is None else max(1, int(limit * share))


def _request_windows(per_minute: int | None) -> tuple[Window, ...]:
    if per_minute is None:
        return ()
    burst = math.ceil(per_minute * BURST_S / MINUTE_S)
    return Window(per_minute), Window(burst, BURST_S)
