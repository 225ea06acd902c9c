"""The ground truth that rulings on two transcriptions give, the origin of its parts, and the open differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.adjudication.differences import (
    Choice,
    ComparedTranscriptions,
    Difference,
    DifferenceKind,
    Mark,
    Pair,
    Ruling,
    arrows_of,
    edge_key,
    pair_of,
    parts_of,
)
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueArrow(Edge):
    """An edge of the ground truth in its final wording; `origin`: who drew it."""

    origin: Origin


@dataclass(frozen=True, slots=True)
class Resolved:
    """The ground truth as far as it is ruled."""

    nodes: tuple[NodeRecord, ...]  # without ids
    edges: tuple[TrueArrow, ...]
    waiting: tuple[str, ...]  # keys that wait for a ruling


def resolve(two: ComparedTranscriptions, rulings: Iterable[Ruling]) -> Resolved:
    """Return the ground truth: what both drew alike, then what was ruled, then the adjudicator's own edges.

    An open difference is not in it. Where only the sign or delay is open, the edge is in it without a sign, or without
    a delay. Without a ruling that there is a graph, it is empty. Rulings on differences that no longer exist are
    ignored."""
    ruled = {ruling.key: ruling for ruling in rulings}
    if not two.has_graph:
        return Resolved((), (), tuple(difference.key for difference in two.differences if difference.key not in ruled))
    a, b = arrows_of(two.first, {}), arrows_of(two.second, two.aligned)
    arrows: Marked = {}
    for pair in (pair for pair in a if pair in b):
        marks = a[pair] if a[pair] == b[pair] else _settled(pair, a[pair], b[pair], ruled)
        arrows[pair] = [(mark, "both") for mark in marks]
    for difference in two.differences:
        for pair, ruled_marks, origin in _ruled_in(difference, ruled.get(difference.key)):
            arrows[pair] = [(mark, origin) for mark in ruled_marks]
    for ruling in (ruling for ruling in ruled.values() if ruling.kind is DifferenceKind.OWN):
        _kind, (source, sink) = parts_of(ruling.key)
        arrows.pop((source, sink), None)
        if ruling.is_there:
            arrows[source, sink] = [((ruling.sign, ruling.delay), "adjudicator")]
    waiting = (
        *(question.key for question in two.names if question.is_open),
        *(difference.key for difference in two.differences if difference.key not in ruled),
    )
    return Resolved(_nodes(two, arrows, ruled), _edges(two, arrows), waiting)


def changes_to(record: GraphRecord, resolved: Resolved, new_id: Callable[[], str]) -> tuple[Change, ...]:
    """Return the changes that make `record` the resolved graph; elements that stay keep their ids. Raises InvalidGraph
    (on applying them) where two variables would have one wording."""
    nodes, node_changes = _node_changes(record, resolved, new_id)
    before = {
        (record.nodes[edge.source_id].name, record.nodes[edge.sink_id].name, edge.sign): edge
        for edge in record.edges.values()
    }
    changes: list[Change] = []
    for place, arrow in enumerate(resolved.edges, start=1):
        old = before.pop((arrow.source, arrow.sink, arrow.sign), None)
        new = EdgeRecord(
            id=old.id if old else new_id(),
            source_id=nodes[arrow.source].id,
            sink_id=nodes[arrow.sink].id,
            sign=arrow.sign,
            delay=arrow.delay,
            note=arrow.note,
            flag=arrow.flag,
            origin=arrow.origin,
            place=place,
        )
        if new != old:
            changes.append(Change(old, new))
    gone = [Change(edge, None) for edge in before.values()]
    removed = [change for change in node_changes if change.after is None]
    added = [change for change in node_changes if change.after is not None]
    return (*gone, *added, *changes, *removed)


def _node_changes(
    record: GraphRecord, resolved: Resolved, new_id: Callable[[], str]
) -> tuple[dict[str, NodeRecord], list[Change]]:
    before = {node.name: node for node in record.nodes.values()}
    after: dict[str, NodeRecord] = {}
    changes = []
    for node in resolved.nodes:
        old = before.pop(node.name, None)
        new = replace(node, id=old.id if old else new_id())
        after[node.name] = new
        if new != old:
            changes.append(Change(old, new))
    return after, [*changes, *(Change(node, None) for node in before.values())]


Marked = dict[Pair, list[tuple[Mark, Origin]]]  # the marks of each edge, with who drew them


def _settled(pair: Pair, a: Sequence[Mark], b: Sequence[Mark], ruled: Mapping[str, Ruling]) -> list[Mark]:
    a_signs, b_signs = ([sign for sign, _delay in marks] for marks in (a, b))
    signs = a_signs
    if set(a_signs) != set(b_signs):
        ruling = ruled.get(edge_key(DifferenceKind.SIGN, *pair))
        signs = [None]
        if ruling is not None and ruling.choice is not Choice.NEITHER:
            signs = a_signs if ruling.choice is Choice.A else b_signs
    slow_a, slow_b = (any(delay for _sign, delay in marks) for marks in (a, b))
    is_slow = slow_a
    if slow_a != slow_b:
        ruling = ruled.get(edge_key(DifferenceKind.DELAY, *pair))
        is_slow = ruling is not None and (slow_a if ruling.choice is Choice.A else slow_b)
    return [(sign, is_slow) for sign in dict.fromkeys(signs)]


def _ruled_in(difference: Difference, ruling: Ruling | None) -> Iterable[tuple[Pair, Sequence[Mark], Origin]]:
    if ruling is None or difference.kind not in (DifferenceKind.EDGE, DifferenceKind.REVERSED):
        return
    pair = (difference.source, difference.sink)
    if difference.a and ruling.choice in (Choice.A, Choice.BOTH):
        yield pair, difference.a, "first"
    if difference.b and ruling.choice in (Choice.B, Choice.BOTH):
        yield pair[::-1] if difference.kind is DifferenceKind.REVERSED else pair, difference.b, "second"


def _nodes(two: ComparedTranscriptions, arrows: Marked, ruled: Mapping[str, Ruling]) -> tuple[NodeRecord, ...]:
    """Return the variables that both have, that an edge needs, or that were ruled in; A's position comes before B's."""
    a_nodes = {node.name: node for node in two.first.nodes.values()}
    b_nodes: dict[str, NodeRecord] = {}
    for node in two.second.nodes.values():
        b_nodes.setdefault(two.aligned[node.name], node)
    ends = [name for pair in arrows for name in pair]
    ruled_in = {
        difference.source
        for difference in two.differences
        if difference.kind is DifferenceKind.NODE
        and (ruling := ruled.get(difference.key)) is not None
        and ruling.choice is (Choice.A if difference.a else Choice.B)
    }
    required = {name for name in a_nodes if name in b_nodes} | set(ends) | ruled_in
    names = dict.fromkeys((*a_nodes, *b_nodes, *ends))
    return tuple(_node(two, name, a_nodes.get(name), b_nodes.get(name)) for name in names if name in required)


def _node(two: ComparedTranscriptions, name: str, a_node: NodeRecord | None, b_node: NodeRecord | None) -> NodeRecord:
    placed = next((node for node in (a_node, b_node) if node is not None and (node.box or node.x is not None)), None)
    origin: Origin = "both" if a_node and b_node else "first" if a_node else "second" if b_node else "adjudicator"
    node = NodeRecord(id="", name=two.wording.get(name, name), origin=origin)
    return replace(node, x=placed.x, y=placed.y, box=placed.box) if placed else node


def _edges(two: ComparedTranscriptions, arrows: Marked) -> tuple[TrueArrow, ...]:
    # The note and the flag of each edge, under the origin it would have; A's where both drew it.
    remarks: dict[tuple[Pair, Origin], tuple[str, EdgeFlag | None]] = {}
    sides: tuple[tuple[GraphRecord, Mapping[str, str], Origin], ...] = (
        (two.first, {}, "first"),
        (two.second, two.aligned, "second"),
    )
    for record, name_of, side in sides:
        for edge in record.ordered_edges():
            if edge.note or edge.flag:
                pair = pair_of(record, edge, name_of)
                remarks.setdefault((pair, side), (edge.note, edge.flag))
                remarks.setdefault((pair, "both"), (edge.note, edge.flag))
    edges = []
    for pair, marks in arrows.items():
        source, sink = (two.wording.get(name, name) for name in pair)
        for (sign, delay), origin in marks:
            note, flag = remarks.get((pair, origin), ("", None))
            edges.append(
                TrueArrow(source=source, sink=sink, sign=sign, delay=delay, origin=origin, note=note, flag=flag)
            )
    return tuple(edges)
