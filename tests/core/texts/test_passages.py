"""Passages that are withheld: in any case and punctuation, in JSON too, and nothing else."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from core.texts.passages import LEAST_WORDS, MARK, Passages

TEXT = "When rain falls on dry land, the rivers rise — and “the towns” of Škoda flood."
WORDS = st.lists(st.sampled_from(["rain", "river", "town", "lake", "flood", "dry"]), max_size=40)


def test_a_quoted_passage_is_withheld_and_the_words_around_it_stay() -> None:
    passages = Passages([TEXT])
    assert passages.withheld(f"It says: {TEXT.upper()} So it is.") == f"It says: {MARK}. So it is."
    seven = "when rain falls on dry land the"
    assert passages.withheld(seven) == seven


def test_json_is_read_before_it_is_searched() -> None:
    passages = Passages([TEXT])
    raw = json.dumps({"choices": [{"message": {"content": f"a\n\n{TEXT}"}}], "n": 1})
    assert json.loads(passages.withheld(raw)) == {"choices": [{"message": {"content": f"a\n\n{MARK}."}}], "n": 1}
    assert passages.withheld('{"a": 1}') == '{"a": 1}'
    assert passages.in_value({"x": [TEXT, None, 2]}) == {"x": [f"{MARK}.", None, 2]}


def test_words_of_a_prompt_are_free_and_no_text_withholds_nothing() -> None:
    assert not Passages([TEXT], free=[TEXT])
    assert Passages(()).withheld(TEXT) == TEXT


@given(WORDS, WORDS)
def test_no_passage_is_left_and_a_text_without_one_is_the_same(private: list[str], quoted: list[str]) -> None:
    known = {tuple(private[place : place + LEAST_WORDS]) for place in range(len(private) - LEAST_WORDS + 1)}
    withheld = Passages([" ".join(private)]).withheld(" ".join(quoted))
    left = withheld.replace(MARK, "|").split()
    runs = {tuple(left[place : place + LEAST_WORDS]) for place in range(len(left) - LEAST_WORDS + 1)}
    assert not runs & known
    has_passage = any(
        tuple(quoted[place : place + LEAST_WORDS]) in known for place in range(len(quoted) - LEAST_WORDS + 1)
    )
    assert (withheld == " ".join(quoted)) is not has_passage
