"""What a program proposes for a figure: names to click and edges to accept or refuse. Never an answer by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from core.papers.pages import Box

Point = tuple[float, float]
Sign = Literal["+", "-", ""]
Origin = Literal["vector", "ocr", "raster", "model"]

FigureKind = Literal["boxes", "bare names", "dots with labels", "stocks and flows", "picture"]

CERTAIN = 0.85
"""The least confidence of an edge that counts as certain."""

LIKELY = 0.84
"""The most confidence of an edge in a figure of a kind that has no certain edges."""

KINDS_WITH_CERTAIN: frozenset[FigureKind] = frozenset({"boxes", "bare names", "dots with labels"})
"""The kinds of figures whose edges may be certain: where at least 98 of 100 certain edges of figures that no rule was
written for were right, and there were at least 150 of them (counts by kind in docs/proposals.md)."""


@dataclass(frozen=True, slots=True)
class ProposedName:
    """A label of the figure. `text` is NFKC with ligatures and line-end hyphens resolved, `lines` are its printed
    lines from top to bottom, `box` encloses its letters (points of the displayed page). `is_printed`: False for a name
    that a reader says without a place, and that is printed nowhere as far as anybody else read; its box is empty."""

    text: str
    box: Box
    lines: tuple[str, ...]
    is_printed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedEdge:
    """An arrow read from the figure. `source` and `sink` are places in `FigureProposals.names`; `sign` "" means none
    was found; `confidence` is a rank between 0 and 1, not a probability; `reasons` say what lowered it; `path` runs
    from the arrow's tail to its tip (points of the displayed page). `origins` are the readers that proposed it, none if
    it is the figure's only one (`FigureProposals.origins_of`)."""

    source: int
    sink: int
    sign: Sign
    delay: bool
    confidence: float
    is_direction_doubtful: bool
    reasons: tuple[str, ...]
    path: tuple[Point, ...]
    origins: tuple[Origin, ...] = ()

    @property
    def is_certain(self) -> bool:
        """Nothing spoke against it."""
        return self.confidence >= CERTAIN and not self.is_direction_doubtful


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureFit:
    """How well the lines of a figure fit its nodes, as shares from 0 to 1: `ends` of the ends of arrows that found a
    node, `named` of the nodes that have a name, `ink` of the lines that became arrows."""

    ends: float
    named: float
    ink: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedArrow:
    """An arrow of the figure as it is drawn, whether or not it is proposed as an edge: a head with the line that ends
    there. `path` runs from tail to tip (points of the displayed page); of a head without a line it is the head's own
    two points, and `has_line` is False. `sign` and `delay` are printed beside it. `tails` and `tips` say at which names
    its ends may lie: (place in `FigureProposals.names`, letters away), nearest first; none if one lies at no name."""

    path: tuple[Point, ...]
    sign: Sign = ""
    delay: bool = False
    has_line: bool = True
    tails: tuple[tuple[int, float], ...] = ()
    tips: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureProposals:
    """Names in reading order; edges with doubtful directions first, then the least sure ones. One variable printed
    twice is two names of equal text. `notice` is a sentence for the person, empty if there is nothing to say. `arrows`
    are all that the figure shows, those of the edges among them, from top to bottom. `kind` is what the figure was
    taken for, None where its lines were not read; `fit` is None too where it has few arrows."""

    names: tuple[ProposedName, ...]
    edges: tuple[ProposedEdge, ...]
    origin: Origin
    notice: str = ""
    arrows: tuple[PrintedArrow, ...] = ()
    kind: FigureKind | None = None
    fit: FigureFit | None = None

    @property
    def printed(self) -> tuple[ProposedName, ...]:
        """The names that have a place."""
        return tuple(name for name in self.names if name.is_printed)

    def origins_of(self, edge: ProposedEdge) -> str:
        """Who proposed an edge, as it is stored and counted: "vector", or "vector+raster" where two readers agree."""
        return "+".join(edge.origins or (self.origin,))

    def as_json(self) -> dict[str, Any]:
        """Plain values, read back by `from_json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> FigureProposals:
        """The proposals that `as_json` wrote, after a journey through JSON; older ones hold no printed arrows."""
        return cls(
            names=tuple(
                ProposedName(name["text"], Box(**name["box"]), tuple(name["lines"])) for name in values["names"]
            ),
            edges=tuple(_edge(edge) for edge in values["edges"]),
            origin=values["origin"],
            notice=values["notice"],
            arrows=tuple(_arrow(arrow) for arrow in values.get("arrows", ())),
            kind=values.get("kind"),  # what was stored before figures had a kind has none
            fit=FigureFit(**values["fit"]) if values.get("fit") else None,
        )


def of_kind(edges: Sequence[ProposedEdge], kind: FigureKind) -> list[ProposedEdge]:
    """The edges of a figure of that kind: none is certain if the kind has no certain edges."""
    if kind in KINDS_WITH_CERTAIN:
        return list(edges)
    return [replace(edge, confidence=min(edge.confidence, LIKELY)) for edge in edges]


def ranked(edges: Sequence[ProposedEdge]) -> tuple[ProposedEdge, ...]:
    """Doubtful directions first, then by rising confidence, then from top to bottom."""
    return tuple(sorted(edges, key=lambda edge: (not edge.is_direction_doubtful, edge.confidence, _top(edge))))


def _top(edge: ProposedEdge) -> Point:
    return (edge.path[-1][1], edge.path[-1][0]) if edge.path else (0.0, 0.0)


def _edge(values: Mapping[str, Any]) -> ProposedEdge:
    points = tuple((float(x), float(y)) for x, y in values["path"])
    lists = {name: tuple(values.get(name, ())) for name in ("reasons", "origins")}  # once, edges had no origins
    return ProposedEdge(**{**values, **lists, "path": points})


def _arrow(values: Mapping[str, Any]) -> PrintedArrow:
    path = tuple((float(x), float(y)) for x, y in values["path"])
    tails, tips = (tuple((int(at), float(away)) for at, away in values[end]) for end in ("tails", "tips"))
    return PrintedArrow(**{**values, "path": path, "tails": tails, "tips": tips})
