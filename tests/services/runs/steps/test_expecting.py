"""A dry run of several steps: counted where inputs are known, expected by earlier runs or the protocol elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.running_server import RunningServer
from core.messages import message
from core.steps import Step, StepKind, TypicalRequests
from protocols import PROTOCOLS
from protocols.exchanges import Answered, Ask, Reading
from protocols.protocol import ModelRole
from protocols.samples import Sample
from services.runs import planning
from services.runs.benchmarks import LOADED, BenchmarkServices, Source, SourceRead
from services.runs.settings import BudgetSettings, PlannedStep, RunConfig, SampleSource
from services.runs.steps.expected_words import all_steps, of_step
from services.runs.steps.expecting import UNKNOWN
from services.study import current_study
from tests.pages.run_screens import drawn, table
from tests.pages.run_screens import texts as texts_of
from tests.runs.begun import work
from tests.runs.toy_protocol import STEPS, TOY, Toy, texts
from tests.services.run_parts import act, set_up
from tests.services.runs.toy_study import _toy, server

__all__ = ["_toy", "server"]
WANTED = RunConfig(
    title="",
    protocol=TOY.name,
    source=SampleSource(()),
    tasks=("task1",),
    variants=("context",),
    models=("scripted:plus",),
    roles={"judge": ("scripted:cycle",), "form": ("scripted:minus",)},
    repeats=2,
    budget=BudgetSettings(usd=5.0),
)
USUAL = TypicalRequests(requests=1.5, tokens_in=100, tokens_out=10, groups=2.0)


class Helped(Toy):
    """The toy whose first answers are put into form by a helper, and whose judge looks at the texts alone besides."""

    roles: Mapping[str, ModelRole] = {**Toy.roles, "form": ModelRole(title="Form", kinds=("instruct",))}
    usual: TypicalRequests | None = None

    def steps(self, settings: Mapping[str, Any]) -> tuple[Step, ...]:
        own = [replace(each, usual=self.usual) if each.name == "again" else each for each in STEPS]
        own = [replace(each, rounds=2) if each.name == "ask" else each for each in own]
        return (*own, Step(name="first", title="First look", kind=StepKind.ASK, takes=("texts",), role="judge"))

    def samples(self, step: Step, *given: Any) -> Any:
        return super().samples(replace(step, name="ask") if step.name == "first" else step, *given)

    def next(self, sample: Sample, prompts: Mapping[str, Any], so_far: Sequence[Answered]) -> Ask | Reading:
        if len(so_far) == 1 and sample.step == "ask":
            return Ask((message("user", f"Into form: {so_far[0].text}"),), "form corrected", "form")
        return super().next(sample, prompts, so_far)


@pytest.fixture
def toy(people: SimpleNamespace, _toy: None, server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> Helped:
    """A study in which runs of it can be planned: over two texts, later over four."""
    server.play({})
    server.forget()
    cards = ["scripted:plus", "scripted:cycle", "scripted:minus"]
    set_up(people.owner, server, cards, price_input=1.0, price_output=2.0)
    found = Helped()
    monkeypatch.setitem(PROTOCOLS, TOY.name, found)
    over(monkeypatch, 2)
    return found


def over(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    source = Source(
        words="texts", read=lambda r, wanted, trial: SourceRead(tuple(texts(count)), {"texts": "hash of them"})
    )
    monkeypatch.setitem(LOADED, TOY.name, BenchmarkServices(sources={"texts": source}))


def lines(people: SimpleNamespace) -> dict[str, PlannedStep]:
    plan = planning.plan(people.owner, WANTED)
    assert plan.faults == ()
    return {f"{each.step}{' further' if each.is_further else ''}": each for each in plan.steps}


@pytest.mark.both(usually=False)
@pytest.mark.usefixtures("study")
def test_later_steps_are_expected_as_in_earlier_runs(
    people: SimpleNamespace, toy: Helped, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = lines(people)
    assert list(found) == ["ask", "ask further", "again", "first"]
    assert (found["ask"].requests, found["ask"].is_about, found["ask"].models) == (4, False, ("scripted:plus",))
    assert (found["first"].requests, found["first"].is_about, found["first"].models) == (4, False, ("scripted:cycle",))
    assert found["first"].cost_usd is not None and found["first"].cost_usd > 0
    assert [(found[each].requests, found[each].cost_usd, found[each].basis) for each in ("again", "ask further")] == [
        (None, None, UNKNOWN)
    ] * 2
    assert all_steps(tuple(found.values())).endswith("; not known yet: Answers, Asked again")
    planning.start(people.owner, WANTED, **act())
    work(current_study().store)
    asked = server.log()["requests"]
    over(monkeypatch, 4)
    found = lines(people)
    assert (found["ask"].requests, found["ask"].cached) == (4, 4), "counted, and what is cached is not sent"
    again, further = found["again"], found["ask further"]
    assert (again.requests, again.is_about, again.models, again.basis) == (8, True, ("scripted:cycle",), "as in run 1")
    assert (further.requests, further.models) == (8, ("scripted:minus",)), "a helper's requests are its role's"
    assert (
        again.tokens_in
        and again.cost_usd
        and again.cost_usd == pytest.approx((again.tokens_in * 1.0 + (again.tokens_out or 0) * 2.0) / 1e6)
    )
    said = all_steps(tuple(found.values()))
    assert re.match(r"All steps: about 24 requests, [0-9,]+ tokens in, [0-9,]+ tokens out, about \$0\.0", said)
    assert of_step(again).startswith("Step Asked again: about 8 requests, about $0.0")
    assert server.log()["requests"] == asked, "a dry run sends nothing"


def test_without_an_earlier_run_the_protocol_says_what_is_usual(people: SimpleNamespace, toy: Helped) -> None:
    toy.usual = USUAL
    again = lines(people)["again"]
    assert (again.requests, again.tokens_in, again.tokens_out) == (12, 1200, 120)  # 2 keys × 2 × 1.5 × 2 repeats
    assert again.cost_usd == pytest.approx(1200e-6 + 240e-6)
    assert again.basis == "as the protocol expects"


def test_a_run_of_one_step_has_no_such_lines(people: SimpleNamespace) -> None:
    wanted = RunConfig(
        title="", source=SampleSource(()), tasks=("task1",), variants=("context",), baselines=("always-plus",)
    )
    assert planning.plan(people.owner, wanted).steps == ()


def test_the_screen_says_what_is_counted_what_is_about_and_that_the_budget_is_the_bound(
    people: SimpleNamespace, toy: Helped
) -> None:
    toy.usual = USUAL
    plan = planning.plan(people.owner, WANTED)
    page = AppTest.from_function(draw, kwargs={"plan": plan, "budget": WANTED.budget})
    drawn(page)
    assert "**All steps: about 20 requests, 1,2" in texts_of(page) and "; not known yet: Answers" in texts_of(page)
    assert [(each["Step"], each["Requests"], each["Cached"]) for each in table(page)] == [
        ("Answers", "4", "0"),
        ("Answers, further rounds", "–", "–"),
        ("Asked again", "about 12", "–"),
        ("First look", "4", "0"),
    ]
    assert f"Answers, further rounds: {UNKNOWN}; Asked again: as the protocol expects. " in texts_of(page)
    assert "The budget covers all steps together: $5.00." in texts_of(page)


def draw(plan: object, budget: object) -> None:
    from pages.runs import dry_run
    from services.runs import settings

    assert isinstance(plan, settings.DryRun)
    assert isinstance(budget, settings.BudgetSettings)
    dry_run.show(plan, budget)
