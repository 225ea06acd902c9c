"""From a reply to its worth: what is read, how it is scored, and what answers that know nothing come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.messages import message
from core.runs.states import ItemStatus
from protocols.causalgraph2llm.benchmark import PROTOCOL
from protocols.causalgraph2llm.scoring import f1_of
from protocols.causalgraph2llm.tasks import USUAL_TASKS
from protocols.exchanges import Answered, Ask, Reading
from protocols.samples import AnswerScore, Sample
from tests.everything import EVERYTHING as ALL_OF_IT
from tests.protocols.causalgraph2llm.slices_made import EVERYTHING, SMALL, inputs_of, paper_inputs, samples, settings

NAMES = ["HR", "BP", "CO", "TPR"]
ASKED = Ask((message("user", "?"),))


def of_all(*true: str) -> Sample:
    return Sample(
        task="mediator",
        variant="graph",
        key="k",
        answer="listed" if true else "empty",
        slots={},
        facts={},
        hash="h",
        truth={"names": NAMES, "answer": list(true)},
    )


def of_one(answer: str) -> Sample:
    return Sample(task="mediator", variant="node", key="k", answer=answer, slots={}, facts={}, hash="h")


def read(sample: Sample, text: str, **how: Any) -> tuple[Reading, AnswerScore | None]:
    reading = PROTOCOL.next(sample, {}, [Answered(ask=ASKED, text=text, **how)])
    assert isinstance(reading, Reading)
    return reading, PROTOCOL.score(sample, reading)


@pytest.mark.parametrize(
    ("true", "said", "f1", "parts", "label"),
    [
        (("HR", "BP"), "[HR, BP]", 1.0, (2, 0, 0, 0), "listed"),
        (("HR", "BP"), "bp; hr", 1.0, (2, 0, 0, 0), "listed"),
        (("HR", "BP"), "[HR]", 2 / 3, (1, 1, 0, 0), "listed"),
        (("HR",), "[HR, CO, pulse]", 0.5, (1, 0, 1, 1), "listed"),
        (("HR",), "pulse", 0.0, (0, 1, 0, 1), "listed"),
        (("HR",), "Null", 0.0, (0, 1, 0, 0), "empty"),
        ((), "Null", 1.0, (0, 0, 0, 0), "empty"),
        ((), "[]", 1.0, (0, 0, 0, 0), "empty"),
        ((), "[HR]", 0.0, (0, 0, 1, 0), "listed"),
        ((), "pulse", 0.0, (0, 0, 0, 1), "listed"),
    ],
)
def test_a_list_has_the_f1_of_sets(
    true: tuple[str, ...], said: str, f1: float, parts: tuple[int, ...], label: str
) -> None:
    reading, score = read(of_all(*true), f"Because. <Answer>{said}</Answer>")
    assert reading.status is ItemStatus.ANSWERED
    assert score is not None
    assert score.value == pytest.approx(f1)
    assert score.is_right == (f1 == 1)
    assert score.predicted == label
    assert tuple(score.parts[name] for name in ("hits", "misses", "spurious", "wrong")) == parts


def test_yes_or_no_is_right_or_not() -> None:
    for said, true, is_right in (("Yes", "yes", True), ("no.", "yes", False), ("**No**", "no", True)):
        reading, score = read(of_one(true), f"<Answer>{said}</Answer>")
        assert reading.label == said.strip("*.").lower()
        assert score == AnswerScore(is_right, reading.label)


def test_several_answers_are_flagged_and_the_last_counts() -> None:
    reading, score = read(of_one("yes"), "<Answer>No</Answer> Wait. <Answer>Yes</Answer>")
    assert score is not None
    assert score.is_right
    assert reading.flags == ("2 answers, of which the last counts",)
    assert reading.value["pairs"] == 2


@pytest.mark.parametrize(
    ("text", "how", "status"),
    [
        ("HR mediates.", {}, ItemStatus.UNPARSABLE),
        ("<Answer>HR", {"finish_reason": ""}, ItemStatus.UNPARSABLE),
        ("<Answer>HR", {"finish_reason": "length"}, ItemStatus.TRUNCATED),
        ("", {"refusal": "No."}, ItemStatus.REFUSED),
        ("I'm sorry, but I can't help with that.", {}, ItemStatus.REFUSED),
    ],
)
def test_what_is_no_answer_is_wrong_or_in_no_score(text: str, how: Mapping[str, Any], status: ItemStatus) -> None:
    for sample in (of_all("HR"), of_one("yes")):
        reading, score = read(sample, text, **how)
        assert reading.status is status
        assert reading.faults
        if status is ItemStatus.UNPARSABLE:
            assert score == AnswerScore(is_right=False, value=0.0 if sample.truth else None)
        else:
            assert score is None
    assert read(of_one("yes"), "<Answer>Yes/No</Answer>")[0].status is ItemStatus.UNPARSABLE


def test_f1_by_hand() -> None:
    assert [f1_of(*each) for each in ((0, 0, 0), (0, 3, 0), (0, 0, 2), (2, 0, 0), (2, 1, 1))] == [
        1.0,
        0.0,
        0.0,
        1.0,
        pytest.approx(2 / 3),
    ]


# --- baselines ---------------------------------------------------------------------------------------------------


def shares(name: str, found: tuple[Sample, ...]) -> dict[str, tuple[float, float]]:
    """graph → mean F1 or accuracy, and share that is right, of a baseline on the samples that it answers."""
    scores: dict[str, list[AnswerScore]] = {}
    for sample in found:
        text = PROTOCOL.baselines[name].reply(sample, None)
        if text is not None:
            reading, score = read(sample, text)
            assert reading.status is ItemStatus.ANSWERED
            assert score is not None
            scores.setdefault(sample.facts["graph"], []).append(score)
    return {
        graph: (
            sum(each.value if each.value is not None else float(bool(each.is_right)) for each in some) / len(some),
            sum(bool(each.is_right) for each in some) / len(some),
        )
        for graph, some in scores.items()
    }


def test_baselines_on_the_papers_mediators_equal_hand_arithmetic() -> None:
    nodes = samples(paper_inputs(), settings(["mediator"], ["node"], **EVERYTHING), 0, 48_045 if ALL_OF_IT else 300)
    always_no, always_yes = (shares(name, nodes) for name in ("always-no", "always-yes"))
    for graph, (accuracy, _) in always_no.items():
        assert always_yes[graph][0] == pytest.approx(1 - accuracy)
        assert accuracy == pytest.approx(
            sum(each.answer == "no" for each in nodes if each.facts["graph"] == graph)
            / sum(each.facts["graph"] == graph for each in nodes)
        )
    if ALL_OF_IT:  # of 8,775 queries of Insurance and 23,310 of Alarm; the others: `test_slices`
        assert round(100 * always_no["insurance"][1], 1) == 99.0
        assert round(100 * always_no["alarm"][1], 1) == 99.8
    graphs = samples(paper_inputs(), settings(["mediator"], ["graph"], **EVERYTHING))
    assert shares("null", graphs)["alarm"] == (pytest.approx((666 - 44) / 666), pytest.approx((666 - 44) / 666))
    assert not shares("null", nodes)
    assert not shares("always-no", graphs)


def test_every_variable_is_read_back_whatever_its_name() -> None:
    odd = CausalGraph.of([Edge("a, b", 'the "x"'), Edge("Null", "a"), Edge("[b]", "c;d")])
    found = samples(inputs_of(odd=odd), settings(["source"], ["graph"], **EVERYTHING))
    text = PROTOCOL.baselines["every-variable"].reply(found[0], None)
    reading, _ = read(found[0], text or "")
    assert (reading.value["names"], reading.value["wrong_count"]) == (list(odd.nodes), 0)


def test_a_coin_is_the_same_for_a_seed_and_fair() -> None:
    found = samples(inputs_of(small=SMALL), settings(USUAL_TASKS, **EVERYTHING))
    coin = PROTOCOL.baselines["coin"]
    assert [coin.reply(each, None) for each in found] == [coin.reply(each, None) for each in found]
    other = samples(inputs_of(small=SMALL), settings(USUAL_TASKS, **EVERYTHING) | {"seed": 2})
    said = {each.key: coin.reply(each, None) for each in found}
    assert said != {each.key: coin.reply(each, None) for each in other}
    nodes = samples(paper_inputs(), settings(["mediator"], ["node"], **EVERYTHING), 0, 1_000)
    accuracies = shares("coin", nodes)
    assert 0.45 < sum(each for each, _ in accuracies.values()) / len(accuracies) < 0.55
