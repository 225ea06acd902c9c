"""A frozen question set asked of models and baselines, from the dry run to the tables, on both databases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import select

from benchmarks.running_server import RunningServer, running_server
from core.questions.questions import Question
from core.runs.filters import FailureFilters
from core.runs.states import ItemStatus, RunState
from exchange.question_set import write_question_set
from protocols.lee.tasks import TYPE_TITLES
from services.failures import failures
from services.questions import sets
from services.results import results
from services.runs import planning
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from store.tables.runs import ReplyRow, RunSampleRow
from tests.everything import EVERYTHING
from tests.protocols.lee.question_sets import questions
from tests.services.run_parts import act, finished, set_up, start

EVERY = tuple(replace(each, is_easy=n % 5 == 0) for n, each in enumerate(questions()))
HARD = tuple(each for each in EVERY if not each.is_easy)
TYPES = tuple(TYPE_TITLES)
BASELINES = ("always-true", "always-false", "always-increase", "majority", "given-direction", "coin")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def freeze(people: SimpleNamespace, every: tuple[Question, ...] = EVERY) -> None:
    sets.import_questions(people.researcher, "set.jsonl", write_question_set(every), with_faulty=False, **act())


def config(**given: Any) -> RunConfig:
    options = {"questions": "1", **given.pop("options", {})}
    asked = {"title": "Questions", "tasks": TYPES, "variants": ("closed",), "baselines": BASELINES, **given}
    return RunConfig(protocol="lee", source=SampleSource(), options=options, **asked)


def test_a_dry_run_counts_what_is_asked_and_names_what_is_wrong(people: SimpleNamespace) -> None:
    freeze(people)
    plan = planning.plan(people.researcher, config(variants=("closed", "open")))
    assert plan.faults == ()
    assert plan.samples == 2 * len(HARD)
    assert {(each.task, each.variant): each.samples for each in plan.tasks} == Counter(
        (f"type{each.type}", variant) for each in HARD for variant in ("closed", "open")
    )
    assert any("a verdict without ground" in each for each in plan.notices)
    assert planning.plan(people.researcher, config(options={"easy": "in"})).samples == len(EVERY)
    for number, said in (("7", "no question set 7"), ("x", "expected the number of a question set")):
        assert any(
            said in each for each in planning.plan(people.researcher, config(options={"questions": number})).faults
        )
    assert "No question set is chosen." in planning.plan(people.researcher, config(options={"questions": ""})).faults
    sets.archive_questions(people.researcher, 1, True, seen=1, **act())
    assert any("is archived" in each for each in planning.plan(people.researcher, config()).faults)


@pytest.mark.both(usually=False)
@pytest.mark.skipif(not EVERYTHING, reason="tests/services/results/test_tables_stay.py")
def test_baselines_alone_fill_the_tables(study: Study, people: SimpleNamespace) -> None:
    freeze(people)
    run_id = start(people.researcher, config())
    progress = finished(study, people.researcher, run_id)
    assert progress.state is RunState.DONE
    table = results.results(people.researcher, [run_id], "models", with_interval=False)[0]
    shares = Counter((each.type, each.answer) for each in HARD)
    for kind in range(1, 5):
        of_kind = sum(many for (one, _), many in shares.items() if one == kind)
        found = table.cells["always-true", TYPE_TITLES[f"type{kind}"]].estimate.value
        assert found == pytest.approx(shares[kind, "True"] / of_kind)
    for preset in results.presets_of(people.researcher, [run_id]):
        assert results.results(people.researcher, [run_id], preset.key, with_interval=False)
    page = failures.failures(people.researcher, FailureFilters(models=("coin",), labels=(("letters", ("J",)),)))
    assert page.total == sum("J" in each.letters for each in HARD)


@pytest.mark.both(usually=False)
def test_open_and_closed_ask_the_same_questions_in_other_words(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    set_up(people.owner, server, ["asked"])
    said = json.dumps({"answer": "True", "direction": "increase"})
    server.play({"rules": [{"model": "asked", "answer": said}]})
    freeze(people)
    wanted = config(models=("asked",), baselines=(), variants=("closed", "open"), options={"share": 20})
    run_id = start(people.researcher, wanted)
    progress = finished(study, people.researcher, run_id)
    assert progress.by_status[ItemStatus.ANSWERED] == sum(progress.by_status.values())
    with study.store.reading() as session:
        samples = list(session.exec(select(RunSampleRow).where(RunSampleRow.run_id == run_id)))
        replies = len(list(session.exec(select(ReplyRow))))
    by_variant = {
        variant: {(each.task, each.key) for each in samples if each.variant == variant}
        for variant in ("closed", "open")
    }
    assert by_variant["closed"] == by_variant["open"]
    assert replies == len(samples) == 2 * len(by_variant["closed"])
    assert all(not sample.messages for sample in samples)
    page = failures.failures(people.researcher, FailureFilters(runs=(run_id,)), limit=200)
    sheet = failures.item(people.researcher, page.lines[0].item_id)
    assert "<data>" in sheet.messages[-1][1]
    (table,) = [
        each
        for each in results.results(people.researcher, [run_id], "books", with_interval=False)
        if each.title == "Accuracy, open minus closed"
    ]
    assert table.cells["asked", "all"].estimate.value == 0  # it says the same to both
