"""Samples from rows: the task by its cells, every variant, contexts of examples, what is left out, hashes, strata."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.errors import BadInput
from protocols import PROTOCOLS
from protocols.econcausal.samples import build_task1, content_of, from_rows, task_of, tasks_in
from protocols.econcausal.source_triplet import SourceTriplet
from tests.protocols.triplets import example, examples, paper, real_rows, triplet

ECONCAUSAL = PROTOCOLS["econcausal"]
QUESTION = "# Reference\n## Example 1\nTreatment: Levy\nOutcome: Work\nContext: Elsewhere, 1970.\nSign: +\n\n# Target"


def row2(**others: object) -> SourceTriplet:
    given: dict[str, object] = {"example_details": examples(example()), "question": QUESTION, "answer": "+"}
    return triplet(**(given | others))  # type: ignore[arg-type]


def test_a_row_s_task_is_known_by_its_examples() -> None:
    flipped = triplet(example_details=examples(example("-", original_sign="+")))
    assert [task_of(each.record) for each in (triplet(), row2(), flipped)] == ["task1", "task2", "task3"]
    assert task_of(triplet(example_details="[]").record) == task_of(triplet(example_details=None).record) == "task1"
    assert tasks_in([triplet().record, row2().record, row2().record, triplet(example_details="?").record]) == {
        "task1": 1,
        "task2": 2,
        "": 1,
    }


def test_a_sample_holds_what_its_prompt_its_score_and_its_tables_need() -> None:
    source = triplet(sign="-", of=paper("w7", jel_codes="j2, J31, 824", title="On tax"), answer="negative")
    (sample,) = from_rows([source], "task1", "context").samples
    assert (sample.answer, sample.subject) == ("-", ("triplet", "id-1"))
    assert sample.slots == {"treatment": "Tax", "outcome": "Jobs", "context": "In a town."}
    assert sample.facts == {
        "paper": "w7",
        "title": "On tax",
        "year": 1990,
        "venue": "American Economic Review",
        "domain": "economics",
        "jel": ["J", "numeric"],
        "treatment": "Tax",
        "outcome": "Jobs",
        "collection": "c1",
        "examples": [],
        "example_signs": [],
        "rule": None,
    }
    assert sample.key == f"w7/{sample.hash[:10]}"
    assert json.loads(json.dumps(dict(sample.facts))) == sample.facts


def test_variants_differ_in_what_they_tell() -> None:
    told = {
        variant: set(from_rows([triplet(question="Q?")], "task1", variant).samples[0].slots)
        for variant in ECONCAUSAL.tasks[0].variants
    }
    both, three = {"treatment", "outcome"}, {"treatment", "outcome", "context"}
    assert told == {
        "context": three,
        "no-context": both,
        "unknown": three,
        "unknown-no-context": both,
        "as-released": {"question"},
    }
    labels = {variant: ECONCAUSAL.schema("task1", variant).labels.name for variant in told}
    assert [variant for variant, name in labels.items() if name == "sign-unknown"] == ["unknown", "unknown-no-context"]


def test_an_example_s_context_is_its_own_else_its_question_s_else_its_triplet_s() -> None:
    named = triplet("Levy", "Work", of=paper("w9"), place=2, context="From its triplet.")
    own = row2(example_details=examples(example(context="Its own.")))
    for row, context in (
        (own, "Its own."),
        (row2(), "Elsewhere, 1970."),
        (row2(question=None), "From its triplet."),
    ):
        (sample,) = from_rows([row, named], "task2", "context").samples
        assert [each["context"] for each in sample.facts["examples"]] == [context]
        assert sample.facts["example_signs"] == ["+"]


@pytest.mark.parametrize(
    ("row", "task", "variant", "reason"),
    [
        (triplet(context=" "), "task1", "context", "it has no context"),
        (triplet(), "task1", "as-released", "it has no released question"),
        (row2(question=None), "task2", "context", "neither its cells nor its question give the context of example 1"),
        (row2(example_details=examples(example("up"))), "task2", "context", "example 1: The sign “up” is not known"),
        (row2(example_details=examples({"sign": "+"})), "task2", "context", "example 1 has no treatment"),
        (triplet(example_details="{}"), "task2", "context", "example_details is not a JSON list of examples"),
        (triplet(answer="up"), "task1", "context", "The sign “up” is not known"),
    ],
)
def test_a_row_that_cannot_be_asked_is_excluded_and_says_why(
    row: SourceTriplet, task: str, variant: str, reason: str
) -> None:
    found = from_rows([row], task, variant)
    assert found.samples == ()
    assert [each.key for each in found.excluded] == ["w1, row 1"]
    assert found.excluded[0].reason.startswith(reason)


def test_a_missing_context_matters_only_where_it_is_told() -> None:
    assert len(from_rows([triplet(context="")], "task1", "no-context").samples) == 1


def test_a_variant_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadInput, match="“unknown” of “task2”"):
        from_rows([], "task2", "unknown")


def test_the_hash_is_of_what_is_asked_and_scored_and_not_of_the_study() -> None:
    (sample,) = from_rows([triplet()], "task1", "context").samples
    elsewhere = replace(triplet(place=9), triplet_id="other", collection="c2")
    (again,) = from_rows([elsewhere], "task1", "context").samples
    assert (again.hash, again.key) == (sample.hash, sample.key)
    for changed in (triplet("Tariff"), triplet(sign="-"), triplet(context="Else."), triplet(of=paper("w2"))):
        assert from_rows([changed], "task1", "context").samples[0].hash != sample.hash
    assert from_rows([triplet()], "task1", "unknown").samples[0].hash != sample.hash


def test_one_row_twice_is_one_sample_in_whatever_file_it_stands() -> None:
    elsewhere = replace(triplet(place=9), triplet_id="other", collection="c2")
    found = from_rows([triplet(), elsewhere, triplet(context="")], "task1", "context")
    assert [each.subject for each in found.samples] == [("triplet", "id-1")]
    assert found.made["repeats"] == 1
    twice = [triplet(context=""), triplet(context="", place=4)]
    assert len(from_rows(twice, "task1", "context").excluded) == 1


def test_rows_that_differ_in_context_example_answer_or_paper_are_samples_of_their_own() -> None:
    rows = [triplet(), triplet(context="Else."), triplet(answer="-"), triplet(of=paper("w2")), triplet("Tariff")]
    for variant in ("context", "no-context", "unknown-no-context"):
        found = from_rows([*rows, *rows], "task1", variant)
        assert (len(found.samples), found.made["repeats"]) == (5, 5), variant
        assert len({each.key for each in found.samples}) == 5
    beside = [
        row2(),
        row2(example_details=examples(example(context="There."))),
        row2(example_details=examples(example("-"))),
    ]
    assert len(from_rows([*beside, *beside], "task2", "context").samples) == 3
    assert len({content_of(each.record) for each in [*rows, *beside]}) == 8


def test_a_row_of_no_paper_is_known_whatever_its_place_in_a_file() -> None:
    here, there = triplet(of=paper("?3"), place=3), triplet(of=paper("?7"), place=7)
    assert content_of(here.record) == content_of(there.record)
    assert len(from_rows([here, there], "task1", "context").samples) == 1


def test_the_hash_of_all_samples_does_not_depend_on_their_order() -> None:
    rows = [triplet(), triplet("Tariff", place=2)]
    assert from_rows(rows, "task1", "context").hash == from_rows(rows[::-1], "task1", "context").hash
    assert from_rows(rows[:1], "task1", "context").hash != from_rows(rows, "task1", "context").hash


# --- built from triplets -----------------------------------------------------------------------------------------


def many() -> list[SourceTriplet]:
    """40 of economics in 1990, 5 of finance in 1990, 3 of economics in 1991, 2 of no known year."""
    groups = [(40, 1990, "economics"), (5, 1990, "finance"), (3, 1991, "economics"), (2, None, "economics")]
    found: list[SourceTriplet] = []
    for n, year, domain in groups:
        for number in range(n):
            of = paper(f"w{year}{domain}{number}", year=year, domain=domain)
            found.append(triplet(f"Tax {number}", of=of, place=len(found) + 1))
    return found


def test_up_to_thirty_of_each_year_and_domain_are_drawn_by_seed() -> None:
    found = build_task1(many(), "context", seed=1)
    assert len(found.samples) == 30 + 5 + 3 + 2
    assert found.made == {
        "source": "built from triplets",
        "variant": "context",
        "per_stratum": 30,
        "seed": 1,
        "triplets": 50,
        "drawn": 40,
    }
    assert build_task1(many(), "context", seed=1) == found
    assert build_task1(many(), "context", seed=2).hash != found.hash
    assert len(build_task1(many(), "context", per_stratum=None, seed=1).samples) == 50


def test_all_variants_ask_of_the_same_triplets_and_a_larger_sample_holds_the_smaller() -> None:
    without = [*many(), triplet("Untold", context="", place=99)]
    drawn = {
        variant: {each.subject for each in build_task1(without, variant, per_stratum=10, seed=3).samples}
        for variant in ("context", "no-context", "unknown", "unknown-no-context")
    }
    assert len({frozenset(ids) for ids in drawn.values()}) == 1
    assert drawn["context"] < {each.subject for each in build_task1(without, "context", seed=3).samples}
    assert [each.reason for each in build_task1(without, "no-context", seed=3).excluded] == ["it has no context"]


def test_triplets_of_a_study_have_no_question_as_released() -> None:
    with pytest.raises(BadInput, match="Only imported rows"):
        build_task1(many(), "as-released", seed=1)


# --- the real files ----------------------------------------------------------------------------------------------


def test_every_row_of_the_real_files_can_be_asked_in_every_variant() -> None:
    rows = real_rows("task1_econ", "task1_finance", "task2", "task3")
    assert tasks_in(row.record for row in rows) == {"task1": 1265, "task2": 199, "task3": 597}
    for task in ECONCAUSAL.tasks:
        for variant in task.variants:
            found = from_rows(rows, task.name, variant)
            assert (len(found.samples), found.excluded) == ({"task1": 1265, "task2": 199, "task3": 597}[task.name], ())
            assert len({each.key for each in found.samples}) == len(found.samples)


def test_real_examples_carry_the_contexts_that_their_questions_print() -> None:
    for row, sample in zip(rows := real_rows("task2"), from_rows(rows, "task2", "context").samples, strict=True):
        question = row.record.details["question"]
        for each in sample.facts["examples"]:
            assert each["context"]
            assert f"Context: {each['context']}" in question
