"""An answer to a query about a graph, marked on the graph, with the edges that explain the true answer."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.graphs.graph import CausalGraph
from core.graphs.labels import size_of
from core.graphs.layouts.layout import Point, place
from core.graphs.queries import AnswerExplanation, Query, why
from core.people import Permission, Viewer
from core.runs.states import ItemStatus
from core.runs.windows import numbered
from protocols.causalgraph2llm.graphs import AskedGraph, VariableNaming
from protocols.causalgraph2llm.samples import KeyParts, query_in
from protocols.causalgraph2llm.tasks import NAME, NEUTRAL, REVERSED, YES
from protocols.step_values import Value
from services.acting import consulting
from store.runs import runs
from store.tables.runs import RunItemRow, RunSampleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredGraph:
    """A graph by the names that the model was shown."""

    name: str
    graph: CausalGraph
    places: Mapping[str, Point]
    asked: Mapping[str, str]  # name → letter in the query
    matched: frozenset[str]
    missed: frozenset[str]
    spurious: frozenset[str]
    wrong: tuple[str, ...]  # answered names that are no variable
    said: str  # short answer; empty if there is none
    why: AnswerExplanation  # edges that explain the answer, and those that an intervention cuts

    def in_order(self, names: Collection[str]) -> tuple[str, ...]:
        return tuple(name for name in self.graph.nodes if name in names)


def answered_graph(viewer: Viewer, item_id: str) -> AnsweredGraph | None:
    """Return the answer on its graph; None for other items, and for a run without its graphs."""
    with consulting(viewer, Permission.REVIEW) as r:
        item = r.session.get(RunItemRow, item_id)
        sample = r.session.get(RunSampleRow, item.sample_id) if item is not None else None
        if item is None or sample is None:
            return None
        run = runs.run_row(r.session, item.run_id)
        numbers = numbered(run.manifest)
        if run.protocol != NAME or numbers is None:
            return None
        sources = runs.texts(r.session, numbers.sources.values())
        status, parsed, truth, answer = ItemStatus(item.status), item.parsed or {}, sample.truth, sample.answer
        key = KeyParts.of(sample.key)
    graph_value = next(
        (each for text in sources.values() for each in json.loads(text) if each["value"]["name"] == key[0]), None
    )
    if graph_value is None:
        return None
    graph = AskedGraph.of(
        Value(key=graph_value["key"], value=graph_value["value"], hash=graph_value["hash"]), with_cycle=True
    )
    graph = graph.turned() if key[3] == REVERSED else graph
    name, _, seed = key[3].partition("-")
    shown_graph = graph.encoded(VariableNaming(name, int(seed) if name == NEUTRAL else 0))
    shown = {own: each for each, own in shown_graph.own.items()}
    query = query_in(key, lambda own: shown[own])
    is_answered = status is ItemStatus.ANSWERED
    if truth is not None:
        true, answered = frozenset(truth["answer"]), frozenset(parsed.get("names", ()) if is_answered else ())
    else:
        node = frozenset({query.node or (query.between or ("", ""))[1]})
        true = node if answer == YES else frozenset()
        answered = node if is_answered and parsed.get("answer") == YES else frozenset()
    named = ", ".join((*parsed.get("names", ()), *parsed.get("wrong", ()))) or "Null"
    return AnsweredGraph(
        name=key[0],
        graph=shown_graph.graph,
        places=places_of(shown_graph.graph),
        asked=letters_of(query),
        matched=true & answered,
        missed=true - answered if is_answered else frozenset(),
        spurious=answered - true,
        wrong=tuple(parsed.get("wrong", ())),
        said=str(parsed.get("answer", named)) if is_answered else "",
        why=why(shown_graph.graph, query),
    )


def letters_of(query: Query) -> dict[str, str]:
    """Return the letter of each variable that a query names."""
    a, b = query.between or ("", "")
    letters = {query.of or "": "X", a: "A", b: "B", query.node or "": "asked"}
    return {name: letter for name, letter in letters.items() if name}


@lru_cache(maxsize=32)  # a page is rendered again at every click
def places_of(graph: CausalGraph) -> Mapping[str, Point]:
    """Return the positions of its nodes, by name."""
    edges = [edge.pair for edge in graph.edges]
    return place(list(graph.nodes), edges, None, {name: size_of(name) for name in graph.nodes})
