"""The label sets are closed: what is listed is read, in any case, and nothing else is."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.labels import DIRECTION, LABEL_SETS, SIGN, SIGN_OR_UNKNOWN, TRUTH, YES_NO, LabelSet

READ = [
    (
        SIGN,
        {
            "+": "+",
            "positive": "+",
            "-": "-",
            "\N{MINUS SIGN}": "-",
            "negative": "-",
            "none": "None",
            "null": "None",
            "no effect": "None",
            "mixed": "mixed",
        },
    ),
    (DIRECTION, {"increase": "increase", "decrease": "decrease", "none": "none"}),
    (TRUTH, {"true": "True", "yes": "True", "false": "False", "no": "False"}),
    (YES_NO, {"yes": "yes", "no": "no"}),
]


@pytest.mark.parametrize(("labels", "words"), READ, ids=lambda value: value.name if isinstance(value, LabelSet) else "")
def test_the_list_is_read_trimmed_and_in_any_case_and_is_complete(labels: LabelSet, words: dict[str, str]) -> None:
    assert dict(labels.spellings) == words
    for word, label in words.items():
        for said in (word, f"  {word.upper()}\n", word.capitalize(), f"\N{NO-BREAK SPACE}{word}"):
            assert labels.parse(said) == label
    assert set(words.values()) == set(labels.classes)


@pytest.mark.parametrize(
    "said", ["", "+/-", "0", "unknown", "increase", "–", "++", "'+'", "plus", "no  effect", "＋", "mixed.", "nan"]
)
def test_what_is_not_on_the_list_of_signs_is_no_sign(said: str) -> None:
    assert SIGN.parse(said) is None


@pytest.mark.parametrize("said", [None, math.nan, 1, -1, ["+"], {"sign": "+"}, True])
def test_what_is_not_text_is_no_sign(said: object) -> None:
    assert SIGN.parse(said) is None


def test_true_and_false_of_json_are_their_words() -> None:
    assert (TRUTH.parse(True), TRUTH.parse(False), YES_NO.parse(True)) == ("True", "False", None)


def test_unknown_is_an_answer_only_where_it_is_an_option_and_never_a_class() -> None:
    assert SIGN_OR_UNKNOWN.parse(" Unknown") == "unknown"
    assert SIGN_OR_UNKNOWN.classes == SIGN.classes == ("+", "-", "None", "mixed")
    assert SIGN_OR_UNKNOWN.others == ("unknown",)


@given(st.sampled_from(list(LABEL_SETS.values())), st.text(max_size=12))
def test_no_text_is_read_as_a_label_by_resemblance(labels: LabelSet, said: str) -> None:
    assert (labels.parse(said) is None) == (said.strip().lower() not in labels.spellings)
