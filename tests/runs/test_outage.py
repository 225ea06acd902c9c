"""A run outlives its server: while no connection is made it waits and says for what, nothing fails and nothing is paid,
and it goes on by itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from benchmarks.running_server import RunningServer
from core.runs.budget import Spending
from core.runs.states import AT_WORK, RunState
from runs.budget import Amount
from runs.endpoint.breaker import Pauses
from runs.endpoint.faults import FREE
from runs.ledger_rows import sent_row
from runs.queues import queue_of
from runs.worker import Pace, Worker
from store import run_blockers
from store.engine import Store
from store.runs import replies, runs
from tests.everything import EVERYTHING
from tests.runs.begun import BUDGET, HURRIED, begin, model, now, rows, state, statuses, work
from tests.runs.gate import Gate, gate_to
from tests.runs.test_worker import LOOKED_S, count, move, until

pytestmark = pytest.mark.both

QUICK = replace(HURRIED, pauses=Pauses(0.01, 0.03))
"""An outage of minutes in a second: pauses grow from a hundredth of a second to three."""


@pytest.fixture
def gate(model_server: RunningServer) -> Iterator[Gate]:
    with gate_to(model_server) as gate:
        yield gate


def beside(store: Store, act: Callable[[], Any], workers: int = 1, pace: Pace = QUICK) -> None:
    """Let workers work while `act`, in a thread, does what people and servers do; then stop them."""

    async def both() -> None:
        those = [Worker(store, clock=now, pace=pace) for _ in range(workers)]
        working = [asyncio.create_task(one.run(grace_s=2.0)) for one in those]
        try:
            await asyncio.to_thread(act)
        finally:
            for one in those:
                one.stop.set()
            assert await asyncio.gather(*working) == [0] * workers

    asyncio.run(both())


def await_(is_so: Callable[[], bool]) -> None:
    asyncio.run(until(is_so))


def is_in(store: Store, run_id: str, *states: RunState) -> Callable[[], bool]:
    return lambda: state(store, run_id)[0] in states


def waits(store: Store, run_id: str) -> None:
    """Until the run waits, and nothing is on its way."""
    await_(is_in(store, run_id, RunState.WAITING))
    await_(lambda: count(store, "attempt WHERE state = 'sent'") == 0)


def unsent(store: Store) -> int:
    return count(store, "attempt WHERE state = 'unsent'")


def spent(store: Store, run_id: str) -> Spending:
    with store.reading() as session:
        return replies.spent(session, run_id, "nobody", FREE)[1]


def paid(store: Store) -> list[Any]:
    """What has ended and left: how many, and their tokens and dollars."""
    query = "SELECT count(*), sum(tokens_in), sum(tokens_out), sum(cost_usd) FROM attempt"
    return rows(store, query + " WHERE state NOT IN ('sent', 'unsent')")


def since(store: Store, run_id: str) -> datetime:
    with store.reading() as session:
        (found,) = run_blockers.of_run(session, run_id)[1]
    return found.since


def held_against(store: Store, server: RunningServer) -> None:
    """The ledger's attempts that left are the server's log, one for one, but for those whose connection was cut before
    they arrived: nobody on this side can tell."""
    left = dict(rows(store, "SELECT id, kind FROM attempt WHERE state <> 'unsent'"))
    received = [entry["client_request_id"] for entry in server.log()["entries"]]
    assert len(set(received)) == len(received)
    assert set(received) <= set(left)
    assert {left[each] for each in set(left) - set(received)} <= {"connection"}


@pytest.mark.both(usually=False)
def test_an_outage_costs_no_item_no_try_and_no_budget(store: Store, model_server: RunningServer, gate: Gate) -> None:
    model_server.play({"latency_ms": 20})
    run = begin(store, {"m": model(gate.url, concurrency=4)}, 40, budget={**BUDGET, "requests": 44})
    found: dict[str, Any] = {}

    def act() -> None:
        await_(lambda: count(store, "run_item WHERE status = 'answered'") > 8)
        gate.shut()
        waits(store, run.run_id)
        assert state(store, run.run_id) == (RunState.WAITING, f"the server 127.0.0.1:{gate.port} refuses connections")
        found["before"] = paid(store)
        found["left"] = count(store, "run_item WHERE status = 'pending'")
        found["log"] = model_server.log()["requests"]
        await_(lambda: unsent(store) > 12)  # each probe is the same item's: it has more than six
        assert paid(store) == found["before"]
        gate.open()
        await_(is_in(store, run.run_id, RunState.DONE))

    beside(store, act)
    assert (state(store, run.run_id), statuses(store, run.run_id)) == ((RunState.DONE, ""), {"answered": 40})
    assert model_server.log()["requests"] - found["log"] == found["left"]
    held_against(store, model_server)
    assert rows(store, "SELECT hindered FROM run") in ([("{}",)], [({},)])
    assert rows(store, "SELECT count(*) FROM run_item WHERE attempts > 2") == [(0,)]  # 2: lost when the gate was shut
    ends = rows(store, "SELECT DISTINCT kind, http_status, cost_usd FROM attempt WHERE state = 'unsent'")
    assert ends == [("not_reached", None, 0.0)]
    told = [row[0] for row in rows(store, "SELECT act FROM event ORDER BY seq")]
    assert told == ["run.wait", "run.go_on", "run.finish"]


def test_a_request_budget_is_not_used_up_by_connections_that_are_refused(
    sqlite_store: Store, model_server: RunningServer, gate: Gate
) -> None:
    begin(sqlite_store, {"m": model(gate.url)}, 1)
    work(sqlite_store)
    model_server.forget()
    gate.shut()
    run = begin(sqlite_store, {"m": model(gate.url)}, 13, budget={**BUDGET, "requests": 12})

    def act() -> None:
        await_(lambda: unsent(sqlite_store) > 12)
        assert model_server.log()["requests"] == 0
        gate.open()
        await_(is_in(sqlite_store, run.run_id, RunState.DONE))

    beside(sqlite_store, act)  # one of the 13 is answered from the store
    assert statuses(sqlite_store, run.run_id) == {"answered": 13}
    assert model_server.log()["requests"] == 12


def lost_model(gate: Gate) -> dict[str, Any]:
    """A model behind the gate, at an endpoint of its own."""
    found = model(gate.url)
    found["endpoint"]["name"] = "lost"
    return found


def known_and_shut(store: Store, gate: Gate) -> None:
    """The server has answered once, and is down now."""
    begin(store, {"m": model(gate.url), "lost": lost_model(gate)}, questions=["Before?"])
    work(store)
    gate.shut()


@pytest.mark.both(usually=False)
def test_models_behind_other_servers_go_on_and_the_run_waits_when_they_are_done(
    store: Store, model_server: RunningServer, gate: Gate
) -> None:
    known_and_shut(store, gate)
    model_server.play({"latency_ms": 10})
    run = begin(store, {"down": lost_model(gate), "up": model(model_server.url)}, 50)
    seen: list[Any] = []

    def act() -> None:
        await_(lambda: state(store, run.run_id)[1] != "")
        seen.append(state(store, run.run_id))
        waits(store, run.run_id)
        done = rows(store, "SELECT model, count(*) FROM run_item WHERE status = 'answered' GROUP BY model ORDER BY 1")
        seen.append(done)
        gate.open()
        await_(is_in(store, run.run_id, RunState.DONE))

    # One shard in hand at a time: what waits for a server takes no place from what does not.
    beside(store, act, pace=replace(QUICK, at_once=1))
    reason = f"the server 127.0.0.1:{gate.port} refuses connections"
    assert seen == [(RunState.RUNNING, reason), [("lost", 1), ("m", 1), ("up", 50)]]
    assert statuses(store, run.run_id) == {"answered": 100}


def test_another_run_goes_on_while_one_waits(sqlite_store: Store, model_server: RunningServer, gate: Gate) -> None:
    known_and_shut(sqlite_store, gate)
    waiting = begin(sqlite_store, {"m": model(gate.url)}, 700)
    other = begin(sqlite_store, {"m": model(model_server.url)}, 30)

    def act() -> None:
        await_(is_in(sqlite_store, other.run_id, RunState.DONE))
        waits(sqlite_store, waiting.run_id)

    beside(sqlite_store, act)
    assert statuses(sqlite_store, waiting.run_id) == {"pending": 700}


@pytest.mark.both(usually=False)
def test_a_run_that_waits_is_paused_resumed_and_cancelled_like_any_other(
    store: Store, model_server: RunningServer, gate: Gate
) -> None:
    known_and_shut(store, gate)
    run, other = (begin(store, {"m": model(gate.url)}, 20), begin(store, {"lost": lost_model(gate)}, 20))
    model_server.forget()

    def act() -> None:
        waits(store, run.run_id)
        waits(store, other.run_id)
        move(store, run.run_id, RunState.PAUSED, *AT_WORK)
        move(store, other.run_id, RunState.CANCELLED, *AT_WORK)
        assert state(store, run.run_id) == (RunState.PAUSED, "")
        time.sleep(LOOKED_S)
        gate.open()
        before = unsent(store)
        time.sleep(0.3)  # a few pauses
        assert (model_server.log()["requests"], unsent(store)) == (0, before)
        move(store, run.run_id, RunState.QUEUED, RunState.PAUSED)
        await_(is_in(store, run.run_id, RunState.DONE))

    beside(store, act)
    assert statuses(store, run.run_id) == {"answered": 20}
    assert (state(store, other.run_id)[0], statuses(store, other.run_id)) == (RunState.CANCELLED, {"pending": 20})


@pytest.mark.both(usually=False)
def test_a_new_worker_goes_on_waiting_for_the_same_since_the_same_time(
    store: Store, model_server: RunningServer, gate: Gate
) -> None:
    known_and_shut(store, gate)
    run = begin(store, {"m": model(gate.url)}, 20)
    beside(store, lambda: waits(store, run.run_id))
    first, tried = since(store, run.run_id), unsent(store)
    assert abs(first - now()) < timedelta(minutes=5)
    assert state(store, run.run_id)[0] is RunState.WAITING

    def act() -> None:
        await_(lambda: unsent(store) > tried + 8)
        assert (state(store, run.run_id)[0], since(store, run.run_id)) == (RunState.WAITING, first)
        gate.open()
        await_(is_in(store, run.run_id, RunState.DONE))

    beside(store, act)
    assert statuses(store, run.run_id) == {"answered": 20}


@pytest.mark.both(usually=False)
def test_whoever_knows_that_the_server_is_back_has_it_tried_at_once(
    store: Store, model_server: RunningServer, gate: Gate
) -> None:
    known_and_shut(store, gate)
    run = begin(store, {"m": model(gate.url)}, 20)

    def act() -> None:
        waits(store, run.run_id)
        gate.open()
        with store.writing() as session:
            assert runs.set_state(
                session, run.run_id, RunState.QUEUED, "", now(), only_from=[RunState.WAITING], keeps_blockers=True
            )
            queue_of(store).wake_worker(session, run.run_id)
        await_(is_in(store, run.run_id, RunState.DONE))

    beside(store, act, pace=replace(QUICK, pauses=Pauses(3_600.0, 3_600.0)))
    assert statuses(store, run.run_id) == {"answered": 20}


def test_trying_too_early_waits_on_and_says_since_when_as_before(
    sqlite_store: Store, model_server: RunningServer, gate: Gate
) -> None:
    known_and_shut(sqlite_store, gate)
    run = begin(sqlite_store, {"m": model(gate.url)}, 20)

    def act() -> None:
        waits(sqlite_store, run.run_id)
        first, tried = since(sqlite_store, run.run_id), unsent(sqlite_store)
        with sqlite_store.writing() as session:
            assert runs.set_state(
                session, run.run_id, RunState.QUEUED, "", now(), only_from=[RunState.WAITING], keeps_blockers=True
            )
            queue_of(sqlite_store).wake_worker(session, run.run_id)
        await_(lambda: unsent(sqlite_store) > tried)
        waits(sqlite_store, run.run_id)
        assert since(sqlite_store, run.run_id) == first

    beside(sqlite_store, act, pace=replace(QUICK, pauses=Pauses(3_600.0, 3_600.0)))


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
@pytest.mark.skipif(not EVERYTHING, reason="test_queue_postgres.py; one worker: above")
def test_two_workers_wait_together_and_nothing_is_asked_twice(
    store: Store, model_server: RunningServer, gate: Gate
) -> None:
    model_server.play({"latency_ms": 10})
    run = begin(store, {"m": model(gate.url)}, 480)  # more than one worker takes before the other begins
    left: list[int] = []

    def act() -> None:
        await_(lambda: count(store, "run_item WHERE status = 'answered'") > 30)
        gate.shut()
        waits(store, run.run_id)
        tried = unsent(store)
        await_(lambda: unsent(store) > tried + 10)
        left.extend([count(store, "run_item WHERE status = 'pending'"), model_server.log()["requests"]])
        gate.open()
        await_(is_in(store, run.run_id, RunState.DONE))

    beside(store, act, workers=2)
    assert statuses(store, run.run_id) == {"answered": 480}
    held_against(store, model_server)
    assert model_server.log()["requests"] - left[1] == left[0]
    assert len(rows(store, "SELECT DISTINCT worker_id FROM attempt")) == 2


# --- what does not wait ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "http://no-such-name.invalid/v1"])
def test_an_address_at_which_nobody_ever_answered_stops_the_run_at_once(sqlite_store: Store, address: str) -> None:
    run = begin(sqlite_store, {"m": model(address)}, 40)
    work(sqlite_store, pace=QUICK)
    end, reason = state(sqlite_store, run.run_id)
    server = address.removeprefix("http://").removesuffix("/v1")
    assert end is RunState.STOPPED
    assert reason.startswith(f"m: The server {server} ")
    assert reason.endswith(" It has never answered: is the address right, and is it up?")
    assert statuses(sqlite_store, run.run_id) == {"pending": 40}
    assert unsent(sqlite_store) == count(sqlite_store, "attempt") <= 8  # those that were on their way at once


def test_a_changed_address_is_not_known_by_the_answers_of_the_old_one(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    begin(sqlite_store, {"m": model(model_server.url)}, 5)
    work(sqlite_store)
    run = begin(sqlite_store, {"m": model("http://127.0.0.1:9/v1")}, 5)
    work(sqlite_store, pace=QUICK)
    assert state(sqlite_store, run.run_id)[0] is RunState.STOPPED


def test_a_key_that_is_not_set_stops_the_run_and_counts_as_nothing_sent(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CANARY_API_KEY")
    run = begin(sqlite_store, {"m": model(model_server.url, key_variable="CANARY_API_KEY", concurrency=1)}, 5)
    work(sqlite_store, pace=QUICK)
    end, reason = state(sqlite_store, run.run_id)
    assert (end, "set CANARY_API_KEY" in reason) == (RunState.STOPPED, True)
    assert (spent(sqlite_store, run.run_id).requests, model_server.log()["requests"]) == (0, 0)


def test_failing_and_slow_servers_do_not_make_a_run_wait(sqlite_store: Store, model_server: RunningServer) -> None:
    model_server.play(
        {
            "rules": [
                {"matches": "Question 0:", "fault": "hang"},
                {"matches": "Question [1-6]:", "fault": "unavailable"},
            ]
        }
    )
    run = begin(sqlite_store, {"m": model(model_server.url, deadline_s=0.1)}, 12)
    work(sqlite_store, pace=QUICK)
    assert (state(sqlite_store, run.run_id)[0], statuses(sqlite_store, run.run_id)) == (
        RunState.DONE,
        {"answered": 5, "failed": 7},
    )
    assert rows(sqlite_store, "SELECT act FROM event") == [("run.finish",)]


# --- the ledger --------------------------------------------------------------------------------------------------


def test_a_second_sending_is_listed_though_something_never_left_in_between(
    sqlite_store: Store, model_server: RunningServer, gate: Gate
) -> None:
    known_and_shut(sqlite_store, gate)
    run = begin(sqlite_store, {"m": model(gate.url)}, 1)
    with sqlite_store.writing() as session:
        ((item, request_hash),) = session.execute(
            text("SELECT id, request_hash FROM run_item WHERE run_id = :run"), {"run": run.run_id}
        ).all()
        replies.begin_worker(session, "gone", "h", 1, now())
        row = sent_row(
            attempt_id="0",
            run_id=run.run_id,
            item_id=item,
            request_hash=request_hash,
            number=1,
            endpoint="loopback",
            model="m",
            worker_id="gone",
            most=Amount(100, 0.5),
            now=now(),
        )
        replies.insert_attempts(session, [row])

    def act() -> None:
        waits(sqlite_store, run.run_id)
        await_(lambda: (spent(sqlite_store, run.run_id).held, spent(sqlite_store, run.run_id).held_usd) == (1, 0.5))
        gate.open()
        await_(is_in(sqlite_store, run.run_id, RunState.DONE))

    beside(sqlite_store, act)
    with sqlite_store.reading() as session:
        (again,) = replies.resends(session, run.run_id)
    assert again.first_attempt_id == "0"
    assert rows(sqlite_store, "SELECT number, state FROM attempt WHERE id = :id", id=again.attempt_id) == [
        (2, "answered")
    ]
