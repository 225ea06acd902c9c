"""A worker follows what people say of a run, finds what a dead one left, and stays small."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, text, update

from benchmarks.running_server import RunningServer
from core.runs.states import RunState
from runs.budget import Amount
from runs.client_pool import client_of
from runs.queues import queue_of
from runs.worker import Worker
from store import engine
from store.engine import Store
from store.runs import replies, runs, totals
from tests.fast_polling import AS_IN_USE, OFTEN_S
from tests.runs.begun import BUDGET, HURRIED, begin, model, now, rows, state, statuses, work

pytestmark = pytest.mark.both

LOOKED_S = 4 * OFTEN_S
"""By then a worker of this process has looked twice and more."""
OPEN = (RunState.QUEUED, RunState.RUNNING)


def move(store: Store, run_id: str, to: RunState, *only_from: RunState) -> None:
    """What a service does when a person steers a run."""
    with store.writing() as session:
        assert runs.set_state(session, run_id, to, "", now(), only_from=only_from or OPEN)
        if to is RunState.QUEUED:
            queue_of(store).submit(session, run_id, runs.pending_shards(session, run_id))


def beside(store: Store, act: Callable[[Worker], Coroutine[Any, Any, None]]) -> None:
    """Let a worker work while `act` does what people do; then stop it."""

    async def both() -> None:
        one = Worker(store, clock=now, pace=HURRIED)
        working = asyncio.create_task(one.run())
        try:
            await act(one)
        finally:
            one.stop.set()
            assert await working == 0

    asyncio.run(both())


async def until(is_so: Callable[[], bool], timeout_s: float = 30) -> None:
    deadline = time.monotonic() + timeout_s
    while not await asyncio.to_thread(is_so):
        assert time.monotonic() < deadline, "it did not come about"
        await asyncio.sleep(0.02)


def count(store: Store, what: str) -> int:
    return int(rows(store, f"SELECT count(*) FROM {what}")[0][0])


@pytest.mark.parametrize("to", [RunState.PAUSED, RunState.CANCELLED])
@pytest.mark.both(usually=False)
def test_a_run_that_is_paused_or_cancelled_sends_no_more_and_keeps_what_is_on_its_way(
    store: Store, model_server: RunningServer, to: RunState
) -> None:
    model_server.play({"latency_ms": 50})
    run = begin(store, {"m": model(model_server.url, concurrency=4)}, 400)

    async def act(_one: Worker) -> None:
        await until(lambda: count(store, "attempt") > 8)
        await asyncio.to_thread(move, store, run.run_id, to)
        await asyncio.sleep(LOOKED_S)
        after = model_server.log()["requests"]
        await until(lambda: count(store, "attempt WHERE state = 'sent'") == 0)
        await asyncio.sleep(0.2)
        assert model_server.log()["requests"] == after

    beside(store, act)
    sent = model_server.log()["requests"]
    assert sent < 400
    assert statuses(store, run.run_id) == {"answered": sent, "pending": 400 - sent}
    assert count(store, "reply") == sent
    assert state(store, run.run_id) == (to, "")


def test_what_people_say_of_a_run_is_seen_within_a_second() -> None:
    assert 2 * AS_IN_USE["WATCH_S"] <= 1


@pytest.mark.both(usually=False)
def test_a_paused_run_goes_on_where_it_was(store: Store, model_server: RunningServer) -> None:
    run = begin(store, {"m": model(model_server.url, concurrency=4)}, 150)

    async def act(_one: Worker) -> None:
        await until(lambda: count(store, "reply") > 20)
        await asyncio.to_thread(move, store, run.run_id, RunState.PAUSED)
        await asyncio.to_thread(move, store, run.run_id, RunState.QUEUED, RunState.PAUSED)
        await until(lambda: state(store, run.run_id)[0] is RunState.DONE)

    beside(store, act)
    assert statuses(store, run.run_id) == {"answered": 150}
    assert model_server.log()["requests"] == 150


@pytest.mark.both(usually=False)
def test_a_run_without_anything_to_ask_is_done(store: Store, model_server: RunningServer) -> None:
    run = begin(store, {"m": model(model_server.url)}, 3)
    work(store)
    move(store, run.run_id, RunState.QUEUED, RunState.DONE)
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    assert model_server.log()["requests"] == 3


@pytest.mark.both(usually=False)
def test_a_run_begun_while_a_worker_rests_is_found(store: Store, model_server: RunningServer) -> None:
    async def act(_one: Worker) -> None:
        await asyncio.sleep(0.3)
        run = await asyncio.to_thread(begin, store, {"m": model(model_server.url)}, 5)
        await until(lambda: state(store, run.run_id)[0] is RunState.DONE, 10)

    beside(store, act)


def test_a_run_whose_jobs_were_lost_is_found_all_the_same(store: Store, model_server: RunningServer) -> None:
    run = begin(store, {"m": model(model_server.url)}, 5)
    if not store.is_sqlite:
        with store.writing() as session:
            session.execute(text("SET LOCAL search_path TO edgewise_queue"))
            session.execute(text("DELETE FROM procrastinate_jobs"))
    work(store)
    assert statuses(store, run.run_id) == {"answered": 5}


def test_a_run_that_this_program_cannot_read_stops_and_says_why(store: Store, model_server: RunningServer) -> None:
    broken = model(model_server.url)
    run = begin(store, {"m": broken}, 3)
    with store.writing() as session:
        session.execute(text("UPDATE run SET settings = '{\"models\": {}}'"))
    work(store)
    end, reason = state(store, run.run_id)
    assert end is RunState.STOPPED
    assert "names the model “m”" in reason


def test_a_fault_of_ours_stops_its_run_and_leaves_the_others_alone(store: Store, model_server: RunningServer) -> None:
    class Broken:
        async def send(self, *_: object) -> None:
            raise ZeroDivisionError("a fault")

        async def close(self) -> None: ...

    bad = begin(store, {"m": model(model_server.url, concurrency=3)}, 3)
    good = begin(store, {"m": model(model_server.url, concurrency=4)}, 3, questions=["One?", "Two?"])
    work(store, make_client=lambda endpoint: Broken() if endpoint.concurrency == 3 else client_of(endpoint))
    end, reason = state(store, bad.run_id)
    assert (end, reason) == (RunState.STOPPED, "A fault in Edgewise: ZeroDivisionError: a fault")
    assert state(store, good.run_id) == (RunState.DONE, "")


# --- what a dead worker left ---------------------------------------------------------------------------------------


def leave_behind(store: Store, run_id: str, *, silent: bool) -> str:
    """What a worker that was killed amid a request leaves; returns the attempt."""
    (item, request_hash), *_ = rows(store, "SELECT id, request_hash FROM run_item ORDER BY id")
    with store.writing() as session:
        replies.begin_worker(session, "dead", "elsewhere", 1, now())
        row = {
            "id": "0",
            "run_id": run_id,
            "item_id": item,
            "request_hash": request_hash,
            "number": 1,
            "endpoint": "loopback",
            "model": "m",
            "worker_id": "dead",
            "state": "sent",
            "kind": "",
            "message": "",
            "most_tokens": 100,
            "sent_at": now(),
        }
        replies.insert_attempts(session, [row])
    if silent and not store.is_sqlite:
        long_ago = func.now() - timedelta(seconds=HURRIED.lost_after_s + 0.1)
        with store.writing() as session:
            session.execute(update(replies.WORKER).where(replies.WORKER.c.id == "dead").values(seen_at=long_ago))
    return "0"


def test_what_a_dead_worker_left_on_its_way_is_uncertain_and_its_second_sending_is_listed(
    store: Store, model_server: RunningServer
) -> None:
    run = begin(store, {"m": model(model_server.url)}, 3)
    left = leave_behind(store, run.run_id, silent=True)
    work(store)
    assert statuses(store, run.run_id) == {"answered": 3}
    assert rows(store, "SELECT state FROM attempt WHERE id = '0'") == [("uncertain",)]
    with store.reading() as session:
        (again,) = replies.resends(session, run.run_id)
    assert (again.first_attempt_id, again.attempt_id != left) == (left, True)
    assert rows(store, "SELECT number FROM attempt WHERE id = :again", again=again.attempt_id) == [(2,)]
    assert model_server.log()["requests"] == 3


@pytest.mark.both(usually=False)
def test_a_reply_kept_by_a_worker_that_died_before_reading_it_is_read_without_a_request(
    store: Store, model_server: RunningServer
) -> None:
    run = begin(store, {"m": model(model_server.url)}, 5)
    work(store)
    with store.writing() as session:
        session.execute(text("UPDATE run_item SET status = 'pending', predicted = NULL, attempts = 0"))
        assert runs.set_state(session, run.run_id, RunState.QUEUED, "", now(), only_from=[RunState.DONE])
    work(store)
    found = rows(store, "SELECT status, was_cached, attempts, count(*) FROM run_item GROUP BY 1, 2, 3")
    assert [(status, bool(was), attempts, n) for status, was, attempts, n in found] == [("answered", False, 1, 5)]
    assert model_server.log()["requests"] == 5


@pytest.mark.both(usually=False)
def test_a_worker_that_is_told_to_stop_waits_for_its_answers_but_not_for_ever(
    store: Store, model_server: RunningServer
) -> None:
    model_server.play({"rules": [{"matches": "Question 0:", "fault": "hang"}], "latency_ms": 100})
    run = begin(store, {"m": model(model_server.url, deadline_s=60.0)}, 6)

    async def act() -> None:
        one = Worker(store, clock=now, pace=HURRIED)
        working = asyncio.create_task(one.run(grace_s=1.0))
        await until(lambda: count(store, "attempt") == 6)
        one.stop.set()
        await asyncio.wait_for(working, 20)

    asyncio.run(act())
    assert statuses(store, run.run_id) == {"answered": 5, "pending": 1}
    assert dict(rows(store, "SELECT state, count(*) FROM attempt GROUP BY state")) == {"answered": 5, "uncertain": 1}
    assert state(store, run.run_id)[0] is RunState.RUNNING


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_a_worker_ends_also_when_the_store_stays_locked_and_says_that_something_was_not_kept(
    store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 200)
    model_server.play({"latency_ms": 150})
    run = begin(store, {"m": model(model_server.url)}, 6)
    lock = sqlite3.connect(str(store.path), isolation_level=None, check_same_thread=False)

    async def act() -> int:
        one = Worker(store, clock=now, pace=HURRIED)
        working = asyncio.create_task(one.run(grace_s=0.4))
        await until(lambda: count(store, "attempt") == 6)
        lock.execute("BEGIN IMMEDIATE")
        one.stop.set()
        return await asyncio.wait_for(working, 60)

    assert asyncio.run(act()) >= 6
    lock.close()
    assert count(store, "attempt WHERE state = 'sent'") == 6
    work(store)
    assert statuses(store, run.run_id) == {"answered": 6}
    with store.reading() as session:
        assert len(replies.resends(session, run.run_id)) == 6


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_attempts_that_a_busy_store_kept_waiting_do_not_leave_after_the_stop(
    store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 200)
    model_server.play({"latency_ms": 50})
    run = begin(store, {"m": model(model_server.url, concurrency=3)}, 40, budget={**BUDGET, "requests": 40})
    lock = sqlite3.connect(str(store.path), isolation_level=None, check_same_thread=False)

    async def act() -> int:
        one = Worker(store, clock=now, pace=HURRIED)
        working = asyncio.create_task(one.run())
        await until(lambda: count(store, "reply") > 3)
        (live,) = one._runner.lives.values()
        lock.execute("BEGIN IMMEDIATE")
        await until(lambda: one.unwritten >= 3)
        await asyncio.sleep(0.3)  # what was on its way is answered, and attempts wait to be kept
        sent = int(model_server.log()["requests"])
        one.stop.set()
        await until(lambda: live.is_halted)
        lock.execute("ROLLBACK")
        assert await asyncio.wait_for(working, 60) == 0
        assert model_server.log()["requests"] == sent
        for _ in range(40 - sent):  # the budget has room for all that was not sent
            await asyncio.wait_for(live.budget.set_aside("m", Amount(1, 0.0)), 10)
        return sent

    sent = asyncio.run(act())
    lock.close()
    ends = rows(store, "SELECT state, cost_usd IS NULL, count(*) FROM attempt GROUP BY 1, 2 ORDER BY 1")
    unsent = count(store, "attempt WHERE state = 'unsent'")
    assert 1 <= unsent <= 3
    assert ends == [("answered", 0, sent), ("unsent", 0, unsent)]
    assert rows(store, "SELECT attempts, count(*) FROM run_item GROUP BY 1") == [(0, 40 - sent), (1, sent)]
    with store.reading() as session:
        assert totals.failed(session, run.run_id) == []  # nothing went wrong
    work(store)
    assert statuses(store, run.run_id) == {"answered": 40}
    assert model_server.log()["requests"] == 40
    with store.reading() as session:
        assert not replies.resends(session, run.run_id)


@pytest.mark.both(usually=False)
def test_what_a_worker_does_to_a_run_is_in_the_history(store: Store, model_server: RunningServer) -> None:
    begin(store, {"m": model(model_server.url)}, 2)
    work(store)
    model_server.play({"rules": [{"fault": "quota"}]})
    begin(store, {"m": model(model_server.url)}, questions=["Another?"])
    work(store)
    assert rows(store, "SELECT actor, act, subject_kind FROM event ORDER BY seq") == [
        ("worker", "run.finish", "run"),
        ("worker", "run.stop", "run"),
    ]
