"""Vectors from letters: one for all spellings of white space and case, near for near words, the same everywhere."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from core.vectors import DIMENSIONS, lexical


def cosine(one: str, other: str) -> float:
    return math.fsum(a * b for a, b in zip(lexical(one), lexical(other), strict=True))


def test_near_spellings_are_near_and_strangers_are_not() -> None:
    assert cosine("Minimum wage increase", "minimum  wage increases") > 0.9
    assert abs(cosine("Minimum wage", "Board size")) < 0.3
    assert cosine("wage growth", "growth (wage)") > 0.999  # no n-gram spans two words


def test_a_text_without_letters_has_no_direction() -> None:
    assert set(lexical("— § !")) == set(lexical("")) == {0.0}


def test_the_same_on_every_machine() -> None:
    # The n-grams of "a" are " a", "a " and " a "; gzip says that their CRC-32 are 4008208275, 105998545, 2156193244.
    # Modulo 1,024 these are 915, 209 and 476; the second one's highest bit is 0, so it is taken away.
    found = {place: round(number, 6) for place, number in enumerate(lexical("A")) if number}
    third = round(1 / math.sqrt(3), 6)
    assert found == {915: third, 209: -third, 476: third}


@given(st.text(max_size=60))
def test_every_vector_has_length_one_or_zero(text: str) -> None:
    found = lexical(text)
    assert len(found) == DIMENSIONS
    length = math.fsum(number * number for number in found)
    assert length == 0 or abs(length - 1) < 1e-9
    assert list(lexical(f"  {text}\n")) == list(found)
