"""Visibility, title and node positions of graphs, for every part of the graph lab."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from core.errors import Refused
from core.graphs.labels import size_of
from core.graphs.layouts.layout import Point, place
from core.graphs.record import GraphRecord
from core.people import Permission
from services.acting import ReadContext
from services.graphs.hidden_imports import HIDDEN, hidden_imports, note_look
from services.pseudonyms import pseudonyms, unnamed_figures
from store import queue
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.graphs import graphs, lists
from store.graphs.lists import GraphFacts, Visibility

MOST_DRAWN = 400  # nodes; beyond, labels are illegible and the browser is slow
DRAWS_IT = (
    "You are transcribing this figure. Others' work on it is shown once yours is submitted, so that yours stays blind."
)
RULES_ON_IT = (
    "You are adjudicating this figure. Until it is finished its transcriptions are shown on the desk alone, as A and "
    "B, so that nothing says whose they are or who was first."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphHead:
    """A graph's title and facts, and what this viewer may do with it."""

    id: str
    title: str
    kind: str
    state: str
    version: int
    at: datetime
    is_mine: bool
    is_archived: bool
    may_move: bool
    assignment_id: str | None  # opens it under Transcribe; None if it is no transcription or not open to the viewer


def visibility_of(r: ReadContext, graph_id: str | None = None) -> Visibility:
    """Return what the viewer may see; with `graph_id` it is valid for this graph alone, and faster.

    Everyone sees their own work and imports that are not hidden; people who review or export also see submitted work,
    except on figures they are still drawing themselves.
    """
    return Visibility(r.viewer.person_id, r.viewer.sees_others, hidden_imports(r, graph_id))


def find_graph(r: ReadContext, graph_id: str) -> GraphFacts:
    """Return the graph's facts, archived ones too. Raises Missing if there is none, Refused if it is blind."""
    facts = lists.visible_graph(r.session, visibility_of(r, graph_id), graph_id)
    if facts is None:
        row = graphs.graph_row(r.session, graph_id)
        if row.kind == "import":
            raise Refused(HIDDEN)
        if row.figure_id:
            refuse_at_work(r, row.figure_id)
        raise Refused("This graph belongs to someone else and is not submitted yet. It stays blind until then.")
    return facts


def seen_graph(r: ReadContext, graph_id: str) -> GraphFacts:
    """Return the graph's facts and record the viewer's exposure to others' work. Raises as `find_graph`."""
    facts = find_graph(r, graph_id)
    if facts.kind == "import":
        note_look(r, facts)
    elif facts.figure_id is not None and not is_own(r, facts):
        r.record_exposure(facts.figure_id)
    return facts


def refuse_at_work(r: ReadContext, figure_id: str) -> None:
    """Raise Refused for others' work on a figure that the viewer is drawing or ruling on."""
    for kind, why in ((TRANSCRIPTION, DRAWS_IT), (ADJUDICATION, RULES_ON_IT)):
        if queue.is_at(r.session, kind, figure_id, r.viewer.person_id):
            raise Refused(why)


def head_of(r: ReadContext, facts: GraphFacts) -> GraphHead:
    opens = facts.assignment_id is not None and r.viewer.may(Permission.OPEN_WORK)
    return GraphHead(
        id=facts.id,
        title=title_of(facts, pseudonyms(r), unnamed_graphs(r, [facts])),
        kind=facts.kind,
        state=facts.state or "",
        version=facts.version,
        at=facts.at,
        is_mine=is_own(r, facts),
        is_archived=facts.is_archived,
        may_move=may_move(r, facts),
        assignment_id=facts.assignment_id if opens else None,
    )


def unnamed_graphs(r: ReadContext, facts: Iterable[GraphFacts]) -> set[str]:
    """Return those of these graphs whose annotators the viewer must not know."""
    others = [each for each in facts if each.figure_id and each.annotator_id and not is_own(r, each)]
    figures = unnamed_figures(r, (each.figure_id for each in others if each.figure_id))
    return {each.id for each in others if each.figure_id in figures}


def title_of(facts: GraphFacts, called: Mapping[str, str], unnamed: Container[str] = ()) -> str:
    """ "paper · figure · A2" for a transcription, its own title for any other graph that has one.

    Of `unnamed` graphs nobody is named."""
    parts = [facts.paper_title or facts.title, facts.figure_label]
    if facts.annotator_id is not None:
        parts += [
            "" if facts.id in unnamed else called.get(facts.annotator_id, ""),
            "as submitted" if facts.is_first else "",
        ]
    elif facts.title:
        return facts.title
    return " · ".join(part for part in parts if part) or f"Untitled {facts.kind}"


def is_own(r: ReadContext, facts: GraphFacts) -> bool:
    """Return whether the viewer drew or imported it."""
    return (facts.annotator_id or facts.created_by) == r.viewer.person_id


def may_move(r: ReadContext, facts: GraphFacts) -> bool:
    """Return whether the viewer's drags are stored: in their own graphs, and in imports for curators."""
    return is_own(r, facts) or (facts.annotator_id is None and r.viewer.may(Permission.CURATE))


def places_of(record: GraphRecord, layout: Mapping[str, Iterable[float]]) -> dict[str, Point]:
    """Return the position of each node: stored ones, and new ones near their neighbours."""
    nodes = {key: (node.name, key) for key, node in record.nodes.items()}
    before = tuple((nodes[key], *layout[key]) for key in nodes if key in layout)
    arrows = tuple((nodes[edge.source_id], nodes[edge.sink_id]) for edge in record.edges.values())
    return {key: point for (_name, key), point in _place_nodes(tuple(nodes.values()), arrows, before)}


_Node = tuple[str, str]  # name, then id: positions follow the names, so that a graph imported twice looks the same


@lru_cache(maxsize=128)  # a page reruns at every click
def _place_nodes(
    nodes: tuple[_Node, ...],
    arrows: tuple[tuple[_Node, _Node], ...],
    before: tuple[tuple[_Node, float, float], ...],
) -> tuple[tuple[_Node, Point], ...]:
    called = {node: "\0".join(node) for node in nodes}
    edges = [(called[source], called[sink]) for source, sink in arrows]
    known_places = {called[node]: Point(x, y) for node, x, y in before}
    places = place(list(called.values()), edges, known_places, {called[node]: size_of(node[0]) for node in nodes})
    return tuple((node, places[called[node]]) for node in nodes)
