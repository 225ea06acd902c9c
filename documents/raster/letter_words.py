"""Words of a figure whose letters are outlines: the letters are drawn alone, read line by line, and corrected by
repeated outlines. Runs in a child only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from documents.folding import folded
from documents.proposals.shapes import Outline
from documents.proposals.words import PLUS
from documents.raster.engine import Pixels, read_pieces
from documents.raster.letter_votes import ReadLetters, corrected_lines
from documents.raster.letters import LetterLine, box_of_glyphs, find_lines, has_turned_words
from documents.raster.words import INK_TO_SIZE, SHORT, SIGNS, SURE, InkWord

HIGH = 40  # pixels: how high the letters of a line are drawn
RIM = 10  # pixels around them
FINER, SHIFT = 2, 4  # drawn twice as large and made smaller; bits of a pixel
LONGEST = 2_400  # pixels of one line
CAPITAL, SMALL, TAIL = 0.72, 0.53, 0.21  # of a font's size: capitals and long letters, others, what hangs below
LOW, HANGING = frozenset("acemnorsuvwxzgpqy. "), frozenset("gjpqy")
LIKE = 0.75  # of the usual size: lines of sizes this near have one size
LEAST_READ = 0.7  # of the lines of some letters: fewer are not letters


@dataclass(frozen=True, slots=True)
class LetterWords:
    """Words that outlines write, and the outlines that are their letters."""

    words: list[InkWord]
    letters: list[Outline]


def letter_words(outlines: Sequence[Outline], scale: float, origin: tuple[float, float]) -> LetterWords | None:
    """Return the words that outlines write, in pixels of `scale` points whose upper left corner is at `origin`.
    None if the outlines are not read as letters, or are turned. Raises MemoryError."""
    lines = find_lines(outlines)
    if has_turned_words(lines):
        return None
    read = read_pieces([drawn(line) for line in lines])
    texts = [SIGNS.get(plain, plain) for plain in (folded(text).strip() for text, _ in read)]
    several = [place for place, line in enumerate(lines) if len(line.letters) > SHORT]
    good = sum(bool(texts[place]) and read[place][1] > SURE for place in several)
    if not several or good < LEAST_READ * len(several):
        return None
    accepted = [
        ReadLetters(line, text)
        for line, text, (_, score) in zip(lines, texts, read, strict=True)
        if text and (len(text) > SHORT or score > SURE or text in PLUS)
    ]
    texts = corrected_lines(accepted)
    sizes = [
        (entry.line.box[3] - entry.line.box[1]) / sum(_reach(text)) for entry, text in zip(accepted, texts, strict=True)
    ]
    usual = median(size for size, text in zip(sizes, texts, strict=True) if len(text) > SHORT)
    words = []
    left, top = origin
    for entry, text, own in zip(accepted, texts, sizes, strict=True):
        size = usual if len(text) <= SHORT or LIKE < own / usual < 1 / LIKE else own
        _, below = _reach(text)
        line = entry.line.box[3] - below * size
        if len(text) <= SHORT:
            line = (entry.line.box[1] + entry.line.box[3]) / 2 + (CAPITAL - TAIL) * size / 2
        for word, x0, x1 in _words(entry.line, text):
            y0, y1 = line - CAPITAL * size, line + TAIL * size
            box = (x0 - left) / scale, (y0 - top) / scale, (x1 - left) / scale, (y1 - top) / scale
            words.append(InkWord(word, box, (CAPITAL + TAIL) / INK_TO_SIZE * size / scale))
    return LetterWords(words, [part for entry in accepted for glyph in entry.line.glyphs for part in glyph.parts])


def drawn(line: LetterLine) -> Pixels:
    import cv2

    x0, y0, x1, y1 = line.box
    zoom = min(HIGH / max(y1 - y0, 0.1), LONGEST / max(x1 - x0, 0.1))
    if len(line.letters) == 1:
        zoom *= 0.75
    wide, high = round((x1 - x0) * zoom) + 2 * RIM, round((y1 - y0) * zoom) + 2 * RIM
    fine = np.full((high * FINER, wide * FINER), 255, dtype=np.uint8)
    for glyph in line.glyphs:
        parts = [
            np.round(((np.array(part.points) - (x0, y0)) * zoom + RIM) * FINER * (1 << SHIFT)).astype(np.int32)
            for part in glyph.parts
        ]
        cv2.fillPoly(fine, parts, 0, cv2.LINE_AA, SHIFT)
    grey = cv2.resize(fine, (wide, high), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def _reach(text: str) -> tuple[float, float]:
    """Return how far the letters of a text reach above and below their baseline, in sizes of the font."""
    letters = set(text)
    above = SMALL if letters <= LOW else CAPITAL
    return above, TAIL if letters & HANGING else 0.0


def _words(line: LetterLine, text: str) -> Iterator[tuple[str, float, float]]:
    words = text.split()
    letters = [box_of_glyphs(letter) for letter in line.letters]
    count = sum(map(len, words))
    done = 0
    for word in words:
        first = done * len(letters) // count
        last = max(first + 1, (done + len(word)) * len(letters) // count)
        done += len(word)
        own = letters[first:last]
        yield word, min(box[0] for box in own), max(box[2] for box in own)
