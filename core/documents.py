"""What a document is to us: pages, words with boxes, figure regions and captions.

All coordinates are PDF points of the page as displayed (rotation applied), origin top left, y downwards.
A picture is a document of one page whose points are its pixels at 72 per inch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

_SIGNS = frozenset("+-−–")


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
    """Candidate names from a figure's words: words side by side make a line, lines that stand closely one above
    the other make a label; in reading order, with one space per break as ReCITE copies them.

    The text layer's own blocks are no guide: they join labels that happen to share a baseline and split others.
    """
    from_left = sorted(words, key=lambda word: word.box.x0)
    lines = [_without_signs(line) for line in _joined([[word] for word in from_left], _is_beside) if _has_letter(line)]
    from_top = sorted(lines, key=lambda line: (_box_of(line).y0, line[0].box.x0))
    return tuple(dict.fromkeys(" ".join(word.text for word in label) for label in _joined(from_top, _is_below)))


def _joined(groups: Sequence[list[Word]], belongs: Callable[[list[Word], list[Word]], bool]) -> list[list[Word]]:
    """Each group appended to the first one it belongs to."""
    joined: list[list[Word]] = []
    for group in groups:
        home = next((before for before in joined if belongs(before, group)), None)
        if home is None:
            joined.append(list(group))
        else:
            home.extend(group)
    return joined


def _is_beside(line: list[Word], word: list[Word]) -> bool:
    """On one baseline, and no further apart than two spaces."""
    a, b = line[-1].box, word[0].box
    height = min(a.height, b.height)
    shared = min(a.y1, b.y1) - max(a.y0, b.y0)
    return shared > 0.6 * height and -0.3 * height < b.x0 - a.x1 < 0.6 * height


def _is_below(label: list[Word], line: list[Word]) -> bool:
    """Directly under the label's last line, in the same size, and for the most part over the same width."""
    last = [word for word in label if abs(word.box.y0 - label[-1].box.y0) < 0.5 * word.box.height]
    a, b = _box_of(last), _box_of(line)
    height = min(a.height, b.height)
    shared = min(a.x1, b.x1) - max(a.x0, b.x0)
    is_same_size = max(a.height, b.height) < 1.3 * height
    return is_same_size and -0.4 * height < b.y0 - a.y1 < 0.45 * height and shared > 0.5 * min(a.width, b.width)


def _box_of(words: Sequence[Word]) -> Box:
    boxes = [word.box for word in words]
    return Box(min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes))


def _has_letter(line: Sequence[Word]) -> bool:
    return any(letter.isalpha() for word in line for letter in word.text)


def _without_signs(line: list[Word]) -> list[Word]:
    """A line without the polarity marks that stand at its ends."""
    kept = [place for place, word in enumerate(line) if word.text not in _SIGNS]
    return line[kept[0] : kept[-1] + 1]
