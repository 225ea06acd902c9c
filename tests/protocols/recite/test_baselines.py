"""Baselines answer as text that the same reader reads, the same for the same seed, and end on any truth."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from core.runs.states import ItemStatus
from protocols.exchanges import Reading
from protocols.recite.baselines import BASELINES
from protocols.recite.benchmark import PROTOCOL
from protocols.samples import Sample
from tests.protocols.recite.parts import answered, made


def pairs(name: str, sample: Sample, seed: int = 1) -> list[tuple[object, object]]:
    text = BASELINES[name].answer(sample, None, seed)
    assert text is not None
    reading = PROTOCOL.next(sample, {}, [answered(text, sample)])
    assert isinstance(reading, Reading) and reading.status is ItemStatus.ANSWERED and reading.parse_stage == "strict"
    return [(each["source"], each["sink"]) for each in json.loads(text)["relationships"]]


def test_random_edges_are_as_many_as_the_truth_has_different_and_drawn_by_the_seed() -> None:
    sample = made("names")
    drawn = pairs("random", sample)
    assert len(set(drawn)) == 3 and all(source != sink for source, sink in drawn)
    assert pairs("random", sample) == drawn != pairs("random", sample, seed=2)


def test_every_ordered_pair_can_be_drawn_and_none_twice() -> None:
    edges = [(a, b) for a in "ABC" for b in "ABC"]  # 9 edges with self-loops; there are 6 pairs
    drawn = pairs("random", made("names", edges=edges))
    assert sorted(drawn) == [(1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)]  # type: ignore[type-var]


def test_a_truth_of_one_node_has_no_random_edge() -> None:
    assert pairs("random", made("names", edges=[("A", "A")])) == []


def test_random_edges_of_standard_answers_are_between_frequent_phrases() -> None:
    text = "Soil water rises. Soil water falls. Crop yield and soil water are one. Crop yield."
    drawn = pairs("random", made(text=text, edges=[("A", "B"), ("B", "A")]))
    assert {name for pair in drawn for name in pair} == {"soil water", "soil"}


def test_cue_phrases_find_both_directions() -> None:
    text = "Heavy rain leads to floods. The crop yield depends on rain. Floods reduce the crop yield. 3.5 is no name."
    found = pairs("cue phrases", made(text=text, edges=[("A", "B"), ("C", "D")]))
    assert found == [("heavy rain", "floods"), ("rain", "crop yield"), ("floods", "crop yield")]


def test_names_in_one_sentence_are_joined_by_order_or_as_a_cue_says() -> None:
    text = "Rain comes before the harvest. Income depends on trade. Income depends on trade."
    assert pairs("co-mention", made("names", text=text)) == [(4, 2), (3, 1)]  # trade → income first: said twice


def test_a_long_sentence_of_names_and_cues_is_counted_pair_by_pair() -> None:
    """The most frequent pairs are those of an oracle that looks at every two mentions."""
    draw = Random(3)
    words = [draw.choice(["rain", "harvest", "income", "trade", "due to", "and"]) for _ in range(400)]
    counts: Counter[tuple[int, int]] = Counter()
    number = {"harvest": 1, "income": 2, "rain": 3, "trade": 4}
    for at, first in enumerate(words):
        is_turned = False
        for second in words[at + 1 :] if first in number else ():
            is_turned |= second == "due to"
            if second in number and second != first:
                pair = number[first], number[second]
                counts[pair[::-1] if is_turned else pair] += 1
    found = pairs("co-mention", made("names", text=" ".join(words)))
    assert [counts[pair] for pair in found] == sorted(counts.values(), reverse=True)[:6]  # type: ignore[index]


def test_the_hub_is_the_most_mentioned_name() -> None:
    text = "Income, income and rain."
    assert pairs("hub", made("names", text=text)) == [(2, 1), (2, 3), (2, 4)]


@pytest.mark.parametrize(
    ("name", "variant"), [("cue phrases", "names"), ("co-mention", "standard"), ("hub", "standard")]
)
def test_a_baseline_has_no_answer_to_the_variant_that_is_not_its_own(name: str, variant: str) -> None:
    assert BASELINES[name].answer(made(variant), None, 1) is None
    assert not BASELINES[name].answers(made(variant), None)


def test_a_text_without_words_gives_an_empty_graph() -> None:
    for name, variant in (("random", "standard"), ("cue phrases", "standard"), ("co-mention", "names")):
        assert pairs(name, made(variant, text="…")) == []
