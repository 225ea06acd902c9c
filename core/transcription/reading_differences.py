"""Differences between the reading of a figure and a transcription, shown only after it was submitted.

Only detected elements count: an edge, a sign or a name that the program did not find is no evidence. A missing delay is
the one exception, in a figure where some were found: there it can recognise a delay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from core.errors import InvalidName
from core.graphs import edits
from core.graphs.names import clean_name, fold_name
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from core.papers.pages import Box
from core.sign import Sign
from core.transcription.arrow_matching import PrintedInk
from core.transcription.label_nodes import PrintedNames, cleaned_name
from core.transcription.marks import MarkChange, Marks, key_of
from core.transcription.open_proposals import accept_as, by_id
from core.transcription.proposals import FigureProposals, Point, ProposedEdge, ProposedName
from core.transcription.sweep import pair_key

# Minimum share of equal letters, swaps of two counted once, of a name without a label that may be a misspelling of a
# label without a node. "Birth rate" and "Death rate" reach 0.7.
LEAST_ALIKE = 0.78
_DIGITS = re.compile(r"\d+")


class ReadKind(StrEnum):
    """Kinds of differences, in the order in which they are asked: a corrected name affects its edges."""

    NAME = "name"
    REVERSED = "direction"
    SIGN = "sign"
    DELAY = "delay"
    MISSING = "not drawn"


class LateAnswer(StrEnum):
    TAKEN = "taken"
    KEPT = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingDifference:
    """One difference between the reading and the transcription.

    `source` and `sink` are the read edge's ends as the graph calls them, else as they are printed; of a name, `source`
    is the transcription's and `sink` the printed one."""

    key: str  # independent of earlier answers
    kind: ReadKind
    source: str
    sink: str
    sign: Sign | None = None  # as read, like `delay`
    delay: bool = False
    # as drawn between the two (for REVERSED the other way), None if nothing is
    drawn: tuple[Sign | None, bool] | None = None
    edge_id: str = ""  # the edge or node to change, "" for a new one
    node_id: str = ""
    proposal_id: str = ""
    ends: tuple[Box, ...] = ()  # the two names' printed positions, in points of the page
    path: tuple[Point, ...] = ()  # of the arrow
    confidence: float = 1.0  # a rank from 0 to 1
    reasons: tuple[str, ...] = ()  # what lowered the confidence
    origin: str = ""  # as in `FigureProposals.origins_of`


@dataclass(frozen=True, slots=True)
class AppliedReading:
    changes: tuple[Change, ...]
    marks: tuple[MarkChange, ...] = ()
    is_fold: bool = False  # two nodes become one


def reading_differences(proposals: FigureProposals, record: GraphRecord, marks: Marks) -> tuple[ReadingDifference, ...]:
    """Return all differences, by kind and then in the reading's own order.

    Names differ if they differ after folding; not asked about is one that its annotator merged, called distinct or,
    where words are read from pixels, corrected on the same printed text. Arrows that were called no edge are left out.
    If a pair has several edges, it is asked about only if none of them is as read."""
    labels = LabelNodes(proposals, record, marks)
    differences = [*_names(proposals, record, marks, labels), *_edges(proposals, record, marks, labels)]
    order = list(ReadKind)
    return tuple(sorted(differences, key=lambda one: order.index(one.kind)))


def take(
    one: ReadingDifference, proposals: FigureProposals, record: GraphRecord, marks: Marks, *, new_id: Callable[[], str]
) -> AppliedReading:
    """Return the changes that make the transcription as read. `new_id` gives ids in the order of `core.act_ids`. Raises
    InvalidGraph if the edge or node is gone, BadInput if the figure no longer proposes the edge."""
    if one.kind is ReadKind.MISSING:
        return AppliedReading(
            *accept_as(proposals, one.proposal_id, one.source, one.sink, record, marks, new_id=new_id)
        )
    if one.kind is ReadKind.NAME:
        changes = edits.rename_node(record, one.node_id, one.sink)
        is_fold = any(change.after is None and change.element.id == one.node_id for change in changes)
        return AppliedReading(changes, is_fold=is_fold)
    if one.kind is ReadKind.DELAY:
        return AppliedReading(edits.edit_edge(record, one.edge_id, "delay", one.delay, new_id=new_id))
    if one.kind is ReadKind.SIGN:
        sign = one.sign.value if one.sign else None
        return AppliedReading(edits.edit_edge(record, one.edge_id, "sign", sign, new_id=new_id))
    (turned,) = edits.reverse_edge(record, one.edge_id)
    assert isinstance(turned.after, EdgeRecord)
    edge = replace(turned.after, sign=one.sign or turned.after.sign, delay=one.delay or turned.after.delay)
    return AppliedReading((Change(turned.before, edge),))


def answer_mark(one: ReadingDifference, answer: LateAnswer, marks: Marks) -> tuple[MarkChange, ...]:
    """Return the mark that stores the answer, with what was read and drawn, which the graph alone no longer shows."""
    value: dict[str, Any] = {
        "answer": answer.value,
        "kind": one.kind.value,
        "source": one.source,
        "sink": one.sink,
        "sign": one.sign.value if one.sign else "",
        "delay": one.delay,
        "origin": one.origin,
    }
    return marks.setting("late voice", one.key, value)


class LabelNodes:
    """The node of each printed label: as `PrintedNames` finds it, else one without a label that was placed on this
    label or whose name is a misspelling of its text."""

    def __init__(self, proposals: FigureProposals, record: GraphRecord, marks: Marks) -> None:
        printed = PrintedNames(record, marks)
        self._nodes: list[NodeRecord | None] = [printed.node_of(label) for label in proposals.names]
        self._labels = proposals.names
        labelled = {node.id for node in self._nodes if node is not None}
        free = {node.name: node for node in record.nodes.values() if node.id not in labelled}
        self.misspelt: dict[str, int] = {}  # id of each node found by its place or its spelling → place of the label
        by_text: dict[str, NodeRecord] = {}
        open_places = [place for place, node in enumerate(self._nodes) if node is None]
        for likely in (_placed_on, _spelt_like):
            for place in open_places:
                label = proposals.names[place]
                text = cleaned_name(label.text)
                node = by_text.get(text) or likely(label, free, marks)
                if self._nodes[place] is None and node is not None:
                    self._nodes[place] = by_text[text] = node
                    self.misspelt.setdefault(node.id, place)
                    free.pop(node.name, None)

    def node_at(self, place: int) -> NodeRecord | None:
        return self._nodes[place]

    def name_at(self, place: int) -> str:
        """Return the graph's name for the label, else the name that it would get."""
        node = self._nodes[place]
        return node.name if node is not None else cleaned_name(self._labels[place].text)


def _placed_on(label: ProposedName, free: Mapping[str, NodeRecord], marks: Marks) -> NodeRecord | None:
    box = label.box
    return next(
        (
            node
            for node in free.values()
            if node.x is not None and node.y is not None and box.x0 <= node.x <= box.x1 and box.y0 <= node.y <= box.y1
        ),
        None,
    )


def _spelt_like(label: ProposedName, free: Mapping[str, NodeRecord], marks: Marks) -> NodeRecord | None:
    """Return the node whose name is most similar to the text, if similar enough; numbers must be equal. Both are
    unmatched, so more may differ than between two printed names."""
    from rapidfuzz.distance import OSA

    text = cleaned_name(label.text)
    folded = fold_name(text)
    likely = [
        (OSA.normalized_similarity(folded, fold_name(name)), name)
        for name in free
        if _DIGITS.findall(name) == _DIGITS.findall(text) and marks.get("distinct", pair_key(text, name)) is None
    ]
    best, name = max(likely, default=(0.0, ""))
    return free[name] if best >= LEAST_ALIKE else None


def _names(
    proposals: FigureProposals, record: GraphRecord, marks: Marks, labels: LabelNodes
) -> Iterator[ReadingDifference]:
    asked_ids: set[str] = set()
    for place, label in enumerate(proposals.names):
        node, text = labels.node_at(place), cleaned_name(label.text)
        if not label.is_printed or node is None or node.id in asked_ids:
            continue
        if fold_name(node.name) == fold_name(text) or text in marks.merged:
            continue
        is_corrected = node.id not in labels.misspelt and proposals.origin != "vector"
        if is_corrected or not _is_name(text) or record.node_named(text) is not None:
            continue
        asked_ids.add(node.id)
        yield ReadingDifference(
            key=f"name:{key_of(text)}",
            kind=ReadKind.NAME,
            source=node.name,
            sink=text,
            node_id=node.id,
            ends=(label.box,),
            origin=proposals.origin,
        )


def _edges(
    proposals: FigureProposals, record: GraphRecord, marks: Marks, labels: LabelNodes
) -> Iterator[ReadingDifference]:
    drawn: dict[tuple[str, str], list[EdgeRecord]] = {}
    for one in record.ordered_edges():
        drawn.setdefault((one.source_id, one.sink_id), []).append(one)
    ink = PrintedInk(proposals, record, marks)
    dismissed = [tuple((x, y) for x, y in value["path"]) for value in marks.of("not an edge").values()]
    read = {_pair(edge, labels) for edge in proposals.edges}
    tells_delays = any(edge.delay for edge in proposals.edges)
    seen: set[tuple[str, str, str]] = set()  # an arrow may be proposed twice
    for proposal_id, edge in by_id(proposals).items():
        if not all(proposals.names[place].is_printed for place in (edge.source, edge.sink)):
            continue  # a name that only a model gives is not asked of a person who drew without it
        pair = _pair(edge, labels)
        if not all(map(_is_name, pair)) or ink.is_on(edge.path, dismissed):
            continue
        nodes = [labels.node_at(place) for place in (edge.source, edge.sink)]
        ids = (nodes[0].id, nodes[1].id) if nodes[0] is not None and nodes[1] is not None else None
        same_pair = drawn.get(ids, []) if ids else []
        turned = drawn.get(ids[::-1], []) if ids and ids[0] != ids[1] and pair[::-1] not in read else []
        for kind, change in _edge_differences(edge, same_pair, turned, tells_delays=tells_delays):
            if (kind, *pair) not in seen:
                seen.add((kind, *pair))
                yield _difference(kind, change, proposal_id, edge, pair, proposals)


def _edge_differences(
    edge: ProposedEdge, same_pair: Sequence[EdgeRecord], turned: Sequence[EdgeRecord], *, tells_delays: bool
) -> Iterator[tuple[ReadKind, EdgeRecord | None]]:
    """Yield the differences of a read edge, each with the drawn edge that differs."""
    if not same_pair:
        yield (ReadKind.REVERSED, turned[0]) if turned else (ReadKind.MISSING, None)
        return
    sign = _sign(edge)
    alike = next((one for one in same_pair if one.sign is sign), same_pair[0])
    if sign is not None and alike.sign is not sign:
        yield ReadKind.SIGN, alike
    if (edge.delay or tells_delays) and all(one.delay is not edge.delay for one in same_pair):
        yield ReadKind.DELAY, alike


def _difference(
    kind: ReadKind,
    change: EdgeRecord | None,
    proposal_id: str,
    edge: ProposedEdge,
    pair: tuple[str, str],
    proposals: FigureProposals,
) -> ReadingDifference:
    return ReadingDifference(
        key=f"{kind.value}:{proposal_id}",
        kind=kind,
        source=pair[0],
        sink=pair[1],
        sign=_sign(edge),
        delay=edge.delay,
        drawn=(change.sign, change.delay) if change is not None else None,
        edge_id=change.id if change is not None else "",
        proposal_id=proposal_id,
        ends=tuple(proposals.names[place].box for place in (edge.source, edge.sink)),
        path=edge.path,
        confidence=edge.confidence,
        reasons=edge.reasons,
        origin=proposals.origins_of(edge),
    )


def _pair(edge: ProposedEdge, labels: LabelNodes) -> tuple[str, str]:
    return labels.name_at(edge.source), labels.name_at(edge.sink)


def _is_name(text: str) -> bool:
    try:
        return bool(clean_name(text))
    except InvalidName:
        return False


def _sign(edge: ProposedEdge) -> Sign | None:
    return Sign(edge.sign) if edge.sign else None
