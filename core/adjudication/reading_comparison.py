"""Comparison of the reading of a figure with two transcriptions of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.graphs.record import GraphRecord
from core.sign import Sign
from core.transcription.label_nodes import cleaned_name
from core.transcription.marks import Marks
from core.transcription.open_proposals import by_id
from core.transcription.proposals import FigureProposals, Point
from core.transcription.reading_differences import LabelNodes, ReadingDifference, ReadKind, reading_differences


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadEdge:
    """An edge as it was read, by aligned names; a name that neither transcription has is as printed."""

    source: str
    sink: str
    sign: Sign | None
    delay: bool
    path: tuple[Point, ...]
    origin: str
    reasons: tuple[str, ...]
    # differences of each transcription from the reading, empty if it has the edge as it was read
    a: tuple[ReadingDifference, ...]
    b: tuple[ReadingDifference, ...]

    @property
    def differs_from_both(self) -> bool:
        """True if neither has it as it was read, which differences between the two do not show."""
        return bool(self.a and self.b)

    @property
    def is_in_neither(self) -> bool:
        """True if neither has an edge from its source to its sink, of any sign and delay."""
        absent = (ReadKind.MISSING, ReadKind.REVERSED)
        return all(any(one.kind in absent for one in side) for side in (self.a, self.b))

    @property
    def other_marks(self) -> tuple[ReadKind, ...]:
        """SIGN, DELAY or both, if that is the only difference to the nearest drawn edge; else empty."""
        if self.is_in_neither or not self.differs_from_both:
            return ()
        kinds = {one.kind for one in (*self.a, *self.b)}
        return tuple(kind for kind in (ReadKind.SIGN, ReadKind.DELAY) if kind in kinds)

    @property
    def sign_to_set(self) -> Sign | None:
        """The sign that was read, else the one that is drawn."""
        drawn = (one.drawn for side in (self.a, self.b) for one in side if one.drawn is not None)
        return self.sign or next(drawn, (None, False))[0]

    @property
    def is_turned(self) -> bool:
        """True if both have it reversed."""
        return all(any(one.kind is ReadKind.REVERSED for one in side) for side in (self.a, self.b))


@dataclass(frozen=True, slots=True)
class ThirdColumn:
    """Every read edge once, in the reading's order, and the printed text of each variable, by aligned name."""

    edges: tuple[ReadEdge, ...]
    printed: Mapping[str, str]


def third_column(
    proposals: FigureProposals,
    first: tuple[GraphRecord, Marks],
    second: tuple[GraphRecord, Marks],
    aligned: Mapping[str, str],
) -> ThirdColumn:
    """Compare the reading with A and B, each a graph with its marks. `aligned`: B's name → aligned name; A's names are
    their own. An edge that one of them dismissed ("not an edge") is compared too: the other one may have drawn it."""
    sides = [
        (record, Marks(MappingProxyType({at: mark for at, mark in marks.values.items() if at[0] != "not an edge"})))
        for record, marks in (first, second)
    ]
    labels = [LabelNodes(proposals, *side) for side in sides]
    differences = [_by_proposal(reading_differences(proposals, *side)) for side in sides]

    def name_at(place: int) -> str:
        a_node, b_node = (each.node_at(place) for each in labels)
        if a_node is not None:
            return a_node.name
        return (
            aligned.get(b_node.name, b_node.name) if b_node is not None else cleaned_name(proposals.names[place].text)
        )

    edges: dict[tuple[str, str], ReadEdge] = {}
    for proposal_id, edge in by_id(proposals).items():
        pair = (name_at(edge.source), name_at(edge.sink))
        edges.setdefault(
            pair,
            ReadEdge(
                source=pair[0],
                sink=pair[1],
                sign=Sign(edge.sign) if edge.sign else None,
                delay=edge.delay,
                path=edge.path,
                origin=proposals.origins_of(edge),
                reasons=edge.reasons,
                a=differences[0].get(proposal_id, ()),
                b=differences[1].get(proposal_id, ()),
            ),
        )
    printed: dict[str, str] = {}
    for place, label in enumerate(proposals.names):
        if label.is_printed:
            printed.setdefault(name_at(place), cleaned_name(label.text))
    return ThirdColumn(tuple(edges.values()), MappingProxyType(printed))


def _by_proposal(differences: tuple[ReadingDifference, ...]) -> dict[str, tuple[ReadingDifference, ...]]:
    by_proposal: dict[str, tuple[ReadingDifference, ...]] = {}
    for difference in differences:
        if difference.proposal_id:
            by_proposal[difference.proposal_id] = (*by_proposal.get(difference.proposal_id, ()), difference)
    return by_proposal
