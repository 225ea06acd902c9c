"""What lies beside the differences of two transcriptions: the print under edges, and edges that both overlooked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.adjudication.third_voice import ReadEdge
from core.sign import Sign
from core.transcription.proposals import Point


@dataclass(frozen=True, slots=True)
class DeskCourse:
    """The printed course that an edge of A or B lies on, by aligned names: from tail to tip in points of the page."""

    side: Literal["a", "b"]
    source: str
    sink: str
    sign: Sign | None
    path: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlookedEdge:
    """An edge that neither A nor B has as it was read, with what each of the three says. `other_marks` says in words in
    what alone it differs from a drawn edge, "" if it is in neither transcription. `origin` says by what it was read."""

    read: ReadEdge
    other_marks: str
    sentence: str
    a_says: str
    b_says: str
    read_says: str
    origin: str
