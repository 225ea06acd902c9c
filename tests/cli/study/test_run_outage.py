"""A run outlives its server on the command line: list and show say what it waits for, and it goes on by itself."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

import edgewise
from benchmarks.running_server import RunningServer, running_server
from cli.study import running
from services.study import open_study
from store.engine import Store
from tests.everything import EVERYTHING
from tests.forking import WORKERS, Forked
from tests.runs.begun import finished, rows, worker
from tests.runs.gate import Gate, gate_to

PAUSES = ("--first-pause", "0.05", "--longest-pause", "0.1")
SIGNS = ("+", "-", "None", "mixed")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def gate(server: RunningServer) -> Iterator[Gate]:
    server.play({})
    server.forget()
    with gate_to(server) as gate:
        yield gate


@pytest.fixture
def store(store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty study with twelve questions in a folder beside it."""
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.chdir(tmp_path)
    open_study(store_url, tmp_path / "home").close()
    (tmp_path / "files").mkdir()
    asked = [
        {
            "paper_id": n,
            "title": f"Paper {n}",
            "publication_year": 2000 + n,
            "published_venue": "Econometrica",
            "jel_codes": "J",
            "treatment": f"Cause {n}",
            "outcome": f"Effect {n}",
            "sign": SIGNS[n % 4],
            "context": f"A country in {2000 + n}.",
            "answer": SIGNS[n % 4],
        }
        for n in range(12)
    ]
    (tmp_path / "files" / "first.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
    return store_url


def call(store: str, *words: str) -> Result:
    return CliRunner().invoke(edgewise.app, [*words, "--store", store])


def told(store: str, *words: str) -> Any:
    done = call(store, *words, "--json")
    assert done.exit_code == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def add_model(store: str, url: str, name: str = "Plus", model: str = "scripted:plus") -> None:
    assert call(store, "endpoints", "add", "lab", url).exit_code == 0
    added = call(
        store, "models", "add", name, "--endpoint", "lab", "--model", model, "--price-input", "1", "--price-output", "2"
    )
    assert added.exit_code == 0, added.stderr


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)


def is_in(place: str, state: str) -> Callable[[], bool]:
    def look() -> bool:
        store = Store(place)
        try:
            return rows(store, "SELECT state FROM run") == [(state,)]
        finally:
            store.close()

    return look


@pytest.mark.both(usually=False)
def test_a_run_waits_for_its_server_as_list_and_show_say_and_is_tried_at_once_when_asked(
    store: str, gate: Gate, server: RunningServer
) -> None:
    add_model(store, gate.url)
    assert told(store, "endpoints", "test", "lab", "scripted:plus")["ok"]
    server.forget()
    gate.shut()
    asked = ("run", "--input-dir", "files", "--models", "Plus", "--tasks", "task1", "--budget-requests", "12")
    told(store, *asked, "--queue")
    # Pauses of hours: whatever goes on goes on because somebody said so.
    process = worker(store, "--once", "--first-pause", "7200", "--longest-pause", "7200")
    try:
        until(is_in(store, "waiting"))
        why = f"the server 127.0.0.1:{gate.port} refuses connections"
        listed = call(store, "runs", "list").stdout
        assert re.search(rf"waiting    0 of 12 answered, 12 pending  .*{why} since \d\d:\d\d$", listed.strip())
        assert re.search(rf"Run 1 .*: waiting \({why} since \d\d:\d\d\)", call(store, "runs", "show", "1").stdout)
        (line,) = told(store, "runs", "list")
        assert (line["state"], line["reason"], line["hindrances"][0]["why"]) == ("waiting", why, why)
        shown = told(store, "runs", "show", "1")["progress"]
        assert (shown["requests"], shown["unsent"] >= 3, shown["cost_usd"]) == (0, True, 0.0)
        assert shown["hindrances"][0]["since"][:4] == line["created_at"][:4]
        gate.open()
        assert "Retried at once. It is queued now." in call(store, "runs", "try", "1").stdout
        finished(process)
    finally:
        process.kill()
    shown = told(store, "runs", "show", "1")["progress"]
    assert (shown["state"], shown["by_status"]["answered"], shown["requests"]) == ("done", 12, 12)
    assert server.log()["requests"] == 12
    refused = call(store, "runs", "try", "1")
    assert (refused.exit_code, refused.stderr.strip()) == (1, "Run 1 is done. It must be waiting for this.")


@pytest.mark.skipif(not EVERYTHING, reason="list and show: below")
def test_a_run_in_the_foreground_says_what_it_waits_for_and_ends_well(
    store: str, gate: Gate, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_model(store, gate.url)
    assert told(store, "endpoints", "test", "lab", "scripted:plus")["ok"]
    server.forget()
    gate.shut()
    monkeypatch.setattr(running, "LOOK_S", 0.1)
    command = [sys.executable, "-m", "runs", "--first-wait", "0.01", "--once", "--when-told", *PAUSES]
    monkeypatch.setattr(
        running.worker_prestart,
        "worker",
        lambda: Forked(WORKERS, command, cwd=running.worker_prestart.ROOT, stdin=subprocess.PIPE),
    )

    def come_back() -> None:
        until(is_in(store, "waiting"))
        time.sleep(0.4)  # so that whoever watches has looked
        gate.open()

    back = threading.Thread(target=come_back)
    back.start()
    done = call(store, "run", "--input-dir", "files", "--models", "Plus", "--tasks", "task1")
    back.join()
    assert done.exit_code == 0, done.stderr
    why = rf"Run 1: the server 127\.0\.0\.1:{gate.port} refuses connections since \d\d:\d\d\. It is tried again"
    assert len(re.findall(why, done.stderr)) == 1
    assert "12 of 12 answered" in done.stdout
    assert re.search(r"12 requests and \d+ attempts that sent nothing", done.stdout)
    assert server.log()["requests"] == 12


@pytest.mark.skipif(not EVERYTHING, reason="tests/runs/test_outage.py")
@pytest.mark.usefixtures("as_a_shell_does")
def test_an_address_that_never_answered_stops_the_run_at_once(store: str) -> None:
    add_model(store, "http://127.0.0.1:9/v1")
    done = call(store, "run", "--input-dir", "files", "--models", "Plus", "--tasks", "task1")
    assert done.exit_code == 1
    assert "stopped (Plus: The server 127.0.0.1:9 refuses connections. It has never answered" in done.stdout
    assert "0 of 12 answered, 12 pending" in done.stdout


@pytest.mark.skipif(not EVERYTHING, reason="tests/runs/test_refusing_models.py")
def test_a_misspelt_model_behind_a_proxy_stops_at_its_first_requests_and_costs_nothing(
    store: str, gate: Gate, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.play({"rules": [{"model": "typo", "fault": "invalid_model"}]})
    assert call(store, "endpoints", "add", "lab", server.url, "--concurrency", "2").exit_code == 0
    for name, asked in (("Typo", "typo"), ("Plus", "scripted:plus")):
        added = call(
            store,
            "models",
            "add",
            name,
            "--endpoint",
            "lab",
            "--model",
            asked,
            "--price-input",
            "1",
            "--price-output",
            "2",
        )
        assert added.exit_code == 0, added.stderr
    done = call(store, "run", "--input-dir", "files", "--models", "Typo,Plus", "--tasks", "task1")
    assert done.exit_code == 1
    said = " ".join(done.stdout.split())
    assert "stopped (Typo: its first 5 requests were all refused alike: The provider rejects the request" in said
    assert "Invalid model name passed in model=any." in said
    shown = told(store, "runs", "show", "1")
    counts = shown["progress"]["by_status"]
    assert (counts["answered"], counts["failed"] in (5, 6), counts["pending"]) == (12, True, 12 - counts["failed"])
    typo, plus = shown["card"]["models"]
    assert (typo["requests"], typo["cost_usd"], plus["requests"]) == (counts["failed"], 0.0, 12)
    assert server.log()["requests"] == 12 + counts["failed"]
    single = call(store, "run", "--input-dir", "files", "--models", "Typo", "--tasks", "task1")
    assert ", $0\n" in single.stdout and "not known" not in single.stdout
