"""What the reading of a figure holds otherwise than a transcription: asked after it was submitted, never before.

Only what was read counts: an edge, a sign or a name that the program did not find says nothing. A delay is the one
exception, in a figure where it found some: there it knows what a delay looks like.
"""

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
from core.transcription.ink import PrintedInk
from core.transcription.marks import MarkChange, Marks, key_of
from core.transcription.open_proposals import accept_as, by_id
from core.transcription.printed import PrintedNames, kept_name
from core.transcription.proposals import FigureProposals, Point, ProposedEdge, ProposedName
from core.transcription.sweep import pair_key

LEAST_ALIKE = 0.78
"""Share of letters alike, swaps of two counted once, from which a name that stands for no label may be a slip of the
pen of a label without a node. "Birth rate" and "Death rate" reach 0.7."""
_DIGITS = re.compile(r"\d+")


class ReadKind(StrEnum):
    """What is read otherwise, in the order in which it is asked: a name that is put right brings its edges along."""

    NAME = "name"
    REVERSED = "direction"
    SIGN = "sign"
    DELAY = "delay"
    MISSING = "not drawn"


class LateAnswer(StrEnum):
    TAKEN = "taken"
    KEPT = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOtherwise:
    """One thing that the reading holds otherwise. `key` is the same whatever is answered before it.

    `source` and `sink` are the read edge's ends as the graph calls them, else as they are printed; of a name, `source`
    is the transcription's and `sink` the printed one. `sign` and `delay` are what was read, `drawn` what is drawn
    between the two (for REVERSED the other way), None if nothing is. `edge_id` and `node_id` say what would change,
    "" if something new. `ends` are where the two names are printed, in points of the page, and `path` is the arrow's
    course. `confidence` is a rank from 0 to 1, `reasons` say what lowered it, `origin` is as in
    `FigureProposals.origins_of`.
    """

    key: str
    kind: ReadKind
    source: str
    sink: str
    sign: Sign | None = None
    delay: bool = False
    drawn: tuple[Sign | None, bool] | None = None
    edge_id: str = ""
    node_id: str = ""
    proposal_id: str = ""
    ends: tuple[Box, ...] = ()
    path: tuple[Point, ...] = ()
    confidence: float = 1.0
    reasons: tuple[str, ...] = ()
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What taking a reading changes. `is_fold`: two nodes become one."""

    changes: tuple[Change, ...]
    marks: tuple[MarkChange, ...] = ()
    is_fold: bool = False


def read_otherwise(found: FigureProposals, record: GraphRecord, marks: Marks) -> tuple[ReadOtherwise, ...]:
    """Everything that the reading holds otherwise, by kind and then in the reading's own order.

    Names count as spelt otherwise if they differ after folding; one that its annotator merged, told apart or, where
    words are read from pixels, put right on the very print is not asked about. Arrows that were called no edge are
    left out. Where a pair has several edges, it is asked about only if none of them is as it was read.
    """
    labels = LabelNodes(found, record, marks)
    asked = [*_names(found, record, marks, labels), *_edges(found, record, marks, labels)]
    order = list(ReadKind)
    return tuple(sorted(asked, key=lambda one: order.index(one.kind)))


def take(
    one: ReadOtherwise, found: FigureProposals, record: GraphRecord, marks: Marks, *, new_id: Callable[[], str]
) -> Taken:
    """What makes the transcription as it was read. `new_id` gives ids in the order of `core.act_ids`.

    Raises InvalidGraph if the edge or node is gone, BadInput if the figure no longer proposes the edge.
    """
    if one.kind is ReadKind.MISSING:
        return Taken(*accept_as(found, one.proposal_id, one.source, one.sink, record, marks, new_id=new_id))
    if one.kind is ReadKind.NAME:
        return _respelt(one, record)
    if one.kind is ReadKind.DELAY:
        return Taken(edits.edit_edge(record, one.edge_id, "delay", one.delay, new_id=new_id))
    if one.kind is ReadKind.SIGN:
        sign = one.sign.value if one.sign else None
        return Taken(edits.edit_edge(record, one.edge_id, "sign", sign, new_id=new_id))
    (turned,) = edits.reverse_edge(record, one.edge_id)
    assert isinstance(turned.after, EdgeRecord)
    edge = replace(turned.after, sign=one.sign or turned.after.sign, delay=one.delay or turned.after.delay)
    return Taken((Change(turned.before, edge),))


def answer_mark(one: ReadOtherwise, answer: LateAnswer, marks: Marks) -> tuple[MarkChange, ...]:
    """The mark that keeps the answer, with what was read and drawn: the graph alone no longer tells."""
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
    """Which node each printed label is: as `PrintedNames` finds it, else one that no label stands for and that was put
    on the label or is a slip of the pen of its text."""

    def __init__(self, found: FigureProposals, record: GraphRecord, marks: Marks) -> None:
        printed = PrintedNames(record, marks)
        self._nodes: list[NodeRecord | None] = [printed.node_of(label) for label in found.names]
        self._labels = found.names
        taken = {node.id for node in self._nodes if node is not None}
        free = {node.name: node for node in record.nodes.values() if node.id not in taken}
        self.misspelt: dict[str, int] = {}
        """Id of each node found by its place or its spelling → place of the label."""
        by_text: dict[str, NodeRecord] = {}
        open_places = [place for place, node in enumerate(self._nodes) if node is None]
        for likely in (_put_on, _spelt_like):
            for place in open_places:
                label = found.names[place]
                text = kept_name(label.text)
                node = by_text.get(text) or likely(label, free, marks)
                if self._nodes[place] is None and node is not None:
                    self._nodes[place] = by_text[text] = node
                    self.misspelt.setdefault(node.id, place)
                    free.pop(node.name, None)

    def node_at(self, place: int) -> NodeRecord | None:
        return self._nodes[place]

    def name_at(self, place: int) -> str:
        """What the graph calls the label, else what it would call it."""
        node = self._nodes[place]
        return node.name if node is not None else kept_name(self._labels[place].text)


def _put_on(label: ProposedName, free: Mapping[str, NodeRecord], marks: Marks) -> NodeRecord | None:
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
    """The node whose name is most like the text, if they are like enough; numbers must be the same. Both stand alone
    here, so more may differ than between two names that are both printed."""
    from rapidfuzz.distance import OSA

    text = kept_name(label.text)
    folded = fold_name(text)
    likely = [
        (OSA.normalized_similarity(folded, fold_name(name)), name)
        for name in free
        if _DIGITS.findall(name) == _DIGITS.findall(text) and marks.get("distinct", pair_key(text, name)) is None
    ]
    best, name = max(likely, default=(0.0, ""))
    return free[name] if best >= LEAST_ALIKE else None


def _names(found: FigureProposals, record: GraphRecord, marks: Marks, labels: LabelNodes) -> Iterator[ReadOtherwise]:
    asked: set[str] = set()
    for place, label in enumerate(found.names):
        node, text = labels.node_at(place), kept_name(label.text)
        if not label.is_printed or node is None or node.id in asked:
            continue
        if fold_name(node.name) == fold_name(text) or text in marks.merged:
            continue
        is_mended = node.id not in labels.misspelt and found.origin != "vector"
        if is_mended or not _is_name(text) or record.node_named(text) is not None:
            continue
        asked.add(node.id)
        yield ReadOtherwise(
            key=f"name:{key_of(text)}",
            kind=ReadKind.NAME,
            source=node.name,
            sink=text,
            node_id=node.id,
            ends=(label.box,),
            origin=found.origin,
        )


def _edges(found: FigureProposals, record: GraphRecord, marks: Marks, labels: LabelNodes) -> Iterator[ReadOtherwise]:
    drawn: dict[tuple[str, str], list[EdgeRecord]] = {}
    for one in record.ordered_edges():
        drawn.setdefault((one.source_id, one.sink_id), []).append(one)
    ink = PrintedInk(found, record, marks)
    dismissed = [tuple((x, y) for x, y in value["path"]) for value in marks.of("not an edge").values()]
    read = {_pair(edge, labels) for edge in found.edges}
    tells_delays = any(edge.delay for edge in found.edges)
    seen: set[tuple[str, str, str]] = set()  # an arrow may be proposed twice
    for proposal_id, edge in by_id(found).items():
        if not all(found.names[place].is_printed for place in (edge.source, edge.sink)):
            continue  # a name that only a model says is no question to a person who drew without it
        pair = _pair(edge, labels)
        if not all(map(_is_name, pair)) or ink.is_on(edge.path, dismissed):
            continue
        nodes = [labels.node_at(place) for place in (edge.source, edge.sink)]
        ids = (nodes[0].id, nodes[1].id) if nodes[0] is not None and nodes[1] is not None else None
        here = drawn.get(ids, []) if ids else []
        turned = drawn.get(ids[::-1], []) if ids and ids[0] != ids[1] and pair[::-1] not in read else []
        for kind, change in _told(edge, here, turned, tells_delays=tells_delays):
            if (kind, *pair) not in seen:
                seen.add((kind, *pair))
                yield _asked(kind, change, proposal_id, edge, pair, found)


def _told(
    edge: ProposedEdge, here: Sequence[EdgeRecord], turned: Sequence[EdgeRecord], *, tells_delays: bool
) -> Iterator[tuple[ReadKind, EdgeRecord | None]]:
    """What of a read edge is drawn otherwise, and the drawn edge that is."""
    if not here:
        yield (ReadKind.REVERSED, turned[0]) if turned else (ReadKind.MISSING, None)
        return
    sign = _sign(edge)
    alike = next((one for one in here if one.sign is sign), here[0])
    if sign is not None and alike.sign is not sign:
        yield ReadKind.SIGN, alike
    if (edge.delay or tells_delays) and all(one.delay is not edge.delay for one in here):
        yield ReadKind.DELAY, alike


def _asked(
    kind: ReadKind,
    change: EdgeRecord | None,
    proposal_id: str,
    edge: ProposedEdge,
    pair: tuple[str, str],
    found: FigureProposals,
) -> ReadOtherwise:
    return ReadOtherwise(
        key=f"{kind.value}:{proposal_id}",
        kind=kind,
        source=pair[0],
        sink=pair[1],
        sign=_sign(edge),
        delay=edge.delay,
        drawn=(change.sign, change.delay) if change is not None else None,
        edge_id=change.id if change is not None else "",
        proposal_id=proposal_id,
        ends=tuple(found.names[place].box for place in (edge.source, edge.sink)),
        path=edge.path,
        confidence=edge.confidence,
        reasons=edge.reasons,
        origin=found.origins_of(edge),
    )


def _respelt(one: ReadOtherwise, record: GraphRecord) -> Taken:
    changes = edits.rename_node(record, one.node_id, one.sink)
    is_fold = any(change.after is None and change.element.id == one.node_id for change in changes)
    return Taken(changes, is_fold=is_fold)


def _pair(edge: ProposedEdge, labels: LabelNodes) -> tuple[str, str]:
    return labels.name_at(edge.source), labels.name_at(edge.sink)


def _is_name(text: str) -> bool:
    try:
        return bool(clean_name(text))
    except InvalidName:
        return False


def _sign(edge: ProposedEdge) -> Sign | None:
    return Sign(edge.sign) if edge.sign else None
