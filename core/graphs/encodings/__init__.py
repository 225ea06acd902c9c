"""A causal graph as text for a model, in seven encodings, and back (CausalGraph2LLM, appendix B).

Only nodes and edges are written: see `left_out`. Where the paper is silent these conventions apply: a matrix has one
blank between its cells, an ambiguous name is in quotation marks, and nodes without edges are the last line of an
encoding that has no other place for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import InvalidGraph, TooLarge
from core.graphs.encodings import plain, prose, structured
from core.graphs.encodings.names import Encoding, refuse_unwritable
from core.graphs.graph import CausalGraph
from core.graphs.orders import EdgeOrder, ordered

__all__ = ["MOST_NODES", "Encoding", "about_tokens", "decode", "encode", "guess_encoding", "left_out"]

MOST_NODES = 2_000  # maximum for encoding: the matrix of such a graph has eight million characters


@dataclass(frozen=True, slots=True)
class _Form:
    write: Callable[[CausalGraph], str]
    read: Callable[[str], CausalGraph]


_FORMS = {
    Encoding.JSON: _Form(structured.write_json, structured.read_json),
    Encoding.ADJACENCY: _Form(plain.write_adjacency, plain.read_adjacency),
    Encoding.MATRIX: _Form(plain.write_matrix, plain.read_matrix),
    Encoding.GRAPHML: _Form(structured.write_graphml, structured.read_graphml),
    Encoding.GRAPHVIZ: _Form(structured.write_graphviz, structured.read_graphviz),
    Encoding.SINGLE: _Form(prose.write_single, prose.read_single),
    Encoding.MULTI: _Form(prose.write_multi, prose.read_multi),
}
_BEGINNINGS = {"{": Encoding.JSON, "(": Encoding.ADJACENCY, "<": Encoding.GRAPHML}
_DOT = ("digraph", "graph", "strict")


def encode(graph: CausalGraph, encoding: Encoding, order: EdgeOrder = EdgeOrder.GIVEN) -> str:
    """Return the graph as text, without a final line end; an edge listed twice is written once. Raises InvalidName for
    a name that the encoding cannot represent (a line break in most), TooLarge for a graph of more than 2,000 nodes.

    >>> from core.graphs.edge import Edge
    >>> print(encode(CausalGraph.of([Edge("A", "B"), Edge("A", "C")], nodes=["Z"]), Encoding.MULTI))
    A causes B, C.
    Nodes without relations: Z.
    """
    if len(graph.nodes) > MOST_NODES:
        raise TooLarge(f"This graph has {len(graph.nodes):,} nodes; a graph of at most {MOST_NODES:,} can be encoded.")
    refuse_unwritable(graph.nodes, encoding)
    return _FORMS[encoding].write(ordered(graph, order))


def decode(text: str, encoding: Encoding) -> CausalGraph:
    """Return the graph that `encode` has written; nodes in the order of the text, an edge listed twice once.

    Raises InvalidGraph with the line and what is expected there, and the encoding that the text resembles if it is
    another one; InvalidName for a name that `encode` would not write.

    >>> decode("(A, B) (A, C)", Encoding.ADJACENCY).nodes
    ('A', 'B', 'C')
    """
    try:
        graph = _FORMS[encoding].read(text)
    except InvalidGraph as error:
        resembled = guess_encoding(text)
        if resembled in (None, encoding):
            raise
        raise InvalidGraph(f"{error} The text looks like the encoding {resembled}.") from None
    refuse_unwritable(graph.nodes, encoding)
    return ordered(graph, EdgeOrder.GIVEN)


def guess_encoding(text: str) -> Encoding | None:
    """Return the encoding that the beginning of a text resembles; None if it resembles none of the seven.

    >>> guess_encoding("A causes B, C."), guess_encoding("Price -> Demand")
    (<Encoding.MULTI: 'multi'>, None)
    """
    stripped = text.lstrip()
    if stripped[:1] in _BEGINNINGS:
        return _BEGINNINGS[stripped[:1]]
    first, second, *_ = [*stripped.split("\n", 2), "", ""]
    if first.startswith(_DOT) and "{" in first:
        return Encoding.GRAPHVIZ
    if set(second.split()[1:]) & {"0", "1"}:
        return Encoding.MATRIX
    if " causes " in first:
        has_several = any("," in sentence.partition(" causes ")[2] for sentence in first.split(". "))
        return Encoding.MULTI if has_several else Encoding.SINGLE
    return None


def about_tokens(text: str) -> int:
    """Estimate the number of tokens: a quarter of the bytes in UTF-8."""
    return round(len(text.encode("utf-8")) / 4)


def left_out(graph: CausalGraph) -> tuple[str, ...]:
    has_part = {
        "signs": any(edge.sign is not None for edge in graph.edges),
        "delays": any(edge.delay for edge in graph.edges),
        "flags": any(edge.flag is not None for edge in graph.edges),
        "notes": any(edge.note for edge in graph.edges),
    }
    return tuple(word for word, is_there in has_part.items() if is_there)
