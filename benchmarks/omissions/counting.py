"""Counts of what is listed at submit and leads an annotator back to an omitted edge. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import TypeVar

from core.graphs.names import fold_name

Pair = tuple[str, str]
T = TypeVar("T")


class ReviewMethod(StrEnum):
    """Ways back to an edge, the most specific first; an edge counts for the first that applies."""

    ARROW = "its open arrow"
    REFUSED = "its rejected arrow"
    INK = "its bare arrow"
    TEXT = "a text without a node"
    ALONE = "a node without an edge"
    DOUBT = "another doubt"
    SWEEP = "the sweep alone"
    NOTHING = "nothing"


SHOWN = (ReviewMethod.ARROW, ReviewMethod.REFUSED, ReviewMethod.INK, ReviewMethod.TEXT, ReviewMethod.ALONE)
"""What points at the edge by itself. A doubt about something else and a name to go through only bring one near it."""


@dataclass(frozen=True, slots=True)
class BareInk:
    """A printed arrow without an edge, by the names at which each of its ends may lie; `has_line` False: only its head
    is known, and its tail may lie anywhere."""

    tails: frozenset[str]
    tips: frozenset[str]
    has_line: bool = True

    def leads_to(self, edge: Pair) -> bool:
        """Return whether the highlighted arrow may lead a person to this edge. Names are folded."""
        return edge[1] in self.tips and (edge[0] in self.tails or not self.has_line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The list at submit of a transcription, by the names that its annotator uses."""

    arrows: frozenset[Pair] = frozenset()  # proposed ones without an answer
    refused: frozenset[Pair] = frozenset()  # certain ones asked about again
    ink: tuple[BareInk, ...] = ()  # printed ones without an edge, their names folded
    texts: frozenset[str] = frozenset()  # printed ones that no node uses and nobody dismissed
    alone: frozenset[str] = frozenset()  # nodes asked about because they have no edge
    doubts: tuple[frozenset[str], ...] = ()  # the names that each other doubt is about
    unswept: frozenset[str] = frozenset()  # nodes not attested

    @property
    def length(self) -> int:
        listed = (self.arrows, self.refused, self.ink, self.texts, self.alone, self.doubts)
        return sum(map(len, listed))


def folded(pair: Pair) -> Pair:
    """Both names in the form in which two spellings of one name are equal."""
    return fold_name(pair[0]), fold_name(pair[1])


def left_out(edges: Sequence[T], share: float, rng: Random) -> list[T]:
    """A random share of the edges, at least one; [] of no edges."""
    return rng.sample(list(edges), min(len(edges), max(1, round(share * len(edges)))))


def by_ink(dropped: Iterable[Pair], ink: Iterable[BareInk]) -> set[Pair]:
    """The edges, folded, to which bare arrows lead: each arrow to one, those with a line first."""
    pairs: set[Pair] = set()
    for arrow in sorted(ink, key=lambda each: (not each.has_line, len(each.tails) * len(each.tips))):
        led = next((edge for edge in map(folded, dropped) if edge not in pairs and arrow.leads_to(edge)), None)
        pairs |= {led} if led is not None else set()
    return pairs


def way_back(edge: Pair, listed: Listed, inked: Collection[Pair] = ()) -> ReviewMethod:
    """The first way in which `listed` leads to an edge that is not drawn; `inked`: edges to which bare arrows lead.
    Names are equal if they fold alike."""
    source, sink = folded(edge)
    ends = {source, sink}
    if (source, sink) in map(folded, listed.arrows):
        return ReviewMethod.ARROW
    if (source, sink) in map(folded, listed.refused):
        return ReviewMethod.REFUSED
    if (source, sink) in inked:
        return ReviewMethod.INK
    if ends & set(map(fold_name, listed.texts)):
        return ReviewMethod.TEXT
    if ends & set(map(fold_name, listed.alone)):
        return ReviewMethod.ALONE
    if any(ends & set(map(fold_name, names)) for names in listed.doubts):
        return ReviewMethod.DOUBT
    return ReviewMethod.SWEEP if source in set(map(fold_name, listed.unswept)) else ReviewMethod.NOTHING


def in_vain(listed: Listed, dropped: Sequence[Pair]) -> int:
    missing = set(map(folded, dropped))
    ends = {name for pair in missing for name in pair}
    arrows = sum(folded(pair) not in missing for pair in (*listed.arrows, *listed.refused))
    names = sum(fold_name(name) not in ends for name in (*listed.texts, *listed.alone))
    arrows += len(listed.ink) - len(by_ink(dropped, listed.ink))
    return arrows + names + sum(not ends & set(map(fold_name, about)) for about in listed.doubts)


@dataclass
class OmissionTally:
    """Counts over transcriptions: edges left out by their way back, and things listed with and without use."""

    ways: Counter[ReviewMethod] = field(default_factory=Counter)
    transcriptions: int = 0
    listed: int = 0
    vain: int = 0

    def add(self, dropped: Sequence[Pair], listed: Listed) -> None:
        inked = by_ink(dropped, listed.ink)
        self.ways.update(way_back(edge, listed, inked) for edge in dropped)
        self.transcriptions += 1
        self.listed += listed.length
        self.vain += in_vain(listed, dropped)

    def __add__(self, other: OmissionTally) -> OmissionTally:
        return OmissionTally(
            self.ways + other.ways,
            self.transcriptions + other.transcriptions,
            self.listed + other.listed,
            self.vain + other.vain,
        )

    @property
    def dropped(self) -> int:
        return self.ways.total()

    @property
    def shown(self) -> int:
        """Edges left out that something points at by itself."""
        return sum(self.ways[way] for way in SHOWN)

    @property
    def near(self) -> int:
        """Edges left out that something points at, or that have an end in another doubt."""
        return self.shown + self.ways[ReviewMethod.DOUBT]

    @property
    def with_sweep(self) -> int:
        """The same, or whose source is still to be swept."""
        return self.near + self.ways[ReviewMethod.SWEEP]


def share(count: int, of: int) -> float:
    return count / of if of else 1.0


def at_least(count: int, of: int) -> float:
    """The lower end of Wilson's interval of 95 % for a share (Wilson 1927, equation 4); 0 of none."""
    if of == 0:
        return 0.0
    z, p = 1.96, count / of
    middle, spread = p + z * z / (2 * of), z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return max(0.0, (middle - spread) / (1 + z * z / of))
