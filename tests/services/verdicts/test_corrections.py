"""Corrected scores of a run's judges count blind labels of whole sheets of the random draw, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.people import Viewer
from core.scoring.corrected import SAMPLES_NEEDED
from core.verdicts.labels import Section
from core.verdicts.review import DrawnBy
from services.queue.work import skip
from services.study import Study
from services.verdicts import acts, audit, claims, corrections, reading, samples
from services.verdicts.corrections import ALL_MODELS
from services.verdicts.reading import SheetView
from services.verdicts.work_kind import SHEETS
from store.runs import reviewed_verdicts as stored
from tests.cli.calling import run as call
from tests.services.run_parts import act, place_of
from tests.services.verdicts.handmade import MILL, bring_case
from tests.services.verdicts.reviewing import JUDGES, again, compare, drawn, judged_run, label, take


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def take_of(viewer: Viewer, by: DrawnBy) -> SheetView:
    while (view := take(viewer)).drawn_by is not by:
        skip(viewer, SHEETS, view.assignment_id, "another draw", seen=view.version, **act())
    return view


def labelled(viewer: Viewer, view: SheetView, most: int = 100) -> SheetView:
    """Label and compare the first items of a sheet; submit a whole one."""
    for each in view.items[:most]:
        label(viewer, view, each.number)
        compare(viewer, view, each.number)
    view = again(viewer, view)
    if most >= len(view.items):
        acts.submit(viewer, view.assignment_id, seen=view.version, **act())
    return view


def test_labels_of_other_draws_and_of_half_a_sheet_enter_no_correction(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    run_id = judged_run(study, people, server, 2)
    drawn(people.researcher, run_id, 200)
    view = labelled(people.reviewer, take(people.reviewer))
    first = audit.audit_run(people.reviewer, run_id).corrected
    assert {judge for _variant, judge in first} == set(JUDGES)
    for of_models in first.values():
        sections = of_models[ALL_MODELS].sections
        assert {section: each.labelled for section, each in sections.items() if each.labelled} == {
            view.section: len(view.items)
        }
        assert sum(each.sections[view.section].labelled for model, each in of_models.items() if model) == len(
            view.items
        )
        assert sections[view.section].labels_missing.reason == "2 samples; a correction needs 20 labelled ones"
        # Scores of two samples would show the judges' labels to those who are still to label them.
        assert {each.measured.value for scores in of_models.values() for each in scores.sections.values()} == {None}

    with study.store.reading() as session:
        item = next(each for each in stored.judge_items(session, run_id, "judge") if each.facts["items"] > 1)
    chosen = claims.choose(people.owner, item.item_id, 1, **act()).subject_id
    label(people.owner, reading.sheet(people.owner, chosen), 1)
    assert audit.audit_run(people.reviewer, run_id).corrected == first, "of a chosen item"
    for by in (DrawnBy.STRATIFIED, DrawnBy.DISAGREEMENT):
        drawn(people.researcher, run_id, 12, by)
        other = labelled(people.researcher, take_of(people.researcher, by))
        assert other.items and audit.audit_run(people.reviewer, run_id).corrected == first, by
    half = take_of(people.reviewer, DrawnBy.RANDOM)
    labelled(people.reviewer, half, len(half.items) - 1)
    assert audit.audit_run(people.reviewer, run_id).corrected == first, "of half a sheet"
    half = again(people.reviewer, half)
    last = half.items[-1].number
    compare(people.reviewer, label(people.reviewer, half, last), last)
    assert audit.audit_run(people.reviewer, run_id).corrected != first

    (judge, *_) = json.loads(call("verdicts", "audit", "--run", run_id, "--store", place_of(study), "--json").stdout)[
        "judges"
    ]
    assert judge["corrected_f1"]["value"] is None and judge["measured_f1"]["value"] is not None
    assert {each["model"] for each in judge["models"]} == {model for model in next(iter(first.values())) if model}
    assert judge["models"][0]["sections"]["edge_recall"]["labels_missing"]["reason"]


def test_the_draw_that_is_missing_reaches_20_samples_of_a_score_and_no_further_one_is_needed(
    people: SimpleNamespace,
) -> None:
    run_id = bring_case(people.owner, MILL, many=25)
    drawn(people.owner, run_id, 1)
    view = labelled(people.reviewer, take(people.reviewer))
    ((key, of_models),) = audit.audit_run(people.reviewer, run_id).corrected.items()
    (model,) = (each for each in of_models if each)
    section = next(each for each in Section if each is not view.section)
    score = of_models[model].sections[section]
    assert score.corrected.reason == "label 20 more samples to correct this score"
    assert score.labels_to_draw == 0
    plan = corrections.further_draw(people.owner, run_id, key, model, section, 0)
    assert plan.waiting == 0 and plan.sheets > SAMPLES_NEEDED, "sheets of other sections are drawn, too"
    before = samples.drawn_of(people.owner, run_id)[0].sheets
    samples.draw(people.owner, run_id, DrawnBy.RANDOM, plan.items, plan.seed, **act())
    assert samples.drawn_of(people.owner, run_id)[0].sheets == before + plan.sheets
    then = corrections.further_draw(people.owner, run_id, key, model, section, 0)
    assert then.sheets == 0 and then.waiting >= SAMPLES_NEEDED
    # Labels that are missing are drawn, too, as far as there are any.
    every = corrections.further_draw(people.owner, run_id, key, model, section, 10_000)
    assert every.sheets > 0
    samples.draw(people.owner, run_id, DrawnBy.RANDOM, every.items, every.seed, **act())
    assert corrections.further_draw(people.owner, run_id, key, model, section, 10_000).sheets == 0
