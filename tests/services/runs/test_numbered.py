"""A run whose samples are numbered, as people see it: planned, stopped and gone on with, listed, taken away."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput, Refused
from core.people import Viewer
from core.runs.filters import FailureFilters, OutcomeFilter
from core.runs.states import ItemStatus, RunState
from protocols import PROTOCOLS
from runs.numbered import windows
from services.failures import failures
from services.runs import acts, planning, reading
from services.runs import samples as drawing
from services.runs.benchmarks import LOADED, BenchmarkServices, Source, SourceRead
from services.runs.exports import files
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.runs.steps import lists as steps
from services.study import Study
from tests.runs.toy_numbered import DIFFERENCES, SOURCE, sides
from tests.services.run_parts import act, set_up, start, work_here

ROWS, COLUMNS = 4, 4
PAIRS = ROWS * COLUMNS


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch, server: RunningServer) -> None:
    """Windows of 20 items, written when 8 are left."""
    source = Source(
        words="sides", read=lambda r, wanted, trial: SourceRead(tuple(sides(ROWS, COLUMNS)), {"sides": "0" * 64})
    )
    monkeypatch.setitem(PROTOCOLS, DIFFERENCES.name, DIFFERENCES)
    monkeypatch.setitem(LOADED, DIFFERENCES.name, BenchmarkServices(sources={SOURCE: source}))
    monkeypatch.setattr("core.runs.windows.WINDOW", 20)
    monkeypatch.setattr(windows, "FEW", 8)
    server.forget()


def config(**given: Any) -> RunConfig:
    asked = {"title": "Signs", "tasks": ("differ",), "variants": ("plain", "terse"), "models": ("cyclic",), **given}
    return RunConfig(protocol=DIFFERENCES.name, source=SampleSource(), **asked)


def seen(viewer: Viewer, run_id: str) -> dict[str, Any]:
    return {"seen": reading.progress(viewer, run_id).version, **act()}


def cards(people: SimpleNamespace, server: RunningServer) -> Viewer:
    set_up(people.owner, server, ["cyclic"], price_input=1.0, price_output=1.0)
    server.play({"rules": [{"model": "cyclic", "sign": "+"}]})
    viewer: Viewer = people.researcher
    return viewer


@pytest.mark.both(usually=False)
def test_it_is_told_whole_from_the_start_and_gone_on_with_to_its_end(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    v = cards(people, server)
    wanted = config(baselines=("always-plus",), repeats=2, budget=BudgetSettings(requests=20))
    plan = planning.plan(v, wanted)
    assert plan.faults == ()
    assert [(each.variant, each.samples) for each in plan.tasks] == [("plain", PAIRS), ("terse", PAIRS)]
    assert (plan.samples, plan.items, plan.requests, plan.cached) == (2 * PAIRS, 6 * PAIRS, 4 * PAIRS, 0)

    run_id = start(v, wanted)
    for _ in range(2):  # also once some of them are written
        now, (line,) = reading.progress(v, run_id), reading.runs(v)
        assert now.total == line.total == 6 * PAIRS
        (choice,) = reading.choices(v)
        assert (choice.samples, choice.tasks) == (line.samples, line.tasks) == (2 * PAIRS, ("differ",))
        (step,) = steps.steps(v, run_id)
        assert sum(step.items.values()) == 6 * PAIRS
        by_model = {each.name: sum(each.by_status.values()) for each in reading.card(v, run_id).models}
        assert by_model == {"cyclic": 4 * PAIRS, "always-plus": 2 * PAIRS}
        work_here(study)
    assert now.state is RunState.STOPPED
    assert now.by_status[ItemStatus.PENDING] > 2 * PAIRS
    assert now.would_stop == "Budget of 20 requests reached."
    listed = failures.failures(v, FailureFilters(runs=(run_id,), only=OutcomeFilter.RIGHT))
    assert 0 < listed.total < 2 * PAIRS, "of what is written"
    written = failures.failures(v, FailureFilters())
    assert written.unwritten == 6 * PAIRS - written.total > 0
    of_one = failures.failures(v, FailureFilters(runs=(run_id,), models=("always-plus",)))
    assert of_one.unwritten == 2 * PAIRS - of_one.total

    acts.set_budget(v, run_id, BudgetSettings(), **seen(v, run_id))
    acts.resume(v, run_id, **seen(v, run_id))
    work_here(study)
    now = reading.progress(v, run_id)
    assert (now.state, now.by_status[ItemStatus.ANSWERED], now.total) == (RunState.DONE, 6 * PAIRS, 6 * PAIRS)
    assert server.log()["requests"] == 4 * PAIRS
    assert failures.failures(v).unwritten == 0
    assert planning.plan(v, wanted).cached == 4 * PAIRS
    acts.rescore(v, run_id, **seen(v, run_id))
    assert reading.card(v, run_id).acts[-1][1] == f"Re-scored: 0 of {6 * PAIRS} items changed"


def test_an_item_and_an_export_hold_the_messages_that_were_sent(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    v = cards(people, server)
    run_id = start(v, config(variants=("plain",)))
    work_here(sqlite_study)
    (line,) = failures.failures(v, FailureFilters(runs=(run_id,), search="1-2")).lines
    sheet = failures.item(v, line.item_id)
    assert [text for _role, text in sheet.messages][1] == "What is the sign of 1 minus 2?"

    packed, again = io.BytesIO(), io.BytesIO()
    files.export_run(v, run_id, packed)
    files.export_run(v, run_id, again)
    assert packed.getvalue() == again.getvalue()
    with zipfile.ZipFile(packed) as archive:
        samples = [json.loads(each) for each in archive.read("samples.jsonl").splitlines()]
        texts = {said["hash"]: said["text"] for said in map(json.loads, archive.read("texts.jsonl").splitlines())}
    assert [sample["place"] for sample in samples] == list(range(PAIRS))
    assert samples[6]["slots"] == {"one": "1", "other": "2"}
    assert all(sha256(text.encode()).hexdigest() == key for key, text in texts.items())
    assert texts[samples[6]["messages"][1][1]] == "What is the sign of 1 minus 2?"
    assert len(texts) == PAIRS + 1, "each once"

    monkeypatch.setattr("tests.runs.toy_numbered.WORDS", {"plain": "Say it in other words."})
    told = [text for _role, text in failures.item(v, line.item_id).messages]
    assert told[0].startswith("(This text was made for one request and was not stored.")
    assert told[1] == "What is the sign of 1 minus 2?"


def test_a_large_space_is_planned_from_some_of_its_numbers(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    v = cards(people, server)
    exact = planning.plan(v, config(variants=("plain",)))
    monkeypatch.setattr(drawing, "PROBED", 20)
    monkeypatch.setattr(drawing, "spread", lambda total, most: [(0, 5), (total - 5, 5)])
    some = planning.plan(v, config(variants=("plain",)))
    assert (some.samples, some.items, some.requests) == (exact.samples, exact.items, exact.requests) == (PAIRS,) * 3
    assert some.tokens_in == pytest.approx(exact.tokens_in, rel=0.05)
    assert some.cost_most == pytest.approx(exact.cost_most, rel=0.05)
    assert exact.notices == ()
    assert some.notices[0].startswith("Counted from 10 of 16 samples, evenly spread.")


def test_a_baseline_that_looks_at_all_samples_is_refused(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    wanted = config(models=(), baselines=("most-said",))
    (fault,) = planning.plan(people.researcher, wanted).faults
    assert fault.startswith("The baseline most-said needs all samples")
    with pytest.raises(BadInput, match="most-said"):
        start(people.researcher, wanted)
    assert reading.runs(people.researcher) == ()


def test_a_run_that_is_paused_or_cancelled_is_not_written_on(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    v = cards(people, server)
    run_id = start(v, config())
    acts.pause(v, run_id, **seen(v, run_id))
    work_here(sqlite_study)
    assert reading.progress(v, run_id).by_status[ItemStatus.PENDING] == 2 * PAIRS
    acts.resume(v, run_id, **seen(v, run_id))  # nothing is pending yet, and there is something to go on with
    acts.cancel(v, run_id, **seen(v, run_id))
    work_here(sqlite_study)
    assert failures.failures(v, FailureFilters(runs=(run_id,))).total == 0
    assert reading.progress(v, run_id).by_status[ItemStatus.PENDING] == 2 * PAIRS
    with pytest.raises(Refused, match="is cancelled"):
        acts.resume(v, run_id, **seen(v, run_id))
    assert server.log()["requests"] == 0
