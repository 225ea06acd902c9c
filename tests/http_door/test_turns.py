"""Turns at the hash: two threads of their own, one turn an address, and nobody in line for ever."""

from __future__ import annotations

import asyncio
import threading

import pytest
from anyio import to_thread

from core.errors import Refused
from http_door.turns import Turns


class Work:
    """Work that goes on until it is let go, and notes in which order it began and how much was under way at once."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.begun: list[str] = []
        self.most = self._now = 0
        self._lock = threading.Lock()

    def __call__(self, who: str) -> str:
        with self._lock:
            self.begun.append(who)
            self._now += 1
            self.most = max(self.most, self._now)
        self.go_on.wait(30)
        with self._lock:
            self._now -= 1
        return who


async def until_begun(work: Work, count: int) -> None:
    while len(work.begun) < count:
        await asyncio.sleep(0.01)


def test_a_burst_from_one_address_takes_one_turn_and_leaves_the_other_to_another_address() -> None:
    async def tried() -> Work:
        turns, work = Turns(), Work()
        burst = [asyncio.ensure_future(turns.take("here", work, f"here {number}")) for number in range(30)]
        await until_begun(work, 1)
        other = asyncio.ensure_future(turns.take("elsewhere", work, "elsewhere"))
        await until_begun(work, 2)
        assert work.begun == ["here 0", "elsewhere"]
        work.go_on.set()
        assert await other == "elsewhere"
        assert await asyncio.gather(*burst) == [f"here {number}" for number in range(30)]
        assert turns._lines == {}
        return work

    assert asyncio.run(tried()).most == 2


def test_while_all_turns_are_taken_the_gates_own_threads_are_free() -> None:
    async def tried() -> str:
        turns, work = Turns(), Work()
        asked = [asyncio.ensure_future(turns.take(f"address {number}", work, "one")) for number in range(60)]
        await until_begun(work, 2)
        answer = await asyncio.wait_for(to_thread.run_sync(lambda: "the gate"), 20)
        assert len(work.begun) == 2
        work.go_on.set()
        await asyncio.gather(*asked)
        return answer

    assert asyncio.run(tried()) == "the gate"


def test_who_has_no_turn_in_time_is_told_and_what_work_raises_comes_back() -> None:
    async def tried() -> None:
        turns, work = Turns(longest_wait_s=0.05), Work()
        first = asyncio.ensure_future(turns.take("here", work, "first"))
        await until_begun(work, 1)
        with pytest.raises(Refused, match="from your network just now"):
            await turns.take("here", work, "second")
        work.go_on.set()
        assert await first == "first"
        with pytest.raises(ValueError, match="no such number"):
            await turns.take("here", int_of, "no such number")
        assert await turns.take("here", work, "third") == "third"
        assert turns._lines == {}

    asyncio.run(tried())


def int_of(text: str) -> int:
    raise ValueError(text)
