"""Queue of a study on a server: one procrastinate job per shard, in a PostgreSQL schema of its own.

Jobs are created in the transaction that starts or resumes a run. They are derived from the items: lost jobs are created
again, a job without a pending item ends at once, and a schema of another procrastinate version is rebuilt.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from importlib.metadata import version
from typing import Any

import procrastinate
from procrastinate.jobs import DeleteJobCondition, Job
from procrastinate.schema import SchemaManager
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Connection, text
from sqlmodel import Session

from core.errors import StoreUnavailable
from core.runs.states import RunState
from runs.queue import NO_SHARD, Work
from store.engine import Store
from store.runs import runs

SCHEMA = "edgewise_queue"
QUEUE, TASK = "shards", "work_shard"
MADE_FOR = f"procrastinate {version('procrastinate')}"
LEAST_S = 0.05  # minimum delay of a postponed shard
POLL_S = 5.0  # between two polls for jobs without a notification
# One statement: of two workers that maintain the queue at once, only one takes a job over.
_TAKE_OVER = text(
    """WITH stalled AS (
        SELECT id FROM procrastinate_jobs
        WHERE status = 'doing' AND (worker_id IS NULL OR worker_id NOT IN
            (SELECT id FROM procrastinate_workers WHERE last_heartbeat >= now() - :silence))
        FOR UPDATE SKIP LOCKED
    ) SELECT procrastinate_retry_job_v2(id, now(), NULL, NULL, NULL) FROM stalled"""
)
_MAKE_DUE = text(
    "UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE status = 'todo' AND args->>'run_id' = :run_id"
    " AND scheduled_at IS NOT NULL"
)
_WITH_JOBS = text("SELECT DISTINCT args->>'run_id' FROM procrastinate_jobs WHERE status IN ('todo', 'doing')")
log = logging.getLogger(__name__)


class JobQueue:
    """Queue on a server. `lost_after_s`: silence after which a worker's jobs go to others."""

    def __init__(self, store: Store, lost_after_s: float) -> None:
        self._store = store
        self._lost_after_s = lost_after_s

    def submit(self, session: Session, run_id: str, shards: Sequence[int]) -> None:
        self.wake_worker(session, run_id)  # of two jobs of one shard the second waits for the first
        connection = session.connection()
        jobs = [
            Job(
                id=None,
                queue=QUEUE,
                lock=_lock(run_id, shard),  # one worker at a time works on a shard: a second job waits
                queueing_lock=None,
                task_name=TASK,
                task_kwargs={"run_id": run_id, "shard": shard},
            )
            for shard in shards or (NO_SHARD,)
        ]
        driver: Any = connection.connection.driver_connection
        app = procrastinate.App(connector=procrastinate.SyncPsycopgConnector())
        with _Within(connection):
            app.job_manager.batch_defer_jobs(jobs, connection=driver)

    def wake_worker(self, session: Session, run_id: str) -> None:
        """Make postponed jobs of a run due; workers poll every few seconds."""
        connection = session.connection()
        prepare(connection)
        with _Within(connection):
            connection.execute(_MAKE_DUE, {"run_id": run_id})

    async def work(self, do: Work, *, at_once: int, stop: asyncio.Event, is_once: bool) -> None:
        await asyncio.to_thread(self._make_ready)
        plain = self._store.url.replace("postgresql+psycopg://", "postgresql://", 1)
        options = f"{conninfo_to_dict(plain).get('options') or ''} -c search_path={SCHEMA}".strip()
        address = make_conninfo(plain, options=options)
        app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=address, min_size=1, max_size=4))
        worked = asyncio.Event()

        @app.task(name=TASK, queue=QUEUE)
        async def work_shard(run_id: str, shard: int) -> None:
            later = await do(run_id, shard)
            if later is not None:
                # A second job, before this one ends: killed in between, the shard has two, and one finds nothing.
                put_off = app.configure_task(
                    TASK, queue=QUEUE, lock=_lock(run_id, shard), schedule_in={"seconds": max(LEAST_S, later())}
                )
                await put_off.defer_async(run_id=run_id, shard=shard)
            if is_once:  # it may have been the last
                worked.set()

        async with app.open_async():
            working = asyncio.create_task(
                app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=at_once,
                    install_signal_handlers=False,
                    delete_jobs=DeleteJobCondition.ALWAYS.value,
                    fetch_job_polling_interval=POLL_S,
                    update_heartbeat_interval=self._lost_after_s / 6,
                    stalled_worker_timeout=self._lost_after_s,
                )
            )
            stopping = asyncio.create_task(stop.wait())
            tending = asyncio.create_task(self._tend(worked, is_once=is_once))
            try:
                ended, _ = await asyncio.wait([working, stopping, tending], return_when=asyncio.FIRST_COMPLETED)
                for task in ended:
                    task.result()
            finally:
                stopping.cancel()
                tending.cancel()
                working.cancel()  # takes no further shard, and waits for those in progress
                with suppress(asyncio.CancelledError):
                    await working

    async def _tend(self, worked: asyncio.Event, *, is_once: bool) -> None:
        """Reassign lost workers' jobs and create missing ones; with `is_once`, until no run is open. Repeats at once
        when `worked` is set. Raises StoreUnavailable after a silence that makes others consider this worker lost."""
        while True:
            looked_at = time.time()
            worked.clear()
            try:
                is_open = await asyncio.to_thread(self._repair_jobs)
            except StoreUnavailable as trouble:
                log.warning("Could not look after the queue: %s", trouble)
            else:
                if is_once and not is_open:
                    return
            pause_s = min(1.0 if is_once else 20.0, self._lost_after_s / 3)
            with suppress(TimeoutError):
                await asyncio.wait_for(worked.wait(), pause_s)
            if time.time() - looked_at > self._lost_after_s:
                raise StoreUnavailable("Other workers took over, because this worker did not respond. Start it again.")

    def _make_ready(self) -> None:
        with self._store.writing() as session:
            prepare(session.connection())

    def _repair_jobs(self) -> bool:
        """Reassign jobs and create missing ones; return whether any run is open."""
        with self._store.writing() as session:
            with _Within(session.connection()):
                requeued = session.execute(_TAKE_OVER, {"silence": timedelta(seconds=self._lost_after_s)}).all()
                known = {row[0] for row in session.execute(_WITH_JOBS)}
            if requeued:
                log.warning("Took over %d shards of workers that have fallen silent.", len(requeued))
            open_runs = runs.open_runs(session)
            for run_id, run in open_runs.items():
                if run_id not in known:
                    self.submit(session, run_id, runs.pending_shards(session, run_id))
                elif run.state is RunState.QUEUED:
                    self.wake_worker(
                        session, run_id
                    )  # a shard may have been postponed just after a person queued its run
        return bool(open_runs)


def _lock(run_id: str, shard: int) -> str:
    return f"{run_id}/{shard}"


class _Within:
    """Within the block, names without a schema are those of the queue."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._before = self._connection.execute(text("SELECT current_setting('search_path')")).scalar_one()
        self._set(SCHEMA)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:  # after an error the transaction is over, and the setting with it
            self._set(self._before)

    def _set(self, path: str) -> None:
        self._connection.execute(text("SELECT set_config('search_path', :path, true)"), {"path": path})


def prepare(connection: Connection) -> None:
    """Create the queue's tables, unless those of this version exist, in the caller's transaction."""
    query = text("SELECT obj_description(to_regnamespace(:schema)::oid, 'pg_namespace')")
    if connection.execute(query, {"schema": SCHEMA}).scalar() == MADE_FOR:
        return
    connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:schema))"), {"schema": SCHEMA})
    if connection.execute(query, {"schema": SCHEMA}).scalar() == MADE_FOR:
        return  # another worker created it meanwhile
    connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    connection.exec_driver_sql(f"CREATE SCHEMA {SCHEMA}")
    connection.exec_driver_sql(f"COMMENT ON SCHEMA {SCHEMA} IS '{MADE_FOR}'")
    driver: Any = connection.connection.driver_connection
    with _Within(connection), driver.cursor() as cursor:
        cursor.execute(SchemaManager.get_schema())
