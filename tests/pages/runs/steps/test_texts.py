"""Texts that a run made on its screen: listed with their guards, taken one by one or all at one press."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.runs.states import RunState
from services.runs import reading as runs
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from services.texts import reading
from tests.pages.run_screens import draw_runs, labels, opened, press, texts
from tests.services.run_parts import finished, set_up, start
from tests.services.text_parts import lay_pages, settle_truth


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def run_id(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, server: RunningServer) -> str:
    """A run of two models, of which one invents a sentence; people decide next."""
    lay_pages(sqlite_study, a_figure.sha256)
    settle_truth(sqlite_study, a_figure.id)
    models = ("texts:faithful", "texts:invents")
    set_up(people.owner, server, models)
    wanted = RunConfig(
        title="Texts",
        protocol="recite-texts",
        source=SampleSource(),
        tasks=("markdown",),
        variants=("standard",),
        models=models,
    )
    run_id = start(people.researcher, wanted)
    assert finished(sqlite_study, people.researcher, run_id).state is RunState.WAITING
    return run_id


def test_texts_whose_guards_pass_are_taken_at_one_press_and_a_refused_one_where_its_reasons_are_read(
    run_id: str, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    page = opened(draw_runs, people.researcher, run="1", part="steps")
    assert "Take into papers" not in labels(page), "the list is read when it is opened"
    page.session_state["runs.texts.list"] = True
    page.run()
    assert "**2 texts** · 1 to take whose guards pass · 0 taken" in texts(page)
    press(page, "Take into papers")
    said = texts(page)
    assert "1 text taken." in said and "words are not in the paper" in said
    view = reading.view(people.researcher, a_figure.id)
    assert view is not None and view.stages[1].producer == "texts:faithful, run 1"
    assert runs.progress(people.researcher, run_id).state is RunState.WAITING, "one value is left to decide"
    page = opened(draw_runs, people.researcher, run="1", part="steps", lane="decide", group="Grain and people")
    said = texts(page)
    assert "Refused by a guard" in said and "words are not in the paper" in said and "Taken into the papers" in said
    assert labels(page).count("Take into papers") == 1, "the other is taken"
    press(page, "Take into papers")
    said = texts(page)
    assert said.count("Taken into the papers") == 1 and "Guards pass" in said and "Refused by a guard" not in said
    assert labels(page).count("Take into papers") == 1, "now the other, in whose place it stands"
    assert runs.progress(people.researcher, run_id).state is RunState.QUEUED, "nothing is left to decide"
