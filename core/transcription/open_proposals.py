"""From proposed arrows to edges of a graph: which are still open, and what accepting and refusing them changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from core.errors import BadInput
from core.graphs.names import clean_name
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from core.sign import Sign
from core.transcription.marks import MarkChange, Marks, Value, key_of
from core.transcription.printed import PrintedNames, kept_name
from core.transcription.proposals import FigureProposals, Point, ProposedEdge

ChosenBy = Literal["", "certain", "node", "region", "kind"]
CHOSEN_BY: tuple[ChosenBy, ...] = get_args(ChosenBy)
"""How the proposals of one act were chosen: "" one by one; all certain ones, all at a node, all in a region drawn on
the figure, all of a kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenProposal:
    """A proposed arrow that waits for an answer; its ends are called as the graph calls them. `id` is the same at
    every call; `confidence` is a rank from 0 to 1; `path` runs from tail to tip in points of the page; `origin` is as
    in `FigureProposals.origins_of`."""

    id: str
    source: str
    sink: str
    sign: Sign | None
    delay: bool
    confidence: float
    is_doubtful: bool
    is_certain: bool
    path: tuple[Point, ...]
    reasons: tuple[str, ...]
    origin: str


def by_id(found: FigureProposals) -> dict[str, ProposedEdge]:
    """A figure's proposed arrows in their order, by their ids: a hash of both printed names and the course."""
    named: dict[str, ProposedEdge] = {}
    for edge in found.edges:
        course = ";".join(f"{x:.1f},{y:.1f}" for x, y in edge.path)
        named.setdefault(key_of(found.names[edge.source].text, found.names[edge.sink].text, course), edge)
    return named


def is_accepted(mark: Value | None) -> bool:
    return mark is not None and mark["answer"] == "accepted"


def open_proposals_of(found: FigureProposals, record: GraphRecord, marks: Marks) -> Iterator[OpenProposal]:
    """Proposed arrows without an answer, unless an edge drawn by hand joins the same two nodes already. In a picture,
    where heads are misread, an edge the other way that stands on no arrow of its own is this arrow turned round."""
    printed = PrintedNames(record, marks)
    nodes = [printed.node_of(label) for label in found.names]
    names = [node.name if node else kept_name(label.text) for node, label in zip(nodes, found.names, strict=True)]
    by_hand = drawn_by_hand(record, marks)
    if found.kind == "picture":
        by_hand |= {(edge.sink_id, edge.source_id) for edge in _without_print(record, marks)}
    for proposal_id, edge in by_id(found).items():
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
            origin=found.origins_of(edge),
        )


def _without_print(record: GraphRecord, marks: Marks) -> list[EdgeRecord]:
    """Edges drawn by hand on no printed arrow."""
    on_print = {value["edge"] for value in marks.of("proposal").values() if is_accepted(value)} | set(
        marks.of("on print")
    )
    return [edge for edge in record.edges.values() if edge.id not in on_print]


def drawn_by_hand(record: GraphRecord, marks: Marks) -> set[tuple[str, str]]:
    """Pairs (source id, sink id) joined by an edge that no accepted proposal made."""
    accepted = {value["edge"] for value in marks.of("proposal").values() if is_accepted(value)}
    return {(edge.source_id, edge.sink_id) for edge in record.edges.values() if edge.id not in accepted}


def accept_edges(
    found: FigureProposals, ids: Sequence[str], record: GraphRecord, marks: Marks, *, new_id: Callable[[], str]
) -> tuple[tuple[Change, ...], tuple[MarkChange, ...]]:
    """What accepting proposed arrows changes in a graph and its marks.

    Ends that are no nodes yet are made where they are printed; a node that stands nowhere is put there. An arrow
    that is drawn already with its sign is that edge; one that was accepted already changes nothing. An arrow whose
    pair stands with another sign is a second edge, for the person to look at. `new_id` gives ids in the order of
    `core.act_ids`.

    Raises BadInput for an id that is not among the figure's, InvalidName for a printed name that cannot be kept.
    """
    drawing = _Drawing(found, record, marks)
    made: list[MarkChange] = []
    numbered = [(new_id(), *each) for each in chosen(found, ids).items()]
    for new_edge, proposal_id, edge in numbered:
        new_source, new_sink = new_id(), new_id()
        if not is_accepted(marks.get("proposal", proposal_id)):
            ends = (drawing.end(edge.source, new_source), drawing.end(edge.sink, new_sink))
            edge_id = drawing.draw(edge, new_edge, *ends)
            made += marks.setting("proposal", proposal_id, _answer("accepted", edge_id, edge, found))
    return drawing.changes, tuple(made)


def accept_as(
    found: FigureProposals,
    proposal_id: str,
    source: str,
    sink: str,
    record: GraphRecord,
    marks: Marks,
    *,
    new_id: Callable[[], str],
) -> tuple[tuple[Change, ...], tuple[MarkChange, ...]]:
    """What accepting a proposed arrow between other names changes, one end mended or both exchanged: the edge has its
    sign and delay, and lies on the printed course, turned if the ends are. Names are as the graph calls them; one
    that is printed is made where it is printed.

    Raises BadInput for an id that is not among the figure's, InvalidName for a name that cannot be kept.
    """
    edge = chosen(found, [proposal_id])[proposal_id]
    if is_accepted(marks.get("proposal", proposal_id)):
        return (), ()
    drawing = _Drawing(found, record, marks)
    proposed = (drawing.name_of(edge.source), drawing.name_of(edge.sink))
    names = (clean_name(source), clean_name(sink))
    new_edge, new_source, new_sink = new_id(), new_id(), new_id()
    ends = (drawing.named(names[0], edge, new_source), drawing.named(names[1], edge, new_sink))
    edge_id = drawing.draw(edge, new_edge, *ends)
    answer = {**_answer("accepted", edge_id, edge, found), "mended": names != proposed}
    if names == proposed[::-1]:
        answer["path"] = answer["path"][::-1]
    return drawing.changes, marks.setting("proposal", proposal_id, answer)


def refuse_edges(found: FigureProposals, ids: Sequence[str], marks: Marks) -> tuple[MarkChange, ...]:
    """The marks that turn proposed arrows down; one that has an answer keeps it.

    Raises BadInput for an id that is not among the figure's.
    """
    made: list[MarkChange] = []
    for proposal_id, edge in chosen(found, ids).items():
        if marks.get("proposal", proposal_id) is None:
            made += marks.setting("proposal", proposal_id, _answer("refused", "", edge, found))
    return tuple(made)


def chosen(found: FigureProposals, ids: Sequence[str]) -> dict[str, ProposedEdge]:
    """The arrows of these ids. Raises BadInput for an id that is not among the figure's."""
    known = by_id(found)
    unknown = sum(proposal_id not in known for proposal_id in ids)
    if unknown:
        raise BadInput(f"{unknown} of {len(ids)} proposals no longer exist for this figure. Reload the page.")
    return {proposal_id: known[proposal_id] for proposal_id in ids}


class _Drawing:
    """Edges drawn one after the other onto a state of the graph, as changes. A `new_…` id is used only if it must."""

    def __init__(self, found: FigureProposals, record: GraphRecord, marks: Marks) -> None:
        self._labels = found.names
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
        """The id of the edge that the arrow is now; `source` and `sink` are ids of nodes."""
        key = (source, sink, _sign(edge))
        if key not in self._edges:
            self._place += 1
            made = EdgeRecord(
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
            self._edges[key] = made.id
            self._made.append(Change(None, made))
        return self._edges[key]

    def name_of(self, place: int) -> str:
        """What the graph calls the node that a label is, else what it would call it."""
        node = self._printed.node_of(self._labels[place])
        return node.name if node is not None else kept_name(self._labels[place].text)

    def named(self, name: str, edge: ProposedEdge, new_node: str) -> str:
        """The id of the node of this name: a label's (first of the arrow's own), else another, else a new one."""
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
        """The id of the node that a label is, made or put in its place if need be."""
        if place not in self._ends:
            self._ends[place] = self._node(place, new_node)
        return self._ends[place]

    def _node(self, place: int, new_node: str) -> str:
        label = self._labels[place]
        if not label.is_printed:
            return self._placeless(label.text, new_node)
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

    def _placeless(self, text: str, new_node: str) -> str:
        """The node of a name that is printed nowhere, made without a place if there is none."""
        name = clean_name(text)
        node = self._record.node_named(name) or self._nodes.get(name)
        if node is None:
            node = self._nodes[name] = NodeRecord(id=new_node, name=name, origin="proposal")
            self._made.append(Change(None, node))
        return node.id


def _answer(answer: str, edge_id: str, edge: ProposedEdge, found: FigureProposals) -> Mapping[str, Any]:
    """A proposal's mark as plain JSON: the answer, the edge it made, and what was proposed."""
    return {
        "answer": answer,
        "edge": edge_id,
        "origin": found.origins_of(edge),
        "source": found.names[edge.source].text,
        "sink": found.names[edge.sink].text,
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
