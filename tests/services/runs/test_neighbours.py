"""EconCausal's comparable pairs by vectors of an endpoint: a run of two steps, which asks for vectors and then answers.
What it asks is what a run of one step would ask that has all vectors."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import Refused
from core.people import Permission, Viewer
from core.runs.states import ItemStatus, RunState
from core.steps import StepKind
from protocols.econcausal.baselines import majority_of
from protocols.econcausal.benchmark import PROTOCOL
from protocols.econcausal.tasks import ASK, TRIPLETS, schema_of
from protocols.samples import Samples
from protocols.step_values import VECTORS, Inputs, Value
from runs.steps import group_progress, making_child
from runs.steps.stepped_run import stepped_run
from services.acting import consulting, terminal_viewer
from services.failures import failures
from services.results import results
from services.runs import acts, models, planning, reading
from services.runs.exports import files
from services.runs.preparing import prepare
from services.runs.rendering import rendered
from services.runs.run_rows import OF_ITEMS
from services.runs.run_settings import config_of, settings_json
from services.runs.samples import read_sources
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.runs.steps import embedders, redoing
from services.runs.steps import lists as steps
from services.study import Study, current_study
from store.runs.items import scored_items
from tests.old_studies.checking import opened, restored
from tests.runs.begun import now, rows
from tests.services.run_parts import act, finished, set_up, start, work_here
from tests.services.scoring_parts import bring_in

BASELINES = ("always-plus", "majority", "copy-examples", "first-not-shown")
PAPERS = 12
ROWS = [
    {
        "paper_id": n // 2,
        "publication_year": 2000 + n // 2 % 2,
        "published_venue": "Econometrica",
        "jel_codes": ("J, H", "J")[n % 2],
        "treatment": f"Minimum wage rise {n % 4}",
        "outcome": f"Employment of {('teens', 'youths', 'men')[n % 3]}",
        "sign": ("+", "-", "+", "None", "mixed")[n % 5],
        "context": f"Place {n}: {'wide ' * n}." if n else "",
    }
    for n in range(2 * PAPERS)
]
TEXTS = 4 + 3


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _begun_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step over the whole run is begun in this process: no seconds of imports. `tests/cli` has the child."""

    async def begin_here(place: str, run_id: str, group_id: str) -> None:
        store = current_study().store
        with store.reading() as session:
            run = stepped_run(session, run_id)
        assert run is not None
        group_progress.begin(store, run, group_id, now())

    monkeypatch.setattr(making_child, "begin", begin_here)


@pytest.fixture
def wanted(people: SimpleNamespace, server: RunningServer) -> RunConfig:
    server.play({})
    server.forget()
    set_up(people.owner, server, ["scripted:plus", "scripted:cycle", "words"], price_input=2.0, price_output=8.0)
    return RunConfig(
        title="Neighbours",
        source=SampleSource((bring_in(people.owner, ROWS),), is_built=True),
        tasks=("task1", "task2", "task3"),
        variants=("context",),
        models=("scripted:plus", "scripted:cycle"),
        baselines=BASELINES,
        repeats=2,
        most_samples=10,
        options={"embedder": "lab/words", "threshold": 0.6, "per_stratum": 3, "most_examples": 3},
    )


def in_one_step(viewer: Viewer, wanted: RunConfig) -> tuple[Samples, set[str]]:
    """(samples, hashes of requests) of a run that has all its vectors, as it was made when it had one step."""
    with consulting(viewer, Permission.RUN) as r:
        settings = settings_json(wanted)
        given = {TRIPLETS: read_sources(r, PROTOCOL, wanted)[TRIPLETS].values}
        texts = PROTOCOL.to_embed(ASK, Inputs("", given), settings)
        assert texts is not None
        vectors = embedders.vectors_there(r.session, texts)
        assert vectors is not None
        values = tuple(Value(key=each.key, value=each.value, hash="") for each in vectors.values())
        samples = PROTOCOL.samples(ASK, Inputs("", {**given, VECTORS: values}), settings)
        said = rendered(r.session, PROTOCOL, samples.samples, prepare(r, wanted).prompts)
        cards = models.snapshots(r.session, PROTOCOL, wanted, samples.samples)
        asked = [models.plan_requests(name, cards[name], said.messages, said.sizes, wanted.repeats) for name in cards]
    return samples, {key for each in asked for key in each.hashes.values()}


def asked(study: Study, run_id: str) -> tuple[list[Any], set[str]]:
    """(samples in order, hashes of requests) of the step that asks."""
    query = "SELECT task, variant, key, sample_hash FROM run_sample WHERE run_id = :run AND step = 'ask' ORDER BY place"
    hashes = (
        "SELECT DISTINCT i.request_hash FROM run_item i JOIN run_sample s ON s.id = i.sample_id"
        " WHERE i.run_id = :run AND s.step = 'ask' AND i.model LIKE 'scripted:%'"
    )
    found = [tuple(row) for row in rows(study.store, query, run=run_id)]
    return found, {row[0] for row in rows(study.store, hashes, run=run_id)}


def as_rows(samples: Samples) -> list[Any]:
    return [(each.task, each.variant, each.key, each.hash) for each in samples.samples]


@pytest.mark.both(usually=False)
def test_it_asks_for_vectors_then_what_a_run_of_one_step_would_ask(
    study: Study, people: SimpleNamespace, server: RunningServer, wanted: RunConfig
) -> None:
    v = people.researcher
    plan = planning.plan(v, wanted)
    assert (plan.faults, plan.is_bound, plan.vectors_missing, plan.embedder) == ((), True, TEXTS, "lab/words")
    run_id = start(v, wanted)
    assert server.log()["requests"] == 0, "whoever plans and starts a run sends nothing"
    assert not set(OF_ITEMS) & reading.card(v, run_id).hashes.keys()
    assert finished(study, v, run_id).state is RunState.DONE

    samples, requests = in_one_step(v, wanted)
    assert asked(study, run_id) == (as_rows(samples), requests)
    near, ask = steps.steps(v, run_id)
    assert [(each.step, each.kind, each.groups, each.done) for each in (near, ask)] == [
        ("embed", StepKind.EMBED, 1, 1),
        ("ask", StepKind.ASK, 1, 1),
    ]
    assert (near.items[ItemStatus.ANSWERED], near.requests, near.made) == (1, 1, TEXTS)
    assert 0 < (near.cost_usd or 0) <= (plan.embeddings[0].cost_most or 0)
    assert server.log()["requests"] == 1 + len(requests)

    counts = [sum(each.task == task for each in samples.samples) for task in wanted.tasks]
    assert all(1 < count <= most.samples for count, most in zip(counts, plan.tasks, strict=True))
    whole = planning.plan(v, wanted)
    assert ([each.samples for each in whole.tasks], whole.is_bound, whole.vectors_missing) == (counts, False, 0)
    assert (whole.requests, whole.cached) == (0, 2 * 2 * len(samples.samples))
    assert plan.requests >= len(requests) and plan.items >= whole.items and plan.cost_most is not None
    is_told_as_any_other(v, run_id, samples)

    of_task = {task: [each for each in samples.samples if each.task == task] for task in wanted.tasks}
    assert majority_said(study, run_id) == {
        (task, majority_of(some, schema_of(task, "context"))) for task, some in of_task.items()
    }, "taken over all samples, which nobody knew at the start"


def is_told_as_any_other(v: Viewer, run_id: str, samples: Samples) -> None:
    """On its card, in lists, tables and its export; texts that became vectors are in no table."""
    card = reading.card(v, run_id)
    assert (card.run.samples, card.run.tasks) == (len(samples.samples), ("task1", "task2", "task3"))
    assert (card.run.models, card.run.baselines) == (("scripted:plus", "scripted:cycle"), BASELINES)
    assert {"embedder", "threshold", "per stratum", "most examples"} <= {each.what for each in card.deviations}
    assert [why for _, why in card.excluded] == ["it has no context"] * 3
    assert card.hashes["samples"] == samples.hash, "though nobody knew them when it began"
    assert [each.requests for each in card.models if each.name == "lab/words"] == [1]
    presets = results.presets_of(v, [run_id])
    tables = {each.key: results.results(v, [run_id], each.key, with_interval=False) for each in presets}
    (main, *_) = tables["main"]
    assert set(main.row_labels) == {"scripted:plus", "scripted:cycle", *BASELINES}
    assert {"J", "H"} <= set(tables["jel"][0].column_labels) | set(tables["jel"][0].row_labels)
    assert tables["mismatch"] and sum(cell.n_total for cell in main.cells.values()) > 0
    assert results.slices(v, [run_id], "main").tasks == ("task1", "task2", "task3")
    page = failures.failures(v)
    assert page.total == card.run.total == 1 + (2 * 2 + len(BASELINES)) * len(samples.samples)
    files.export_run(v, run_id, packed := BytesIO())
    with zipfile.ZipFile(packed) as archive:
        assert len(archive.read("samples.jsonl").splitlines()) == 1 + len(samples.samples)
    acts.rescore(v, run_id, seen=reading.progress(v, run_id).version, **act())
    assert any("0 of" in said for _, said in reading.card(v, run_id).acts)


def exported_manifest(v: Viewer, run_id: str) -> Any:
    """What the run was made of."""
    files.export_run(v, run_id, packed := BytesIO())
    with zipfile.ZipFile(packed) as archive:
        return json.loads(archive.read("manifest.json"))["made_of"]


def majority_said(study: Study, run_id: str) -> set[Any]:
    query = (
        "SELECT DISTINCT s.task, i.predicted FROM run_item i JOIN run_sample s ON s.id = i.sample_id"
        " WHERE i.run_id = :run AND i.model = 'majority'"
    )
    return {tuple(row) for row in rows(study.store, query, run=run_id)}


def many_texts(people: SimpleNamespace) -> SampleSource:
    """More texts than one request may hold while nobody knows how long the vectors are."""
    said = [{**row, "treatment": f"Minimum wage {n}"} for n, row in enumerate(ROWS)]
    return SampleSource((bring_in(people.owner, said, "many.jsonl"),), is_built=True)


def test_its_vectors_count_in_the_budget_and_what_came_is_not_asked_for_again(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, wanted: RunConfig
) -> None:
    study = sqlite_study
    v, wanted = people.researcher, replace(wanted, source=many_texts(people), models=(), tasks=("task2",))
    plan = planning.plan(v, replace(wanted, budget=BudgetSettings(requests=1)))
    assert (plan.vectors_missing, [each.requests for each in plan.embeddings]) == (27, [2])
    assert any("1 of up to 2 requests. The run may stop" in said for said in plan.notices)
    wanted = replace(wanted, options={**wanted.options, "embedder": "lab/words:3072"})
    run_id = start(v, replace(wanted, budget=BudgetSettings(requests=1)))
    after = finished(study, v, run_id)
    assert (after.state, after.requests, after.budget.requests) == (RunState.STOPPED, 1, 1)
    assert planning.plan(v, wanted).vectors_missing in (7, 20), "whichever request was first"
    acts.set_budget(v, run_id, BudgetSettings(), seen=after.version, **act())
    acts.resume(v, run_id, seen=reading.progress(v, run_id).version, **act())
    assert finished(study, v, run_id).state is RunState.DONE
    sent = [entry["outcome"] for entry in server.log()["entries"]]
    assert sorted(int(each.split()[-1]) for each in sent) == [7, 20], "no text twice"
    assert asked(study, run_id)[0] == as_rows(in_one_step(v, wanted)[0])


def test_built_in_vectors_and_runs_without_pairs_need_no_step(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, wanted: RunConfig
) -> None:
    v = people.researcher
    for each in (
        replace(wanted, models=(), options={**wanted.options, "embedder": "lexical"}),
        replace(wanted, models=(), tasks=("task1",), variants=("context", "unknown")),
    ):
        run_id = start(v, each)
        assert finished(sqlite_study, v, run_id).state is RunState.DONE
        assert [line.step for line in steps.steps(v, run_id)] == ["ask"]
        assert "steps" not in reading.card(v, run_id).settings
    for table in ("run_group", "run_made", "run_round"):
        assert rows(sqlite_study.store, f"SELECT count(*) FROM {table}") == [(0,)]
    assert server.log()["requests"] == 0


def test_its_vectors_can_be_asked_of_another_model(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, wanted: RunConfig
) -> None:
    v = people.researcher
    wanted = replace(wanted, tasks=("task2",), models=("scripted:plus",), baselines=("majority",), repeats=1)
    assert finished(sqlite_study, v, start(v, wanted)).state is RunState.DONE
    run_id = start(v, wanted)  # knows all samples, and what is most frequent in them
    before = exported_manifest(v, run_id)
    finished(sqlite_study, v, run_id)
    assert before == exported_manifest(v, run_id) and {"samples", "requests"} <= before["hashes"].keys()
    first = exported_manifest(v, "1")  # which was told when its samples were made
    assert {**first, "hashes": before["hashes"]} == before and first["hashes"].items() <= {
        **before["hashes"],
        "models": first["hashes"]["models"],
    }.items()
    assert reading.card(v, run_id).settings["models"]["majority"]["majority"] == {"task2/context": "+"}
    server.forget()
    other = {"embedder": "lab/words:32"}
    again = redoing.redo(v, run_id, "embed", redoing.StepChanges(options=other), **act()).subject_id
    assert finished(sqlite_study, v, again).state is RunState.DONE
    sent = [entry["outcome"] for entry in server.log()["entries"]]
    assert [each for each in sent if each.startswith("embedding")] == [f"embedding base64 {TEXTS}"]
    assert steps.steps(v, again)[1].items[ItemStatus.ANSWERED] > 0
    assert majority_said(sqlite_study, again) == {("task2", "+")}
    assert reading.card(v, again).settings["models"]["majority"]["majority"] == {}


def test_a_run_begun_in_one_step_stays_one_and_begun_again_asks_the_same(tmp_path: Any) -> None:
    """The study of before has one whose vectors were asked for before it began; its endpoint is no more."""
    me = terminal_viewer()
    with opened(str(restored(tmp_path)), tmp_path / "home") as study:
        (line,) = [each for each in reading.runs(me) if each.title == "Built, vectors of a model"]
        old = reading.card(me, line.id)
        assert [(each.step, each.title, each.groups) for each in steps.steps(me, line.id)] == [("ask", "Answers", 0)]
        assert steps.group_lines(me, line.id).total == 0
        with pytest.raises(Refused, match="has one step"):
            redoing.plan_redo(me, line.id, "ask", redoing.StepChanges())
        run_id = start(me, config_of(old.settings["wanted"]))
        work_here(study)
        after = reading.progress(me, run_id)
        assert (after.state, after.requests, after.cached) == (RunState.DONE, 0, line.total)
        assert [each.step for each in steps.steps(me, run_id)] == ["embed", "ask"]
        assert {each: old.hashes[each] for each in OF_ITEMS} == {
            each: reading.card(me, run_id).hashes[each] for each in OF_ITEMS
        }
        with study.store.reading() as session:
            was, is_now = ([_read(each) for each in scored_items(session, key)] for key in (line.id, run_id))
        assert sorted(was) == sorted(is_now) and len(was) == line.total


def _read(item: Any) -> tuple[Any, ...]:
    return (item.sample.task, item.sample.key, item.sample.hash, item.reply.request_hash, str(item.before.predicted))
