"""Kills the worker of a run of several steps again and again and holds what came of it against an undisturbed run.

    python tests/soak/step_kills.py FOLDER KILLS TEXTS SEED [URL …] [--silent] [--servers]

The protocol is that of `tests/runs/toy_protocol.py`: asked, made, made over all, asked again, decided. Killed are the
workers of a study in a file, then of the one at each URL; a twin of the same texts, in a file, is disturbed by nobody.
Once a run, the kill is aimed at the child that works out a step over the whole run. The last line printed is a JSON
list of counts, one a study. `--silent` is that of `worker_kills.py`; with `--servers`
the workers of the study in a file are left alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.running_server import running_server
from core.runs.states import RunState
from runs.steps import making_child
from runs.steps.stepped_run import stepped_run
from store.engine import Store
from store.migrate import migrate
from store.runs import groups, replies
from tests.in_process_steps import IN_A_CHILD
from tests.runs import toy_protocol
from tests.runs.begun import model, rows, state
from tests.runs.toy_protocol import REPEATS, told
from tests.soak.worker_kills import IN_FLIGHT, LATENCY_MS, finish, kept, silence, work_until

CHILD_S = 1.5
"""About as long as the child takes."""


@dataclass
class Counts:
    kills: int = 0
    groups: int = 0
    made_twice: int = 0
    lost: int = 0
    is_equal: bool = False
    requests: int = 0
    on_their_way: list[int] = field(default_factory=list)
    sent_again: int = 0
    listed: int = 0
    integrity: str = ""
    faults: list[str] = field(default_factory=list)


def begun(place: str, url: str, texts: int) -> str:
    store = Store(place)
    migrate(store)
    run_id = toy_protocol.begin(store, model(url, concurrency=IN_FLIGHT), toy_protocol.texts(texts))
    store.close()
    return run_id


def look(counts: Counts, place: str, run_id: str, twin: tuple[str, str]) -> None:
    store, other = Store(place), Store(twin[0])
    with store.reading() as session:
        counts.listed = len(replies.resends(session, run_id))
        there = groups.of_run(session, run_id)
        run = stepped_run(session, run_id)
        assert run is not None
        counts.lost = len(run.flow(session).new_groups())
    known = [tuple(row) for row in rows(other, "SELECT step, key FROM run_group")]
    counts.groups = len(there)
    counts.made_twice = len(there) - len({(each.step, each.key) for each in there})
    counts.made_twice += sum(
        many > 1 for (many,) in rows(store, "SELECT count(*) FROM run_made GROUP BY group_id, place")
    )
    counts.lost += len(set(known) - {(each.step, each.key) for each in there})
    counts.is_equal = told(store, run_id) == told(other, twin[1])
    counts.integrity = "; ".join(store.check()) or "ok"
    ended = state(store, run_id)
    if ended[0] is not RunState.WAITING or not ended[1].startswith("for people"):
        counts.faults.append(f"the run ended as {ended}")
    store.close()
    other.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("kills", type=int)
    parser.add_argument("texts", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--servers", action="store_true")
    parser.add_argument("urls", nargs="*")
    said = parser.parse_args()
    toy_protocol.register()
    log, rng, found = said.folder / "workers.log", Random(said.seed), []
    with running_server("--latency-ms", str(LATENCY_MS)) as server:
        twin = str(said.folder / "twin.edgewise")
        twin_id = begun(twin, server.url, said.texts)
        status = finish(twin, log)
        making_child.begin = IN_A_CHILD  # to be killed, also in a fork of the tests
        files = [] if said.servers else [str(said.folder / "killed.edgewise")]
        for place in (*files, *said.urls):
            server.forget()
            counts = Counts(faults=[f"the twin's worker ended with {status}"] if status else [])
            run_id = begun(place, server.url, said.texts)
            kill(counts, place, said.kills, said.texts * REPEATS, rng, log, said.silent)
            counts.requests = len(server.log()["entries"])
            counts.sent_again = counts.requests - 2 * said.texts * REPEATS
            look(counts, place, run_id, (twin, twin_id))
            found.append(asdict(counts))
    print(json.dumps(found))


def kill(counts: Counts, place: str, kills: int, asked: int, rng: Random, log: Path, is_silent: bool) -> None:
    """`asked`: items of each of the two steps that ask."""
    step = 2 * asked / (kills + 1)
    for number in range(kills):
        target, pause_s = int(step * number + rng.uniform(0.2, 1.0) * step) + 1, rng.uniform(0, 0.06)
        if number == kills // 2:
            target, pause_s = max(asked, int(step * number)), rng.uniform(0.2, CHILD_S)
        if not work_until(place, 1, target, pause_s, log):
            counts.faults.append(f"the worker ended before kill {number + 1}")
            break
        counts.kills += 1
        counts.on_their_way.append(int(kept(place, "SELECT count(*) FROM attempt WHERE state = 'sent'")[0][0]))
        if is_silent:
            silence(place)
    if status := finish(place, log):
        counts.faults.append(f"the last worker ended with {status}")


if __name__ == "__main__":
    main()
