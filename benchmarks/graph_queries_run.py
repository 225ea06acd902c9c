"""All 747,026 queries of CausalGraph2LLM's five graphs started as one run, until 50,000 are answered.

The services plan and start the run, of a scripted model. A worker in a process of its own, with a client that answers
by itself, continues until a budget of half of these requests is spent, and a second one, as after a stop, to the end.
Goals: no write lock over 0.5 s, database at most 450 MB with 50,000 answered, worker at most 170 MB, no query asked
twice, then every table of results in at most 1 s; CPU seconds per 1,000 at most 0.1 above those of samples written in
advance, including their writing: a run of numbered samples starts at once, and its worker writes them (docs/speed.md
says where the time goes).
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from benchmarks import run_cost
from benchmarks.harness import ROOT
from benchmarks.large_run import GOAL_LOCK_S, GOAL_TABLE_S, GOAL_WORKER_MB, TimedStore, print_times, size_mb
from benchmarks.memory import highest_mb
from core.people import Viewer
from core.runs.states import ItemStatus
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.reply import ModelReply, read_reply
from services.acting import terminal_viewer
from services.results import results
from services.runs import acts, endpoints, model_cards, planning, reading
from services.runs.endpoints import EndpointDraft
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.study import Study, open_study, use_study
from store.engine import Store
from store.migrate import migrate
from store.tables import new_id
from store.tables.runs import SendRow

ANSWERED, GOAL_MB, GOAL_DERIVED_S = 50_000, 450, 0.1
REPLIES = ("<Answer>Null</Answer>", "<Answer>No</Answer>", "So it is <Answer>Yes</Answer>.", "Nobody knows.")
NAMED = ("longest_s", "lock_cpu_s", "peak_mb")
KINDS = ("source", "sink", "parent", "child", "mediator", "confounder")


class Planted(run_cost.AnswersItself):
    """Client that returns the replies of `REPLIES` in turn."""

    asked = 0

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        raw = json.loads(self._raw)
        self._said = []
        for text in REPLIES:
            raw["choices"][0]["message"]["content"] = text
            self._said.append(json.dumps(raw))

    async def send(self, *given: Any) -> ModelReply:
        Planted.asked += 1
        await asyncio.sleep(run_cost.LATENCY_MS / 1000)
        return read_reply(self._said[Planted.asked % len(REPLIES)], latency_s=run_cost.LATENCY_MS / 1000)


def work(place: str) -> None:
    from runs.worker import Worker, load_openai
    from settings import GARBAGE

    load_openai()
    gc.set_threshold(*GARBAGE)  # as `python -m runs` does
    store = TimedStore(place)
    began, cpu = time.perf_counter(), run_cost.processor_s()
    asyncio.run(Worker(store, clock=lambda: datetime.now(UTC), make_client=Planted).run(is_once=True))
    result = {
        "asked": Planted.asked,
        "longest_s": max(seconds for seconds, _ in store.held),
        "lock_cpu_s": max(used for _, used in store.held),
        "peak_mb": highest_mb(),
        "wall_s": time.perf_counter() - began,
        "cpu_s": run_cost.processor_s() - cpu,
    }
    print(json.dumps(result))


def worked(place: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.graph_queries_run", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the worker failed: {done.stderr}")
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerTimes:
    """Cost of two consecutive workers, the second as after a stop. `asked_twice`: attempts beyond the first of a
    request."""

    total: int
    started_s: float
    settled: int
    sent: int
    asked_twice: int
    lock_s: float
    lock_cpu_s: float
    size_mb: float
    worker_mb: float
    cpu_s: float


def config(requests: int) -> RunConfig:
    return RunConfig(
        title="All queries",
        protocol="causalgraph2llm",
        source=SampleSource(),
        tasks=KINDS,
        variants=("graph", "node"),
        models=("m",),
        options={"node_sampling": "all", "amount": "all", "encodings": "all"},
        budget=BudgetSettings(requests=requests),
    )


def answered(viewer: Viewer, study: Study, place: Path, many: int = ANSWERED) -> tuple[str, WorkerTimes]:
    """Answer a number of queries, with a stop half way; return the run and its cost."""
    endpoint = EndpointDraft(name="lab", base_url="http://127.0.0.1:9/v1", concurrency=run_cost.WIDTH)
    endpoints.save_endpoint(viewer, endpoint, seen=0, act_id=new_id())
    card = ModelCardDraft(name="m", endpoint="lab", model=run_cost.MODEL)
    model_cards.save_card(viewer, card, seen=0, act_id=new_id())
    began = time.perf_counter()
    run_id = planning.start(viewer, config(many // 2), act_id=new_id()).subject_id
    started_at_s = time.perf_counter() - began
    first = worked(place)
    now = reading.progress(viewer, run_id)
    acts.set_budget(viewer, run_id, BudgetSettings(requests=many), seen=now.version, act_id=new_id())
    acts.resume(viewer, run_id, seen=reading.progress(viewer, run_id).version, act_id=new_id())
    second = worked(place)
    now = reading.progress(viewer, run_id)
    longest, processor, peak = (max(each[name] for each in (first, second)) for name in NAMED)
    return run_id, WorkerTimes(
        total=now.total,
        started_s=started_at_s,
        settled=now.total - now.by_status[ItemStatus.PENDING],
        sent=int(first["asked"] + second["asked"]),
        asked_twice=asked_twice(study),
        lock_s=longest,
        lock_cpu_s=processor,
        size_mb=size_mb(place),
        worker_mb=peak,
        cpu_s=first["cpu_s"] + second["cpu_s"],
    )


def asked_twice(study: Study) -> int:
    attempts = SendRow.metadata.tables[str(SendRow.__tablename__)]
    with study.store.reading() as session:
        hashes = func.count(attempts.c.request_hash.distinct())
        all_of_them, different = session.execute(select(func.count(), hashes).select_from(attempts)).one()
    return int(all_of_them - different)


def tables(viewer: Viewer, run_id: str) -> dict[str, Callable[[], object]]:
    """Time the display of the run and of each table of its results, read again."""

    def table(key: str) -> None:
        for cached in (results._read_once, results._tables, results._choices):
            cached.cache_clear()
        results.results(viewer, [run_id], key)

    shown: dict[str, Callable[[], object]] = {"Page of the run": partial(reading.progress, viewer, run_id)}
    return shown | {f"Results, {each.key}": partial(table, each.key) for each in results.presets_of(viewer, [run_id])}


def written_share(folder: Path) -> tuple[float, float]:
    """Return CPU s per 1,000 samples written in advance, with the same client: of the process that writes, and of the
    worker. Medians of `run_cost.ROUNDS`. A run of numbered samples has both costs in its worker."""
    writing, asking = [], []
    for number in range(run_cost.ROUNDS):
        place = folder / f"written-{number}.edgewise"
        store = Store(str(place))
        migrate(store)
        store.close()
        began = time.process_time()
        run_cost.begin(place, "http://127.0.0.1:9/v1", run_cost.SAMPLES)
        writing.append(1000 * (time.process_time() - began) / run_cost.SAMPLES)
        asking.append(1000 * run_cost.worked(place, "own")["cpu_s"] / run_cost.SAMPLES)
    return statistics.median(writing), statistics.median(asking)


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "queries.edgewise"
        study = open_study(str(place), Path(folder) / "home")
        use_study(study)
        viewer = terminal_viewer()
        run_id, took = answered(viewer, study, place)
        print(f"{took.total:,} items begun in {took.started_s:.1f} s; load {os.getloadavg()[0]:.1f}")
        print(
            f"{took.settled:,} items settled, {took.sent:,} requests, {took.asked_twice} twice; lock at most "
            f"{took.lock_s:.2f} s, CPU {took.lock_cpu_s:.2f} s (goal <= {GOAL_LOCK_S}); {took.size_mb:.0f} MB (goal <= "
            f"{GOAL_MB}); worker {took.worker_mb:.0f} MB (goal <= {GOAL_WORKER_MB}), "
            f"{1000 * took.cpu_s / took.sent:.2f} CPU s per 1,000"
        )
        writing, asking = written_share(Path(folder))
        print(
            f"The same of requests that are written beforehand: written {writing:.2f}, asked {asking:.2f} (run_cost, "
            f"own share); goal for queries, which do both <= {writing + asking + GOAL_DERIVED_S:.2f}"
        )
        for name, show in tables(viewer, run_id).items():
            print_times(name, show, GOAL_TABLE_S * 1000)
        use_study(None)
        study.close()


if __name__ == "__main__":
    work(sys.argv[1])
