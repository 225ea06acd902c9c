"""A run's judges held against each other, in the service and by the command; another run of a judge begins empty."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.verdicts.labels import PRESENCE, LabelBlock, Section
from services.runs import endpoints, model_cards
from services.runs.endpoints import EndpointDraft
from services.runs.model_cards import ModelCardDraft
from services.study import Study
from services.verdicts import acts, audit, behind, judges, reading
from store.runs import reviewed_verdicts as stored
from tests.cli.calling import run as call
from tests.services.run_parts import act, finished, place_of, start
from tests.services.runs.narratives import narratives
from tests.services.verdicts.judging_parts import model_answers, to_judge
from tests.services.verdicts.reviewing import compare, drawn, label, take

JUDGES = ("judge:honest", "judge:random")
FAMILIES = {"planted:a": "F", "planted:b": "G", "planted:c": "H", "judge:honest": "F", "judge:random": "G"}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def test_judges_of_a_run_are_compared_and_another_run_of_one_begins_empty(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    endpoint = EndpointDraft(name="lab", base_url=server.url, concurrency=32, deadline_s=30)
    endpoints.save_endpoint(people.owner, endpoint, seen=0, **act())
    for name, family in FAMILIES.items():
        card = ModelCardDraft(name=name, endpoint="lab", model=name, family=family)
        model_cards.save_card(people.owner, card, seen=0, **act())
    number = model_answers(study, people, server, narratives()[:2])
    wanted = replace(
        to_judge(number, JUDGES, controls="copy, shuffled", judged_models="planted:a,planted:b"), repeats=2
    )
    first = start(people.researcher, wanted)
    finished(study, people.researcher, first)
    found = judges.judges_of(people.reviewer, first)
    ((variant, compared),) = found.compared.items()
    assert variant.title == "names given"
    assert set(compared.judges) == set(JUDGES)
    (pair,) = compared.shared
    with study.store.reading() as session:
        whole = {
            each.facts["answer"] for each in stored.judge_items(session, first, "judge") if not each.facts["control"]
        }
    assert pair.n == len(whole) >= 3
    assert compared.by_all == compared.shared
    assert pair.r.value is not None and pair.difference.value is not None
    assert {each.family for each in compared.families} == {"F", "G"}
    assert compared.without_family == ()
    assert {(each.judge, each.family) for each in compared.own} == {("judge:honest", "F"), ("judge:random", "G")}
    assert all(each.bias.value is not None for each in compared.own)
    repeats = {each.judge: each for each in compared.repeats}
    assert repeats["judge:honest"].answers == len(whole)
    assert (repeats["judge:honest"].equal.value, repeats["judge:honest"].apart.value) == (1.0, 0.0)
    orders = {each.judge: each for each in found.orders}
    assert (orders["judge:honest"].control, orders["judge:honest"].difference.value) == ("shuffled", 0.0)

    # The label confusion is what an own count of the kept labels gives.
    place = Section.NODE_RECALL, LabelBlock.ITEM, PRESENCE
    names = next(iter(compared.labels))
    counts: dict[tuple[str, str], int] = {}
    with study.store.reading() as session:
        said: dict[str, dict[Any, str]] = {name: {} for name in JUDGES}
        for item in stored.judge_items(session, first, "judge"):
            if item.facts["section"] == "node_recall" and not item.facts["control"] and not item.repeat:
                for raw in item.parsed["items"]:
                    said[item.model][item.sample_id, raw["node_number"]] = raw[PRESENCE]
    for key, one in said[names[0]].items():
        counts[one, said[names[1]][key]] = counts.get((one, said[names[1]][key]), 0) + 1
    confusion = compared.labels[names][place].confusion
    assert {(one, other): many for one, row in confusion.items() for other, many in row.items()} == counts
    for labelled, many in counts.items():
        assert len(behind.judge_and_judge(people.owner, first, variant, names, place, labelled)) == many

    # Labels of the first run are no labels of another run of the same judge.
    drawn(people.researcher, first, 1)
    view = take(people.reviewer)
    for each in view.items:
        label(people.reviewer, view, each.number)
        compare(people.reviewer, view, each.number)
    view = reading.sheet(people.reviewer, view.assignment_id)
    acts.submit(people.reviewer, view.assignment_id, seen=view.version, **act())
    assert {judge for _variant, judge in audit.audit_run(people.reviewer, first).judges} == set(JUDGES)
    second = start(people.researcher, to_judge(number, JUDGES[:1], judged_models="planted:a"))
    finished(study, people.researcher, second)
    assert audit.audit_run(people.reviewer, second).judges == {}
    assert judges.judges_of(people.reviewer, second).compared[variant].repeats == ()

    # The command says the same.
    json_said = json.loads(call("verdicts", "audit", "--run", first, "--store", place_of(study), "--json").stdout)
    (of_variant,) = json_said["between_judges"]["variants"]
    assert of_variant["variant"] == "names given"
    assert of_variant["shared"][0]["difference"]["value"] == pair.difference.value
    # Two models of two families: a test over answers would call the gap of two models one of families.
    (own, *_) = of_variant["own_family"]
    too_few = "2 models, 1 of this family: too few for a test"
    assert (own["p"]["value"], own["p"]["reason"]) == (None, too_few) and own["bias"]["value"] is not None
    assert own["adjusted"]["reason"] == "2 models; a line needs 6"
    assert too_few in call("verdicts", "audit", "--run", first, "--store", place_of(study)).stdout.decode()
