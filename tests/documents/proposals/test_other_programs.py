"""Lines and heads as browsers, office programs and graph libraries draw them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pytest

from documents.proposals.lines.strokes import sort_pieces
from documents.proposals.shapes import Outline, Point, enough_steps
from tests.documents.figure_parts import BLUE, arrow, box, edges, head, line, proposed, words

RAIN, HARVEST = (100.0, 100.0), (300.0, 100.0)
START, TIP = (118.0, 100.0), (278.0, 100.0)
NAMES = [*words("Rain", *RAIN), *words("Harvest", *HARVEST)]


def painted(*points: Point, order: int = 0) -> Outline:
    return Outline(points=points, closed=True, filled=True, stroked=False, order=order)


def disc(x: float, y: float, radius: float, order: int = 0) -> Outline:
    turns = [math.radians(degrees) for degrees in range(0, 360, 15)]
    return painted(*((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns), order=order)


def dash(start: Point, end: Point, half: float = 0.5, order: int = 0) -> Outline:
    """A dash painted as a rectangle."""
    away = math.dist(start, end)
    dx, dy = half * (end[0] - start[0]) / away, half * (end[1] - start[1]) / away
    (a, b), (c, d) = start, end
    return painted((a - dy, b + dx), (c - dy, d + dx), (c + dy, d - dx), (a + dy, b - dx), order=order)


def test_an_open_head_painted_with_the_last_bit_of_its_shaft_is_a_head() -> None:
    barbs = [(0, 0), (-6.5, 3.5), (-7, 2.3), (-3.5, 0.7), (-7, 0.7), (-7, -0.7), (-3.5, -0.7), (-7, -2.3), (-6.5, -3.5)]
    strokes = [line(START, (271, 100)), painted(*((278 + x, 100 + y) for x, y in barbs), order=1)]
    found = proposed(NAMES, strokes)
    assert edges(found) == ["Rain -> Harvest"]
    assert math.dist(found.edges[0].path[-1], TIP) < 0.1


def test_lines_to_the_centres_of_shapes_painted_over_them_end_at_their_rims() -> None:
    tokens = [*NAMES, *words("Income", 300, 300)]
    shapes = [box(100, 100, 30, 12), box(300, 100, 30, 12), box(300, 300, 30, 12)]
    lines = [line(RAIN, HARVEST), line((300, 100), (300, 300), order=1), line(RAIN, (300, 300), order=2)]
    heads = [head((270, 100), RAIN, 3), head((300, 288), HARVEST, 4), head((287.0, 287.0), RAIN, 5)]
    found = proposed(tokens, [*lines, *shapes, *heads])
    assert edges(found) == ["Harvest -> Income", "Rain -> Harvest", "Rain -> Income"]
    assert all(edge.is_certain for edge in found.edges)
    assert {edge.path[0] for edge in found.edges} == {(130.0, 100.0), (300.0, 112.0), (112.0, 112.0)}


def curve_at(share: float) -> Point:
    return 118 + 154 * share, 100 - 60 * math.sin(math.pi * share) * (1 - share)


@pytest.mark.parametrize(
    ("dashes", "dots"),
    [
        pytest.param([*range(0, 99, 4), *(at + 1.5 for at in range(0, 96, 4))], (), id="two dashes without a gap"),
        pytest.param(range(0, 100, 3), (), id="dashed"),
        pytest.param((), range(0, 100, 2), id="dotted"),
        pytest.param(range(0, 100, 6), range(4, 100, 6), id="dash-dotted"),
    ],
)
def test_dots_and_dashes_painted_one_by_one_are_a_line(dashes: Iterable[float], dots: Iterable[float]) -> None:
    pieces = {at: dash(curve_at(at / 100), curve_at((at + 1.5) / 100)) for at in dashes}
    pieces |= {at: disc(*curve_at(at / 100), 0.5) for at in dots}
    found = proposed(NAMES, [*(pieces[at] for at in sorted(pieces)), head(TIP, (270, 99), 1)])
    assert edges(found) == ["Rain -> Harvest"]
    assert found.edges[0].is_certain, found.edges[0].reasons


def test_dotted_lines_that_cross_keep_their_ends() -> None:
    tokens = [*NAMES, *words("Sun", 100, 160), *words("Cost", 300, 160)]
    one = [dash((x, 100 + (x - 118) / 3), (x + 2, 100 + (x - 116) / 3)) for x in range(118, 278, 4)]
    two = [replace(piece, points=tuple((x, 260 - y) for x, y in piece.points), order=2) for piece in one]
    heads = [head((284, 155.3), (118, 100), 1), head((284, 104.7), (118, 160), 3)]
    assert edges(proposed(tokens, [*one, heads[0], *two, heads[1]])) == ["Rain -> Cost", "Sun -> Harvest"]


def test_the_strokes_of_painted_letters_are_no_line() -> None:
    bars = [dash((x, 94), (x, 106)) for x in range(125, 270, 4)]
    assert proposed(NAMES, [*bars, head(TIP, START, 1)]).edges == ()


def test_heads_that_lie_upon_each_other_belong_to_as_many_lines() -> None:
    tokens = [*NAMES, *words("Sun", 100, 160)]
    strokes = [
        *arrow(START, TIP, 0),
        line((118, 155), (200, 130), (250, 100), (278, 100), order=2),
        head(TIP, START, 3),
    ]
    found = proposed(tokens, strokes)
    assert edges(found) == ["Rain -> Harvest", "Sun -> Harvest"]
    assert not any(edge.is_direction_doubtful for edge in found.edges)


def test_a_head_painted_and_then_outlined_is_one() -> None:
    rim = replace(head(TIP, START, 2, BLUE), filled=False)
    assert len(proposed(NAMES, [*arrow(START, TIP), rim]).edges) == 1


def stadium(x: float, y: float, wide: float, high: float, points: int = 100) -> list[Point]:
    turns = [2 * math.pi * place / points for place in range(points)]
    ends = [(wide - high if math.cos(turn) > 0 else high - wide) for turn in turns]
    return [(x + end + high * math.cos(turn), y + high * math.sin(turn)) for end, turn in zip(ends, turns, strict=True)]


def test_a_rim_drawn_in_many_strokes_and_slivers_is_no_line() -> None:
    rims = [stadium(*place, 30, 12) for place in (RAIN, HARVEST)]
    shapes = [replace(painted(*rim), stroked=True) for rim in rims]
    strokes = [line(a, b, order=1) for rim in rims for a, b in pairwise([*rim, rim[0]])]
    slivers = [painted(*rim[place : place + 3], order=2) for rim in rims for place in range(98)]
    drawn = [*shapes, *strokes, *slivers, *arrow((130, 100), (270, 100), 3)]
    pieces = sort_pieces(drawn, shapes, 10)
    assert [piece.points for piece in (*pieces.lines, *pieces.wings)] == [((130, 100), (270, 100))]
    assert len(pieces.solids) == 1
    assert edges(proposed(NAMES, drawn)) == ["Rain -> Harvest"]


@pytest.mark.parametrize(
    ("curve", "steps"),
    [
        pytest.param(((0, 0), (100, 0), (200, 0), (300, 0)), 1, id="straight"),
        pytest.param(((100, 0), (100, 13.2), (97.4, 26), (92.4, 38.3)), 7, id="a sixteenth of a large circle"),
        pytest.param(((4, 0), (4, 0.5), (3.9, 1), (3.7, 1.5)), 4, id="a sixteenth of a small circle"),
        pytest.param(((0, 0), (0, 100), (100, 100), (100, 0)), 14, id="a turn"),
        pytest.param(((0, 0), (0, 0), (0, 0), (0, 0)), 1, id="no way at all"),
    ],
)
def test_curves_are_cut_into_as_few_steps_as_they_bend(curve: tuple[Point, Point, Point, Point], steps: int) -> None:
    assert enough_steps(*curve) == steps


def test_the_dashed_rim_of_a_head_is_no_line() -> None:
    tip, left, right = head(TIP, START, 1).points
    pieces = [
        dash((a[0] + (b[0] - a[0]) * at, a[1] + (b[1] - a[1]) * at), (a[0] + (b[0] - a[0]) * (at + 0.12), b[1]), 0.2, 2)
        for a, b in ((tip, left), (left, right), (right, tip))
        for at in (0.1, 0.3, 0.5, 0.7)
    ]
    drawn = [*(dash((x, 100), (x + 1.5, 100)) for x in range(118, 270, 3)), head(TIP, START, 1), *pieces]
    assert len(sort_pieces(drawn, [], 10).lines) == 1


def test_words_with_a_halo_are_one_name() -> None:
    halo = [replace(token, box=(*token.box[:3], token.box[3] + 1)) for token in NAMES]
    found = proposed([*halo, *NAMES, *words("Rain", 100, 300)], arrow(START, TIP))
    assert sorted(name.text for name in found.names) == ["Harvest", "Rain", "Rain"]


def test_a_small_open_head_painted_after_the_dashes_is_no_dash() -> None:
    dashes = [dash((x, 100), (x + 5, 100), 1) for x in range(118, 271, 8)]
    chevron = painted((278, 100), (274.5, 96.5), (273.3, 97.7), (275.6, 100), (273.3, 102.3), (274.5, 103.5), order=1)
    found = proposed(NAMES, [*dashes, chevron])
    assert edges(found) == ["Rain -> Harvest"]
    assert found.edges[0].path[-1] == TIP


def test_dots_wider_than_long_are_a_line() -> None:
    dots = [dash((x, 100), (x + 1, 100), 1) for x in range(118, 270, 2)]
    assert edges(proposed(NAMES, [*dots, head(TIP, START, 1)])) == ["Rain -> Harvest"]


def test_dots_each_in_a_path_of_its_own_are_a_line() -> None:
    dots = [disc(x, 100, 0.6, order) for order, x in enumerate(range(118, 270, 3))]
    assert edges(proposed(NAMES, [*dots, head(TIP, START, len(dots))])) == ["Rain -> Harvest"]


def test_short_dashes_of_which_two_touch_are_a_line_at_any_width() -> None:
    """The pattern "0,2 1" of a browser: three on, three off, each dash in two pieces of which none is long."""
    places = [118 + 4.5 * number for number in range(34)]
    parts = [part for x in places for part in ((x, x + 0.75), (x + 0.75, x + 2.25))]
    pieces = [dash((start, 100), (end, 100), 0.36) for start, end in parts]
    assert edges(proposed(NAMES, [*pieces, head(TIP, START, 1)])) == ["Rain -> Harvest"]


def test_a_line_that_turns_back_sharply_between_long_legs_is_one() -> None:
    """Layout programs lead straight pieces around boxes; a pen that draws a head turns at a short leg."""
    bent = line(START, (330, 190), (220, 200), TIP)
    assert edges(proposed(NAMES, [bent, head(TIP, (220, 200), 1)])) == ["Rain -> Harvest"]
