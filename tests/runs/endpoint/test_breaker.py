"""After three connections in a row that are not made nothing more is sent, and one request at a time looks again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

from runs.endpoint.breaker import TRIPS_AFTER, Breaker, End, Pauses, SendingPermit, Unreachable

AT = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
WHY = "The server here refuses connections."


class Clock:
    """A clock that stands still until somebody sets it forward."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def played(act: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(act(), 20))  # type: ignore[arg-type]


async def through(breaker: Breaker, end: End, at: datetime = AT) -> None:
    breaker.leave(await breaker.enter(), end, at, WHY if end is End.REFUSED else "")


def made(clock: Clock, first_s: float = 2.0, longest_s: float = 120.0) -> Breaker:
    return Breaker(Pauses(first_s, longest_s), clock=clock)


def test_three_refusals_in_a_row_open_it_and_it_says_since_when_and_why() -> None:
    clock = Clock()
    breaker = made(clock)

    async def act() -> None:
        for number in range(TRIPS_AFTER):
            assert not breaker.is_open
            await through(breaker, End.REFUSED, AT + timedelta(seconds=number))
        assert (breaker.is_open, breaker.why, breaker.since, breaker.wait_s()) == (True, WHY, AT, 2.0)
        with pytest.raises(Unreachable):
            await breaker.enter()
        clock.now += 1.5
        assert breaker.wait_s() == 0.5

    played(act)


@pytest.mark.parametrize("other", [End.REACHED, End.UNHEARD])
def test_a_slow_or_failing_server_trips_nothing_and_ends_the_row(other: End) -> None:
    breaker = made(Clock())

    async def act() -> None:
        for _ in range(20):
            for _ in range(TRIPS_AFTER - 1):
                await through(breaker, End.REFUSED)
            await through(breaker, other)
        assert (breaker.is_open, breaker.since, breaker.why) == (False, None, "")
        assert breaker.is_known == (other is End.REACHED)

    played(act)


def test_probes_go_one_at_a_time_with_growing_pauses_until_one_is_answered() -> None:
    clock = Clock()
    breaker, pauses = made(clock, 2.0, 15.0), []

    async def act() -> None:
        for _ in range(TRIPS_AFTER):
            await through(breaker, End.REFUSED)
        for end in (End.REFUSED, End.UNHEARD, End.REFUSED, End.REFUSED, End.REFUSED):
            pauses.append(breaker.wait_s())
            clock.now += breaker.wait_s()
            await through(breaker, end, AT + timedelta(hours=1))
        assert pauses == [2.0, 4.0, 8.0, 15.0, 15.0]
        assert breaker.since == AT
        clock.now += breaker.wait_s()
        probe = await breaker.enter()
        others = [asyncio.create_task(breaker.enter()) for _ in range(5)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in others)
        assert breaker.wait_s() == 0  # whoever comes waits for the probe's end, not for a time
        breaker.leave(probe, End.REACHED, AT)
        assert len(await asyncio.gather(*others)) == 5
        assert not breaker.is_open
        for _ in range(TRIPS_AFTER):
            await through(breaker, End.REFUSED)
        assert breaker.wait_s() == 2.0  # the next outage begins with a short pause

    played(act)


def test_those_behind_a_probe_that_fails_are_sent_away() -> None:
    clock = Clock()
    breaker = made(clock)

    async def act() -> None:
        for _ in range(TRIPS_AFTER):
            await through(breaker, End.REFUSED)
        clock.now += 2
        probe = await breaker.enter()
        others = [asyncio.create_task(breaker.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        breaker.leave(probe, End.REFUSED, AT, WHY)
        ended = await asyncio.gather(*others, return_exceptions=True)
        assert [type(each) for each in ended] == [Unreachable] * 3

    played(act)


def test_a_probe_that_is_not_sent_after_all_leaves_its_place_to_the_next() -> None:
    clock = Clock()
    breaker = made(clock)

    async def act() -> None:
        for _ in range(TRIPS_AFTER):
            await through(breaker, End.REFUSED)
        clock.now += 2
        probe = await breaker.enter()
        other = asyncio.create_task(breaker.enter())
        await asyncio.sleep(0)
        breaker.leave(probe, End.UNUSED, AT)
        breaker.check(await other)  # it is the probe now

    played(act)


def test_what_entered_before_the_endpoint_was_lost_does_not_leave_and_an_old_answer_proves_nothing() -> None:
    breaker = made(Clock())

    async def act() -> None:
        early: list[SendingPermit] = [await breaker.enter() for _ in range(6)]
        for passage in early[:3]:
            breaker.leave(passage, End.REFUSED, AT, WHY)
        with pytest.raises(Unreachable):
            breaker.check(early[3])
        breaker.leave(early[4], End.REACHED, AT)
        breaker.leave(early[5], End.REFUSED, AT, WHY)
        assert (breaker.is_open, breaker.is_known, breaker.wait_s()) == (True, True, 2.0)

    played(act)


def test_somebody_who_knows_better_has_it_tried_at_once() -> None:
    breaker = made(Clock())

    async def act() -> None:
        for _ in range(TRIPS_AFTER):
            await through(breaker, End.REFUSED)
        breaker.try_now()
        assert breaker.wait_s() == 0
        await through(breaker, End.REACHED)
        assert not breaker.is_open

    played(act)
