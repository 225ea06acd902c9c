"""What a document is to us: pages, words with boxes, figure regions and captions.

All coordinates are PDF points of the page as displayed (rotation applied), origin top left, y downwards.
A picture is a document of one page whose points are its pixels at 72 per inch.
"""

from __future__ import annotations

from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What opening a document told us. `notices` are sentences for the person (repaired, no text layer,
    owner-restricted, hidden text)."""

    sha256: str
    media_type: str
    size_bytes: int
    page_count: int
    has_text: bool
    title: str = ""
    notices: tuple[str, ...] = ()


def words_in(facts: PageFacts, box: Box) -> tuple[Word, ...]:
    """The words whose middle lies in a rectangle."""
    return tuple(
        word
        for word in facts.words
        if box.x0 <= (word.box.x0 + word.box.x1) / 2 <= box.x1 and box.y0 <= (word.box.y0 + word.box.y1) / 2 <= box.y1
    )


def printed_names(words: Sequence[Word]) -> tuple[str, ...]:
    """Candidate names from a figure's words: words of one block joined in reading order.

    In a diagram a label of several lines is one block of the text layer; ReCITE copies it with one space per break.
    """
    blocks: dict[int, list[Word]] = {}
    for word in words:
        blocks.setdefault(word.block, []).append(word)
    joined = (" ".join(word.text for word in sorted(block, key=lambda w: w.line)) for block in blocks.values())
    return tuple(dict.fromkeys(name for name in joined if any(letter.isalpha() for letter in name)))
