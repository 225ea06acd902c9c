"""A step redone on the screen: New run filled in, what can be otherwise, its dry run, its start and what it lists."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer
from core.people import Viewer
from core.runs.options import OptionKind, RunOption
from pages.runs.steps import redo as redo_page
from services.runs import model_cards, reading
from services.runs.model_cards import ModelCardDraft
from services.runs.steps import lists as steps
from services.runs.steps import redoing
from services.runs.steps.redoing import StepChanges
from services.study import current_study
from tests.pages.run_screens import draw_runs, drawn, labels, opened, press, table, texts
from tests.runs.begun import model, work
from tests.runs.toy_protocol import TOY, begin
from tests.runs.toy_protocol import texts as toy_texts
from tests.services.run_parts import act, set_up
from tests.services.runs.toy_study import _toy, laid, rule_on, server
from tests.shared_fixture import laid_once

__all__ = ["_toy", "server"]


@pytest.fixture
def base(
    people: SimpleNamespace,
    _toy: None,
    server: RunningServer,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> str:
    """A run over three texts whose last step waits for people, who have decided on all but one value."""
    option = RunOption(name="most", title="Maximum words", kind=OptionKind.WHOLE, default=9, least=1, most=99)
    monkeypatch.setattr(TOY, "options", (option,), raising=False)
    server.play({})
    server.forget()

    def make() -> str:
        set_up(people.owner, server, ["scripted:plus"], price_input=1.0, price_output=2.0)
        run_id = begin(current_study().store, model(server.url), toy_texts(3))
        work(current_study().store)
        for made in laid(people.owner, run_id)[1:]:
            rule_on(people.owner, made, made.value)
        return run_id

    run_id = laid_once(request, current_study(), make, people)
    server.forget()
    return run_id


def form(viewer: Viewer, step: str, **more: str) -> AppTest:
    return opened(draw_runs, viewer, show="new", redo="1", step=step, **more)


def several(page: AppTest, label: str) -> Any:
    return next(each for each in page.multiselect if each.label == label)


def one(page: AppTest) -> Any:
    """The box of a step whose role takes one card."""
    return next(each for each in page.selectbox if each.label == "Model")


@pytest.mark.usefixtures("base")
def test_a_step_is_redone_from_a_form_filled_in_as_the_run_had_it(
    people: SimpleNamespace, server: RunningServer
) -> None:
    page = form(people.researcher, "again")
    said = texts(page)
    assert "New run: redo Asked again of run 1" in said
    assert one(page).value == "j" and several(page, "Groups").value == []
    assert one(page).options == ["scripted:plus · lab", "j · as in run 1"]
    for fixed in (
        "Samples: 3 groups, unless you choose some above; 3 repeats",
        "Step Answers: asks m",
        "It does not change: cached replies and values answer it, at no cost.",
        "Step Ruling: decided by people",
        "It comes after the redone step, so it is done again with the new values.",
        "Budget: none",
    ):
        assert fixed in said
    assert not {"Repeats per sample and model", "Budget ($)"} & {each.label for each in page.number_input}
    drawn(one(page).set_value("scripted:plus"))
    press(page, "Start dry run")
    said = texts(page)
    assert "Changed: cards: scripted:plus" in said and "**9 requests** to send; 9 cached replies used" in said
    assert [list(each.values()) for each in table(page)] == [
        ["Answers", "9", "0", "9", "$0.0000"],
        ["Asked again", "9", "9", "0", "about $0.0004"],
    ]
    assert "**3 groups**" in said and "p00, p01, p02" in said
    assert "Ruling: 8 decisions taken over where the value comes out equal, otherwise to be decided again" in said
    assert server.log()["requests"] == 0
    page = form(people.researcher, "again")
    assert one(page).value == "scripted:plus", "the draft has it"
    press(page, "Start dry run")
    press(page, "Start run")
    assert "".join(page.query_params["run"]) == "2" and "show" not in page.query_params
    work(current_study().store)
    assert server.log()["requests"] == 9
    new = opened(draw_runs, people.reviewer, run="2", part="steps")
    said = texts(new)
    assert "Redone from run 1, step Asked again" in said and "Redo step" not in labels(new)
    assert "**8 earlier decisions**: 8 to be decided again" in said and "p01: decided as " in said
    drawn(next(each for each in new.button if each.key == "runs.older.rule.").click())
    assert "".join(new.query_params["lane"]) == "rule"
    assert "Redone as run 2, step Asked again" in texts(opened(draw_runs, people.reviewer, run="1"))


@pytest.mark.usefixtures("base")
def test_a_group_is_redone_alone_with_an_option_of_its_step(people: SimpleNamespace) -> None:
    page = form(people.owner, "label", key="p01")
    assert several(page, "Groups").value == ["p01"] and "key" not in page.query_params
    assert [each.label for each in page.multiselect] == ["Groups"], "it asks nobody"
    (most,) = page.number_input
    drawn(most.set_value(7))
    press(page, "Start dry run")
    said = texts(page)
    assert "Changed: most: 7" in said and "**1 group**" in said
    assert "**About 3 requests in later steps**; 3 cached replies used" in said
    press(page, "Start run")
    work(current_study().store)
    assert steps.steps(people.owner, "2")[1].groups == 1
    assert reading.card(people.owner, "2").settings["redo"]["options"]["label"] == {"most": 7}
    again = form(people.owner, "label", key="p02")
    assert several(again, "Groups").value == ["p02"]
    assert [each.value for each in again.number_input] == [None], "begun, so the draft is gone"


@pytest.mark.usefixtures("base")
def test_of_very_many_groups_those_are_named_that_somebody_types(
    people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redo_page, "MOST_OFFERED", 2)
    page = form(people.owner, "again", key="p01")
    assert (several(page, "Groups").value, several(page, "Groups").options) == (["p01"], ["p01"])
    drawn(several(page, "Groups").set_value(["p01", "p09"]))
    press(page, "Start dry run")
    assert "Run 1 has no group “p09” in its sources" in texts(page)


def test_a_card_that_was_changed_since_is_asked_as_it_was_unless_somebody_wants_it_new(
    people: SimpleNamespace, base: str
) -> None:
    redoing.redo(people.owner, base, "again", StepChanges(models=("scripted:plus",)), **act())
    work(current_study().store)
    (card,) = model_cards.list_cards(people.owner)
    changed = ModelCardDraft(
        id=card.id, name=card.name, endpoint=card.endpoint, model=card.model, parameters={"temperature": 0.5}
    )
    model_cards.save_card(people.owner, changed, seen=card.version, **act())
    page = opened(draw_runs, people.owner, show="new", redo="2", step="again")
    (now,) = page.checkbox
    assert now.label == "Use the current model card: scripted\\:plus"
    press(page, "Start dry run")
    assert "Changed: nothing" in texts(page) and "**No cost**" in texts(page)
    drawn(page.checkbox[0].check())
    assert "Settings have changed. Run the dry run again." in texts(page)
    press(page, "Start dry run")
    assert "Changed: cards: scripted:plus" in texts(page) and "**9 requests** to send" in texts(page)


def test_a_run_at_work_and_people_who_may_not_are_told_so(people: SimpleNamespace, base: str) -> None:
    begin(current_study().store, model("http://127.0.0.1:9"), toy_texts(1))
    page = opened(draw_runs, people.owner, show="new", redo="2", step="ask")
    assert several(page, "Models").value == ["m"]
    drawn(several(page, "Models").set_value([]))
    assert next(each for each in page.button if each.label == "Start dry run").disabled
    assert "Run 2 is queued. Pause it, or wait until it ends, then redo a step of it." in texts(page)
    assert next(each for each in page.button if each.label == "Start dry run").disabled
    shown = opened(draw_runs, people.owner, run="2")
    assert [each.disabled for each in shown.button if each.label == "Redo step"] == [True]
    rested = opened(draw_runs, people.owner, run="1")
    assert [each.disabled for each in rested.button if each.label == "Redo step"] == [False] * 5
    lane = opened(draw_runs, people.owner, run="1", part="steps", lane="label", group="p01")
    assert "Redo group" in labels(lane)
    other = opened(draw_runs, people.reviewer, show="new", redo="1", step="ask")
    assert "Start dry run" not in labels(other)
    missing = opened(draw_runs, people.owner, show="new", redo="1", step="nothing")
    assert "Run 1 has no step “nothing”; choose from ask, label, order, again, rule." in texts(missing)
