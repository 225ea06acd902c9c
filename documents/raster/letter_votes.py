"""Corrections of read lines by the repeated outlines of their letters and spaces. Pure.

Every printing of a letter of one font and size is the same outline, moved. If a line was read as the number of letters
that are drawn in it, each of its outlines was read as some letter, and most readings of an outline are right. An
outline may be read as several letters (l, I and 1 look alike in some fonts): a reading stays if others agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from documents.raster.letters import Glyph, LetterLine

CLOSE = 0.02  # of a letter's height: by how much the measures of two printings differ
LEAST_VOTES, CLEAR, FAIR = 3, 0.7, 0.2  # readings of an outline; share of a clear majority, of a fair minority
MOST_CORRECTED = 0.34  # of a line's letters: more says that the line is not what was drawn
LEAST_GAPS, AGREED = 8, 0.95  # gaps from which the width of a space is learnt; share that a width must tell rightly
STEP = 0.02  # heights: what parts the widest gap in a word from the narrowest space
UNCLEAR = 0.1  # of the width that separates spaces: gaps this near to it stay as they were read

Shapes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReadLetters:
    """A line of letters and its read text."""

    line: LetterLine
    text: str


def corrected_lines(lines: Sequence[ReadLetters]) -> list[str]:
    """Return the text of each line with the letters that its outlines were read as elsewhere, and with a space wherever
    its letters are as far apart as at other spaces."""
    shapes = shapes_of([entry.line for entry in lines])
    votes: dict[int, Counter[str]] = {}
    for entry, own in zip(lines, shapes, strict=True):
        letters = _letters(entry.text)
        if len(letters) == len(own):
            for shape, letter in zip(own, letters, strict=True):
                votes.setdefault(shape, Counter())[letter] += 1
    bare = ["".join(_voted(_letters(entry.text), own, votes)) for entry, own in zip(lines, shapes, strict=True)]
    spaces = [_spaces(entry.text, text) for entry, text in zip(lines, bare, strict=True)]
    gaps = [
        (gap, place in own)
        for entry, text, own in zip(lines, bare, spaces, strict=True)
        if len(text) == len(entry.line.letters)
        for place, gap in enumerate(_between(entry.line), start=1)
    ]
    width = space_width(gaps)
    texts = []
    for entry, text, before in zip(lines, bare, spaces, strict=True):
        is_measured = width is not None and len(text) == len(entry.line.letters)
        places = _spaces_by_gaps(entry.line, before, width) if is_measured and width is not None else before
        texts.append("".join(f" {letter}" if place in places else letter for place, letter in enumerate(text)))
    return texts


def shapes_of(lines: Sequence[LetterLine]) -> list[Shapes]:
    """Return a number for each letter of each line, equal for printings of one outline."""
    known: dict[tuple[int, ...], list[tuple[int, tuple[tuple[float, ...], ...]]]] = {}
    count = 0
    numbers = []
    for line in lines:
        own = []
        for letter in line.letters:
            measures = tuple(glyph.measures for glyph in _ordered(letter))
            coarse = (len(letter), *(len(glyph.parts) for glyph in _ordered(letter)))
            same = known.setdefault(coarse, [])
            number = next((number for number, other in same if _is_same(measures, other)), None)
            if number is None:
                number = count
                count += 1
                same.append((number, measures))
            own.append(number)
        numbers.append(tuple(own))
    return numbers


def space_width(gaps: Sequence[tuple[float, bool]]) -> float | None:
    """Return the gap (in heights of the line) from which on two letters are parted by a space.

    Learnt from gaps and whether a space was read there; None if they do not decide it."""
    if len(gaps) < LEAST_GAPS or not any(is_space for _, is_space in gaps):
        return None
    ordered = sorted(gaps)
    right = sum(is_space for _, is_space in ordered)  # if every gap were a space
    best, width = 0, None
    for (gap, is_space), (wider, _) in pairwise(ordered):
        right += -1 if is_space else 1
        if wider - gap > STEP and right > best:
            best, width = right, (gap + wider) / 2
    return width if best >= AGREED * len(ordered) else None


def _letters(text: str) -> list[str]:
    return [letter for letter in text if not letter.isspace()]


def _ordered(letter: Sequence[Glyph]) -> list[Glyph]:
    return sorted(letter, key=lambda glyph: (glyph.box[1], glyph.box[0]))


def _is_same(one: Sequence[tuple[float, ...]], other: Sequence[tuple[float, ...]]) -> bool:
    slack = CLOSE * max(measures[3] for measures in one) + 0.01
    return all(
        abs(a - b) < slack for first, second in zip(one, other, strict=True) for a, b in zip(first, second, strict=True)
    )


def _voted(letters: Sequence[str], shapes: Shapes, votes: dict[int, Counter[str]]) -> list[str]:
    clear = [_clear(votes.get(shape)) for shape in shapes]
    if len(letters) != len(shapes):
        if None in clear:
            return list(letters)
        certain = [letter for letter in clear if letter is not None]
        from rapidfuzz.distance import Levenshtein

        unlike = Levenshtein.distance("".join(letters), "".join(certain))
        return certain if unlike <= MOST_CORRECTED * len(certain) + 1 else list(letters)
    voted = [
        letter if most is None or votes[shape][letter] >= FAIR * votes[shape].total() else most
        for letter, shape, most in zip(letters, shapes, clear, strict=True)
    ]
    changed = sum(a != b for a, b in zip(letters, voted, strict=True))
    return voted if changed <= MOST_CORRECTED * len(voted) + 1 else list(letters)


def _clear(votes: Counter[str] | None) -> str | None:
    """Return what an outline was read as nearly always; None if it was read too rarely, or as several letters."""
    if votes is None or votes.total() < LEAST_VOTES:
        return None
    letter, count = votes.most_common(1)[0]
    return letter if count >= CLEAR * votes.total() else None


def _spaces(text: str, bare: str) -> set[int]:
    """Return the letters of `bare` before which the read text has a space; none if letters were added and it is
    unclear."""
    places, count = set(), 0
    for letter in text.strip():
        if letter.isspace():
            places.add(count)
        else:
            count += 1
    if count == len(bare) or not places:
        return places
    # Letters were left out or read in excess: a space is at the same distance from the nearer end.
    return {place if place < count - place else len(bare) - (count - place) for place in places}


def _between(line: LetterLine) -> list[float]:
    boxes = [(min(g.box[0] for g in letter), max(g.box[2] for g in letter)) for letter in line.letters]
    high = max(1e-6, line.box[3] - line.box[1])
    gaps, reach = [], boxes[0][1]
    for x0, x1 in boxes[1:]:
        gaps.append((x0 - reach) / high)
        reach = max(reach, x1)
    return gaps


def _spaces_by_gaps(line: LetterLine, read: set[int], width: float) -> set[int]:
    places = set()
    for place, gap in enumerate(_between(line), start=1):
        if abs(gap - width) < UNCLEAR * width:
            if place in read:
                places.add(place)
        elif gap > width:
            places.add(place)
    return places
