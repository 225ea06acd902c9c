"""Thumbnails of graphs in lists. They cause no exposure: graphs listed as not opened have none."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import Refused
from core.graphs.labels import size_of
from core.graphs.layouts.layout import sketch
from core.graphs.layouts.thumbnail import thumbnail_svg
from core.people import Permission, Viewer
from services.acting import ReadContext, consulting
from services.graphs.hidden_imports import not_yet_seen
from services.graphs.visibility import MOST_DRAWN, find_graph, places_of, visibility_of
from store.assignments import HANDED_IN
from store.graphs import graphs as stored
from store.graphs import lists


@dataclass(frozen=True, slots=True)
class GraphThumbnail:
    """A graph's thumbnail; its version changes with the graph and with the positions of its nodes."""

    graph_id: str
    version: str


def thumbnail(viewer: Viewer, graph_id: str) -> str:
    """Return the graph's boxes and lines as SVG.

    Raises Missing, or Refused if the graph is blind to the viewer, not opened yet, or too large to draw.
    """
    with consulting(viewer, Permission.READ_STUDY) as r:
        if not_yet_seen(r, [find_graph(r, graph_id)]):
            raise Refused("This graph is not opened yet; a picture of it would be a first look.")
        record = stored.read_graph(r.session, graph_id)
        layout = stored.graph_row(r.session, graph_id).layout
    if len(record.nodes) > MOST_DRAWN:
        raise Refused(f"A graph with over {MOST_DRAWN} nodes is not drawn.")
    ends = [(edge.source_id, edge.sink_id) for edge in record.edges.values()]
    places = places_of(record, layout) if layout else sketch(list(record.nodes), ends)
    numbers = {key: number for number, key in enumerate(record.nodes)}
    return thumbnail_svg(
        [(places[key], size_of(node.name)) for key, node in record.nodes.items()],
        [(numbers[source], numbers[sink]) for source, sink in ends],
    )


def thumbnail_versions(r: ReadContext, graph_ids: Iterable[str]) -> dict[str, str]:
    return {
        row.id: f"{row.version}-{zlib.crc32(json.dumps(row.layout, sort_keys=True).encode()):08x}"
        for row in stored.graph_rows(r.session, list(graph_ids))
    }


def newest_of_figures(viewer: Viewer, figure_ids: Iterable[str]) -> dict[str, GraphThumbnail]:
    """Return figure id → thumbnail of its newest graph that is submitted or final, where the viewer may see one."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        facts = lists.visible_graphs(r.session, visibility_of(r), figures=figure_ids)
        unseen = not_yet_seen(r, facts)
        newest: dict[str, str] = {}
        for graph in facts:  # newest first
            if graph.figure_id is not None and graph.id not in unseen and graph.state in (None, *HANDED_IN):
                newest.setdefault(graph.figure_id, graph.id)
        counts = stored.count_elements(r.session, newest.values())
        versions = thumbnail_versions(r, (key for key in newest.values() if 0 < counts[key][0] <= MOST_DRAWN))
    return {figure: GraphThumbnail(key, versions[key]) for figure, key in newest.items() if key in versions}
