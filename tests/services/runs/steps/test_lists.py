"""Steps of a run and their groups as people see them, and a run of several steps that people steer."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.errors import BadInput, Missing, Refused
from core.people import Viewer
from core.runs.states import ItemStatus, ModelKind, RunState
from core.steps import GroupState, StepKind
from services.overview import overview
from services.runs import acts, model_cards, planning, reading
from services.runs.benchmarks import LOADED, BenchmarkServices, Source, SourceRead
from services.runs.exports import files
from services.runs.model_cards import ModelCardDraft
from services.runs.run_settings import config_of
from services.runs.settings import RunConfig, SampleSource
from services.runs.steps import lists as steps
from services.study import current_study
from tests.runs.begun import model, work
from tests.runs.toy_protocol import TOY, begin, texts
from tests.services.run_parts import act, set_up
from tests.services.runs.toy_study import _toy, seen, server

REPEATS = 3
__all__ = ["_toy", "server"]


@pytest.fixture
def run_id(_toy: None, server: RunningServer) -> str:
    """A run of five steps over four texts, one of whose questions fails once; the server has forgotten everything."""
    server.play({"rules": [{"matches": r"number 2\.$", "fault": "bad_request", "times": 1}]})
    server.forget()
    store = current_study().store
    made = begin(store, model(server.url), texts(4))
    work(store)
    return made


@pytest.mark.both(usually=False)
@pytest.mark.usefixtures("study")
def test_every_step_says_how_far_it_is_and_a_blocked_group_why(people: SimpleNamespace, run_id: str) -> None:
    ask, label, order, again, rule = steps.steps(people.owner, run_id)
    assert [each.step for each in (ask, label, order, again, rule)] == ["ask", "label", "order", "again", "rule"]
    assert (ask.kind, ask.groups, ask.done, ask.made) == (StepKind.ASK, 4, 4, 0)
    assert (ask.items[ItemStatus.ANSWERED], ask.items[ItemStatus.FAILED], ask.requests) == (11, 1, 12)
    assert ask.cost_usd is not None and ask.cost_usd > 0 and ask.cost_usd_reason == ""
    assert (label.kind, label.groups, label.done, label.blocked, label.made) == (StepKind.MAKE, 4, 3, 1, 3)
    assert (label.requests, label.cost_usd, label.cost_usd_reason) == (0, None, "no request was sent")
    assert (order.groups, again.groups, rule.groups) == (0, 0, 0)
    blocked = steps.group(people.owner, run_id, "label", "p02")
    assert blocked.state is GroupState.BLOCKED and "of 3 failed: " in blocked.reason
    assert len(blocked.inputs["ask"]) == 2
    done = steps.group(people.owner, "1", "label", "p01")
    (value,) = done.made
    assert (done.state, value.value["of"], value.key, value.flags, value.ruling) == (
        GroupState.DONE,
        3,
        "p01",
        (),
        None,
    )
    asked = steps.group(people.owner, "1", "ask", "p01")
    assert [(each.model, each.repeat, each.status) for each in asked.items] == [
        ("m", repeat, ItemStatus.ANSWERED) for repeat in range(REPEATS)
    ]
    assert [each.value for each in asked.inputs["texts"]] == ["Text number 1."]
    assert [(each.model, each.repeat) for each in done.inputs["ask"]] == [("m", repeat) for repeat in range(REPEATS)]
    (once,) = asked.items[0].rounds
    assert (once.messages[0][1], once.status) == ("Which sign? Text number 1.", ItemStatus.ANSWERED) and once.raw
    items = steps.group(people.owner, "1", "ask", "p02").items
    ((failed,),) = [each.rounds for each in items if each.status is ItemStatus.FAILED]
    assert (failed.status, failed.raw, failed.messages[0][1]) == (ItemStatus.FAILED, "", "Which sign? Text number 2.")
    paged = steps.group(people.owner, "1", "ask", "p01", offset=2, limit=2)
    assert (paged.items_total, [each.repeat for each in paged.items]) == (REPEATS, [2])
    with pytest.raises(Missing, match="Run 1 has no group “p09” of a step “ask”"):
        steps.group(people.owner, "1", "ask", "p09")


@pytest.mark.both
def test_groups_are_listed_by_key_and_found_by_step_state_and_what_stands_in_their_keys(
    people: SimpleNamespace, run_id: str
) -> None:
    page = steps.group_lines(people.owner, run_id)
    assert list(page.steps.values()) == ["Answers", "One label", "Order", "Asked again", "Ruling"]
    assert [line.key for line in page.lines] == ["p00", "p01", "p02", "p03"]
    assert {name: [(each.key, each.state) for each in cells] for name, cells in page.lines[2].cells.items()} == {
        "ask": [("p02", GroupState.DONE)],
        "label": [("p02", GroupState.BLOCKED)],
    }

    def keys(**wanted: Any) -> list[str]:
        found = steps.group_lines(people.owner, "1", **wanted)
        assert found.total == len(found.lines)
        return [line.key for line in found.lines]

    assert keys(state=GroupState.BLOCKED) == keys(is_unanswered=True) == keys(search="P02") == ["p02"]
    assert keys(step="label", state=GroupState.DONE) == ["p00", "p01", "p03"]
    assert keys(step="order") == keys(step="label", is_unanswered=True) == []
    second = steps.group_lines(people.owner, "1", offset=1, limit=2)
    assert (second.total, [line.key for line in second.lines]) == (4, ["p01", "p02"])
    with pytest.raises(BadInput, match="Found limit 0 and offset 0"):
        steps.group_lines(people.owner, "1", limit=0)
    acts.retry_failed(people.owner, run_id, **seen(people.owner, run_id))
    work(current_study().store)
    assert keys(step="rule", state=GroupState.DECIDING) == [""], "the whole run"


def test_a_run_that_is_held_says_so_and_goes_on_when_what_failed_is_asked_again(
    people: SimpleNamespace, run_id: str
) -> None:
    held = reading.progress(people.owner, run_id)
    assert (held.state, held.is_held) == (RunState.WAITING, True)
    assert held.reason.startswith("for a blocked group (label, p02): repeat ")
    (step,) = [one for one in overview(people.owner).next_steps if one.page == "runs"]
    assert (step.sentence, step.detail) == ("Run 1 is waiting", f"F{held.reason[1:]}")
    with pytest.raises(Refused, match="It must be paused"):
        acts.resume(people.owner, run_id, **seen(people.owner, run_id))
    acts.retry_failed(people.owner, run_id, **seen(people.owner, run_id))
    assert reading.progress(people.owner, run_id).state is RunState.QUEUED
    work(current_study().store)
    last = steps.steps(people.owner, run_id)[-1]
    assert (last.kind, last.deciding, last.made) == (StepKind.DECIDE, 1, 4 * REPEATS)
    assert reading.progress(people.owner, run_id).reason == "for people to decide 1 group of step rule"
    said = [words for _at, words in reading.card(people.owner, run_id).acts]
    assert said[-1] == "Waiting: for people to decide 1 group of step rule"
    acts.cancel(people.owner, run_id, **seen(people.owner, run_id))
    lines = exported(people.owner, run_id)["groups.jsonl"]
    by_step = {(each["step"], each["key"]): each for each in lines}
    assert len(by_step) == len(lines) == 4 * 4 + 2
    assert by_step["label", "p02"]["made"][0]["value"]["of"] == REPEATS
    assert len(by_step["rule", ""]["made"]) == 4 * REPEATS and len(by_step["ask", "p00"]["sample_places"]) == 1


def exported(viewer: Viewer, run_id: str) -> dict[str, Any]:
    """The lines of each file of a run's export, which is the same bytes each time."""
    content = [BytesIO(), BytesIO()]
    for each in content:
        files.export_run(viewer, run_id, each)
    assert content[0].getvalue() == content[1].getvalue()
    with zipfile.ZipFile(content[0]) as packed:
        names = [name for name in packed.namelist() if name.endswith(".jsonl")]
        return {Path(name).name: [json.loads(line) for line in packed.read(name).splitlines()] for name in names}


def test_a_run_of_several_steps_can_be_paused_and_resumed_between_them(people: SimpleNamespace, run_id: str) -> None:
    acts.pause(people.owner, run_id, **seen(people.owner, run_id))
    acts.resume(people.owner, run_id, **seen(people.owner, run_id))
    work(current_study().store)
    assert steps.steps(people.owner, run_id)[-1].deciding == 1


@pytest.mark.usefixtures("_toy")
def test_a_run_of_several_steps_begins_with_its_groups_and_says_what_it_lacks(
    people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its samples are made as it runs; the sources of the protocol bring what its first steps take."""
    server.play({})
    set_up(people.owner, server, ["scripted:plus", "scripted:cycle"])
    thinker = ModelCardDraft(name="thinker", endpoint="lab", model="thinker", kind=ModelKind.REASONING)
    model_cards.save_card(people.owner, thinker, seen=0, **act())
    given = [*texts(3), *texts(4, refused=[3])[3:]]
    source = Source(words="texts", read=lambda r, wanted, trial: SourceRead(tuple(given), {"texts": "hash of them"}))
    monkeypatch.setitem(LOADED, TOY.name, BenchmarkServices(sources={"texts": source}))
    several = RunConfig(
        title="",
        protocol=TOY.name,
        source=SampleSource(()),
        tasks=("task1",),
        variants=("context",),
        models=("scripted:plus",),
        roles={"judge": ("scripted:cycle",)},
        repeats=2,
    )
    plan = planning.plan(people.owner, several)
    assert (plan.faults, plan.samples, plan.items, plan.requests) == ((), 3, 6, 6)
    assert [(each.key, each.reason) for each in plan.excluded] == [("Answers, p03", "The text of p03 is none.")]
    assert plan.notices[0] == (
        "Counted here: Answers. What Asked again will ask is known only once the earlier steps are done."
    )
    given.pop()
    run_id = planning.start(people.owner, several, **act()).subject_id
    (ask, *later) = steps.steps(people.owner, run_id)
    assert (ask.groups, ask.waiting, [each.groups for each in later]) == (3, 3, [0, 0, 0, 0])
    work(current_study().store)
    (ask, label, _, again, rule) = steps.steps(people.owner, run_id)
    assert (ask.done, ask.items[ItemStatus.ANSWERED], label.done) == (3, 6, 3)
    assert (again.done, again.items[ItemStatus.ANSWERED], rule.deciding) == (3, 6, 1)
    assert {each.model for each in steps.group(people.owner, run_id, "again", "p00").items} == {"scripted:cycle"}
    kept = reading.card(people.owner, run_id).settings
    assert (kept["roles"], sorted(kept["models"])) == (
        {"judge": ["scripted:cycle"]},
        ["scripted:cycle", "scripted:plus"],
    )
    assert config_of(kept["wanted"]).roles == several.roles
    for roles, fault in (
        ({}, "Judge: 0 cards named for this role; expected 1."),
        ({"judge": ("scripted:cycle", "scripted:plus")}, "Judge: 2 cards named for this role; expected 1."),
        ({**several.roles, "critic": ("scripted:plus",)}, "Toy of steps has no role “critic”; choose from judge."),
        ({"judge": ("thinker",)}, "Judge: thinker is of kind reasoning; expected instruct."),
        ({"judge": ("nobody",)}, "No model card of this study is called “nobody”."),
    ):
        assert planning.plan(people.owner, replace(several, roles=roles)).faults == (fault,)
