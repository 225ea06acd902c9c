"""What tests of model runs share: the published files, an endpoint at the loopback server, a worker's whole work."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import pytest

from core.people import Viewer
from runs.endpoint.retrying import Policy
from runs.worker import Pace, Worker
from services.runs import endpoints, model_cards, planning, reading
from services.runs.endpoints import EndpointDraft
from services.runs.model_cards import ModelCardDraft
from services.runs.settings import RunConfig
from services.runs.views import RunProgress
from services.study import Study
from services.triplets import importing
from store.tables import new_id
from tests.forking import WORKERS, Forked
from tests.services.acts import Act

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "econcausal"
FILES = ("task1_econ", "task1_finance", "task2", "task3")
Row = dict[str, Any]


def act() -> Act:
    return {"act_id": new_id()}


def rows_of(name: str) -> list[Row]:
    """The rows of a published file, read without the product. Skips the test where the file is not."""
    path = DATA / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def bring_files(viewer: Viewer, names: Sequence[str] = FILES) -> tuple[str, ...]:
    """Import published files; returns their collections."""
    found = []
    for name in names:
        rows_of(name)
        content = (DATA / f"{name}.jsonl").read_bytes()
        receipt = importing.import_triplets(viewer, f"{name}.jsonl", content, with_faulty=False, **act())
        found.append(receipt.subject_id)
    return tuple(found)


class Answering(Protocol):
    @property
    def url(self) -> str: ...


def set_up(owner: Viewer, server: Answering, models: Sequence[str], *, key_variable: str = "", **card: Any) -> None:
    """An endpoint called lab at the loopback server, and a card for each model."""
    wanted = EndpointDraft(name="lab", base_url=server.url, key_variable=key_variable, concurrency=32, deadline_s=30)
    endpoints.save_endpoint(owner, wanted, seen=0, **act())
    for name in models:
        model_cards.save_card(owner, ModelCardDraft(name=name, endpoint="lab", model=name, **card), seen=0, **act())


def start(viewer: Viewer, wanted: RunConfig) -> str:
    return planning.start(viewer, wanted, **act()).subject_id


def work(study: Study, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A worker in a process of its own works until no run waits; what it said is in the result."""
    process = Forked(
        WORKERS,
        [sys.executable, "-m", "runs", "--once", "--first-wait", "0.01", "--log", "info", *arguments],
        cwd=ROOT,
        env={**os.environ, "EDGEWISE_STORE": place_of(study), **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    said, complained = process.communicate(timeout=600)
    assert process.returncode == 0, complained
    return subprocess.CompletedProcess(process.args, process.returncode, said, complained)


def work_here(study: Study) -> None:
    """The same worker within this process: no second of imports. In a thread of its own, since where a browser was
    driven before, its event loop is this one's for good."""
    worker = Worker(study.store, clock=lambda: datetime.now(UTC), pace=Pace(retries=Policy(base_s=0.01)))
    with ThreadPoolExecutor(1) as one:
        assert one.submit(asyncio.run, worker.run(is_once=True)).result() == 0


def place_of(study: Study) -> str:
    return str(study.store.path) if study.store.path is not None else study.store.url


def finished(study: Study, viewer: Viewer, run_id: str) -> RunProgress:
    work_here(study)
    return reading.progress(viewer, run_id)
