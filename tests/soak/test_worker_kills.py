"""kill -9 of a run's workers: no reply that was kept is lost, and what is sent again is bounded and listed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.soak.table import scaled

KILLER = Path(__file__).with_name("worker_kills.py")
KILLS = scaled(50, least=5)
SERVER_KILLS = scaled(10, least=2)


def killed(folder: Path, kills: int, items: int, *more: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(KILLER), str(folder), str(kills), str(items), "20261121", *more],
        capture_output=True,
        text=True,
        timeout=300 + 20 * kills,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert counts["faults"] == []
    assert counts["answered_once"] == items
    assert (counts["kills"], counts["replies_lost"], counts["integrity"]) == (kills, 0, "ok")
    assert counts["sent_again"] <= counts["listed"] <= sum(counts["on_their_way"])
    return counts


def figure(counts: dict[str, Any]) -> str:
    return (
        f"{counts['replies_lost']} replies lost; {counts['answered_once']:,} of {counts['items']:,} answered once; "
        f"{counts['sent_again']} sent again of {sum(counts['on_their_way'])} on their way "
        f"(at most {max(counts['on_their_way'])} at a kill), all listed; integrity {counts['integrity']}"
    )


@pytest.mark.proof(
    "T3", "worker of a run killed while it asks", gate="0 stored replies lost; sent again <= on their way, listed"
)
def test_the_kills_of_a_worker_lose_no_reply(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    counts = killed(tmp_path, KILLS, 40 * KILLS)
    record_property("repetitions", KILLS)
    record_property("figure", figure(counts))


@pytest.mark.proof(
    "T3", "two workers on PostgreSQL killed together", gate="0 stored replies lost; sent again <= on their way, listed"
)
def test_the_kills_of_two_workers_lose_no_reply(
    tmp_path: Path, postgresql_url: str, record_property: Callable[[str, object], None]
) -> None:
    counts = killed(tmp_path, SERVER_KILLS, 150 * SERVER_KILLS, "--store", postgresql_url, "--workers", "2")
    record_property("repetitions", SERVER_KILLS)
    record_property("figure", figure(counts))


@pytest.mark.proof(
    "T3", "worker killed between the windows of a run", gate="0 samples lost or written twice; 0 stored replies lost"
)
def test_the_kills_of_a_worker_between_windows_lose_and_repeat_nothing(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    counts = killed(tmp_path, KILLS, 40 * KILLS, "--numbered")
    record_property("repetitions", KILLS)
    record_property("figure", figure(counts))
