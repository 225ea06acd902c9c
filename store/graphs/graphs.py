"""Read, write, change and count graphs. No function here commits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any

from sqlalchemy import and_, bindparam, delete, exists, func, insert, or_, select, union_all, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col

from core.errors import Conflict, InvalidGraph, Missing
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from core.sign import Sign
from store.tables import EdgeRow, EventRow, GraphRow, NodeRow

AT_ONCE = 500
"""Graphs per query: far below SQLite's 32,766 and PostgreSQL's 65,535 parameters per statement."""

Layout = dict[str, list[float]]
"""Node id → [x, y] in pixels in the graph view."""

_NODE = ("id", "name", "origin", "confidence", "x", "y", "box")
_EDGE = ("id", "source_id", "sink_id", "sign", "delay", "note", "flag", "origin", "confidence", "box", "place")
_NODES: Any = NodeRow.__table__  # type: ignore[attr-defined]
_EDGES: Any = EdgeRow.__table__  # type: ignore[attr-defined]
_GRAPHS: Any = GraphRow.__table__  # type: ignore[attr-defined]
_SIGNS: dict[str | None, Sign | None] = {None: None, **{sign.value: sign for sign in Sign}}
_FLAGS: dict[str | None, EdgeFlag | None] = {None: None, **{flag.value: flag for flag in EdgeFlag}}


_BY_ID = select(GraphRow).where(col(GraphRow.id) == bindparam("graph_id"))
_LOCKED = _BY_ID.with_for_update()


def graph_row(session: Session, graph_id: str, *, for_update: bool = False) -> GraphRow:
    """Return the row. Raises Missing. `for_update` locks it until the transaction ends."""
    row = session.scalars(_LOCKED if for_update else _BY_ID, {"graph_id": graph_id}).first()
    if row is None:
        raise Missing("There is no such graph in this study.")
    return row


def graph_rows(session: Session, graph_ids: Sequence[str]) -> list[GraphRow]:
    """Return the rows of these graphs in this order; unknown ids are skipped."""
    by_id = {}
    for ids in _in_chunks(graph_ids):
        for row in session.scalars(select(GraphRow).where(col(GraphRow.id).in_(ids))):
            by_id[row.id] = row
    return [by_id[graph_id] for graph_id in graph_ids if graph_id in by_id]


def last_imported(session: Session, limit: int) -> list[GraphRow]:
    """Return imported graphs, those imported as ground truth too, newest first."""
    was_imported = exists().where(col(EventRow.graph_id) == col(GraphRow.id), col(EventRow.act) == "graph.import")
    is_truth = and_(col(GraphRow.kind) == "ground truth", was_imported)
    query = select(GraphRow).where(or_(col(GraphRow.kind) == "import", is_truth))
    return list(session.scalars(query.order_by(col(GraphRow.created_at).desc(), col(GraphRow.id).desc()).limit(limit)))


def read_graph(session: Session, graph_id: str) -> GraphRecord:
    return read_graphs(session, [graph_id])[graph_id]


def read_graphs(session: Session, graph_ids: Iterable[str]) -> dict[str, GraphRecord]:
    """Return many graphs in this order, with two queries per 500; an unknown id is an empty graph."""
    records: dict[str, GraphRecord] = {}
    for ids in _in_chunks(graph_ids):
        nodes: dict[str, dict[str, NodeRecord]] = {graph_id: {} for graph_id in ids}
        edges: dict[str, dict[str, EdgeRecord]] = {graph_id: {} for graph_id in ids}
        for graph_id, *values in _rows_of(session, NodeRow, _NODE, ids):
            nodes[graph_id][values[0]] = NodeRecord(
                id=values[0],
                name=values[1],
                origin=values[2],
                confidence=values[3],
                x=values[4],
                y=values[5],
                box=_box(values[6]),
            )
        for graph_id, *values in _rows_of(session, EdgeRow, _EDGE, ids):
            edges[graph_id][values[0]] = EdgeRecord(
                id=values[0],
                source_id=values[1],
                sink_id=values[2],
                sign=_SIGNS[values[3]],
                delay=values[4],
                note=values[5],
                flag=_FLAGS[values[6]],
                origin=values[7],
                confidence=values[8],
                box=_box(values[9]),
                place=values[10],
            )
        for graph_id in ids:
            records[graph_id] = GraphRecord(MappingProxyType(nodes[graph_id]), MappingProxyType(edges[graph_id]))
    return records


def read_named(session: Session, graph_ids: Iterable[str]) -> Iterator[tuple[str, CausalGraph]]:
    """Yield each graph with names instead of ids, as `GraphRecord.graph`, reading 500 at a time. For exports."""
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
    """Return (graph id, named columns) of the rows of these graphs, in order."""
    columns = table.__table__.c
    query = select(columns.graph_id, *(columns[name] for name in names))
    chosen = query.where(columns.graph_id.in_(graph_ids)).order_by(columns.graph_id, columns.place, columns.id)
    for part in session.connection().execute(chosen).partitions(1000):
        yield from part


def _in_chunks(graph_ids: Iterable[str]) -> Iterator[list[str]]:
    ids = list(dict.fromkeys(graph_ids))
    yield from (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))


def _box(value: list[float] | None) -> tuple[float, float, float, float] | None:
    return None if value is None else (value[0], value[1], value[2], value[3])


def insert_graph(session: Session, row: GraphRow, record: GraphRecord) -> list[dict[str, Any]]:
    """Insert a new graph in three statements; return the changes for its event (`Change.as_json`). Nodes keep their
    order. Raises InvalidGraph for an edge without its nodes, or a repeated name or edge."""
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
    """Write `changes` to the rows, increment the graph's version and return the new state.

    `row` must have been read for update, and `state` after it in the same transaction. `layout_of` returns the new
    layout, None if it is the same. Raises Conflict if the graph is past version `seen`, InvalidGraph if the result is
    no graph, a new id exists in another graph (ids come from clients), or the graph is a submitted copy.
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
                table = _table_of(change)
                if change.after is None:
                    statement: Any = delete(table).where(table.c.id == change.element.id)
                else:
                    statement = update(table).where(table.c.id == change.after.id).values(**_values(change.after))
                session.connection().execute(statement)
        else:  # nodes are numbered in order of appearance; edges have their own place
            values = [
                {"graph_id": row.id, "place": place + n, **_values(change.element)} for n, change in enumerate(some, 1)
            ]
            place += len(values)
            session.connection().execute(insert(adds), values)
    _bump(session, row, seen, layout_of(state))
    return state


_NEW_IDS: Any = bindparam("new_ids", expanding=True)
_LAST_PLACE = select(
    select(func.max(_NODES.c.place)).where(_NODES.c.graph_id == bindparam("graph_id")).scalar_subquery(),
    union_all(*(select(table.c.id).where(table.c.id.in_(_NEW_IDS)) for table in (_NODES, _EDGES)))
    .limit(1)
    .scalar_subquery(),
)


def _last_place(session: Session, graph_id: str, new_ids: list[str]) -> int:
    """Return the place of the graph's last node, or 0. Raises InvalidGraph if a node or edge has one of the ids."""
    place, used_id = session.connection().execute(_LAST_PLACE, {"graph_id": graph_id, "new_ids": new_ids}).one()
    if used_id is not None:
        raise InvalidGraph(f"The id {used_id} is taken by another graph. Nothing was changed. Reload the page.")
    return place or 0


def _order(change: Change) -> int:
    """Order: delete edges, delete or change, insert nodes, insert edges, delete nodes. No edge ever lacks its nodes,
    even when it moves off a node that is deleted with it."""
    is_edge = isinstance(change.element, EdgeRecord)
    if change.after is None:
        return 0 if is_edge else 3
    return 2 if is_edge else 1


def _table_of(change: Change) -> Any:
    table: Any = EdgeRow if isinstance(change.element, EdgeRecord) else NodeRow
    return table.__table__


def _added_to(change: Change) -> Any:
    return _table_of(change) if change.before is None and change.after is not None else None


def _values(record: NodeRecord | EdgeRecord) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in record.__slots__}
    values["box"] = list(record.box) if record.box else None
    if isinstance(record, EdgeRecord):
        values["sign"] = record.sign.value if record.sign else None
        values["flag"] = record.flag.value if record.flag else None
    return values


_BUMP = update(_GRAPHS).where(_GRAPHS.c.id == bindparam("graph_id"), _GRAPHS.c.version == bindparam("seen"))


def _bump(session: Session, row: GraphRow, seen: int, layout: Layout | None) -> None:
    values = {"version": seen + 1} | ({} if layout is None else {"layout": layout})
    result = session.connection().execute(_BUMP, {"graph_id": row.id, "seen": seen, **values})
    if result.rowcount != 1:
        raise Conflict("This graph has been changed elsewhere since you opened it.", seen=seen, found=seen + 1)
    for name, value in values.items():
        set_committed_value(row, name, value)


def keep_layout(session: Session, graph_id: str, layout: Layout) -> None:
    """Store the layout of the graph view. It is no edit, so the version stays."""
    session.execute(update(GraphRow).where(col(GraphRow.id) == graph_id).values(layout=layout))


def count_elements(session: Session, graph_ids: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return (nodes, edges) of each graph, with two queries per 500."""
    ids = list(graph_ids)
    nodes, edges = _counted(session, NodeRow, ids), _counted(session, EdgeRow, ids)
    return {graph_id: (nodes.get(graph_id, 0), edges.get(graph_id, 0)) for graph_id in ids}


def _counted(session: Session, table: Any, graph_ids: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for ids in _in_chunks(graph_ids):
        query = select(table.graph_id, func.count()).where(table.graph_id.in_(ids)).group_by(table.graph_id)
        counts.update((graph_id, count) for graph_id, count in session.execute(query))
    return counts
