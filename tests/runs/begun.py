"""A run as tests begin it: numbered questions for models of the loopback server, past all services."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text

from core.messages import Messages, message, text_hash
from core.runs.states import RunState
from prompts.loader import BUILT_IN
from protocols import PROTOCOLS
from runs.endpoint.request import ModelRequest, request_hash
from runs.endpoint.retrying import Policy
from runs.queues import queue_of
from runs.worker import Pace, Worker
from store.engine import Store
from store.runs import runs
from store.runs.runs import Inserted, NewItem, NewRun, NewSample
from tests.forking import WORKERS, Forked

ROOT = Path(__file__).resolve().parents[2]
SIGNS = ("+", "-", "None", "mixed")
HURRIED = Pace(lost_after_s=5.0, retries=Policy(base_s=0.01))
"""Second tries come at once; on a server, silence is short."""
EMPTY: Mapping[str, Any] = {}
BUDGET: Mapping[str, Any] = {"usd": None, "tokens": None, "requests": None}


def now() -> datetime:
    return datetime.now(UTC)


def model(url: str, name: str = "scripted:cycle", **said: Any) -> dict[str, Any]:
    """A model's snapshot as services keep it; `said` changes its endpoint's limits, or anything else of it."""
    endpoint: dict[str, Any] = {
        "name": "loopback",
        "base_url": url,
        "key_variable": "",
        "requests_per_minute": None,
        "tokens_per_minute": None,
        "concurrency": 8,
        "deadline_s": 10.0,
        "most_bytes": 2_000_000,
    }
    endpoint |= {field: said.pop(field) for field in list(said) if field in endpoint}
    return {
        "kind": "instruct",
        "model": name,
        "parameters": {"max_tokens": 50},
        "context_length": None,
        "prices": {"input": 1.0, "cached": None, "output": 2.0},
        "endpoint": endpoint,
        **said,
    }


def begin(
    store: Store,
    models: Mapping[str, Mapping[str, Any]],
    count: int = 20,
    *,
    budget: Mapping[str, Any] = BUDGET,
    questions: Sequence[str] = (),
    repeats: int = 1,
    messages: Sequence[Messages] = (),
    protocol: str = "econcausal",
    roles: Mapping[str, str] = EMPTY,
    prompts: Mapping[str, str] = EMPTY,
    facts: Sequence[Mapping[str, Any]] = (),
) -> Inserted:
    """A queued run of `count` samples, each asked of every model but those of roles; questions are numbered unless
    they, or whole `messages`, are given. `prompts`: name → text, as the manifest keeps them; `facts`: of each sample
    what is added to its own."""
    asked = list(questions) or [f"Question {number}: what is the sign?" for number in range(count)]
    system = message("system", "Answer with one JSON object.")
    said = list(messages) or [(system, message("user", text)) for text in asked]
    samples = [_sample(number, each, facts[number] if facts else {}) for number, each in enumerate(said)]
    described = [
        {"name": name, "hash": text_hash(each), "origin": BUILT_IN, "also": [], "text": text_hash(each)}
        for name, each in prompts.items()
    ]
    run = NewRun(
        title="A run",
        protocol=protocol,
        protocol_version=PROTOCOLS[protocol].version,
        settings={"models": dict(models), "budget": dict(budget)} | ({"roles": dict(roles)} if roles else {}),
        manifest={"prompts": described} if described else {},
        created_by="terminal",
    )
    items = (
        NewItem(number, name, repeat, _hash(said, samples[number], repeat))
        for name, said in models.items()
        if name not in roles.values()
        for repeat in range(repeats)
        for number in range(len(samples))
    )
    with store.writing() as session:
        inserted = runs.insert_run(session, run, samples, items, now(), sorted(prompts.values()))
        queue_of(store).submit(session, inserted.run_id, inserted.shards)
    return inserted


def _sample(number: int, messages: Messages, more: Mapping[str, Any]) -> NewSample:
    facts = {"paper": f"w{number // 4}", "year": 2000 + number % 4, "example_signs": ["+", "+", "-"], **more}
    return NewSample(
        task="task1",
        variant="context",
        key=f"w{number // 4}/{number}",
        sample_hash=f"hash{number:08}",
        answer=SIGNS[number % 4],
        facts=facts,
        messages=messages,
    )


def _hash(said: Mapping[str, Any], sample: NewSample, repeat: int) -> str | None:
    if said["kind"] == "baseline":
        return None
    endpoint = said["endpoint"]
    request = ModelRequest(
        endpoint["name"], endpoint["base_url"], said["model"], tuple(sample.messages), said["parameters"], repeat
    )
    return request_hash(request)


def worker(place: str, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    """A worker in a process of its own, hurried: second tries come at once, silence is short. It is forked with what it
    loads; tests of how a worker starts begin one as a shell does."""
    command = [sys.executable, "-m", "runs", "--store", place, "--first-wait", "0.01", *arguments]
    pipe = subprocess.PIPE
    return Forked(WORKERS, command, cwd=ROOT, text=True, stdout=pipe, stderr=pipe, **options)


def finished(process: subprocess.Popen[str], timeout_s: float = 60) -> str:
    """What the worker said on its way to a good end."""
    try:
        _, said = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        process.kill()
        _, said = process.communicate()
        raise AssertionError(f"the worker did not end: {said}") from None
    assert process.returncode == 0, said
    return said


def fall_silent(store: Store) -> None:
    """As if every worker of a server had been silent for an hour: whoever comes next waits for none of them. In a file
    the next worker asks no clock."""
    if store.is_sqlite:
        return
    with store.writing() as session:
        session.execute(text("UPDATE worker SET seen_at = seen_at - INTERVAL '1 hour'"))
        beats = "UPDATE edgewise_queue.procrastinate_workers SET last_heartbeat = last_heartbeat - INTERVAL '1 hour'"
        session.execute(text(beats))


def state(store: Store, run_id: str) -> tuple[RunState, str]:
    with store.reading() as session:
        row = runs.run_row(session, run_id)
        return RunState(row.state), row.reason


def rows(store: Store, query: str, **values: Any) -> list[Any]:
    """What the database says, past our own questions."""
    with store.reading() as session:
        return [tuple(row) for row in session.execute(text(query), values)]


def statuses(store: Store, run_id: str) -> dict[str, int]:
    query = "SELECT status, count(*) FROM run_item WHERE run_id = :run GROUP BY status"
    return dict(rows(store, query, run=run_id))


def work(store: Store, *, pace: Pace | None = None, **given: Any) -> Worker:
    """Let a worker in this process do all there is to do; returns it when it has ended."""

    async def until_done() -> Worker:
        one = Worker(store, clock=now, pace=pace or HURRIED, **given)
        assert await one.run(is_once=True) == 0
        return one

    return asyncio.run(until_done())
