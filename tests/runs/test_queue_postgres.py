"""The queue on a server keeps to its own schema, to the transaction of whoever asks, and to its version."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import inspect, text

from benchmarks.running_server import RunningServer
from core.runs.states import RunState
from runs import queue_postgres
from runs.queues import queue_of
from runs.worker import Pace, Worker
from store.engine import Store
from store.migrate import migrate
from tests.runs.begun import begin, model, now, rows, state, work

pytestmark = pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
JOBS = f"SELECT args->>'run_id', CAST(args->>'shard' AS int), status FROM {queue_postgres.SCHEMA}.procrastinate_jobs"


@pytest.fixture
def without_queue(store_url: str) -> None:
    """As a study is before its first run; the tests' databases have the queue's tables already."""
    store = Store(store_url)
    with store.writing() as session:
        session.execute(text(f"DROP SCHEMA {queue_postgres.SCHEMA} CASCADE"))
    store.close()


def test_a_job_a_shard_is_begun_with_the_run_and_none_is_left_at_its_end(
    without_queue: None, store: Store, model_server: RunningServer
) -> None:
    run = begin(store, {"a": model(model_server.url), "b": model(model_server.url, "scripted:plus")}, 120)
    found = rows(store, JOBS + " ORDER BY id")
    assert [(shard, status) for _, shard, status in found] == [(shard, "todo") for shard in (0, 2, 1, 3)]
    assert {row[0] for row in found} == {run.run_id}
    work(store)
    assert rows(store, JOBS) == []
    assert state(store, run.run_id) == (RunState.DONE, "")


def test_jobs_go_with_a_transaction_that_comes_to_nothing(store: Store, model_server: RunningServer) -> None:
    begin(store, {"a": model(model_server.url)}, 1)
    with pytest.raises(ZeroDivisionError), store.writing() as session:
        queue_of(store).submit(session, "another", [0, 1])
        raise ZeroDivisionError
    assert {row[0] for row in rows(store, JOBS)} == {row[0] for row in rows(store, "SELECT id FROM run")}


def test_the_study_keeps_its_tables_and_names_to_itself(
    without_queue: None, store: Store, model_server: RunningServer
) -> None:
    before = set(inspect(store.write_engine).get_table_names())
    with store.writing() as session:
        path = session.execute(text("SHOW search_path")).scalar()
        queue_of(store).submit(session, "run", [0])
        assert session.execute(text("SHOW search_path")).scalar() == path
        assert session.execute(text("SELECT count(*) FROM run")).scalar() == 0
    assert set(inspect(store.write_engine).get_table_names()) == before
    migrate(store)


def test_a_queue_of_another_version_is_made_anew_and_its_jobs_with_it(
    store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(store, {"a": model(model_server.url)}, 3)
    monkeypatch.setattr(queue_postgres, "MADE_FOR", "procrastinate 99")
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    assert rows(store, f"SELECT obj_description('{queue_postgres.SCHEMA}'::regnamespace, 'pg_namespace')") == [
        ("procrastinate 99",)
    ]


def test_two_workers_share_the_shards_and_the_endpoints_limits(store: Store, model_server: RunningServer) -> None:
    model_server.play({"latency_ms": 20})
    run = begin(store, {"a": model(model_server.url, concurrency=8)}, 300)
    pace = Pace(sign_of_life_s=0.2, lost_after_s=20.0, at_once=1)

    async def both() -> None:
        workers = [Worker(store, clock=now, pace=pace) for _ in range(2)]
        assert await asyncio.gather(*(one.run(is_once=True) for one in workers)) == [0, 0]

    asyncio.run(both())
    assert state(store, run.run_id) == (RunState.DONE, "")
    log = model_server.log()
    assert log["requests"] == 300  # nothing was asked twice
    by_worker = rows(store, "SELECT worker_id, count(*) FROM attempt GROUP BY worker_id")
    assert len(by_worker) == 2
    late = [entry["in_flight"] for entry in log["entries"][-80:]]  # by then both know of each other
    assert max(late) <= 8
