"""Graphs in the store: read one or many, write one whole, apply changes to it, count. No function here commits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any

from sqlalchemy import delete, func, insert, select, union_all, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col

from core.errors import Conflict, InvalidGraph, Missing
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from core.sign import Sign
from store.tables import EdgeRow, GraphRow, NodeRow

AT_ONCE = 500
"""Graphs asked for in one query: far below SQLite's 32,766 and PostgreSQL's 65,535 parameters a statement."""

Layout = dict[str, list[float]]
"""Where the view draws each node, by its id: [x, y] in pixels."""

_NODE = ("id", "name", "origin", "confidence", "x", "y", "box")
_EDGE = ("id", "source_id", "sink_id", "sign", "delay", "note", "flag", "origin", "confidence", "box", "place")
_NODES: Any = NodeRow.__table__  # type: ignore[attr-defined]
_EDGES: Any = EdgeRow.__table__  # type: ignore[attr-defined]
_SIGNS: dict[str | None, Sign | None] = {None: None, **{sign.value: sign for sign in Sign}}
_FLAGS: dict[str | None, EdgeFlag | None] = {None: None, **{flag.value: flag for flag in EdgeFlag}}


def graph_row(session: Session, graph_id: str, *, for_update: bool = False) -> GraphRow:
    """Raises Missing if there is no such graph. `for_update` holds the row until the transaction ends."""
    query = select(GraphRow).where(col(GraphRow.id) == graph_id)
    row = session.scalars(query.with_for_update() if for_update else query).first()
    if row is None:
        raise Missing("There is no such graph in this study.")
    return row


def graph_rows(session: Session, graph_ids: Sequence[str]) -> list[GraphRow]:
    """The rows of these graphs in the order asked for; unknown ids are left out."""
    found = {}
    for ids in _in_chunks(graph_ids):
        for row in session.scalars(select(GraphRow).where(col(GraphRow.id).in_(ids))):
            found[row.id] = row
    return [found[graph_id] for graph_id in graph_ids if graph_id in found]


def last_of_kind(session: Session, kind: str, limit: int) -> list[GraphRow]:
    """The newest graphs of a kind, newest first, archived ones too."""
    query = select(GraphRow).where(col(GraphRow.kind) == kind)
    return list(session.scalars(query.order_by(col(GraphRow.created_at).desc(), col(GraphRow.id).desc()).limit(limit)))


def read_graph(session: Session, graph_id: str) -> GraphRecord:
    return read_graphs(session, [graph_id])[graph_id]


def read_graphs(session: Session, graph_ids: Iterable[str]) -> dict[str, GraphRecord]:
    """Many graphs in two queries for every 500 of them, in the order asked for; an unknown id is an empty graph."""
    found: dict[str, GraphRecord] = {}
    for ids in _in_chunks(graph_ids):
        nodes: dict[str, dict[str, NodeRecord]] = {graph_id: {} for graph_id in ids}
        edges: dict[str, dict[str, EdgeRecord]] = {graph_id: {} for graph_id in ids}
        for graph_id, *values in _rows_of(session, NodeRow, _NODE, ids):
            nodes[graph_id][values[0]] = _node(values)
        for graph_id, *values in _rows_of(session, EdgeRow, _EDGE, ids):
            edges[graph_id][values[0]] = _edge(values)
        for graph_id in ids:
            found[graph_id] = GraphRecord(MappingProxyType(nodes[graph_id]), MappingProxyType(edges[graph_id]))
    return found


def read_named(session: Session, graph_ids: Iterable[str]) -> Iterator[tuple[str, CausalGraph]]:
    """Each graph by its names, as `GraphRecord.graph` gives it, read 500 at a time.

    For exports: half a million edges need neither their ids nor their origins. Edges are made as their rows arrive,
    since rows that are kept make the collector walk them all, again and again.
    """
    for ids in _in_chunks(graph_ids):
        names: dict[str, dict[str, str]] = {graph_id: {} for graph_id in ids}
        edges: dict[str, list[Edge]] = {graph_id: [] for graph_id in ids}
        for graph_id, node_id, name in _rows_of(session, NodeRow, ("id", "name"), ids):
            names[graph_id][node_id] = name
        for graph_id, source, sink, sign, delay, note, flag in _rows_of(
            session, EdgeRow, ("source_id", "sink_id", "sign", "delay", "note", "flag"), ids
        ):
            name_of = names[graph_id]
            edges[graph_id].append(Edge(name_of[source], name_of[sink], _SIGNS[sign], delay, note, _FLAGS[flag]))
        for graph_id in ids:
            yield graph_id, CausalGraph(tuple(names[graph_id].values()), tuple(edges[graph_id]))


def _rows_of(session: Session, table: Any, names: Sequence[str], graph_ids: list[str]) -> Iterator[Any]:
    """The rows of these graphs, of each in its order: the graph's id, then the named columns.

    Columns rather than entities: a 205-edge graph is read at every act, and building tracked rows costs most of it.
    From the bare table for the same reason: the mapper takes twice as long.
    """
    columns = table.__table__.c
    query = select(columns.graph_id, *(columns[name] for name in names))
    chosen = query.where(columns.graph_id.in_(graph_ids)).order_by(columns.graph_id, columns.place, columns.id)
    for part in session.connection().execute(chosen).partitions(1000):
        yield from part


def _in_chunks(graph_ids: Iterable[str]) -> Iterator[list[str]]:
    ids = list(dict.fromkeys(graph_ids))
    yield from (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))


def _node(row: Sequence[Any]) -> NodeRecord:
    return NodeRecord(id=row[0], name=row[1], origin=row[2], confidence=row[3], x=row[4], y=row[5], box=_box(row[6]))


def _edge(row: Sequence[Any]) -> EdgeRecord:
    return EdgeRecord(
        id=row[0],
        source_id=row[1],
        sink_id=row[2],
        sign=_SIGNS[row[3]],
        delay=row[4],
        note=row[5],
        flag=_FLAGS[row[6]],
        origin=row[7],
        confidence=row[8],
        box=_box(row[9]),
        place=row[10],
    )


def _box(value: list[float] | None) -> tuple[float, float, float, float] | None:
    return None if value is None else (value[0], value[1], value[2], value[3])


def insert_graph(session: Session, row: GraphRow, record: GraphRecord) -> list[dict[str, Any]]:
    """Write a new graph whole, in three statements, and return the changes its event must carry (`Change.as_json`).

    `row` is not in the store yet; the graph stays at the version it is given, 1. Nodes keep their order.
    Raises InvalidGraph if `record` is no graph: an edge hangs in the air, a name or an edge is there twice.
    """
    record.apply(())  # checks its result, which is the record itself
    nodes = [_values(node) for node in record.nodes.values()]
    edges = [_values(edge) for edge in record.edges.values()]
    session.add(row)
    session.flush()
    if nodes:
        placed = [{**values, "place": place} for place, values in enumerate(nodes, start=1)]
        session.connection().execute(insert(_NODES).values(graph_id=row.id), placed)
    if edges:
        session.connection().execute(insert(_EDGES).values(graph_id=row.id), edges)
    kinds = (("node", nodes), ("edge", edges))
    return [{"kind": kind, "before": None, "after": values} for kind, listed in kinds for values in listed]


def apply_changes(
    session: Session,
    row: GraphRow,
    state: GraphRecord,
    changes: Iterable[Change],
    seen: int,
    layout_of: Callable[[GraphRecord], Layout | None] = lambda _state: None,
) -> GraphRecord:
    """Write `changes` to the rows and raise the graph's version by one; returns the new state.

    `row` must have been read for update and `state` after it, in the same transaction. `layout_of` says where the new
    state is drawn, None if as before.
    Raises Conflict if the graph moved past version `seen`, InvalidGraph if the result would not be a graph or a new id
    is that of a node or edge of another graph (ids come from clients), or if it is a first state, which never changes.
    """
    if row.is_first:
        raise InvalidGraph("This is a transcription as it was submitted. It never changes.")
    if row.version != seen:
        raise Conflict("This graph has been changed elsewhere since you opened it.", seen=seen, found=row.version)
    changes = tuple(changes)
    state = state.apply(changes)
    place = 0
    for ids in _in_chunks(change.element.id for change in changes if change.before is None):
        place = _last_place(session, row.id, ids)
    for adds, some in groupby(sorted(changes, key=_order), key=_added_to):
        if adds is None:
            for change in some:
                _write(session, change)
        else:  # nodes keep their order of appearance; edges bring their own place
            values = [
                {"graph_id": row.id, "place": place + n, **_values(change.element)} for n, change in enumerate(some, 1)
            ]
            place += len(values)
            session.connection().execute(insert(adds), values)
    _bump(session, row, seen, layout_of(state))
    return state


def _last_place(session: Session, graph_id: str, new_ids: list[str]) -> int:
    """The place of the graph's last node, 0 without any. Raises InvalidGraph if a node or edge has one of the ids."""
    taken = union_all(*(select(table.c.id).where(table.c.id.in_(new_ids)) for table in (_NODES, _EDGES))).limit(1)
    last = select(func.max(_NODES.c.place)).where(_NODES.c.graph_id == graph_id)
    place, found = session.execute(select(last.scalar_subquery(), taken.scalar_subquery())).one()
    if found is not None:
        raise InvalidGraph(f"The id {found} is taken by another graph. Nothing was changed. Reload the page.")
    return place or 0


def _order(change: Change) -> int:
    """Edges leave first and nodes last; between them nodes come before the edges that may now point to them.

    So no edge ever points nowhere, also when an edge moves off a node that leaves with it.
    """
    is_edge = isinstance(change.element, EdgeRecord)
    if change.after is None:
        return 0 if is_edge else 3
    return 2 if is_edge else 1


def _table_of(change: Change) -> Any:
    table: Any = EdgeRow if isinstance(change.element, EdgeRecord) else NodeRow
    return table.__table__


def _added_to(change: Change) -> Any:
    """The table that a change adds a row to; None if it changes or takes one."""
    return _table_of(change) if change.before is None and change.after is not None else None


def _write(session: Session, change: Change) -> None:
    table = _table_of(change)
    if change.after is None:
        statement: Any = delete(table).where(table.c.id == change.element.id)
    else:
        statement = update(table).where(table.c.id == change.after.id).values(**_values(change.after))
    session.connection().execute(statement)


def _values(record: NodeRecord | EdgeRecord) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in record.__slots__}
    values["box"] = list(record.box) if record.box else None
    if isinstance(record, EdgeRecord):
        values["sign"] = record.sign.value if record.sign else None
        values["flag"] = record.flag.value if record.flag else None
    return values


def _bump(session: Session, row: GraphRow, seen: int, layout: Layout | None) -> None:
    values = {"version": seen + 1} | ({} if layout is None else {"layout": layout})
    same = update(GraphRow).where(col(GraphRow.id) == row.id, col(GraphRow.version) == seen)
    result: Any = session.execute(same.values(**values), execution_options={"synchronize_session": False})
    if result.rowcount != 1:
        raise Conflict("This graph has been changed elsewhere since you opened it.", seen=seen, found=seen + 1)
    for name, value in values.items():
        set_committed_value(row, name, value)


def keep_layout(session: Session, graph_id: str, layout: Layout) -> None:
    """Store where the view drew each node; drawing is no edit, so the version stays."""
    session.execute(update(GraphRow).where(col(GraphRow.id) == graph_id).values(layout=layout))


def count_elements(session: Session, graph_ids: Iterable[str]) -> dict[str, tuple[int, int]]:
    """(nodes, edges) of each graph, in two queries for every 500 of them."""
    ids = list(graph_ids)
    nodes, edges = _counted(session, NodeRow, ids), _counted(session, EdgeRow, ids)
    return {graph_id: (nodes.get(graph_id, 0), edges.get(graph_id, 0)) for graph_id in ids}


def _counted(session: Session, table: Any, graph_ids: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for ids in _in_chunks(graph_ids):
        query = select(table.graph_id, func.count()).where(table.graph_id.in_(ids)).group_by(table.graph_id)
        counts.update((graph_id, count) for graph_id, count in session.execute(query))
    return counts
