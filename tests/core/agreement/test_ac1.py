"""Gwet's AC1 by its published example, by its definition on random tables, and where kappa collapses."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.agreement.ac1 import gwet_ac1
from core.agreement.kappa import cohen_kappa, table_ratings
from core.agreement.ratings import Ratings, raw_agreement
from core.scoring.interval import Resampling
from tests.core.agreement.tables import DEGENERATE, ENOUGH, Table, rated_twice, tables
from tests.core.agreement.test_alpha import EXAMPLE_C

SCALE = (0, 1, 2, 3, 4)


def test_the_published_example() -> None:
    # Gwet 2014, table 2.10 and its AC1, .77544, from agreement .81818 and chance .19032.
    found = gwet_ac1(Ratings.of(EXAMPLE_C))
    assert found.value == pytest.approx(0.77544, abs=5e-6)
    assert raw_agreement(Ratings.of(EXAMPLE_C)).value == pytest.approx(0.81818, abs=5e-6)
    assert found.n == 11


def test_random_tables_equal_the_definition_or_say_why_not() -> None:
    compared = 0
    for table in tables():
        found = gwet_ac1(Ratings.of(table, SCALE))
        if len(rated_twice(table)) < 3:
            assert (found.value, bool(found.reason)) == (None, True)
            continue
        assert found.value == pytest.approx(float(by_definition(table)), abs=1e-9)
        compared += 1
    assert compared >= ENOUGH


def by_definition(table: Table) -> Fraction:
    """Gwet 2014, equations 2.18 to 2.20, in exact fractions."""
    rated = [[value for value in row if value is not None] for row in table]
    rated = [row for row in rated if row]
    pairs = [
        Fraction(sum(row.count(v) * (row.count(v) - 1) for v in SCALE), len(row) * (len(row) - 1))
        for row in rated
        if len(row) > 1
    ]
    nothing = Fraction(0)
    shares = [sum((Fraction(row.count(v), len(row)) for row in rated), nothing) / len(rated) for v in SCALE]
    agreeing, chance = sum(pairs, nothing) / len(pairs), sum((p * (1 - p) for p in shares), nothing) / (len(SCALE) - 1)
    return (agreeing - chance) / (1 - chance)


def test_almost_all_equal_keeps_its_agreement_where_kappa_falls_to_nothing() -> None:
    # 29 of 30 equal: agreement 29/30, shares 59/60 and 1/60, chance 2·59/3600.
    ratings = table_ratings([[29, 1], [0, 0]], ("no", "yes"))
    chance = 2 * 59 / 3600
    assert gwet_ac1(ratings).value == pytest.approx((29 / 30 - chance) / (1 - chance))
    assert round((29 / 30 - chance) / (1 - chance), 3) == 0.966
    assert cohen_kappa(ratings).reason == "the first rater gave every unit no, so κ has no variance to work on"


def test_all_equal_is_full_agreement_on_a_scale_and_undefined_without_one() -> None:
    assert gwet_ac1(Ratings.of(DEGENERATE["all equal"], domain=(1, 2))).value == 1
    found = gwet_ac1(Ratings.of(DEGENERATE["all equal"]))
    assert (found.value, found.reason) == (None, "every rating is 1, and the scale has no other value")


@pytest.mark.parametrize("name", [name for name in DEGENERATE if name != "all equal"])
def test_too_little_is_undefined(name: str) -> None:
    found = gwet_ac1(Ratings.of(DEGENERATE[name], SCALE))
    assert (found.value, bool(found.reason)) == (None, True)


def test_values_nobody_gave_count_in_the_scale() -> None:
    table: Table = [[0, 0], [1, 1], [0, 1], [1, 1]]
    # Agreement 3/4; shares 3/8 and 5/8. Two values: chance 2·15/64; five values: (2·15/64) / 4.
    assert gwet_ac1(Ratings.of(table)).value == pytest.approx((3 / 4 - 30 / 64) / (1 - 30 / 64))
    assert gwet_ac1(Ratings.of(table, SCALE)).value == pytest.approx((3 / 4 - 30 / 256) / (1 - 30 / 256))


def test_an_interval_is_asked_for_with_a_seed() -> None:
    found = gwet_ac1(table_ratings([[40, 3], [2, 15]], ("+", "-")), Resampling(5))
    assert found.low is not None and found.high is not None and found.value is not None
    assert found.low < found.value < found.high
