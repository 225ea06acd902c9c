"""The reading of a figure beside two transcriptions of it: each read edge, and what either of the two has otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.graphs.record import GraphRecord
from core.sign import Sign
from core.transcription.late_voice import LabelNodes, ReadKind, ReadOtherwise, read_otherwise
from core.transcription.marks import Marks
from core.transcription.open_proposals import by_id
from core.transcription.printed import kept_name
from core.transcription.proposals import FigureProposals, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadEdge:
    """An edge as it was read, by aligned names; a name that neither has is as it is printed. `a` and `b` are what each
    of the two has otherwise, empty if it has the edge as it was read."""

    source: str
    sink: str
    sign: Sign | None
    delay: bool
    path: tuple[Point, ...]
    origin: str
    reasons: tuple[str, ...]
    a: tuple[ReadOtherwise, ...]
    b: tuple[ReadOtherwise, ...]

    @property
    def differs_from_both(self) -> bool:
        """Neither has it as it was read. Differences between the two do not ask about that."""
        return bool(self.a and self.b)

    @property
    def is_in_neither(self) -> bool:
        """Neither has an edge from its source to its sink, with whatever sign and delay."""
        absent = (ReadKind.MISSING, ReadKind.REVERSED)
        return all(any(one.kind in absent for one in side) for side in (self.a, self.b))

    @property
    def other_marks(self) -> tuple[ReadKind, ...]:
        """SIGN, DELAY or both: what alone differs from an edge of either of the two. Empty for an edge that is in
        neither, or that one of them has as it was read."""
        if self.is_in_neither or not self.differs_from_both:
            return ()
        kinds = {one.kind for one in (*self.a, *self.b)}
        return tuple(kind for kind in (ReadKind.SIGN, ReadKind.DELAY) if kind in kinds)

    @property
    def sign_to_set(self) -> Sign | None:
        """The sign that it is set with: the one that was read, else the one that is drawn."""
        drawn = (one.drawn for side in (self.a, self.b) for one in side if one.drawn is not None)
        return self.sign or next(drawn, (None, False))[0]

    @property
    def is_turned(self) -> bool:
        """Both have it the other way round."""
        return all(any(one.kind is ReadKind.REVERSED for one in side) for side in (self.a, self.b))


@dataclass(frozen=True, slots=True)
class ThirdColumn:
    """Every read edge once, in the reading's order, and the printed text under each variable, by aligned name."""

    edges: tuple[ReadEdge, ...]
    printed: Mapping[str, str]


def third_column(
    found: FigureProposals,
    first: tuple[GraphRecord, Marks],
    second: tuple[GraphRecord, Marks],
    aligned: Mapping[str, str],
) -> ThirdColumn:
    """The reading beside A and B, each a graph with its marks. `aligned`: B's name → aligned name; A's are their own.
    What one of them called no edge is asked about here all the same: it is one word against another."""
    sides = [(record, _undismissed(marks)) for record, marks in (first, second)]
    labels = [LabelNodes(found, *side) for side in sides]
    otherwise = [_by_proposal(read_otherwise(found, *side)) for side in sides]

    def name_at(place: int) -> str:
        ours, theirs = (each.node_at(place) for each in labels)
        if ours is not None:
            return ours.name
        return aligned.get(theirs.name, theirs.name) if theirs is not None else kept_name(found.names[place].text)

    edges: dict[tuple[str, str], ReadEdge] = {}
    for proposal_id, edge in by_id(found).items():
        pair = (name_at(edge.source), name_at(edge.sink))
        edges.setdefault(
            pair,
            ReadEdge(
                source=pair[0],
                sink=pair[1],
                sign=Sign(edge.sign) if edge.sign else None,
                delay=edge.delay,
                path=edge.path,
                origin=found.origins_of(edge),
                reasons=edge.reasons,
                a=otherwise[0].get(proposal_id, ()),
                b=otherwise[1].get(proposal_id, ()),
            ),
        )
    printed: dict[str, str] = {}
    for place, label in enumerate(found.names):
        if label.is_printed:
            printed.setdefault(name_at(place), kept_name(label.text))
    return ThirdColumn(tuple(edges.values()), MappingProxyType(printed))


def _undismissed(marks: Marks) -> Marks:
    return Marks(MappingProxyType({at: value for at, value in marks.values.items() if at[0] != "not an edge"}))


def _by_proposal(asked: tuple[ReadOtherwise, ...]) -> dict[str, tuple[ReadOtherwise, ...]]:
    found: dict[str, tuple[ReadOtherwise, ...]] = {}
    for one in asked:
        if one.proposal_id:
            found[one.proposal_id] = (*found.get(one.proposal_id, ()), one)
    return found
