"""People decide in a group's lane: keep, change or leave out, with who, when and why; then the run goes on."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer
from core.people import Viewer
from core.runs.states import RunState
from services.runs import reading
from services.runs.steps import redoing
from services.runs.steps.redoing import StepChanges
from services.study import current_study
from tests.pages.run_screens import draw_runs, drawn, labels, opened, texts
from tests.runs.begun import model, work
from tests.runs.toy_protocol import begin
from tests.runs.toy_protocol import texts as toy_texts
from tests.services.run_parts import act
from tests.services.runs.toy_study import _toy, laid, rule_on, server
from tests.shared_fixture import laid_once

__all__ = ["_toy", "server"]


@pytest.fixture
def run_id(people: SimpleNamespace, _toy: None, server: RunningServer, request: pytest.FixtureRequest) -> str:
    """A run over one text: three values wait for people."""
    server.play({})

    def make() -> str:
        made = begin(current_study().store, model(server.url), toy_texts(1))
        work(current_study().store)
        return made

    return laid_once(request, current_study(), make, people)


def lane(viewer: Viewer) -> AppTest:
    return opened(draw_runs, viewer, run="1", part="steps", lane="rule", group="")


def press(page: AppTest, label: str) -> AppTest:
    return drawn(next(each for each in page.button if each.label == label).click())


def field(page: AppTest, kind: str, place: int = 0) -> Any:
    name = {"radio": "act", "text_area": "value", "text_input": "why"}[kind]
    return [each for each in getattr(page, kind) if str(each.key).endswith(f".form.{name}")][place]


def test_each_value_is_kept_changed_or_left_out_and_the_last_has_the_run_go_on(
    people: SimpleNamespace, run_id: str
) -> None:
    page = opened(draw_runs, people.researcher, run="1", part="steps")
    press(page, ":primary[3 to decide]")
    assert "".join(page.query_params["lane"]) == "rule"
    assert "**3 of 3 values to decide**" in texts(page) and labels(page).count("Save decision") == 3
    press(page, "Save decision")
    said = texts(page)
    assert "**2 of 3 values to decide**" in said and "**Decided:** kept" in said and "The researcher, " in said
    drawn(field(page, "radio").set_value("change"))
    drawn(field(page, "text_area").set_value("{no json"))
    press(page, "Save decision")
    assert "Value: not valid JSON" in texts(page)
    page = lane(people.researcher)
    assert (field(page, "radio").value, field(page, "text_area").value) == ("change", "{no json"), "kept as a draft"
    drawn(field(page, "text_area").set_value('{"sign": "as printed"}'))
    press(page, "Save decision")
    assert "A value that is changed or left out needs a reason. Write one." in texts(page)
    drawn(field(page, "text_input").set_value("Table 3 says so"))
    press(page, "Save decision")
    said = texts(page)
    assert '**Decided:** {"sign": "as printed"}' in said and "Reason: Table 3 says so" in said
    before = laid(people.owner, run_id)[1].value
    assert json.dumps(before, indent=2) in said, "the value before"
    drawn(field(page, "radio").set_value("leave out"))
    drawn(field(page, "text_input").set_value("not about this paper"))
    press(page, "Save decision")
    assert "All values are decided. The run continues when a worker picks it up." in texts(page)
    assert reading.progress(people.owner, run_id).state is RunState.QUEUED
    work(current_study().store)
    done = lane(people.reviewer)
    said = texts(done)
    assert "**3 values decided**" in said and "**Decided:** left out" in said and "Decide again" not in labels(done)
    assert [each.ruling.get("left_out", False) for each in laid(people.owner, run_id)].count(True) == 1


def test_a_decision_can_be_made_again_until_the_last_and_not_over_somebody_else_s(
    people: SimpleNamespace, run_id: str
) -> None:
    first, *_ = laid(people.owner, run_id)
    page = lane(people.researcher)
    rule_on(people.owner, first, first.value, "seen by the owner")
    press(page, "Save decision")
    assert "Reason: seen by the owner" in texts(page) and "**2 of 3 values to decide**" in texts(page)
    assert laid(people.owner, run_id)[0].ruled_by == "The owner"
    press(page, "Decide again")
    drawn(field(page, "radio", 2).set_value("leave out"))
    drawn(field(page, "text_input", 2).set_value("looked again"))
    next(each for each in reversed(page.button) if each.label == "Save decision").click()
    drawn(page)
    assert "**Decided:** left out" in texts(page) and "The researcher, " in texts(page)
    assert labels(lane(people.reviewer)).count("Save decision") == 0


def test_a_decision_that_was_taken_over_says_from_which_run(people: SimpleNamespace, run_id: str) -> None:
    for made in laid(people.owner, run_id):
        rule_on(people.owner, made, made.value)
    work(current_study().store)
    redoing.redo(people.owner, run_id, "order", StepChanges(), **act())
    work(current_study().store)
    page = opened(draw_runs, people.reviewer, run="2", part="steps", lane="rule", group="")
    assert texts(page).count("taken over from run 1") == 3
    listed = texts(opened(draw_runs, people.reviewer, run="2", part="steps"))
    assert "**3 earlier decisions**: 3 taken over" in listed
