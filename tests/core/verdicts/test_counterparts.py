"""Which nodes of both graphs are drawn as one: by whose word, and never against it."""

from __future__ import annotations

from core.verdicts.counterparts import LinkedBy, NodeLink, links_of, maybe, of_edge, of_node
from core.verdicts.labels import DIRECTION, LabelBlock, Section
from core.verdicts.pictured import Picture, picture_of

TRUTH, ANSWER = ("Flood", "Rain"), ("Deluge", "Rainfall", "Snow")


def test_a_person_goes_before_a_judge_and_a_judge_before_likeness() -> None:
    links = links_of([(1, 2)], judged=[(1, 1), (2, 2)], near=[(2, 2), (1, 3)], same=[])
    assert links == [
        NodeLink(1, 2, LinkedBy.YOU, True),
        NodeLink(1, 1, LinkedBy.JUDGE, False),
        NodeLink(2, 2, LinkedBy.JUDGE, False),
        NodeLink(1, 3, LinkedBy.MAYBE, False),
    ]


def test_a_node_with_two_counterparts_is_drawn_as_one_with_neither() -> None:
    assert [each.is_one for each in links_of([], [(1, 1), (1, 2), (2, 3)], [], [])] == [False, False, True]
    assert not links_of([(1, 1)], [], [], same=[(1, 3)])[0].is_one, "its name is that of another node"
    assert [each.is_one for each in links_of([(1, 1), (1, 2)], [], [], [])] == [True, False]


def test_an_edge_speaks_of_its_ends_where_it_has_one_counterpart_with_a_direction() -> None:
    def said(direction: str, numbers: list[int], section: Section = Section.EDGE_PRECISION) -> list[tuple[int, int]]:
        labels = {(section.blocks[0], DIRECTION): f"DIRECTION_{direction}"}
        others = [("Rain", "Flood"), ("Flood", "Rain")]
        return of_edge(section, ("Rainfall", "Deluge"), numbers, labels, others, (TRUTH, ANSWER))

    assert said("CORRECT", [1]) == [(2, 2), (1, 1)]
    assert said("REVERSED", [2]) == [(2, 2), (1, 1)]
    assert said("CORRECT", [1, 2]) == said("NA", [1]) == said("CORRECT", [3]) == said("CORRECT", []) == []
    truth = of_edge(
        Section.EDGE_RECALL,
        ("Rain", "Flood"),
        [1],
        {(LabelBlock.ITEM, DIRECTION): "DIRECTION_CORRECT"},
        [("Rainfall", "Deluge")],
        (TRUTH, ANSWER),
    )
    assert truth == [(2, 2), (1, 1)]


def test_numbers_that_are_not_there_say_nothing() -> None:
    assert of_node(Section.NODE_RECALL, 2, [0, 3, 3, 4], 3) == [(2, 3)]


def test_names_that_are_alike_may_be_one_and_stand_near_each_other() -> None:
    truth, answer = ("Annual sunshine hours", "Arable land in county"), ("County's arable land area", "Loan usage")
    assert maybe(truth, answer) == [(2, 1)]
    edges = [(truth[0], truth[1])]
    apart, beside = (picture_of(truth, edges, answer, [], near) for near in ([], [(2, 1)]))

    def distance(found: Picture) -> float:
        nodes = {node.name: node for node in found.nodes}
        one, two = nodes[truth[1]], nodes[answer[0]]
        return float(((one.x - two.x) ** 2 + (one.y - two.y) ** 2) ** 0.5)

    assert distance(beside) < distance(apart)
    same = {node.name: (node.x, node.y) for node in apart.nodes if node.truth}
    assert same == {node.name: (node.x, node.y) for node in beside.nodes if node.truth}, "the truth never moves"


def test_nodes_of_one_folded_name_are_one_with_the_one_that_is_equal() -> None:
    found = picture_of(("Rain",), [], ("RAIN", "Rain"), [("RAIN", "Rain")])
    assert [(node.name, node.truth, node.answer) for node in found.nodes] == [("Rain", 1, 2), ("RAIN", 0, 1)]
    assert [(edge.source, edge.sink, edge.truth, edge.answer) for edge in found.edges] == [(1, 0, 0, 1)]
