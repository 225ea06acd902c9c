"""Export of one graph: in every exchange form, with what each leaves out, or as a picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from core.errors import Refused
from core.graphs.graph import CausalGraph
from core.graphs.layouts.drawing import Drawing, DrawnEdge, DrawnMark, DrawnNode, bent, middle, turns_clockwise
from core.graphs.layouts.layout import Point
from core.graphs.record import GraphRecord
from core.people import Permission, Viewer
from exchange.forms import FACTS, GraphForm
from exchange.graphs import lost_in, obstacle, write_graph
from services.acting import consulting
from services.files import ExportedFile
from services.graphs.exporting import Offer
from services.graphs.visibility import MOST_DRAWN, head_of, places_of, seen_graph
from services.study import current_study
from store.graphs import graphs as stored

PICTURES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def forms_of(title: str, graph: CausalGraph, places: Mapping[str, Point]) -> tuple[Offer, ...]:
    """Return every form for a graph, without writing any; `places` by variable name."""
    return tuple(
        Offer(
            form,
            facts.words,
            file_name(title, _ending(form)),
            facts.media_type,
            lost_in(graph, form, places),
            obstacle(graph, form),
        )
        for form, facts in FACTS.items()
    )


def export_graph(viewer: Viewer, graph_id: str, form: GraphForm) -> ExportedFile:
    """Export one graph as a file, with its drawn positions where the form supports them.

    Raises Refused for blind work, BadInput if the form cannot hold this graph.
    """
    title, record, places = _open_graph(viewer, graph_id)
    graph, named = record.graph(), by_name(record, places)
    content = write_graph(graph, form, named)
    return ExportedFile(file_name(title, _ending(form)), FACTS[form].media_type, content, lost_in(graph, form, named))


def picture(
    viewer: Viewer, graph_id: str, form: str, loops: Mapping[str, tuple[str, ...]] | None = None
) -> ExportedFile:
    """Draw the graph for print as "svg", "png" or "pdf", with stored positions; `loops`: mark → names in order.

    Raises BadInput for another form, Refused for graphs too large to draw and for blind work.
    """
    title, record, places = open_drawn(viewer, graph_id)
    drawing = drawing_of(record, places, title, loops or {})
    content = current_study().reader.picture(drawing, form)
    return ExportedFile(file_name(title, f".{form}"), PICTURES[form], content)


def open_drawn(viewer: Viewer, graph_id: str) -> tuple[str, GraphRecord, dict[str, Point]]:
    """Return title, graph and node positions. Raises Refused for graphs too large to draw and for blind work."""
    title, record, places = _open_graph(viewer, graph_id)
    if len(record.nodes) > MOST_DRAWN:
        raise Refused(f"A graph with over {MOST_DRAWN} nodes is not drawn. Download it as a table.")
    return title, record, places


def drawing_of(
    record: GraphRecord, places: Mapping[str, Point], title: str, loops: Mapping[str, Iterable[str]]
) -> Drawing:
    """Return the picture of a graph, with the same bends as on screen."""
    numbers = {key: number for number, key in enumerate(record.nodes)}
    nodes = [DrawnNode(node.name, places[key]) for key, node in record.nodes.items()]
    edges = [
        DrawnEdge(
            source=numbers[e.source_id], sink=numbers[e.sink_id], sign=e.sign.value if e.sign else "", delay=e.delay
        )
        for e in record.ordered_edges()
    ]
    at = by_name(record, places)
    rings = {mark: [at[name] for name in names if name in at] for mark, names in loops.items()}
    marks = [DrawnMark(mark, middle(ring), turns_clockwise(ring)) for mark, ring in rings.items() if ring]
    return Drawing(tuple(nodes), bent(nodes, edges), tuple(marks), title)


def by_name(record: GraphRecord, places: Mapping[str, Point]) -> dict[str, Point]:
    """Convert positions by node id to positions by variable name."""
    return {record.nodes[key].name: point for key, point in places.items()}


def file_name(title: str, ending: str) -> str:
    """Return a title as a file name: lower-case letters, digits and hyphens, at most 80, then the ending.

    >>> file_name("Grain & people · Figure 1", ".csv")
    'grain-people-figure-1.csv'
    """
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:80].strip("-")
    return (slug or "graph") + ending


def _ending(form: GraphForm) -> str:
    return f"-for-spreadsheets{form.suffix}" if form is GraphForm.SAFE_CSV else form.suffix


def _open_graph(viewer: Viewer, graph_id: str) -> tuple[str, GraphRecord, dict[str, Point]]:
    """Return title, record and positions; a graph too large to draw has no positions."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        facts = seen_graph(r, graph_id)
        record = stored.read_graph(r.session, graph_id)
        layout = stored.graph_row(r.session, graph_id).layout
        title = head_of(r, facts).title
    return title, record, places_of(record, layout) if len(record.nodes) <= MOST_DRAWN else {}
