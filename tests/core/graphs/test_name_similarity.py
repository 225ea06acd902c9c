from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.graphs.alignment import NameClass
from core.graphs.name_similarity import likely_class


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Net price", "net price"),
        ("Net price", "Net  price"),
        ("Work-life balance", "Work life balance"),
        ("Réforme", "Reforme"),
        ("Population (urban)", "Population urban"),
        ("Harvest", "Harvst"),  # one letter left out
        ("Harvest", "Harvesst"),  # one put in
        ("Harvest", "Harvect"),  # one changed
        ("Harvest", "Havrest"),  # two neighbours swapped
        ("+", "＋"),
    ],
)
def test_one_slip_of_the_pen_is_a_typo(one: str, other: str) -> None:
    assert likely_class(one, other) is NameClass.TYPO


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Beds free for planned care", "Beds free"),
        ("Arable land", "County's arable land area"),
        ("Total grain output", "Grain output in total"),
        ("Harvest", "Harbst"),  # two letters
    ],
)
def test_the_same_words_in_part_are_a_minor_difference(one: str, other: str) -> None:
    assert likely_class(one, other) is NameClass.MINOR


@pytest.mark.parametrize(("one", "other"), [("GDP", "Price"), ("Rain", "Income of farms"), ("+", "-"), ("A", "B")])
def test_names_that_share_next_to_nothing_are_a_major_mismatch(one: str, other: str) -> None:
    assert likely_class(one, other) is NameClass.MAJOR


def test_one_letter_of_a_short_name_is_no_typo() -> None:
    assert likely_class("GDP", "GNP") is not NameClass.TYPO


@given(one=st.text(min_size=1, max_size=20), other=st.text(min_size=1, max_size=20))
def test_the_order_of_the_two_names_does_not_matter(one: str, other: str) -> None:
    assert likely_class(one, other) is likely_class(other, one)
