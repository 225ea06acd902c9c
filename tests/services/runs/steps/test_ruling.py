"""People rule on what a run lays before them, and the run goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.errors import BadInput, Conflict, Missing, Refused
from core.runs.states import RunState
from core.steps import GroupState, Span, Step, StepKind
from protocols import PROTOCOLS
from protocols.step_values import Inputs, Making, StepOutput
from services.runs import acts, reading
from services.runs.steps import lists as steps
from services.runs.steps import ruling
from services.study import current_study
from tests.runs.begun import model, work
from tests.runs.toy_protocol import STEPS, TOY, Toy, begin, texts
from tests.services.run_parts import act
from tests.services.runs.toy_study import _toy, laid, rule_on, seen, server

__all__ = ["_toy", "server"]


class Ending(Toy):
    """The toy, and a step that takes what people said."""

    def steps(self, settings: Mapping[str, Any]) -> tuple[Step, ...]:
        return (*STEPS, Step(name="end", title="End", kind=StepKind.MAKE, takes=("rule",), span=Span.GROUP))

    def make(self, step: Step, inputs: Inputs, settings: Mapping[str, Any]) -> Making:
        if step.name != "end":
            return super().make(step, inputs, settings)
        return Making((StepOutput(inputs.key, [value.value for value in inputs.values["rule"]]),))


@pytest.fixture
def run_id(_toy: None, server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run over two texts that waits for people; six values are laid before them."""
    server.play({})
    monkeypatch.setitem(PROTOCOLS, TOY.name, Ending())
    made = begin(current_study().store, model(server.url), texts(2))
    work(current_study().store)
    return made


@pytest.mark.usefixtures("study")
def test_a_run_goes_on_with_what_people_ruled_once_they_have_ruled_on_all(people: SimpleNamespace, run_id: str) -> None:
    assert reading.progress(people.owner, run_id).is_held
    (*most, last) = laid(people.owner, run_id)
    for made in most:
        rule_on(people.owner, made, made.value)
    assert reading.progress(people.owner, run_id).state is RunState.WAITING
    ruling.rule(people.owner, last.id, {"sign": "none"}, " seen on  the page ", seen=1, **act())
    assert reading.progress(people.owner, run_id).state is RunState.QUEUED
    work(current_study().store)
    assert reading.progress(people.owner, run_id).state is RunState.DONE
    assert steps.group(people.owner, run_id, "rule", "").state is GroupState.DONE
    said = laid(people.owner, run_id)[-1].ruling
    assert (said["value"], said["why"]) == ({"sign": "none"}, "seen on  the page")
    assert said["by"] == people.owner.person_id and said["at"].startswith("20")
    (ended,) = steps.group(people.owner, run_id, "end", last.key).made
    assert ended.value[-1] == {"sign": "none"} and len(ended.value) == 3
    told = [words for _at, words in reading.card(people.owner, run_id).acts]
    assert told[-2:] == ["Decided by people", "Done"] and told.count("Decided by people") == 6


@pytest.mark.usefixtures("study")
def test_what_people_leave_out_no_later_step_takes(people: SimpleNamespace, run_id: str) -> None:
    values = laid(people.owner, run_id)
    assert steps.steps(people.owner, run_id)[-2].undecided == 6
    of_first = [each.key == values[0].key for each in values]
    for made, is_first in zip(values, of_first, strict=True):
        is_out = is_first or made is values[-1]
        why = "no sign is printed" if is_out else ""
        ruling.rule(people.owner, made.id, made.value, why, seen=1, is_left_out=is_out, **act())
    assert steps.steps(people.owner, run_id)[-2].undecided == 0
    work(current_study().store)
    assert reading.progress(people.owner, run_id).state is RunState.DONE
    first, last = (steps.group(people.owner, run_id, "end", values[place].key) for place in (0, -1))
    assert (first.state, first.reason, first.made) == (GroupState.DONE, "3 values left out by people", ())
    assert [len(each.value) for each in last.made] == [2] and last.reason == "1 value left out by people"
    said = laid(people.owner, run_id)[0]
    assert said.ruling["left_out"] and said.ruling["value"] is None and said.value is not None
    assert (said.ruled_by, said.ruled_in) == ("The owner", None)


@pytest.mark.both(usually=False)
@pytest.mark.usefixtures("study")
def test_a_ruling_is_of_the_value_that_was_seen_and_only_while_it_is_before_people(
    people: SimpleNamespace, run_id: str
) -> None:
    first, *_ = laid(people.owner, run_id)
    rule_on(people.owner, first, "+")
    with pytest.raises(Conflict, match="Someone has decided on this value since"):
        rule_on(people.owner, first, "-")
    assert laid(people.owner, run_id)[0].ruling["value"] == "+"
    rule_on(people.owner, replace(first, version=2), None)
    assert laid(people.owner, run_id)[0].ruling["value"] is None
    (made,) = laid(people.owner, run_id, "label", "p00")
    with pytest.raises(
        Refused,
        match=r"The group \(step label, group p00\) of run 1 is done\. Its values can be decided only while",
    ):
        rule_on(people.owner, made, "+")
    with pytest.raises(Missing, match="no such value"):
        rule_on(people.owner, replace(made, id="none"), "+")
    with pytest.raises(BadInput, match="The value is not JSON"):
        rule_on(people.owner, first, float("nan"))
    for given in ({"value": "other"}, {"value": first.value, "is_left_out": True}):
        with pytest.raises(BadInput, match="changed or left out needs a reason"):
            ruling.rule(people.owner, first.id, why=" ", seen=3, **given, **act())
    with pytest.raises(BadInput, match="2,001 characters; at most 2,000"):
        rule_on(people.owner, first, "+", "y" * 2001)
    acts.cancel(people.owner, run_id, **seen(people.owner, run_id))
    with pytest.raises(Refused, match="Run 1 is cancelled"):
        rule_on(people.owner, replace(first, version=3), "+")


def test_rulings_on_a_paused_run_are_kept_and_it_goes_on_when_it_is_resumed(
    people: SimpleNamespace, run_id: str
) -> None:
    acts.pause(people.owner, run_id, **seen(people.owner, run_id))
    for made in laid(people.owner, run_id):
        rule_on(people.owner, made, made.value)
    assert reading.progress(people.owner, run_id).state is RunState.PAUSED
    acts.resume(people.owner, run_id, **seen(people.owner, run_id))
    work(current_study().store)
    assert reading.progress(people.owner, run_id).state is RunState.DONE
