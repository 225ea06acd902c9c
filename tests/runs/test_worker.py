"""A worker follows what people say of a run, finds what a dead one left, and stays small."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from benchmarks.models.running import RunningServer
from core.runs import RunState
from runs.__main__ import TAKEN
from runs.queue import queue_of
from runs.queue_sqlite import PlaceTaken, only_worker
from runs.worker import Worker, openai_client
from store import replies, runs
from store.engine import Store
from tests.runs.begun import HURRIED, begin, finished, model, now, rows, state, statuses, work, worker

ROOT = Path(__file__).resolve().parents[2]
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
def test_a_run_that_is_paused_or_cancelled_sends_no_more_and_keeps_what_is_on_its_way(
    store: Store, model_server: RunningServer, to: RunState
) -> None:
    model_server.play({"latency_ms": 50})
    run = begin(store, {"m": model(model_server.url, concurrency=4)}, 400)

    async def act(_one: Worker) -> None:
        await until(lambda: count(store, "attempt") > 8)
        await asyncio.to_thread(move, store, run.run_id, to)
        await asyncio.sleep(1.2)  # the promise: within a second
        after = model_server.log()["requests"]
        await until(lambda: count(store, "attempt WHERE state = 'sent'") == 0)
        await asyncio.sleep(0.5)
        assert model_server.log()["requests"] == after

    beside(store, act)
    sent = model_server.log()["requests"]
    assert sent < 400
    assert statuses(store, run.run_id) == {"answered": sent, "pending": 400 - sent}
    assert count(store, "reply") == sent
    assert state(store, run.run_id) == (to, "")


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


def test_a_run_without_anything_to_ask_is_done(store: Store, model_server: RunningServer) -> None:
    run = begin(store, {"m": model(model_server.url)}, 3)
    work(store)
    move(store, run.run_id, RunState.QUEUED, RunState.DONE)
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    assert model_server.log()["requests"] == 3


def test_a_run_begun_while_a_worker_rests_is_found(store: Store, model_server: RunningServer) -> None:
    async def act(_one: Worker) -> None:
        await asyncio.sleep(1)
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
    assert "names the model 'm'" in reason


def test_a_fault_of_ours_stops_its_run_and_leaves_the_others_alone(store: Store, model_server: RunningServer) -> None:
    class Broken:
        async def send(self, *_: object) -> None:
            raise ZeroDivisionError("a fault")

        async def close(self) -> None: ...

    bad = begin(store, {"m": model(model_server.url, concurrency=3)}, 3)
    good = begin(store, {"m": model(model_server.url, concurrency=4)}, 3, questions=["One?", "Two?"])
    work(store, make_client=lambda endpoint: Broken() if endpoint.concurrency == 3 else openai_client(endpoint))
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
            "id": "0", "run_id": run_id, "item_id": item, "request_hash": request_hash, "number": 1,
            "endpoint": "loopback", "model": "m", "worker_id": "dead", "state": "sent", "kind": "", "message": "",
            "sent_at": now(),
        }  # fmt: skip
        replies.insert_attempts(session, [row])
    if silent and not store.is_sqlite:
        time.sleep(HURRIED.lost_after_s + 0.1)
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


def test_a_worker_that_is_told_to_stop_waits_for_its_answers_but_not_for_ever(
    store: Store, model_server: RunningServer
) -> None:
    model_server.play({"rules": [{"matches": "Question 0:", "fault": "hang"}], "latency_ms": 300})
    run = begin(store, {"m": model(model_server.url, deadline_s=60.0)}, 6)

    async def act() -> None:
        one = Worker(store, clock=now, pace=HURRIED)
        working = asyncio.create_task(one.run(grace_s=2.0))
        await until(lambda: count(store, "attempt") == 6)
        one.stop.set()
        await asyncio.wait_for(working, 20)

    asyncio.run(act())
    assert statuses(store, run.run_id) == {"answered": 5, "pending": 1}
    assert dict(rows(store, "SELECT state, count(*) FROM attempt GROUP BY state")) == {"answered": 5, "uncertain": 1}
    assert state(store, run.run_id)[0] is RunState.RUNNING


# --- the process ---------------------------------------------------------------------------------------------------


def test_a_study_in_a_file_has_one_worker_and_its_place_is_free_after_a_kill(sqlite_store: Store) -> None:
    place = str(sqlite_store.path)
    first = worker(place)
    for _ in range(600):
        if rows(sqlite_store, "SELECT count(*) FROM worker") == [(1,)]:
            break
        time.sleep(0.05)
    second = worker(place)
    _, said = second.communicate(timeout=60)
    assert (second.returncode, "Another worker is at work" in said) == (TAKEN, True)
    with pytest.raises(PlaceTaken), only_worker(sqlite_store):
        pass
    first.kill()
    first.communicate()
    with only_worker(sqlite_store):
        pass
    finished(worker(place, "--once"))
    assert rows(sqlite_store, "SELECT count(*) FROM worker WHERE stopped_at IS NULL") == [(0,)]


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_worker_in_good_order(sqlite_store: Store, sign: signal.Signals) -> None:
    process = worker(str(sqlite_store.path))
    for _ in range(600):
        if rows(sqlite_store, "SELECT count(*) FROM worker") == [(1,)]:
            break
        time.sleep(0.05)
    process.send_signal(sign)
    assert finished(process) == ""
    assert rows(sqlite_store, "SELECT count(*) FROM worker WHERE stopped_at IS NULL") == [(0,)]


def test_a_kept_worker_ends_with_the_input_of_whoever_keeps_it(sqlite_store: Store) -> None:
    process = worker(str(sqlite_store.path), "--kept", stdin=subprocess.PIPE)
    for _ in range(600):
        if rows(sqlite_store, "SELECT count(*) FROM worker") == [(1,)]:
            break
        time.sleep(0.05)
    assert process.stdin is not None
    process.stdin.close()
    process.stdin = None
    assert finished(process) == ""


def test_a_worker_of_a_study_that_is_not_there_says_so_and_makes_none(tmp_path: Path) -> None:
    process = worker(str(tmp_path / "mistyped.edgewise"))
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (1, f"There is no study at {tmp_path / 'mistyped.edgewise'}.\n")
    assert not list(tmp_path.iterdir())


HEAVY = ("scipy", "pandas", "pymupdf", "streamlit", "networkx", "pyarrow", "documents", "services", "pages")


def test_a_worker_at_work_loads_no_screens_no_statistics_and_no_documents(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    run = begin(sqlite_store, {"m": model(model_server.url)}, 3)
    watch = (
        "import json, sys\n"
        "from runs.__main__ import main\n"
        f"status = main(['--store', {str(sqlite_store.path)!r}, '--once'])\n"
        "print(json.dumps([status, sorted({name.partition('.')[0] for name in sys.modules})]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", watch], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    status, loaded = json.loads(done.stdout)
    assert (status, set(HEAVY) & set(loaded)) == (0, set())
    assert "openai" in loaded
    assert "procrastinate" not in loaded
    assert statuses(sqlite_store, run.run_id) == {"answered": 3}


def test_a_worker_at_rest_loads_no_client(sqlite_store: Store) -> None:
    watch = (
        "import sys\n"
        "from runs.__main__ import main\n"
        f"main(['--store', {str(sqlite_store.path)!r}, '--once'])\n"
        "sys.exit(1 if {'openai', 'aiohttp', 'httpx2'} & set(sys.modules) else 0)\n"
    )
    subprocess.run([sys.executable, "-c", watch], cwd=ROOT, timeout=60, check=True)
