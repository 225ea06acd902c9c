"""What a document is to us: pages, words with boxes, figure regions and captions.

All coordinates are PDF points of the page as displayed (rotation applied), origin top left, y downwards.
A picture is a document of one page whose points are its pixels at 72 per inch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in points: left, top, right, bottom."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0


def part_of(page: int, box: Box) -> str:
    """What a box of a page is called among the parts of its file: page and box to a tenth of a point."""
    return f"page {page} box {box.x0:.1f} {box.y0:.1f} {box.x1:.1f} {box.y1:.1f}"


@dataclass(frozen=True, slots=True)
class Word:
    """A printed word. `printed` is the text layer's own form, `text` is folded for matching
    (NFKC, ligatures, quotes); `block` and `line` say which words belong together."""

    text: str
    printed: str
    box: Box
    block: int
    line: int


@dataclass(frozen=True, slots=True)
class FigureRegion:
    """A place on a page that looks like a figure. `label` ("Figure 6") and `caption` come from the
    nearest caption line, empty if there is none."""

    box: Box
    kind: Literal["vector", "raster", "whole page"]
    label: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """One page: `number` counts from 1, size in points."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    regions: tuple[FigureRegion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    """What opening a document told us. `notices` are sentences for the person (repaired, no text layer,
    owner-restricted, hidden text). `is_title_read`: the title is not the file's own, but the largest text of its first
    page."""

    sha256: str
    media_type: str
    size_bytes: int
    page_count: int
    has_text: bool
    title: str = ""
    is_title_read: bool = False
    notices: tuple[str, ...] = ()
