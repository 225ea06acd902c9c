"""Graphs in the form of a new run: the paper's set in one click, chosen ones, and the run of them on its screens."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from streamlit.testing.v1 import AppTest

from core.runs.filters import FailureFilters
from runs.numbered.windows import advance, numbered_run
from services.failures import failures
from services.graphs import generating
from services.protocols.causalgraph2llm.query_previews import query_preview
from services.runs import acts, reading
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from store.runs import runs
from tests.pages.run_screens import draw_failures, draw_results, draw_runs, drawn, labels, opened, press, texts
from tests.pages.screen import choose_place, table_of_key
from tests.services.run_parts import act, start, work_here


def form(page: AppTest, kind: str, label: str) -> Any:
    return next(each for each in getattr(page, kind) if each.label.startswith(label))


def pills(page: AppTest, key: str) -> Any:
    return next(each for each in page.button_group if each.key == key)


def test_the_papers_set_is_counted_asked_of_baselines_and_shown(sqlite_study: Study, people: SimpleNamespace) -> None:
    v = people.researcher
    page = opened(draw_runs, v, show="new")
    assert pills(page, "runs.new.graphs.way").value == "paper-set"
    assert list(pills(page, "runs.new.tasks").value) == ["source", "sink", "parent", "child", "mediator", "confounder"]
    assert list(pills(page, "runs.new.variants").value) == ["graph", "node"]
    assert list(pills(page, "runs.new.encodings.pills").value) == ["json"]
    assert "Maximum samples" not in " ".join(each.label for each in page.number_input)
    page = drawn(pills(page, "runs.new.encodings.pills").set_value(["json", "single"]))
    page = drawn(form(page, "number_input", "Samples").set_value(60))
    page = press(page, "Start dry run")
    assert "This slice has 106,718 queries per encoding, 213,436 in 2 encodings." in texts(page)
    assert "**300 items** from 60 samples" in texts(page)
    page.session_state["runs.new.graphs.preview"] = True  # the expander is opened
    page = page.run()
    preview = query_preview(v, page.session_state["runs.new.planned"][0])
    assert preview is not None and preview.answer
    assert preview.graph_name in texts(page) and preview.query in texts(page)
    assert f"True answer: {preview.truth}" in texts(page)
    assert list(preview.prompts) == ["JSON", "Single node"]
    assert preview.prompts["JSON"] in [block.value for block in page.code]
    edge = preview.graph.edges[0]
    assert f"{edge.source} causes {edge.sink}." in preview.prompts["Single node"]
    assert all(f'"{name}"' in preview.prompts["JSON"] for name in preview.graph.nodes)
    page = press(page, "Start run")
    (line,) = reading.runs(v)
    assert (line.protocol, line.samples) == ("causalgraph2llm", 60)
    work_here(sqlite_study)
    shown = opened(draw_results, v, run=str(line.number))
    assert "F1, all lists" in texts(shown)
    every = list(table_of_key(shown, "results.cell").value["Model"])
    for baseline in ("always-no", "always-yes", "null", "every-variable", "coin"):
        choose_place(shown, "results.cell", every.index(baseline), 1)
    listed = opened(draw_failures, v, run=str(line.number))
    (first, *_) = failures.failures(v, FailureFilters(models=("every-variable",))).lines
    sheet = opened(draw_failures, v, item=first.item_id)
    assert first.summary.title in texts(sheet)
    filters = {"Encoding", "Order", "Names", "Level", "Graph", "Tasks", "True label", "Predicted label"}
    assert filters <= {each.label for each in listed.multiselect}
    told = next(each for each in listed.multiselect if each.label == "True label").options
    assert {"yes", "no", "no variable"} <= set(told)
    card = opened(draw_runs, v, run=line.id, part="card")
    assert "Asked as version" not in texts(card)
    with sqlite_study.store.writing() as session:
        runs.set_protocol_version(session, line.id, "causalgraph2llm-0")
    card = opened(draw_runs, v, run=line.id, part="card")
    assert "Asked as version causalgraph2llm-0. This Edgewise has version causalgraph2llm-1." in texts(card)


def test_the_card_of_a_run_at_rest_says_how_full_its_cells_are(sqlite_study: Study, people: SimpleNamespace) -> None:
    v = people.researcher
    asked = RunConfig(
        title="In turn",
        protocol="causalgraph2llm",
        source=SampleSource(),
        tasks=("parent", "mediator"),
        variants=("graph", "node"),
        baselines=("null",),
        options={"amount": "all", "node_sampling": "all"},
    )
    run_id = start(v, asked)
    with sqlite_study.store.reading() as session:
        numbers = numbered_run(session, runs.run_row(session, run_id))
    assert numbers is not None and advance(sqlite_study.store, numbers)
    assert "not full" not in texts(opened(draw_runs, v, run=run_id, part="card"))
    acts.pause(v, run_id, seen=reading.progress(v, run_id).version, **act())
    # five graphs, two kinds, two levels: none of them has been asked
    card = texts(opened(draw_runs, v, run=run_id, part="card"))
    assert "20 cells are not full: each model has 0 items ended in each." in card


def test_chosen_graphs_are_kept_and_a_link_names_one(sqlite_study: Study, people: SimpleNamespace) -> None:
    drawn_graph = generating.generate_graph(people.owner, 6, 7, seed=1, **act()).subject_id
    page = opened(draw_runs, people.researcher, show="new", protocol="causalgraph2llm", graphs=drawn_graph)
    (chosen,) = [each for each in page.multiselect if each.label == "Chosen graphs"]
    assert chosen.value == [drawn_graph]
    page = drawn(chosen.set_value([drawn_graph, "asia"]))
    page = drawn(pills(page, "runs.new.tasks").set_value(["source"]))
    page = press(page, "Start dry run")
    assert "This slice has 16 queries per encoding, 16 in 1 encoding." in texts(page)
    page = drawn(next(each for each in page.multiselect if each.label == "Chosen graphs").set_value([]))
    assert "Choose a graph." in texts(page)
    assert "Start run" not in labels(page)
