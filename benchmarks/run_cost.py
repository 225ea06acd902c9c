"""Cost of a run for a worker: processor time for 1,000 samples, memory, replay from stored replies, wall time.

Real workers in processes of their own, over the loopback server, on a SQLite study: 2,000 one-call samples with 20 ms
to each answer and 50 in flight, three times. Processor seconds of the worker while it works are compared (without
imports and two samples that trigger late imports), since the wall clock of a shared machine says little. "Own share" is
the same run with a client that answers by itself after 20 ms instead of openai's: hash, ledger, parsing, scoring,
queue, store. Goals: at most 3.5 CPU s for 1,000 through the openai client, own share at most 0.5; 50 in flight; at most
40 MB over the worker's imports and 170 MB in all; replay of at least 3,000 samples a second; at 500 ms at most 1.25
times the minimum possible wall time.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.memory import highest_mb
from core.messages import message
from core.runs.states import RunState
from protocols import PROTOCOLS
from runs.client_pool import Closing
from runs.endpoint.endpoints import Endpoint
from runs.endpoint.reply import ModelReply, read_reply
from runs.endpoint.request import EmbeddingRequest, ModelRequest, request_hash
from store.engine import Store
from store.migrate import migrate
from store.runs import runs
from store.runs.runs import NewItem, NewRun, NewSample

ROOT = Path(__file__).resolve().parent.parent
SAMPLES, WIDTH, LATENCY_MS, ROUNDS = 2_000, 50, 20, 3
WARM_UP = 2
SLOW_SAMPLES, SLOW_MS = 1_000, 500
GOALS: Mapping[str, float] = {
    "openai": 3.5,
    "own": 0.5,
    "over imports": 40.0,
    "in all": 170.0,
    "replay": 3_000.0,
    "slow": 1.25,
}
MODEL = "scripted:cycle"
QUESTION = "Which result did the study most likely report? " + "Wages and prices in the sector. " * 40


# --- the worker's process -----------------------------------------------------------------------------------------


class AnswersItself:
    """Client without a network: the same body every time, after the server's latency."""

    def __init__(self, endpoint: Endpoint) -> None:
        answer = {"predicted_sign": "+", "reasoning": "Planted."}
        self._raw = json.dumps(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": MODEL,
                "choices": [
                    {
                        "index": 0,
                        "message": {"role": "assistant", "content": json.dumps(answer)},
                        "finish_reason": "stop",
                    }
                ],
                "usage": {"prompt_tokens": 300, "completion_tokens": 20, "total_tokens": 320},
            }
        )

    async def send(self, request: ModelRequest | EmbeddingRequest, attempt_id: str) -> ModelReply:
        await asyncio.sleep(LATENCY_MS / 1000)
        return read_reply(self._raw, latency_s=LATENCY_MS / 1000)

    async def close(self) -> None: ...


def work(place: str, mode: str) -> None:
    from runs.client_pool import client_of
    from runs.worker import Worker, load_openai
    from settings import GARBAGE

    load_openai()
    gc.set_threshold(*GARBAGE)  # as `python -m runs` does

    make: Callable[[Endpoint], Closing] = AnswersItself if mode == "own" else client_of
    before_mb = resident_mb()
    store = Store(place)
    with store.reading() as session:
        url = runs.runs(session)[0].settings["models"]["m"]["endpoint"]["base_url"]
    with tempfile.TemporaryDirectory() as folder:  # what is loaded late is loaded here
        first = Path(folder) / "first.edgewise"
        begin(first, url, WARM_UP, start=SAMPLES)
        asyncio.run(Worker(Store(str(first)), clock=lambda: datetime.now(UTC), make_client=make).run(is_once=True))
    cpu, wall = processor_s(), time.perf_counter()
    asyncio.run(Worker(store, clock=lambda: datetime.now(UTC), make_client=make).run(is_once=True))
    result = {
        "cpu_s": processor_s() - cpu,
        "wall_s": time.perf_counter() - wall,
        "imports_mb": before_mb,
        "peak_mb": highest_mb(),
    }
    print(json.dumps(result))


def processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def worked(place: Path, mode: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.run_cost", str(place), mode]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the worker failed: {done.stderr}")
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


# --- the run ------------------------------------------------------------------------------------------------------


PARAMETERS = {"temperature": 0, "max_tokens": 500}


def model_of(url: str) -> dict[str, Any]:
    endpoint = {
        "name": "loopback",
        "base_url": url,
        "key_variable": "",
        "requests_per_minute": None,
        "tokens_per_minute": None,
        "concurrency": WIDTH,
        "deadline_s": 120.0,
        "most_bytes": 2_000_000,
    }
    return {
        "kind": "instruct",
        "model": MODEL,
        "parameters": PARAMETERS,
        "prices": {"input": 1.0, "output": 2.0},
        "endpoint": endpoint,
    }


def begin(place: Path, url: str, count: int, start: int = 0) -> None:
    """Queue a run of `count` samples of one model, past all services."""
    store = Store(str(place))
    migrate(store)
    samples, items = [], []
    for number in range(start, start + count):
        messages = (message("system", "You estimate."), message("user", f"{QUESTION}{number}"))
        facts = {"paper": f"w{number // 4}", "year": 2001, "jel": ["C", "D"], "example_signs": ["+", "-"]}
        samples.append(
            NewSample(
                task="task1",
                variant="context",
                key=str(number),
                sample_hash=f"{number:064}",
                answer="+",
                facts=facts,
                messages=messages,
            )
        )
        request = ModelRequest("loopback", url, MODEL, messages, PARAMETERS)
        items.append(NewItem(number - start, "m", request_hash=request_hash(request)))
    run = NewRun(
        title="Cost",
        protocol="econcausal",
        protocol_version=PROTOCOLS["econcausal"].version,
        settings={"models": {"m": model_of(url)}},
        manifest={},
        created_by="terminal",
    )
    with store.writing() as session:
        runs.insert_run(session, run, samples, items, datetime.now(UTC))
    store.close()


def check(place: Path, count: int) -> None:
    """Raise AssertionError unless every run is done."""
    store = Store(str(place))
    with store.reading() as session:
        for run in runs.runs(session):
            assert run.state == RunState.DONE, (run.state, run.reason)
    store.close()


def measure() -> None:
    from benchmarks.running_server import running_server

    results: dict[str, list[dict[str, float]]] = {"openai": [], "replay": [], "own": []}
    busiest: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        with running_server("--latency-ms", str(LATENCY_MS)) as server:
            for number in range(ROUNDS):
                place = Path(folder) / f"{number}.edgewise"
                server.forget()
                for mode in ("openai", "replay"):  # the second run asks the same, so its replies are there
                    begin(place, server.url, SAMPLES)
                    results[mode].append(worked(place, mode))
                log = server.log()
                assert log["requests"] == SAMPLES + 2 * WARM_UP, log["requests"]
                busiest.append(log["most_in_flight"])
                own = Path(folder) / f"own {number}.edgewise"
                begin(own, server.url, SAMPLES)
                results["own"].append(worked(own, "own"))
                check(place, SAMPLES)
                check(own, SAMPLES)
        with running_server("--latency-ms", str(SLOW_MS)) as server:
            place = Path(folder) / "slow.edgewise"
            begin(place, server.url, SLOW_SAMPLES)
            slow = worked(place, "openai")
            busiest.append(server.log()["most_in_flight"])
    format_cost(results, slow, busiest)


def format_cost(results: Mapping[str, list[dict[str, float]]], slow: Mapping[str, float], busiest: list[int]) -> None:
    cost = {mode: [each["cpu_s"] * 1000 / SAMPLES for each in rounds] for mode, rounds in results.items()}
    for mode, label in (("openai", "through the openai client"), ("own", "own share, client that answers itself")):
        line(label, statistics.median(cost[mode]), GOALS[mode], "CPU s per 1,000", min(cost[mode]), max(cost[mode]))
    rates = [SAMPLES / each["wall_s"] for each in results["replay"]]
    line(
        "replay from stored replies",
        statistics.median(rates),
        GOALS["replay"],
        "samples/s, wall",
        min(rates),
        max(rates),
        at_least=True,
    )
    line(
        "replay from stored replies",
        statistics.median(cost["replay"]),
        None,
        "CPU s per 1,000",
        min(cost["replay"]),
        max(cost["replay"]),
    )
    peak = max(each["peak_mb"] for each in results["openai"])
    line("memory over the worker's imports", peak - results["openai"][0]["imports_mb"], GOALS["over imports"], "MB")
    line("memory in all", peak, GOALS["in all"], "MB")
    ideal = SLOW_SAMPLES * SLOW_MS / 1000 / WIDTH
    line(f"wall time at {SLOW_MS} ms", slow["wall_s"] / ideal, GOALS["slow"], "times the least possible")
    print(f"{'most in flight':44} {min(busiest):8} of {WIDTH}; load {os.getloadavg()[0]:.1f}")


def line(
    label: str,
    value: float,
    goal: float | None,
    unit: str,
    low: float | None = None,
    high: float | None = None,
    *,
    at_least: bool = False,
) -> None:
    spread = "" if low is None else f" ({low:,.2f}-{high:,.2f})"
    goal_text = "" if goal is None else f"   goal {'>=' if at_least else '<='} {goal:,g}"
    print(f"{label:44} {value:8,.2f} {unit}{spread}{goal_text}")


if __name__ == "__main__":
    work(*sys.argv[1:3])
