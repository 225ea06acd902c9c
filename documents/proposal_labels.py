"""From a figure's words to its names: words to lines, lines to labels, and out with all that is no name. Pure.

A label is a few lines of one size, one above the other, inside one shape or inside none. The text layer's own blocks
are no guide: they join labels that share a baseline and split others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from core.errors import InvalidName
from core.graphs.names import clean_name
from documents.figures import CAPTION, TABLE_CAPTION
from documents.proposal_shapes import Outline, Point, Rect, area_of, centre, corners, holds, inside, joined

PLUS, MINUS = frozenset("+＋"), frozenset("-−–—‐‑﹣－")
SIGN = re.compile(r"[(\[]?([+＋\-−–—‐‑﹣－])[)\]]?")
GLUED = re.compile(r"^([+−])(?=[^\W\d_])|(?<=[^\W\d_])([+−])$")  # a sign printed so close that it joined the word
LOOP_MARK = re.compile(r"[(\[]?[RB]\s?\d{1,2}[a-z]?['′]?[)\]]?[:.]?")
BARE_MARK = re.compile(r"[(\[]?[RB][)\]]?")
SAME_OPPOSITE = {"s": "+", "S": "+", "o": "-", "O": "-"}
MOST_WORDS, MOST_WORDS_IN_LINE = 16, 8  # more than this is running text


@dataclass(frozen=True, slots=True)
class Token:
    """A printed word, its letters' size and the quarter turns (clockwise) at which it stands; None: slanted."""

    text: str
    box: Rect
    size: float
    turn: int | None = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """A polarity sign and where it stands."""

    sign: str
    place: Point


@dataclass(frozen=True, slots=True)
class Label:
    """A name in the figure. `bodies` are the polygons at which its arrows end: its shape, or its lines' boxes."""

    text: str
    lines: tuple[str, ...]
    box: Rect
    size: float
    shape: Outline | None = None
    bodies: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a figure's text says. `loop_marks`: places of R1, B2…; `left_out`: slanted words nobody can place."""

    labels: tuple[Label, ...]
    signs: tuple[Mark, ...]
    loop_marks: tuple[Point, ...]
    left_out: tuple[str, ...]


@dataclass(slots=True)
class _Line:
    tokens: list[Token]
    shape: int | None
    box: Rect = field(init=False)
    size: float = field(init=False)

    def __post_init__(self) -> None:
        self.box = joined(token.box for token in self.tokens)
        self.size = median(token.size for token in self.tokens)

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.tokens)


def read_labels(tokens: Sequence[Token], shapes: Sequence[Outline], vocabulary: Collection[str]) -> Reading:
    """Names, signs and loop marks among the words of a figure. `shapes` are closed outlines that may hold a name;
    `vocabulary`, the page's words in lower case, decides whether a hyphen at a line's end is printed for good."""
    tokens = [part for token in tokens for part in _unglued(token)]
    homes = _homes(tokens, shapes)
    signs, rest = _parted(tokens, homes)
    labels: list[Label] = []
    marks: list[Point] = []
    for turn in (0, 1, 3):
        turned = [(_turned(token, turn), home) for token, home in rest if token.turn == turn]
        for group in _stacked(_lines(turned)):
            if all(LOOP_MARK.fullmatch(line.text) for line in group[:1]):
                marks.append(centre(_turned_back(group[0].box, turn)))
                group = group[1:]  # a loop's title may stand under its mark
            if (label := _label(group, turn, shapes, vocabulary)) is not None:
                labels.append(label)
    labels, bare = _without_bare_marks(labels)
    left_out = tuple(token.text for token, _ in rest if token.turn is None)
    labels = _in_shapes_of_their_own(labels)
    labels.sort(key=lambda label: (round(label.box[1]), label.box[0]))
    return Reading(tuple(labels), tuple(signs), tuple(marks + bare), left_out)


def _unglued(token: Token) -> list[Token]:
    """A word and the sign that was printed right beside it, apart."""
    x0, y0, x1, y1 = token.box
    if len(token.text) > 1 and set(token.text) <= PLUS | MINUS:  # signs that overlap in print
        return _apart(token)
    match = GLUED.search(token.text)
    if match is None or token.turn != 0:
        return [token]
    wide = min(0.6 * token.size, (x1 - x0) / 2)
    if match[1]:
        parts = [(token.text[0], (x0, y0, x0 + wide, y1)), (token.text[1:], (x0 + wide, y0, x1, y1))]
    else:
        parts = [(token.text[:-1], (x0, y0, x1 - wide, y1)), (token.text[-1], (x1 - wide, y0, x1, y1))]
    return [replace(token, text=text, box=box) for text, box in parts]


def _homes(tokens: Sequence[Token], shapes: Sequence[Outline]) -> list[int | None]:
    """For every word the smallest shape around it; where shapes overlap, the one whose centre is nearer."""
    boxes = [shape.box for shape in shapes]
    homes: list[int | None] = []
    for token in tokens:
        middle = centre(token.box)
        around = [
            place
            for place, box in enumerate(boxes)
            if holds(box, middle) and _has_room(box, token) and inside(shapes[place].points, middle)
        ]
        homes.append(min(around, key=lambda place: _distance_home(shapes[place], middle), default=None))
    return homes


def _has_room(box: Rect, token: Token) -> bool:
    """An arrowhead that lies over a word is no home for it."""
    wide, high = token.box[2] - token.box[0], token.box[3] - token.box[1]
    return box[2] - box[0] > 0.6 * wide and box[3] - box[1] > 0.6 * high


def _distance_home(shape: Outline, middle: Point) -> float:
    """Area of the shape, doubled at its rim: of two equal circles that overlap the nearer one wins."""
    x, y = centre(shape.box)
    x0, y0, x1, y1 = shape.box
    off = max(abs(middle[0] - x) / (x1 - x0 + 1e-9), abs(middle[1] - y) / (y1 - y0 + 1e-9)) * 2
    return area_of(shape.points) * (1 + off)


def _parted(tokens: Sequence[Token], homes: Sequence[int | None]) -> tuple[list[Mark], list[tuple[Token, int | None]]]:
    """Signs, and the other words with their shapes. A dash between two words of a line belongs to a name."""
    signs: list[Mark] = []
    rest = []
    letters = sum(len(token.text) for token in tokens if _is_letters(token))
    spoken = letters >= 2 and letters >= 0.3 * sum(len(token.text) > 2 for token in tokens) ** 0.5
    named = {home for token, home in zip(tokens, homes, strict=True) if not _is_letters(token)}
    for token, home in zip(tokens, homes, strict=True):
        match = SIGN.fullmatch(token.text)
        if match is not None and not _is_between(token, tokens):
            signs.append(Mark("+" if match[1] in PLUS else "-", centre(token.box)))
        elif spoken and _is_letters(token) and _is_astray(token, home, tokens, named):
            signs.extend(Mark(SAME_OPPOSITE[part.text], centre(part.box)) for part in _apart(token))
        else:
            rest.append((token, home))
    return signs, rest


def _is_letters(token: Token) -> bool:
    """One to three of the letters that stand for "same" and "opposite"; several overlap in print."""
    return len(token.text) <= 3 and set(token.text) <= set(SAME_OPPOSITE)


def _is_astray(token: Token, home: int | None, tokens: Sequence[Token], named: Collection[int | None]) -> bool:
    """Whether a letter is no part of a name: outside shapes it stands between no words, inside one it stands apart
    from the shape's words."""
    if home is None:
        return not _is_between(token, tokens)
    beside = (_is_beside(one, two) for other in tokens for one, two in ((token, other), (other, token)))
    return home in named and not any(beside)


def _apart(token: Token) -> list[Token]:
    """A word letter by letter."""
    x0, y0, x1, y1 = token.box
    step = (x1 - x0) / len(token.text)
    places = [(x0 + step * place, y0, x0 + step * (place + 1), y1) for place in range(len(token.text))]
    return [replace(token, text=letter, box=box) for letter, box in zip(token.text, places, strict=True)]


def _is_between(token: Token, tokens: Sequence[Token]) -> bool:
    words = [other for other in tokens if not SIGN.fullmatch(other.text) and not _is_letters(other)]
    return any(_is_beside(word, token) for word in words) and any(_is_beside(token, word) for word in words)


def _is_beside(left: Token, right: Token) -> bool:
    """On one baseline, in about one size, and no further apart than two spaces."""
    a, b = left.box, right.box
    height = min(a[3] - a[1], b[3] - b[1])
    shared = min(a[3], b[3]) - max(a[1], b[1])
    near = -0.3 * height < b[0] - a[2] < 0.55 * min(left.size, right.size) + 0.5
    return near and shared > 0.6 * height and max(left.size, right.size) < 1.6 * min(left.size, right.size)


def _turned(token: Token, turn: int) -> Token:
    """The word as if its page had been turned until it stands upright."""
    x0, y0, x1, y1 = token.box
    if turn == 1:  # reads downwards
        return replace(token, box=(y0, -x1, y1, -x0))
    return replace(token, box=(-y1, x0, -y0, x1)) if turn == 3 else token


def _turned_back(box: Rect, turn: int) -> Rect:
    x0, y0, x1, y1 = box
    if turn == 1:
        return (-y1, x0, -y0, x1)
    return (y0, -x1, y1, -x0) if turn == 3 else box


def _lines(words: Sequence[tuple[Token, int | None]]) -> list[_Line]:
    """Words side by side in one shape, from left to right."""
    lines: list[_Line] = []
    for token, home in sorted(words, key=lambda word: word[0].box[0]):
        beside = [line for line in lines if line.shape == home and _is_beside(line.tokens[-1], token)]
        if beside:
            nearest = min(beside, key=lambda line: abs(line.box[1] - token.box[1]))
            nearest.tokens.append(token)
            nearest.__post_init__()
        else:
            lines.append(_Line([token], home))
    return lines


def _stacked(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Lines one above the other, as labels set them."""
    labels: list[list[_Line]] = []
    for line in sorted(lines, key=lambda one: (one.box[1], one.box[0])):
        above = [label for label in labels if _is_below(label[-1], line)]
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
    return shared > 0.5 * narrow and _unlike(above, line) < (1.5 if line.shape is None else 4.0) * line.size


def _unlike(above: _Line, line: _Line) -> float:
    """How far two lines are from sharing their middle, or a left or right edge."""
    a, b = above.box, line.box
    return min(abs(a[0] + a[2] - b[0] - b[2]) / 2, abs(a[0] - b[0]), abs(a[2] - b[2]))


def _label(group: list[_Line], turn: int, shapes: Sequence[Outline], vocabulary: Collection[str]) -> Label | None:
    """The label of a few lines; None if they are numbers, a caption or running text."""
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
    return Label(text, tuple(texts), joined(boxes), median(line.size for line in group), shape, bodies)


def _tight(box: Rect) -> Rect:
    """A line's box holds room above and below its letters, in which arrows may already end."""
    x0, y0, x1, y1 = box
    slim = 0.12 * min(x1 - x0, y1 - y0)
    return (x0, y0 + slim, x1, y1 - slim) if x1 - x0 >= y1 - y0 else (x0 + slim, y0, x1 - slim, y1)


def _sentence(lines: Sequence[str], vocabulary: Collection[str]) -> str:
    """Lines as one name. A hyphen at a line's end goes unless the page prints the word with it, or what follows
    begins with no small letter."""
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


def _without_bare_marks(labels: list[Label]) -> tuple[list[Label], list[Point]]:
    """A lone R or B among longer names, in no shape, marks a loop; in a figure of letters it is a name."""
    if not any(len(label.text) > 3 for label in labels):
        return labels, []
    marks = [label for label in labels if label.shape is None and BARE_MARK.fullmatch(label.text)]
    return [label for label in labels if label not in marks], [centre(label.box) for label in marks]


def _in_shapes_of_their_own(labels: Sequence[Label]) -> list[Label]:
    """A shape around several labels is a frame, not a node: its labels stand bare."""
    kept = []
    for label in labels:
        shared = label.shape is not None and sum(other.shape == label.shape for other in labels) > 1
        kept.append(replace(label, shape=None, bodies=(corners(_tight(label.box)),)) if shared else label)
    return kept
