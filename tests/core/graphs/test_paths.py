"""Paths and their signs: short ones first, every simple path once, and a verdict no stronger than what was seen."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Missing
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.paths import PathsSummary, elements_along, find_paths, product
from core.graphs.record import EdgeRecord, GraphRecord, NodeRecord
from core.graphs.signs import settled_signs
from core.sign import Sign

MARKS = {"+": Sign.PLUS, "-": Sign.MINUS, "?": None}
ARROWS = st.lists(st.tuples(st.sampled_from("ABCDE"), st.sampled_from("ABCDE"), st.sampled_from("+-?")), max_size=12)


def graph(*arrows: str | tuple[str, str, str]) -> CausalGraph:
    """ "A+B" is an arrow from A to B with a plus."""
    return CausalGraph.of([Edge(source, sink, MARKS[mark]) for source, mark, sink in map(_parts, arrows)])


def _parts(arrow: str | tuple[str, str, str]) -> tuple[str, str, str]:
    if isinstance(arrow, tuple):
        return arrow[0], arrow[2], arrow[1]
    return arrow[0], arrow[1], arrow[2]


def test_two_minus_signs_make_a_plus_and_one_makes_a_minus() -> None:
    assert find_paths(graph("A-B", "B-C"), "A", "C").verdict is PathsSummary.PLUS
    assert find_paths(graph("A-B", "B+C"), "A", "C").verdict is PathsSummary.MINUS
    assert product(()) is Sign.PLUS


def test_short_paths_come_first() -> None:
    found = find_paths(graph("A+B", "B+C", "C+D", "A+C", "A+D"), "A", "D")
    assert [path.nodes for path in found.paths] == [("A", "D"), ("A", "C", "D"), ("A", "B", "C", "D")]
    assert found.verdict is PathsSummary.PLUS
    assert not found.is_capped


def test_two_paths_of_different_sign_say_both_whatever_a_third_one_lacks() -> None:
    found = find_paths(graph("A+D", "A-B", "B+D", "A?C", "C+D"), "A", "D")
    assert found.verdict is PathsSummary.BOTH
    assert (found.count(Sign.PLUS), found.count(Sign.MINUS), found.count(None)) == (1, 1, 1)
    assert found.unsigned == (("A", "C"),)


def test_one_arrow_without_a_sign_leaves_the_verdict_open_and_is_named() -> None:
    found = find_paths(graph("A+D", "A+B", "B?D"), "A", "D")
    assert found.verdict is PathsSummary.UNDETERMINED
    assert found.unsigned == (("B", "D"),)


def test_an_arrow_listed_with_both_signs_is_open_and_one_listed_twice_alike_is_one() -> None:
    found = find_paths(graph("A+B", "A-B", "B+C"), "A", "C")
    assert (len(found.paths), found.verdict, found.unsigned) == (1, PathsSummary.UNDETERMINED, (("A", "B"),))
    assert len(find_paths(graph("B-C", "B-C"), "B", "C").paths) == 1


def test_without_a_path_and_to_itself_there_is_none() -> None:
    drawn = CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("B", "B", Sign.MINUS)], nodes=["Alone"])
    for source, sink in (("B", "A"), ("A", "Alone"), ("Alone", "A"), ("B", "B")):
        found = find_paths(drawn, source, sink)
        assert (found.paths, found.verdict, found.is_capped) == ((), PathsSummary.NO_PATH, False)


def test_a_name_that_is_not_there_is_refused() -> None:
    with pytest.raises(Missing, match="no node “Z”"):
        find_paths(graph("A+B"), "A", "Z")


def layered(layers: int) -> CausalGraph:
    """Two variables a layer, all joined to the next layer: 2 ** layers paths from S to T, every sign plus."""
    rows = [["S"], *([f"{n}a", f"{n}b"] for n in range(layers)), ["T"]]
    return CausalGraph.of([Edge(a, b, Sign.PLUS) for before, after in pairwise(rows) for a in before for b in after])


def test_a_graph_of_a_million_paths_is_cut_and_says_so() -> None:
    found = find_paths(layered(20), "S", "T", most=50)  # 2 ** 20 paths
    assert len(found.paths) == 50
    assert found.is_capped
    assert found.reason == "only the shortest 50 paths are listed"
    exact = find_paths(layered(5), "S", "T", most=32)  # 2 ** 5 paths
    assert (len(exact.paths), exact.is_capped) == (32, False)


def test_the_search_ends_when_its_time_is_over() -> None:
    asked = iter([False, False, True])
    found = find_paths(layered(20), "S", "T", is_over=lambda: next(asked))
    assert len(found.paths) == 3
    assert found.is_capped
    assert "after 3 paths" in found.reason


def test_what_lies_along_a_path_is_every_edge_between_its_pairs_and_the_nodes_at_their_ends() -> None:
    nodes = {key: NodeRecord(id=key, name=key.upper()) for key in "abc"}
    edges = [
        EdgeRecord(id="1", source_id="a", sink_id="b"),
        EdgeRecord(id="2", source_id="a", sink_id="b", sign=Sign.PLUS),
        EdgeRecord(id="3", source_id="b", sink_id="a"),
    ]
    record = GraphRecord(nodes, {edge.id: edge for edge in edges})
    assert elements_along(record, [("A", "B"), ("B", "C")]) == {"1", "2", "a", "b"}


@given(arrows=ARROWS)
def test_exactly_the_simple_paths_are_found(arrows: list[tuple[str, str, str]]) -> None:
    drawn = CausalGraph.of([Edge(a, b, MARKS[mark]) for a, b, mark in arrows], nodes="ABCDE")
    signs = settled_signs(drawn)
    # Second way: try every order of every choice of variables between the ends.
    expected = {
        ("A", *between, "E")
        for length in range(4)
        for between in permutations("BCD", length)
        if all(arrow in signs for arrow in pairwise(("A", *between, "E")))
    }
    found = find_paths(drawn, "A", "E")
    assert len(found.paths) == len(expected)
    assert {path.nodes for path in found.paths} == expected
    assert [len(path.nodes) for path in found.paths] == sorted(len(path.nodes) for path in found.paths)
    for path in found.paths:
        steps = [signs[arrow] for arrow in path.arrows]
        assert (path.sign is None) == (None in steps)
        if path.sign is not None:
            assert (path.sign is Sign.MINUS) == (steps.count(Sign.MINUS) % 2 == 1)
