"""The graph lab: any graph a person may see, listed, found by its variables, opened, searched and measured.

A transcription is its annotator's until it is handed in, then also theirs who review or export. Imports are everyone's
to read but for those who are to draw their figures blind (`services.graphs.hidden_imports`); generated graphs are
everyone's. Annotators are A1,
A2 …, as in exports.
"""

from __future__ import annotations

import math
import time
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from core.errors import BadInput, Missing, Refused
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.loops import Loop, Loops, find_loops
from core.graphs.paths import CausalPaths, find_paths
from core.graphs.record import GraphRecord
from core.graphs.topology import Topology, topology
from core.people import May, Viewer
from services.acting import Reading, consulting
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
    sight_of,
    title_of,
)
from services.pseudonyms import pseudonyms
from services.study import current_study
from store.graphs import graphs as stored
from store.graphs import lists
from store.graphs.lists import GraphFacts, Sight

PER_PAGE = 50
PATIENCE_S = 2.0
"""Seconds one search for loops, paths or cycles may take before it says that it stopped."""
FARTHEST = 1_000_000.0
"""Pixels from the origin within which a dragged node is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLine:
    """One graph of the list. `signed` counts edges with a sign; `matched` are the variables a search found in it.

    `is_unseen`: opening it would be the first look at a figure that the viewer may yet draw, so nothing of it is
    counted, and no search looks into it. `thumbnail`: its version, "" where it is not drawn.
    """

    id: str
    title: str
    kind: str
    state: str
    is_mine: bool
    at: datetime
    nodes: int
    edges: int
    signed: int
    matched: tuple[str, ...] = ()
    is_unseen: bool = False
    thumbnail: str = ""


@dataclass(frozen=True, slots=True)
class GraphList:
    """A page of the list; `total` counts the graphs of all pages. `hides`: what is kept out of it, so that the viewer's
    own work stays blind."""

    lines: tuple[GraphLine, ...]
    total: int
    page: int
    pages: int
    hides: Hides = ""


@dataclass(frozen=True, slots=True)
class NamedLoop:
    """A loop by its name in this graph: R1 … reinforcing, B1 … balancing, U1 … undetermined, each shortest first."""

    name: str
    loop: Loop


@dataclass(frozen=True, slots=True)
class GraphSheet:
    """Everything the page of one graph draws. `places` is empty, and `is_drawn` False, for graphs too large."""

    head: GraphHead
    record: GraphRecord
    places: Mapping[str, Point]
    is_drawn: bool
    loops: tuple[NamedLoop, ...]
    loops_reason: str


# --- the list -----------------------------------------------------------------------------------------------------


def list_graphs(viewer: Viewer, search: str = "", *, page: int = 1) -> GraphList:
    """The graphs this viewer may see, newest first, fifty a page.

    `search`: every word must occur in the title, or all of them in one variable's name; case and accents do not
    count. Graphs that the viewer has not seen, of figures they may yet draw, are found by their titles alone. A page
    beyond the last is the last.
    """
    words = _loosely(search).split()
    with consulting(viewer, May.READ_STUDY) as r:
        sight = sight_of(r)
        hides = what_is_hidden(r, sight.hidden)
        if not words:
            total = lists.count_graphs(r.session, sight)
            pages = max(1, -(-total // PER_PAGE))
            page = min(max(page, 1), pages)
            facts = lists.graphs_in_sight(r.session, sight, offset=(page - 1) * PER_PAGE, limit=PER_PAGE)
            return GraphList(_lines(r, facts, {}, not_yet_seen(r, facts)), total, page, pages, hides)
        found, matched, unseen = _found(r, sight, words)
        pages = max(1, -(-len(found) // PER_PAGE))
        page = min(max(page, 1), pages)
        shown = found[(page - 1) * PER_PAGE : page * PER_PAGE]
        return GraphList(_lines(r, shown, matched, unseen), len(found), page, pages, hides)


def _found(r: Reading, sight: Sight, words: list[str]) -> tuple[list[GraphFacts], dict[str, list[str]], set[str]]:
    """The graphs that were found, the variables by which, and which of all are not seen yet. Into these no search
    looks: that one is found by a word would tell that it holds it."""
    names = [name for name in lists.names_in_sight(r.session, sight) if _holds(name, words)]
    matched = lists.graphs_with_names(r.session, names)
    called = pseudonyms(r)
    facts = lists.graphs_in_sight(r.session, sight)
    unseen = not_yet_seen(r, facts)
    matched = {graph_id: found for graph_id, found in matched.items() if graph_id not in unseen}
    return [each for each in facts if each.id in matched or _holds(title_of(each, called), words)], matched, unseen


def _holds(text: str, words: list[str]) -> bool:
    loose = _loosely(text)
    return all(word in loose for word in words)


def _loosely(text: str) -> str:
    """A text as searches compare it: without case and accents.

    >>> _loosely("Évaporation de l'EAU")
    "evaporation de l'eau"
    """
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


def _lines(
    r: Reading, facts: list[GraphFacts], matched: Mapping[str, list[str]], unseen: set[str]
) -> tuple[GraphLine, ...]:
    ids = [each.id for each in facts if each.id not in unseen]
    counts, signed = stored.count_elements(r.session, ids), lists.count_signed(r.session, ids)
    drawn = thumbnail_versions(r, (key for key, (nodes, _edges) in counts.items() if 0 < nodes <= MOST_DRAWN))
    called = pseudonyms(r)
    return tuple(
        GraphLine(
            id=each.id,
            title=title_of(each, called),
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
    """One graph with its places and loops. Raises Missing, or Refused for work that is still blind to the viewer."""
    with consulting(viewer, May.READ_STUDY) as r:
        facts = seen_graph(r, graph_id)
        record = stored.read_graph(r.session, graph_id)
        layout = stored.graph_row(r.session, graph_id).layout
        head = head_of(r, facts)
    loops = _loops(record.graph())
    is_drawn = len(record.nodes) <= MOST_DRAWN
    places = places_of(record, layout) if is_drawn else {}
    return GraphSheet(head, record, places, is_drawn, _named(loops), loops.reason)


def measures(viewer: Viewer, graph_id: str) -> Topology:
    """The graph's topology; its cycles are counted up to 20,000 or for two seconds."""
    return _measured(_read(viewer, graph_id).graph())


def signed_paths(viewer: Viewer, graph_id: str, source_id: str, sink_id: str) -> CausalPaths:
    """The directed paths between two variables with their signs, shortest first. Raises Missing for unknown ids."""
    record = _read(viewer, graph_id)
    if source_id not in record.nodes or sink_id not in record.nodes:
        raise Missing("A node of this link is no longer in the graph.")
    return _paths(record.graph(), record.nodes[source_id].name, record.nodes[sink_id].name)


def keep_places(viewer: Viewer, graph_id: str, places: Mapping[str, Point]) -> None:
    """Keep where nodes were dragged to: for one's own graphs, and imports for those who curate. No act of history.

    Nodes that are gone meanwhile are passed over. Raises Refused for others' graphs, BadInput for a place that is
    not finite or over a million pixels away.
    """
    for point in places.values():
        if not all(math.isfinite(side) and abs(side) <= FARTHEST for side in (point.x, point.y)):
            raise BadInput("A node was dragged out of the picture. Its position was not saved.")
    with consulting(viewer, May.READ_STUDY) as r:
        facts = seen_graph(r, graph_id)
        if not may_move(r, facts):
            raise Refused("Node positions are saved only in your own graphs. This change is only in your window.")
    with current_study().store.writing() as session:
        row = stored.graph_row(session, graph_id, for_update=True)
        record = stored.read_graph(session, graph_id)
        known = {key: point for key, point in places.items() if key in record.nodes}
        now = {**places_of(record, row.layout), **known}
        stored.keep_layout(session, graph_id, {key: [point.x, point.y] for key, point in now.items()})


def _read(viewer: Viewer, graph_id: str) -> GraphRecord:
    with consulting(viewer, May.READ_STUDY) as r:
        seen_graph(r, graph_id)
        return stored.read_graph(r.session, graph_id)


# --- worked out, and remembered by content ------------------------------------------------------------------------


def _deadline(seconds: float = PATIENCE_S) -> Callable[[], bool]:
    """An `is_over` that says yes once the seconds from now have passed."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def _named(loops: Loops) -> tuple[NamedLoop, ...]:
    """Loops with their names, in their order."""
    numbers = {"R": 0, "B": 0, "U": 0}
    named = []
    for loop in loops.loops:
        letter = loop.kind or "U"
        numbers[letter] += 1
        named.append(NamedLoop(f"{letter}{numbers[letter]}", loop))
    return tuple(named)


# A graph of two hundred edges takes a second to search, and a page draws itself anew at every click. What is kept
# here is a function of the graph alone, so it is shared by all who may see a graph, and never stale.
@lru_cache(maxsize=64)
def _loops(graph: CausalGraph) -> Loops:
    return find_loops(graph, is_over=_deadline())


@lru_cache(maxsize=64)
def _measured(graph: CausalGraph) -> Topology:
    return topology(graph, is_over=_deadline())


@lru_cache(maxsize=64)
def _paths(graph: CausalGraph, source: str, sink: str) -> CausalPaths:
    return find_paths(graph, source, sink, is_over=_deadline())
