"""Setting up and steering runs: the dry run's numbers, the cache, budgets, changed prompts, and every act's rules."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import BadInput, Conflict, EdgewiseError, Missing, Refused
from core.messages import MessageSize
from core.people import Viewer
from core.runs.budget import dollars
from core.runs.filters import FailureFilters
from core.runs.states import Blocker, ItemStatus, RunState
from runs import context_limits
from runs.budget import ModelLimits
from services.failures import failures
from services.runs import acts, cache, model_cards, planning, reading
from services.runs.exports import files
from services.runs.model_cards import ModelCardDraft
from services.runs.prompts import PromptsChanged
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.study import Study
from store import run_blockers
from store.runs import runs
from tests.services.run_parts import act, finished, set_up, start, work_here
from tests.services.scoring_parts import bring_in, rows_of

PLUS = "scripted:plus"


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def ready(people: SimpleNamespace, server: RunningServer) -> RunConfig:
    """Forty triplets, an endpoint, one model; the server has forgotten everything."""
    server.play({})
    server.forget()
    set_up(people.owner, server, [PLUS], price_input=2.0, price_output=10.0)
    collection = bring_in(people.owner, rows_of(40, context="A country, at some time."))
    return RunConfig(
        title="Forty", source=SampleSource((collection,)), tasks=("task1",), variants=("context",), models=(PLUS,)
    )


def now(viewer: Viewer, run_id: str) -> dict[str, Any]:
    """What an act needs: the version that was seen, and an id."""
    return {"seen": reading.progress(viewer, run_id).version, **act()}


def set_limits(owner: Viewer, **limits: Any) -> None:
    """Change what the card of PLUS says."""
    (card,) = model_cards.list_cards(owner)
    before = {each.name: getattr(card, each.name) for each in fields(ModelCardDraft)}
    model_cards.save_card(owner, ModelCardDraft(**before | limits), seen=card.version, **act())


def state(viewer: Viewer, run_id: str) -> RunState:
    return reading.progress(viewer, run_id).state


# --- the dry run ----------------------------------------------------------------------------------------------------


def test_a_dry_run_counts_requests_tokens_and_cost_and_writes_nothing(
    sqlite_study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer
) -> None:
    wanted = replace(ready, repeats=2, parameters={"max_tokens": 100}, baselines=("always-plus",))
    plan = planning.plan(people.researcher, wanted)
    assert (plan.samples, plan.items, plan.requests, plan.cached) == (40, 40 * 2 + 40, 80, 0)
    assert plan.tasks[0].answers == {"+": 20, "None": 20}
    run_id = start(people.researcher, wanted)
    sizes = []
    for line in failures.failures(people.researcher, FailureFilters(models=(PLUS,)), limit=500).lines:
        messages = failures.item(people.researcher, line.item_id).messages
        sizes.append([len(text.encode()) for _role, text in messages])
    assert plan.tokens_in == sum(math.ceil(size / 4) + 4 for each in sizes for size in each)
    assert plan.tokens_out_most == 80 * 100 and plan.tokens_out_likely == 80 * 100  # 150, but for the limit
    assert plan.cost_likely == pytest.approx((plan.tokens_in * 2 + 8_000 * 10) / 1e6)
    most_in = sum(size + 16 for each in sizes for size in each)
    assert plan.cost_most == pytest.approx((most_in * 2 + 8_000 * 10) / 1e6)
    assert [(each.what, each.default, each.chosen) for each in plan.deviations] == [
        ("repeats", "1", "2"),
        (f"max tokens ({PLUS})", "2000", "100"),
    ]
    assert any("temperature 0" in each for each in plan.notices)
    assert server.log()["requests"] == 0
    assert [each.hash for each in plan.prompts] == [
        each.hash for each in reading.card(people.researcher, run_id).prompts
    ]


def test_what_was_answered_once_is_asked_no_second_time(
    study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer
) -> None:
    first = start(people.researcher, ready)
    assert finished(study, people.researcher, first).requests == 40
    plan = planning.plan(people.researcher, replace(ready, repeats=2))
    assert (plan.requests, plan.cached) == (40, 40)
    again = start(people.researcher, replace(ready, title="Again"))
    done = finished(study, people.researcher, again)
    assert (done.state, done.requests, done.cached) == (RunState.DONE, 0, 40)
    assert server.log()["requests"] == 40
    (kept,) = cache.stats(people.reviewer)
    assert (kept.replies, kept.uses, kept.runs) == (40, 80, 2)
    assert cache.replies(people.reviewer, limit=3).total == 40
    # What is expected of answers is learned from those that are kept.
    assert planning.plan(people.researcher, replace(ready, seed=2, repeats=2)).tokens_out_likely == 40 * 16


def test_what_is_longer_than_a_model_s_context_is_left_out_with_both_numbers(
    sqlite_study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer
) -> None:
    long = bring_in(people.owner, rows_of(2, context="A country. " * 4_000), "long.jsonl")
    set_limits(people.owner, context_length=8_192)
    source = SampleSource((*ready.source.collections, long))
    wanted = replace(ready, source=source, repeats=2, baselines=("always-plus",))
    plan = planning.plan(people.researcher, wanted)
    assert (plan.samples, plan.items, plan.requests) == (42, 42 * 2 + 42, 80)
    reasons = {each.reason for each in plan.excluded}
    (tokens,) = {
        int(found[1].replace(",", "")) for why in reasons if (found := re.match(r"About ([\d,]+) tokens", why))
    }
    assert 11_000 < tokens < 11_500  # 44,000 bytes and a prompt, a quarter of each
    assert reasons == {f"About {tokens:,} tokens, more than the context length of {PLUS}, 8,192."}
    assert len(plan.excluded) == 2
    run_id = start(people.researcher, wanted)
    assert [each[-1] for each in reading.card(people.researcher, run_id).excluded] == [*reasons] * 2
    done = finished(sqlite_study, people.researcher, run_id)
    assert done.by_status[ItemStatus.EXCLUDED] == 4 and done.state is RunState.DONE
    assert server.log()["requests"] == 80
    left = FailureFilters(statuses=(ItemStatus.EXCLUDED,))
    assert {each.fault for each in failures.failures(people.researcher, left).lines} == reasons


PICTURE, PDF = MessageSize((100,), pictures=1), MessageSize((100,), pages=(12,))


@pytest.mark.parametrize(
    ("size", "limits", "fault"),
    [
        (
            PICTURE,
            {},
            "The card of GPT-x does not say that it accepts pictures; change the card, choose another, or leave out "
            "the pictures.",
        ),
        (
            PICTURE,
            {"takes_images": False, "tokens_per_image": 9},
            "The card of GPT-x does not say that it accepts pictures",
        ),
        (
            PDF,
            {"takes_images": True},
            "The card of GPT-x does not say that it accepts PDFs; change the card or leave out the PDFs.",
        ),
        (
            PDF,
            {"takes_pdfs": True},
            "GPT-x cannot be asked: its card gives neither tokens per page nor a context length, so the maximum cost "
            "of a PDF is unknown.",
        ),
        (PICTURE, {"takes_images": True}, "its card gives neither tokens per picture nor a context length"),
        (
            MessageSize((), pages=(None,)),
            {"takes_pdfs": True, "tokens_per_page": 9},
            "the number of pages of a PDF is unknown",
        ),
        (PDF, {"takes_pdfs": True, "tokens_per_page": 1_500}, ""),
        (PDF, {"takes_pdfs": True, "context_length": 8_192}, ""),
        (PICTURE, {"takes_images": True, "tokens_per_image": 1_000}, ""),
        (MessageSize((100,)), {}, ""),
    ],
)
def test_a_model_without_eyes_or_bounds_is_refused(size: MessageSize, limits: dict[str, Any], fault: str) -> None:
    card = ModelLimits(**limits)
    with pytest.raises(BadInput, match=re.escape(fault)) if fault else nullcontext():
        context_limits.require_taken("GPT-x", [MessageSize((9,)), size], card)


def test_pages_that_do_not_fit_are_left_out_and_files_of_unknown_size_are_not() -> None:
    card = ModelLimits(context_length=16_000, takes_pdfs=True, tokens_per_page=1_500)
    assert "About 18,029 tokens" in context_limits.too_long_for("GPT-x", PDF, card)
    assert context_limits.too_long_for("GPT-x", PDF, replace(card, tokens_per_page=None)) == ""
    assert context_limits.too_long_for("GPT-x", PDF, replace(card, context_length=None)) == ""


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"source": SampleSource(())}, "No collection is chosen"),
        ({"source": SampleSource(("nothing",))}, "no such collection"),
        ({"tasks": ()}, "No task"),
        ({"tasks": ("task9",)}, "no task “task9”"),
        ({"tasks": ("task2",)}, "No sample of the chosen tasks"),
        ({"variants": ("upside-down",)}, "has the variant “upside-down”"),
        ({"variants": ("as-released",)}, "has no released question|No sample of the chosen tasks"),
        ({"models": ()}, "Neither a model nor a baseline"),
        ({"models": ("nobody",)}, "No model card of this study is called “nobody”"),
        ({"baselines": ("oracle",)}, "Unknown baseline “oracle”"),
        ({"repeats": 0}, "Repeats"),
        ({"seed": -1}, "Random seed"),
        ({"most_samples": 0}, "Maximum samples"),
        ({"parameters": {"heat": 2}}, "Unknown parameter “heat”"),
        ({"parameters": {"temperature": 9}}, "Parameter temperature"),
        ({"budget": BudgetSettings(usd=-1.0)}, "Budget: found"),
        ({"budget": BudgetSettings(requests=0)}, "Budget: found"),
        ({"protocol": "unheard-of"}, "Unknown protocol"),
        ({"prompts_folder": "../elsewhere"}, "EDGEWISE_HOME"),
        ({"prompts_folder": "missing"}, "There is no folder of prompts"),
        ({"source_built": True, "variants": ("as-released",)}, "as-released"),
    ],
)
def test_what_cannot_be_run_is_said_by_the_plan_and_refused_by_the_start(
    changed: dict[str, Any], fault: str, sqlite_study: Study, people: SimpleNamespace, ready: RunConfig
) -> None:
    if changed.pop("source_built", False):
        changed["source"] = SampleSource(ready.source.collections, is_built=True)
    wanted = replace(ready, **changed)
    plan = planning.plan(people.researcher, wanted)
    assert plan.faults, plan
    with pytest.raises(EdgewiseError, match=fault):
        start(people.researcher, wanted)
    assert reading.runs(people.researcher) == ()


def test_tasks_are_built_from_triplets_with_their_seed_and_vectors(
    sqlite_study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    rows = [
        {
            "paper_id": n,
            "publication_year": 2000 + n % 2,
            "published_venue": "Econometrica",
            "treatment": "Minimum wages",
            "outcome": f"Employment of {('teens', 'youths')[n % 2]}",
            "sign": "+-"[n % 2],
            "context": f"Place {n}.",
        }
        for n in range(12)
    ]
    source = SampleSource((bring_in(people.owner, rows),), is_built=True)
    wanted = RunConfig(
        title="Built",
        source=source,
        tasks=("task1", "task2", "task3"),
        variants=("context",),
        baselines=("copy-examples",),
        options={"per_stratum": 4, "threshold": 0.6, "flip_rule": "target-sign"},
    )
    plan = planning.plan(people.researcher, wanted)
    assert plan.faults == () and [each.samples for each in plan.tasks] == [8, 12, 36]
    assert {each.what for each in plan.deviations} == {"embedder", "flip rule", "per stratum", "threshold"}
    assert any("letters, not meanings" in each for each in plan.notices)
    run_id = start(people.researcher, wanted)
    made = reading.card(people.researcher, run_id)
    assert made.settings["wanted"]["flip_rule"] == "target-sign" and made.settings["wanted"]["source"]["is_built"]
    set_up(people.owner, server, [])
    by_model = replace(wanted, options={**wanted.options, "embedder": "lab/embedder"})
    short = planning.plan(people.researcher, by_model)
    assert (short.faults, short.vectors_missing, short.is_bound) == ((), 3, True)
    assert [each.samples for each in short.tasks] == [8, 12, 36]


# --- steering -------------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_a_run_is_paused_resumed_renamed_cancelled_and_archived_within_its_rules(
    study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer
) -> None:
    v = people.researcher
    run_id = start(v, ready)
    with pytest.raises(Refused, match="pause or cancel it first"):
        acts.archive(v, run_id, True, **now(v, run_id))
    stale = now(v, run_id)
    acts.pause(v, run_id, **now(v, run_id))
    with pytest.raises(Conflict):
        acts.rename(v, run_id, "Late", **stale)
    assert finished(study, v, run_id).state is RunState.PAUSED and server.log()["requests"] == 0
    once = now(v, run_id)
    acts.resume(v, run_id, **once)
    assert acts.resume(v, run_id, **once).is_repeat
    assert finished(study, v, run_id).by_status[ItemStatus.ANSWERED] == 40
    with pytest.raises(Refused, match="no pending or failed item"):
        acts.resume(v, run_id, **now(v, run_id))
    with pytest.raises(Refused, match="is done"):
        acts.cancel(v, run_id, **now(v, run_id))
    with pytest.raises(BadInput, match="has 201 characters; at most 200"):
        acts.rename(v, run_id, "x" * 201, **now(v, run_id))
    acts.rename(v, run_id, f" A  better title {'x' * 185}", **now(v, run_id))
    acts.rescore(v, run_id, **now(v, run_id))
    acts.archive(v, run_id, True, **now(v, run_id))
    assert reading.runs(v) == () and failures.failures(v).total == 0
    assert failures.failures(v, FailureFilters(runs=(run_id,))).total == 40
    (line,) = reading.runs(v, with_archived=True)
    assert (line.title, line.number, line.is_archived) == (f"A better title {'x' * 185}", 1, True)
    assert [said.partition(":")[0] for _at, said in reading.card(v, "1").acts] == [
        "Created",
        "Paused",
        "Resumed",
        "Done",
        "Renamed",
        "Re-scored",
        "Archived",
    ]
    other = start(v, replace(ready, repeats=3))
    acts.cancel(v, other, **now(v, other))
    assert finished(study, v, other).state is RunState.CANCELLED and server.log()["requests"] == 40
    with pytest.raises(Refused):
        acts.resume(v, other, **now(v, other))
    with pytest.raises(Missing):
        reading.progress(v, "99")


def test_a_run_that_waits_is_tried_at_once_paused_and_never_archived(
    study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer
) -> None:
    v = people.researcher
    run_id = start(v, ready)
    with pytest.raises(Refused, match=r"is queued\. It must be waiting"):
        acts.try_now(v, run_id, **now(v, run_id))
    lost = Blocker("lab", "the server h:4000 refuses connections", study.clock() - timedelta(minutes=7))

    def wait() -> None:
        with study.store.writing() as session:
            runs.set_state(session, run_id, RunState.RUNNING, "", study.clock(), only_from=[RunState.QUEUED])
            assert run_blockers.note(session, run_id, study.clock(), found=[lost])

    wait()
    waiting = reading.progress(v, run_id)
    (line,) = reading.runs(v)
    assert (waiting.state, waiting.reason, waiting.blockers) == (RunState.WAITING, lost.why, (lost,))
    assert (line.state, line.reason, line.blockers, waiting.left_s) == (RunState.WAITING, lost.why, (lost,), None)
    with pytest.raises(Refused, match="is waiting; pause or cancel it first"):
        acts.archive(v, run_id, True, **now(v, run_id))
    once = now(v, run_id)
    acts.try_now(v, run_id, **once)
    assert acts.try_now(v, run_id, **once).is_repeat
    assert (state(v, run_id), reading.progress(v, run_id).blockers) == (RunState.QUEUED, (lost,))
    wait()
    acts.pause(v, run_id, **now(v, run_id))
    paused = reading.progress(v, run_id)
    assert (paused.state, paused.reason, paused.blockers) == (RunState.PAUSED, "", ())
    acts.resume(v, run_id, **now(v, run_id))
    assert finished(study, v, run_id).by_status[ItemStatus.ANSWERED] == 40
    said = [words for _at, words in reading.card(v, run_id).acts]
    assert said == ["Created", "Retried at once", "Paused", "Resumed: 0", "Done"]


def test_a_budget_stops_the_run_and_a_larger_one_lets_it_go_on(
    study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer
) -> None:
    v = people.researcher
    run_id = start(v, replace(ready, budget=BudgetSettings(requests=15)))
    stopped = finished(study, v, run_id)
    assert stopped.state is RunState.STOPPED and stopped.cost_usd is not None
    assert stopped.requests == server.log()["requests"] == stopped.spending.requests == 15
    assert stopped.would_stop == stopped.reason == "Budget of 15 requests reached."
    assert stopped.by_status[ItemStatus.ANSWERED] + stopped.by_status[ItemStatus.PENDING] == 40
    acts.resume(v, run_id, **now(v, run_id))
    assert reading.progress(v, run_id).would_stop == ""  # it does not rest
    assert finished(study, v, run_id).requests <= 15
    acts.set_budget(v, run_id, BudgetSettings(usd=5.0, requests=15, tokens=10**6), **now(v, run_id))
    assert reading.progress(v, run_id).would_stop == "Budget of 15 requests reached."
    acts.set_budget(
        v, run_id, BudgetSettings(usd=stopped.cost_usd), **now(v, run_id)
    )  # the price of the 15, no cent more
    said = reading.progress(v, run_id).would_stop
    assert said.startswith(
        f"Budget of {dollars(stopped.cost_usd)}: {dollars(stopped.cost_usd)} spent, $0 left; the next"
    )
    acts.set_budget(v, run_id, BudgetSettings(usd=5.0), **now(v, run_id))
    assert reading.progress(v, run_id).would_stop == ""
    acts.resume(v, run_id, **now(v, run_id))
    done = finished(study, v, run_id)
    assert done.state is RunState.DONE and done.by_status[ItemStatus.ANSWERED] == 40
    assert server.log()["requests"] == done.requests == 40
    assert done.cost_usd is not None and done.cost_usd == pytest.approx(
        (done.tokens_in * 2 + done.tokens_out * 10) / 1e6
    )


def test_failed_items_are_asked_again_once_the_provider_is_well(
    study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer
) -> None:
    v = people.researcher
    server.play({"rules": [{"model": PLUS, "share": 0.3, "seed": 4, "fault": "bad_request"}]})
    run_id = start(v, ready)
    ill = finished(study, v, run_id)
    failed = ill.by_status[ItemStatus.FAILED]
    assert ill.state is RunState.DONE and 0 < failed < 40
    (group,) = ill.errors
    assert (group.kind, group.attempts, group.items) == ("bad_request", failed, failed)
    assert "colour" in group.example and group.example_status == 400
    server.play({})
    acts.retry_failed(v, run_id, **now(v, run_id))
    well = finished(study, v, run_id)
    assert well.by_status[ItemStatus.ANSWERED] == 40 and well.requests == 40 + failed
    with pytest.raises(Refused, match=r"no pending or failed item"):
        acts.retry_failed(v, run_id, **now(v, run_id))


def test_a_run_does_not_go_on_with_another_prompt_and_shows_what_changed(
    study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer, tmp_path: Path
) -> None:
    v = people.researcher
    file = tmp_path / "home" / "prompts" / "mine" / "task1.txt"
    file.parent.mkdir(parents=True)
    then = 'In {context}: does {treatment} raise {outcome}?\nAnswer as JSON: {"predicted_sign": "+"}\n'
    file.write_text(then)
    run_id = start(v, replace(ready, prompts_folder="mine"))
    (prompt,) = reading.card(v, run_id).prompts
    assert prompt.origin == "drop-in" and prompt.user == then.strip()
    assert reading.card(v, run_id).deviations[0].what == "prompt econcausal/task1"
    acts.pause(v, run_id, **now(v, run_id))
    file.write_text(then.replace("raise", "lower"))
    for again in (acts.resume, acts.retry_failed):
        with pytest.raises(PromptsChanged) as told:
            again(v, run_id, **now(v, run_id))
        assert "-In {context}: does {treatment} raise {outcome}?" in told.value.difference
        assert "+In {context}: does {treatment} lower {outcome}?" in str(told.value)
    assert state(v, run_id) is RunState.PAUSED
    file.unlink()  # then the built-in prompt would be used
    with pytest.raises(PromptsChanged):
        acts.resume(v, run_id, **now(v, run_id))
    file.write_text(then)
    acts.resume(v, run_id, **now(v, run_id))
    assert finished(study, v, run_id).by_status[ItemStatus.ANSWERED] == 40


@pytest.mark.both(usually=False)
def test_an_export_is_the_same_each_time_and_holds_every_field(
    study: Study, people: SimpleNamespace, ready: RunConfig, server: RunningServer
) -> None:
    import io
    import json
    import zipfile

    v = people.reviewer
    run_id = start(people.researcher, replace(ready, baselines=("majority",)))
    work_here(study)
    first, second = io.BytesIO(), io.BytesIO()
    assert files.export_run(v, run_id, first).name.endswith("-run-1.zip")
    files.export_run(v, "1", second)
    assert first.getvalue() == second.getvalue()
    with zipfile.ZipFile(first) as archive:
        items = [json.loads(line) for line in archive.read("items.jsonl").decode().splitlines()]
        manifest = json.loads(archive.read("manifest.json"))
        texts = {each["hash"]: each["text"] for each in map(json.loads, archive.read("texts.jsonl").splitlines())}
        samples = [json.loads(line) for line in archive.read("samples.jsonl").decode().splitlines()]
        attempts = archive.read("attempts.jsonl").decode().splitlines()
    assert (len(items), len(samples), len(attempts)) == (80, 40, 40)
    asked = next(each for each in items if each["model"] == PLUS)
    for field in (
        "provider",
        "parameters",
        "prompt",
        "prompt_hash",
        "sample_hash",
        "tokens_in",
        "tokens_out",
        "tokens_cached",
        "tokens_reasoning",
        "cost_usd",
        "latency_s",
        "attempts",
        "finish_reason",
        "raw",
        "text",
        "reasoning",
        "error",
    ):
        assert field in asked
    assert {each["is_right"] for each in items} == {True, False}
    assert all(each["is_right"] is (each["predicted"] == each["answer"]) for each in items)
    assert {(each["score"], each["parts"]) for each in items} == {(None, None)}
    assert asked["predicted"] == "+" and asked["finish_reason"] == "stop" and asked["tokens_in"] > 0
    assert all(texts[key] for sample in samples for _role, key in sample["messages"])
    assert manifest["run"]["number"] == 1 and set(manifest["files"]) >= {"items.jsonl", "texts.jsonl"}
    for person in vars(people).values():
        assert person.name.encode() not in first.getvalue() and person.person_id not in json.dumps(manifest)


def test_a_run_that_nobody_works_on_says_that_no_worker_is_there(
    sqlite_study: Study, people: SimpleNamespace, ready: RunConfig
) -> None:
    run_id = start(people.researcher, ready)
    waiting = reading.progress(people.reviewer, run_id)
    assert (waiting.state, waiting.has_worker, waiting.worker_seen_at) == (RunState.QUEUED, False, None)
    with pytest.raises(BadInput):
        failures.failures(people.reviewer, limit=501)
