"""Edits of a graph as changes: pure functions from a state to the list of changes.

Nodes appear with their first edge and disappear with their last one, unless they were declared or placed on their own.
`new_id` gives ids in the order of `core.act_ids`, one also for each element that exists already."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from core.errors import InvalidGraph
from core.graphs.edge import EdgeFlag
from core.graphs.names import clean_name
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord, Origin
from core.sign import Sign, parse_edge_sign
from core.words import quoted

LONGEST_NOTE = 2_000


def add_edges(
    state: GraphRecord,
    edges: Iterable[tuple[str, str, Sign | None]],
    nodes: Iterable[str],
    *,
    new_id: Callable[[], str],
    origin: Origin = "typed",
) -> tuple[tuple[Change, ...], tuple[str, ...]]:
    """Return the changes that add edges (source, sink, sign) by name, and declared nodes. Also return a sentence for
    each edge that is listed already and so left unchanged."""
    changes: list[Change] = []
    notices: list[str] = []
    numbered = [(new_id(), edge) for edge in edges]
    by_name = {node.name: node for node in state.nodes.values()}
    listed = {(e.source_id, e.sink_id, e.sign) for e in state.edges.values()}
    place = max((edge.place for edge in state.edges.values()), default=0)

    def node(name: str, node_origin: Origin) -> NodeRecord:
        node_id = new_id()
        if name not in by_name:
            by_name[name] = NodeRecord(id=node_id, name=name, origin=node_origin)
            changes.append(Change(None, by_name[name]))
        return by_name[name]

    for edge_id, (source, sink, sign) in numbered:
        tail, head = node(source, origin), node(sink, origin)
        if (tail.id, head.id, sign) in listed:
            notices.append(f"“{source}” → “{sink}” is already listed.")
            continue
        listed.add((tail.id, head.id, sign))
        place += 1
        changes.append(
            Change(
                None, EdgeRecord(id=edge_id, source_id=tail.id, sink_id=head.id, sign=sign, origin=origin, place=place)
            )
        )
    known = {node.name for node in state.nodes.values()}
    for name in nodes:
        if name in known:
            notices.append(f"“{name}” is already listed.")
        node(name, "declared")
    return tuple(changes), tuple(notices)


def edit_edge(
    state: GraphRecord, edge_id: str, field: str, value: Any, *, new_id: Callable[[], str]
) -> tuple[Change, ...]:
    """Return the changes that set one field of an edge: sign, delay, flag, note, or the name at its source or sink.
    Raises InvalidGraph if the edge is gone or the field unknown, UnknownSign and InvalidName for bad values."""
    edge = _edge(state, edge_id)
    if field in ("source", "sink"):
        return _move_end(state, edge, field, str(value), new_id)
    if field == "sign":
        after = replace(edge, sign=parse_edge_sign(None if value is None else str(value)))
    elif field == "delay":
        if not isinstance(value, bool):
            raise InvalidGraph(f"A delay is on or off, not {value!r}.")
        after = replace(edge, delay=value)
    elif field == "flag":
        after = replace(edge, flag=_flag(value))
    elif field == "note":
        note = "" if value is None else str(value).strip()
        if len(note) > LONGEST_NOTE:
            raise InvalidGraph(f"The note has {len(note):,} characters; at most {LONGEST_NOTE:,} are allowed.")
        after = replace(edge, note=note)
    else:
        raise InvalidGraph(f"An edge has no field {quoted(field)}.")
    return () if after == edge else (Change(edge, after),)


def reverse_edge(state: GraphRecord, edge_id: str) -> tuple[Change, ...]:
    """Return the changes that reverse an edge; its sign, delay, flag and note stay. A self-loop is unchanged. Raises
    InvalidGraph if the edge is gone, or if the opposite edge is listed with this sign already."""
    edge = _edge(state, edge_id)
    turned = replace(edge, source_id=edge.sink_id, sink_id=edge.source_id)
    if turned == edge:
        return ()
    key = (turned.source_id, turned.sink_id, turned.sign)
    if any((each.source_id, each.sink_id, each.sign) == key for each in state.edges.values()):
        source, sink = state.nodes[turned.source_id].name, state.nodes[turned.sink_id].name
        raise InvalidGraph(f"“{source}” → “{sink}” is listed with this sign already; remove one of the two instead.")
    return (Change(edge, turned),)


def remove_edge(state: GraphRecord, edge_id: str) -> tuple[Change, ...]:
    """Return the changes that remove an edge, and the nodes left without an edge by that."""
    edge = _edge(state, edge_id)
    return (Change(edge, None), *_leavers(state, (edge,), {edge.source_id, edge.sink_id}))


def rename_node(state: GraphRecord, node_id: str, name: str) -> tuple[Change, ...]:
    """Return the changes that rename a node; if another node has the name already, the two are merged. Edges that would
    then be listed twice are dropped. Raises InvalidName for an invalid name."""
    node = _node(state, node_id)
    cleaned = clean_name(name)
    if cleaned == node.name:
        return ()
    other = state.node_named(cleaned)
    if other is None:
        return (Change(node, replace(node, name=cleaned)),)
    changes: list[Change] = []
    listed = {
        (edge.source_id, edge.sink_id, edge.sign)
        for edge in state.edges.values()
        if node.id not in (edge.source_id, edge.sink_id)
    }
    for edge in state.ordered_edges():
        if node.id not in (edge.source_id, edge.sink_id):
            continue
        source = other.id if edge.source_id == node.id else edge.source_id
        sink = other.id if edge.sink_id == node.id else edge.sink_id
        moved = replace(edge, source_id=source, sink_id=sink)
        key = (source, sink, edge.sign)
        changes.append(Change(edge, None if key in listed else moved))
        listed.add(key)
    return (*changes, Change(node, None))


def remove_node(state: GraphRecord, node_id: str) -> tuple[Change, ...]:
    """Return the changes that remove a node with all its edges, and the nodes left without an edge by that."""
    node = _node(state, node_id)
    edges = [edge for edge in state.ordered_edges() if node.id in (edge.source_id, edge.sink_id)]
    ends = {end for edge in edges for end in (edge.source_id, edge.sink_id)} - {node.id}
    return (*(Change(edge, None) for edge in edges), Change(node, None), *_leavers(state, edges, ends))


def _move_end(
    state: GraphRecord, edge: EdgeRecord, field: str, name: str, new_id: Callable[[], str]
) -> tuple[Change, ...]:
    cleaned = clean_name(name)
    target = state.node_named(cleaned)
    changes: list[Change] = []
    if target is None:
        target = NodeRecord(id=new_id(), name=cleaned)
        changes.append(Change(None, target))
    left = edge.source_id if field == "source" else edge.sink_id
    if target.id == left:
        return ()
    moved = replace(edge, source_id=target.id) if field == "source" else replace(edge, sink_id=target.id)
    stays = {moved.source_id, moved.sink_id}
    return (*changes, Change(edge, moved), *_leavers(state, (edge,), {left} - stays))


def _leavers(state: GraphRecord, removed: Iterable[EdgeRecord], candidates: Iterable[str]) -> tuple[Change, ...]:
    gone = {edge.id for edge in removed}
    linked = {end for edge in state.edges.values() if edge.id not in gone for end in (edge.source_id, edge.sink_id)}
    nodes = [node for node in state.nodes.values() if node.id in set(candidates)]
    # A node that was declared, or placed on the figure by a person, is meant to be there without an edge too.
    return tuple(
        Change(node, None)
        for node in nodes
        if node.id not in linked and node.origin != "declared" and (node.x is None or node.origin == "proposal")
    )


def _edge(state: GraphRecord, edge_id: str) -> EdgeRecord:
    edge = state.edges.get(edge_id)
    if edge is None:
        raise InvalidGraph("This edge is no longer in the list.")
    return edge


def _node(state: GraphRecord, node_id: str) -> NodeRecord:
    node = state.nodes.get(node_id)
    if node is None:
        raise InvalidGraph("This node is no longer in the graph.")
    return node


def _flag(value: Any) -> EdgeFlag | None:
    if not value:
        return None
    try:
        return EdgeFlag(value)
    except ValueError:
        known = ", ".join(flag.value for flag in EdgeFlag)
        raise InvalidGraph(f"The flag {quoted(value)} is not known; choose one of: {known}.") from None
