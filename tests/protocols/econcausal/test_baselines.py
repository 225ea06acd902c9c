"""Trivial baselines answer in JSON that the reply parser reads, and find the figures of the real task files."""

from __future__ import annotations

import pytest

from core.errors import BadInput
from core.runs.states import ItemStatus
from protocols import PROTOCOLS
from protocols.baselines import baseline_of
from protocols.econcausal.baselines import BASELINES, majority_of
from protocols.econcausal.samples import from_rows
from protocols.samples import Sample
from tests.protocols.answering import reading
from tests.protocols.triplets import example, examples, real_rows, triplet

ECONCAUSAL = PROTOCOLS["econcausal"]


def said(baseline: str, samples: tuple[Sample, ...]) -> list[str | None]:
    """Each baseline's label, by the way a model's answer goes."""
    kind = baseline_of(ECONCAUSAL.baselines, baseline)
    majority = kind.of_all(samples) if kind.of_all is not None else None
    found = []
    for sample in samples:
        text = kind.reply(sample, majority)
        parsed = None if text is None else reading(sample, text)
        assert parsed is None or (parsed.status, parsed.parse_stage) == (ItemStatus.ANSWERED, "strict")
        score = None if parsed is None else ECONCAUSAL.score(sample, parsed)
        found.append(None if score is None else score.predicted)
    return found


def test_each_baseline_answers_what_its_name_says() -> None:
    shown = [("None", "-", "None"), ("-", "+"), ("+", "-", "None", "mixed")]
    rows = [
        triplet(sign=sign, place=place, example_details=examples(*(example(each, context="c") for each in signs)))
        for place, (sign, signs) in enumerate(zip(["-", "-", "+"], shown, strict=True), 1)
    ]
    samples = from_rows(rows, "task2", "context").samples
    assert said("always-plus", samples) == ["+", "+", "+"]
    assert said("majority", samples) == ["-", "-", "-"]
    assert said("copy-examples", samples) == ["None", "+", "+"]  # ties in the order +, −, None, mixed
    assert said("first-not-shown", samples) == ["+", "None", None]


def test_without_examples_only_constant_baselines_answer() -> None:
    samples = from_rows([triplet()], "task1", "context").samples
    assert [said(name, samples)[0] for name in BASELINES] == ["+", "+", None, None]


def test_of_equally_frequent_answers_the_earlier_sign_is_the_majority() -> None:
    samples = from_rows([triplet(sign=sign, place=n) for n, sign in enumerate(["mixed", "None"])], "task1", "context")
    schema = ECONCAUSAL.schema("task1", "context")
    assert majority_of(samples.samples, schema) == "None"
    assert majority_of((), schema) is None


def test_a_baseline_is_offered_for_the_tasks_that_it_can_answer() -> None:
    """An example shown or not decides, so one sample of each task tells."""
    shown = {"example_details": examples(example("-", context="c"))}
    of_task = {"task1": triplet(), "task2": triplet(**shown)}
    for name, baseline in BASELINES.items():
        for task, row in of_task.items():
            samples = from_rows([row], task, "context").samples
            assert (said(name, samples) != [None]) == (task in (baseline.tasks or of_task)), (name, task)
        assert baseline.tasks in ((), ("task2", "task3"))


def test_a_baseline_that_is_not_known_is_refused() -> None:
    with pytest.raises(BadInput, match=r"“coin”; .* always-plus, majority"):
        baseline_of(ECONCAUSAL.baselines, "coin")


@pytest.mark.parametrize(
    ("file", "task", "baseline", "right", "n"),
    [
        ("task2", "task2", "always-plus", 102, 199),
        ("task2", "task2", "copy-examples", 132, 199),
        ("task3", "task3", "first-not-shown", 384, 597),
        ("task3", "task3", "copy-examples", 0, 597),
    ],
)
def test_on_the_real_files_they_are_right_as_often_as_counted_by_hand(
    file: str, task: str, baseline: str, right: int, n: int
) -> None:
    samples = from_rows(real_rows(file), task, "context").samples
    labels = said(baseline, samples)
    assert len(samples) == n
    assert sum(label == sample.answer for label, sample in zip(labels, samples, strict=True)) == right
