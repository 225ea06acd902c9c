"""What an answer comes to: its graph and score, flags that count, and a correction that may bring nothing in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.runs.states import ItemStatus
from protocols.exchanges import Answered, Ask, Reading
from protocols.recite.benchmark import PROTOCOL
from protocols.samples import Sample
from tests.protocols.recite.parts import EDGES, FIRST_ONLY, PROMPTS, answered, made


def graph(*pairs: tuple[Any, Any]) -> str:
    return json.dumps({"relationships": [{"source": source, "sink": sink} for source, sink in pairs]})


def read(sample: Sample, *replies: str | None, prompts: Any = PROMPTS, finish: str = "stop") -> Reading:
    so_far: list[Answered] = []
    for text in replies:
        so_far.append(answered(text, sample, finish))
    said = PROTOCOL.next(sample, prompts, so_far)
    assert isinstance(said, Reading), said
    return said


def test_an_answer_is_scored_by_hand_arithmetic() -> None:
    """Truth: Rain → Harvest, Harvest → Income, Trade → Income. Answer: the first, the second turned, one of its own.
    So one of three edges is right: P = R = F1 = 1/3; missing Trade → Income, extra Harvest → Trade, one reversed."""
    sample = made()
    reading = read(sample, graph(("rain", "harvest"), ("Income", "Harvest"), ("Harvest", "Trade")))
    assert reading.status is ItemStatus.ANSWERED
    score = PROTOCOL.score(sample, reading)
    assert score is not None and score.is_right is None and score.value == pytest.approx(1 / 3)
    assert score.parts["edge"] == {"tp": 1, "fp": 2, "fn": 2, "precision": 1 / 3, "recall": 1 / 3, "f1": 1 / 3}
    assert score.parts["node"]["f1"] == 1.0
    assert score.parts["shd"] == {"missing": 1, "extra": 1, "reversed": 1, "once": 3, "twice": 4}
    assert score.parts["normalised"]["gold_pairs"] == 3 / 12
    assert score.parts["normalised"]["gold_edges"] == 1.0


def test_ids_stand_for_the_names_by_code_points() -> None:
    reading = read(made("names"), graph((3, 1), (1, 2), (4, 2)))  # Harvest, Income, Rain, Trade
    assert reading.value["relations"] == [list(pair) for pair in EDGES]
    score = PROTOCOL.score(made("names"), reading)
    assert score is not None and score.value == 1.0


def test_flags_are_counted_and_the_answer_is_scored_as_it_is() -> None:
    reading = read(made(), graph(("Rain", "Harvest"), ("Rain", "Harvest"), ("Rain", "Rain")))
    assert reading.flags == ("node count", "duplicates", "self-loops")
    assert reading.value["counts"] == {"node count": 2, "duplicates": 1, "self-loops": 1}


def test_an_empty_list_is_an_answer_worth_nothing_and_its_precision_is_undefined() -> None:
    sample = made()
    reading = read(sample, graph())
    assert reading.flags == ("node count", "empty")
    score = PROTOCOL.score(sample, reading)
    assert score is not None and score.value == 0.0
    assert (score.parts["edge"]["precision"], score.parts["edge"]["recall"]) == (None, 0.0)


def test_without_a_helper_a_malformed_answer_is_unparsable_and_counts_as_an_empty_graph() -> None:
    sample = made()
    reading = read(sample, "Rain causes harvest.", prompts=FIRST_ONLY)
    assert reading.status is ItemStatus.UNPARSABLE and reading.faults
    score = PROTOCOL.score(sample, reading)
    assert score is not None and (score.value, score.parts["edge"]["fn"]) == (0.0, 3)


def test_what_is_cut_off_or_refused_has_no_score() -> None:
    sample = made()
    for reading in (read(sample, graph(*EDGES), finish="length"), read(sample, "", finish="content_filter")):
        assert reading.status in (ItemStatus.TRUNCATED, ItemStatus.REFUSED)
        assert PROTOCOL.score(sample, reading) is None


# --- correction -------------------------------------------------------------------------------------------------


PROSE = "Rain increases Harvest. Harvest leads to Income, and Trade too."


def test_a_malformed_answer_is_sent_to_the_helper_with_its_end() -> None:
    sample = made("names")
    text = "x" * 30_000 + " 3 -> 1 </answer>"
    said = PROTOCOL.next(sample, PROMPTS, [answered(text, sample)])
    assert isinstance(said, Ask)
    assert (said.role, said.purpose) == ("format", "format correction") and said.faults
    (message,) = said.messages
    assert message.text.endswith(f"<answer>\n{text[-20_000:].replace('</answer>', '‹/answer›')}\n</answer>")
    assert '"name": "Harvest"' in message.text


def test_a_correction_that_stands_in_the_answer_is_the_answer_and_is_flagged() -> None:
    sample = made()
    reading = read(sample, PROSE, graph(("Rain", "Harvest"), ("harvest", "income")))
    assert reading.status is ItemStatus.ANSWERED and "corrected" in reading.flags
    assert reading.repaired == graph(("Rain", "Harvest"), ("harvest", "income"))
    assert reading.value["relations"] == [["Rain", "Harvest"], ["harvest", "income"]]


@pytest.mark.parametrize(
    ("text", "correction", "fault"),
    [
        (PROSE, graph(("Rain", "Snow")), "the correction brings “Snow” in"),
        (
            '{"relationships": [{"source": "Rain", "sink": "Harvest"}, {"source": "Trade", "sink": "Income"',
            graph(("Rain", "Harvest"), ("Rain", "Income")),
            "the correction brings “Rain” → “Income” in",
        ),
        (PROSE, "I cannot.", "the correction cannot be read: there is no JSON object with relationships"),
        (PROSE, "", "the correction cannot be read: the reply is empty"),
    ],
    ids=["invented name", "invented edge", "other format", "nothing"],
)
def test_what_a_correction_brings_in_is_a_fault(text: str, correction: str, fault: str) -> None:
    reading = read(made(), text, correction)
    assert reading.status is ItemStatus.UNPARSABLE
    assert reading.faults == (fault,)


def test_an_empty_correction_is_allowed() -> None:
    reading = read(made(), "I found no relations.", graph())
    assert reading.status is ItemStatus.ANSWERED and reading.flags == ("node count", "empty", "corrected")


def test_ids_of_a_correction_stand_in_the_answer_as_numbers_or_names() -> None:
    sample = made("names")
    assert read(sample, "3 -> 1, and Trade causes Income", graph((3, 1), (4, 2))).status is ItemStatus.ANSWERED
    assert read(sample, "3 -> 1", graph((3, 2))).faults == ("the correction brings “Income” in",)


def test_names_that_the_answer_escapes_stand_there() -> None:
    text = '{"relationships": [{"source": "Caf\\u00e9 \\"A\\"", "sink": "Rain"},,, x'
    assert read(made(), text, graph(('Café "A"', "Rain"))).status is ItemStatus.ANSWERED
