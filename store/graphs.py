"""Graphs in the store: read one whole, apply changes to it, count many. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

from sqlalchemy import delete, func, insert, update
from sqlmodel import Session, col, select

from core.errors import Conflict, Missing
from core.graphs.edge import EdgeFlag
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from core.sign import Sign
from store.tables import EdgeRow, GraphRow, NodeRow


def graph_row(session: Session, graph_id: str, *, for_update: bool = False) -> GraphRow:
    """Raises Missing if there is no such graph. `for_update` holds the row until the transaction ends."""
    query = select(GraphRow).where(GraphRow.id == graph_id)
    row = session.exec(query.with_for_update() if for_update else query).first()
    if row is None:
        raise Missing("There is no such graph in this study.")
    return row


def read_graph(session: Session, graph_id: str) -> GraphRecord:
    nodes = session.exec(
        select(*_columns(NodeRow, "id", "name", "origin", "confidence", "x", "y", "box"))
        .where(NodeRow.graph_id == graph_id)
        .order_by(col(NodeRow.place), col(NodeRow.id))
    )
    edges = session.exec(
        select(*_columns(EdgeRow, "id", "source_id", "sink_id", "sign", "delay", "note", "flag", "origin",
                         "confidence", "box", "place"))
        .where(EdgeRow.graph_id == graph_id)
        .order_by(col(EdgeRow.place), col(EdgeRow.id))
    )  # fmt: skip
    return GraphRecord(
        MappingProxyType({row[0]: _node(row) for row in nodes}),
        MappingProxyType({row[0]: _edge(row) for row in edges}),
    )


def _columns(table: Any, *names: str) -> tuple[Any, ...]:
    # Columns rather than entities: a 205-edge graph is read at every act, and building tracked rows costs most of it.
    return tuple(getattr(table, name) for name in names)


def _node(row: Any) -> NodeRecord:
    return NodeRecord(row[0], row[1], row[2], row[3], row[4], row[5], _box(row[6]))


def _edge(row: Any) -> EdgeRecord:
    return EdgeRecord(
        id=row[0],
        source_id=row[1],
        sink_id=row[2],
        sign=Sign(row[3]) if row[3] else None,
        delay=row[4],
        note=row[5],
        flag=EdgeFlag(row[6]) if row[6] else None,
        origin=row[7],
        confidence=row[8],
        box=_box(row[9]),
        place=row[10],
    )


def _box(value: list[float] | None) -> tuple[float, float, float, float] | None:
    return None if value is None else (value[0], value[1], value[2], value[3])


def apply_changes(
    session: Session, row: GraphRow, state: GraphRecord, changes: Iterable[Change], seen: int
) -> GraphRecord:
    """Write `changes` to the rows and raise the graph's version by one; returns the new state.

    `row` must have been read for update and `state` after it, in the same transaction.
    Raises Conflict if the graph moved past version `seen`, InvalidGraph if the result would not be a graph.
    """
    if row.version != seen:
        raise Conflict("This graph was changed elsewhere since you opened it.", seen=seen, found=row.version)
    changes = tuple(changes)
    state = state.apply(changes)
    place = session.exec(select(func.max(NodeRow.place)).where(NodeRow.graph_id == row.id)).one() or 0
    for change in sorted(changes, key=_order):
        place += 1
        _write(session, row.id, change, place)
    _bump(session, row, seen)
    return state


def _order(change: Change) -> int:
    """Edges leave first and nodes last; between them nodes come before the edges that may now point to them.

    So no edge ever points nowhere, also when an edge moves off a node that leaves with it.
    """
    is_edge = isinstance(change.element, EdgeRecord)
    if change.after is None:
        return 0 if is_edge else 3
    return 2 if is_edge else 1


def _write(session: Session, graph_id: str, change: Change, place: int) -> None:
    table: Any = EdgeRow if isinstance(change.element, EdgeRecord) else NodeRow
    if change.after is None:
        session.execute(delete(table).where(table.id == change.element.id))
        return
    values = _values(change.after)
    if change.before is None:
        values.setdefault("place", place)  # nodes keep their order of appearance; edges bring their own place
        session.execute(insert(table).values(graph_id=graph_id, **values))
    else:
        session.execute(update(table).where(table.id == change.after.id).values(**values))


def _values(record: NodeRecord | EdgeRecord) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in record.__slots__}
    values["box"] = list(record.box) if record.box else None
    if isinstance(record, EdgeRecord):
        values["sign"] = record.sign.value if record.sign else None
        values["flag"] = record.flag.value if record.flag else None
    return values


def _bump(session: Session, row: GraphRow, seen: int) -> None:
    result: Any = session.execute(
        update(GraphRow).where(col(GraphRow.id) == row.id, col(GraphRow.version) == seen).values(version=seen + 1)
    )
    if result.rowcount != 1:
        raise Conflict("This graph was changed elsewhere since you opened it.", seen=seen, found=seen + 1)
    session.expire(row)


def keep_layout(session: Session, graph_id: str, layout: dict[str, Any]) -> None:
    """Store where the view drew each node; drawing is no edit, so the version stays."""
    session.execute(update(GraphRow).where(col(GraphRow.id) == graph_id).values(layout=layout))


def count_elements(session: Session, graph_ids: Iterable[str]) -> dict[str, tuple[int, int]]:
    """(nodes, edges) of each graph, in two queries."""
    ids = list(graph_ids)
    counts = dict.fromkeys(ids, (0, 0))
    tables: tuple[Any, Any] = (NodeRow, EdgeRow)
    for place, table in enumerate(tables):
        graph_column = table.graph_id
        query = select(graph_column, func.count()).where(graph_column.in_(ids)).group_by(graph_column)
        for graph_id, count in session.exec(query):
            nodes, edges = counts[graph_id]
            counts[graph_id] = (count, edges) if place == 0 else (nodes, count)
    return counts
