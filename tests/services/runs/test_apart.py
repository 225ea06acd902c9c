"""A prompt file that names a placeholder apart: one long text of many requests is stored once and sent whole."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.runs.states import RunState
from services.failures import failures
from services.runs import acts, planning, reading
from services.runs.exports import files
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from tests.runs.begun import rows
from tests.services.run_parts import act, finished, set_up, start
from tests.services.scoring_parts import bring_in, rows_of

PLUS = "scripted:plus"
LONG = "Firms in a country that traded much. " * 1_000 + "All."
FILE = """\
=== apart: context ===
=== system ===
Answer as {{"predicted_sign": "+", "reasoning": "why"}}.
=== user ===
Setting: {context}

Treatment: {treatment}
Outcome: {outcome}
"""
NOTES = ("Doubled braces, {{ and }}, are sent as single ones.", "Sent as a part of its own: {context}.")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def ready(people: SimpleNamespace, server: RunningServer, study: Study) -> RunConfig:
    server.play({})
    server.forget()
    set_up(people.owner, server, [PLUS], price_input=2.0, price_output=10.0)
    folder = study.cache.parent / "prompts" / "mine"
    folder.mkdir(parents=True)
    (folder / "task1.txt").write_text(FILE, encoding="utf-8")
    collection = bring_in(people.owner, rows_of(50, context=LONG))
    return RunConfig(
        title="Fifty on one text",
        source=SampleSource((collection,)),
        tasks=("task1",),
        variants=("context",),
        models=(PLUS,),
        prompts_folder="mine",
    )


@pytest.mark.both(usually=False)
def test_a_long_text_of_fifty_requests_is_stored_once_and_sent_whole_in_each(
    study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer
) -> None:
    plan = planning.plan(people.researcher, ready)
    assert (plan.requests, plan.prompts[0].notes) == (50, NOTES)
    run_id = start(people.researcher, ready)
    sizes = [size for (size,) in rows(study.store, "SELECT length(text) FROM run_text ORDER BY 1 DESC")]
    assert sizes[0] >= len(LONG) and sum(sizes[1:]) < 10_000
    acts.pause(people.researcher, run_id, seen=reading.progress(people.researcher, run_id).version, **act())
    acts.resume(people.researcher, run_id, seen=reading.progress(people.researcher, run_id).version, **act())
    assert finished(study, people.researcher, run_id).state is RunState.DONE
    assert reading.card(people.researcher, run_id).prompts[0].notes == NOTES

    shown = set()
    for line in failures.failures(people.researcher, limit=500).lines:
        (system, said), (user, asked) = failures.item(people.researcher, line.item_id).messages
        assert (system, user) == ("system", "user")
        assert said == 'Answer as {"predicted_sign": "+", "reasoning": "why"}.'
        treatment, _, outcome = line.summary.title.partition(" → ")
        assert asked == f"Setting: {LONG}\n\nTreatment: {treatment}\nOutcome: {outcome}"
        shown.add(sha256(asked.encode()).hexdigest())
    assert {entry["message_sha256"] for entry in server.log()["entries"]} == shown and len(shown) == 50

    packed_run = io.BytesIO()
    files.export_run(people.researcher, run_id, packed_run)
    with zipfile.ZipFile(packed_run) as packed:
        texts = {json.loads(line)["hash"] for line in packed.read("texts.jsonl").splitlines()}
        samples = [json.loads(line) for line in packed.read("samples.jsonl").splitlines()]
    parts = [part for sample in samples for part in sample["messages"][1][1]]
    assert len(parts) == 150 and {kind for kind, _hash in parts} == {"text"}
    assert {key for _kind, key in parts} <= texts
