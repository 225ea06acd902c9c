"""The counting of the omission experiment, on lists planted by hand."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.omissions.counting import (
    BareInk,
    Listed,
    OmissionTally,
    ReviewMethod,
    at_least,
    by_ink,
    in_vain,
    left_out,
    way_back,
)

PLANTED = Listed(
    arrows=frozenset({("Price", "Demand"), ("Rent", "Noise")}),
    refused=frozenset({("Profit", "Rent")}),
    texts=frozenset({"Albedo", "R1"}),
    alone=frozenset({"Rain"}),
    doubts=(frozenset({"Tree", "Trees"}),),
    unswept=frozenset({"Supply", "Price", "Tree"}),
)


@pytest.mark.parametrize(
    ("edge", "way"),
    [
        (("Price", "Demand"), ReviewMethod.ARROW),
        (("price", "DEMAND"), ReviewMethod.ARROW),
        (("Demand", "Price"), ReviewMethod.NOTHING),  # the arrow points the other way, and Demand is swept
        (("Profit", "Rent"), ReviewMethod.REFUSED),
        (("Ice cover", "Albedo"), ReviewMethod.TEXT),
        (("Rain", "Albedo"), ReviewMethod.TEXT),  # the first of two ways
        (("Rain", "Stress"), ReviewMethod.ALONE),
        (("Stress", "Rain"), ReviewMethod.ALONE),
        (("Tree", "Stress"), ReviewMethod.DOUBT),
        (("Supply", "Stress"), ReviewMethod.SWEEP),
        (("Stress", "Supply"), ReviewMethod.NOTHING),  # a step asks for what leaves its node
    ],
)
def test_an_edge_counts_for_the_most_telling_way_back(edge: tuple[str, str], way: ReviewMethod) -> None:
    assert way_back(edge, PLANTED) is way


def test_nothing_listed_brings_nothing_back() -> None:
    assert way_back(("Price", "Demand"), Listed()) is ReviewMethod.NOTHING


def test_what_is_listed_beside_the_point_is_counted_too() -> None:
    assert PLANTED.length == 7
    assert in_vain(PLANTED, [("Price", "Demand"), ("Ice cover", "Albedo")]) == 5
    assert in_vain(PLANTED, [("Profit", "Rent"), ("Ice cover", "Albedo")]) == 5
    assert in_vain(PLANTED, []) == 7


def test_a_bare_arrow_leads_to_one_edge_between_the_names_at_its_ends() -> None:
    arrow = BareInk(frozenset({"price", "rent"}), frozenset({"demand"}))
    head = BareInk(frozenset(), frozenset({"demand"}), has_line=False)
    dropped = [("Price", "Demand"), ("Rent", "Demand"), ("Rain", "Demand"), ("Demand", "Price")]
    assert by_ink(dropped, [arrow]) == {("price", "demand")}
    assert by_ink(dropped, [head, arrow]) == {("price", "demand"), ("rent", "demand")}
    listed = Listed(ink=(arrow, head))
    tally = OmissionTally()
    tally.add(dropped, listed)
    assert (tally.ways[ReviewMethod.INK], tally.vain) == (2, 0)
    assert in_vain(listed, [("Demand", "Price")]) == 2


def test_a_tally_keeps_the_sweep_apart_and_adds_up() -> None:
    one, other = OmissionTally(), OmissionTally()
    one.add([("Price", "Demand"), ("Supply", "Stress"), ("Stress", "Supply")], PLANTED)
    other.add([("Rain", "Stress"), ("Tree", "Stress")], PLANTED)
    both = one + other
    assert (both.transcriptions, both.dropped, both.shown, both.near, both.with_sweep) == (2, 5, 2, 3, 4)
    assert (both.listed, both.vain) == (14, 11)
    assert (one.shown, one.with_sweep, other.shown, other.with_sweep) == (1, 2, 1, 2)


def test_a_tenth_is_left_out_but_never_none_and_a_seed_chooses_the_same() -> None:
    edges = list(range(37))
    assert len(left_out(edges, 0.1, Random("a"))) == 4
    assert len(left_out(edges[:8], 0.1, Random("a"))) == 1
    assert len(left_out(edges[:2], 0.1, Random("a"))) == 1
    assert left_out([], 0.1, Random("a")) == []
    assert left_out(edges, 0.1, Random("a")) == left_out(edges, 0.1, Random("a"))
    assert len({tuple(left_out(edges, 0.1, Random(seed))) for seed in range(20)}) > 10


def test_the_lower_end_of_a_share_is_wilsons() -> None:
    assert at_least(81, 263) == pytest.approx(0.2553, abs=1e-4)  # Newcombe 1998, table I, method 3
    assert at_least(0, 20) == 0.0
    assert at_least(29, 29) == pytest.approx(0.8830, abs=1e-4)
    assert at_least(0, 0) == 0.0
