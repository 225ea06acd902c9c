"""A reworded text: its stretches give both texts back, and nothing that stayed is said to have changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.triplets.word_diff import word_changes

texts = st.lists(st.sampled_from(["firms", "in", "the", "US", "<b>", "after", "1990"]), max_size=12).map(" ".join)


@given(texts, texts)
def test_both_texts_can_be_read_off_the_stretches(before: str, after: str) -> None:
    found = list(word_changes(before, after))
    assert " ".join(each.gone for each in found if each.gone) == before
    assert " ".join(each.came for each in found if each.came) == after


@given(texts)
def test_a_text_that_stays_is_one_kept_stretch(text: str) -> None:
    assert [each.is_unchanged for each in word_changes(text, text)] == [True] * bool(text)


def test_what_goes_and_what_comes_stand_in_one_stretch() -> None:
    found = [
        (each.gone, each.came) for each in word_changes("firms in the US after 1990", "firms in France after 1990")
    ]
    assert found == [("firms in", "firms in"), ("the US", "France"), ("after 1990", "after 1990")]
