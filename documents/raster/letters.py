"""Letters among a figure's outlines, and their lines of text. Pure; lengths in points.

Outlined letters can be distinguished from rims, arrows and heads before anything is read. So they are read alone, and
no line that crosses them is read as a letter."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from statistics import median

from documents.proposals.shapes import Outline, Point, area_of, centre, hull, length_of, size
from documents.rects import Rect, is_inside, overlap, union

LARGEST = 40.0  # points: no letter is larger
TALLEST = 2.5  # of the usual letter's height
SOLID = 0.95  # of its hull: convex
THIN = 0.35  # of a bar's length: how wide it is at most
TINY = 0.3  # of a letter's height: dots, commas
FEWEST_CORNERS = 6  # of what is no head
SAME, TURNED = 0.02, 5.0  # of a shape's measures; degrees
EM = 0.75  # of a font's size: the height of its capitals
JOINS, SPACES = 0.3, 0.55  # ems: the widest gap between letters of a word, words of a line
LEVEL = 0.5  # of the lower letter's height: what two letters of a line share
FEWEST, MOST, STEADY, SHIFTED = 3, 0.75, 0.03, 0.06  # letters on a level, share of them; ems: its width, another one
HANGING = 0.15, 0.32  # ems: how far g, p, q, y reach below the others
STACKED = 4  # letters
SLACK = 0.01  # points by which a hole may reach out of its letter's box
HALO = 1.0  # points between the middles of a letter and its halo


@dataclass(frozen=True)
class Glyph:
    """Outline painted in one stroke, and the holes in it."""

    parts: tuple[Outline, ...]

    @cached_property
    def box(self) -> Rect:
        return self.parts[0].box

    @property
    def high(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def wide(self) -> float:
        return self.box[2] - self.box[0]

    @cached_property
    def measures(self) -> tuple[float, ...]:
        """Return box, painted area (its root), length of rim and middle of the outline and of each of its holes: equal
        for two printings of one letter, unlike for b and d or n and u."""
        x0, y0 = self.box[:2]
        values: list[float] = []
        for part in self.parts:
            rim = length_of([*part.points, part.points[0]])
            x, y = _balance(part.points)
            left, top, right, bottom = part.box
            values += [
                left - x0,
                top - y0,
                right - x0,
                bottom - y0,
                x - x0,
                y - y0,
                math.sqrt(area_of(part.points)),
                rim / 4,
            ]
        return tuple(values)


Letter = tuple[Glyph, ...]


@dataclass(frozen=True)
class LetterLine:
    """Letters side by side on one level, from left to right; a letter may be several glyphs (i, ä, %)."""

    letters: tuple[Letter, ...]

    @cached_property
    def box(self) -> Rect:
        return box_of_glyphs(self.glyphs)

    @property
    def glyphs(self) -> list[Glyph]:
        return [glyph for letter in self.letters for glyph in letter]


def box_of_glyphs(glyphs: Iterable[Glyph]) -> Rect:
    return union(glyph.box for glyph in glyphs)


def find_lines(outlines: Sequence[Outline]) -> list[LetterLine]:
    """Return the lines of text among outlines. Turned letters are left out."""
    glyphs = [glyph for glyph in _glyphs(outlines) if size(glyph.box) < LARGEST]
    turned = _turned(glyphs)
    sure = [glyph for glyph in glyphs if _is_letter(glyph) and id(glyph) not in turned]
    if not sure:
        return []
    usual = median(glyph.high for glyph in sure)
    sure = [glyph for glyph in sure if glyph.high < TALLEST * usual]
    certain = {id(glyph) for glyph in sure}
    bars, specks = [], []
    for glyph in glyphs:
        if id(glyph) in certain or id(glyph) in turned or glyph.high > TALLEST * usual:
            continue
        if _is_bar(glyph) and glyph.high > 2 * glyph.wide and glyph.high > TINY * usual:
            bars.append(glyph)
        elif size(glyph.box) < TINY * usual or (_is_bar(glyph) and glyph.wide < 1.5 * usual):
            specks.append(glyph)
    words = [
        word
        for word in _joined([[glyph] for glyph in (*sure, *bars)], JOINS)
        if any(id(glyph) in certain for glyph in word)
    ]
    words = _with_specks(words, specks)
    lines = [_letters(line) for line in _joined(words, SPACES)]
    return [LetterLine(tuple(part)) for line in lines if (inner := _without_dashes(line)) for part in _levels(inner)]


def has_turned_words(lines: Sequence[LetterLine]) -> bool:
    """Return True if letters are one above the other, each a line of its own, as in words turned by a quarter."""
    lone = [line.box for line in lines if len(line.letters) == 1]
    stacked = sum(any(_is_stacked(one, other) for other in lone) for one in lone)
    return stacked >= STACKED


def _is_stacked(one: Rect, other: Rect) -> bool:
    shared = overlap(one, other, 0)
    gap = max(one[1], other[1]) - min(one[3], other[3])
    wide = max(one[2] - one[0], other[2] - other[0])
    return one != other and shared > LEVEL * min(one[2] - one[0], other[2] - other[0]) and -0.5 < gap < JOINS * wide


def _without_dashes(line: Sequence[Letter]) -> Sequence[Letter]:
    inner = [
        place
        for place, letter in enumerate(line)
        if len(letter) > 1 or not (_is_bar(letter[0]) and letter[0].wide > letter[0].high)
    ]
    return line[inner[0] : inner[-1] + 1] if inner else []


def _levels(line: Sequence[Letter]) -> list[Sequence[Letter]]:
    """Split a line if its left and right letters are on two levels: two names that touch."""
    feet = [max(glyph.box[3] for glyph in letter) for letter in line]
    em = max(glyph.high for letter in line for glyph in letter) / EM
    cuts = []
    for place in range(FEWEST, len(line) - FEWEST + 1):
        (left, agree), (right, others) = _level(feet[:place], em), _level(feet[place:], em)
        is_steady = agree >= MOST * place and others >= MOST * (len(line) - place)
        shift = abs(left - right) / em  # letters that all hang below the line, as in "pply", are on no other level
        if is_steady and shift > SHIFTED and not HANGING[0] < shift < HANGING[1]:
            cuts.append((agree + others, place))
    if not cuts:
        return [line]
    _, place = max(cuts)
    return [line[:place], line[place:]]


def _level(feet: Sequence[float], em: float) -> tuple[float, int]:
    usual = median(feet)
    return usual, sum(abs(foot - usual) < STEADY * em for foot in feet)


def without_halos(white: Iterable[Outline], dark: Iterable[Outline]) -> list[Outline]:
    """Return what is painted white, without what lies behind a dark letter of its place and size."""
    places: dict[tuple[int, int], list[Outline]] = {}
    for outline in dark:
        x, y = centre(outline.box)
        places.setdefault((int(x // HALO), int(y // HALO)), []).append(outline)

    def is_halo(outline: Outline) -> bool:
        x, y = centre(outline.box)
        column, row = int(x // HALO), int(y // HALO)
        near = (
            other
            for across in (-1, 0, 1)
            for down in (-1, 0, 1)
            for other in places.get((column + across, row + down), ())
        )
        return any(
            math.dist(centre(other.box), (x, y)) < HALO and size(other.box) > 0.5 * size(outline.box) for other in near
        )

    return [outline for outline in white if not is_halo(outline)]


def _glyphs(outlines: Iterable[Outline]) -> list[Glyph]:
    """Return painted outlines with the holes that the same stroke of the brush left in them."""
    painted = [one for one in outlines if one.is_painted and len(one.points) > 2]
    glyphs = []
    for _, path in groupby(painted, key=lambda one: one.order):
        outer: list[list[Outline]] = []
        for part in sorted(path, key=lambda one: -area_of(one.points)):
            around = next((own for own in outer if is_inside(part.box, own[0].box, SLACK)), None)
            if around is None:
                outer.append([part])
            else:
                around.append(part)
        glyphs += [Glyph(tuple(own)) for own in outer]
    return glyphs


def _is_letter(glyph: Glyph) -> bool:
    """Return True for an outline with a hole, or bent and of many corners, unlike dots, bars and heads."""
    outer = glyph.parts[0]
    if len(glyph.parts) > 1:
        return True
    return len(outer.points) >= FEWEST_CORNERS and area_of(outer.points) < SOLID * area_of(hull(outer.points))


def _is_bar(glyph: Glyph) -> bool:
    return len(glyph.parts) == 1 and min(glyph.wide, glyph.high) < THIN * max(glyph.wide, glyph.high)


def _turned(glyphs: Sequence[Glyph]) -> set[int]:
    """Return what is painted several times at several angles: heads. Letters may be at right angles."""
    classes: dict[tuple[int, int], list[Glyph]] = {}
    for glyph in glyphs:
        classes.setdefault((len(glyph.parts), len(glyph.parts[0].points)), []).append(glyph)
    turned: set[int] = set()
    for members in classes.values():
        for one in members:
            if id(one) not in turned and any(_is_turned(one, other) for other in members):
                turned.add(id(one))
    return turned


def _is_turned(one: Glyph, other: Glyph) -> bool:
    a, b = one.parts[0].points, other.parts[0].points
    first, second = one.measures[6:8], other.measures[6:8]  # the area and the rim
    if any(abs(x - y) > SAME * max(x, y) for x, y in zip(first, second, strict=True)):
        return False
    (ax, ay), (bx, by) = _middle(a), _middle(b)
    turn = _direction(a[0], (ax, ay)) - _direction(b[0], (bx, by))
    off = abs((turn + 45) % 90 - 45)
    if off < TURNED:
        return False
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    slack = 2 * SAME * max(size(one.box), size(other.box))
    back = (((x - bx) * cos - (y - by) * sin, (x - bx) * sin + (y - by) * cos) for x, y in b)
    return all(math.dist((x - ax, y - ay), place) < slack for (x, y), place in zip(a, back, strict=True))


def _middle(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _balance(points: Sequence[Point]) -> Point:
    total = across = down = 0.0
    ox, oy = points[0]
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
        doubled = (ax - ox) * (by - oy) - (bx - ox) * (ay - oy)
        total += doubled
        across += doubled * (ax + bx - 2 * ox)
        down += doubled * (ay + by - 2 * oy)
    if abs(total) < 1e-9:
        return _middle(points)
    return ox + across / (3 * total), oy + down / (3 * total)


def _direction(point: Point, middle: Point) -> float:
    return math.degrees(math.atan2(point[1] - middle[1], point[0] - middle[0]))


def _joined(runs: Sequence[list[Glyph]], gap: float) -> list[list[Glyph]]:
    """Join runs of glyphs that are side by side, `gap` ems apart at most."""
    boxes = [box_of_glyphs(run) for run in runs]
    ems = [max(glyph.high for glyph in run) / EM for run in runs]
    order = sorted(range(len(runs)), key=lambda place: boxes[place][0])
    root = list(range(len(runs)))

    def top(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    for at, left in enumerate(order):
        for right in order[at + 1 :]:
            if boxes[right][0] > boxes[left][2] + 2 * max(ems[left], 1.0) * gap + LARGEST * gap:
                break
            if _is_level(boxes[left], boxes[right], gap * max(ems[left], ems[right]), ems[left], ems[right]):
                root[top(right)] = top(left)
    groups: dict[int, list[Glyph]] = {}
    for place in order:
        groups.setdefault(top(place), []).extend(runs[place])
    return list(groups.values())


def _is_level(one: Rect, other: Rect, gap: float, em: float, other_em: float) -> bool:
    shared = overlap(one, other, 1)
    lower = min(one[3] - one[1], other[3] - other[1])
    apart = max(one[0], other[0]) - min(one[2], other[2])
    return shared > LEVEL * lower and apart < gap and max(em, other_em) < 2.5 * min(em, other_em)


def _with_specks(words: list[list[Glyph]], specks: Sequence[Glyph]) -> list[list[Glyph]]:
    """Add dots, accents, hyphens and underscores to the words at which they are."""
    boxes = [box_of_glyphs(word) for word in words]
    ems = [max(glyph.high for glyph in word) / EM for word in words]
    extended = [list(word) for word in words]
    for speck in specks:
        y = centre(speck.box)[1]
        near = []
        for place, (x0, y0, x1, y1) in enumerate(boxes):
            em = ems[place]
            gap = max(x0 - speck.box[2], speck.box[0] - x1, 0.0)
            if gap < JOINS * em and y0 - 0.35 * em < y < y1 + 0.3 * em:
                near.append((gap + max(y0 - y, y - y1, 0.0), place))
        if near:
            extended[min(near)[1]].append(speck)
    return extended


def _letters(line: Sequence[Glyph]) -> list[Letter]:
    """Return the letters of a line from left to right: glyphs one above the other are one."""
    letters: list[list[Glyph]] = []
    for glyph in sorted(line, key=lambda one: one.box[0]):
        if letters:
            before = box_of_glyphs(letters[-1])
            if overlap(before, glyph.box, 0) > 0.6 * min(before[2] - before[0], glyph.wide):
                letters[-1].append(glyph)
                continue
        letters.append([glyph])
    return [tuple(letter) for letter in letters]
