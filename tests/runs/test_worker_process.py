"""The worker's process: one a study in a file, ended in good order, and small."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from benchmarks.running_server import RunningServer
from runs.process import TAKEN, UNKEPT
from runs.queue_sqlite import PlaceTaken, only_worker
from store.engine import Store
from tests.connections import SHELF
from tests.everything import EVERYTHING, usual
from tests.runs.begun import begin, fall_silent, finished, model, rows, statuses, worker
from tests.runs.stopping import until

ROOT = Path(__file__).resolve().parents[2]


def test_a_study_in_a_file_has_one_worker_and_its_place_is_free_after_a_kill(sqlite_store: Store) -> None:
    place = str(sqlite_store.path)
    first = worker(place)
    for _ in range(600):
        if rows(sqlite_store, "SELECT count(*) FROM worker") == [(1,)]:
            break
        time.sleep(0.05)
    second = worker(place)
    _, said = second.communicate(timeout=60)
    assert (second.returncode, "Another worker is already running" in said) == (TAKEN, True)
    with pytest.raises(PlaceTaken), only_worker(sqlite_store):
        pass
    first.kill()
    first.communicate()
    with only_worker(sqlite_store):
        pass
    finished(worker(place, "--once"))
    assert rows(sqlite_store, "SELECT count(*) FROM worker WHERE stopped_at IS NULL") == [(0,)]


@pytest.mark.parametrize("sign", usual([signal.SIGTERM, signal.SIGINT], signal.SIGINT))
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
    place = tmp_path / "mistyped.edgewise"
    process = worker(str(place))
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (1, f"There is no study at {place}.\n")
    assert not list(tmp_path.iterdir())


HEAVY = (
    "numpy",
    "matplotlib",
    "scipy",
    "pandas",
    "pymupdf",
    "streamlit",
    "networkx",
    "pyarrow",
    "documents",
    "services",
    "pages",
)


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


@pytest.mark.skipif(not EVERYTHING, reason="tests/cli/study/test_worker_prestart.py")
def test_a_worker_that_waits_to_be_told_loads_its_client_meanwhile_if_it_will_ask() -> None:
    watch = (
        "import sys, threading, time\n"
        "def look():\n"
        "    while not hasattr(sys.modules.get('runs.endpoint.client'), 'OpenAIClient'): time.sleep(0.01)\n"
        "    print('loaded', flush=True)\n"
        "threading.Thread(target=look, daemon=True).start()\n"
        "from runs.__main__ import main\n"
        "sys.exit(main(['--store', 'nowhere', '--once', '--when-told']))\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", watch], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("client\n")
        process.stdin.flush()
        assert process.stdout.readline() == "loaded\n"
        process.stdin.close()
        process.stdin = None
        assert process.wait(60) == 0


@pytest.mark.skipif(not EVERYTHING, reason="a worker at work: above")
def test_a_worker_loads_without_looking_for_garbage_and_at_rest_it_loads_no_client(
    sqlite_store: Store,
) -> None:
    watch = (
        "import gc, sys\n"
        "from runs.__main__ import main\n"
        "whole = gc.get_stats()[2]['collections']\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "walks = gc.get_stats()[2]['collections'] - whole\n"
        "print(walks, gc.isenabled(), gc.get_freeze_count() > 1000, file=sys.stderr)\n"
        f"main(['--store', {str(sqlite_store.path)!r}, '--once'])\n"
        "print({'openai', 'aiohttp', 'httpx2'} & set(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", watch], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr.split() == ["0", "True", "True", "set()"]


def test_a_worker_that_waits_to_be_told_opens_nothing_until_then(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    run = begin(sqlite_store, {"m": model(model_server.url)}, 3)
    place = str(sqlite_store.path)
    untold = worker(place, "--once", "--when-told", stdin=subprocess.PIPE)
    finished(untold)
    assert statuses(sqlite_store, run.run_id) == {"pending": 3}
    told = worker(place, "--once", "--when-told", stdin=subprocess.PIPE)
    assert told.stdin is not None
    told.stdin.write("\n")
    told.stdin.flush()
    assert told.wait(60) == 0  # its input stays open: it would end with it
    finished(told)
    assert statuses(sqlite_store, run.run_id) == {"answered": 3}


@contextmanager
def unreachable(store: Store) -> Iterator[None]:
    """A file that another program has locked; a server that has ended every connection and takes no new one."""
    if store.is_sqlite:
        assert store.path is not None
        other = sqlite3.connect(store.path)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.rollback()
            other.close()
        return
    store.close()
    allow = f"ALTER DATABASE {store.name} ALLOW_CONNECTIONS "
    server = create_engine(make_url(store.url).set(database="postgres"), isolation_level="AUTOCOMMIT")
    with server.connect() as administrator:
        administrator.execute(text(f"{allow} false"))
        try:
            ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name AND pid <> ALL(:kept)"
            administrator.execute(text(ends), {"name": store.name, "kept": SHELF.processes})
            yield
        finally:
            administrator.execute(text(f"{allow} true"))
    server.dispose()


@pytest.mark.both
def test_a_signal_is_obeyed_though_the_store_does_not_answer(store: Store, model_server: RunningServer) -> None:
    run = begin(store, {"m": model(model_server.url)}, 2_000)
    process = worker(store.url, "--grace", "1")
    until(lambda: model_server.log()["requests"] > 4)
    with unreachable(store):
        time.sleep(0.2)
        sent = model_server.log()["requests"]
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=4)
    assert (process.returncode, "the store has not answered for 1 s" in said) == (UNKEPT, True), said
    assert model_server.log()["requests"] == sent, "nothing is sent that could not be stored before"
    fall_silent(store)
    begun = rows(store, "SELECT count(*) FROM attempt WHERE state = 'sent'")[0][0]
    process = worker(store.url)
    listed = "SELECT count(*) FROM attempt WHERE state = 'uncertain' AND run_id = :run"
    assert until(lambda: rows(store, listed, run=run.run_id)[0][0]) == begun
    process.send_signal(signal.SIGTERM)
    finished(process)
