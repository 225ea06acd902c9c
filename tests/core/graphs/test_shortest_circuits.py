"""Circuits by length, all paths together: the same ones, in the same order, as a search in depth finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.graphs import shortest_circuits as module
from core.graphs.circuits import Successors, TimeIsUp, circuits, never, successors_of
from core.graphs.loops import FEW, find_loops
from core.graphs.shortest_circuits import TooManyPaths, shortest_circuits
from tests.core.graphs.test_loops import Clock, dense_core, diamonds

graphs = st.integers(1, 7).flatmap(
    lambda count: st.lists(st.sets(st.integers(0, count - 1)).map(sorted), min_size=count, max_size=count)
)


def listed(successors: Successors) -> list[tuple[int, ...]]:
    return [tuple(row) for block in shortest_circuits(successors, never) for row in block.tolist()]


@given(graphs)
def test_all_circuits_come_by_length_and_then_in_order(successors: list[list[int]]) -> None:
    assert listed(successors) == sorted(circuits(successors), key=lambda each: (len(each), each))


def test_more_than_64_nodes_are_told_apart() -> None:
    ring = [[(node + 1) % 130, (node + 5) % 130] if node % 5 == 0 else [(node + 1) % 130] for node in range(130)]
    few = sorted(circuits(ring, 40), key=lambda each: (len(each), each))
    assert _first(ring, len(few)) == few


def _first(successors: Successors, count: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for block in shortest_circuits(successors, never):
        found += map(tuple, block.tolist())
        if len(found) >= count:
            break
    return found[:count]


def test_paths_that_lead_nowhere_by_the_million_are_given_up() -> None:
    with pytest.raises(TooManyPaths):
        listed(successors_of(diamonds(46)))


def test_the_end_of_the_time_is_told() -> None:
    with pytest.raises(TimeIsUp):
        list(shortest_circuits(successors_of(dense_core(1, 30)), Clock(3)))


def test_both_ways_give_the_same_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some 3,000 loops in all, and the shortest of more."""
    whole, part = dense_core(2, 30), dense_core(1, 25)
    by_length = find_loops(whole), find_loops(part, most=1_000)
    assert len(by_length[0].loops) > FEW

    monkeypatch.setattr(module, "MOST_PATHS", 1)
    assert (find_loops(whole), find_loops(part, most=1_000)) == by_length
