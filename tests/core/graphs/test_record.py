"""The state of a graph under edit: folding, undoing and writing down changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidGraph
from core.graphs.edge import EdgeFlag
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord, invert
from core.sign import Sign

A, B, C = (NodeRecord(id=name.lower(), name=name) for name in "ABC")
AB = EdgeRecord(id="ab", source_id="a", sink_id="b", sign=Sign.PLUS, place=1)

numbers = st.floats(-1e6, 1e6)
boxes = st.none() | st.tuples(numbers, numbers, numbers, numbers)
origins = st.sampled_from(["typed", "pasted", "declared", "printed", "drawn", "proposal", "import", "model"])
ids = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
nodes = st.builds(
    NodeRecord,
    id=ids,
    name=st.text(st.characters(codec="utf-8"), max_size=12),
    origin=origins,
    confidence=st.none() | st.floats(0, 1),
    x=st.none() | numbers,
    y=st.none() | numbers,
    box=boxes,
)
edges = st.builds(
    EdgeRecord,
    id=ids,
    source_id=ids,
    sink_id=ids,
    sign=st.sampled_from([None, Sign.PLUS, Sign.MINUS]),
    delay=st.booleans(),
    note=st.text(max_size=12),
    flag=st.none() | st.sampled_from(EdgeFlag),
    origin=origins,
    confidence=st.none() | st.floats(0, 1),
    box=boxes,
    place=st.integers(0, 999),
)
some_changes = st.one_of(
    st.builds(Change, st.none() | nodes, nodes),
    st.builds(Change, nodes, st.none()),
    st.builds(Change, st.none() | edges, edges),
    st.builds(Change, edges, st.none()),
)


def graph(*elements: NodeRecord | EdgeRecord) -> GraphRecord:
    return GraphRecord().apply(Change(None, element) for element in elements)


@given(some_changes)
def test_a_change_written_as_json_is_read_back_the_same(change: Change) -> None:
    assert Change.from_json(json.loads(json.dumps(change.as_json(), allow_nan=False))) == change


@given(st.lists(some_changes, max_size=6))
def test_inverting_twice_is_no_change(changes: list[Change]) -> None:
    assert invert(invert(changes)) == tuple(changes)


class TestAnySequenceOfEdits:
    @given(data=st.data())
    def test_folding_all_changes_gives_the_state(
        self, data: st.DataObject, any_commands: Any, steps: Callable[..., Any]
    ) -> None:
        taken = steps(data.draw(any_commands))
        folded = GraphRecord().apply(change for _before, changes, _after in taken for change in changes)
        if taken:
            assert folded == taken[-1][2]
            assert list(folded.nodes) == list(taken[-1][2].nodes)

    @given(data=st.data())
    def test_undo_restores_the_state_before_and_redo_the_state_after(
        self, data: st.DataObject, any_commands: Any, steps: Callable[..., Any]
    ) -> None:
        for before, changes, after in steps(data.draw(any_commands)):
            undone = after.apply(invert(changes))
            assert undone == before
            assert undone.apply(changes) == after

    @given(data=st.data())
    def test_all_edits_undone_one_by_one_leave_the_empty_graph(
        self, data: st.DataObject, any_commands: Any, steps: Callable[..., Any]
    ) -> None:
        taken = steps(data.draw(any_commands))
        state = taken[-1][2] if taken else GraphRecord()
        for _before, changes, _after in reversed(taken):
            state = state.apply(invert(changes))
        assert state == GraphRecord()

    @given(data=st.data())
    def test_no_edge_hangs_no_name_and_no_edge_stands_twice(
        self, data: st.DataObject, any_commands: Any, steps: Callable[..., Any]
    ) -> None:
        for _before, _changes, after in steps(data.draw(any_commands)):
            names = [node.name for node in after.nodes.values()]
            assert len(names) == len(set(names))
            ends = {end for edge in after.edges.values() for end in (edge.source_id, edge.sink_id)}
            assert ends <= set(after.nodes)
            keys = [(edge.source_id, edge.sink_id, edge.sign) for edge in after.edges.values()]
            assert len(keys) == len(set(keys))
            undeclared = {node.id for node in after.nodes.values() if node.origin != "declared"}
            assert undeclared <= ends  # a node goes with its last edge unless it was declared

    @given(data=st.data())
    def test_a_state_rebuilt_from_json_is_the_same(
        self, data: st.DataObject, any_commands: Any, steps: Callable[..., Any]
    ) -> None:
        taken = steps(data.draw(any_commands))
        texts = [json.dumps([change.as_json() for change in changes]) for _before, changes, _after in taken]
        state = GraphRecord()
        for text in texts:
            state = state.apply(Change.from_json(change) for change in json.loads(text))
        assert state == (taken[-1][2] if taken else GraphRecord())


def test_a_change_to_an_older_state_is_refused() -> None:
    state = graph(A, B, AB)
    with pytest.raises(InvalidGraph, match="older state"):
        state.apply([Change(EdgeRecord(id="ab", source_id="a", sink_id="b", sign=Sign.MINUS, place=1), None)])
    with pytest.raises(InvalidGraph, match="older state"):
        state.apply([Change(None, AB)])
    with pytest.raises(InvalidGraph, match="older state"):
        state.apply([Change(C, None)])


@pytest.mark.parametrize("taken", [A.id, AB.id])
def test_an_id_that_a_node_or_an_edge_has_is_refused_for_another(taken: str) -> None:
    state = graph(A, B, AB)
    for element in (replace(C, id=taken), replace(AB, id=taken, sign=Sign.MINUS)):
        with pytest.raises(InvalidGraph, match=f"{taken} is taken"):
            state.apply([Change(None, element)])


def test_an_edge_that_would_hang_is_refused() -> None:
    with pytest.raises(InvalidGraph, match="does not exist"):
        graph(A, AB)
    with pytest.raises(InvalidGraph, match="does not exist"):
        graph(A, B, AB).apply([Change(B, None)])


def test_two_nodes_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidGraph, match=r"Two nodes .* “A”"):
        graph(A, NodeRecord(id="other", name="A"))


def test_one_edge_twice_is_refused_and_with_another_sign_it_is_another_edge() -> None:
    with pytest.raises(InvalidGraph, match="“A” → “B” is already listed"):
        graph(A, B, AB, EdgeRecord(id="again", source_id="a", sink_id="b", sign=Sign.PLUS))
    both = graph(
        A,
        B,
        AB,
        EdgeRecord(id="again", source_id="a", sink_id="b", sign=Sign.MINUS),
        EdgeRecord(id="third", source_id="a", sink_id="b", sign=None),
    )
    assert len(both.edges) == 3


def test_a_refused_change_leaves_the_state_as_it_was() -> None:
    state = graph(A, B, AB)
    with pytest.raises(InvalidGraph):
        state.apply([Change(None, C), Change(A, None)])
    assert state == graph(A, B, AB)


def test_a_state_cannot_be_altered_in_place() -> None:
    with pytest.raises(TypeError):
        graph(A).nodes["b"] = B  # type: ignore[index]


def test_the_graph_by_names_keeps_drawing_order_isolated_nodes_loops_and_pairs() -> None:
    state = graph(
        A,
        B,
        C,
        EdgeRecord(
            id="2",
            source_id="b",
            sink_id="a",
            sign=Sign.MINUS,
            delay=True,
            note="late",
            flag=EdgeFlag.NOT_CAUSAL,
            place=2,
        ),
        EdgeRecord(id="1", source_id="a", sink_id="b", place=1),
        EdgeRecord(id="3", source_id="a", sink_id="a", place=3),
    )
    found = state.graph()
    assert [(e.source, e.sink, e.sign) for e in found.edges] == [
        ("A", "B", None),
        ("B", "A", Sign.MINUS),
        ("A", "A", None),
    ]
    assert (found.edges[1].delay, found.edges[1].note, found.edges[1].flag) == (True, "late", EdgeFlag.NOT_CAUSAL)
    assert found.nodes == ("A", "B", "C")
    assert found.isolated == ("C",)


def test_a_node_is_found_by_its_exact_name() -> None:
    assert graph(A, B).node_named("B") == B
    assert graph(A, B).node_named("b") is None
