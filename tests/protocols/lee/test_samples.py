"""Which questions a run asks, in which order, with which words, and what answers to them are worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from core.errors import BadInput
from core.messages import Text
from core.questions.questions import TYPES
from core.runs.states import ItemStatus
from prompts.loader import load
from protocols.exchanges import Answered, Ask, Reading
from protocols.lee.benchmark import PROTOCOL
from protocols.lee.tasks import ASK, NEEDED, PLACEHOLDERS, PROMPTS
from protocols.protocol import first_messages
from protocols.samples import Sample
from tests.protocols.lee.question_sets import inputs, questions, settings

EVERY = questions()
BUILT_IN = {name: load(name, placeholders=PLACEHOLDERS) for name in NEEDED}


def samples(name: str = "set", **given: object) -> tuple[Sample, ...]:
    return PROTOCOL.samples(ASK, inputs(EVERY, name), settings(**given)).samples


def read(sample: Sample, text: str, finish_reason: str = "stop") -> Reading:
    found = PROTOCOL.next(sample, {}, [Answered(ask=Ask(()), text=text, finish_reason=finish_reason)])
    assert isinstance(found, Reading)
    return found


def test_every_question_is_asked_once_in_each_variant_and_both_stand_side_by_side() -> None:
    found = samples(variants=["closed", "open"])
    assert Counter((each.key, each.variant) for each in found) == Counter(
        (each.id, variant) for each in EVERY for variant in ("closed", "open")
    )
    assert all(one.key == two.key and one.task == two.task for one, two in zip(found[::2], found[1::2], strict=True))
    space = PROTOCOL.space(ASK, inputs(EVERY), settings(variants=["closed", "open"]))
    assert space.samples == len(found)
    assert {(part.task, part.variant): part.samples for part in space.parts} == Counter(
        (each.task, each.variant) for each in found
    )


def test_a_stretch_is_that_of_all_and_the_seed_decides_the_order() -> None:
    every = samples()
    part = PROTOCOL.samples(ASK, inputs(EVERY), settings(), start=7, count=5).samples
    assert part == every[7:12]
    assert [each.key for each in samples(seed=2)] != [each.key for each in every]
    assert sorted(each.key for each in samples(seed=2)) == sorted(each.key for each in every)


def test_wherever_a_run_stops_all_types_have_been_asked() -> None:
    half = samples()[: len(EVERY) // 2]
    sizes = Counter(each.type for each in EVERY)
    asked = Counter(int(each.task[-1]) for each in half)
    assert all(0.3 * sizes[kind] < asked[kind] < 0.7 * sizes[kind] for kind in TYPES)


def test_a_share_is_drawn_of_each_type_and_answer() -> None:
    sizes = Counter((f"type{each.type}", each.answer) for each in EVERY)
    found = Counter((each.task, each.answer) for each in samples(share=10))
    assert found == {stratum: max(1, int(size / 10 + 0.5)) for stratum, size in sizes.items()}
    assert {each.key for each in samples(share=10)} <= {each.key for each in samples(share=25)}


def test_at_most_so_many_of_each_type_and_easy_ones_only_if_wanted() -> None:
    assert set(Counter(each.task for each in samples(most_samples=3)).values()) == {3}
    marked = tuple(replace(each, is_easy=number % 2 == 0) for number, each in enumerate(EVERY))
    hard = PROTOCOL.samples(ASK, inputs(marked, "marked"), settings()).samples
    assert {each.key for each in hard} == {each.id for each in marked if not each.is_easy}
    told = PROTOCOL.space(ASK, inputs(marked, "marked"), settings()).notices[0]
    assert told.endswith(f"{sum(bool(each.is_easy) for each in marked):,} easy questions left out.")
    assert len(PROTOCOL.samples(ASK, inputs(marked, "marked"), settings(easy="in")).samples) == len(EVERY)


def test_a_set_without_a_question_of_the_chosen_types_says_so() -> None:
    only_first = tuple(each for each in EVERY if each.type == 1)
    with pytest.raises(BadInput, match="chosen types"):
        PROTOCOL.space(ASK, inputs(only_first, "first"), settings(tasks=["type5"]))
    with pytest.raises(BadInput, match="No question set"):
        PROTOCOL.space(ASK, replace(inputs(EVERY), values={}), settings())


@pytest.mark.parametrize("variant", ["closed", "open"])
def test_a_prompt_tells_every_phrase_and_only_the_closed_one_forbids_what_is_known(variant: str) -> None:
    for sample in samples(variants=[variant]):
        text = "\n".join(
            part.text
            for message in first_messages(PROTOCOL, sample, BUILT_IN)
            for part in message.parts
            if isinstance(part, Text)
        )
        phrases = [sample.facts["treatment"], sample.facts["outcome"]]
        if sample.task in ("type2", "type3", "type4"):
            phrases += [sample.slots["given_treatment"], sample.slots["given_outcome"]]
        assert all(phrase in text for phrase in phrases)
        assert ("Use no knowledge from anywhere else." in text) is (variant == "closed")
        if sample.task == "type5":
            assert "Direction:" not in text


def test_a_prompt_with_a_place_too_few_or_too_many_is_refused() -> None:
    whole = BUILT_IN["lee/claim_closed"]
    PROTOCOL.check_prompt("type1", "closed", whole)
    with pytest.raises(BadInput, match=r"has no \{direction\}"):
        PROTOCOL.check_prompt("type1", "closed", replace(whole, placeholders=whole.placeholders - {"direction"}))
    with pytest.raises(BadInput, match=r"\{given_outcome\}, which lee/claim_closed does not provide"):
        PROTOCOL.check_prompt("type1", "closed", replace(whole, placeholders=whole.placeholders | {"given_outcome"}))
    assert set(PROMPTS.values()) == set(NEEDED)


@pytest.mark.parametrize(
    ("task", "text", "status", "label"),
    [
        ("type1", '{"answer": "True", "reasons": "so"}', "answered", "True"),
        ("type1", '{"answer": true}', "answered", "True"),
        ("type2", 'I think: {"answer": "no"}', "answered", "False"),
        ("type3", "It is true.", "unparsable", None),
        ("type4", '{"answer": "perhaps"}', "unparsable", None),
        ("type5", '{"direction": "Decrease"}', "answered", "decrease"),
        ("type5", '{"direction": "+"}', "unparsable", None),
        ("type5", '{"answer": "True"}', "unparsable", None),
    ],
)
def test_replies_are_read_by_the_closed_labels_of_their_type(
    task: str, text: str, status: str, label: str | None
) -> None:
    sample = next(each for each in samples() if each.task == task)
    reading = read(sample, text)
    assert (reading.status.value, reading.label) == (status, label)
    found = PROTOCOL.score(sample, reading)
    assert found is not None
    assert found.is_right is (label == sample.answer)


def test_what_is_cut_off_has_no_score() -> None:
    sample = samples()[0]
    reading = read(sample, '{"answer": "True"}', "length")
    assert reading.status is ItemStatus.TRUNCATED
    assert PROTOCOL.score(sample, reading) is None


def test_baselines_say_what_they_are_called() -> None:
    every = samples()
    said = {name: [each.answer(sample, None, 1) for sample in every] for name, each in PROTOCOL.baselines.items()}
    labels = {
        name: [None if text is None else read(sample, text).label for sample, text in zip(every, texts, strict=True)]
        for name, texts in said.items()
    }
    for place, sample in enumerate(every):
        is_claim = sample.task != "type5"
        assert labels["always-true"][place] == ("True" if is_claim else None)
        assert labels["always-false"][place] == ("False" if is_claim else None)
        assert labels["always-increase"][place] == (None if is_claim else "increase")
        told = sample.facts["given_direction"]
        repeats = None if not told else str(sample.facts["direction"] == told)
        assert labels["given-direction"][place] == repeats
    counts = {
        task: Counter(each.answer for each in every if each.task == task) for task in {each.task for each in every}
    }
    for sample, label in zip(every, labels["majority"], strict=True):
        assert counts[sample.task][label] == max(counts[sample.task].values())
    assert {"True", "False", "increase", "decrease", "none"} == set(labels["coin"])
    coin = PROTOCOL.baselines["coin"]
    assert [coin.answer(each, None, 2) for each in every] != said["coin"]
    assert [coin.answer(each, None, 1) for each in every] == said["coin"]
