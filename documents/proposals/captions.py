"""Captions of figures among the lines of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from documents.rects import Rect, join

CAPTION = re.compile(
    r"^\s*(?P<word>(?i:fig(?:ure|\.)?|scheme|diagram))\s*(?P<number>[A-Z]{0,2}\.?\d+(?:[.\-–]\d+)*[a-z]?)"
    r"(?P<after>\s*[.:|–—]|\s*$|\s+(?=[A-Z(“\"]))"
)
TABLE_CAPTION = re.compile(r"^\s*(?i:table)\s+[A-Z]?\d+(\s*[.:|–—]|\s*$|\s+[A-Z])")
PROSE_WORDS = 7  # words of a line of running text, at least; labels in figures have fewer
CAPTION_LENGTH = 600


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text; `block` numbers the lines that the page sets together."""

    text: str
    box: Rect
    block: int

    @property
    def is_prose(self) -> bool:
        return len(self.text.split()) >= PROSE_WORDS


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption: its label ("Figure 6"), its whole text and its place."""

    label: str
    text: str
    box: Rect


def find_captions(lines: Sequence[TextLine]) -> list[Caption]:
    """Return figure captions, top to bottom. A sentence that begins "Figure 2 shows" is none; of two with one number
    the one with a full stop, colon or dash after it is the caption."""
    by_label: dict[str, tuple[bool, Caption]] = {}
    extra: list[Caption] = []
    for index, line in enumerate(lines):
        match = CAPTION.match(line.text)
        if match is None or not _starts_block(lines, index):
            continue
        sure = bool(match["after"].strip())
        word = match["word"].rstrip(".").capitalize()
        label = f"{'Figure' if word == 'Fig' else word} {match['number']}"
        caption = _whole_caption(lines, index, label)
        if (known := by_label.get(caption.label)) is not None:
            if known[0] and sure:
                extra.append(caption)  # numbering restarted on this page
                continue
            if known[0] or not sure:
                continue
        by_label[caption.label] = (sure, caption)
    return sorted([caption for _, caption in by_label.values()] + extra, key=lambda caption: caption.box[1])


def _starts_block(lines: Sequence[TextLine], index: int) -> bool:
    """Return False if the previous line, in the same block, continues in this one."""
    if index == 0 or lines[index - 1].block != lines[index].block:
        return True
    above, line = lines[index - 1], lines[index]
    return not above.is_prose or line.box[1] - above.box[3] > 0.5 * (line.box[3] - line.box[1])


def _whole_caption(lines: Sequence[TextLine], index: int, label: str) -> Caption:
    """Return the caption's first line with the lines of its block that follow it downwards."""
    first = lines[index]
    text, box = first.text, first.box
    for line in lines[index + 1 :]:
        too_far = line.box[1] - box[3] > 1.2 * (first.box[3] - first.box[1])
        if line.block != first.block or too_far or line.box[3] < first.box[1]:
            break
        text = text[:-1] + line.text if text.endswith("-") and line.text[:1].islower() else f"{text} {line.text}"
        box = join(box, line.box)
    return Caption(label, " ".join(text.split())[:CAPTION_LENGTH], box)
