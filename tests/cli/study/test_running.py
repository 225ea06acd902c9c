"""A worker that is stopped sends nothing more: `worker` and `run` under each signal."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import edgewise
from benchmarks.running_server import RunningServer, running_server
from store.engine import Store
from tests.everything import EVERYTHING, usual
from tests.forking import ROOT, WORKERS, Forked
from tests.runs.begun import begin, model, rows
from tests.runs.stopping import seconds_to_last_request

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
STOPPED = usual(SIGNALS, signal.SIGINT)


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server("--latency-ms", "20") as running:
        yield running


def started(*words: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return Forked(
        WORKERS,
        [sys.executable, "-m", "tests.cli.study.command", *words],
        cwd=ROOT,
        text=True,
        stdout=pipe,
        stderr=pipe,
    )


@pytest.mark.proof("T3", "worker stopped while it asks", gate="0 requests later than 1 s after the signal")
@pytest.mark.both(usually=False)
@pytest.mark.skipif(not EVERYTHING, reason="tests/runs/test_worker_process.py")
def test_a_stopped_worker_sends_nothing_more(
    store_url: str, server: RunningServer, record_property: Callable[[str, object], None]
) -> None:
    store = Store(store_url)
    begin(store, {"m": model(server.url)}, 3_000)
    latest = []
    for sign in STOPPED:
        process = started("worker", "--store", store_url)
        latest.append(seconds_to_last_request(process, sign, server))
        _, complained = process.communicate()
        if sign != signal.SIGKILL:
            assert (process.returncode, complained) == (0, "")
            assert rows(store, "SELECT count(*) FROM worker WHERE stopped_at IS NULL") == [(0,)]
            assert rows(store, "SELECT count(*) FROM attempt WHERE state NOT IN ('answered', 'unsent')") == [(0,)]
    assert max(latest) < 1
    store.close()
    record_property("repetitions", len(STOPPED))
    record_property("what", f"worker stopped while it asks, {'SQLite' if store.is_sqlite else 'PostgreSQL'}")
    named = ", ".join(f"{sign.name} {max(0.0, seconds):.2f} s" for sign, seconds in zip(STOPPED, latest, strict=True))
    record_property("figure", f"no process left; last request after {named}")


def test_a_stopped_run_sends_nothing_more(
    sqlite_url: str, server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    row = {"paper_id": 1, "title": "Paper", "publication_year": 2001, "published_venue": "Econometrica"}
    row |= {"jel_codes": "J", "treatment": "Cause", "context": "A country.", "sign": "+", "answer": "+"}
    lines = [json.dumps({**row, "outcome": f"Effect {number}"}) + "\n" for number in range(100)]
    (tmp_path / "first.jsonl").write_text("".join(lines))
    for words in (
        ("endpoints", "add", "lab", server.url, "--concurrency", "2"),
        ("models", "add", "Plus", "--endpoint", "lab", "--model", "scripted:plus"),
    ):
        done = CliRunner().invoke(edgewise.app, [*words, "--store", sqlite_url])
        assert done.exit_code == 0, done.stderr
    asked = ("run", "--input-dir", str(tmp_path), "--tasks", "task1", "--models", "Plus", "--store", sqlite_url)
    for seed, sign in enumerate(usual(SIGNALS, signal.SIGINT, signal.SIGKILL)):
        process = started(*asked, "--repeat", "4", "--parameter", f"seed={seed}")
        assert seconds_to_last_request(process, sign, server) < 1, sign
        _, complained = process.communicate()
        if sign != signal.SIGKILL:
            assert (process.returncode, "Traceback" in complained) == (1, False), complained
            assert "continue later with: edgewise.py worker --once" in complained
