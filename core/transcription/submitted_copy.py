"""A transcription as it was submitted: a copy with new ids, since an id belongs to a single node or edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from core.graphs.record import GraphRecord
from core.transcription.marks import MarkKind, Marks

KEYED_BY_ID: tuple[MarkKind, ...] = ("swept", "on print", "joined")  # marks whose key is the id of a node or an edge


def copied(record: GraphRecord, marks: Marks, new_id: Callable[[], str]) -> tuple[GraphRecord, Marks]:
    """Return the same nodes, edges and marks in the same order, under new ids."""
    ids = {old: new_id() for old in (*record.nodes, *record.edges)}
    nodes = {ids[key]: replace(node, id=ids[key]) for key, node in record.nodes.items()}
    edges = {
        ids[key]: replace(edge, id=ids[key], source_id=ids[edge.source_id], sink_id=ids[edge.sink_id])
        for key, edge in record.edges.items()
    }
    values = {
        (kind, ids.get(key, key) if kind in KEYED_BY_ID else key): (
            {**value, "edge": ids.get(value["edge"], value["edge"])} if "edge" in value else value
        )
        for (kind, key), value in marks.values.items()
    }
    return GraphRecord(MappingProxyType(nodes), MappingProxyType(edges)), Marks(MappingProxyType(values))
