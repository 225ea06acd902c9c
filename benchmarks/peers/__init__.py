"""Edgewise's worker and Inspect AI: the same samples, server and number of connections (`make bench-peers`).

300 one-call samples, 20 ms to each answer, 50 connections allowed, in turn, three times; processor seconds of each
process while it works, imports left out. Goal: at most one eighth of Inspect's. Edgewise stores every request and reply
durably in a study meanwhile; Inspect, in an environment of its own under `build/peers/`, writes its log as it does by
default.

That is the asking alone. The second comparison, *from command to tables*, is what a person waits for and a machine
pays: the whole command with imports, planning, asking and every table (`edgewise.py run --output-dir`), and Inspect's
whole process with its metrics and log, for 1, 300 and 3,000 samples: processor seconds of all processes, and wall time,
each the median of three with minimum and maximum. Goals: one sample, the cost of a command before it asks anything, in
1.5 s of wall time; 300 in a fifth of Inspect's time.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

from benchmarks.run_cost import LATENCY_MS, QUESTION, WIDTH, begin, check, worked
from benchmarks.running_server import running_server
from core.words import counted

HERE = Path(__file__).resolve().parent
PLACE = HERE.parents[1] / "build" / "peers"
ROOT = HERE.parents[1]
SAMPLES, ROUNDS = 300, 3
WHOLE = (1, 300, 3_000)
GOAL = 8.0


def prepared() -> Path:
    """Return the Python of the peers' environment, created from pip's configured index if missing."""
    python = PLACE / "venv" / "bin" / "python"
    requirements = (HERE / "requirements.txt").read_text()
    made_for = PLACE / "requirements.txt"
    if not python.exists() or not made_for.exists() or made_for.read_text() != requirements:
        print(f"Installing {', '.join(requirements.split())} into {PLACE} …", flush=True)
        venv.create(PLACE / "venv", with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
        made_for.write_text(requirements)
    return python


def inspect(python: Path, url: str, samples: int = SAMPLES) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        script = HERE / "inspect_run.py"
        command: list[str | Path] = [python, script, url, str(samples), str(WIDTH), folder, QUESTION]
        done = subprocess.run(command, capture_output=True, text=True, env={"PATH": os.defpath}, check=False)
    if done.returncode:
        raise RuntimeError(f"Inspect failed: {done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if (result["status"], result["scored"]) != ("success", samples):
        raise RuntimeError(f"Inspect did not finish: {result}")
    return result


# --- from command to tables ---------------------------------------------------------------------------------------


def whole_command(folder: Path, url: str, samples: int) -> dict[str, float]:
    """Run Edgewise's command in a study made before, from its start to the tables on disk."""
    place, files, out = folder / "study.edgewise", folder / "files", folder / "out"
    files.mkdir()
    rows = (
        {
            "paper_id": n // 4,
            "title": f"Paper {n // 4}",
            "publication_year": 2001,
            "published_venue": "Econometrica",
            "jel_codes": "C,D",
            "treatment": f"Cause {n}",
            "outcome": f"Effect {n}",
            "sign": "+",
            "answer": "+",
            "context": f"{QUESTION}{n}",
        }
        for n in range(samples)
    )
    (files / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    _edgewise(folder, "init", "--store", str(place), "--password", "of-no-use-here")
    _edgewise(folder, "endpoints", "add", "loopback", url, "--concurrency", str(WIDTH), "--store", str(place))
    card = ("--endpoint", "loopback", "--model", "scripted:cycle")
    _edgewise(folder, "models", "add", "m", *card, "--store", str(place))
    before = _of_children()
    started = time.perf_counter()
    words = ("--input-dir", str(files), "--models", "m", "--tasks", "task1", "--output-dir", str(out))
    reply = json.loads(_edgewise(folder, "run", *words, "--json", "--store", str(place)))
    times = {"cpu_s": _of_children() - before, "wall_s": time.perf_counter() - started}
    answered, tables = reply["by_status"]["answered"], len(list(out.iterdir()))
    if answered != samples or tables < 3:
        raise RuntimeError(f"Our run did not finish: {answered} of {samples} answered, {tables} files.")
    return times


def whole_peer(python: Path, url: str, samples: int) -> dict[str, float]:
    """Run Inspect's whole process, including its imports and a warm-up of two samples."""
    before, started = _of_children(), time.perf_counter()
    inspect(python, url, samples)
    return {"cpu_s": _of_children() - before, "wall_s": time.perf_counter() - started}


def _edgewise(folder: Path, *words: str) -> str:
    environment = {**os.environ, "EDGEWISE_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, ROOT / "edgewise.py", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(words[:2])} failed: {done.stderr}")
    return done.stdout


def _of_children() -> float:
    """Return the processor seconds of all finished child processes and their children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compare_whole(python: Path | None, url: str) -> None:
    """Print the row, in turn; Edgewise's figures alone without the peer's Python."""
    for samples in WHOLE:
        times: dict[str, list[dict[str, float]]] = {"ours": [], "Inspect": []}
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder:
                times["ours"].append(whole_command(Path(folder), url, samples))
            if python is not None:
                times["Inspect"].append(whole_peer(python, url, samples))
        middle = {
            name: {part: statistics.median(each[part] for each in columns) for part in ("cpu_s", "wall_s")}
            for name, columns in times.items()
            if columns
        }
        parts = [
            f"{name} {took['cpu_s']:.1f} CPU s ({_range(times[name], 'cpu_s')}), "
            f"wall {took['wall_s']:.1f} s ({_range(times[name], 'wall_s')})"
            for name, took in middle.items()
        ]
        if len(middle) == 2:
            ratios = [middle["Inspect"][part] / middle["ours"][part] for part in ("cpu_s", "wall_s")]
            parts.append(f"Inspect takes {ratios[0]:.1f} times the processor, {ratios[1]:.1f} times the wall")
        print(f"from command to tables, {counted(samples, 'sample')}: {'; '.join(parts)}", flush=True)


def _range(times: list[dict[str, float]], part: str) -> str:
    return f"{min(each[part] for each in times):.2f}-{max(each[part] for each in times):.2f}"


def measure() -> None:
    python = prepared()
    edgewise, peer, busiest = [], [], {"ours": 0, "Inspect": 0}
    with running_server("--latency-ms", str(LATENCY_MS)) as server, tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            place = Path(folder) / f"{number}.edgewise"
            begin(place, server.url, SAMPLES)
            server.forget()
            edgewise.append(worked(place, "openai"))
            check(place, SAMPLES)
            busiest["ours"] = max(busiest["ours"], server.log()["most_in_flight"])
            server.forget()
            peer.append(inspect(python, server.url))
            busiest["Inspect"] = max(busiest["Inspect"], server.log()["most_in_flight"])
    cost = {}
    for name, results in (("ours", edgewise), ("Inspect", peer)):
        cpu_ms = [each["cpu_s"] * 1000 / SAMPLES for each in results]
        cost[name] = statistics.median(cpu_ms)
        wall = statistics.median(each["wall_s"] for each in results)
        print(
            f"{name:10} {cost[name]:6.2f} CPU s per 1,000 ({min(cpu_ms):.2f}-{max(cpu_ms):.2f})   wall {wall:5.1f} s   "
            f"peak {max(each['peak_mb'] for each in results):4.0f} MB   most in flight {busiest[name]} of {WIDTH}"
        )
    ratio = cost["Inspect"] / cost["ours"]
    print(f"Inspect takes {ratio:.1f} times as much; goal at least {GOAL:g}: {'met' if ratio >= GOAL else 'missed'}")
    with running_server("--latency-ms", str(LATENCY_MS)) as server:
        compare_whole(python, server.url)
