"""Pictures of graphs for models: placed as in the graph lab, plain, always the same bytes."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from core.graphs.graph import CausalGraph
from core.graphs.labels import size_of
from core.graphs.layouts.drawing import Drawing, DrawnEdge, DrawnNode, bent
from core.graphs.layouts.layout import place
from services.study import Study

LONGEST_PX = 2_048
PNG = "image/png"
FOLDER = "graph-pictures"


def drawing_of(graph: CausalGraph) -> Drawing:
    """Return a drawing of every node and edge, without signs, classes or a title."""
    pairs = list(dict.fromkeys(edge.pair for edge in graph.edges))
    places = place(list(graph.nodes), pairs, None, {name: size_of(name) for name in graph.nodes})
    number = {name: at for at, name in enumerate(graph.nodes)}
    nodes = tuple(DrawnNode(name, places[name]) for name in graph.nodes)
    edges = [DrawnEdge(source=number[source], sink=number[sink]) for source, sink in pairs]
    return Drawing(nodes, bent(nodes, edges))


def picture_of(study: Study, graph: CausalGraph) -> tuple[str, Path]:
    """Return the SHA-256 of the picture and its path in the study's cache.

    Raises UnreadableDocument for a graph too large for one picture.
    """
    content = study.reader.picture(drawing_of(graph), "png", LONGEST_PX)
    key = sha256(content).hexdigest()
    folder = study.cache / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{key}.png"
    if not path.is_file() or path.stat().st_size != len(content):
        path.write_bytes(content)
    return key, path
