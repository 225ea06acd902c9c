"""What a program proposes for a figure: names to click and edges to accept or refuse. Never an answer by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from core.papers.pages import Box

Point = tuple[float, float]
Sign = Literal["+", "-", ""]
Origin = Literal["vector", "ocr"]

CERTAIN = 0.85
"""The least confidence of an edge that counts as certain."""


@dataclass(frozen=True, slots=True)
class ProposedName:
    """A label of the figure. `text` is NFKC with ligatures and line-end hyphens resolved, `lines` are its printed
    lines from top to bottom, `box` encloses its letters (points of the displayed page)."""

    text: str
    box: Box
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedEdge:
    """An arrow read from the figure. `source` and `sink` are places in `FigureProposals.names`; `sign` "" means none
    was found; `confidence` is a rank between 0 and 1, not a probability; `reasons` say what lowered it; `path` runs
    from the arrow's tail to its tip (points of the displayed page)."""

    source: int
    sink: int
    sign: Sign
    delay: bool
    confidence: float
    is_direction_doubtful: bool
    reasons: tuple[str, ...]
    path: tuple[Point, ...]

    @property
    def is_certain(self) -> bool:
        """Nothing spoke against it."""
        return self.confidence >= CERTAIN and not self.is_direction_doubtful


@dataclass(frozen=True, slots=True)
class FigureProposals:
    """Names in reading order; edges with doubtful directions first, then the least sure ones. One variable printed
    twice is two names of equal text. `notice` is a sentence for the person, empty if there is nothing to say."""

    names: tuple[ProposedName, ...]
    edges: tuple[ProposedEdge, ...]
    origin: Origin
    notice: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain values, read back by `from_json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> FigureProposals:
        """The proposals that `as_json` wrote, after a journey through JSON."""
        return cls(
            names=tuple(
                ProposedName(name["text"], Box(**name["box"]), tuple(name["lines"])) for name in values["names"]
            ),
            edges=tuple(_edge(edge) for edge in values["edges"]),
            origin=values["origin"],
            notice=values["notice"],
        )


def ranked(edges: Sequence[ProposedEdge]) -> tuple[ProposedEdge, ...]:
    """Doubtful directions first, then by rising confidence, then from top to bottom."""
    return tuple(sorted(edges, key=lambda edge: (not edge.is_direction_doubtful, edge.confidence, _top(edge))))


def _top(edge: ProposedEdge) -> Point:
    return (edge.path[-1][1], edge.path[-1][0]) if edge.path else (0.0, 0.0)


def _edge(values: Mapping[str, Any]) -> ProposedEdge:
    points = tuple((float(x), float(y)) for x, y in values["path"])
    return ProposedEdge(**{**values, "reasons": tuple(values["reasons"]), "path": points})
