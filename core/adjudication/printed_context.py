"""Context of the differences of two transcriptions: the printed path under edges, and edges that both overlooked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.adjudication.reading_comparison import ReadEdge
from core.sign import Sign
from core.transcription.proposals import Point


@dataclass(frozen=True, slots=True)
class DeskPath:
    """The printed path of an edge of A or B, by aligned names: from tail to tip, in points of the page."""

    side: Literal["a", "b"]
    source: str
    sink: str
    sign: Sign | None
    path: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlookedEdge:
    """An edge that was read from the figure and that neither A nor B has as it was read."""

    read: ReadEdge
    other_marks: str  # how it differs from a drawn edge, "" if neither transcription has the edge
    sentence: str
    a_says: str
    b_says: str
    read_says: str
    origin: str  # the sources that it was read from
