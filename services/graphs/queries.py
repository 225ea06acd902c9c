"""A graph as models read it, and true answers to questions about it, for everyone who may see the graph.

Both depend only on the graph, so they are cached by its content for all who may see it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.errors import InvalidGraph, InvalidName
from core.graphs.encodings import Encoding, about_tokens, encode, left_out
from core.graphs.graph import CausalGraph
from core.graphs.naming import NamedGraph, Naming, neutral, reversed_graph
from core.graphs.orders import EdgeOrder
from core.graphs.queries import (
    AnswerExplanation,
    AnswerShape,
    Asked,
    Query,
    QueryLevel,
    Truths,
    Variant,
    answer,
    shape_of,
    why,
)
from core.graphs.queries.answers import MASKS
from core.graphs.query_space import counts
from core.people import Permission, Viewer
from services.acting import consulting
from services.graphs.visibility import seen_graph
from store.graphs import graphs as stored

MOST_COUNTED = 1_000  # nodes up to which all queries of a kind are counted: half a million pairs take half a second


@dataclass(frozen=True, slots=True)
class TextSize:
    characters: int = 0
    tokens: int = 0  # about a quarter of the bytes
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedGraph:
    """A graph in one encoding, and its length in all seven."""

    text: str  # empty where the encoding refuses a name
    sizes: Mapping[Encoding, TextSize]
    left_out: tuple[str, ...]  # what no encoding carries
    own: Mapping[str, str]  # neutral name → the graph's name, in order; empty for its own names


@dataclass(frozen=True, slots=True)
class QueryCount:
    queries: int = 0
    empty: int = 0  # without a variable, or with "no", as their answer
    reason: str = ""  # why they are not counted


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueAnswer:
    answer: tuple[str, ...] | bool  # names in the graph's order, or yes or no
    why: AnswerExplanation  # the edges that make it true
    count: QueryCount


def encoded(
    viewer: Viewer,
    graph_id: str,
    encoding: Encoding,
    order: EdgeOrder = EdgeOrder.GIVEN,
    naming: Naming = Naming.GIVEN,
    *,
    seed: int = 1,
) -> EncodedGraph:
    """Return the graph as text for a model; `seed` draws neutral names.

    Raises TooLarge for a graph of more than 2,000 nodes; Missing, or Refused for work that is blind to the viewer.
    """
    graph = _read(viewer, graph_id)
    used_seed = seed if naming is Naming.NEUTRAL else 0
    sizes = _encoded_sizes(graph, order, naming, used_seed)
    text = "" if sizes[encoding].refusal else _encode(graph, encoding, order, naming, used_seed)
    named = _named(graph, naming, used_seed)
    own = named.own if naming is Naming.NEUTRAL else {}
    return EncodedGraph(text=text, sizes=sizes, left_out=left_out(graph), own=own)


def answer_query(viewer: Viewer, graph_id: str, query: Query) -> TrueAnswer:
    """Return the true answer to a query, the edges behind it, and the number of such queries in the graph.

    Raises Missing for an unknown variable, InvalidGraph for what a graph with a cycle cannot be asked; Missing, or
    Refused for work that is blind to the viewer.
    """
    graph = _read(viewer, graph_id)
    result = answer(_truths(graph), query)
    ordered = result if isinstance(result, bool) else tuple(name for name in graph.nodes if name in result)
    return TrueAnswer(answer=ordered, why=why(graph, query), count=_count_queries(graph, query.asked, query.level))


def _read(viewer: Viewer, graph_id: str) -> CausalGraph:
    with consulting(viewer, Permission.READ_STUDY) as r:
        seen_graph(r, graph_id)
        return stored.read_graph(r.session, graph_id).graph()


# --- computed, and cached by content ------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _named(graph: CausalGraph, naming: Naming, seed: int) -> NamedGraph:
    if naming is Naming.NEUTRAL:
        return neutral(graph, seed)
    return reversed_graph(graph) if naming is Naming.REVERSED else NamedGraph(graph, {})


@lru_cache(maxsize=4)  # a matrix of 2,000 nodes has eight million characters
def _encode(graph: CausalGraph, encoding: Encoding, order: EdgeOrder, naming: Naming, seed: int) -> str:
    return encode(_named(graph, naming, seed).graph, encoding, order)


@lru_cache(maxsize=64)
def _encoded_sizes(graph: CausalGraph, order: EdgeOrder, naming: Naming, seed: int) -> dict[Encoding, TextSize]:
    return sizes_of(_named(graph, naming, seed).graph, order)


def sizes_of(graph: CausalGraph, order: EdgeOrder) -> dict[Encoding, TextSize]:
    """Return the graph's length in each encoding. Raises TooLarge for more than 2,000 nodes."""
    return {encoding: _size(graph, encoding, order) for encoding in Encoding}


def _size(graph: CausalGraph, encoding: Encoding, order: EdgeOrder) -> TextSize:
    try:
        text = encode(graph, encoding, order)
    except InvalidName as error:
        return TextSize(refusal=str(error))
    return TextSize(len(text), about_tokens(text))


@lru_cache(maxsize=32)
def _truths(graph: CausalGraph) -> Truths:
    return Truths.of(graph)


@lru_cache(maxsize=256)
def _count_queries(graph: CausalGraph, kind: Asked, level: QueryLevel) -> QueryCount:
    n = len(graph.nodes)
    if kind is Variant.INTERVENTION_PAIR or n > MOST_COUNTED:
        return QueryCount(counts([n], [kind])[level][kind], reason=_NOT_COUNTED[kind is Variant.INTERVENTION_PAIR])
    try:
        masks = _answer_masks(_truths(graph), kind)
    except InvalidGraph as error:
        return QueryCount(reason=str(error))
    total = counts([n], [kind])[level][kind]
    hits = sum(bool(mask) if level is QueryLevel.GRAPH else mask.bit_count() for mask in masks)
    return QueryCount(total, total - hits)


_NOT_COUNTED = {
    True: "Empty answers of triples are not counted.",
    False: f"Empty answers are counted up to {MOST_COUNTED:,} nodes.",
}


def _answer_masks(truths: Truths, kind: Asked) -> list[int]:
    """Return the answers of all queries of a kind, one bit a node, without what cannot be asked (a node's own parent).

    Raises InvalidGraph for pairs of a graph with a cycle, where no order says which of two comes first.
    """
    nodes, shape, of = range(len(truths.nodes)), shape_of(kind), MASKS[kind]
    if shape is AnswerShape.ALONE:
        return [of(truths, -1, -1, -1)]
    if shape is AnswerShape.OF:
        return [of(truths, x, -1, -1) & ~(1 << x) for x in nodes]
    order = truths.order
    return [of(truths, -1, order[first], order[second]) for second in nodes for first in range(second)]
