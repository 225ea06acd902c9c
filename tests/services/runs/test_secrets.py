"""A canary key: an endpoint whose server repeats it in errors and in answers; it is nowhere but in the environment."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import inspect, text

from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput
from core.people import Viewer
from core.runs.filters import FailureFilters
from core.runs.states import RunState
from services import overview
from services.backups import backup
from services.files import TableForm
from services.graphs import exporting
from services.runs import cache, connection_tests, endpoints, failures, model_cards, planning, reading, results
from services.runs.exports import files, result_files
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from tests.services.run_parts import act, set_up, start, work
from tests.services.scoring_parts import bring_in, rows_of

pytestmark = pytest.mark.both

KEY = "sk-proj-Canary9Hd3Kx6Wq1Zp8Rt5Yv2Bn4"
MASKED = "sk-proj-Ca...4"
VARIABLE = "EDGEWISE_KEY_CANARY"
ECHOING = tuple(f"fault:{name}" for name in ("echoes_key", "echoes_header", "echoes_partly", "echoes_stars"))
PARTS = (KEY, KEY[8:], KEY[:14], KEY[-10:])
"""The key, and what is left of it where a half is hidden."""


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def everything_stored(study: Study, tmp_path: Path) -> Iterator[tuple[str, bytes]]:
    """Every byte of the study's files; on a server every row of every table as text."""
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file():
            yield str(path), path.read_bytes()
    if study.store.path is not None:
        return
    with study.store.reading() as session:
        for table in inspect(session.connection()).get_table_names():
            for row in session.execute(text(f'SELECT CAST(t AS TEXT) FROM "{table}" t')):
                yield table, str(row[0]).encode()


def everything_shown(viewer: Viewer, run_ids: list[str]) -> Iterator[tuple[str, str]]:
    """What screens are made of."""
    yield "runs", repr(reading.runs(viewer, with_archived=True))
    yield "options", repr(planning.options(viewer))
    yield "endpoints", repr(endpoints.list_endpoints(viewer)) + repr(model_cards.list_cards(viewer))
    yield "cache", repr(cache.stats(viewer)) + repr(cache.replies(viewer))
    yield "overview", repr(overview.overview(viewer))
    for run_id in run_ids:
        yield "progress", repr(reading.progress(viewer, run_id))
        yield "card", repr(reading.card(viewer, run_id))
        yield "results", repr(results.results(viewer, [run_id], "main"))
    for line in failures.failures(viewer, limit=500).lines:
        yield "item", repr(failures.item(viewer, line.item_id))


def everything_exported(viewer: Viewer, run_ids: list[str], target: Path) -> Iterator[tuple[str, bytes]]:
    for run_id in run_ids:
        written = io.BytesIO()
        files.export_run(viewer, run_id, written)
        with zipfile.ZipFile(written) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist())
        for form in (TableForm.CSV, TableForm.LATEX):
            yield form.value, result_files.export(viewer, [run_id], "main", form).content
    yield "study", exporting.export_study(viewer, exporting.GraphForm.CSV).content
    try:
        backup.backup(viewer, target)
    except Exception as error:  # a server's study is backed up by its own tools, and says so
        yield "backup", str(error).encode()
    else:
        with zipfile.ZipFile(target) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist())
        target.unlink()


@pytest.mark.both(usually=False)
def test_a_key_that_is_echoed_in_errors_and_answers_is_kept_nowhere(
    study: Study, people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    chatty = json.dumps({"predicted_sign": "+", "reasoning": f"I was asked with {KEY}, or {MASKED}."})
    server.play(
        {
            "rules": [
                {"model": "chatty", "answer": chatty, "reasoning": f"Bearer {KEY}"},
                {"model": "wordy", "answer": f"The key {KEY} is no sign."},
            ]
        }
    )
    models = ("chatty", "wordy", "fault:error_in_200", *ECHOING)
    set_up(people.owner, server, models, key_variable=VARIABLE)
    source = SampleSource((bring_in(people.owner, rows_of(4, context="Somewhere, at some time.")),))
    said = [repr(connection_tests.test_connection(people.researcher, "lab", model)) for model in models]
    run_ids = []
    for chosen in (("chatty", "wordy"), *((model,) for model in ECHOING)):
        wanted = RunConfig(title=f"{chosen[0]}", source=source, tasks=("task1",), variants=("context",), models=chosen)
        run_ids.append(start(people.researcher, wanted))
    said.append(work(study, "--log", "debug").stderr)
    states = [reading.progress(people.researcher, run_id) for run_id in run_ids]
    assert states[0].state is RunState.DONE and states[0].requests == 8
    assert [each.state for each in states[1:]] == [RunState.STOPPED] * 4
    assert all(each.errors[0].kind == "unauthorised" and "[key]" in each.errors[0].example for each in states[1:])
    (first,) = failures.failures(people.researcher, FailureFilters(models=("chatty",)), limit=1).lines
    assert "[key]" in failures.item(people.researcher, first.item_id).raw

    found: list[tuple[str, Any]] = [("said", each) for each in said]
    found += everything_stored(study, tmp_path)
    found += everything_shown(people.owner, run_ids)
    found += everything_exported(people.owner, run_ids, tmp_path / "taken.zip")
    looked_at = 0
    for where, content in found:
        plain = content if isinstance(content, bytes) else content.encode()
        looked_at += len(plain)
        for part in PARTS:
            assert part.encode() not in plain, where
    print(f"{len(found)} places, {looked_at:,} bytes")
    assert any(VARIABLE.encode() in (c if isinstance(c, bytes) else c.encode()) for _where, c in found)


def test_a_title_or_parameter_that_holds_a_key_is_refused(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    set_up(people.owner, server, ["scripted:plus"], key_variable=VARIABLE)
    source = SampleSource((bring_in(people.owner, rows_of(2, context="Here.")),))
    wanted = RunConfig(
        title=f"with {KEY}", source=source, tasks=("task1",), variants=("context",), models=("scripted:plus",)
    )
    with pytest.raises(BadInput) as told:
        planning.start(people.researcher, wanted, **act())
    assert KEY not in str(told.value)
    slipped = RunConfig(
        title="A run",
        source=source,
        tasks=("task1",),
        variants=("context",),
        models=("scripted:plus",),
        parameters={"extra": {"user": KEY}},
    )
    with pytest.raises(BadInput, match="contains the value of a key") as told:
        planning.plan(people.researcher, slipped)
    assert KEY not in str(told.value)
