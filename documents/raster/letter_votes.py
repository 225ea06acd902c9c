"""What the printings of one outline say of each other: letters and spaces of read lines, mended. Pure.

Every printing of a letter of one font and size is the same outline, moved. So where a line was read as many letters as
are drawn in it, each of its outlines was read as some letter, and most readings of an outline are right. An outline may
be read as several letters (l, I and 1 look alike in some fonts): what was read stays if others read it so too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from documents.raster.letters import Glyph, LetterLine

CLOSE = 0.02  # of a letter's height: by how much the measures of two printings differ
LEAST_VOTES, CLEAR, FAIR = 3, 0.7, 0.2  # readings of an outline; share of a clear majority, of a fair minority
MOST_MENDED = 0.34  # of a line's letters: more says that the line is not what was drawn
LEAST_GAPS, AGREED = 8, 0.95  # gaps from which the width of a space is learnt; share that a width must tell rightly
STEP = 0.02  # heights: what parts the widest gap in a word from the narrowest space
UNCLEAR = 0.1  # of the width that tells spaces: gaps so near to it stay as they were read

Shapes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReadLetters:
    """A line of letters and what it was read as."""

    line: LetterLine
    text: str


def mended(lines: Sequence[ReadLetters]) -> list[str]:
    """The text of each line with the letters that its outlines were read as elsewhere, and with a space wherever its
    letters stand as wide apart as at other spaces."""
    shapes = shapes_of([one.line for one in lines])
    votes: dict[int, Counter[str]] = {}
    for one, own in zip(lines, shapes, strict=True):
        letters = _letters(one.text)
        if len(letters) == len(own):
            for shape, letter in zip(own, letters, strict=True):
                votes.setdefault(shape, Counter())[letter] += 1
    bare = ["".join(_voted(_letters(one.text), own, votes)) for one, own in zip(lines, shapes, strict=True)]
    spaces = [_spaces(one.text, text) for one, text in zip(lines, bare, strict=True)]
    width = space_width(_gaps(lines, bare, spaces))
    found = []
    for one, text, before in zip(lines, bare, spaces, strict=True):
        is_told = width is not None and len(text) == len(one.line.letters)
        places = _told(one.line, before, width) if is_told and width is not None else before
        found.append("".join(f" {letter}" if place in places else letter for place, letter in enumerate(text)))
    return found


def shapes_of(lines: Sequence[LetterLine]) -> list[Shapes]:
    """A number for each letter of each line, equal for printings of one outline."""
    known: dict[tuple[int, ...], list[tuple[int, tuple[tuple[float, ...], ...]]]] = {}
    count = 0
    found = []
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
        found.append(tuple(own))
    return found


def space_width(gaps: Sequence[tuple[float, bool]]) -> float | None:
    """The gap (in heights of the line) from which on two letters are parted by a space, learnt from gaps and whether a
    space was read there; None where they do not tell."""
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
    """A line's letters as its outlines were read elsewhere."""
    clear = [_clear(votes.get(shape)) for shape in shapes]
    if len(letters) != len(shapes):
        if None in clear:
            return list(letters)
        told = [letter for letter in clear if letter is not None]
        return told if _unlike(letters, told) <= MOST_MENDED * len(told) + 1 else list(letters)
    found = [
        letter if most is None or votes[shape][letter] >= FAIR * votes[shape].total() else most
        for letter, shape, most in zip(letters, shapes, clear, strict=True)
    ]
    changed = sum(a != b for a, b in zip(letters, found, strict=True))
    return found if changed <= MOST_MENDED * len(found) + 1 else list(letters)


def _clear(votes: Counter[str] | None) -> str | None:
    """What an outline was read as nearly always; None if it was read too rarely, or as several letters."""
    if votes is None or votes.total() < LEAST_VOTES:
        return None
    letter, count = votes.most_common(1)[0]
    return letter if count >= CLEAR * votes.total() else None


def _unlike(one: Sequence[str], other: Sequence[str]) -> int:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance("".join(one), "".join(other))


def _spaces(text: str, bare: str) -> set[int]:
    """Before which letters of `bare` the read text has a space; none that can be told where letters were added."""
    found, count = set(), 0
    for letter in text.strip():
        if letter.isspace():
            found.add(count)
        else:
            count += 1
    if count == len(bare) or not found:
        return found
    # Letters were left out or read in excess: a space stands as many letters from the nearer end.
    return {place if place < count - place else len(bare) - (count - place) for place in found}


def _between(line: LetterLine) -> list[float]:
    """The gap before each letter but the first, in heights of the line."""
    boxes = [(min(g.box[0] for g in letter), max(g.box[2] for g in letter)) for letter in line.letters]
    high = max(1e-6, line.box[3] - line.box[1])
    found, reach = [], boxes[0][1]
    for x0, x1 in boxes[1:]:
        found.append((x0 - reach) / high)
        reach = max(reach, x1)
    return found


def _gaps(lines: Sequence[ReadLetters], texts: Sequence[str], spaces: Sequence[set[int]]) -> list[tuple[float, bool]]:
    return [
        (gap, place in own)
        for one, text, own in zip(lines, texts, spaces, strict=True)
        if len(text) == len(one.line.letters)
        for place, gap in enumerate(_between(one.line), start=1)
    ]


def _told(line: LetterLine, read: set[int], width: float) -> set[int]:
    """Before which letters of a line there is a space, by the gaps there."""
    found = set()
    for place, gap in enumerate(_between(line), start=1):
        if abs(gap - width) < UNCLEAR * width:
            if place in read:
                found.add(place)
        elif gap > width:
            found.add(place)
    return found
