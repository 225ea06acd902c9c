"""`kill -9` of the workers of a run, the short form of the soak: nothing kept is lost, nothing is counted twice."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.everything import EVERYTHING
from tests.forking import WORKERS, Forked
from tests.runs.begun import ROOT
from tests.soak.test_step_kills import killed as killed_in_steps


def forked(program: Sequence[str], timeout_s: float) -> subprocess.CompletedProcess[str]:
    """A program that kills workers, in a fork that has loaded what they load."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", *program]
    with Forked(WORKERS, command, cwd=ROOT, text=True, stdout=pipe, stderr=pipe) as process:
        out, err = process.communicate(timeout=timeout_s)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def killed(folder: Path, kills: int, items: int, *more: str) -> dict[str, Any]:
    done = forked(["tests.soak.worker_kills", str(folder), str(kills), str(items), "7", *more], 300)
    log = folder / "workers.log"
    assert done.returncode == 0, done.stderr
    counts: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(counts)
    assert counts["faults"] == [], log.read_text() if log.exists() else done.stderr
    assert counts["answered_once"] == counts["items"] == items
    assert (counts["kills"], counts["replies_lost"], counts["integrity"]) == (kills, 0, "ok")
    # What was sent twice was on its way at a kill, and every second sending is listed.
    assert counts["sent_again"] <= counts["listed"] <= sum(counts["on_their_way"]) == counts["uncertain"]
    assert counts["requests"] == items + counts["sent_again"]
    return counts


def test_a_kill_in_a_run_of_forty(tmp_path: Path) -> None:
    counts = killed(tmp_path, 1, 40)
    assert max(counts["on_their_way"]) <= 8


@pytest.mark.skipif(not EVERYTHING, reason="tests/runs/steps/test_texts.py kills the worker of a run of steps")
def test_a_kill_in_a_run_of_several_steps_on_a_server(tmp_path: Path, postgresql_url: str) -> None:
    """Aimed at the child that works out a step over the whole run: nothing is made twice, nothing lost, and the end is
    that of a run that nobody disturbs."""
    killed_in_steps(tmp_path, 1, 3, postgresql_url, run=forked, more=["--silent"])


@pytest.mark.skipif(not EVERYTHING, reason="test_queue_postgres.py; one kill on SQLite: above")
def test_two_workers_are_killed_and_a_third_finishes_on_postgresql(tmp_path: Path, postgresql_url: str) -> None:
    """They write its samples as it goes on: no window is lost, and none is written twice."""
    counts = killed(tmp_path, 1, 40, "--store", postgresql_url, "--workers", "2", "--numbered", "--silent")
    assert max(counts["on_their_way"]) <= 16
