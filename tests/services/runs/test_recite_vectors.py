"""Vectors of abstracts by a budgeted step of a ReCITE run, over a loopback server, and the tables that read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.analysis import analyse
from core.analysis.slices import Slice
from core.analysis.tables import as_json
from core.runs.states import RunState
from exchange.recite import ReciteRow, write_default
from exchange.result_frame import FrameForm, read_frame
from protocols.recite.tables import TABLES
from protocols.recite.tasks import VARIANT_TITLES
from runs.steps import group_progress, making_child
from runs.steps.stepped_run import stepped_run
from services.graphs import sample_tables
from services.results import files, results
from services.runs import planning
from services.runs.settings import BudgetSettings, RunConfig
from services.study import Study, current_study
from tests.runs.begun import now
from tests.services.run_parts import act, finished, set_up, start
from tests.services.runs.narratives import wanted

WORDS = {"Trade": "wages prices trade tariffs exports", "Lakes": "water fish lake algae rain"}
TEXTS = 8


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _starts_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step over the whole run starts in this process: no seconds of imports."""

    async def begin_here(place: str, run_id: str, group_id: str) -> None:
        store = current_study().store
        with store.reading() as session:
            run = stepped_run(session, run_id)
        assert run is not None
        group_progress.begin(store, run, group_id, now())

    monkeypatch.setattr(making_child, "begin", begin_here)


@pytest.fixture
def config(people: SimpleNamespace, server: RunningServer) -> RunConfig:
    """A run of a baseline over texts of two domains, the last without an abstract."""
    server.play({})
    server.forget()
    set_up(people.owner, server, ["words"], price_input=2.0, price_output=8.0)
    domains = [("Trade", "Lakes")[number % 2] for number in range(TEXTS)]
    rows = [
        ReciteRow(
            id=number,
            title=f"Paper {number}",
            num_nodes=3,
            num_edges=2,
            nodes=("a", "b", "c"),
            edges=(("a", "b"), ("b", "c")),
            domains=(domain,),
            abstract=f"{WORDS[domain]} {number}" if number < TEXTS - 1 else None,
            input_text=f"Text {number}: because of a there is b; b leads to c. <text>",
        )
        for number, domain in enumerate(domains)
    ]
    key = sample_tables.import_samples(
        people.researcher, "abstracts.parquet", write_default(rows), with_faulty=False, licence="", **act()
    ).subject_id
    options = {"table": key, "embedder": "lab/words"}
    return wanted(key, variants=("standard",), baselines=("random",), options=options)


def test_vectors_are_asked_for_once_within_the_budget_and_answers_are_those_of_a_run_without(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, config: RunConfig
) -> None:
    v = people.researcher
    plan = planning.plan(v, config)
    assert (plan.faults, plan.samples, plan.vectors_missing, plan.embedder) == ((), TEXTS, TEXTS - 1, "lab/words")
    assert [each.cost_most for each in plan.embeddings] != [0.0] and server.log()["requests"] == 0
    run_id = start(v, config)
    assert finished(sqlite_study, v, run_id).state is RunState.DONE
    assert server.log()["requests"] == 1
    assert planning.plan(v, config).vectors_missing == 0

    plain = start(v, replace(config, options={"table": config.options["table"]}))
    assert finished(sqlite_study, v, plain).state is RunState.DONE
    with_vectors, without = (results.results(v, [each], "graphs", with_interval=False) for each in (run_id, plain))
    assert [as_json(each)["cells"] for each in with_vectors] == [as_json(each)["cells"] for each in without]
    assert server.log()["requests"] == 1

    hidden = {each.key: each.nothing for each in results.presets_of(v, [plain]) if not each.is_filled}
    assert "Vectors of abstracts" in hidden["diversity"] and "Vectors of abstracts" in hidden["diversity-f1"]
    (table, *_) = results.results(v, [plain], "diversity")
    assert "Vectors of abstracts" in table.undefined_words


def test_tables_of_vectors_are_those_of_the_exported_frame_and_ask_for_nothing(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, config: RunConfig
) -> None:
    v = people.researcher
    run_id = start(v, config)
    assert finished(sqlite_study, v, run_id).state is RunState.DONE
    sent = server.log()["requests"]
    filled = [each.key for each in results.presets_of(v, [run_id]) if each.is_filled]
    assert {"diversity", "diversity-f1"} <= set(filled)
    exported, _many = files.export_items(v, [run_id], FrameForm.CSV)
    ready = analyse.prepared(read_frame(exported.content, exported.name), TABLES, VARIANT_TITLES, Slice())
    for key in ("diversity", "diversity-f1"):
        tables = results.results(v, [run_id], key)
        from_file = analyse.tables(ready, TABLES.preset(key), Slice(), analyse.INTERVALS)
        assert list(map(as_json, tables)) == list(map(as_json, from_file)), key
        assert [table.chart for table in tables] == [table.chart for table in from_file]
    clusters = results.results(v, [run_id], "diversity")[0]
    assert sum(clusters.cells[row, "Texts"].estimate.value or 0 for row in clusters.row_labels) == TEXTS - 1
    assert server.log()["requests"] == sent


def test_a_budget_that_vectors_exceed_stops_the_run_before_the_request(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer, config: RunConfig
) -> None:
    v = people.researcher
    run_id = start(v, replace(config, budget=BudgetSettings(usd=0.000001)))
    assert finished(sqlite_study, v, run_id).state is RunState.STOPPED
    assert server.log()["requests"] == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [({"embedder": "lexical"}, "expected ENDPOINT/MODEL"), ({"people": 1}, "run without vectors of abstracts")],
)
def test_what_cannot_go_with_vectors_is_a_fault_of_the_plan(
    sqlite_study: Study, people: SimpleNamespace, config: RunConfig, options: dict[str, object], words: str
) -> None:
    plan = planning.plan(people.researcher, replace(config, options={**config.options, **options}))
    assert any(words in fault for fault in plan.faults), plan.faults
