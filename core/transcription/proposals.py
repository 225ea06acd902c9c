"""A program's proposals for a figure: names to click and edges to accept or reject. Never an answer by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from core.papers.pages import Box

Point = tuple[float, float]
Sign = Literal["+", "-", ""]
Origin = Literal["vector", "ocr", "raster", "model"]

FigureKind = Literal["boxes", "bare names", "dots with labels", "stocks and flows", "picture", "chart"]

CERTAIN = 0.85  # minimum confidence of a certain edge

LIKELY = 0.84  # maximum confidence of an edge in a kind of figure without certain edges

# Kinds of figures whose edges may be certain: at least 98 of 100 certain edges were right in figures that no rule was
# written for, of at least 150 such edges (counts by kind in docs/proposals.md).
KINDS_WITH_CERTAIN: frozenset[FigureKind] = frozenset({"boxes", "bare names", "dots with labels"})


@dataclass(frozen=True, slots=True)
class ProposedName:
    text: str  # NFKC with ligatures and line-end hyphens resolved
    box: Box  # around its letters, in points of the displayed page
    lines: tuple[str, ...]  # from top to bottom
    # False for a name that a reader gives without a place and that no other reader found; its box is empty
    is_printed: bool = True
    # printed like a title, legend, loop's title or page number, and no arrow ends at it: not asked about
    is_aside: bool = False


@dataclass(frozen=True, slots=True)
class LoopLabel:
    """The printed name of a feedback loop, such as "R1" or "B2 Burnout", at a point of the page."""

    text: str
    place: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedEdge:
    source: int  # places in `FigureProposals.names`, like `sink`
    sink: int
    sign: Sign  # "" if none was found
    delay: bool
    confidence: float  # a rank between 0 and 1, not a probability
    is_direction_doubtful: bool
    reasons: tuple[str, ...]  # what lowered the confidence
    path: tuple[Point, ...]  # from tail to tip, in points of the displayed page
    # the readers that proposed it, none if it is the figure's only one (`FigureProposals.origins_of`)
    origins: tuple[Origin, ...] = ()

    @property
    def is_certain(self) -> bool:
        """True if there is no reason for doubt."""
        return self.confidence >= CERTAIN and not self.is_direction_doubtful


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureFit:
    """Match of a figure's lines with its nodes, as shares from 0 to 1."""

    ends: float  # ends of arrows that found a node
    named: float  # nodes that have a name
    ink: float  # lines that became arrows


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedArrow:
    """An arrow of the figure as it is drawn, proposed as an edge or not: a head with the line that ends there."""

    # from tail to tip, in points of the displayed page; of a head without a line its own two points
    path: tuple[Point, ...]
    sign: Sign = ""  # printed next to it, like `delay`
    delay: bool = False
    has_line: bool = True
    # names at which it may begin: (place in `FigureProposals.names`, letters away), nearest first
    tails: tuple[tuple[int, float], ...] = ()
    tips: tuple[tuple[int, float], ...] = ()  # names at which it may end, likewise


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureProposals:
    """Proposals for one figure. One variable printed twice is two names of equal text."""

    names: tuple[ProposedName, ...]  # in reading order
    edges: tuple[ProposedEdge, ...]  # doubtful directions first, then by rising confidence
    origin: Origin
    notice: str = ""  # a sentence for the annotator, empty if there is nothing to say
    arrows: tuple[PrintedArrow, ...] = ()  # all arrows of the figure, from top to bottom, proposed or not
    kind: FigureKind | None = None  # None if its lines were not read
    fit: FigureFit | None = None  # None also with few arrows
    loops: tuple[LoopLabel, ...] = ()  # from top to bottom
    is_settled: bool = True  # False while the picture is read at further sizes

    @property
    def printed(self) -> tuple[ProposedName, ...]:
        return tuple(name for name in self.names if name.is_printed)

    def origins_of(self, edge: ProposedEdge) -> str:
        """Return the readers of an edge, as stored and counted: "vector", or "vector+raster" if two agree."""
        return "+".join(edge.origins or (self.origin,))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> FigureProposals:
        """Return the proposals from the JSON of `as_json`; older ones have no printed arrows."""
        return cls(
            names=tuple(
                ProposedName(
                    name["text"], Box(**name["box"]), tuple(name["lines"]), is_aside=name.get("is_aside", False)
                )
                for name in values["names"]
            ),
            edges=tuple(_edge(edge) for edge in values["edges"]),
            origin=values["origin"],
            notice=values["notice"],
            arrows=tuple(_arrow(arrow) for arrow in values.get("arrows", ())),
            kind=values.get("kind"),  # what was stored before figures had a kind has none
            fit=FigureFit(**values["fit"]) if values.get("fit") else None,
            loops=tuple(
                LoopLabel(loop["text"], (loop["place"][0], loop["place"][1])) for loop in values.get("loops", ())
            ),
            is_settled=values.get("is_settled", True),
        )


def of_kind(edges: Sequence[ProposedEdge], kind: FigureKind) -> list[ProposedEdge]:
    """Return the edges of a figure of that kind: none is certain if the kind has no certain edges."""
    if kind in KINDS_WITH_CERTAIN:
        return list(edges)
    return [replace(edge, confidence=min(edge.confidence, LIKELY)) for edge in edges]


def ranked(edges: Sequence[ProposedEdge]) -> tuple[ProposedEdge, ...]:
    """Sort doubtful directions first, then by rising confidence, then from top to bottom."""

    def rank(edge: ProposedEdge) -> tuple[bool, float, tuple[float, ...]]:
        return not edge.is_direction_doubtful, edge.confidence, edge.path[-1][::-1] if edge.path else (0.0, 0.0)

    return tuple(sorted(edges, key=rank))


def _edge(values: Mapping[str, Any]) -> ProposedEdge:
    points = tuple((float(x), float(y)) for x, y in values["path"])
    lists = {name: tuple(values.get(name, ())) for name in ("reasons", "origins")}  # once, edges had no origins
    return ProposedEdge(**{**values, **lists, "path": points})


def _arrow(values: Mapping[str, Any]) -> PrintedArrow:
    path = tuple((float(x), float(y)) for x, y in values["path"])
    tails, tips = (tuple((int(at), float(away)) for at, away in values[end]) for end in ("tails", "tips"))
    return PrintedArrow(**{**values, "path": path, "tails": tails, "tips": tips})
