"""Kills the workers of a run again and again and looks at what is left.

    python tests/soak/worker_kills.py FOLDER KILLS ITEMS SEED [--store URL] [--workers N] [--numbered] [--silent]

Workers are forked from this process while no store is open, work on one run over a loopback model server, and are all
killed with SIGKILL once a drawn number of further requests has been kept. Before anybody else comes, the ledger is
read past all of our code: what stands there as sent is what was on its way. The last worker is let finish. The last
line printed is a JSON object of counts; `faults` lists everything that should not be. `--numbered`: of a run whose
samples are told by their number, and written in windows of 20 when 10 are left. `--silent`: nobody waits until a
server's killed workers have been silent for long enough; they are said to have been.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
import traceback
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import core.runs.windows
import runs.endpoint.client
import runs.numbered.windows
import runs.queue_postgres  # loaded once, here, for all children
from benchmarks.running_server import RunningServer, running_server
from core.messages import text_hash
from core.runs.states import RunState
from runs.process import main as work
from runs.scripted.script import SIGNS
from store.engine import Store
from store.migrate import migrate
from store.runs import replies
from tests.runs import toy_numbered
from tests.runs.begun import begin, fall_silent, model, rows, state

IN_FLIGHT = 8
LATENCY_MS = 20
PATIENCE_S = 60
LOST_AFTER_S = 4.0


@dataclass
class Counts:
    kills: int = 0
    items: int = 0
    answered_once: int = 0
    replies_lost: int = 0
    requests: int = 0
    on_their_way: list[int] = field(default_factory=list)
    client_gone: int = 0
    sent_again: int = 0
    listed: int = 0
    uncertain: int = 0
    integrity: str = ""
    faults: list[str] = field(default_factory=list)


def fork_worker(place: str, log: Path) -> int:
    """A worker in a child of this process; its own words go to the log."""
    pid = os.fork()
    if pid:
        return pid
    status = 70
    try:
        with log.open("ab") as file:
            os.dup2(file.fileno(), 2)
        pace = ["--first-wait", "0.01", "--sign-of-life", "0.4", "--lost-after", str(LOST_AFTER_S)]
        status = work(["--store", place, "--once", *pace])
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def kept(place: str, query: str, **values: Any) -> list[Any]:
    store = Store(place)
    try:
        return rows(store, query, **values)
    finally:
        store.close()


def silence(place: str) -> None:
    store = Store(place)
    fall_silent(store)
    store.close()


def attempts(store: Store) -> int:
    return int(rows(store, "SELECT count(*) FROM attempt")[0][0])


def work_until(place: str, workers: int, target: int, pause_s: float, log: Path) -> bool:
    """Let workers run until so many attempts are kept and a moment more, then kill them; False if they ended first."""
    pids = [fork_worker(place, log) for _ in range(workers)]
    store = Store(place)
    deadline, ended = time.monotonic() + PATIENCE_S, 0
    while attempts(store) < target and not ended:
        ended = sum(os.waitpid(pid, os.WNOHANG)[0] != 0 for pid in pids)
        if time.monotonic() > deadline:
            break
        time.sleep(0.01)
    store.close()
    if not ended:
        time.sleep(pause_s)
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            ended += 1
    return not ended


def finish(place: str, log: Path) -> int:
    """The last worker's exit status."""
    pid = fork_worker(place, log)
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -1


def look(counts: Counts, place: str, run_id: str, server: RunningServer, stored: dict[str, str]) -> None:
    """Hold the store, its ledger and the server's log against each other."""
    entries = server.log()["entries"]
    store = Store(place)
    items = rows(
        store,
        "SELECT i.id, i.status, i.predicted, i.request_hash, s.messages, s.slots FROM run_item i"
        " JOIN run_sample s ON s.id = i.sample_id WHERE i.run_id = :run",
        run=run_id,
    )
    ledger = {row[0]: row for row in rows(store, "SELECT id, state, item_id, request_hash FROM attempt")}
    answers = dict(rows(store, "SELECT request_hash, raw FROM reply"))
    with store.reading() as session:
        resends = replies.resends(session, run_id)
    counts.items, counts.requests = len(items), len(entries)
    counts.answered_once = sum(
        status == "answered" and predicted == label_of(messages, slots) and request_hash in answers
        for _, status, predicted, request_hash, messages, slots in items
    )
    counts.replies_lost = sum(answers.get(request_hash) != raw for request_hash, raw in stored.items())
    counts.uncertain = sum(row[1] == "uncertain" for row in ledger.values())
    counts.client_gone = sum(entry["ended"] != "sent" for entry in entries)
    counts.listed = len(resends)
    counts.integrity = "; ".join(store.check()) or "ok"
    _hold_against(counts, entries, ledger, resends, state(store, run_id))
    store.close()


def _hold_against(counts: Counts, entries: list[Any], ledger: dict[str, Any], resends: Any, end: Any) -> None:
    received = Counter(entry["client_request_id"] for entry in entries)
    bodies = Counter(entry["body_sha256"] for entry in entries)
    counts.sent_again = sum(bodies.values()) - len(bodies)
    uncertain = {attempt_id for attempt_id, row in ledger.items() if row[1] == "uncertain"}
    listed = Counter(resend.request_hash for resend in resends)
    again = Counter(ledger[one][3] for one in received if one in ledger)
    for is_so, what in (
        (end == (RunState.DONE, ""), f"the run ended as {end}"),
        (set(received) <= set(ledger), "the server received a request that the ledger does not know"),
        (set(ledger) - set(received) <= uncertain, "an attempt that never arrived is not uncertain"),
        (all(count == 1 for count in received.values()), "one attempt arrived twice"),
        (all(row[1] in ("answered", "uncertain") for row in ledger.values()), "an attempt is still open, or failed"),
        (all(count - 1 <= listed[each] for each, count in again.items()), "a request was sent again and is not listed"),
        (len(resends) <= len(uncertain), "more was sent again than is uncertain"),
    ):
        if not is_so:
            counts.faults.append(what)


def label_of(messages: Any, slots: Any) -> str:
    """The label that the server's `scripted:cycle` gives to a sample's question."""
    said, filled = (json.loads(each) if isinstance(each, str) else each for each in (messages, slots))
    key = said[-1][1] if said else text_hash(f"What is the sign of {filled['one']} minus {filled['other']}?")
    return SIGNS[int(key[:8], 16) % len(SIGNS)]


def begun(store: Store, url: str, items: int, is_numbered: bool) -> str:
    """A queued run; its id."""
    asked = {"m": model(url, concurrency=IN_FLIGHT)}
    if not is_numbered:
        return begin(store, asked, items).run_id
    toy_numbered.register()
    core.runs.windows.WINDOW, runs.numbered.windows.FEW = 20, 10
    return toy_numbered.begin(store, asked, items // 10, 10)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("kills", type=int)
    parser.add_argument("items", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--store")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--numbered", action="store_true")
    parser.add_argument("--silent", action="store_true")
    said = parser.parse_args()
    place, log, rng = said.store or str(said.folder / "killed.edgewise"), said.folder / "workers.log", Random(said.seed)
    store = Store(place)
    migrate(store)
    counts, stored = Counts(), dict[str, str]()
    with running_server("--latency-ms", str(LATENCY_MS)) as server:
        run_id = begun(store, server.url, said.items, said.numbered)
        store.close()
        step = said.items / (said.kills + 1)
        for kill in range(said.kills):
            target = int(step * kill + rng.uniform(0.2, 1.0) * step) + 1
            if not work_until(place, said.workers, target, rng.uniform(0, 0.06), log):
                counts.faults.append(f"the workers ended before kill {kill + 1}")
                break
            counts.kills += 1
            counts.on_their_way.append(int(kept(place, "SELECT count(*) FROM attempt WHERE state = 'sent'")[0][0]))
            stored |= dict(kept(place, "SELECT request_hash, raw FROM reply"))
            if said.silent:
                silence(place)
        status = finish(place, log)
        if status:
            counts.faults.append(f"the last worker ended with {status}")
        look(counts, place, run_id, server, stored)
    most = IN_FLIGHT * said.workers
    if any(count > most for count in counts.on_their_way):
        counts.faults.append(f"more than {most} requests were on their way at a kill: {counts.on_their_way}")
    print(json.dumps(asdict(counts)))


if __name__ == "__main__":
    main()
