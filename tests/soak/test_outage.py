"""A model server is killed and stays away for minutes, in real time: its run waits, and nothing of it is lost."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from benchmarks.running_server import running_server
from core.runs.states import RunState
from store import run_blockers
from store.engine import Store
from tests.runs.begun import BUDGET, begin, finished, model, rows, state, statuses, worker
from tests.soak.table import scaled

ITEMS = scaled(1_800, least=200)
AWAY_S = scaled(180, least=10)
IN_FLIGHT = 8
PATIENCE_S = 300


def until(is_so: Callable[[], bool]) -> float:
    """Seconds until it was so."""
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < PATIENCE_S, "it did not come about"
        time.sleep(0.1)
    return time.monotonic() - began


def number(store: Store, what: str) -> int:
    return int(rows(store, f"SELECT count(*) FROM {what}")[0][0])


def paid(store: Store) -> Any:
    """What the ledger says was sent and has ended, and what that cost."""
    query = "SELECT count(*), sum(tokens_in), sum(tokens_out), sum(cost_usd) FROM attempt"
    return rows(store, query + " WHERE state IN ('answered', 'error')")


def since(store: Store, run_id: str) -> list[datetime]:
    with store.reading() as session:
        return [each.since for each in run_blockers.of_run(session, run_id)[1]]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.proof(
    "T3",
    "model server killed and away for minutes, a worker killed meanwhile",
    gate="0 items failed; requests after it = items left; refusals cost nothing",
)
def test_a_run_outlives_its_server(store_url: str, record_property: Callable[[str, object], None]) -> None:
    store, port = Store(store_url), free_port()
    with running_server("--latency-ms", "20", port=port) as server:
        asked = model(server.url, concurrency=IN_FLIGHT)
        # What was cut off when server and worker were killed may have been paid for; refusals are not in it.
        run = begin(store, {"m": asked}, ITEMS, budget={**BUDGET, "requests": ITEMS + IN_FLIGHT + 1})
        first = worker(store_url, "--once")
        until(lambda: number(store, "run_item WHERE status = 'answered'") > ITEMS / 3)
        os.kill(server.pid, signal.SIGKILL)
    gone_at = time.monotonic()
    until(lambda: state(store, run.run_id)[0] is RunState.WAITING)
    until(lambda: number(store, "attempt WHERE state = 'sent'") == 0)
    assert state(store, run.run_id)[1] == f"the server 127.0.0.1:{port} refuses connections"
    before, began = paid(store), since(store, run.run_id)
    left = number(store, "run_item WHERE status = 'pending'")
    time.sleep(max(0.0, AWAY_S / 2 - (time.monotonic() - gone_at)))
    first.kill()
    first.communicate()
    second = worker(store_url, "--once")
    time.sleep(max(0.0, AWAY_S - (time.monotonic() - gone_at)))
    assert state(store, run.run_id)[0] is RunState.WAITING
    assert (paid(store), since(store, run.run_id)) == (before, began)
    assert "failed" not in statuses(store, run.run_id)
    never_left = number(store, "attempt WHERE state = 'unsent'")
    with running_server("--latency-ms", "20", port=port) as server:
        back_s = until(lambda: number(store, "run_item WHERE status = 'pending'") < left)
        finished(second, PATIENCE_S)
        after = server.log()["requests"]
    assert (state(store, run.run_id), statuses(store, run.run_id)) == ((RunState.DONE, ""), {"answered": ITEMS})
    assert after == left
    assert store.check() == []
    kind = "SQLite" if store.is_sqlite else "PostgreSQL"
    store.close()
    record_property("what", f"model server killed and away for minutes, a worker killed meanwhile, {kind}")
    record_property("repetitions", ITEMS)
    record_property(
        "figure",
        f"away {AWAY_S} s: 0 failed, {ITEMS:,} answered once; {after:,} requests after it for {left:,} items left; "
        f"{never_left} attempts never left and cost nothing; continued {back_s:.0f} s after the server was back",
    )
