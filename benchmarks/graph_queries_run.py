"""All 747,026 queries of CausalGraph2LLM's five graphs begun as one run of a scripted model, until 50,000 are answered.

The run is planned and begun by the services. A worker in a process of its own, with a client that answers by itself,
goes on until a budget of half of these requests is reached, and a second one, as after a stop, to the end. Goals: no
write lock over 0.5 s, database at most 450 MB with 50,000 answered, worker at most 170 MB, no query asked twice, then
every table of results in at most 1 s.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import run_cost
from benchmarks.harness import ROOT
from benchmarks.large_run import GOAL_LOCK_S, GOAL_TABLE_S, GOAL_WORKER_MB, TimedStore, size_mb, told
from benchmarks.memory import highest_mb
from core.runs.states import ItemStatus
from services.acting import terminal_viewer
from services.runs import acts, endpoints, model_cards, planning, reading, results
from services.runs.endpoints import EndpointDraft
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.study import open_study, use_study
from store.tables import new_id

ANSWERED, GOAL_MB = 50_000, 450
SAID = ("<Answer>Null</Answer>", "<Answer>No</Answer>", "So it is <Answer>Yes</Answer>.", "Nobody knows.")
NAMED = ("longest_s", "lock_cpu_s", "peak_mb")
KINDS = ("source", "sink", "parent", "child", "mediator", "confounder")


def work(place: str) -> None:
    """The worker's process: until the budget is reached, and what it took."""
    from runs.endpoint.reply import read_reply
    from runs.worker import Worker, load_openai

    load_openai()
    store = TimedStore(place)

    class Planted(run_cost.AnswersItself):
        asked = 0

        async def send(self, *given: Any) -> Any:
            Planted.asked += 1
            await asyncio.sleep(run_cost.LATENCY_MS / 1000)
            raw = json.loads(self._raw)
            raw["choices"][0]["message"]["content"] = SAID[Planted.asked % len(SAID)]
            return read_reply(json.dumps(raw), latency_s=run_cost.LATENCY_MS / 1000)

    began, cpu = time.perf_counter(), run_cost.processor_s()
    asyncio.run(Worker(store, clock=lambda: datetime.now(UTC), make_client=Planted).run(is_once=True))
    found = {
        "asked": Planted.asked,
        "longest_s": max(seconds for seconds, _ in store.held),
        "lock_cpu_s": max(used for _, used in store.held),
        "peak_mb": highest_mb(),
        "wall_s": time.perf_counter() - began,
        "cpu_s": run_cost.processor_s() - cpu,
    }
    print(json.dumps(found))


def worked(place: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.graph_queries_run", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the worker failed: {done.stderr}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "queries.edgewise"
        study = open_study(str(place), Path(folder) / "home")
        use_study(study)
        viewer = terminal_viewer()
        endpoint = EndpointDraft(name="lab", base_url="http://127.0.0.1:9/v1", concurrency=run_cost.WIDTH)
        endpoints.save_endpoint(viewer, endpoint, seen=0, act_id=new_id())
        card = ModelCardDraft(name="m", endpoint="lab", model=run_cost.MODEL)
        model_cards.save_card(viewer, card, seen=0, act_id=new_id())
        wanted = RunConfig(
            title="All queries",
            protocol="causalgraph2llm",
            source=SampleSource(),
            tasks=KINDS,
            variants=("graph", "node"),
            models=("m",),
            options={"node_sampling": "all", "amount": "all", "encodings": "all"},
            budget=BudgetSettings(requests=ANSWERED // 2),
        )
        began = time.perf_counter()
        run_id = planning.start(viewer, wanted, act_id=new_id()).subject_id
        print(f"{reading.progress(viewer, run_id).total:,} items begun in {time.perf_counter() - began:.1f} s")
        first = worked(place)
        now = reading.progress(viewer, run_id)
        acts.set_budget(viewer, run_id, BudgetSettings(requests=ANSWERED), seen=now.version, act_id=new_id())
        acts.resume(viewer, run_id, seen=reading.progress(viewer, run_id).version, act_id=new_id())
        second = worked(place)
        now = reading.progress(viewer, run_id)
        both = [first, second]
        sent = sum(each["asked"] for each in both)
        settled = now.total - now.by_status[ItemStatus.PENDING]
        longest, processor, peak = (max(each[name] for each in both) for name in NAMED)
        print(
            f"{settled:,} items settled, {sent:,.0f} requests; lock at most {longest:.2f} s, CPU {processor:.2f} s "
            f"(goal <= {GOAL_LOCK_S}); {size_mb(place):.0f} MB (goal <= {GOAL_MB}); worker {peak:.0f} MB "
            f"(goal <= {GOAL_WORKER_MB}), {1000 * sum(each['cpu_s'] for each in both) / sent:.2f} CPU s per 1,000"
        )
        told("Page of the run", lambda: reading.progress(viewer, run_id), GOAL_TABLE_S * 1000)
        for preset in results.presets_of(viewer, [run_id]):

            def table(key: str = preset.key) -> None:
                for cached in (results._read, results._tables, results._choices):
                    cached.cache_clear()
                results.results(viewer, [run_id], key)

            told(f"Results, {preset.key}", table, GOAL_TABLE_S * 1000)
        use_study(None)
        study.close()


if __name__ == "__main__":
    work(sys.argv[1])
