"""Requests leave no faster than an endpoint allows, in order, and slower when it says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.endpoint.endpoints import Endpoint
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.limits import Throttle, Window


class Clock:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def throttle(clock: Clock, **limits: int | None) -> Throttle:
    return Throttle(**{"concurrency": 50, **limits}, clock=clock, sleep=clock.sleep)  # type: ignore[arg-type]


def played(act: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        await asyncio.wait_for(act(), 20)

    asyncio.run(run())


@given(
    most=st.integers(1, 20),
    steps=st.lists(st.tuples(st.floats(0, 30), st.integers(1, 20)), max_size=60),
    period=st.floats(0.5, 60),
)
def test_no_span_of_the_period_holds_more_than_the_limit(
    most: int, steps: list[tuple[float, int]], period: float
) -> None:
    window, now, taken = Window(most, period), 0.0, []
    for gap, amount in steps:
        now += gap
        while (wait := window.wait_s(now, amount)) > 0:
            now += wait
        window.take(now, amount)
        taken.append((now, amount))
    for start, (at, amount) in enumerate(taken):
        within = [one for one in taken[start:] if one[0] < at + period]
        assert sum(one[1] for one in within) <= most or within == [(at, amount)]


@given(st.lists(st.integers(1, 9), max_size=30))
def test_a_wait_is_no_longer_than_needed(amounts: list[int]) -> None:
    window, now = Window(10, 60.0), 0.0
    for amount in amounts:
        wait = window.wait_s(now, amount)
        if wait > 0:
            assert window.wait_s(now + wait * 0.999, amount) > 0
        now += wait
        window.take(now, amount)


def test_what_was_used_takes_the_place_of_what_was_expected() -> None:
    window = Window(100)
    first = window.take(0.0, 90)
    assert window.wait_s(1.0, 50) == 59.0
    window.settle(first, 30)
    assert window.wait_s(1.0, 50) == 0.0
    window.settle(first, 100)
    assert window.wait_s(1.0, 1) == 59.0
    assert window.wait_s(60.0, 100) == 0.0
    window.settle(first, 5)  # an answer that came after its minute changes nothing
    window.take(60.0, 100)
    assert window.wait_s(61.0, 1) == 59.0


def test_more_than_the_limit_at_once_goes_alone() -> None:
    window = Window(10)
    window.take(0.0, 3)
    assert window.wait_s(0.0, 500) == 60.0
    window.take(60.0, 500)
    assert window.wait_s(60.0, 1) == 60.0


def test_twelve_a_minute_leave_two_at_a_time_in_the_order_they_asked() -> None:
    clock = Clock()
    limited = throttle(clock, requests_per_minute=12)
    left: list[tuple[int, float]] = []

    async def ask(number: int) -> None:
        async with limited.slot():
            left.append((number, clock.now - 1_000.0))

    async def act() -> None:
        await asyncio.gather(*(ask(number) for number in range(14)))

    played(act)
    assert [number for number, _ in left] == list(range(14))
    # 12 a minute are 2 in ten seconds; the 13th waits for the first to be a minute old
    assert [at for _, at in left] == [0, 0, 10, 10, 20, 20, 30, 30, 40, 40, 50, 50, 60, 60]


def test_tokens_a_minute_are_kept_and_settled() -> None:
    clock = Clock()
    limited = throttle(clock, tokens_per_minute=1_000)
    left: list[float] = []

    async def act() -> None:
        for used in (200, 200, None):
            async with limited.slot(600) as slot:
                left.append(clock.now - 1_000.0)
                slot.used(used)
        async with limited.slot(600):
            left.append(clock.now - 1_000.0)

    played(act)
    # 600 expected, 200 used: the third still fits (200 + 200 + 600 = 1,000); the fourth must wait for their minute
    assert left == [0, 0, 0, 60]


def test_no_more_than_the_concurrency_are_in_flight() -> None:
    limited = Throttle(concurrency=3)
    most = 0

    async def ask() -> None:
        nonlocal most
        async with limited.slot():
            most = max(most, limited.in_flight)
            await asyncio.sleep(0)

    async def act() -> None:
        await asyncio.gather(*(ask() for _ in range(20)))

    played(act)
    assert most == 3
    assert limited.in_flight == 0


async def refused(
    limited: Throttle, kind: RequestFault = RequestFault.RATE_LIMITED, retry_after_s: float | None = None
) -> None:
    with pytest.raises(SendError):
        async with limited.slot():
            raise SendError(kind, "slow down", retry_after_s=retry_after_s)


def test_a_429_halves_what_may_be_in_flight_and_answers_raise_it_again() -> None:
    clock = Clock()
    limited = throttle(clock, concurrency=16)

    async def act() -> None:
        await refused(limited)
        assert limited.allowed == 8
        await clock.sleep(1)
        await refused(limited)
        assert limited.allowed == 4
        for _ in range(4):
            async with limited.slot():
                pass
        assert 4.8 < limited.allowed < 5  # one more after as many answers as may be in flight
        for _ in range(500):
            async with limited.slot():
                pass
        assert limited.allowed == 16

    played(act)


def test_requests_that_failed_together_halve_once() -> None:
    clock = Clock()
    limited = throttle(clock, concurrency=16)
    gate = asyncio.Event()

    async def ask() -> None:
        with pytest.raises(SendError):
            async with limited.slot():
                await gate.wait()
                raise SendError(RequestFault.RATE_LIMITED, "slow down")

    async def act() -> None:
        asked = [asyncio.create_task(ask()) for _ in range(16)]
        await asyncio.sleep(0.05)
        clock.now += 1
        gate.set()
        await asyncio.gather(*asked)
        assert limited.allowed == 8

    played(act)


def test_one_request_is_always_allowed() -> None:
    clock = Clock()
    limited = throttle(clock, concurrency=2)

    async def act() -> None:
        for _ in range(6):
            await refused(limited)
            await clock.sleep(1)
        assert limited.allowed == 1
        async with limited.slot():
            pass

    played(act)


@pytest.mark.parametrize(("asked", "waited"), [(7.0, 7.0), (3600.0, 300.0)])
@pytest.mark.parametrize("kind", [RequestFault.RATE_LIMITED, RequestFault.SERVER_ERROR])
def test_a_wait_that_is_asked_for_holds_every_request(kind: RequestFault, asked: float, waited: float) -> None:
    clock = Clock()
    limited = throttle(clock)

    async def act() -> None:
        await refused(limited, kind, asked)
        assert limited.paused_s == waited
        async with limited.slot():
            assert clock.now == 1_000.0 + waited
        assert limited.paused_s == 0

    played(act)


def test_other_faults_do_not_slow_down() -> None:
    clock = Clock()
    limited = throttle(clock, concurrency=8)

    async def act() -> None:
        for kind in set(RequestFault) - {RequestFault.RATE_LIMITED}:
            await refused(limited, kind)

    played(act)
    assert limited.allowed == 8


def test_who_stops_waiting_leaves_no_trace() -> None:
    limited = Throttle(concurrency=1)

    async def act() -> None:
        async with limited.slot():
            waiting = [asyncio.create_task(limited.enter(0)) for _ in range(3)]
            await asyncio.sleep(0.01)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        assert limited.in_flight == 0
        async with limited.slot():
            assert limited.in_flight == 1

    played(act)


def test_another_share_keeps_what_left_and_what_was_asked_for() -> None:
    clock = Clock()
    limited = throttle(clock, concurrency=8, requests_per_minute=12, tokens_per_minute=1_000)
    whole = Endpoint(name="lab", base_url="http://x/v1", requests_per_minute=12, tokens_per_minute=1_000, concurrency=8)

    async def act() -> None:
        for _ in range(2):
            async with limited.slot(200):
                pass
        limited.keep_to(whole, share=0.5)  # 6 a minute, 1 in ten seconds, 500 tokens
        assert (limited.concurrency, limited.allowed) == (4, 4)
        async with limited.slot(100):
            assert clock.now == 1_010.0
        async with limited.slot(100):
            assert clock.now == 1_060.0
        await refused(limited, retry_after_s=30.0)
        limited.keep_to(whole)
        assert (limited.concurrency, limited.allowed, limited.paused_s) == (8, 2, 30.0)

    played(act)


def test_a_share_is_a_part_of_every_limit_but_never_nothing() -> None:
    whole = Endpoint(name="lab", base_url="http://x/v1", requests_per_minute=90, tokens_per_minute=None, concurrency=8)
    assert Throttle.of(whole, share=0.5).concurrency == 4
    assert Throttle.of(whole, share=0.01).concurrency == 1
