"""Stratified samples: the same number from each stratum, the same for everyone, larger ones hold smaller ones."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from core.triplets.sampling import DrawCandidate, stratified

CANDIDATES = st.lists(st.tuples(st.text(min_size=1, max_size=5), st.integers(1990, 1994) | st.none()), max_size=40)


def listed(found: list[tuple[str, int | None]]) -> list[DrawCandidate]:
    return [DrawCandidate(f"{place}", f"{place}/{lot}", year) for place, (lot, year) in enumerate(found)]


@given(CANDIDATES, st.integers(1, 6), st.integers(0, 99))
def test_every_stratum_gives_its_number_or_all_it_has(
    found: list[tuple[str, int | None]], wanted: int, seed: int
) -> None:
    candidates = listed(found)
    drawn = set(stratified(candidates, wanted, seed))
    there, taken = Counter(c.stratum for c in candidates), Counter(c.stratum for c in candidates if c.id in drawn)
    assert taken == {stratum: min(wanted, number) for stratum, number in there.items()}


@given(CANDIDATES, st.integers(1, 6), st.integers(0, 99))
def test_a_larger_sample_holds_the_smaller_and_order_does_not_matter(
    found: list[tuple[str, int | None]], wanted: int, seed: int
) -> None:
    candidates = listed(found)
    small, large = (set(stratified(candidates, n, seed)) for n in (wanted, wanted + 1))
    assert small <= large
    assert set(stratified(candidates[::-1], wanted, seed)) == small


def test_another_seed_draws_others_and_no_number_draws_all() -> None:
    candidates = [DrawCandidate(str(n), str(n), 2000) for n in range(100)]
    assert stratified(candidates, 10, 1) != stratified(candidates, 10, 2)
    assert stratified(candidates, None, 1) == [str(n) for n in range(100)]
