"""Printed names of loops and the computed loops around them, laid out by hand."""

from core.graphs.loops import Loop
from core.graphs.printed_loops import name_loops

#  A --- B      an inner triangle A B C in a square A B D E
#  | C   |
#  E --- D
PLACES = {"A": (0.0, 0.0), "B": (10.0, 0.0), "C": (3.0, 4.0), "D": (10.0, 10.0), "E": (0.0, 10.0)}
INNER, OUTER = Loop(("A", "B", "C"), "R"), Loop(("A", "B", "D", "E"), "B")


def test_a_name_belongs_to_the_smallest_loop_around_it() -> None:
    unknown = [Loop(INNER.nodes, None), Loop(OUTER.nodes, None)]
    assert name_loops([("R1", (4, 1)), ("B1", (8, 8))], unknown, PLACES) == {0: "R1", 1: "B1"}


def test_a_name_of_another_kind_belongs_to_the_next_larger_loop() -> None:
    assert name_loops([("B1", (4, 1))], [INNER, OUTER], PLACES) == {1: "B1"}
    assert name_loops([("B1", (4, 1))], [INNER], PLACES) == {}


def test_each_name_and_each_loop_is_used_once() -> None:
    assert name_loops([("R1", (4, 1)), ("R2", (4, 2))], [INNER], PLACES) == {0: "R1"}


def test_two_nodes_have_the_name_between_them_and_nodes_without_a_place_none() -> None:
    pair = [Loop(("A", "B"), None)]
    assert name_loops([("R1", (5, 2))], pair, PLACES) == {0: "R1"}
    assert name_loops([("R1", (5, 9))], pair, PLACES) == {}
    assert name_loops([("R1", (5, 2))], pair, {"A": (0, 0)}) == {}
