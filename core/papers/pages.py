"""Contents of a document: pages, words with boxes, figure regions and captions.

All coordinates are PDF points of the page as displayed (rotation applied), origin top left, y downwards. A picture is a
document of one page whose points are its pixels at 72 per inch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Box:  # in points: left, top, right, bottom
    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def around(cls, boxes: Sequence[Box]) -> Box:
        return cls(
            min(box.x0 for box in boxes),
            min(box.y0 for box in boxes),
            max(box.x1 for box in boxes),
            max(box.y1 for box in boxes),
        )

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0


def part_of(page: int, box: Box) -> str:
    """Return the key of a box among the parts of its file: page and box to a tenth of a point."""
    return f"page {page} box {box.x0:.1f} {box.y0:.1f} {box.x1:.1f} {box.y1:.1f}"


@dataclass(frozen=True, slots=True)
class Word:
    text: str  # folded for matching (NFKC, ligatures, quotes)
    printed: str  # as in the text layer
    box: Box
    block: int  # words of one block and line belong together
    line: int


@dataclass(frozen=True, slots=True)
class FigureRegion:
    """A region of a page that looks like a figure."""

    box: Box
    kind: Literal["vector", "raster", "whole page"]
    label: str = ""  # "Figure 6"; label and caption are the nearest caption line's, empty if there is none
    caption: str = ""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """One page; its size is in points."""

    number: int  # from 1
    width: float
    height: float
    words: tuple[Word, ...]
    regions: tuple[FigureRegion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    sha256: str
    media_type: str
    size_bytes: int
    page_count: int
    has_text: bool
    title: str = ""
    is_title_read: bool = False  # the title is the largest text of page 1, not the file's own
    notices: tuple[str, ...] = ()  # sentences for the user: repaired, no text layer, owner-restricted, hidden text
