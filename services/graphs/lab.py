"""The graph lab: any graph a person may see, listed, searched by its variables, opened and measured.

A transcription is visible to its annotator, and once submitted also to people who review or export. Imports are
visible to everyone except those who have to draw their figures blind (`services.graphs.hidden_imports`); generated
graphs to everyone. Annotators are A1, A2 …, as in exports.
"""

from __future__ import annotations

import math
import time
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlmodel import Session

from core.errors import BadInput, Missing, Refused
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.loops import Loop, Loops, find_loops
from core.graphs.paths import CausalPaths, find_paths
from core.graphs.printed_loops import name_loops
from core.graphs.record import GraphRecord
from core.graphs.topology import Topology, topology
from core.papers.pages import Box, part_of
from core.people import Permission, Viewer
from documents.reader import PROPOSALS_PRODUCER, PROPOSALS_VERSION
from services.acting import ReadContext, consulting
from services.graphs.hidden_imports import Hides, not_yet_seen, what_is_hidden
from services.graphs.thumbnails import thumbnail_versions
from services.graphs.visibility import (
    MOST_DRAWN,
    GraphHead,
    head_of,
    is_own,
    may_move,
    places_of,
    seen_graph,
    title_of,
    unnamed_graphs,
    visibility_of,
)
from services.pseudonyms import pseudonyms
from services.study import current_study
from store import assignments
from store import documents as derived
from store.graphs import graphs as stored
from store.graphs import lists
from store.graphs.lists import GraphFacts, Visibility

PER_PAGE = 50
PATIENCE_S = 2.0  # seconds for one search for loops, paths or cycles
FARTHEST = 1_000_000.0  # pixels from the origin within which a dragged node is stored


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLine:
    id: str
    title: str
    kind: str
    state: str
    is_mine: bool
    at: datetime
    nodes: int
    edges: int
    signed: int  # edges with a sign
    matched: tuple[str, ...] = ()  # variables that a search found
    # Opening it would be the first exposure to a figure that the viewer may still draw: not counted, not searched.
    is_unseen: bool = False
    thumbnail: str = ""  # its version, "" where it is not drawn


@dataclass(frozen=True, slots=True)
class GraphList:
    lines: tuple[GraphLine, ...]
    total: int  # on all pages
    page: int
    pages: int
    hides: Hides = ""  # what is hidden so that the viewer's own work stays blind


@dataclass(frozen=True, slots=True)
class NamedLoop:
    """A loop with its name in this graph: R1 … reinforcing, B1 … balancing, U1 … undetermined, shortest first."""

    name: str
    loop: Loop
    printed: str = ""  # its name in the figure, if that has one


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSheet:
    """Everything the page of one graph shows. `places` is empty for graphs too large to draw."""

    head: GraphHead
    record: GraphRecord
    places: Mapping[str, Point]
    is_drawn: bool
    loops: tuple[NamedLoop, ...]
    loops_reason: str
    loops_of_figure: tuple[str, ...] = ()  # names of loops that the figure prints and that lie in none of `loops`


# --- the list -----------------------------------------------------------------------------------------------------


def list_graphs(viewer: Viewer, search: str = "", *, page: int = 1) -> GraphList:
    """Return the graphs this viewer may see, newest first, fifty a page. A page beyond the last is the last.

    `search`: every word must occur in the title, or all of them in one variable's name, ignoring case and accents.
    Unseen graphs of figures that the viewer may still draw are found by their titles alone.
    """
    words = _loosely(search).split()
    with consulting(viewer, Permission.READ_STUDY) as r:
        visibility = visibility_of(r)
        hides = what_is_hidden(r, visibility.hidden)
        if not words:
            total = lists.count_graphs(r.session, visibility)
            pages = max(1, -(-total // PER_PAGE))
            page = min(max(page, 1), pages)
            facts = lists.visible_graphs(r.session, visibility, offset=(page - 1) * PER_PAGE, limit=PER_PAGE)
            return GraphList(_lines(r, facts, {}, not_yet_seen(r, facts)), total, page, pages, hides)
        matches, matched, unseen = _search_graphs(r, visibility, words)
        pages = max(1, -(-len(matches) // PER_PAGE))
        page = min(max(page, 1), pages)
        shown = matches[(page - 1) * PER_PAGE : page * PER_PAGE]
        return GraphList(_lines(r, shown, matched, unseen), len(matches), page, pages, hides)


def _search_graphs(
    r: ReadContext, visibility: Visibility, words: list[str]
) -> tuple[list[GraphFacts], dict[str, list[str]], set[str]]:
    """Return the graphs found, the variables that matched, and the unseen graphs.

    The variables of unseen graphs are not searched: finding one by a word would reveal that it contains the word.
    """
    names = [name for name in lists.visible_names(r.session, visibility) if _holds(name, words)]
    matched = lists.graphs_with_names(r.session, names)
    called = pseudonyms(r)
    facts = lists.visible_graphs(r.session, visibility)
    unseen, unnamed = not_yet_seen(r, facts), unnamed_graphs(r, facts)
    matched = {graph_id: names_found for graph_id, names_found in matched.items() if graph_id not in unseen}
    return (
        [each for each in facts if each.id in matched or _holds(title_of(each, called, unnamed), words)],
        matched,
        unseen,
    )


def _holds(text: str, words: list[str]) -> bool:
    loose = _loosely(text)
    return all(word in loose for word in words)


def _loosely(text: str) -> str:
    """Return a text without case and accents, for searching.

    >>> _loosely("Évaporation de l'EAU")
    "evaporation de l'eau"
    """
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


def _lines(
    r: ReadContext, facts: list[GraphFacts], matched: Mapping[str, list[str]], unseen: set[str]
) -> tuple[GraphLine, ...]:
    ids = [each.id for each in facts if each.id not in unseen]
    counts, signed = stored.count_elements(r.session, ids), lists.count_signed(r.session, ids)
    drawn = thumbnail_versions(r, (key for key, (nodes, _edges) in counts.items() if 0 < nodes <= MOST_DRAWN))
    called, unnamed = pseudonyms(r), unnamed_graphs(r, facts)
    return tuple(
        GraphLine(
            id=each.id,
            title=title_of(each, called, unnamed),
            kind=each.kind,
            state=each.state or "",
            is_mine=is_own(r, each),
            at=each.at,
            nodes=nodes,
            edges=edges,
            signed=signed.get(each.id, 0),
            matched=tuple(matched.get(each.id, ())),
            is_unseen=each.id in unseen,
            thumbnail=drawn.get(each.id, ""),
        )
        for each in facts
        for nodes, edges in (counts.get(each.id, (0, 0)),)
    )


# --- one graph ----------------------------------------------------------------------------------------------------


def open_graph(viewer: Viewer, graph_id: str) -> GraphSheet:
    """Return one graph with positions and loops. Raises Missing, or Refused for work that is blind to the viewer."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        facts = seen_graph(r, graph_id)
        record = stored.read_graph(r.session, graph_id)
        layout = stored.graph_row(r.session, graph_id).layout
        head = head_of(r, facts)
        printed = _printed_loops(r.session, facts.figure_id) if facts.figure_id else []
    loops = _loops(record.graph())
    on_page = {
        node.name: (node.x, node.y) for node in record.nodes.values() if node.x is not None and node.y is not None
    }
    names = name_loops(printed, loops.loops, on_page)
    is_drawn = len(record.nodes) <= MOST_DRAWN
    places = places_of(record, layout) if is_drawn else {}
    numbers = {"R": 0, "B": 0, "U": 0}
    named = []
    for place, loop in enumerate(loops.loops):
        letter = loop.kind or "U"
        numbers[letter] += 1
        named.append(NamedLoop(f"{letter}{numbers[letter]}", loop, names.get(place, "")))
    others = tuple(text for text, _ in printed if text not in names.values())
    return GraphSheet(
        head=head,
        record=record,
        places=places,
        is_drawn=is_drawn,
        loops=tuple(named),
        loops_reason=loops.reason,
        loops_of_figure=others,
    )


def measures(viewer: Viewer, graph_id: str) -> Topology:
    """Return the graph's topology; its cycles are counted up to 20,000 or for two seconds."""
    return _measured(_read(viewer, graph_id).graph())


def signed_paths(viewer: Viewer, graph_id: str, source_id: str, sink_id: str) -> CausalPaths:
    """Return the directed paths between two variables with their signs, shortest first. Raises Missing."""
    record = _read(viewer, graph_id)
    if source_id not in record.nodes or sink_id not in record.nodes:
        raise Missing("A node of this link is no longer in the graph.")
    return _paths(record.graph(), record.nodes[source_id].name, record.nodes[sink_id].name)


def keep_places(viewer: Viewer, graph_id: str, places: Mapping[str, Point]) -> None:
    """Store dragged positions: in the viewer's own graphs, and in imports for curators. No history event.

    Nodes that are gone meanwhile are ignored. Raises Refused for others' graphs, BadInput for a position that is not
    finite or over a million pixels away.
    """
    for point in places.values():
        if not all(math.isfinite(side) and abs(side) <= FARTHEST for side in (point.x, point.y)):
            raise BadInput("A node was dragged out of the picture. Its position was not saved.")
    with consulting(viewer, Permission.READ_STUDY) as r:
        facts = seen_graph(r, graph_id)
        if not may_move(r, facts):
            raise Refused("Node positions are saved only in your own graphs. This change is only in your window.")
    with current_study().store.writing() as session:
        row = stored.graph_row(session, graph_id, for_update=True)
        record = stored.read_graph(session, graph_id)
        known = {key: point for key, point in places.items() if key in record.nodes}
        now = {**places_of(record, row.layout), **known}
        stored.keep_layout(session, graph_id, {key: [point.x, point.y] for key, point in now.items()})


def _printed_loops(session: Session, figure_id: str) -> list[tuple[str, tuple[float, float]]]:
    """Return the names of loops that were read in a figure, with their points on the page; none before it is read."""
    figure, paper = assignments.subject_of(session, figure_id)
    part = part_of(figure.page, Box(figure.x0, figure.y0, figure.x1, figure.y1))
    stored_reading = derived.derived(session, paper.file_sha256 or "", PROPOSALS_PRODUCER, str(PROPOSALS_VERSION), part)
    return [(loop["text"], (loop["place"][0], loop["place"][1])) for loop in (stored_reading or {}).get("loops", ())]


def _read(viewer: Viewer, graph_id: str) -> GraphRecord:
    with consulting(viewer, Permission.READ_STUDY) as r:
        seen_graph(r, graph_id)
        return stored.read_graph(r.session, graph_id)


# --- computed, and cached by content ------------------------------------------------------------------------------


def _deadline(seconds: float = PATIENCE_S) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


# A graph of two hundred edges takes a second to search, and a page reruns at every click. The results depend only on
# the graph, so they are shared by all who may see it and never stale.
@lru_cache(maxsize=64)
def _loops(graph: CausalGraph) -> Loops:
    return find_loops(graph, is_over=_deadline())


@lru_cache(maxsize=64)
def _measured(graph: CausalGraph) -> Topology:
    return topology(graph, is_over=_deadline())


@lru_cache(maxsize=64)
def _paths(graph: CausalGraph, source: str, sink: str) -> CausalPaths:
    return find_paths(graph, source, sink, is_over=_deadline())
