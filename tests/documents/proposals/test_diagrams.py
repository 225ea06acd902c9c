"""Arrows between labels: where they start and end, and where signs and delay marks stand."""

import pytest

from documents.proposals.diagrams import arrow_between

LEFT, RIGHT = (0, 0, 20, 10), (100, 0, 120, 10)


def test_a_straight_arrow_runs_from_edge_to_edge() -> None:
    arrow = arrow_between(LEFT, RIGHT, gap=3)
    assert arrow.start == pytest.approx((23, 5), abs=0.5)
    assert arrow.tip == pytest.approx((97, 5), abs=0.5)


def test_a_reciprocal_pair_does_not_coincide() -> None:
    there = arrow_between(LEFT, RIGHT, shift=4)
    back = arrow_between(RIGHT, LEFT, shift=4)
    # right of an eastward arrow is south (y grows downwards), right of a westward one is north
    assert there.start[1] == pytest.approx(9)
    assert back.start[1] == pytest.approx(1)


def test_a_bend_bulges_by_its_share_of_the_length() -> None:
    # centres are 100 apart: a bend of 0.2 leaves the chord (y = 5) by 20 to the right, that is downwards
    assert arrow_between(LEFT, RIGHT, bend=0.2).at(0.5)[1] == pytest.approx(25, abs=0.5)
    assert arrow_between(LEFT, RIGHT, bend=-0.2).at(0.5)[1] == pytest.approx(-15, abs=0.5)


def test_the_sign_stands_beside_the_head() -> None:
    bent = arrow_between(LEFT, RIGHT, bend=-0.2)
    outer, inner = bent.sign_place(), bent.sign_place(inner=True)
    on_curve = bent.at(bent.back_from_tip(13))
    assert outer[1] < on_curve[1] < inner[1]
    for x, y in (outer, inner):
        assert ((x - on_curve[0]) ** 2 + (y - on_curve[1]) ** 2) ** 0.5 == pytest.approx(7)


def test_the_delay_mark_crosses_the_middle() -> None:
    (low, high), (other_low, _) = arrow_between(LEFT, RIGHT).delay_strokes(length=10, gap=4)
    assert abs(low[1] - high[1]) == pytest.approx(10)
    assert low[0] == pytest.approx(58, abs=0.5)
    assert other_low[0] == pytest.approx(62, abs=0.5)
