"""Figures in the form of a new run, the owner's form that allows it, and a run of them on its screens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer, running_server
from core.people import Viewer
from core.transcription.model_reading import NO_ARROW
from services.papers import figures
from services.runs import reading
from services.study import Study
from services.transcription import model_reader, proposals, transcribing
from services.transcription import reading as transcription_reading
from services.transcription.model_reader import LEAVES
from tests.pages.run_screens import draw_results, draw_runs, drawn, labels, opened, press, texts
from tests.pages.screen import open_settings
from tests.pages.transcription.test_pace import opened as opened_transcribe
from tests.services.run_parts import act, set_up, work_here
from tests.services.transcription.test_model_reader import FRAME, name, play, play_unsaid, process_queue, program
from tests.services.transcription.test_model_reader import world as world

OFF = "No owner of this study has named a model that may be sent figures"
START = "Start dry run"


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def carded(world: SimpleNamespace, people: SimpleNamespace, server: RunningServer) -> SimpleNamespace:
    """A located figure, and cards that nobody has named."""
    server.forget()
    set_up(people.owner, server, ["right", "turned"], takes_images=True, tokens_per_image=1_000)
    return world


def form(page: AppTest, kind: str, label: str) -> Any:
    return next(each for each in getattr(page, kind) if each.label.startswith(label))


def new_run(viewer: Viewer, **link: str) -> AppTest:
    return opened(draw_runs, viewer, show="new", protocol="figure-reading", **link)


def test_the_owner_alone_names_models_after_agreeing_to_the_sentence(
    sqlite_study: Study, people: SimpleNamespace, carded: SimpleNamespace
) -> None:
    page = open_settings(people.owner, "proposals")
    assert "No model may be sent figures" in texts(page) and not page.exception
    form(page, "multiselect", "Models that may be sent figures").set_value(["right"])
    save = next(button for button in page.button if button.label == "Save models")
    page = drawn(save.click())
    assert "Confirm this first" in texts(page) and model_reader.settings(people.owner).named == ()
    assert LEAVES.startswith("Figures leave this machine")
    form(page, "checkbox", "Figures leave this machine").check()
    page = drawn(next(button for button in page.button if button.label == "Save models").click())
    assert [each.card for each in model_reader.settings(people.owner).named] == ["right"]
    assert "These models may be sent figures" in texts(page)
    page = open_settings(people.researcher, "proposals")
    assert "Save models" not in [button.label for button in page.button]


def test_a_new_run_asks_for_a_model_that_is_named_and_chosen_figures_are_kept(
    sqlite_study: Study, people: SimpleNamespace, carded: SimpleNamespace, server: RunningServer
) -> None:
    name(people.owner, "right")
    page = new_run(people.researcher)
    assert LEAVES in texts(page)
    assert form(page, "selectbox", "Resolution (dpi)").options[0] == "protocol: 150"
    form(page, "multiselect", "Models").set_value(["turned"])
    page = press(drawn(page), START)
    assert "allowed that this is sent to turned" in texts(page) and "Start run" not in labels(page)
    assert server.log()["requests"] == 0
    (ways,) = [each for each in page.button_group if each.key == "runs.new.figures.way"]
    assert ways.value == "waiting"
    page = drawn(ways.set_value("chosen"))
    assert "Choose a figure." in texts(page)
    (chosen,) = [each for each in page.multiselect if each.label == "Chosen figures"]
    page = drawn(chosen.set_value([carded.figure]))
    assert "Choose a figure." not in texts(page)
    again = opened(draw_runs, people.researcher, show="new")
    (chosen,) = [each for each in again.multiselect if each.label == "Chosen figures"]
    assert chosen.value == [carded.figure]


def test_a_link_names_the_figure_and_a_run_is_planned_and_started(
    sqlite_study: Study, people: SimpleNamespace, carded: SimpleNamespace, server: RunningServer
) -> None:
    v = people.researcher
    name(people.owner, "right")
    other = figures.locate(people.owner, carded.paper, carded.page, FRAME, label="Figure 2", **act()).subject_id
    page = new_run(v, figures=other)
    (chosen,) = [each for each in page.multiselect if each.label == "Chosen figures"]
    assert chosen.value == [other] and len(chosen.options) == 2
    form(page, "multiselect", "Models").set_value(["right"])
    page = press(drawn(page), START)
    assert "Start run" in labels(page)
    page = press(page, "Start run")
    (line,) = reading.runs(v)
    assert (line.protocol, line.samples) == ("figure-reading", 1)
    play(server, program(sqlite_study, other))
    work_here(sqlite_study)
    done = opened(draw_runs, v, run=str(line.number))
    assert "Show items" in labels(done) and "Show results" not in labels(done)
    assert "No run yet" in texts(opened(draw_results, v, run=str(line.number)))


def test_from_the_owners_word_over_a_new_run_to_proposals_on_the_canvas_and_in_the_report(
    sqlite_study: Study, people: SimpleNamespace, carded: SimpleNamespace, server: RunningServer
) -> None:
    me, found = people.annotator, program(sqlite_study, carded.figure)
    work = transcribing.take(me, carded.figure, **act()).subject_id
    play_unsaid(server, found)
    planned = press(drawn(form(new_run(people.researcher), "multiselect", "Models").set_value(["right"])), START)
    assert OFF in texts(planned) and "Start run" not in labels(planned)
    process_queue(sqlite_study)
    assert server.log()["requests"] == 0  # nothing leaves without the owner's word
    assert not by_model(opened_transcribe(me, transcription=work))

    owners = open_settings(people.owner, "proposals")
    form(owners, "multiselect", "Models that may be sent figures").set_value(["right"])
    form(owners, "checkbox", "Figures leave this machine").check()
    press(owners, "Save models")
    press(
        press(drawn(form(new_run(people.researcher), "multiselect", "Models").set_value(["right"])), START), "Start run"
    )
    process_queue(sqlite_study)
    assert server.log()["requests"] == 1
    shown = by_model(opened_transcribe(me, transcription=work))
    wanted = proposals.open_proposals(me, work).edges
    assert [each["id"] for each in shown] == [edge.id for edge in wanted if edge.origin == "model"]
    assert len(shown) == 3 and all(each["doubts"] == [NO_ARROW] and not each["is_certain"] for each in shown)

    transcribing.add_lines(me, work, "A -> B", pasted=True, seen=1, **act())
    sqlite_study.clock.advance(minutes=1)  # type: ignore[attr-defined]
    transcribing.submit(me, work, seen=transcription_reading.transcription(me, work).version, **act())
    told = opened_transcribe(people.owner, show="proposals").dataframe[0].value.set_index("Origin")
    assert told.loc["proposed by a model"]["Proposed"] == "3"


def by_model(page: AppTest) -> list[dict[str, Any]]:
    """The proposals that the canvas is given as a model's."""
    mounted = [json.loads(each.proto.json) for each in page.get("bidi_component") if each.proto.json]
    (canvas,) = [data for data in mounted if "proposals" in data]
    return [each for each in canvas["proposals"] if each["origin"] == "by a model"]
