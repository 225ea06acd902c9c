"""Graphs in the store: what is written is what is read, in any order of changes, at a version that was seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import select

from core.errors import Conflict, InvalidGraph, Missing
from core.graphs import edits
from core.graphs.edge import EdgeFlag
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord, invert
from core.sign import Sign
from services.study import Study
from store import history
from store.graphs import graphs
from store.tables import EdgeRow, GraphRow, NodeRow, new_id

pytestmark = pytest.mark.both

A, B, C = (NodeRecord(id=f"node-{name}", name=name) for name in "ABC")
AB = EdgeRecord(id="edge-ab", source_id=A.id, sink_id=B.id, sign=Sign.PLUS, place=1)
BC = EdgeRecord(id="edge-bc", source_id=B.id, sink_id=C.id, sign=Sign.MINUS, place=2)
CHAIN = tuple(Change(None, element) for element in (A, B, AB, C, BC))


def read(study: Study, graph_id: str) -> GraphRecord:
    with study.store.reading() as session:
        return graphs.read_graph(session, graph_id)


def version(study: Study, graph_id: str) -> int:
    with study.store.reading() as session:
        return graphs.graph_row(session, graph_id).version


def test_a_new_graph_is_empty_and_at_version_one(study: Study, graph_id: str) -> None:
    assert read(study, graph_id) == GraphRecord()
    assert version(study, graph_id) == 1


def test_a_graph_that_is_not_there_is_missing(study: Study) -> None:
    with pytest.raises(Missing, match="no such graph"), study.store.reading() as session:
        graphs.graph_row(session, "none")


def test_every_field_of_nodes_and_edges_comes_back(study: Study, graph_id: str, write: Callable[..., int]) -> None:
    tail = NodeRecord(
        id="n1", name="Éclair <b>&amp;", origin="printed", confidence=0.25, x=10.5, y=-3.0, box=(1.0, 2.0, 3.5, 4.0)
    )
    head = NodeRecord(id="n2", name="日本 😀", origin="model", confidence=None)
    edge = EdgeRecord(
        id="e1",
        source_id="n1",
        sink_id="n2",
        sign=Sign.MINUS,
        delay=True,
        note="seen twice",
        flag=EdgeFlag.NO_ARROWHEAD,
        origin="proposal",
        confidence=0.75,
        box=(0.0, 0.5, 1.0, 1.5),
        place=7,
    )
    write(tuple(Change(None, element) for element in (tail, head, edge)))
    found = read(study, graph_id)
    assert found.nodes == {"n1": tail, "n2": head}
    assert found.edges == {"e1": edge}


def test_nodes_come_back_in_order_of_appearance_and_edges_as_drawn(
    study: Study, graph_id: str, write: Callable[..., int]
) -> None:
    write(CHAIN)
    found = read(study, graph_id)
    assert list(found.nodes) == [A.id, B.id, C.id]
    assert [edge.id for edge in found.ordered_edges()] == [AB.id, BC.id]


def test_each_write_raises_the_version_by_one(study: Study, graph_id: str, write: Callable[..., int]) -> None:
    write(CHAIN)
    write((Change(BC, None), Change(C, None)))
    assert version(study, graph_id) == 3


def test_a_version_that_was_not_the_latest_is_a_conflict_that_names_both(
    study: Study, graph_id: str, write: Callable[..., int]
) -> None:
    write(CHAIN)
    with pytest.raises(Conflict) as caught:
        write((Change(BC, None),), seen=1)
    assert (caught.value.seen, caught.value.found) == (1, 2)
    assert len(read(study, graph_id).edges) == 2


def test_changes_that_break_the_graph_leave_no_row(study: Study, graph_id: str, write: Callable[..., int]) -> None:
    with pytest.raises(InvalidGraph):
        write((Change(None, A), Change(None, AB)))  # B is not there
    with study.store.reading() as session:
        assert session.exec(select(NodeRow)).all() == []
    assert version(study, graph_id) == 1


@pytest.mark.parametrize("taken", [A.id, AB.id])
@pytest.mark.parametrize("kind", ["node", "edge"])
def test_an_id_that_another_graph_has_is_refused_and_nothing_is_written(
    study: Study, graph_id: str, write: Callable[..., int], taken: str, kind: str
) -> None:
    """Whatever has it: no key of the tables tells a node of the one graph from an edge of the other."""
    write(CHAIN)
    other = GraphRow(kind="import", created_by="terminal", created_at=study.clock())
    with study.store.writing() as session:
        session.add(other)
    node = NodeRecord(id=taken if kind == "node" else "n", name="New")
    loop = EdgeRecord(id=taken if kind == "edge" else "e", source_id=node.id, sink_id=node.id, place=1)
    many = [NodeRecord(id=f"more-{number}", name=f"V{number}") for number in range(graphs.AT_ONCE)]
    elements: list[NodeRecord | EdgeRecord] = [*many, node, loop]
    changes = [Change(None, element) for element in elements]
    with pytest.raises(InvalidGraph, match=f"{taken} is taken by another graph"), study.store.writing() as session:
        row = graphs.graph_row(session, other.id, for_update=True)
        graphs.apply_changes(session, row, GraphRecord(), changes, 1)
    assert (read(study, other.id), version(study, other.id)) == (GraphRecord(), 1)


def test_an_edge_may_move_off_a_node_that_leaves_with_it(
    study: Study, graph_id: str, write: Callable[..., int]
) -> None:
    # Fails if the node's row goes before the edge's row is moved: the edge would point nowhere for a moment.
    write(CHAIN)
    state = read(study, graph_id)
    write(edits.edit_edge(state, BC.id, "sink", "D", new_id=new_id))
    assert [node.name for node in read(study, graph_id).nodes.values()] == ["A", "B", "D"]


def test_two_nodes_become_one_and_come_apart_again(study: Study, graph_id: str, write: Callable[..., int]) -> None:
    write(CHAIN)
    before = read(study, graph_id)
    changes = edits.rename_node(before, C.id, "A")
    write(changes)
    assert {edge.sink_id for edge in read(study, graph_id).edges.values()} == {A.id, B.id}
    write(invert(changes))
    assert read(study, graph_id) == before


def test_a_node_may_go_with_all_its_edges_and_come_back(study: Study, graph_id: str, write: Callable[..., int]) -> None:
    write(CHAIN)
    before = read(study, graph_id)
    changes = edits.remove_node(before, B.id)
    write(changes)
    assert read(study, graph_id) == GraphRecord()
    write(invert(changes))
    assert read(study, graph_id) == before


def keep(study: Study, record: GraphRecord) -> str:
    """Write `record` as a new graph with its one event; returns its id."""
    row = GraphRow(kind="import", title="Kept", created_by="terminal", created_at=study.clock())
    with study.store.writing() as session:
        changes = graphs.insert_graph(session, row, record)
        history.record(
            session,
            history.Actor("terminal"),
            "graph.import",
            at=study.clock(),
            act_id=new_id(),
            subject_kind="graph",
            subject_id=row.id,
            graph_id=row.id,
            payload={"changes": changes},
        )
    return row.id


def record_of(*elements: NodeRecord | EdgeRecord) -> GraphRecord:
    nodes = {each.id: each for each in elements if isinstance(each, NodeRecord)}
    return GraphRecord(nodes, {each.id: each for each in elements if isinstance(each, EdgeRecord)})


def test_a_graph_written_whole_is_what_its_history_rebuilds(study: Study) -> None:
    last = NodeRecord(
        id="n1", name="Zinc, first", origin="import", confidence=0.25, x=10.5, y=-3.0, box=(1.0, 2.0, 3.5, 4.0)
    )
    first = NodeRecord(id="n2", name="日本 😀", origin="import")
    edge = EdgeRecord(
        id="e1",
        source_id="n1",
        sink_id="n2",
        sign=Sign.MINUS,
        delay=True,
        note="seen",
        flag=EdgeFlag.NO_ARROWHEAD,
        origin="import",
        confidence=0.75,
        box=None,
        place=2,
    )
    loop = EdgeRecord(id="e0", source_id="n1", sink_id="n1", sign=None, place=1, origin="import")
    graph_id = keep(study, record_of(last, first, edge, loop))
    found = read(study, graph_id)
    assert found == record_of(last, first, edge, loop)
    assert list(found.nodes) == ["n1", "n2"]
    assert list(found.edges) == ["e0", "e1"]  # by place
    with study.store.reading() as session:
        assert history.rebuild(session, graph_id) == found
    assert version(study, graph_id) == 1


def test_a_graph_without_nodes_is_written_too(study: Study) -> None:
    assert read(study, keep(study, GraphRecord())) == GraphRecord()


@pytest.mark.parametrize(
    "elements",
    [
        pytest.param((A, AB), id="an edge in the air"),
        pytest.param((A, NodeRecord(id="other", name="A")), id="a name twice"),
        pytest.param(
            (A, B, AB, EdgeRecord(id="again", source_id=A.id, sink_id=B.id, sign=Sign.PLUS)), id="an edge twice"
        ),
    ],
)
def test_what_is_no_graph_is_not_written(study: Study, elements: tuple[NodeRecord | EdgeRecord, ...]) -> None:
    with pytest.raises(InvalidGraph):
        keep(study, record_of(*elements))
    with study.store.reading() as session:
        assert session.exec(select(GraphRow)).all() == []
        assert session.exec(select(NodeRow)).all() == []


def test_many_graphs_are_read_as_each_alone_also_beyond_one_query(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphs, "AT_ONCE", 2)  # so that five graphs need three rounds
    records = [
        record_of(
            *(NodeRecord(id=f"{n}-{i}", name=f"V{i}", origin="import") for i in range(n + 1)),
            *(EdgeRecord(id=f"{n}-e{i}", source_id=f"{n}-{i}", sink_id=f"{n}-0", place=n - i) for i in range(n)),
        )
        for n in range(5)
    ]
    ids = [keep(study, record) for record in records]
    asked = [ids[3], ids[0], "none", ids[4], ids[1], ids[2], ids[3]]
    with study.store.reading() as session:
        many = graphs.read_graphs(session, asked)
        named = dict(graphs.read_named(session, asked))
        assert graphs.count_elements(session, ids) == {ids[n]: (n + 1, n) for n in range(5)}
    assert list(many) == list(named) == list(dict.fromkeys(asked))
    assert many["none"] == GraphRecord()
    for graph_id, record in zip(ids, records, strict=True):
        assert many[graph_id] == record
        assert many[graph_id] == read(study, graph_id)
        assert named[graph_id] == record.graph()


def test_counts_of_many_graphs_include_the_empty_and_the_unknown(
    study: Study, graph_id: str, write: Callable[..., int]
) -> None:
    write(CHAIN)
    with study.store.writing() as session:
        empty = GraphRow(kind="generated", created_by="terminal", created_at=study.clock())
        session.add(empty)
    with study.store.reading() as session:
        assert graphs.count_elements(session, [graph_id, empty.id]) == {graph_id: (3, 2), empty.id: (0, 0)}
        assert graphs.count_elements(session, []) == {}


def test_keeping_where_nodes_are_drawn_is_no_edit(study: Study, graph_id: str) -> None:
    with study.store.writing() as session:
        graphs.keep_layout(session, graph_id, {A.id: [1.0, 2.0]})
    with study.store.reading() as session:
        row = graphs.graph_row(session, graph_id)
        assert (row.version, row.layout) == (1, {A.id: [1.0, 2.0]})


@pytest.mark.parametrize("sign", ["None", "mixed", "plus", ""])
def test_the_database_itself_refuses_a_sign_that_no_edge_carries(
    study: Study, graph_id: str, write: Callable[..., int], sign: str
) -> None:
    write((Change(None, A), Change(None, B)))
    with pytest.raises(IntegrityError), study.store.writing() as session:
        session.add(EdgeRow(graph_id=graph_id, source_id=A.id, sink_id=B.id, sign=sign))


def test_the_database_itself_refuses_an_edge_to_nowhere_and_a_name_twice(
    study: Study, graph_id: str, write: Callable[..., int]
) -> None:
    write((Change(None, A),))
    with pytest.raises(IntegrityError), study.store.writing() as session:
        session.add(EdgeRow(graph_id=graph_id, source_id=A.id, sink_id="nowhere"))
    with pytest.raises(IntegrityError), study.store.writing() as session:
        session.add(NodeRow(graph_id=graph_id, name="A"))
