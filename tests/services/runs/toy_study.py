"""A study that knows the toy of several steps, for tests of what people do with such a run."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.people import Viewer
from protocols import PROTOCOLS
from runs.steps import group_progress, making_child
from runs.steps.stepped_run import stepped_run
from services.runs import reading
from services.runs.benchmarks import LOADED, BenchmarkServices, Source, SourceRead
from services.runs.steps import lists as steps
from services.runs.steps import ruling
from services.runs.steps.lists import GroupValue
from services.study import current_study
from tests.runs.begun import now
from tests.runs.toy_protocol import TOY
from tests.services.run_parts import act


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def _toy(people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The study knows the toy; its steps over the whole run are worked out here, since a child takes a second."""

    async def begin_here(place: str, run_id: str, group_id: str) -> None:
        with current_study().store.reading() as session:
            run = stepped_run(session, run_id)
        assert run is not None
        group_progress.begin(current_study().store, run, group_id, now())

    monkeypatch.setitem(PROTOCOLS, TOY.name, TOY)
    source = Source(words="texts", read=lambda *_: SourceRead(()))
    monkeypatch.setitem(LOADED, TOY.name, BenchmarkServices(sources={"texts": source}))
    monkeypatch.setattr(making_child, "begin", begin_here)


def seen(viewer: Viewer, run_id: str) -> dict[str, Any]:
    return {"seen": reading.progress(viewer, run_id).version, **act()}


def laid(viewer: Viewer, run_id: str, step: str = "rule", key: str = "") -> tuple[GroupValue, ...]:
    """What a step has laid before people."""
    return steps.group(viewer, run_id, step, key).made


def rule_on(viewer: Viewer, made: GroupValue, value: Any, why: str = "as printed") -> None:
    ruling.rule(viewer, made.id, value, why, seen=made.version, **act())
