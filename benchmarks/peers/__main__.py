"""Our worker beside Inspect AI: the same samples, the same server, the same number of connections (`make bench-peers`).

300 one-call samples, 20 ms to each answer, 50 connections allowed, in turn, three times; processor seconds of each
process while it works, imports left out. Goal: at most one eighth of Inspect's. Ours keeps every request and reply
durably in a study while it goes; Inspect writes its log as it does by default.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from benchmarks.models.running import running_server
from benchmarks.run_cost import LATENCY_MS, QUESTION, WIDTH, begin, check, worked

HERE = Path(__file__).resolve().parent
PLACE = HERE.parents[1] / "build" / "peers"
SAMPLES, ROUNDS = 300, 3
GOAL = 8.0


def prepared() -> Path:
    """The Python of the peers' own environment, made from pip's configured index if it is not there yet."""
    python = PLACE / "venv" / "bin" / "python"
    wanted = (HERE / "requirements.txt").read_text()
    made_for = PLACE / "requirements.txt"
    if not python.exists() or not made_for.exists() or made_for.read_text() != wanted:
        print(f"Installing {', '.join(wanted.split())} into {PLACE} …", flush=True)
        venv.create(PLACE / "venv", with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
        made_for.write_text(wanted)
    return python


def inspect(python: Path, url: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        command = [python, HERE / "inspect_run.py", url, str(SAMPLES), str(WIDTH), folder, QUESTION]
        done = subprocess.run(command, capture_output=True, text=True, env={"PATH": os.defpath}, check=False)
    if done.returncode:
        raise RuntimeError(f"Inspect failed: {done.stderr}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    if (found["status"], found["scored"]) != ("success", SAMPLES):
        raise RuntimeError(f"Inspect did not finish: {found}")
    return found


def main() -> None:
    python = prepared()
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    ours, theirs, busiest = [], [], {"ours": 0, "Inspect": 0}
    with running_server("--latency-ms", str(LATENCY_MS)) as server, tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            place = Path(folder) / f"{number}.edgewise"
            begin(place, server.url, SAMPLES)
            server.forget()
            ours.append(worked(place, "openai"))
            check(place, SAMPLES)
            busiest["ours"] = max(busiest["ours"], server.log()["most_in_flight"])
            server.forget()
            theirs.append(inspect(python, server.url))
            busiest["Inspect"] = max(busiest["Inspect"], server.log()["most_in_flight"])
    cost = {}
    for name, found in (("ours", ours), ("Inspect", theirs)):
        taken = [each["cpu_s"] * 1000 / SAMPLES for each in found]
        cost[name] = statistics.median(taken)
        wall = statistics.median(each["wall_s"] for each in found)
        print(
            f"{name:10} {cost[name]:6.2f} CPU s per 1,000 ({min(taken):.2f}-{max(taken):.2f})   wall {wall:5.1f} s   "
            f"peak {max(each['peak_mb'] for each in found):4.0f} MB   most in flight {busiest[name]} of {WIDTH}"
        )
    ratio = cost["Inspect"] / cost["ours"]
    print(f"Inspect takes {ratio:.1f} times as much; goal at least {GOAL:g}; load {os.getloadavg()[0]:.1f}")
    if ratio < GOAL:
        sys.exit(1)


if __name__ == "__main__":
    main()
