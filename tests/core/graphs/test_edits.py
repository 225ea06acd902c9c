"""What a person does to a graph, as changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidGraph, InvalidName, UnknownSign
from core.graphs import edits
from core.graphs.edge import EdgeFlag
from core.graphs.record import EdgeRecord, GraphRecord, NodeRecord
from core.sign import Sign

PLUS, MINUS = Sign.PLUS, Sign.MINUS


@pytest.fixture
def new_id() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"id-{next(numbers)}"


@pytest.fixture
def draw(new_id: Callable[[], str]) -> Callable[..., GraphRecord]:
    """`draw("A B +", "B C", declared=["X"], on=state)`: a graph with these edges."""

    def make(*edges: str, declared: list[str] | None = None, on: GraphRecord | None = None) -> GraphRecord:
        state = on or GraphRecord()
        parts = [(*edge.split(), "")[:3] for edge in edges]
        listed = [(source, sink, Sign(sign) if sign else None) for source, sink, sign in parts]
        return state.apply(edits.add_edges(state, listed, declared or [], new_id=new_id)[0])

    return make


def shown(state: GraphRecord) -> list[str]:
    return [f"{e.source} {e.sink} {e.sign or ''}".strip() for e in state.graph().edges]


def names(state: GraphRecord) -> set[str]:
    return {node.name for node in state.nodes.values()}


def edge(state: GraphRecord, text: str) -> EdgeRecord:
    return state.ordered_edges()[shown(state).index(text)]


def node_id(state: GraphRecord, name: str) -> str:
    found = state.node_named(name)
    assert found is not None
    return found.id


# --- drawing -----------------------------------------------------------------------------------------------------


def test_edges_bring_their_nodes_and_keep_the_order_they_were_drawn_in(draw: Callable[..., GraphRecord]) -> None:
    state = draw("B A +", on=draw("A B", "C C -"))
    assert shown(state) == ["A B", "C C -", "B A +"]
    assert [e.place for e in state.ordered_edges()] == [1, 2, 3]
    assert list(state.graph().nodes) == ["A", "B", "C"]


def test_an_edge_listed_already_is_left_with_a_sentence(
    draw: Callable[..., GraphRecord], new_id: Callable[[], str]
) -> None:
    state = draw("A B +")
    changes, notices = edits.add_edges(state, [("A", "B", PLUS), ("A", "B", MINUS)], ["A", "Z"], new_id=new_id)
    assert shown(state.apply(changes)) == ["A B +", "A B -"]
    assert notices == ("“A” → “B” is already listed.", "“A” is already listed.")


def test_an_edge_twice_in_one_paste_is_taken_once(new_id: Callable[[], str]) -> None:
    changes, notices = edits.add_edges(GraphRecord(), [("A", "B", None)] * 3, [], new_id=new_id)
    assert shown(GraphRecord().apply(changes)) == ["A B"]
    assert len(notices) == 2


def test_nodes_say_where_they_came_from(new_id: Callable[[], str]) -> None:
    changes, _ = edits.add_edges(GraphRecord(), [("A", "B", None)], ["Z"], new_id=new_id, origin="pasted")
    state = GraphRecord().apply(changes)
    assert {n.name: n.origin for n in state.nodes.values()} == {"A": "pasted", "B": "pasted", "Z": "declared"}
    assert next(iter(state.edges.values())).origin == "pasted"


# --- one field of an edge ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("sign", "−", MINUS),
        ("sign", "positive", PLUS),
        ("sign", "", None),
        ("sign", None, None),
        ("delay", True, True),
        ("flag", "ambiguous arrow", EdgeFlag.AMBIGUOUS_ARROW),
        ("flag", "", None),
        ("note", "  see text  ", "see text"),
        ("note", None, ""),
    ],
)
def test_a_field_is_set_and_nothing_else(
    draw: Callable[..., GraphRecord], new_id: Callable[[], str], field: str, value: Any, expected: Any
) -> None:
    state = draw("A B +", "B C")
    before = edge(state, "A B +")
    after = state.apply(edits.edit_edge(state, before.id, field, value, new_id=new_id)).edges[before.id]
    assert getattr(after, field) == expected
    others = set(EdgeRecord.__slots__) - {field}
    assert all(getattr(after, name) == getattr(before, name) for name in others)


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("sign", "maybe", UnknownSign),
        ("sign", "None", UnknownSign),
        ("sign", "mixed", UnknownSign),
        ("delay", "false", InvalidGraph),
        ("delay", 1, InvalidGraph),
        ("flag", "sideways", InvalidGraph),
        ("note", "x" * 2_001, InvalidGraph),
        ("colour", "red", InvalidGraph),
        ("id", "other", InvalidGraph),
        ("sink", "  ", InvalidName),
        ("source", "x" * 301, InvalidName),
        ("sink", "A\u202eB", InvalidName),
    ],
)
def test_a_value_that_does_not_fit_is_refused(
    draw: Callable[..., GraphRecord], new_id: Callable[[], str], field: str, value: Any, error: type[Exception]
) -> None:
    state = draw("A B")
    with pytest.raises(error):
        edits.edit_edge(state, edge(state, "A B").id, field, value, new_id=new_id)


def test_setting_what_is_there_already_is_no_change(
    draw: Callable[..., GraphRecord], new_id: Callable[[], str]
) -> None:
    state = draw("A B +")
    for field, value in (("sign", "+"), ("delay", False), ("source", " A "), ("sink", "B"), ("note", "")):
        assert edits.edit_edge(state, edge(state, "A B +").id, field, value, new_id=new_id) == ()


def test_a_sign_that_would_list_an_edge_twice_is_refused(
    draw: Callable[..., GraphRecord], new_id: Callable[[], str]
) -> None:
    state = draw("A B +", "A B -")
    with pytest.raises(InvalidGraph, match="already listed"):
        state.apply(edits.edit_edge(state, edge(state, "A B -").id, "sign", "+", new_id=new_id))


def test_an_edge_turned_round_keeps_its_id_place_sign_delay_flag_and_note(
    draw: Callable[..., GraphRecord], new_id: Callable[[], str]
) -> None:
    state = draw("A B +", "B C")
    first = state.ordered_edges()[0]
    for field, value in (("delay", True), ("note", "see page 3"), ("flag", EdgeFlag.NOT_CAUSAL.value)):
        state = state.apply(edits.edit_edge(state, first.id, field, value, new_id=new_id))
    before = state.edges[first.id]
    state = state.apply(edits.reverse_edge(state, first.id))
    after = state.edges[first.id]
    assert (after.source_id, after.sink_id) == (before.sink_id, before.source_id)
    assert replace(after, source_id=before.source_id, sink_id=before.sink_id) == before
    assert after.sign is PLUS
    assert after.delay


def test_an_edge_is_not_turned_onto_its_twin_and_one_to_itself_stays(draw: Callable[..., GraphRecord]) -> None:
    state = draw("A B +", "B A +", "A A", "C A -", "A C +")
    first, _, loop, signed, _ = state.ordered_edges()
    with pytest.raises(InvalidGraph, match="“B” → “A” is listed with this sign already"):
        edits.reverse_edge(state, first.id)
    assert edits.reverse_edge(state, loop.id) == ()
    assert len(edits.reverse_edge(state, signed.id)) == 1  # the opposite one has another sign
    with pytest.raises(InvalidGraph, match=r"edge .* no longer"):
        edits.reverse_edge(state, "gone")


def test_an_edge_that_is_gone_is_said_to_be_gone(draw: Callable[..., GraphRecord], new_id: Callable[[], str]) -> None:
    state = draw("A B")
    with pytest.raises(InvalidGraph, match=r"edge .* no longer"):
        edits.edit_edge(state, "gone", "sign", "+", new_id=new_id)
    with pytest.raises(InvalidGraph, match=r"edge .* no longer"):
        edits.remove_edge(state, "gone")
    with pytest.raises(InvalidGraph, match=r"node .* no longer"):
        edits.rename_node(state, "gone", "X")
    with pytest.raises(InvalidGraph, match=r"node .* no longer"):
        edits.remove_node(state, "gone")


@pytest.mark.parametrize(
    ("end", "name", "expected", "left"),
    [
        ("sink", "D", ["A D", "B C"], {"A", "B", "C", "D"}),
        ("sink", "C", ["A C", "B C"], {"A", "B", "C"}),
        ("source", "B", ["B B", "B C"], {"B", "C"}),
        ("source", "X", ["X B", "B C"], {"X", "B", "C"}),
    ],
)
def test_an_end_moves_to_a_new_or_known_node_and_what_only_it_held_leaves(
    draw: Callable[..., GraphRecord],
    new_id: Callable[[], str],
    end: str,
    name: str,
    expected: list[str],
    left: set[str],
) -> None:
    state = draw("A B", "B C")
    after = state.apply(edits.edit_edge(state, edge(state, "A B").id, end, name, new_id=new_id))
    assert shown(after) == expected
    assert names(after) == left


# --- removing ----------------------------------------------------------------------------------------------------


def test_removing_an_edge_takes_only_the_nodes_that_only_it_held(draw: Callable[..., GraphRecord]) -> None:
    state = draw("A B", "B C", declared=["Z"])
    after = state.apply(edits.remove_edge(state, edge(state, "A B").id))
    assert shown(after) == ["B C"]
    assert names(after) == {"B", "C", "Z"}
    last = after.apply(edits.remove_edge(after, edge(after, "B C").id))
    assert names(last) == {"Z"}


def test_removing_an_edge_leaves_a_declared_node_and_takes_a_self_loops_node(draw: Callable[..., GraphRecord]) -> None:
    state = draw("Z A", "L L", on=draw(declared=["Z"]))
    after = state.apply(edits.remove_edge(state, edge(state, "Z A").id))
    assert names(after) == {"Z", "L"}
    assert names(after.apply(edits.remove_edge(after, edge(after, "L L").id))) == {"Z"}


def test_a_node_put_on_the_figure_stays_without_its_edge_and_one_that_came_with_a_proposal_leaves() -> None:
    placed, proposed = (
        NodeRecord(id="p", name="P", origin="printed", x=1.0, y=2.0),
        NodeRecord(id="q", name="Q", origin="proposal", x=3.0, y=4.0),
    )
    edge = EdgeRecord(id="e", source_id="p", sink_id="q")
    state = GraphRecord({"p": placed, "q": proposed}, {"e": edge})
    assert list(state.apply(edits.remove_edge(state, "e")).nodes) == ["p"]


def test_removing_a_node_takes_its_edges_and_what_only_those_held(draw: Callable[..., GraphRecord]) -> None:
    state = draw("A B", "B C", "C D", "B B", declared=["Z"])
    after = state.apply(edits.remove_node(state, node_id(state, "B")))
    assert shown(after) == ["C D"]
    assert names(after) == {"C", "D", "Z"}


# --- renaming ----------------------------------------------------------------------------------------------------


def test_a_new_name_keeps_the_node_and_its_edges(draw: Callable[..., GraphRecord]) -> None:
    state = draw("A B", "B A")
    after = state.apply(edits.rename_node(state, node_id(state, "A"), "  Grain \n output "))
    assert shown(after) == ["Grain output B", "B Grain output"]
    assert node_id(after, "Grain output") == node_id(state, "A")
    assert edits.rename_node(after, node_id(after, "B"), " B ") == ()


def test_a_name_that_exists_joins_the_two_and_drops_edges_listed_twice(draw: Callable[..., GraphRecord]) -> None:
    # a becomes A: a->B+ is A->B+ again and goes; B->a stays as B->A; a->C- joins.
    state = draw("A B +", "a B +", "B a", "a C -")
    after = state.apply(edits.rename_node(state, node_id(state, "a"), "A"))
    assert shown(after) == ["A B +", "B A", "A C -"]
    assert names(after) == {"A", "B", "C"}
    assert node_id(after, "A") == node_id(state, "A")


def test_joining_a_pair_leaves_self_loops_once(draw: Callable[..., GraphRecord]) -> None:
    # A->B and B->A both become B->B without a sign: one of them stays; A->B+ is another edge.
    state = draw("A B", "B A", "A B +")
    after = state.apply(edits.rename_node(state, node_id(state, "A"), "B"))
    assert shown(after) == ["B B", "B B +"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 301, "tab\x00", "\u202eevil"])
def test_a_name_that_cannot_be_kept_is_refused(draw: Callable[..., GraphRecord], name: str) -> None:
    state = draw("A B")
    with pytest.raises(InvalidName):
        edits.rename_node(state, node_id(state, "A"), name)


@given(data=st.data())
def test_removing_an_edge_never_touches_another_edge(
    data: st.DataObject, any_commands: Any, steps: Callable[..., Any]
) -> None:
    taken = steps(data.draw(any_commands))
    state = taken[-1][2] if taken else GraphRecord()
    for edge_id in state.edges:
        after = state.apply(edits.remove_edge(state, edge_id))
        assert after.edges == {key: kept for key, kept in state.edges.items() if key != edge_id}
        ends = {state.edges[edge_id].source_id, state.edges[edge_id].sink_id}
        assert set(state.nodes) - set(after.nodes) <= ends


@given(data=st.data())
def test_renaming_never_invents_an_edge_between_other_nodes(
    data: st.DataObject, any_commands: Any, steps: Callable[..., Any]
) -> None:
    taken = steps(data.draw(any_commands))
    state = taken[-1][2] if taken else GraphRecord()
    for node in state.nodes.values():
        after = state.apply(edits.rename_node(state, node.id, "A"))
        swap = {node.name: "A"}
        pairs = {(swap.get(e.source, e.source), swap.get(e.sink, e.sink), e.sign) for e in state.graph().edges}
        assert {(e.source, e.sink, e.sign) for e in after.graph().edges} == pairs
