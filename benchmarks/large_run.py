"""A run of 100,000 numbered samples, compared with 20,000 stored ones: locks, disk space, memory, lists.

The samples are those of `tests/runs/toy_numbered.py`. A worker in a process of its own, with a client that answers by
itself, processes all of them on a SQLite study; it records how long each of its transactions held the lock. The peer is
a run whose 20,000 samples are stored with their texts, in one transaction. Goals: no write lock over 0.5 s, at most 60
MB of database before the first answer, a worker of at most 170 MB over its whole life; then over the 100,000 items
filters of Failures and of its samples in at most 300 ms, a table of results in at most 1 s, all samples as lines, which
are then cached, in at most 4 s.
"""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sqlmodel import Session, select

from benchmarks import run_cost
from benchmarks.harness import ROOT
from benchmarks.memory import highest_mb
from core.runs.filters import FailureFilters, ItemOrder, OutcomeFilter
from core.runs.sample_filters import SampleFilter, SampleFilters
from core.runs.states import ItemStatus
from services.acting import terminal_viewer
from services.results import results, samples
from services.study import open_study, use_study
from store.engine import Store
from store.migrate import migrate
from store.runs import lists, runs
from store.runs.runs import RunWindow
from store.tables.runs import RunRow
from tests.runs import toy_numbered

ROW_COUNT, COLUMN_COUNT = 1_000, 50
SAMPLES = 2 * ROW_COUNT * COLUMN_COUNT
STORED_SAMPLES = 20_000
GOAL_LOCK_S, GOAL_MB, GOAL_WORKER_MB, GOAL_FILTER_MS, GOAL_TABLE_S, GOAL_SAMPLES_S = 0.5, 60, 170, 300, 1.0, 4.0
TIMES = 5


class TimedStore(Store):
    """Store that records how long each write held the lock."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.held: list[tuple[float, float]] = []
        """Seconds by the clock, and of the processor."""

    @contextmanager
    def writing(self, patience_ms: int | None = None) -> Iterator[Any]:
        began = used = 0.0
        try:
            with super().writing(patience_ms) as session:
                session.connection()  # takes the lock
                began, used = time.perf_counter(), time.thread_time()
                yield session
        finally:
            self.held.append((time.perf_counter() - began, time.thread_time() - used))


def size_mb(path: Path) -> float:
    """Return the size of a study's file with SQLite's log and index."""
    return sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*") if each.is_file()) / 1e6


def begin(place: Path) -> tuple[float, str]:
    """Start the run; return the seconds of its lock, and its id."""
    toy_numbered.register()
    migrate(Store(str(place)))
    store = TimedStore(str(place))
    model = run_cost.model_of("http://127.0.0.1:9/v1")
    run_id = toy_numbered.begin(store, {"m": model}, ROW_COUNT, COLUMN_COUNT, variants=toy_numbered.VARIANTS)
    store.close()
    return max(seconds for seconds, _ in store.held), run_id


def work(place: str) -> None:
    from runs.worker import Worker, load_openai
    from settings import GARBAGE

    load_openai()
    gc.set_threshold(*GARBAGE)  # as `python -m runs` does
    toy_numbered.register()
    store, windows, first_mb = TimedStore(place), list[int](), list[float]()
    add = runs.add_window

    def noted(session: Session, ready: RunWindow) -> tuple[int, ...] | None:
        windows.append(len(store.held))  # of all writes of this process, which take turns
        return add(session, ready)

    runs.add_window = noted

    class Noting(run_cost.AnswersItself):
        async def send(self, *given: Any) -> Any:
            if not first_mb:
                first_mb.append(size_mb(Path(place)))
            return await super().send(*given)

    began = time.perf_counter()
    cpu = run_cost.processor_s()
    asyncio.run(Worker(store, clock=lambda: datetime.now(UTC), make_client=Noting).run(is_once=True))
    seconds = time.perf_counter() - began
    holds = sorted(store.held[place] for place in windows)
    result = {
        "windows": len(windows),
        "longest_s": holds[-1][0],
        "median_s": holds[len(holds) // 2][0],
        "lock_cpu_s": max(used for _, used in holds),
        "other_s": max(seconds for place, (seconds, _) in enumerate(store.held) if place not in windows),
        "first_mb": first_mb[0],
        "peak_mb": highest_mb(),
        "wall_s": seconds,
        "cpu_s": run_cost.processor_s() - cpu,
    }
    print(json.dumps(result))


def worked(place: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.large_run", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the worker failed: {done.stderr}")
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def time_of_insert(folder: Path) -> tuple[float, float]:
    """Return (seconds of lock, MB) of 20,000 samples written with their texts at the start of the run."""
    place, write, locks = folder / "kept.edgewise", Store.writing, list[float]()

    @contextmanager
    def timed(self: Store, patience_ms: int | None = None) -> Iterator[Any]:
        with write(self, patience_ms) as session:
            session.connection()
            began = time.perf_counter()
            yield session
        locks.append(time.perf_counter() - began)

    with patch.object(Store, "writing", timed):
        run_cost.begin(place, "http://127.0.0.1:9/v1", STORED_SAMPLES)
    return max(locks), size_mb(place)


FILTERS: dict[str, FailureFilters] = {
    "everything": FailureFilters(),
    "wrong": FailureFilters(only=OutcomeFilter.WRONG),
    "a variant": FailureFilters(variants=("terse",)),
    "a true label": FailureFilters(expected=("-",)),
    "a predicted label": FailureFilters(predicted=("+",)),
    "a label of two": FailureFilters(labels=(("digit", ("7",)), ("kind", ("prices",)))),
    "a status": FailureFilters(statuses=(ItemStatus.UNPARSABLE,)),
    "a search, many found": FailureFilters(search="exports"),
    "a search, one found": FailureFilters(search="777-3"),
    "a search of two words, few found": FailureFilters(search="number 4999"),
    "a search, none found": FailureFilters(search="nowhere"),
    "the hardest first": FailureFilters(order=ItemOrder.HARDEST),
}


SAMPLE_FILTERS: dict[str, SampleFilters] = {
    "the page again": SampleFilters(),
    "a kind, ordered": SampleFilters(only=SampleFilter.SPLIT, order="agreement"),
    "ordered by doubt": SampleFilters(order="doubt", is_descending=True),
    "two limits": SampleFilters(limits={"right": (0, 0.5), "answers": (1, None)}),
    "a search, many found": SampleFilters(search="exports"),
    "a search, none found": SampleFilters(search="nowhere"),
}


def print_times(what: str, do: Callable[[], object], goal_ms: float, more: str = "") -> None:
    wall, cpu = list[float](), list[float]()
    for _ in range(TIMES):
        began, used = time.perf_counter(), time.process_time()
        do()
        wall.append((time.perf_counter() - began) * 1000)
        cpu.append((time.process_time() - used) * 1000)
    times = f"{statistics.median(wall):6.0f} ms, CPU {statistics.median(cpu):5.0f} ms"
    print(f"{what:46} {times}   goal <= {goal_ms:,.0f}{more}")


def look(place: Path) -> None:
    store = Store(str(place))
    with store.reading() as session:
        row = session.exec(select(RunRow)).one()
        assert row.state == "done", (row.state, row.reason)
        searched = toy_numbered.DIFFERENCES.listed.searched
        for name, filters in FILTERS.items():
            total = lists.page(session, filters, searched, 0, 50)[0].total()
            look_up = partial(lists.page, session, filters, searched, 0, 50)
            print_times(f"Failures, {name}", look_up, GOAL_FILTER_MS, f", {total:,} found")
        labels = toy_numbered.DIFFERENCES.listed.filters
        print_times(
            "Failures, what filters can be set to", partial(lists.values_in_use, session, labels), GOAL_FILTER_MS
        )
    store.close()
    study = open_study(str(place), place.parent / "home")
    use_study(study)
    viewer = terminal_viewer()

    def table(with_interval: bool) -> None:
        for cached in (results._read_once, results._tables, results._choices):
            cached.cache_clear()
        results.results(viewer, ["1"], "main", with_interval=with_interval)

    print_times("Results, a table of all items", partial(table, False), GOAL_TABLE_S * 1000)
    print_times("Results, the same with intervals", partial(table, True), GOAL_TABLE_S * 1000)

    def sample_page(filters: SampleFilters = samples.ALL) -> None:
        samples.samples(viewer, ["1"], filters)

    def first_page() -> None:
        samples._lines.cache_clear()
        sample_page()

    print_times("Samples, the first page", first_page, GOAL_SAMPLES_S * 1000)
    for name, of_samples in SAMPLE_FILTERS.items():
        print_times(f"Samples, {name}", partial(sample_page, of_samples), GOAL_FILTER_MS)
    use_study(None)
    study.close()


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        lock_s, mb = time_of_insert(Path(folder))
        print(
            f"{STORED_SAMPLES:,} samples kept with their texts: lock {lock_s:.2f} s, {mb:.0f} MB "
            "before the first answer"
        )
        place = Path(folder) / "large.edgewise"
        began_s, _ = begin(place)
        print(f"{SAMPLES:,} samples by number: lock {began_s:.3f} s, {size_mb(place):.1f} MB when the run has begun")
        totals = worked(place)
        print(
            f"its {totals['windows']} windows: longest lock {totals['longest_s']:.2f} s, "
            f"median {totals['median_s']:.2f} s, processor at most {totals['lock_cpu_s']:.2f} s (goal <= {GOAL_LOCK_S})"
            f"; other writes at most {totals['other_s']:.2f} s; "
            f"{totals['first_mb']:.1f} MB before the first answer (goal <= {GOAL_MB})"
        )
        print(
            f"worker: {totals['peak_mb']:.0f} MB at most (goal <= {GOAL_WORKER_MB}), {totals['cpu_s']:.0f} CPU s, "
            f"{totals['wall_s']:.0f} s; the file has {size_mb(place):.0f} MB at the end"
        )
        look(place)


if __name__ == "__main__":
    work(sys.argv[1])
