"""An answer to a query about a graph, on the graph: what is asked, what answers, what was named, and the edges that
make it so."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.graphs.graph import CausalGraph
from core.graphs.labels import size_of
from core.graphs.layouts.layout import Point, place
from core.graphs.queries import Query, Why, why
from core.people import May, Viewer
from core.runs.states import ItemStatus
from core.runs.windows import numbered
from protocols.causalgraph2llm.graphs import AskedGraph, Naming
from protocols.causalgraph2llm.samples import KeyParts, query_in
from protocols.causalgraph2llm.tasks import NAME, NEUTRAL, REVERSED, YES
from protocols.making import Value
from services.acting import consulting
from store.runs import runs
from store.tables.runs import RunItemRow, RunSampleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredGraph:
    """A graph as the model was told it, by the names that were shown. `asked`: letter by name of what the query names;
    `matched`, `missed`, `spurious`: variables that were named rightly, left out, and named wrongly; `wrong`: names that
    are no variable; `said`: the answer in a few words, empty where there is none. `why`: the edges that make the answer
    so, and those that setting a variable cuts."""

    name: str
    graph: CausalGraph
    places: Mapping[str, Point]
    asked: Mapping[str, str]
    matched: frozenset[str]
    missed: frozenset[str]
    spurious: frozenset[str]
    wrong: tuple[str, ...]
    said: str
    why: Why

    def in_order(self, names: Collection[str]) -> tuple[str, ...]:
        """These variables as they stand in the graph."""
        return tuple(name for name in self.graph.nodes if name in names)


def answered_graph(viewer: Viewer, item_id: str) -> AnsweredGraph | None:
    """None for an item that is no query about a graph, or of a run that does not hold its graph any more."""
    with consulting(viewer, May.REVIEW) as r:
        item = r.session.get(RunItemRow, item_id)
        sample = r.session.get(RunSampleRow, item.sample_id) if item is not None else None
        if item is None or sample is None:
            return None
        run = runs.run_row(r.session, item.run_id)
        numbers = numbered(run.manifest)
        if run.protocol != NAME or numbers is None:
            return None
        kept = runs.texts(r.session, numbers.sources.values())
        status, parsed, truth, answer = ItemStatus(item.status), item.parsed or {}, sample.truth, sample.answer
        key = KeyParts.of(sample.key)
    given = next((each for text in kept.values() for each in json.loads(text) if each["value"]["name"] == key[0]), None)
    if given is None:
        return None
    graph = AskedGraph.of(Value(key=given["key"], value=given["value"], hash=given["hash"]), with_cycle=True)
    graph = graph.turned() if key[3] == REVERSED else graph
    name, _, seed = key[3].partition("-")
    told = graph.told(Naming(name, int(seed) if name == NEUTRAL else 0))
    shown = {own: each for each, own in told.own.items()}
    query = query_in(key, lambda own: shown[own])
    is_answered = status is ItemStatus.ANSWERED
    if truth is not None:
        true, said = frozenset(truth["answer"]), frozenset(parsed.get("names", ()) if is_answered else ())
    else:
        node = frozenset({query.node or (query.between or ("", ""))[1]})
        true = node if answer == YES else frozenset()
        said = node if is_answered and parsed.get("answer") == YES else frozenset()
    return AnsweredGraph(
        name=key[0],
        graph=told.graph,
        places=places_of(told.graph),
        asked=letters_of(query),
        matched=true & said,
        missed=true - said if is_answered else frozenset(),
        spurious=said - true,
        wrong=tuple(parsed.get("wrong", ())),
        said=_said(parsed) if is_answered else "",
        why=why(told.graph, query),
    )


def _said(parsed: Mapping[str, Any]) -> str:
    if "answer" in parsed:
        return str(parsed["answer"])
    return ", ".join((*parsed.get("names", ()), *parsed.get("wrong", ()))) or "Null"


def letters_of(query: Query) -> dict[str, str]:
    """What stands at the variables that a query names."""
    a, b = query.between or ("", "")
    letters = {query.of or "": "X", a: "A", b: "B", query.node or "": "asked"}
    return {name: letter for name, letter in letters.items() if name}


@lru_cache(maxsize=32)  # a page draws itself anew at every click
def places_of(graph: CausalGraph) -> Mapping[str, Point]:
    """Where its nodes stand, by name."""
    edges = [edge.pair for edge in graph.edges]
    return place(list(graph.nodes), edges, None, {name: size_of(name) for name in graph.nodes})
