"""All queries of CausalGraph2LLM's five graphs as one run of a scripted model: what it locks, holds and shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.graph_queries_run import ANSWERED, GOAL_MB, answered, tables
from benchmarks.large_run import GOAL_LOCK_S, GOAL_TABLE_S, GOAL_WORKER_MB
from services.acting import terminal_viewer
from services.study import Study, open_study, use_study
from tests.soak.table import scaled


@contextmanager
def opened(place: Path) -> Iterator[Study]:
    study = open_study(str(place), place.parent / "home")
    use_study(study)
    try:
        yield study
    finally:
        use_study(None)
        study.close()


@pytest.mark.proof(
    "load",
    "747,026 queries started as one run, stopped and resumed",
    gate="0 asked twice, no lock over 0.5 s, database at most 450 MB and worker at most 170 MB with 50,000 answered, "
    "page of the run and every table at most 1 s",
)
def test_the_whole_of_the_papers_set_is_one_run(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    place, many = tmp_path / "queries.edgewise", scaled(ANSWERED, least=4_000)
    with opened(place) as study:
        viewer = terminal_viewer()
        run_id, took = answered(viewer, study, place, many)
        seconds = {}
        for name, show in tables(viewer, run_id).items():
            began = time.perf_counter()
            show()
            seconds[name] = time.perf_counter() - began
    slowest = max(seconds, key=lambda name: seconds[name])
    record_property("repetitions", took.sent)
    record_property(
        "figure",
        f"{took.settled:,} answered, {took.asked_twice} asked twice; lock at most {took.lock_s:.2f} s; "
        f"{took.size_mb:.0f} MB, worker {took.worker_mb:.0f} MB; {slowest}: {seconds[slowest]:.2f} s",
    )
    assert (took.total, took.settled, took.sent, took.asked_twice) == (747_026, many, many, 0)
    assert took.lock_s <= GOAL_LOCK_S
    assert took.size_mb <= GOAL_MB
    assert took.worker_mb <= GOAL_WORKER_MB
    assert max(seconds.values()) <= GOAL_TABLE_S, seconds
