"""Unchecked parts of a figure: nodes not swept, unused printed texts, open doubts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from core.graphs.checks import Doubt, DoubtKind, check_graph
from core.graphs.graph import CausalGraph
from core.graphs.names import fold_name
from core.transcription.marks import Marks, key_of
from core.transcription.proposals import CERTAIN


def text_key(text: str) -> str:
    """Return the key of the mark "not a variable": spellings that fold alike are one text."""
    return key_of(fold_name(text))


def doubt_key(kind: str, about: Sequence[str]) -> str:
    """Return the key of the mark "as printed" for a doubt of this kind about these names, in the doubt's own order."""
    return key_of(kind, *about)


def pair_key(first: str, second: str) -> str:
    """Return the key of the mark "distinct", independent of the order of names."""
    return key_of(*sorted((first, second)))


def open_doubts(
    graph: CausalGraph, printed: Iterable[str], marks: Marks, both: Collection[frozenset[str]] = ()
) -> tuple[Doubt, ...]:
    """Return the doubts about `graph` that its annotator has not answered: certain proposals that were rejected, then
    those of `core.graphs.checks.check_graph`.

    Answered are: pairs called distinct, printed texts called no variable or the same as a node, and doubts confirmed as
    printed. `printed`: labels of the figure without a node (`core.transcription.label_nodes`). `both`: pairs of
    names whose two edges each have a printed arrow, which is not asked about."""
    open_texts = [text for text in printed if not is_settled(text, graph.nodes, marks)]
    rejected = (
        Doubt(
            DoubtKind.REFUSED_ARROW,
            f"You rejected the certain proposal “{pair[0]}” → “{pair[1]}”. Is it in the figure?",
            pair,
            pair,
        )
        for pair in sorted(refused_certain(graph, marks))
    )
    doubts = (*rejected, *check_graph(graph, open_texts, marks.distinct))
    open_ones = (
        one for one in doubts if one.kind is not DoubtKind.REVERSED_PAIR or frozenset(one.subjects) not in both
    )
    return tuple(doubt for doubt in open_ones if marks.get("as printed", doubt_key(doubt.kind, doubt.subjects)) is None)


def refused_certain(graph: CausalGraph, marks: Marks) -> dict[tuple[str, str], str]:
    """Return certain proposals that were rejected, or removed after they were accepted, between two nodes without an
    edge in this direction: the pair of names → the id of the proposal with the highest confidence. They are asked about
    because accept and reject are one key each, and a rejected proposal is not shown again."""
    drawn = {edge.pair for edge in graph.edges}
    by_fold = {fold_name(name): name for name in reversed(graph.nodes)}
    by_pair: dict[tuple[str, str], str] = {}
    refused = [(key, value) for key, value in marks.of("proposal").items() if value["answer"] == "refused"]
    for key, value in sorted(refused, key=lambda each: (-each[1]["confidence"], each[0])):
        if not value["is_doubtful"] and value["confidence"] >= CERTAIN:
            source, sink = (_node(value[end], graph, by_fold, marks) for end in ("source", "sink"))
            if source is not None and sink is not None and (source, sink) not in drawn:
                by_pair.setdefault((source, sink), key)
    return by_pair


def _node(text: str, graph: CausalGraph, by_fold: dict[str, str], marks: Marks) -> str | None:
    """Return the node of a printed text by its own name, by its marks, or by its folded name."""
    if text in graph.nodes:
        return text
    return called(text, graph.nodes, marks) or by_fold.get(fold_name(text))


def is_settled(text: str, names: Iterable[str], marks: Marks) -> bool:
    """Return True if an annotator called a printed text no variable, or one of the nodes under another name."""
    if marks.get("not a variable", text_key(text)) is not None:
        return True
    return called(text, names, marks) is not None


def called(text: str, names: Iterable[str], marks: Marks) -> str | None:
    """Return the node that a printed text became by "same" (one step after another); None if it was never merged.

    >>> called("Trees", ["Tree"], Marks({("same", "k"): {"name": "Trees", "into": "Tree"}}))
    'Tree'
    """
    merged, known, passed = marks.merged, set(names), {text}
    while text in merged and merged[text] not in passed:
        text = merged[text]
        if text in known:
            return text
        passed.add(text)
    return None


# Doubts that can be answered "as printed"; the answer to a printed text is that it is no variable.
ABOUT_NODES = frozenset(DoubtKind) - {DoubtKind.UNUSED_LABEL}
