"""What a run draws from triplets: in how many steps, from triplets or from what a run keeps of them, and at most."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from core.messages import text_hash
from protocols.econcausal.benchmark import PROTOCOL
from protocols.econcausal.source_triplet import SourceTriplet
from protocols.econcausal.tasks import ASK, ASK_WITH_VECTORS, TRIPLETS
from protocols.samples import Sample
from protocols.step_values import VECTORS, Inputs, Value
from tests.protocols.triplets import paper, triplet

SETTINGS: Mapping[str, Any] = {
    "source": {"is_built": True, "collections": ["c1"]},
    "tasks": ["task1", "task2", "task3"],
    "variants": ["context"],
    "embedder": "lab/words",
    "threshold": 0.5,
    "most_examples": 2,
    "most_samples": None,
    "repeats": 1,
    "seed": 1,
}


def drawn_from(seed: int, count: int = 24) -> tuple[list[SourceTriplet], dict[str, list[float]]]:
    """Triplets of a few papers, some without a context, one twice; and vectors of their words."""
    lots = random.Random(seed)
    found = [
        triplet(
            f"Treatment {lots.randrange(6)}",
            f"Outcome {lots.randrange(6)}",
            lots.choice(["+", "-", "None", "mixed"]),
            of=paper(f"w{lots.randrange(8)}", year=1990 + lots.randrange(2)),
            place=place,
            context=f"Place {place}: {'ä' * lots.randrange(60)}." if lots.random() > 0.1 else "",
        )
        for place in range(1, count + 1)
    ]
    texts = dict.fromkeys(text for each in found for text in (each.record.treatment, each.record.outcome))
    return found, {text: [lots.uniform(-1, 1) for _ in range(3)] for text in texts}


def inputs(triplets: Sequence[Any], vectors: Mapping[str, Sequence[float]] | None = None) -> Inputs:
    given = {TRIPLETS: tuple(Value(key="", value=each, hash="") for each in triplets)}
    if vectors is not None:
        given[VECTORS] = tuple(Value(key=text, value=row, hash=text_hash(text)) for text, row in vectors.items())
    return Inputs("", given)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ({}, ["embed", "ask"]),
        ({"tasks": ["task1", "task3"]}, ["embed", "ask"]),
        ({"tasks": ["task1"]}, ["ask"]),
        ({"variants": ["unknown"]}, ["ask"]),
        ({"embedder": "lexical"}, ["ask"]),
        ({"embedder": ""}, ["ask"]),
        ({"source": {"is_built": False, "collections": ["c1"]}}, ["ask"]),
    ],
)
def test_only_pairs_by_vectors_of_an_endpoint_need_a_step_of_their_own(said: dict[str, Any], names: list[str]) -> None:
    assert [step.name for step in PROTOCOL.steps({**SETTINGS, **said})] == names


def test_what_a_run_keeps_of_triplets_makes_the_same_samples() -> None:
    for seed in range(5):
        triplets, vectors = drawn_from(seed)
        again = [*triplets[5:9], *triplets]  # a file may have a triplet twice
        kept = [json.loads(json.dumps(each.as_json())) for each in triplets]
        kept.sort(key=lambda each: str(each["paper"]["external_id"]))  # as a run of several steps gives them
        expected = PROTOCOL.samples(ASK, inputs(triplets, vectors), SETTINGS)
        assert PROTOCOL.samples(ASK_WITH_VECTORS, inputs(kept, vectors), SETTINGS) == expected
        assert PROTOCOL.samples(ASK, inputs(again[4:], vectors), SETTINGS) == expected
        assert {each.task for each in expected.samples} == {"task1", "task2", "task3"}


@pytest.mark.parametrize("most", [None, 4])
def test_without_vectors_there_are_never_fewer_samples_or_shorter_ones(most: int | None) -> None:
    settings = {**SETTINGS, "most_samples": most}
    for seed in range(20):
        triplets, vectors = drawn_from(seed)
        known = PROTOCOL.samples(ASK_WITH_VECTORS, inputs(triplets, vectors), settings)
        bound = PROTOCOL.bound(ASK_WITH_VECTORS, inputs(triplets), settings)
        of_task, at_most = Counter(map(_task, known.samples)), Counter(map(_task, bound.samples))
        assert all(of_task[task] <= at_most[task] for task in at_most)
        for task in ("task1", "task2", "task3"):
            lengths, longest = (
                sorted((_bytes(each) for each in those if each.task == task), reverse=True)
                for those in (known.samples, bound.samples)
            )
            assert all(one <= other for one, other in zip(lengths, longest, strict=False)), (seed, task)
        assert [each.reason for each in known.excluded] == [each.reason for each in bound.excluded]
        assert not any("found" in bound.made[f"{task}/context"] for task in ("task2", "task3"))
        assert bound.made["task1/context"] == known.made["task1/context"]


def _task(sample: Sample) -> str:
    return sample.task


def _bytes(sample: Sample) -> int:
    """Of all that fills the prompt but for the signs of examples, of which false ones may be shorter or longer."""
    shown = (each[name] for each in sample.facts["examples"] for name in ("treatment", "outcome", "context"))
    return sum(len(text.encode()) for text in (*sample.slots.values(), *shown))
