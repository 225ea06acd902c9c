"""Points to check before a graph is submitted. Every doubt is a question, never a fault."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.names import NearKind, NearPair, fold_name, near_names


class DoubtKind(StrEnum):
    """Kinds of doubts, in the order in which they are listed."""

    REFUSED_ARROW = "refused arrow"
    SELF_LOOP = "self-loop"
    REVERSED_PAIR = "reversed pair"
    CONFLICTING_SIGNS = "conflicting signs"
    DUPLICATE_EDGE = "duplicate edge"
    WHITE_SPACE = "white space"
    CASE_ONLY = "case-only difference"
    LOOK_ALIKE = "look-alike"
    NEAR_DUPLICATE = "near duplicate"
    ISOLATED_NODE = "isolated node"
    UNUSED_LABEL = "unused label"


@dataclass(frozen=True, slots=True)
class Doubt:
    """One question. `subjects` are the names it is about; `pair` is the ordered pair of an edge, or None."""

    kind: DoubtKind
    message: str
    subjects: tuple[str, ...]
    pair: tuple[str, str] | None = None
    near: NearKind | None = None


def check_graph(
    graph: CausalGraph, printed: Sequence[str] = (), decided: Collection[frozenset[str]] = ()
) -> tuple[Doubt, ...]:
    """Return everything a person should confirm in `graph`, by kind and then in the graph's own order.

    `printed`: labels printed in the figure; unused ones (after folding) are asked about. `decided`: pairs of names
    ruled distinct; they are not asked about again. An empty graph raises no doubt of its own. Loops and reciprocal
    pairs are normal in causal loop diagrams, but also a common error, so they are asked about.

    >>> [doubt.message for doubt in check_graph(CausalGraph.of([Edge("Price", "Price")]))]
    ['“Price” acts on itself. Is the loop printed?']
    """
    return (
        *(
            Doubt(DoubtKind.SELF_LOOP, f"“{pair[0]}” acts on itself. Is the loop printed?", pair[:1], pair)
            for pair in dict.fromkeys(edge.pair for edge in graph.edges if edge.is_self_loop)
        ),
        *_reversed_pairs(graph),
        *_repeated_pairs(graph),
        *(
            Doubt(
                DoubtKind.WHITE_SPACE,
                f"“{name}” has doubled, leading or trailing white space. Rename it to “{tidy}”?",
                (name,),
            )
            for name in graph.nodes
            if name != (tidy := " ".join(name.split()))
        ),
        *_near_duplicates(graph, decided),
        *(
            Doubt(DoubtKind.ISOLATED_NODE, f"“{name}” has no edge. Does the figure show it without an arrow?", (name,))
            for name in graph.isolated
        ),
        *_unused_labels(graph, printed),
    )


def _reversed_pairs(graph: CausalGraph) -> Iterator[Doubt]:
    pairs = dict.fromkeys(edge.pair for edge in graph.edges if not edge.is_self_loop)
    listed_pairs: set[tuple[str, str]] = set()
    for source, sink in pairs:
        if (sink, source) in pairs and (sink, source) not in listed_pairs:
            listed_pairs.add((source, sink))
            message = f"“{source}” and “{sink}” act on each other. Are both arrows printed?"
            yield Doubt(DoubtKind.REVERSED_PAIR, message, (source, sink), (source, sink))


def _repeated_pairs(graph: CausalGraph) -> Iterator[Doubt]:
    edges: defaultdict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in graph.edges:
        edges[edge.pair].append(edge)
    repeated = {pair: listed for pair, listed in edges.items() if len(listed) > 1}
    for pair, listed in repeated.items():
        signs = list(dict.fromkeys(edge.sign for edge in listed))
        if len(signs) > 1:
            signs_text = " and ".join("without a sign" if sign is None else f"with {sign.value}" for sign in signs)
            message = f"“{pair[0]}” → “{pair[1]}” is listed {signs_text}. Keep both?"
            yield Doubt(DoubtKind.CONFLICTING_SIGNS, message, pair, pair)
    for pair, listed in repeated.items():
        for sign in dict.fromkeys(edge.sign for edge in listed):
            count = sum(edge.sign is sign for edge in listed)
            if count > 1:
                message = f"“{pair[0]}” → “{pair[1]}” is listed {count} times. Keep one?"
                yield Doubt(DoubtKind.DUPLICATE_EDGE, message, pair, pair)


_KIND_OF_NEAR = {NearKind.CASE: DoubtKind.CASE_ONLY, NearKind.LOOK_ALIKE: DoubtKind.LOOK_ALIKE}
_WHY_NEAR = {
    NearKind.CASE: "differ only in capital letters",
    NearKind.LOOK_ALIKE: "look alike but contain different characters",
    NearKind.HYPHEN: "differ only in hyphens or spaces",
    NearKind.PLURAL: "differ only in singular and plural",
    NearKind.PREFIX: "begin alike",
}


def _near_duplicates(graph: CausalGraph, decided: Collection[frozenset[str]]) -> Iterator[Doubt]:
    settled = set(decided)
    doubts = [
        Doubt(
            _KIND_OF_NEAR.get(pair.kind, DoubtKind.NEAR_DUPLICATE),
            f"“{pair.first}” and “{pair.second}” {_why_near(pair)}. Same or distinct?",
            (pair.first, pair.second),
            near=pair.kind,
        )
        for pair in near_names(graph.nodes)
        if frozenset((pair.first, pair.second)) not in settled
    ]
    order = list(DoubtKind)
    return iter(sorted(doubts, key=lambda doubt: order.index(doubt.kind)))


def _why_near(pair: NearPair) -> str:
    if pair.kind is NearKind.EDIT_DISTANCE:
        return f"differ by {pair.distance} letter{'s' if pair.is_rare else ''}"
    return _WHY_NEAR[pair.kind]


def _unused_labels(graph: CausalGraph, printed: Sequence[str]) -> Iterator[Doubt]:
    used = {fold_name(name) for name in graph.nodes}
    for label in printed:
        folded = fold_name(label)
        if folded and folded not in used:
            used.add(folded)  # a label printed twice is asked about once
            shown = " ".join(label.split())
            yield Doubt(
                DoubtKind.UNUSED_LABEL,
                f"“{shown}” is printed in the figure, but no node uses it. Was it missed?",
                (label,),
            )
