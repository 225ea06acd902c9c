"""Names from a figure's words: words to lines, lines to labels, without all that is no name. Pure.

A label is a few lines of one size, one above the other, inside one shape or inside none. The text layer's own blocks
are no guide: they join labels that share a baseline and split others."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from core.errors import InvalidName
from core.graphs.names import clean_name
from core.transcription.proposals import LoopLabel
from documents.proposals.captions import CAPTION, TABLE_CAPTION
from documents.proposals.shapes import Outline, Point, area_of, centre, corners, holds, inside
from documents.proposals.words import PrintedMark, PrintedWord, is_adjacent, parted, unglued
from documents.rects import Rect, union

LOOP_MARK = re.compile(r"[(\[]?[RB]\s?\d{1,2}[a-z]?['′]?[)\]]?[:.]?")
TITLED_MARK = re.compile(r"[(\[]?[RB]\s?\d{1,2}[a-z]?['′]?[)\]]?\s?[:.–—-]\s?\D.*")
BARE_MARK = re.compile(r"[(\[]?[RB][)\]]?")
Cut = tuple[Rect, Rect]
CENTRED = 0.5  # letters between the middles of a shape and of a line of words that is wider
ALIGNED = 0.6  # letters by which lines of a bare name may differ: at their left, middle or right
MOST_WORDS, MOST_WORDS_IN_LINE = 16, 8  # more than this is running text


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedLabel:
    """A name in the figure."""

    text: str
    lines: tuple[str, ...]
    box: Rect
    size: float
    shape: Outline | None = None  # its glyph: around it or, if `is_apart`, next to it
    bodies: tuple[tuple[Point, ...], ...] = ()  # the polygons at which its arrows end: its shape, or its lines' boxes
    is_apart: bool = False
    is_unsure: bool = False  # it may as well name another glyph


@dataclass(frozen=True, slots=True)
class LabelReading:
    labels: tuple[PrintedLabel, ...]
    signs: tuple[PrintedMark, ...]
    loop_marks: tuple[LoopLabel, ...]  # R1, B2…
    left_out: tuple[str, ...]  # slanted words, which cannot be placed


@dataclass(slots=True)
class _Line:
    tokens: list[PrintedWord]
    shape: int | None
    box: Rect = field(init=False)
    size: float = field(init=False)

    def __post_init__(self) -> None:
        self.box = union(token.box for token in self.tokens)
        self.size = median(token.size for token in self.tokens)

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.tokens)


def read_labels(
    tokens: Sequence[PrintedWord],
    shapes: Sequence[Outline],
    vocabulary: Collection[str],
    dots: Sequence[Outline] = (),
    cuts: Sequence[Cut] = (),
) -> LabelReading:
    """Read names, signs and loop marks from the words of a figure. `shapes` are closed outlines that may contain a
    name. `vocabulary`, the page's words in lower case, decides whether a hyphen at a line's end is part of the word. No
    name crosses one of the `dots`, or from one box of a cut into the other."""
    tokens = [part for token in tokens for part in unglued(token)]
    own = homes(tokens, shapes)
    signs, rest = parted(tokens, own)
    labels: list[PrintedLabel] = []
    marks: list[LoopLabel] = []
    for turn in (0, 1, 3):
        turned = [
            (replace(token, box=_turned_box(token.box, turn)) if turn else token, home)
            for token, home in rest
            if token.turn == turn
        ]
        for group in _stacked(_lines(turned, cuts), [_turned_box(dot.box, turn) for dot in dots], cuts):
            if all(LOOP_MARK.fullmatch(line.text) for line in group[:1]):
                marks.append(LoopLabel(group[0].text, centre(_turned_back(group[0].box, turn))))
                # a loop's title may be printed under its mark; in one shape with it, it is no name
                group = group[1:] if group[0].shape is None else []
            if group and (label := _label(group, turn, shapes, vocabulary)) is not None:
                labels.append(label)
    labels, bare = _without_bare_marks(labels)
    left_out = tuple(token.text for token, _ in rest if token.turn is None)
    labels = _in_shapes_of_their_own(labels)
    labels.sort(key=lambda label: (round(label.box[1]), label.box[0]))
    return LabelReading(tuple(labels), tuple(signs), tuple(marks + bare), left_out)


def homes(tokens: Sequence[PrintedWord], shapes: Sequence[Outline]) -> list[int | None]:
    """Return for every word the smallest shape around it; where shapes overlap, the one whose centre is nearer."""
    boxes = [shape.box for shape in shapes]
    containers: list[int | None] = []
    for token in tokens:
        middle = centre(token.box)
        around = [
            place
            for place, box in enumerate(boxes)
            if holds(box, middle)
            and has_room(box, token)
            and inside(shapes[place].points, middle)
            and not _runs_in(token, box, tokens)
        ]
        containers.append(min(around, key=lambda place: _distance_home(shapes[place], middle), default=None))
    return _overhanging(tokens, containers, boxes)


def _overhanging(
    tokens: Sequence[PrintedWord], containers: list[int | None], boxes: Sequence[Rect]
) -> list[int | None]:
    """Correct the homes of names wider than their shapes, whose first and last words lie outside: the whole line has
    its middle in the shape's."""
    corrected = [*containers]
    for place, (token, home) in enumerate(zip(tokens, containers, strict=True)):
        if home is None or token.turn != 0:
            continue
        left, _, right, _ = boxes[home]
        if min(token.box[0] - left, right - token.box[2]) > token.size:
            continue  # its neighbours are inside as well
        line = [place]
        for step in (_before, _after):
            at = step(tokens, place)
            while at is not None and at not in line:
                line.append(at)
                at = step(tokens, at)
        middle = (min(tokens[at].box[0] for at in line) + max(tokens[at].box[2] for at in line)) / 2
        if abs(middle - (left + right) / 2) < CENTRED * token.size:
            corrected = [home if at in line and one is None else one for at, one in enumerate(corrected)]
    return corrected


def _before(tokens: Sequence[PrintedWord], place: int) -> int | None:
    one = tokens[place]
    neighbours = [at for at, other in enumerate(tokens) if other.box[0] < one.box[0] and is_adjacent(other, one)]
    return max(neighbours, key=lambda at: tokens[at].box[2], default=None)


def _after(tokens: Sequence[PrintedWord], place: int) -> int | None:
    one = tokens[place]
    neighbours = [at for at, other in enumerate(tokens) if other.box[2] > one.box[2] and is_adjacent(one, other)]
    return min(neighbours, key=lambda at: tokens[at].box[0], default=None)


def has_room(box: Rect, token: PrintedWord) -> bool:
    """Return False for a shape smaller than the word, such as an arrowhead over it."""
    wide, high = token.box[2] - token.box[0], token.box[3] - token.box[1]
    return box[2] - box[0] > 0.6 * wide and box[3] - box[1] > 0.6 * high


def _runs_in(token: PrintedWord, box: Rect, tokens: Sequence[PrintedWord]) -> bool:
    """Return True if a word lies over a side of a shape, as the end of words printed next to it."""
    slack = 0.1 * token.size
    if token.turn != 0 or (box[0] - slack < token.box[0] and token.box[2] < box[2] + slack):
        return False
    first, last = token, token
    while before := [one for one in tokens if one.box[0] < first.box[0] and is_adjacent(one, first)]:
        first = max(before, key=lambda one: one.box[2])
    while after := [one for one in tokens if one.box[2] > last.box[2] and is_adjacent(last, one)]:
        last = min(after, key=lambda one: one.box[0])
    return not box[0] < (first.box[0] + last.box[2]) / 2 < box[2]


def _distance_home(shape: Outline, middle: Point) -> float:
    """Return the area of the shape, doubled at its rim: of two equal circles that overlap the nearer one wins."""
    x, y = centre(shape.box)
    x0, y0, x1, y1 = shape.box
    off = max(abs(middle[0] - x) / (x1 - x0 + 1e-9), abs(middle[1] - y) / (y1 - y0 + 1e-9)) * 2
    return area_of(shape.points) * (1 + off)


def _turned_box(box: Rect, turn: int) -> Rect:
    x0, y0, x1, y1 = box
    if turn == 1:  # reads downwards
        return (y0, -x1, y1, -x0)
    return (-y1, x0, -y0, x1) if turn == 3 else box


def _turned_back(box: Rect, turn: int) -> Rect:
    x0, y0, x1, y1 = box
    if turn == 1:
        return (-y1, x0, -y0, x1)
    return (y0, -x1, y1, -x0) if turn == 3 else box


def _lines(words: Sequence[tuple[PrintedWord, int | None]], cuts: Sequence[Cut]) -> list[_Line]:
    lines: list[_Line] = []
    for token, home in sorted(words, key=lambda word: word[0].box[0]):
        candidates = [
            line
            for line in lines
            if line.shape == home
            and is_adjacent(line.tokens[-1], token)
            and not _is_cut(line.tokens[-1].box, token.box, cuts)
        ]
        if candidates:
            nearest = min(candidates, key=lambda line: abs(line.box[1] - token.box[1]))
            nearest.tokens.append(token)
            nearest.__post_init__()
        else:
            lines.append(_Line([token], home))
    return lines


def _is_cut(one: Rect, other: Rect, cuts: Sequence[Cut]) -> bool:
    first, second = centre(one), centre(other)
    return any((holds(a, first) and holds(b, second)) or (holds(b, first) and holds(a, second)) for a, b in cuts)


def _stacked(lines: Sequence[_Line], dots: Sequence[Rect], cuts: Sequence[Cut]) -> list[list[_Line]]:
    labels: list[list[_Line]] = []
    for line in sorted(lines, key=lambda one: (one.box[1], one.box[0])):
        above = [
            label
            for label in labels
            if _is_below(label[-1], line)
            and not _is_parted(label[-1], line, dots)
            and not _is_cut(label[-1].box, line.box, cuts)
        ]
        if above:
            min(above, key=lambda label: _unlike(label[-1], line)).append(line)
        else:
            labels.append([line])
    return labels


def _is_below(above: _Line, line: _Line) -> bool:
    if above.shape != line.shape or max(above.size, line.size) > 1.2 * min(above.size, line.size):
        return False
    height = min(above.box[3] - above.box[1], line.box[3] - line.box[1])
    gap = line.box[1] - above.box[3]
    if not -0.55 * height < gap < (0.8 if line.shape is not None else 0.45) * height:
        return False
    shared = min(above.box[2], line.box[2]) - max(above.box[0], line.box[0])
    narrow = min(above.box[2] - above.box[0], line.box[2] - line.box[0])
    return shared > 0.5 * narrow and _unlike(above, line) < (ALIGNED if line.shape is None else 4.0) * line.size


def _is_parted(above: _Line, line: _Line, dots: Sequence[Rect]) -> bool:
    """Return True if two lines belong to two dots: one is between them, or each has its own next to it."""
    left, right = max(above.box[0], line.box[0]), min(above.box[2], line.box[2])
    upper, lower = centre(above.box)[1], centre(line.box)[1]
    if any(left < centre(dot)[0] < right and upper < dot[1] and dot[3] < lower for dot in dots):
        return True
    own_dots = [{place for place, dot in enumerate(dots) if _has_bullet(one, dot)} for one in (above, line)]
    return bool(own_dots[0]) and bool(own_dots[1]) and not own_dots[0] & own_dots[1]


def _has_bullet(line: _Line, dot: Rect) -> bool:
    """Return True if a dot precedes or follows a line as a bullet does."""
    gap = max(dot[0] - line.box[2], line.box[0] - dot[2])
    return -0.3 * line.size < gap < line.size and line.box[1] < centre(dot)[1] < line.box[3]


def _unlike(above: _Line, line: _Line) -> float:
    a, b = above.box, line.box
    return min(abs(a[0] + a[2] - b[0] - b[2]) / 2, abs(a[0] - b[0]), abs(a[2] - b[2]))


def _label(
    group: list[_Line], turn: int, shapes: Sequence[Outline], vocabulary: Collection[str]
) -> PrintedLabel | None:
    """Return the label of a few lines; None if they are numbers, a caption or running text."""
    texts = [line.text for line in group]
    words = sum(len(line.tokens) for line in group)
    if not any(letter.isalpha() for text in texts for letter in text):
        return None
    if CAPTION.match(texts[0]) or TABLE_CAPTION.match(texts[0]):
        return None
    if words > MOST_WORDS or max(len(line.tokens) for line in group) > MOST_WORDS_IN_LINE:
        return None
    try:
        text = clean_name(_sentence(texts, vocabulary))
    except InvalidName:
        return None
    boxes = [_turned_back(line.box, turn) for line in group]
    home = group[0].shape
    shape = shapes[home] if home is not None else None
    bodies = (shape.points,) if shape is not None else tuple(corners(_tight(box)) for box in boxes)
    size = median(line.size for line in group)
    return PrintedLabel(text=text, lines=tuple(texts), box=union(boxes), size=size, shape=shape, bodies=bodies)


def _tight(box: Rect) -> Rect:
    """Cut the space above and below a line's letters, in which arrows may already end."""
    x0, y0, x1, y1 = box
    slim = 0.12 * min(x1 - x0, y1 - y0)
    return (x0, y0 + slim, x1, y1 - slim) if x1 - x0 >= y1 - y0 else (x0 + slim, y0, x1 - slim, y1)


def _sentence(lines: Sequence[str], vocabulary: Collection[str]) -> str:
    """Join lines to one name. A hyphen at a line's end goes unless the page prints the word with it, or what follows
    does not begin with a small letter."""
    text = lines[0]
    for line in lines[1:]:
        if not re.search(r"\w-$", text):
            text = f"{text} {line}"
            continue
        first = text.split()[-1].strip("(").lower()
        second = re.split(r"[\s,;:)]", line)[0].lower()
        is_printed_so = first + second in vocabulary and first[:-1] + second not in vocabulary
        text = text + line if is_printed_so or not line[:1].islower() else text[:-1] + line
    return text


def _without_bare_marks(labels: list[PrintedLabel]) -> tuple[list[PrintedLabel], list[LoopLabel]]:
    """Take a lone R or B among longer names, in no shape, for a loop's mark, as "R1: Growth" is in any; in a figure of
    letters it is a name."""
    if not any(len(label.text) > 3 for label in labels):
        return labels, []
    marks = [
        label
        for label in labels
        if TITLED_MARK.fullmatch(label.text) or (label.shape is None and BARE_MARK.fullmatch(label.text))
    ]
    return [label for label in labels if label not in marks], [
        LoopLabel(label.text, centre(label.box)) for label in marks
    ]


def _in_shapes_of_their_own(labels: Sequence[PrintedLabel]) -> list[PrintedLabel]:
    """Remove a shape around several labels, which is a frame and no node."""
    revised = []
    for label in labels:
        shared = label.shape is not None and sum(other.shape == label.shape for other in labels) > 1
        revised.append(replace(label, shape=None, bodies=(corners(_tight(label.box)),)) if shared else label)
    return revised
