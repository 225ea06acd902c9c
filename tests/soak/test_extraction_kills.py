"""kill -9 of the worker of a run that extracts triplets, in every step: the collection is that of a run that nobody
disturbs, byte for byte."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.people import Viewer
from exchange.triplet_rows import TripletForm
from services.extraction import collecting, decisions
from services.extraction.candidates import CandidateState
from services.runs import reading
from services.runs.steps import lists as steps
from services.study import Study
from services.triplets.exporting import export_triplets
from tests.runs.begun import fall_silent
from tests.services.extraction.laid_papers import lay_papers
from tests.services.extraction.planted_papers import CRITICS, EXTRACT, PAPERS, READ, answer_of, rules_of
from tests.services.extraction.test_planted import config
from tests.services.run_parts import act, finished, place_of, set_up, start
from tests.soak.table import scaled

ROOT = Path(__file__).resolve().parents[2]
KILLS = scaled(20, least=9)
STEPS = ("extract", "phrases", "consensus", "evidence", "decide", "metadata", "local", "critics", "filter")
LATENCY_MS = 250


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.mark.both
@pytest.mark.proof(
    "T3",
    "worker of a run that extracts triplets killed in every step",
    gate="the collection is that of an undisturbed run, byte for byte; 0 requests answered twice",
)
def test_kills_in_every_step_change_nothing_of_what_is_collected(
    study: Study,
    people: SimpleNamespace,
    server: RunningServer,
    record_property: Callable[[str, object], None],
) -> None:
    owner: Viewer = people.owner
    server.play({"latency_ms": LATENCY_MS, "rules": _rules()})
    server.forget()
    set_up(owner, server, [EXTRACT, READ, *CRITICS])
    lay_papers(study, owner.person_id, {each.key: each.texts for each in PAPERS})
    run_id = start(owner, config())
    random, kills = Random(28), 0
    while kills < KILLS:
        _killed_in(study, owner, run_id, STEPS[kills % len(STEPS)], random)
        kills += 1
    finished(study, owner, run_id)
    _decide_all(study, owner, run_id)
    receipt, _ = collecting.collect(owner, run_id, "Killed", "", **act())
    asked = server.log()["requests"]
    twin = start(owner, config())
    finished(study, owner, twin)
    _decide_all(study, owner, twin)
    assert server.log()["requests"] == asked
    plan = collecting.plan(owner, twin)
    assert plan.collection == receipt.subject_id
    content = export_triplets(owner, receipt.subject_id, TripletForm.JSONL).content
    assert len(content.splitlines()) == plan.accepted
    record_property("repetitions", kills)
    record_property("figure", f"{kills} kills, {plan.accepted} triplets, the same bytes as the twin")


def _rules() -> list[dict[str, Any]]:
    """As planted; a request whose reply was lost at a kill is sent again, and gets the paper's last extraction."""
    found = [rule for paper in PAPERS for rule in rules_of(paper)]
    found += [
        {"model": EXTRACT, "matches": paper.mark, "answer": answer_of(paper.runs[-1], paper.evidence)}
        for paper in PAPERS
    ]
    return found


def _decide_all(study: Study, owner: Viewer, run_id: str) -> None:
    for each in decisions.decisions(owner, run_id):
        if each.state is CandidateState.DECIDING:
            decisions.decide(owner, each, "+", "as in every run here", **act())
    finished(study, owner, run_id)


def _killed_in(study: Study, owner: Viewer, run_id: str, step: str, random: Random) -> None:
    """A worker works until the step has a group, and a little longer; then it is killed. On a server the next one would
    wait half a minute for a sign of it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "runs", "--once", "--first-wait", "0.01"],
        cwd=ROOT,
        env={**os.environ, "EDGEWISE_STORE": place_of(study)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    sent, until = reading.progress(owner, run_id).requests, time.monotonic() + 20
    while process.poll() is None and time.monotonic() < until:
        line = next(each for each in steps.steps(owner, run_id) if each.step == step)
        if line.groups and reading.progress(owner, run_id).requests > sent:
            break
        time.sleep(0.02)
    time.sleep(random.uniform(0, 0.2))
    process.send_signal(signal.SIGKILL)
    process.wait()
    fall_silent(study.store)
