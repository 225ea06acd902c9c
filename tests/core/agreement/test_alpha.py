"""Krippendorff's alpha beside the package on raw ratings, beside its own definition, and on printed examples."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import krippendorff
import numpy as np
import pytest

from core.agreement import alpha as module
from core.agreement.alpha import columns_of, krippendorff_alpha, statistic_of
from core.agreement.level import MeasurementLevel
from core.agreement.ratings import Ratings
from core.errors import BadInput
from core.scoring.interval import Resampling, drawn_units, resampled_sums
from tests.core.agreement.tables import DEGENERATE, ENOUGH, Table, random_table, rated_twice, tables

# Krippendorff 2011, example C: 4 observers, 12 units. Printed there: nominal .743, ordinal .815, interval .849.
EXAMPLE_C: Table = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, 3, None, None],
]


SEEDS_WITH_GAPS = (3, 17, 39, 161)


@pytest.mark.parametrize(("level", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_printed_example(level: str, printed: float) -> None:
    found = krippendorff_alpha(Ratings.of(EXAMPLE_C), MeasurementLevel(level))
    assert found.value is not None
    assert round(found.value, 3) == printed
    assert found.n == 11  # the last unit was rated once


@pytest.mark.parametrize("level", MeasurementLevel)
def test_random_tables_equal_the_package_and_the_definition_or_say_why_not(level: MeasurementLevel) -> None:
    undefined = 0
    for table in tables():
        found = krippendorff_alpha(Ratings.of(table), level)
        units = rated_twice(table)
        if len(units) < 3 or len({value for row in units for value in row}) == 1:
            assert (found.value, bool(found.reason)) == (None, True)
            undefined += 1
            continue
        raw = np.array([[np.nan if v is None else v for v in row] for row in table], dtype=float).T
        assert found.value == pytest.approx(krippendorff.alpha(raw, level_of_measurement=level.value), abs=1e-9)
        assert found.value == pytest.approx(float(by_definition(units, level)), abs=1e-9)
        assert found.n == len(units)
    assert undefined >= len(DEGENERATE)
    assert len(tables()) - undefined >= ENOUGH


def by_definition(units: list[list[int]], level: MeasurementLevel) -> Fraction:
    """1 − mean distance within units / mean distance of any two ratings, each pair of a unit weighing 1/(m − 1)."""
    everything = [value for row in units for value in row]
    apart = {(a, b): distance(a, b, level, everything) for a in set(everything) for b in set(everything)}
    within = sum(
        (
            apart[pair] * count / (len(row) - 1)
            for row in units
            for pair, count in Counter(permutations(row, 2)).items()
        ),
        Fraction(0),
    )
    overall = sum((apart[pair] * count for pair, count in Counter(permutations(everything, 2)).items()), Fraction(0))
    return 1 - (len(everything) - 1) * within / overall


def distance(a: int, b: int, level: MeasurementLevel, everything: list[int]) -> Fraction:
    if level is MeasurementLevel.NOMINAL:
        return Fraction(a != b)
    if level is MeasurementLevel.INTERVAL:
        return Fraction(a - b) ** 2
    low, high = min(a, b), max(a, b)
    between = sum(low <= value <= high for value in everything)
    return (between - Fraction(everything.count(a) + everything.count(b), 2)) ** 2


@pytest.mark.parametrize("level", MeasurementLevel)
def test_all_ratings_equal_is_undefined_not_zero_and_not_an_error(level: MeasurementLevel) -> None:
    found = krippendorff_alpha(Ratings.of(DEGENERATE["all equal"], domain=(1, 2, 3)), level)
    assert (found.value, found.n) == (None, 8)
    assert found.reason == "every rating is 1, so chance agreement is complete"


def test_a_rater_who_always_says_the_same_is_a_rater_like_others() -> None:
    table: Table = [[1, 2], [1, 1], [1, 3], [1, 2], [1, 1]]
    found = krippendorff_alpha(Ratings.of(table), MeasurementLevel.NOMINAL)
    # Ratings 1: 7, 2: 2, 3: 1. Three units differ, 6 ordered pairs. Expected 2(7·2 + 7·1 + 2·1) / 9 = 46/9.
    assert found.value == pytest.approx(1 - 9 * 6 / 46)


def test_interval_data_cannot_be_words() -> None:
    with pytest.raises(BadInput, match="“a”"):
        krippendorff_alpha(Ratings.of([["a", "b"]] * 4), MeasurementLevel.INTERVAL)


def test_words_can_be_ordered_by_their_scale() -> None:
    words = {1: "low", 2: "mid", 3: "high", 4: "very high", 5: "top", None: None}
    renamed = [[words[value] for value in row] for row in EXAMPLE_C]
    found = krippendorff_alpha(
        Ratings.of(renamed, domain=("low", "mid", "high", "very high", "top")), MeasurementLevel.ORDINAL
    )
    assert found.value == krippendorff_alpha(Ratings.of(EXAMPLE_C), MeasurementLevel.ORDINAL).value


@pytest.mark.parametrize("level", MeasurementLevel)
def test_beyond_the_packages_memory_our_own_form_gives_the_same(
    level: MeasurementLevel, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_package = krippendorff_alpha(Ratings.of(EXAMPLE_C), level).value
    monkeypatch.setattr(module, "_MOST_CELLS", 0)
    assert krippendorff_alpha(Ratings.of(EXAMPLE_C), level).value == pytest.approx(by_package, abs=1e-12)


@pytest.mark.parametrize("level", MeasurementLevel)
@pytest.mark.parametrize("seed", SEEDS_WITH_GAPS)
def test_every_draw_equals_the_package_on_the_same_units(level: MeasurementLevel, seed: int) -> None:
    ratings = Ratings.of(random_table(seed), domain=(0, 1, 2, 3, 4))
    counts, values, how = ratings.counts(), np.arange(5.0), Resampling(seed, draws=60)
    ours = statistic_of(values, level)(resampled_sums([columns_of(counts, values, level)], how)[0])
    tried = 0
    for drawn, found in zip(np.concatenate(list(drawn_units(len(counts), how))), ours, strict=True):
        pairable = counts[drawn][counts[drawn].sum(axis=1) >= 2]
        if (pairable.sum(axis=0) > 0).sum() < 2:
            assert np.isnan(found)
            continue
        assert abs(found - krippendorff.alpha(value_counts=counts[drawn], level_of_measurement=level.value)) < 1e-12
        tried += 1
    assert tried > 20


def test_the_interval_holds_the_value_and_comes_back_with_its_seed() -> None:
    ratings = Ratings.of(EXAMPLE_C)
    found = krippendorff_alpha(ratings, MeasurementLevel.ORDINAL, Resampling(1))
    assert found.low is not None and found.high is not None and found.value is not None
    assert found.low < found.value < found.high
    assert found == krippendorff_alpha(ratings, MeasurementLevel.ORDINAL, Resampling(1))
    assert found != krippendorff_alpha(ratings, MeasurementLevel.ORDINAL, Resampling(2))
    clustered = krippendorff_alpha(
        ratings, MeasurementLevel.ORDINAL, Resampling(1), clusters=["a"] * 6 + ["b"] * 3 + ["c"] * 3
    )
    assert clustered.value == found.value and clustered.low != found.low
