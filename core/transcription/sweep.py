"""What in a figure was not yet looked at: nodes not swept, printed texts that nothing uses, doubts not answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from core.graphs.checks import Doubt, DoubtKind, check_graph
from core.graphs.graph import CausalGraph
from core.graphs.names import fold_name
from core.transcription.marks import Marks, key_of
from core.transcription.proposals import CERTAIN


def text_key(text: str) -> str:
    """The key of the mark "not a variable": spellings that fold alike are one text."""
    return key_of(fold_name(text))


def doubt_key(kind: str, about: Sequence[str]) -> str:
    """The key of the mark "as printed" for a doubt of this kind about these names, in the doubt's own order."""
    return key_of(kind, *about)


def pair_key(first: str, second: str) -> str:
    """The key of the mark "distinct", whichever name is called first."""
    return key_of(*sorted((first, second)))


def open_doubts(
    graph: CausalGraph, printed: Iterable[str], marks: Marks, both: Collection[frozenset[str]] = ()
) -> tuple[Doubt, ...]:
    """The doubts about `graph` that its annotator has not answered: arrows refused against all appearance, then what
    `core.graphs.checks.check_graph` asks.

    Answered are: pairs called distinct, printed texts called no variable or the same as a node, and doubts that were
    looked at and stand as printed. `printed`: labels of the figure that no node stands on
    (`core.transcription.printed`). `both`: pairs of names whose two edges each stand on a printed arrow; whether both
    arrows are printed is not asked.
    """
    asked = [text for text in printed if not is_settled(text, graph.nodes, marks)]
    doubts = (*_refused_arrows(graph, marks), *check_graph(graph, asked, marks.distinct))
    open_ones = (
        one for one in doubts if one.kind is not DoubtKind.REVERSED_PAIR or frozenset(one.subjects) not in both
    )
    return tuple(doubt for doubt in open_ones if marks.get("as printed", doubt_key(doubt.kind, doubt.subjects)) is None)


def _refused_arrows(graph: CausalGraph, marks: Marks) -> Iterator[Doubt]:
    for pair in sorted(refused_certain(graph, marks)):
        message = f"You rejected the certain proposal “{pair[0]}” → “{pair[1]}”. Is it in the figure?"
        yield Doubt(DoubtKind.REFUSED_ARROW, message, pair, pair)


def refused_certain(graph: CausalGraph, marks: Marks) -> dict[tuple[str, str], str]:
    """Certain arrows that were refused, or removed after they were accepted, between two nodes that no edge joins in
    this direction: the pair of names → the id of the surest such proposal. Accepting and refusing are one key each,
    and what is refused is not offered again."""
    drawn = {edge.pair for edge in graph.edges}
    by_fold = {fold_name(name): name for name in reversed(graph.nodes)}
    found: dict[tuple[str, str], str] = {}
    refused = [(key, value) for key, value in marks.of("proposal").items() if value["answer"] == "refused"]
    for key, value in sorted(refused, key=lambda each: (-each[1]["confidence"], each[0])):
        if not value["is_doubtful"] and value["confidence"] >= CERTAIN:
            source, sink = (_node(value[end], graph, by_fold, marks) for end in ("source", "sink"))
            if source is not None and sink is not None and (source, sink) not in drawn:
                found.setdefault((source, sink), key)
    return found


def _node(text: str, graph: CausalGraph, by_fold: dict[str, str], marks: Marks) -> str | None:
    """The node that a printed text is by its own name, by what was said of it, or by its folded name."""
    if text in graph.nodes:
        return text
    return called(text, graph.nodes, marks) or by_fold.get(fold_name(text))


def is_settled(text: str, names: Iterable[str], marks: Marks) -> bool:
    """Whether an annotator said that a printed text is no variable, or is one of the nodes under another name."""
    if marks.get("not a variable", text_key(text)) is not None:
        return True
    return called(text, names, marks) is not None


def called(text: str, names: Iterable[str], marks: Marks) -> str | None:
    """The node that a printed text became by "same" (one step after another); None if it was never merged.

    >>> called("Trees", ["Tree"], Marks({("same", "k"): {"name": "Trees", "into": "Tree"}}))
    'Tree'
    """
    merged, here, passed = marks.merged, set(names), {text}
    while text in merged and merged[text] not in passed:
        text = merged[text]
        if text in here:
            return text
        passed.add(text)
    return None


ABOUT_NODES = frozenset(DoubtKind) - {DoubtKind.UNUSED_LABEL}
"""Doubts that can be answered "as printed"; of a printed text it is said that it is no variable."""
