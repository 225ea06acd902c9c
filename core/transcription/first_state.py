"""A transcription as it was submitted: a copy with ids of its own, since an id is one node's or edge's alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from core.graphs.record import GraphRecord
from core.transcription.marks import MarkKind, Marks, Value

KEYED_BY_ID: tuple[MarkKind, ...] = ("swept", "on print", "joined")
"""Marks whose key is the id of a node or an edge."""


def copied(record: GraphRecord, marks: Marks, new_id: Callable[[], str]) -> tuple[GraphRecord, Marks]:
    """The same nodes, edges and marks in the same order, under new ids."""
    ids = {old: new_id() for old in (*record.nodes, *record.edges)}
    nodes = {ids[key]: replace(node, id=ids[key]) for key, node in record.nodes.items()}
    edges = {
        ids[key]: replace(edge, id=ids[key], source_id=ids[edge.source_id], sink_id=ids[edge.sink_id])
        for key, edge in record.edges.items()
    }
    values = {_place(kind, key, ids): _value(value, ids) for (kind, key), value in marks.values.items()}
    return GraphRecord(MappingProxyType(nodes), MappingProxyType(edges)), Marks(MappingProxyType(values))


def _place(kind: MarkKind, key: str, ids: dict[str, str]) -> tuple[MarkKind, str]:
    return kind, ids.get(key, key) if kind in KEYED_BY_ID else key


def _value(value: Value, ids: dict[str, str]) -> Value:
    """What became of a proposal names its edge."""
    return {**value, "edge": ids.get(value["edge"], value["edge"])} if "edge" in value else value
