"""kill -9 of the worker of a run of several steps: no group is made twice, none is lost, and the end is the same."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.soak.table import scaled

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[[Sequence[str], float], "subprocess.CompletedProcess[str]"]
KILLS = scaled(50, least=5)


def as_a_shell_does(program: Sequence[str], timeout_s: float) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *program]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=timeout_s, check=False)


def killed(
    folder: Path, kills: int, texts: int, *urls: str, run: Run = as_a_shell_does, more: Sequence[str] = ()
) -> list[dict[str, Any]]:
    program = ["tests.soak.step_kills", str(folder), str(kills), str(texts), "20261123", *urls, *more]
    done = run(program, 300 + 20 * kills)
    log = folder / "workers.log"
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    print(found)
    for counts in found:
        assert counts["faults"] == [], log.read_text() if log.exists() else done.stderr
        assert (counts["kills"], counts["made_twice"], counts["lost"]) == (kills, 0, 0)
        assert (counts["is_equal"], counts["integrity"]) == (True, "ok")
        assert counts["sent_again"] <= counts["listed"] <= sum(counts["on_their_way"])
    assert len(found) == len(urls) + ("--servers" not in more)
    return found


@pytest.mark.proof(
    "T3",
    "worker of a run of several steps killed",
    gate="0 groups made twice, 0 lost; the end is that of an undisturbed run, byte for byte",
)
def test_the_kills_of_a_worker_neither_lose_a_group_nor_make_one_twice(
    tmp_path: Path, postgresql_url: str, record_property: Callable[[str, object], None]
) -> None:
    found = killed(tmp_path, KILLS, 8 * KILLS, postgresql_url)
    record_property("repetitions", KILLS * len(found))
    record_property(
        "figure",
        "; ".join(
            f"{name}: {counts['groups']:,} groups, {counts['made_twice']} made twice, {counts['lost']} lost, "
            f"{counts['sent_again']} sent again of {sum(counts['on_their_way'])} on their way, equal to the twin"
            for name, counts in zip(("SQLite", "PostgreSQL"), found, strict=True)
        ),
    )
