"""Proposed edges of a graph: the open ones, and the changes on accepting and rejecting them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from core.errors import BadInput
from core.graphs.names import clean_name
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from core.sign import Sign
from core.transcription.label_nodes import PrintedNames, cleaned_name
from core.transcription.marks import MarkChange, Marks, Value, key_of
from core.transcription.proposals import FigureProposals, Point, ProposedEdge

ChosenBy = Literal["", "certain", "node", "region", "kind"]

# Selection of the proposals of one act: "" one by one; all certain ones, all at a node, all in a region drawn on the
# figure, all of a kind.
CHOSEN_BY: tuple[ChosenBy, ...] = get_args(ChosenBy)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenProposal:
    """A proposed edge that waits for an answer; its ends have the graph's names."""

    id: str  # stable between calls
    source: str
    sink: str
    sign: Sign | None
    delay: bool
    confidence: float  # a rank from 0 to 1
    is_doubtful: bool
    is_certain: bool
    path: tuple[Point, ...]  # from tail to tip, in points of the page
    reasons: tuple[str, ...]
    origin: str  # as in `FigureProposals.origins_of`


def by_id(proposals: FigureProposals) -> dict[str, ProposedEdge]:
    """Return a figure's proposed edges in their order, by id: a hash of both printed names and the path."""
    named: dict[str, ProposedEdge] = {}
    for edge in proposals.edges:
        course = ";".join(f"{x:.1f},{y:.1f}" for x, y in edge.path)
        named.setdefault(key_of(proposals.names[edge.source].text, proposals.names[edge.sink].text, course), edge)
    return named


def is_accepted(mark: Value | None) -> bool:
    return mark is not None and mark["answer"] == "accepted"


def open_proposals_of(proposals: FigureProposals, record: GraphRecord, marks: Marks) -> Iterator[OpenProposal]:
    """Yield proposed edges without an answer, unless an edge joins the same two nodes already: drawn manually, or
    accepted from an earlier reading with another path, as before the figure was widened. In a picture, where heads are
    misread, a reverse edge without an arrow of its own counts as this one reversed."""
    printed = PrintedNames(record, marks)
    nodes = [printed.node_of(label) for label in proposals.names]
    names = [
        node.name if node else cleaned_name(label.text) for node, label in zip(nodes, proposals.names, strict=True)
    ]
    read, by_hand = by_id(proposals), drawn_by_hand(record, marks)
    answers = {key: value for key, value in marks.of("proposal").items() if is_accepted(value)}
    earlier = {value["edge"] for key, value in answers.items() if key not in read}
    by_hand |= {(edge.source_id, edge.sink_id) for edge in record.edges.values() if edge.id in earlier}
    if proposals.kind == "picture":
        accepted = {value["edge"] for value in answers.values()}
        on_print = accepted | set(marks.of("on print"))
        by_hand |= {(edge.sink_id, edge.source_id) for edge in record.edges.values() if edge.id not in on_print}
    for proposal_id, edge in read.items():
        source, sink = nodes[edge.source], nodes[edge.sink]
        is_drawn = source is not None and sink is not None and (source.id, sink.id) in by_hand
        if is_drawn or marks.get("proposal", proposal_id) is not None:
            continue
        yield OpenProposal(
            id=proposal_id,
            source=names[edge.source],
            sink=names[edge.sink],
            sign=_sign(edge),
            delay=edge.delay,
            confidence=edge.confidence,
            is_doubtful=edge.is_direction_doubtful,
            is_certain=edge.is_certain,
            path=edge.path,
            reasons=edge.reasons,
            origin=proposals.origins_of(edge),
        )


def drawn_by_hand(record: GraphRecord, marks: Marks) -> set[tuple[str, str]]:
    """Return pairs (source id, sink id) joined by an edge that is not an accepted proposal."""
    accepted = {value["edge"] for value in marks.of("proposal").values() if is_accepted(value)}
    return {(edge.source_id, edge.sink_id) for edge in record.edges.values() if edge.id not in accepted}


def accept_edges(
    proposals: FigureProposals, ids: Sequence[str], record: GraphRecord, marks: Marks, *, new_id: Callable[[], str]
) -> tuple[tuple[Change, ...], tuple[MarkChange, ...]]:
    """Return the changes of a graph and its marks on accepting proposed edges.

    Ends that are no nodes yet are created at their printed position; a node without a position is placed there. A
    proposal that is drawn already with its sign is that edge; one that was accepted already changes nothing. A proposal
    whose pair has another sign becomes a second edge, for the annotator to check. `new_id` gives ids in the order of
    `core.act_ids`.

    Raises BadInput for an id that is not among the figure's, InvalidName for an invalid printed name."""
    drawing = _Drawing(proposals, record, marks)
    mark_changes: list[MarkChange] = []
    numbered = [(new_id(), *each) for each in chosen(proposals, ids).items()]
    for new_edge, proposal_id, edge in numbered:
        new_source, new_sink = new_id(), new_id()
        if not is_accepted(marks.get("proposal", proposal_id)):
            ends = (drawing.end(edge.source, new_source), drawing.end(edge.sink, new_sink))
            edge_id = drawing.draw(edge, new_edge, *ends)
            mark_changes += marks.setting("proposal", proposal_id, _answer("accepted", edge_id, edge, proposals))
    return drawing.changes, tuple(mark_changes)


def accept_as(
    proposals: FigureProposals,
    proposal_id: str,
    source: str,
    sink: str,
    record: GraphRecord,
    marks: Marks,
    *,
    new_id: Callable[[], str],
) -> tuple[tuple[Change, ...], tuple[MarkChange, ...]]:
    """Return the changes on accepting a proposed edge between other names, with one end corrected or both exchanged:
    the edge has its sign and delay, and the printed path, reversed if the ends are. Names are as the graph calls them;
    a printed one is created at its printed position.

    Raises BadInput for an id that is not among the figure's, InvalidName for an invalid name."""
    edge = chosen(proposals, [proposal_id])[proposal_id]
    if is_accepted(marks.get("proposal", proposal_id)):
        return (), ()
    drawing = _Drawing(proposals, record, marks)
    proposed = (drawing.name_of(edge.source), drawing.name_of(edge.sink))
    names = (clean_name(source), clean_name(sink))
    new_edge, new_source, new_sink = new_id(), new_id(), new_id()
    ends = (drawing.named(names[0], edge, new_source), drawing.named(names[1], edge, new_sink))
    edge_id = drawing.draw(edge, new_edge, *ends)
    answer = {**_answer("accepted", edge_id, edge, proposals), "mended": names != proposed}
    if names == proposed[::-1]:
        answer["path"] = answer["path"][::-1]
    return drawing.changes, marks.setting("proposal", proposal_id, answer)


def refuse_edges(proposals: FigureProposals, ids: Sequence[str], marks: Marks) -> tuple[MarkChange, ...]:
    """Return the marks that reject proposed edges; one with an answer keeps it. Raises BadInput for an id that is not
    among the figure's."""
    mark_changes: list[MarkChange] = []
    for proposal_id, edge in chosen(proposals, ids).items():
        if marks.get("proposal", proposal_id) is None:
            mark_changes += marks.setting("proposal", proposal_id, _answer("refused", "", edge, proposals))
    return tuple(mark_changes)


def chosen(proposals: FigureProposals, ids: Sequence[str]) -> dict[str, ProposedEdge]:
    """Return the proposals of these ids. Raises BadInput for an id that is not among the figure's."""
    known = by_id(proposals)
    unknown = sum(proposal_id not in known for proposal_id in ids)
    if unknown:
        raise BadInput(f"{unknown} of {len(ids)} proposals no longer exist for this figure. Reload the page.")
    return {proposal_id: known[proposal_id] for proposal_id in ids}


class _Drawing:
    """Edges drawn one after the other onto a state of the graph, as changes. A `new_…` id is used only if needed."""

    def __init__(self, proposals: FigureProposals, record: GraphRecord, marks: Marks) -> None:
        self._labels = proposals.names
        self._record = record
        self._printed = PrintedNames(record, marks)
        self._nodes: dict[str, NodeRecord] = {}
        self._ends: dict[int, str] = {}
        self._edges = {(edge.source_id, edge.sink_id, edge.sign): edge.id for edge in record.edges.values()}
        self._place = max((edge.place for edge in record.edges.values()), default=0)
        self._made: list[Change] = []

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(self._made)

    def draw(self, edge: ProposedEdge, new_edge: str, source: str, sink: str) -> str:
        """Return the id of the proposal's edge, which is created if needed; `source` and `sink` are ids of nodes."""
        key = (source, sink, _sign(edge))
        if key not in self._edges:
            self._place += 1
            drawn_edge = EdgeRecord(
                id=new_edge,
                source_id=key[0],
                sink_id=key[1],
                sign=key[2],
                delay=edge.delay,
                origin="proposal",
                confidence=edge.confidence,
                box=_around(edge.path),
                place=self._place,
            )
            self._edges[key] = drawn_edge.id
            self._made.append(Change(None, drawn_edge))
        return self._edges[key]

    def name_of(self, place: int) -> str:
        """Return the graph's name for a label's node, else the name that it would get."""
        node = self._printed.node_of(self._labels[place])
        return node.name if node is not None else cleaned_name(self._labels[place].text)

    def named(self, name: str, edge: ProposedEdge, new_node: str) -> str:
        """Return the id of the node of this name: a label's (the edge's own ones first), else another, else a new
        one."""
        places = (edge.source, edge.sink, *range(len(self._labels)))
        at = next((place for place in places if self.name_of(place) == name), None)
        if at is not None:
            return self.end(at, new_node)
        node = self._record.node_named(name) or self._nodes.get(name)
        if node is None:
            node = self._nodes[name] = NodeRecord(id=new_node, name=name, origin="drawn")
            self._made.append(Change(None, node))
        return node.id

    def end(self, place: int, new_node: str) -> str:
        """Return the id of a label's node, created or placed if needed."""
        if place not in self._ends:
            self._ends[place] = self._node(place, new_node)
        return self._ends[place]

    def _node(self, place: int, new_node: str) -> str:
        label = self._labels[place]
        if not label.is_printed:
            name = clean_name(label.text)
            node = self._record.node_named(name) or self._nodes.get(name)
            if node is None:
                node = self._nodes[name] = NodeRecord(id=new_node, name=name, origin="proposal")
                self._made.append(Change(None, node))
            return node.id
        x, y = (label.box.x0 + label.box.x1) / 2, (label.box.y0 + label.box.y1) / 2
        box = (label.box.x0, label.box.y0, label.box.x1, label.box.y1)
        node = self._printed.node_of(label)
        if node is None:
            name = clean_name(label.text)
            if name not in self._nodes:  # a variable may be printed twice
                self._nodes[name] = NodeRecord(
                    id=new_node, name=name, origin="proposal", confidence=None, x=x, y=y, box=box
                )
                self._made.append(Change(None, self._nodes[name]))
            return self._nodes[name].id
        if node.x is None and node.name not in self._nodes:
            self._nodes[node.name] = replace(node, x=x, y=y, box=box)
            self._made.append(Change(node, self._nodes[node.name]))
        return node.id


def _answer(answer: str, edge_id: str, edge: ProposedEdge, proposals: FigureProposals) -> Mapping[str, Any]:
    return {
        "answer": answer,
        "edge": edge_id,
        "origin": proposals.origins_of(edge),
        "source": proposals.names[edge.source].text,
        "sink": proposals.names[edge.sink].text,
        "sign": edge.sign,
        "confidence": edge.confidence,
        "is_doubtful": edge.is_direction_doubtful,
        "path": [[x, y] for x, y in edge.path] if edge_id else [],
    }


def _sign(edge: ProposedEdge) -> Sign | None:
    return Sign(edge.sign) if edge.sign else None


def _around(path: Sequence[Point]) -> tuple[float, float, float, float] | None:
    if not path:
        return None
    xs, ys = [x for x, _y in path], [y for _x, y in path]
    return min(xs), min(ys), max(xs), max(ys)
