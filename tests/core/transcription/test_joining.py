"""Texts that are one name: what they make, what stands for them afterwards, and what is not joined."""

from __future__ import annotations

import pytest

from core.errors import BadInput, InvalidName, Refused
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from core.papers.pages import Box
from core.transcription.joining import Joined, joined
from core.transcription.label_nodes import PrintedNames, unused_labels
from core.transcription.marks import Marks, fallen
from core.transcription.proposals import ProposedName


def label(text: str, x: float, y: float = 0) -> ProposedName:
    return ProposedName(text, Box(x, y, x + 40, y + 10), (text,))


STAFF, WORK, LOAD, RAIN = label("Staff", 0), label("work", 50), label("load", 100), label("Rain", 300, 90)
OTHER_WORK = label("work", 500)
PRINTED = (STAFF, WORK, LOAD, RAIN, OTHER_WORK)
STAFF_NODE = NodeRecord(id="s", name="Staff", origin="printed", x=20, y=5, box=(0, 0, 40, 10))
LOAD_NODE = NodeRecord(id="l", name="load", origin="printed", x=120, y=5, box=(100, 0, 140, 10))
RAIN_NODE = NodeRecord(id="r", name="Rain", origin="printed", x=320, y=95, box=(300, 90, 340, 100))


def edge(edge_id: str, source: str, sink: str) -> EdgeRecord:
    return EdgeRecord(id=edge_id, source_id=source, sink_id=sink, place=1)


def record(*nodes: NodeRecord, edges: tuple[EdgeRecord, ...] = ()) -> GraphRecord:
    return GraphRecord({node.id: node for node in nodes}, {each.id: each for each in edges})


def join(
    name: str, nodes: list[str], labels: list[ProposedName], graph: GraphRecord, marks: Marks | None = None
) -> tuple[GraphRecord, Marks]:
    marks = marks or Marks()
    made: Joined = joined(name, nodes, labels, PRINTED, graph, marks, new_id=lambda: "new")
    standing = marks.apply(made.marks)
    return graph.apply(made.changes), standing.apply(fallen(made.changes, standing, is_fold=True))


def test_texts_become_one_node_that_stands_for_each_of_them_where_it_is_printed_and_nowhere_else() -> None:
    graph, marks = join("Staff workload", [], [STAFF, WORK, LOAD], record())
    (node,) = graph.nodes.values()
    assert (node.id, node.name, node.box) == ("new", "Staff workload", (0, 0, 140, 10))
    names = PrintedNames(graph, marks)
    assert [names.node_of(each) for each in (STAFF, WORK, LOAD)] == [node] * 3
    assert names.node_of(OTHER_WORK) is None
    assert unused_labels(PRINTED, graph, marks) == (RAIN, OTHER_WORK)


def test_the_first_node_stays_and_takes_the_edges_of_the_others_and_their_texts() -> None:
    before = record(STAFF_NODE, LOAD_NODE, RAIN_NODE, edges=(edge("e1", "l", "r"), edge("e2", "r", "s")))
    swept = Marks().apply(Marks().setting("swept", "l", {}))
    graph, marks = join("Staff workload", ["Staff", "load"], [WORK], before, swept)
    assert list(graph.nodes) == ["s", "r"]
    assert [(each.source_id, each.sink_id) for each in graph.ordered_edges()] == [("s", "r"), ("r", "s")]
    assert marks.swept == frozenset()
    names = PrintedNames(graph, marks)
    assert {names.node_of(each) for each in (STAFF, WORK, LOAD)} == {graph.nodes["s"]}
    more, marks = join("Staff workload now", ["Staff workload"], [OTHER_WORK], record(graph.nodes["s"]), marks)
    assert {PrintedNames(more, marks).node_of(each) for each in (STAFF, LOAD, OTHER_WORK)} == {more.nodes["s"]}


@pytest.mark.parametrize(
    ("name", "nodes", "labels", "why"),
    [
        ("Staff", ["Staff"], [], "Join 2 to 20 texts"),
        ("Staff load", ["Staff", "gone"], [], "no longer in the graph"),
        ("", ["Staff"], [WORK], "name"),
        ("Rain", ["Staff"], [WORK], "Another node is called “Rain”"),
        ("Staff load", ["Staff"], [LOAD], "“work” is printed between them"),
        ("Staff Rain", ["Staff", "Rain"], [WORK, LOAD], "An edge joins “Staff” and “Rain”"),
    ],
)
def test_what_is_no_single_name_is_not_joined(
    name: str, nodes: list[str], labels: list[ProposedName], why: str
) -> None:
    graph = record(STAFF_NODE, RAIN_NODE, edges=(edge("e1", "s", "r"),))
    with pytest.raises((BadInput, Refused, InvalidName), match=why):
        join(name, nodes, labels, graph)


def test_texts_part_when_their_node_is_removed() -> None:
    graph, marks = join("Staff work", [], [STAFF, WORK], record())
    (node,) = graph.nodes.values()
    removed = [Change(node, None)]
    assert marks.apply(fallen(removed, marks)).of("joined") == {}
