"""A graph under other names or with its edges reversed, with the mapping back to its own names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from core.graphs.graph import CausalGraph
from core.seeded_random import shuffled

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Naming(StrEnum):
    GIVEN = "given"  # unchanged
    NEUTRAL = "neutral"  # neutral names
    REVERSED = "reversed"  # unchanged names in the graph with all edges reversed, against what the names suggest


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """A graph as shown, and shown name → the graph's own name."""

    graph: CausalGraph
    own: Mapping[str, str]


def named(graph: CausalGraph, naming: Naming, seed: int) -> NamedGraph:
    if naming is Naming.NEUTRAL:
        return neutral(graph, seed)
    if naming is Naming.REVERSED:
        return reversed_graph(graph)
    return NamedGraph(graph, {name: name for name in graph.nodes})


def neutral(graph: CausalGraph, seed: int, *, letters: bool = False) -> NamedGraph:
    """Return the graph with names "0" … "n-1" (or A … Z, AA …) drawn by the seed, nodes and edges sorted by them:
    neither names nor order reveal the graph's own order.

    >>> from core.graphs.edge import Edge
    >>> named = neutral(CausalGraph.of([Edge("Smoke", "Cancer"), Edge("Cancer", "X-ray")]), seed=1)
    >>> named.graph.nodes, [edge.pair for edge in named.graph.edges], named.own["0"]
    (('0', '1', '2'), [('0', '2'), ('2', '1')], 'Smoke')
    """
    place = {name: number for number, name in enumerate(shuffled(seed, "neutral", graph.nodes))}
    names = [_letters(number) if letters else str(number) for number in range(len(place))]
    edges = sorted(graph.edges, key=lambda edge: (place[edge.source], place[edge.sink]))
    renamed = (replace(each, source=names[place[each.source]], sink=names[place[each.sink]]) for each in edges)
    return NamedGraph(CausalGraph(tuple(names), tuple(renamed)), {names[at]: name for name, at in place.items()})


def reversed_graph(graph: CausalGraph) -> NamedGraph:
    """Return the graph with every edge reversed and all names kept, so that it contradicts what the names suggest."""
    edges = tuple(replace(edge, source=edge.sink, sink=edge.source) for edge in graph.edges)
    return NamedGraph(CausalGraph(graph.nodes, edges), {name: name for name in graph.nodes})


def _letters(number: int) -> str:
    shown = ""
    while number >= 0:
        number, letter = divmod(number, len(_LETTERS))
        shown, number = _LETTERS[letter] + shown, number - 1
    return shown
