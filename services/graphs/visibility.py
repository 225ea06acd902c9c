"""What every part of the graph lab asks of a graph: may this viewer see it, what is it called, where does it stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from core.errors import Refused
from core.graphs.labels import size_of
from core.graphs.layouts.layout import Point, place
from core.graphs.record import GraphRecord
from core.people import May
from services.acting import Reading
from services.graphs.hidden_imports import HIDDEN, hidden_imports, note_look
from services.pseudonyms import pseudonyms
from store import queue
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.graphs import graphs, lists
from store.graphs.lists import GraphFacts, Sight

MOST_DRAWN = 400
"""Nodes up to which a graph is drawn; beyond, no label could be read and the browser would labour."""
DRAWS_IT = (
    "You are transcribing this figure. Others' work on it is shown once yours is submitted, so that yours stays blind."
)
RULES_ON_IT = (
    "You are adjudicating this figure. Until it is finished its transcriptions are shown on the desk alone, as A and "
    "B, so that nothing says whose they are or who was first."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphHead:
    """Which graph it is, and what this viewer may do with it.

    `assignment_id` opens it under Transcribe, None if it is no transcription or not theirs to open there.
    """

    id: str
    title: str
    kind: str
    state: str
    version: int
    at: datetime
    is_mine: bool
    is_archived: bool
    may_move: bool
    assignment_id: str | None


def sight_of(r: Reading, graph_id: str | None = None) -> Sight:
    """Whose eyes look: everyone's own work, imports that are not hidden from them, and what was submitted for those who
    review or export, but for the figures they are still drawing themselves. With `graph_id` it is right for this graph
    alone, and worked out sooner."""
    return Sight(r.viewer.person_id, r.viewer.sees_others, hidden_imports(r, graph_id))


def find_graph(r: Reading, graph_id: str) -> GraphFacts:
    """The graph's facts, archived ones too. Raises Missing if there is none, Refused if it is blind."""
    facts = lists.graph_in_sight(r.session, sight_of(r, graph_id), graph_id)
    if facts is None:
        row = graphs.graph_row(r.session, graph_id)
        if row.kind == "import":
            raise Refused(HIDDEN)
        if row.figure_id:
            refuse_at_work(r, row.figure_id)
        raise Refused("This graph belongs to someone else and is not submitted yet. It stays blind until then.")
    return facts


def seen_graph(r: Reading, graph_id: str) -> GraphFacts:
    """As `find_graph`; that others' work was looked at is noted."""
    facts = find_graph(r, graph_id)
    if facts.kind == "import":
        note_look(r, facts)
    elif facts.figure_id is not None and not is_own(r, facts):
        r.look_at(facts.figure_id)
    return facts


def refuse_at_work(r: Reading, figure_id: str) -> None:
    """Raises Refused for others' work on a figure that the viewer is drawing, or ruling on."""
    for kind, why in ((TRANSCRIPTION, DRAWS_IT), (ADJUDICATION, RULES_ON_IT)):
        if queue.is_at(r.session, kind, figure_id, r.viewer.person_id):
            raise Refused(why)


def head_of(r: Reading, facts: GraphFacts) -> GraphHead:
    """Title and rights of a graph that was seen."""
    opens = facts.assignment_id is not None and r.viewer.may(May.OPEN_WORK)
    return GraphHead(
        id=facts.id,
        title=title_of(facts, pseudonyms(r)),
        kind=facts.kind,
        state=facts.state or "",
        version=facts.version,
        at=facts.at,
        is_mine=is_own(r, facts),
        is_archived=facts.is_archived,
        may_move=may_move(r, facts),
        assignment_id=facts.assignment_id if opens else None,
    )


def title_of(facts: GraphFacts, called: Mapping[str, str]) -> str:
    """ "paper · figure · A2" for a transcription, its own title for any other graph that has one."""
    parts = [facts.paper_title or facts.title, facts.figure_label]
    if facts.annotator_id is not None:
        parts += [called.get(facts.annotator_id, ""), "as submitted" if facts.is_first else ""]
    elif facts.title:
        return facts.title
    return " · ".join(part for part in parts if part) or f"Untitled {facts.kind}"


def is_own(r: Reading, facts: GraphFacts) -> bool:
    """Whether the viewer drew it, or brought it in."""
    return (facts.annotator_id or facts.created_by) == r.viewer.person_id


def may_move(r: Reading, facts: GraphFacts) -> bool:
    """Whether the viewer's drags are kept: one's own graphs, and imports for those who curate."""
    return is_own(r, facts) or (facts.annotator_id is None and r.viewer.may(May.CURATE))


def places_of(record: GraphRecord, layout: Mapping[str, Iterable[float]]) -> dict[str, Point]:
    """Where each node stands: as kept, new ones near their neighbours."""
    nodes = {key: (node.name, key) for key, node in record.nodes.items()}
    before = tuple((nodes[key], *layout[key]) for key in nodes if key in layout)
    arrows = tuple((nodes[edge.source_id], nodes[edge.sink_id]) for edge in record.edges.values())
    return {key: point for (_name, key), point in _placed(tuple(nodes.values()), arrows, before)}


_Node = tuple[str, str]
"""Name and id: the picture follows the names, so that a graph brought in twice looks the same twice."""


@lru_cache(maxsize=128)  # a page draws itself anew at every click
def _placed(
    nodes: tuple[_Node, ...],
    arrows: tuple[tuple[_Node, _Node], ...],
    before: tuple[tuple[_Node, float, float], ...],
) -> tuple[tuple[_Node, Point], ...]:
    called = {node: "\0".join(node) for node in nodes}
    edges = [(called[source], called[sink]) for source, sink in arrows]
    kept = {called[node]: Point(x, y) for node, x, y in before}
    places = place(list(called.values()), edges, kept, {called[node]: size_of(node[0]) for node in nodes})
    return tuple((node, places[called[node]]) for node in nodes)
