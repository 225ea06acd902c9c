"""Lee et al.'s validation: points, the combined score, its share, and the table for the correlations."""

from __future__ import annotations

import pytest

from core.agreement.icc import Icc, intraclass
from core.errors import BadInput
from core.triplets.validation import Relation, ValidationScore, combined_score, points_of, share_at_maximum, share_high

FULL, THREE, TWO = ValidationScore(2, 1, 1), ValidationScore(2, 1, 0), ValidationScore(1, 1, 0)


def test_points_of_one_and_of_two_annotators() -> None:
    assert (FULL.points, THREE.points, TWO.points, ValidationScore(0, 0, 0).points) == (4, 3, 2, 0)
    assert (combined_score([FULL, THREE]), combined_score([FULL, None])) == (7, None)
    with pytest.raises(BadInput, match="needs 2 annotators, not 3"):
        combined_score([FULL, FULL, FULL])


def test_shares_are_of_relations_both_scored() -> None:
    # 8, 7, 6 and one that only the first annotator scored: two of three reach 7, one has all eight.
    relations: list[Relation] = [[FULL, FULL], [THREE, FULL], [THREE, THREE], [FULL, None]]
    high, full = share_high(relations), share_at_maximum(relations)
    assert (high.value, high.n, full.value) == (2 / 3, 3, 1 / 3)
    assert high.reason == "1 of 4 relations are left out, because two raters did not score them"
    assert share_high([[None, FULL]]).value is None
    assert share_high([[FULL, FULL]]).reason == ""


@pytest.mark.parametrize(
    ("points", "place"),
    [
        ((3, 1, 1), "entities: found 3;"),
        ((2, 2, 1), "direction: found 2;"),
        ((2, 1, -1), "causal: found -1;"),
        ((2, True, 1), "direction: found True;"),
        ((1.0, 1, 1), "entities: found 1.0;"),
    ],
)
def test_points_outside_the_rubric_are_refused(points: tuple[int, int, int], place: str) -> None:
    with pytest.raises(BadInput, match=place):
        ValidationScore(*points)


def test_the_points_are_a_table_for_the_six_correlations() -> None:
    nothing = ValidationScore(0, 0, 0)
    relations: list[Relation] = [[FULL, THREE], [TWO, TWO], [THREE, FULL], [nothing, TWO], [FULL, None]]
    ratings = points_of(relations)
    assert ratings.domain == (0, 1, 2, 3, 4)
    assert ratings.codes.tolist() == [[4, 3], [2, 2], [3, 4], [0, 2], [4, -1]]
    found = intraclass(ratings)
    assert found[Icc.ONE_WAY].n == 4
    one, mean = found[Icc.ONE_WAY].value, found[Icc.ONE_WAY_MEAN].value
    assert one is not None
    assert mean is not None
    assert mean > one
