"""Conversion of a graph by names into a stored one: ids and origins for every node and edge."""

from __future__ import annotations

from core.graphs.graph import CausalGraph
from core.graphs.record import EdgeRecord, GraphRecord, NodeRecord, Origin
from store.tables import new_id


def new_record(graph: CausalGraph, origin: Origin) -> tuple[GraphRecord, dict[str, str]]:
    """Return the graph with new ids, in its order, and the id of each name."""
    ids = {name: new_id() for name in graph.nodes}
    nodes = {node_id: NodeRecord(id=node_id, name=name, origin=origin) for name, node_id in ids.items()}
    edges = {}
    for place, edge in enumerate(graph.edges, start=1):
        edge_id = new_id()
        edges[edge_id] = EdgeRecord(
            id=edge_id,
            source_id=ids[edge.source],
            sink_id=ids[edge.sink],
            sign=edge.sign,
            delay=edge.delay,
            note=edge.note,
            flag=edge.flag,
            origin=origin,
            place=place,
        )
    return GraphRecord(nodes, edges), ids
