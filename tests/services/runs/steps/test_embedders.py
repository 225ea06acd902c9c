"""A run whose steps embed, set up as people do: its embedder is an option, and goes with the run as its models do."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import Missing
from core.runs.options import OptionKind, RunOption
from core.runs.states import RunState
from protocols import PROTOCOLS
from services.failures import failures
from services.runs import planning, reading
from services.runs.benchmarks import LOADED, BenchmarkServices, Source, SourceRead
from services.runs.exports import files
from services.runs.settings import RunConfig, SampleSource
from services.runs.steps import lists as steps
from services.runs.steps import redo_choices, redoing
from services.runs.steps.redoing import StepChanges
from services.study import current_study
from store.runs import results
from tests.runs.begun import work
from tests.runs.toy_embedding import TOY, texts
from tests.services.run_parts import act, set_up

WANTED = RunConfig(
    title="",
    protocol=TOY.name,
    source=SampleSource(()),
    tasks=("task1",),
    variants=("context",),
    models=("scripted:plus",),
    options={"embedder": "lab/words"},
)


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def _study(people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.forget()
    set_up(people.owner, server, ["scripted:plus", "words"])
    source = Source(
        words="texts", read=lambda r, wanted, trial: SourceRead(tuple(texts(6, 2)), {"texts": "hash of them"})
    )
    option = RunOption(name="embedder", title="Vectors", kind=OptionKind.EMBEDDER, default="lexical")
    monkeypatch.setitem(LOADED, TOY.name, BenchmarkServices(sources={"texts": source}))
    monkeypatch.setitem(PROTOCOLS, TOY.name, TOY)
    monkeypatch.setattr(TOY, "options", (option,), raising=False)


@pytest.mark.usefixtures("_study")
@pytest.mark.both
def test_a_run_says_what_it_embeds_keeps_its_embedder_and_embeds(
    people: SimpleNamespace, server: RunningServer
) -> None:
    plan = planning.plan(people.owner, WANTED)
    assert plan.faults == ()
    (embedding,) = plan.embeddings
    assert (embedding.step, embedding.embedder, embedding.texts) == ("Neighbours", "lab/words", 6)
    assert (plan.vectors_missing, plan.embedder, embedding.missing, embedding.requests) == (6, "lab/words", 6, 2)
    assert 6 * 4 < embedding.tokens_in < embedding.tokens_in_most
    assert (embedding.cost_most, embedding.cost_reason) == (
        None,
        "no model card of this endpoint and model has a price; add one",
    )
    assert plan.notices == ("Counted here: none.",)
    assert server.log()["requests"] == 0
    run_id = planning.start(people.owner, WANTED, **act()).subject_id
    work(current_study().store)
    assert reading.progress(people.owner, run_id).state is RunState.DONE
    near, nearest = steps.steps(people.owner, run_id)
    assert (near.groups, near.done, near.made, near.requests, nearest.made) == (2, 2, 6, 2, 4)
    group = steps.group(people.owner, run_id, "nearest", "p0")
    assert {name: len(values) for name, values in group.inputs.items()} == {"near": 3}  # its vectors are not for people
    again = planning.plan(people.owner, WANTED)
    assert (again.vectors_missing, [each.texts for each in again.embeddings]) == (0, [6])
    lines = failures.failures(people.owner).lines
    assert [line.summary.detail for line in lines] == ["3 texts"] * 2
    opened = failures.item(people.owner, lines[0].item_id)
    assert "cause 0 of wages" in repr(opened) and "3 vectors of 64 numbers" in repr(opened)
    assert reading.card(people.owner, run_id).models
    files.export_run(people.owner, run_id, content := BytesIO())
    with zipfile.ZipFile(content) as archive:
        told = b"".join(map(archive.read, archive.namelist()))
    assert b"3 vectors of 64 numbers" in told and b"cause 5 of wages" in told
    assert current_study().store.check() == []
    with current_study().store.reading() as session:
        assert not list(results.samples(session, run_id, with_facts=True))
        assert not results.items(session, run_id).item


@pytest.mark.usefixtures("_study")
def test_a_step_that_embeds_is_redone_with_another_embedder(people: SimpleNamespace, server: RunningServer) -> None:
    run_id = planning.start(people.owner, WANTED, **act()).subject_id
    work(current_study().store)
    choices = redo_choices.redo_choices(people.owner, run_id, "near")
    assert [list(each.choices) for each in choices.options] == [["lexical", "lab/lexical"]]
    assert (choices.values, choices.cards, choices.offered) == ({"embedder": "lab/words"}, (), ())
    server.forget()
    other = StepChanges(options={"embedder": "lab/floats:8"})
    new = redoing.redo(people.owner, run_id, "near", other, **act()).subject_id
    work(current_study().store)
    assert reading.progress(people.owner, new).state is RunState.DONE
    assert [each["model"] for each in server.log()["entries"]] == ["floats:8"] * 2
    assert sorted(reading.card(people.owner, new).settings["models"]) == ["lab/floats:8", "lab/words", "scripted:plus"]
    with pytest.raises(Missing, match="There is no endpoint called “elsewhere”"):
        redoing.redo(people.owner, run_id, "near", StepChanges(options={"embedder": "elsewhere/words"}), **act())


@pytest.mark.usefixtures("_study")
def test_a_batch_that_failed_is_listed_by_its_name(people: SimpleNamespace) -> None:
    run_id = planning.start(people.owner, replace(WANTED, options={"embedder": "lab/fault:empty"}), **act()).subject_id
    work(current_study().store)
    lines = failures.failures(people.owner).lines
    assert [(line.summary.title, line.summary.detail) for line in lines] == [
        ("near/p0/1", "3 texts"),
        ("near/p1/1", "3 texts"),
    ]
    assert reading.progress(people.owner, run_id).state is RunState.WAITING


@pytest.mark.usefixtures("_study")
@pytest.mark.parametrize(
    ("embedder", "fault"),
    [
        ("words", "“lexical” or ENDPOINT/MODEL is needed"),
        ("elsewhere/words", "There is no endpoint called “elsewhere” in this study."),
    ],
)
def test_an_embedder_that_there_is_not_is_a_fault_of_the_plan(
    embedder: str, fault: str, people: SimpleNamespace
) -> None:
    (said, *_) = planning.plan(people.owner, replace(WANTED, options={"embedder": embedder})).faults
    assert fault in said
