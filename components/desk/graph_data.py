"""A node and an edge as data for the browser; `EdgeData` and `NodeData` of types.d.ts are the other side."""

from __future__ import annotations

from typing import Any

from core.graphs.record import EdgeRecord, NodeRecord


def node_data(node: NodeRecord, **more: Any) -> dict[str, Any]:
    """Return a node; `at` and `box`: where it is placed or printed, in points of its page; neither: not placed yet."""
    at = [node.x, node.y] if node.x is not None and node.y is not None else None
    return {"id": node.id, "name": node.name, "box": list(node.box) if node.box else None, "at": at, **more}


def edge_data(edge: EdgeRecord, **more: Any) -> dict[str, Any]:
    return {
        "id": edge.id,
        "source_id": edge.source_id,
        "sink_id": edge.sink_id,
        "sign": edge.sign.value if edge.sign else "",
        "delay": edge.delay,
        "flag": edge.flag.value if edge.flag else "",
        "note": edge.note,
        **more,
    }
