"""The worker beside a server: begun again when it dies, and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from benchmarks.running_server import RunningServer
from runs import supervisor
from runs.supervisor import WorkerSupervisor
from store.engine import Store
from tests.runs.begun import begin, model, rows
from tests.runs.stopping import seconds_to_last_request, until

ROOT = Path(__file__).resolve().parents[2]


def living(store: Store) -> int | None:
    """The process of the worker that has said it lives, and not that it stopped."""
    found = rows(store, "SELECT pid FROM worker WHERE stopped_at IS NULL ORDER BY id DESC LIMIT 1")
    return int(found[0][0]) if found else None


@pytest.fixture
def place(sqlite_store: Store) -> str:
    return str(sqlite_store.path)


def test_a_worker_that_dies_is_begun_again_and_the_last_one_ends_with_its_keeper(
    sqlite_store: Store, place: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervisor, "FIRST_PAUSE_S", 0.1)
    monkeypatch.chdir(Path(place).parent)
    kept = WorkerSupervisor(Path(place).name, lambda: True, settled_s=0.0)  # as `serve --store study.edgewise` says it
    kept.start()
    try:
        first = until(lambda: living(sqlite_store))
        os.kill(first, signal.SIGKILL)
        second = until(lambda: pid if (pid := living(sqlite_store)) != first else None)
    finally:
        kept.stop()
    assert not psutil.pid_exists(second)
    assert living(sqlite_store) is None
    assert "The worker of model runs ended (-9); it starts again in 0 s." in capfd.readouterr().err


def test_no_worker_is_begun_before_the_server_answers(sqlite_store: Store, place: str) -> None:
    kept = WorkerSupervisor(place, lambda: False, settled_s=0.0)
    kept.start()
    time.sleep(0.3)
    kept.stop()
    assert rows(sqlite_store, "SELECT count(*) FROM worker") == [(0,)]


def test_a_worker_that_cannot_start_is_tried_ever_more_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervisor, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(supervisor, "LOOK_S", 0.1)
    kept = WorkerSupervisor(str(tmp_path / "no such study"), lambda: True, settled_s=0.0)
    monkeypatch.setattr(kept, "_command", [sys.executable, "-c", "raise SystemExit(7)"])
    kept.start()
    time.sleep(1)
    kept.stop()
    tries = capfd.readouterr().err.count("ended (7)")
    assert 2 <= tries <= 8  # waits of 0.01, 0.02, 0.04 … s: without them there were ten, one a look


@pytest.mark.both(usually=False)
def test_a_worker_sends_nothing_more_when_its_keeper_is_killed(store_url: str, model_server: RunningServer) -> None:
    store = Store(store_url)
    begin(store, {"m": model(model_server.url)}, 2_000)
    script = (
        "import time\nfrom runs.supervisor import WorkerSupervisor\n"
        f"WorkerSupervisor({store_url!r}, lambda: True, settled_s=0.0).start()\ntime.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT) as process:
        try:
            assert seconds_to_last_request(process, signal.SIGKILL, model_server) < 1
        finally:
            process.kill()  # a failed test would wait ten minutes for it
    assert living(store) is None
    store.close()
