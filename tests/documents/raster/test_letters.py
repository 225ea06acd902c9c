"""Letters among painted outlines, apart from rims, dots and heads, and the lines they stand in."""

from __future__ import annotations

import math
from itertools import count

from documents.proposals.shapes import Outline, Point
from documents.raster.letters import LetterLine, find_lines, has_turned_words, without_halos

NEXT = count()


def painted(*points: Point, order: int | None = None) -> Outline:
    """Each in a path of its own."""
    return Outline(points=points, closed=True, filled=True, stroked=False, order=next(NEXT) if order is None else order)


def hook(x: float, foot: float, high: float = 7.0) -> Outline:
    """A letter like L with a serif, 4 points wide."""
    shape = ((0, 0), (1, 0), (1, high - 1), (4, high - 1), (4, high), (0, high))
    return painted(*((x + dx, foot - high + dy) for dx, dy in shape))


def bar(x: float, foot: float, high: float = 7.0) -> Outline:
    return painted((x, foot - high), (x + 1, foot - high), (x + 1, foot), (x, foot))


def dash(x: float, y: float) -> Outline:
    return painted((x, y), (x + 3, y), (x + 3, y + 0.7), (x, y + 0.7))


def word(x: float, foot: float, letters: int = 4) -> list[Outline]:
    return [hook(x + 5 * place, foot) for place in range(letters)]


def arrowhead(x: float, y: float, degrees: float) -> Outline:
    """A notched head of six corners."""
    shape = ((6, 0), (-2, 3), (-1, 1), (0, 0), (-1, -1), (-2, -3))
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return painted(*((x + px * cos - py * sin, y + px * sin + py * cos) for px, py in shape))


def counts(lines: list[LetterLine]) -> list[int]:
    return sorted(len(line.letters) for line in lines)


def test_words_a_space_apart_are_one_line_and_names_far_apart_are_two() -> None:
    assert counts(find_lines([*word(0, 50), *word(23, 50), *word(80, 50), *word(0, 64)])) == [4, 4, 8]


def test_rims_dots_heads_and_strokes_are_no_letters() -> None:
    disc = painted(*((60 + 4 * math.cos(k / 3), 46 + 4 * math.sin(k / 3)) for k in range(19)))
    box = painted((-3, 38), (70, 38), (70, 54), (-3, 54))
    stroke = Outline(points=((0, 46), (70, 46)))
    (line,) = find_lines([box, *word(0, 50), disc, stroke])
    assert len(line.letters) == 4


def test_what_is_painted_at_several_angles_is_a_head_also_beside_a_name() -> None:
    heads = [arrowhead(25, 46, 0), arrowhead(200, 100, 37), arrowhead(300, 200, 71)]
    assert counts(find_lines([*word(0, 50), *heads])) == [4]


def test_a_dot_above_a_bar_and_a_hyphen_between_words_are_letters_and_a_dash_beside_a_name_is_none() -> None:
    dot = painted((21, 43), (22, 43), (22, 44), (21, 44))
    with_i = [*word(0, 50), bar(21, 50, 5), dot, *word(24, 50)]
    assert counts(find_lines(with_i)) == [9]
    hyphened = [*word(0, 80), dash(20, 76), *word(25, 80), dash(47, 76)]
    assert counts(find_lines(hyphened)) == [9]


def test_a_hole_belongs_to_the_outline_of_its_path() -> None:
    ring = [
        painted((22, 44), (26, 44), (26, 50), (22, 50), order=-1),
        painted((23, 45), (25, 45), (25, 49), (23, 49), order=-1),
    ]
    (line,) = find_lines([*word(0, 50), *ring])
    assert len(line.letters) == 5
    assert len(line.letters[-1][0].parts) == 2


def test_names_that_touch_on_two_levels_are_two_lines() -> None:
    assert counts(find_lines([*word(0, 50), *word(20, 51)])) == [4, 4]
    hanging = [hook(20 + 5 * place, 52, 7) for place in range(4)]  # as in "pply": 0.21 of the size below
    assert counts(find_lines([*word(0, 50), *hanging])) == [8]


def test_letters_one_above_the_other_are_turned_words() -> None:
    stack = [hook(0, 10 + 8 * place) for place in range(5)]
    assert has_turned_words(find_lines(stack))
    assert not has_turned_words(find_lines([*word(0, 50), *word(0, 64)]))


def test_a_white_halo_behind_a_letter_is_left_out_and_white_letters_are_not() -> None:
    dark = word(0, 50)
    white = word(90, 50)
    assert without_halos([*word(0.2, 50.1), *white], dark) == white


def test_a_line_of_bent_dashes_alone_is_no_text() -> None:
    bent = [painted((x, 46), (x + 3, 46.2), (x + 6, 46), (x + 6, 46.7), (x + 3, 46.9), (x, 46.7)) for x in (0, 8, 16)]
    assert find_lines(bent) == []
    assert counts(find_lines([*bent, *word(80, 50)])) == [4]
