"""Probabilities of the signs from first tokens: the right token, several spellings, options outside the top."""

from __future__ import annotations

import math
from typing import Any

import pytest

from core.labels import SIGN
from core.scoring.calibration import RatedAnswer, calibrate
from protocols.econcausal.probabilities import probabilities_in


def token(text: str, probability: float = 1.0, **others: float) -> dict[str, Any]:
    top = [{"token": word, "logprob": math.log(each)} for word, each in {text: probability, **others}.items()]
    return {"token": text, "logprob": math.log(probability), "top_logprobs": top}


def content(*tokens: dict[str, Any]) -> dict[str, Any]:
    return {"content": list(tokens)}


BEFORE = [token('{"'), token("predicted"), token("_sign"), token('":')]
SURE = {"-": 0.2, "None": 0.05, "neg": 0.04}


@pytest.mark.parametrize(
    "said",
    [
        [token(' "'), token("+", 0.7, **SURE), token('",')],
        [token(' "+', 0.7, **{f' "{word}': p for word, p in SURE.items()}), token('",')],
        [token(' "+",', 0.7, **{f' "{word}",': p for word, p in SURE.items()})],
        [token(" "), token('"+"', 0.7, **{f'"{word}"': p for word, p in SURE.items()}), token("}")],
        [token(" +", 0.7, **{f" {word}": p for word, p in SURE.items()}), token(",")],
    ],
    ids=["alone", "with its quote", "with both", "quoted whole", "bare"],
)
def test_the_token_in_which_the_label_begins_is_looked_at(said: list[dict[str, Any]]) -> None:
    found = probabilities_in(content(*BEFORE, *said, token(' "reasoning": "-"}')))
    assert found == pytest.approx({"+": 0.7, "-": 0.2, "None": 0.05})  # "neg" could be half a word: of no option


def test_a_token_that_ends_the_key_too_is_compared_with_those_that_end_it_alike() -> None:
    whole = token('":"+', 0.6, **{'":"-': 0.3, "-": 0.05})
    found = probabilities_in(content(token('{"predicted_sign'), whole, token('"}')))
    assert found == pytest.approx({"+": 0.6, "-": 0.3})


def test_spellings_of_one_option_are_added_and_options_outside_the_top_are_absent() -> None:
    said = token("+", 0.5, **{"positive": 0.2, "Positive": 0.1, "−": 0.05, "negative": 0.05, "mix": 0.02})
    found = probabilities_in(content(*BEFORE, token(' "'), said, token('"}')))
    assert found == pytest.approx({"+": 0.8, "-": 0.1, "mixed": 0.02})
    calibration = calibrate([RatedAnswer("+", found)], SIGN)
    assert calibration.outside_top == 1  # None is absent, counts 0, and the row is counted
    assert calibration.bins[8].confidence.value == pytest.approx(0.8 / 0.92)


def test_the_chosen_token_counts_where_the_top_leaves_it_out() -> None:
    said = {"token": "None", "logprob": math.log(0.1), "top_logprobs": [{"token": "+", "logprob": math.log(0.6)}]}
    assert probabilities_in(content(*BEFORE, token(' "'), said)) == pytest.approx({"None": 0.1, "+": 0.6})


def test_numbers_that_servers_round_above_one_are_one() -> None:
    said = {
        "token": "+",
        "logprob": 1e-7,
        "top_logprobs": [{"token": "+", "logprob": 1e-7}, {"token": " +", "logprob": -8}],
    }
    assert probabilities_in(content(*BEFORE, token(' "'), said)) == {"+": 1.0}


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        {},
        {"content": None},
        {"content": []},
        "text",
        content(token("I think it is +.")),
        content(*BEFORE),
        content(*BEFORE, token('"')),
        content(*BEFORE, token("+"), *BEFORE, token("-")),
        content({"token": '{"predicted_sign": "'}, token("+")),
        content(token('{"predicted_sign": "'), {"token": "+", "logprob": "high"}),
        content(token('{"predicted_sign": "'), {"token": "+", "logprob": float("nan")}),
        content(token('{"predicted_sign": "'), {"token": "+", "logprob": 2.0}),
        content(token('{"predicted_sign": "'), {"token": "+", "logprob": True}),
    ],
)
def test_where_they_cannot_tell_there_are_none(logprobs: Any) -> None:
    assert probabilities_in(logprobs) is None


def test_a_token_that_is_no_option_gives_an_empty_answer_which_calibration_lists() -> None:
    found = probabilities_in(content(*BEFORE, token(' "'), token("rises", 0.9)))
    assert found == {}
    assert calibrate([RatedAnswer("+", found, "row 7")], SIGN).excluded == ("row 7",)
