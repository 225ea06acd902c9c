"""A step of a run redone: a new run, in which what did not change costs nothing and rulings on equal values hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.errors import BadInput, Refused
from core.people import Viewer
from core.runs.states import RunState
from core.steps import Span, Step, StepKind
from protocols import PROTOCOLS
from protocols.samples import Samples
from protocols.step_values import Inputs
from runs.steps.stepped_run import stepped_run
from services.runs import acts, reading
from services.runs.steps import lists as steps
from services.runs.steps import older_rulings, redoing
from services.runs.steps.older_rulings import RulingOutcome
from services.runs.steps.redoing import StepChanges
from services.study import current_study
from tests.runs.begun import model, rows, work
from tests.runs.toy_protocol import REPEATS, TOY, Toy, begin, told
from tests.runs.toy_protocol import texts as toy_texts
from tests.services.run_parts import act, set_up
from tests.services.runs.toy_study import _toy, laid, rule_on, seen, server

__all__ = ["_toy", "server"]
TEXTS = 3


class Decided(Toy):
    """People decide on the labels before the judge is asked, and on what the judge says."""

    def steps(self, settings: Mapping[str, Any]) -> tuple[Step, ...]:
        return (
            Step(name="ask", title="Answers", kind=StepKind.ASK, takes=("texts",)),
            Step(name="label", title="One label", kind=StepKind.MAKE, takes=("ask",), span=Span.GROUP),
            Step(name="order", title="Checked", kind=StepKind.DECIDE, takes=("label",), span=Span.ALL),
            Step(
                name="again", title="Again", kind=StepKind.ASK, takes=("order", "texts"), span=Span.GROUP, role="judge"
            ),
            Step(name="rule", title="Ruling", kind=StepKind.DECIDE, takes=("again",), span=Span.ALL),
        )

    def samples(
        self, step: Step, inputs: Inputs, settings: Mapping[str, Any], start: int = 0, count: int | None = None
    ) -> Samples:
        if step.name == "again":
            ((order,), (text,)) = inputs.values["order"], inputs.values["texts"]
            given = replace(order, value={"label": order.value["label"], "place": 0})
            inputs = Inputs(inputs.key, {"order": (given,), "texts": (text,)})
        return super().samples(step, inputs, settings, start, count)


def rule_on_all(owner: Viewer, run_id: str, step: str) -> None:
    for made in laid(owner, run_id, step):
        if made.ruling is None:
            rule_on(owner, made, made.value)
    work(current_study().store)


@pytest.fixture
def base(people: SimpleNamespace, _toy: None, server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run in which people have decided on everything; the server has forgotten what it was asked."""
    server.play({})
    server.forget()
    monkeypatch.setitem(PROTOCOLS, TOY.name, Decided())
    set_up(people.owner, server, ["scripted:plus"])
    store = current_study().store
    run_id = begin(store, model(server.url), toy_texts(TEXTS))
    work(store)
    rule_on_all(people.owner, run_id, "order")
    rule_on_all(people.owner, run_id, "rule")
    assert reading.progress(people.owner, run_id).state is RunState.DONE
    assert server.log()["requests"] == 2 * TEXTS * REPEATS
    server.forget()
    return run_id


def redo(viewer: Viewer, run_id: str, step: str, changes: StepChanges, groups: Collection[str] | None = None) -> str:
    return redoing.redo(viewer, run_id, step, changes, groups, **act()).subject_id


def fates(viewer: Viewer, run_id: str) -> Counter[tuple[str, RulingOutcome]]:
    return Counter((each.step, each.outcome) for each in older_rulings.older_rulings(viewer, run_id))


@pytest.mark.usefixtures("study")
def test_a_step_is_redone_with_another_card_and_nothing_else_is_asked_again(
    people: SimpleNamespace, server: RunningServer, base: str
) -> None:
    store, owner = current_study().store, people.owner
    before = told(store, base)
    wanted = StepChanges(models=("scripted:plus",))
    plan = redoing.plan_redo(owner, base, "again", wanted)
    assert [(each.step, each.items, each.requests, each.cached, each.is_about) for each in plan.steps] == [
        ("ask", 9, 0, 9, False),
        ("again", 9, 9, 0, False),
    ]
    assert (plan.run, plan.groups, plan.changes) == (1, ("p00", "p01", "p02"), "cards: scripted:plus")
    new = redo(owner, "1", "again", wanted)
    assert fates(owner, new) == {("order", RulingOutcome.LATER): TEXTS, ("rule", RulingOutcome.LATER): 9}
    work(store)
    assert {each["model"] for each in server.log()["entries"]} == {"scripted:plus"}
    assert server.log()["requests"] == TEXTS * REPEATS
    assert rows(store, "SELECT based_on FROM run WHERE id = :run", run=new) == [(base,)]
    assert all(each.ruling["from_run"] == base for each in laid(owner, new, "order"))
    assert fates(owner, new) == {("order", RulingOutcome.TAKEN_OVER): TEXTS, ("rule", RulingOutcome.AGAIN): 9}
    assert reading.progress(owner, new).reason == "for people to decide 1 group of step rule"
    rule_on_all(owner, new, "rule")
    assert reading.progress(owner, new).state is reading.progress(owner, base).state is RunState.DONE
    assert told(store, base) == before
    assert next(words for _at, words in reading.card(owner, new).acts) == "Created to redo a step"
    assert reading.card(owner, new).deviations[-1].chosen == "cards: scripted:plus"
    asked = {each.model for each in steps.group(owner, new, "ask", "p00").items}
    assert asked == {"m"} and older_rulings.older_rulings(owner, base) == ()


@pytest.mark.both(usually=False)
@pytest.mark.usefixtures("study")
def test_some_groups_go_through_a_redo_alone_and_what_is_equal_keeps_its_rulings(
    people: SimpleNamespace, server: RunningServer, base: str
) -> None:
    new = redo(people.owner, base, "label", StepChanges(), ["p00", "p02"])
    work(current_study().store)
    assert server.log()["requests"] == 0
    assert reading.progress(people.owner, new).state is RunState.DONE
    assert fates(people.owner, new) == {("order", RulingOutcome.TAKEN_OVER): 2, ("rule", RulingOutcome.TAKEN_OVER): 6}
    third = redo(people.owner, new, "rule", StepChanges())
    work(current_study().store)
    assert fates(people.owner, third) == {("order", RulingOutcome.TAKEN_OVER): 2, ("rule", RulingOutcome.AGAIN): 6}
    assert {each.ruling["from_run"] for each in laid(people.owner, third, "order")} == {base}


def test_a_redo_that_does_not_fit_says_what_is_wrong_and_begins_nothing(people: SimpleNamespace, base: str) -> None:
    owner = people.owner
    for step, changes, keys, said in (
        ("judge", StepChanges(), None, "no step “judge”; choose from ask, label, order, again, rule"),
        ("label", StepChanges(models=("scripted:plus",)), None, "Step label asks no model"),
        ("again", StepChanges(models=("nobody",)), None, "No model card of this study is called “nobody”"),
        ("again", StepChanges(options={"speed": 1}), None, "no option “speed”"),
        ("again", StepChanges(prompts_folder="none"), None, "changes no prompt of step again"),
        (
            "again",
            StepChanges(),
            ["p09"],
            r"no group “p09” in its sources; it has 3 groups, such as p00, p01, p02",
        ),
        ("again", StepChanges(), [], "No group is named"),
    ):
        with pytest.raises(BadInput, match=said):
            redo(owner, base, step, changes, keys)
    assert len(reading.runs(owner)) == 1
    new = redo(owner, base, "again", StepChanges(models=("scripted:plus",)))
    with pytest.raises(Refused, match=r"Run 2 is queued\. Pause it, or wait until it ends"):
        redo(owner, new, "again", StepChanges())
    acts.cancel(owner, new, **seen(owner, new))
    with current_study().store.reading() as session:
        found = stepped_run(session, new)
    assert found is not None and found.cards == {"ask": ["m"], "again": ["scripted:plus"]}
