"""Random edits of a graph, the way people make them: draw, correct, rename, remove, in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import strategies as st

from core.errors import BadInput
from core.graphs import edits
from core.graphs.edge import EdgeFlag
from core.graphs.record import Change, GraphRecord
from core.sign import Sign

Command = tuple[Any, ...]  # its kind and the values it takes

NAMES = st.sampled_from(["A", "B", "C", "D", "E"])
SIGNS = st.sampled_from([None, Sign.PLUS, Sign.MINUS])
PICK = st.integers(0, 30)  # which of the elements there are, counted round
EDGES = st.lists(st.tuples(NAMES, NAMES, SIGNS), max_size=4)
VALUES = {
    "source": NAMES,
    "sink": NAMES,
    "sign": st.sampled_from(["+", "−", "", None]),
    "delay": st.booleans(),
    "flag": st.sampled_from([None, *EdgeFlag]),
    "note": st.text(max_size=8),
}
FIELDS = st.sampled_from(sorted(VALUES)).flatmap(lambda field: st.tuples(st.just(field), VALUES[field]))
COMMAND = st.one_of(
    st.tuples(st.just("draw"), EDGES, st.lists(NAMES, max_size=2)),
    st.tuples(st.just("edit"), PICK, FIELDS),
    st.tuples(st.just("remove edge"), PICK),
    st.tuples(st.just("rename"), PICK, NAMES),
    st.tuples(st.just("remove node"), PICK),
)
COMMANDS = st.lists(COMMAND, min_size=1, max_size=12)


def changes_of(state: GraphRecord, command: Command, new_id: Callable[[], str]) -> tuple[Change, ...]:
    kind, *rest = command
    edge_ids, node_ids = list(state.edges), list(state.nodes)
    if kind == "draw":
        return edits.add_edges(state, rest[0], rest[1], new_id=new_id)[0]
    if not edge_ids or not node_ids:
        return ()
    edge_id, node_id = edge_ids[rest[0] % len(edge_ids)], node_ids[rest[0] % len(node_ids)]
    if kind == "edit":
        return edits.edit_edge(state, edge_id, *rest[1], new_id=new_id)
    if kind == "remove edge":
        return edits.remove_edge(state, edge_id)
    if kind == "rename":
        return edits.rename_node(state, node_id, rest[1])
    return edits.remove_node(state, node_id)


def walk(commands: list[Command]) -> Iterator[tuple[GraphRecord, tuple[Change, ...], GraphRecord]]:
    """(before, changes, after) of every command that could be carried out."""
    numbers = count(1)
    state = GraphRecord()
    for command in commands:
        try:
            changes = changes_of(state, command, lambda: f"id-{next(numbers):04}")
            after = state.apply(changes)
        except BadInput:
            continue  # such as a sign that would list an edge twice
        yield state, changes, after
        state = after


@pytest.fixture(scope="session")
def any_commands() -> st.SearchStrategy[list[Command]]:
    return COMMANDS


@pytest.fixture(scope="session")
def steps() -> Callable[[list[Command]], list[tuple[GraphRecord, tuple[Change, ...], GraphRecord]]]:
    """`steps(commands)` carries commands out; see `walk`."""
    return lambda commands: list(walk(commands))
