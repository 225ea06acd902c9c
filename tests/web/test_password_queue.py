"""Turns at the hash: two threads of their own, one turn an address, and nobody in line for ever."""

from __future__ import annotations

import asyncio
import threading

import pytest
from anyio import to_thread

from core.errors import Busy
from web.password_queue import HashTurns, Rank


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
        turns, work = HashTurns(), Work()
        burst = [asyncio.ensure_future(turns.take("here", Rank.NEW, work, f"here {number}")) for number in range(30)]
        await until_begun(work, 1)
        other = asyncio.ensure_future(turns.take("elsewhere", Rank.NEW, work, "elsewhere"))
        await until_begun(work, 2)
        assert work.begun == ["here 0", "elsewhere"]
        work.go_on.set()
        assert await other == "elsewhere"
        assert await asyncio.gather(*burst) == [f"here {number}" for number in range(30)]
        assert_all_are_gone(turns)
        return work

    assert asyncio.run(tried()).most == 2


def test_while_all_turns_are_taken_the_gates_own_threads_are_free() -> None:
    async def tried() -> str:
        turns, work = HashTurns(), Work()
        asked = [asyncio.ensure_future(turns.take(f"address {number}", Rank.NEW, work, "one")) for number in range(60)]
        await until_begun(work, 2)
        answer = await asyncio.wait_for(to_thread.run_sync(lambda: "the gate"), 20)
        assert len(work.begun) == 2
        work.go_on.set()
        await asyncio.gather(*asked)
        return answer

    assert asyncio.run(tried()) == "the gate"


def test_who_has_no_turn_in_time_is_told_and_what_work_raises_comes_back() -> None:
    async def tried() -> None:
        turns, work = HashTurns(longest_wait_s=0.05), Work()
        first = asyncio.ensure_future(turns.take("here", Rank.NEW, work, "first"))
        await until_begun(work, 1)
        with pytest.raises(Busy, match="from your network right now"):
            await turns.take("here", Rank.NEW, work, "second")
        work.go_on.set()
        assert await first == "first"
        with pytest.raises(ValueError, match="no such number"):
            await turns.take("here", Rank.NEW, int_of, "no such number")
        assert await turns.take("here", Rank.NEW, work, "third") == "third"
        assert_all_are_gone(turns)

    asyncio.run(tried())


def test_a_burst_from_everywhere_is_sent_away_in_time_and_keeps_nobody_who_comes_after_it() -> None:
    async def tried() -> tuple[list[str], list[object]]:
        turns, work = HashTurns(longest_wait_s=0.2), Work()
        burst = [asyncio.ensure_future(turns.take(f"from {n}", Rank.NEW, work, f"{n}")) for n in range(80)]
        await until_begun(work, 2)
        answers = await asyncio.gather(*burst[2:], return_exceptions=True)
        after = asyncio.ensure_future(turns.take("after", Rank.NEW, work, "after"))
        work.go_on.set()
        assert await after == "after"
        assert await asyncio.gather(*burst[:2]) == ["0", "1"]
        assert_all_are_gone(turns)
        return work.begun, list(answers)

    begun, answers = asyncio.run(tried())
    assert (sorted(begun[:2]), begun[2:]) == (["0", "1"], ["after"])  # the first two begin side by side
    assert {str(each) for each in answers} == {"Many people are signing in right now. Try again in 5 seconds."}
    assert all(isinstance(each, Busy) and each.again_s == 5 for each in answers)


def test_whoever_is_known_goes_first_then_who_came_last_and_at_the_end_who_failed() -> None:
    async def tried() -> list[str]:
        turns, work = HashTurns(at_once=1), Work()
        asked = [asyncio.ensure_future(turns.take("begun", Rank.NEW, work, "begun"))]
        await until_begun(work, 1)
        for number, rank in enumerate((Rank.FAILED, Rank.NEW, Rank.KNOWN, Rank.NEW, Rank.FAILED)):
            asked.append(asyncio.ensure_future(turns.take(str(number), rank, work, f"{rank.name} {number}")))
            await asyncio.sleep(0)
        work.go_on.set()
        await asyncio.gather(*asked)
        return work.begun

    assert asyncio.run(tried()) == ["begun", "KNOWN 2", "NEW 3", "NEW 1", "FAILED 4", "FAILED 0"]


def test_no_more_wait_than_there_is_room_for_and_the_last_in_order_is_sent_away() -> None:
    async def tried() -> list[object]:
        turns, work = HashTurns(at_once=1, most_waiting=2), Work()
        asked = [asyncio.ensure_future(turns.take("begun", Rank.NEW, work, "begun"))]
        await until_begun(work, 1)
        for number, rank in enumerate((Rank.NEW, Rank.KNOWN, Rank.NEW, Rank.FAILED)):
            asked.append(asyncio.ensure_future(turns.take(str(number), rank, work, str(number))))
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        work.go_on.set()
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert_all_are_gone(turns)
        return ["busy" if isinstance(answer, Busy) else answer for answer in answers]

    assert asyncio.run(tried()) == ["begun", "busy", "1", "2", "busy"]


def test_who_leaves_before_or_in_their_turn_leaves_it_to_the_next() -> None:
    async def tried() -> None:
        turns, work = HashTurns(at_once=1), Work()
        first = asyncio.ensure_future(turns.take("first", Rank.NEW, work, "first"))
        await until_begun(work, 1)
        left, let_in = (asyncio.ensure_future(turns.take(each, Rank.NEW, work, each)) for each in ("left", "let in"))
        await asyncio.sleep(0)
        left.cancel()
        work.go_on.set()
        await first
        let_in.cancel()  # it may have its turn by now, and not yet know
        assert await turns.take("next", Rank.NEW, work, "next") == "next"
        assert_all_are_gone(turns)

    asyncio.run(tried())


def assert_all_are_gone(turns: HashTurns) -> None:
    assert (turns._waiting, turns._under_way, turns._free) == ([], set(), turns._threads.total_tokens)


def int_of(text: str) -> int:
    raise ValueError(text)
