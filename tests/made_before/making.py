"""Makes a study with model runs by the code it lies beside, and writes down all that this code tells of them.

    python -m tests.made_before.making tests/made_before                    the forty invented triplets
    python -m tests.made_before.making FOLDER --rows ../shared/data/econcausal    the published rows, where they are

writes into the folder `NAME.zip`, the study's backup, and `NAME-told.json.xz`: what was told, with every run's export.
`checking` holds both beside a later version. Requests are answered by the scripted models of a loopback server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import lzma
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text

from benchmarks.running_server import RunningServer, running_server
from core.runs.states import ModelKind, RunState
from runs.endpoint.retrying import Policy
from runs.worker import Pace, Worker
from services.acting import terminal_viewer
from services.backups import backup
from services.runs import acts, endpoints, model_cards, planning, reading
from services.runs.endpoints import EndpointDraft
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.study import Study, open_study, use_study
from services.triplets import importing
from store.tables import new_id
from tests.made_before import triplets
from tests.made_before.told import PARTS, Told

PORT = 8917
"""Part of the address, which every request's hash covers; so it is always the same."""
NAME, PUBLISHED = "econcausal", "econcausal-published"
ROWS = ("task1_econ", "task1_finance", "task2", "task3")
ME = terminal_viewer()
Script = Mapping[str, Any]
THREE = ("copier", "reader", "talker")
FOUR = ("always-plus", "majority", "copy-examples", "first-not-shown")
CARDS = (
    ModelCardDraft(
        name="copier", endpoint="lab", model="demo:copier", is_open_weight=True, price_input=0.2, price_output=0.8
    ),
    ModelCardDraft(
        name="reader",
        endpoint="lab",
        model="demo:reader",
        is_open_weight=False,
        context_length=8_192,
        price_input=0.5,
        price_cached=0.25,
        price_output=1.5,
    ),
    ModelCardDraft(name="talker", endpoint="lab", model="demo:chatty", provider="Nobody"),
    ModelCardDraft(
        name="waverer",
        endpoint="lab",
        model="planted:waverer",
        kind=ModelKind.REASONING,
        is_open_weight=True,
        price_input=1.0,
        price_output=4.0,
        parameters={"max_completion_tokens": 3_000, "reasoning_effort": "low"},
    ),
    ModelCardDraft(name="failing", endpoint="lab", model="planted:failing", price_input=1.0, price_output=2.0),
)
WAVERS: Script = {
    "rules": [
        {"share": 0.5, "seed": 1, "times": 1, "sign": "+", "usage": {"reasoning": 40, "cached": 8}},
        {"share": 0.6, "seed": 2, "times": 1, "sign": "-", "reasoning": "It fell, I think."},
        {"sign": "mixed"},
    ]
}
FAILS: Script = {
    "rules": [
        {"share": 0.09, "seed": 1, "fault": "wrong_schema"},
        {"share": 0.09, "seed": 2, "fault": "length"},
        {"share": 0.09, "seed": 3, "fault": "refusal"},
        {"share": 0.09, "seed": 4, "fault": "filtered"},
        {"share": 0.09, "seed": 5, "fault": "bad_request"},
        {"share": 0.09, "seed": 6, "fault": "too_long_context"},
        {"share": 0.09, "seed": 7, "fault": "server_error", "times": 1},
        {"share": 0.09, "seed": 8, "fault": "null_content"},
        {"share": 0.09, "seed": 9, "fault": "prose"},
        {"share": 0.09, "seed": 10, "answer": "Economists disagree about this."},
        {"share": 0.09, "seed": 11, "answer": '{"predicted_sign": "rather up", "reasoning": "It rises."}'},
        {"share": 0.09, "seed": 12, "answer": "{'predicted_sign': 'positive', 'reasoning': 'So.',}"},
        {"share": 0.09, "seed": 13, "fault": "no_usage"},
        {"sign": "-"},
    ]
}
"""Of what is left, one in eleven each: no label, cut off, declined twice, failed twice, sent again, and so on."""


@dataclass(frozen=True, kw_only=True)
class PlannedRun:
    """`files`: of the collections by name, before their ids are known. `end`: what is done to the run."""

    wanted: RunConfig
    files: tuple[str, ...]
    script: Script = field(default_factory=dict)
    end: str = ""


def run(title: str, files: Sequence[str], tasks: str, variants: str, **wanted: Any) -> PlannedRun:
    others = {name: wanted.pop(name) for name in ("script", "end") if name in wanted}
    source = SampleSource(is_built=wanted.pop("is_built", False))
    asked = {"tasks": tuple(tasks.split()), "variants": tuple(variants.split())}
    return PlannedRun(wanted=RunConfig(title=title, source=source, **asked, **wanted), files=tuple(files), **others)


def planned_runs(task1: Sequence[str], task2: str, task3: str, most: int, near: float) -> list[PlannedRun]:
    """`task1` and so on: names of files. `most`: samples of smaller runs; `near`: similarity of comparable pairs."""
    rows = (*task1, task2, task3)
    few = {"most_samples": most, "seed": 3}
    logprobs = {"logprobs": True, "top_logprobs": 5}
    return [
        run("All tasks", rows, "task1 task2 task3", "context", models=THREE, baselines=FOUR),
        run("As released", rows, "task1 task2 task3", "as-released", models=("reader",), baselines=FOUR[:2], **few),
        run(
            "Variants",
            task1,
            "task1",
            "context unknown no-context unknown-no-context",
            models=("reader", "talker"),
            baselines=("majority",),
            **few,
        ),
        run(
            "Probabilities", task1, "task1", "context unknown", models=("copier", "reader"), parameters=logprobs, **few
        ),
        run(
            "Repeats",
            task1,
            "task1",
            "context",
            models=("waverer",),
            repeats=3,
            script=WAVERS,
            most_samples=most // 2,
            parameters={"temperature": 0.7, "seed": 11},
        ),
        run("Failures", rows, "task1 task2", "context", models=("failing",), baselines=FOUR[2:], script=FAILS),
        run(
            "Built, false signs of the target",
            task1,
            "task1 task2 task3",
            "context",
            is_built=True,
            models=("copier",),
            baselines=FOUR,
            options={"per_stratum": 2, "threshold": near, "most_examples": 3, "flip_rule": "target-sign"},
            seed=5,
            most_samples=most,
        ),
        run(
            "Built, vectors of a model",
            task1,
            "task2 task3",
            "context",
            is_built=True,
            models=("copier",),
            options={"threshold": near, "embedder": "lab/words:64"},
            **few,
        ),
        run(
            "Stopped",
            task1,
            "task1",
            "context",
            models=("waverer",),
            script=WAVERS,
            budget=BudgetSettings(requests=7),
            parameters={"max_completion_tokens": 900, "stop": ["END"]},
            **few,
        ),
        run("Cancelled", [task2], "task2", "context", models=("talker",), repeats=2, end="cancel", **few),
        run("Archived, from the cache", [task2], "task2", "context", models=("copier",), end="archive", **few),
    ]


def synthetic() -> tuple[dict[str, bytes], list[PlannedRun]]:
    """The forty triplets' files and their runs."""
    return {name: triplets.file_of(name) for name in triplets.FILES}, planned_runs(["task1"], "task2", "task3", 16, 0.5)


def published(folder: Path) -> tuple[dict[str, bytes], list[PlannedRun]]:
    """The published files and the same runs over all their rows."""
    contents = {name: (folder / f"{name}.jsonl").read_bytes() for name in ROWS}
    return contents, planned_runs(ROWS[:2], ROWS[2], ROWS[3], 240, 0.8)


# --- making ------------------------------------------------------------------------------------------------------


def make(folder: Path, name: str, contents: Mapping[str, bytes], runs: Sequence[PlannedRun]) -> None:
    """Write `name`.zip and `name`-told.zip into the folder, in the place of those that are there."""
    with tempfile.TemporaryDirectory() as place, running_server(port=PORT) as server:
        study = open_study(str(Path(place, f"{name}.edgewise")), Path(place, "home"))
        use_study(study)
        try:
            _fill(study, server, contents, runs)
            said = Told(ME)
            told = {"parts": {part: said.tell(part) for part in PARTS}, "exports": said.exports}
            target = folder / f"{name}.zip"
            target.unlink(missing_ok=True)
            backup.backup(ME, target)
        finally:
            use_study(None)
            study.close()
    written = json.dumps(told, ensure_ascii=False, sort_keys=True).encode()
    (folder / f"{name}-told.json.xz").write_bytes(lzma.compress(written, preset=9))


def _fill(study: Study, server: RunningServer, contents: Mapping[str, bytes], runs: Sequence[PlannedRun]) -> None:
    ids = {
        name: importing.import_triplets(ME, f"{name}.jsonl", content, with_faulty=False, act_id=new_id()).subject_id
        for name, content in contents.items()
    }
    wanted = EndpointDraft(name="lab", base_url=server.url, concurrency=16, deadline_s=60)
    endpoints.save_endpoint(ME, wanted, seen=0, act_id=new_id())
    for card in CARDS:
        model_cards.save_card(ME, card, seen=0, act_id=new_id())
    for each in runs:
        collections = tuple(ids[name] for name in each.files)
        _run(study, server, each, replace(each.wanted, source=replace(each.wanted.source, collections=collections)))
    with study.store.writing() as session:  # whoever made it is nobody's business
        session.execute(text("UPDATE worker SET host = 'elsewhere', pid = 1"))


def _run(study: Study, server: RunningServer, planned: PlannedRun, wanted: RunConfig) -> None:
    server.play(planned.script)
    ask_before = getattr(planning, "fetch_vectors", None)  # until runs asked for their vectors themselves
    if ask_before is not None and "embedder" in wanted.options:
        ask_before(ME, wanted)
    run_id = planning.start(ME, wanted, act_id=new_id()).subject_id
    if planned.end == "cancel":
        acts.cancel(ME, run_id, seen=reading.progress(ME, run_id).version, act_id=new_id())
        return
    worker = Worker(study.store, clock=lambda: datetime.now(UTC), pace=Pace(retries=Policy(base_s=0.01)))
    assert asyncio.run(worker.run(is_once=True)) == 0
    now = reading.progress(ME, run_id)
    right = RunState.STOPPED if wanted.budget != BudgetSettings() else RunState.DONE
    assert now.state is right, f"{wanted.title}: {now.state} {now.reason}"
    if planned.end == "archive":
        acts.archive(ME, run_id, True, seen=now.version, act_id=new_id())
    print(f"{wanted.title}: " + ", ".join(f"{n} {status}" for status, n in now.by_status.items() if n))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the two files are written")
    parser.add_argument("--rows", type=Path, help="the folder with the published task files")
    given = parser.parse_args()
    made = published(given.rows) if given.rows else synthetic()
    make(given.folder, PUBLISHED if given.rows else NAME, *made)
