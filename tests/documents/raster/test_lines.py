"""Lines of a picture: thinning, heads, crossings, dashes and gaps, on small drawings."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from documents.proposals.shapes import Outline, Point
from documents.raster.figure import trace
from documents.raster.flares import HIDDEN_HEAD
from documents.raster.ink import EM, depth_of, ink_of
from documents.raster.linking import MERGES, Trace, along_lines
from documents.raster.skeleton import thinned

BLACK = (0, 0, 0)


def paper(high: int = 200, wide: int = 420) -> np.ndarray:
    return np.full((high, wide, 3), 255, np.uint8)


def arrow(picture: np.ndarray, start: Point, tip: Point, colour: tuple[int, int, int] = BLACK) -> None:
    """A line with a painted head of 0.6 letters."""
    dx, dy = (tip[0] - start[0], tip[1] - start[1])
    long = math.hypot(dx, dy)
    dx, dy = dx / long, dy / long
    back = (tip[0] - 22 * dx, tip[1] - 22 * dy)
    wings = [(back[0] - 8 * dy * way, back[1] + 8 * dx * way) for way in (1, -1)]
    cv2.line(picture, _whole(start), _whole(back), colour, 2, cv2.LINE_AA)
    cv2.fillPoly(picture, [np.array([_whole(p) for p in (tip, *wings)])], colour, cv2.LINE_AA)


def _whole(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def box(x: float, y: float, half: float = 38) -> Outline:
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return Outline(points=corners, closed=True)


def read(picture: np.ndarray) -> tuple[list[Outline], list[Outline], list[str]]:
    """Heads, strokes and what is doubtful."""
    outlines, seams = trace(ink_of(depth_of(picture)), picture, ())
    heads = [one for one in outlines if one.closed or (len(one.points) == 3 and not one.curved)]
    return heads, [one for one in outlines if one not in heads], [seam.reason for seam in seams]


def ends(stroke: Outline) -> set[tuple[int, int]]:
    """Both ends, to the nearest letter."""
    return {(round(x / EM), round(y / EM)) for x, y in (stroke.points[0], stroke.points[-1])}


def test_a_thick_bar_is_thinned_to_its_middle_line() -> None:
    ink = np.zeros((30, 60), bool)
    ink[10:17, 5:55] = True
    ys, xs = np.nonzero(thinned(ink))
    assert len(ys) == len(set(xs.tolist()))  # one pixel a column
    assert set(ys.tolist()) <= {12, 13, 14}
    assert xs.max() - xs.min() > 40


@pytest.mark.parametrize("tip", [(380.0, 100.0), (300.0, 20.0), (40.0, 180.0)])
def test_a_painted_head_points_where_its_line_points(tip: Point) -> None:
    picture = paper()
    arrow(picture, (200, 100), tip)
    (head,), (stroke,), _ = read(picture)
    assert math.dist(head.points[0], tip) < 0.3 * EM
    assert min(math.dist(point, (200, 100)) for point in (stroke.points[0], stroke.points[-1])) < 0.2 * EM


def test_an_open_head_of_two_wings_is_found() -> None:
    picture = paper()
    for start, end in (((40, 100), (360, 100)), ((335, 85), (360, 100)), ((335, 115), (360, 100))):
        cv2.line(picture, start, end, BLACK, 2, cv2.LINE_AA)
    (head,), strokes, _ = read(picture)
    assert min(math.dist(point, (360, 100)) for point in head.points[:2]) < 0.25 * EM
    assert len(strokes) == 1


def test_lines_that_cross_go_straight_on() -> None:
    picture = paper(300, 420)
    cv2.line(picture, (20, 40), (400, 240), BLACK, 2, cv2.LINE_AA)
    cv2.line(picture, (20, 240), (400, 40), BLACK, 2, cv2.LINE_AA)
    _, strokes, _ = read(picture)
    assert sorted(map(sorted, map(ends, strokes))) == [[(1, 1), (11, 7)], [(1, 7), (11, 1)]]


def test_dashes_are_one_line() -> None:
    picture = paper()
    for x in range(20, 380, 24):
        cv2.line(picture, (x, 100), (x + 13, 100), BLACK, 3)
    _, strokes, reasons = read(picture)
    assert [ends(stroke) for stroke in strokes] == [{(1, 3), (10, 3)}]
    assert reasons == []  # a dashed line is no repaired one


def test_a_pale_line_is_ink_and_the_soft_edge_of_a_dark_one_is_not() -> None:
    picture = paper()
    cv2.line(picture, (20, 40), (400, 40), (205, 205, 205), 3)
    cv2.line(picture, (20, 140), (400, 140), BLACK, 3)
    cv2.line(picture, (20, 143), (400, 143), (200, 200, 200), 1)
    ink = ink_of(depth_of(picture))
    assert ink[40, 200]
    assert ink[140, 200]
    assert not ink[143, 200]


def test_a_line_that_runs_into_another_before_its_head_goes_on_to_the_head() -> None:
    picture = paper(300, 420)
    arrow(picture, (20, 150), (380, 150))
    cv2.line(picture, (80, 40), (270, 150), BLACK, 2, cv2.LINE_AA)
    heads, strokes, reasons = read(picture)
    assert len(heads) == 1
    assert MERGES in reasons
    near = [min(math.dist(end, (365, 150)) for end in (one.points[0], one.points[-1])) for one in strokes]
    assert len([far for far in near if far < EM]) == 2


def test_a_place_where_three_lines_cross_is_no_hollow_head() -> None:
    picture = paper(300, 420)
    for start, end in (((20, 140), (400, 150)), ((120, 20), (220, 280)), ((240, 20), (140, 280))):
        cv2.line(picture, start, end, BLACK, 2, cv2.LINE_AA)
    heads, _, _ = read(picture)
    assert heads == []


def test_a_row_of_dots_is_a_line_and_scattered_dots_are_none() -> None:
    picture = paper()
    for x in range(20, 380, 14):
        cv2.circle(picture, (x, 100), 2, BLACK, cv2.FILLED)
    for place in ((50, 30), (75, 45), (200, 160)):
        cv2.circle(picture, place, 2, BLACK, cv2.FILLED)
    _, strokes, _ = read(picture)
    assert [ends(stroke) for stroke in strokes] == [{(1, 3), (10, 3)}]


def test_a_line_goes_on_round_a_sharp_corner() -> None:
    picture = paper()
    cv2.polylines(picture, [np.array([(40, 160), (200, 160), (200, 30)])], False, BLACK, 2, cv2.LINE_AA)
    _, strokes, _ = read(picture)
    assert [ends(stroke) for stroke in strokes] == [{(1, 4), (6, 1)}]


def test_thick_lines_that_cross_go_straight_on() -> None:
    picture = paper(300, 420)
    cv2.line(picture, (20, 60), (400, 220), BLACK, 12, cv2.LINE_AA)
    cv2.line(picture, (20, 220), (400, 60), BLACK, 12, cv2.LINE_AA)
    _, strokes, _ = read(picture)
    assert sum(stroke.length > 10 * EM for stroke in strokes) == 2


def test_a_slanted_bar_of_two_pixels_is_not_thinned_away() -> None:
    ink = np.zeros((30, 30), bool)
    for step in range(5, 20):
        ink[step, step] = ink[step, step + 1] = True
    ys, _ = np.nonzero(thinned(ink))
    assert len(ys) >= 12


def test_an_open_head_is_found_whose_line_ends_before_its_tip() -> None:
    picture = paper()
    cv2.line(picture, (40, 100), (346, 100), BLACK, 2, cv2.LINE_AA)
    wings = np.array([(338, 86), (356, 100), (338, 114)])
    cv2.polylines(picture, [wings], isClosed=False, color=BLACK, thickness=2, lineType=cv2.LINE_AA)
    (head,), (stroke,), _ = read(picture)
    assert math.dist(head.points[0], (356, 100)) < 0.15 * EM
    assert ends(stroke) == {(1, 3), (10, 3)}


@pytest.mark.parametrize("tail", [316, 335])
def test_a_head_is_found_with_the_last_dash_of_its_line_and_no_more(tail: int) -> None:
    picture = paper()
    arrow(picture, (tail, 100), (370, 100))
    for start in (40, 95, 150, 205, 260):
        cv2.line(picture, (start, 100), (start + 32, 100), BLACK, 2, cv2.LINE_AA)
    (head,), _, _ = read(picture)
    assert math.dist(head.points[0], (370, 100)) < 0.25 * EM


def test_two_heads_that_touch_each_other_are_two() -> None:
    picture = paper()
    for y in (40.0, 160.0):
        arrow(picture, (40.0, y), (300.0, y))
    arrow(picture, (60.0, 84.0), (320.0, 95.0))
    arrow(picture, (60.0, 124.0), (320.0, 107.0))
    heads, _, _ = read(picture)
    tips = [max(head.points) for head in heads]
    assert sorted(round(y / 20) for _, y in tips) == [2, 5, 5, 8]


def test_a_head_with_equal_sides_points_as_its_line_does() -> None:
    even = Outline(points=((100.0, 100.0), (126.0, 115.0), (100.0, 130.0)), closed=True, filled=True)
    down = Trace(np.array([(108.0, 20.0), (108.0, 60.0), (108.0, 104.0)]), np.zeros(3))
    (head,) = along_lines([even], [down])
    tip = max(head.points, key=lambda point: point[1])
    assert tip[1] > 125
    assert sum(point[1] < 105 for point in head.points) == 2
    far = Trace(down.points - (0.0, 60.0), down.colour)
    assert along_lines([even], [far]) == [even]


def test_an_open_head_with_wings_of_two_lengths_is_one_that_can_be_read_one_way() -> None:
    picture = paper()
    for start, end in (((40, 100), (360, 100)), ((338, 86), (360, 100)), ((325, 124), (360, 100))):
        cv2.line(picture, start, end, BLACK, 2, cv2.LINE_AA)
    (head,), strokes, _ = read(picture)
    assert head.closed and math.dist(head.points[0], (360, 100)) < 0.3 * EM
    assert len(strokes) == 1


def test_where_most_lines_have_no_head_one_that_widens_at_one_end_has_it_there() -> None:
    picture = paper(300, 420)
    for y in (60, 240):
        cv2.line(picture, (40, y), (360, y), BLACK, 3, cv2.LINE_AA)
    for dx, dy in ((-5, -9), (-8, 10), (-4, -12), (-2, 11)):  # strokes of a brush, apart from the line
        cv2.line(picture, (356 + dx, 60 + dy), (360 + dx, 60 + dy), BLACK, 3)
    heads, _, _ = read(picture)
    assert [round(head.points[0][0] / EM) for head in heads] == [10]
    assert abs(heads[0].points[0][1] - 60) < 0.2 * EM


def test_a_line_goes_on_under_a_sign_printed_on_it() -> None:
    picture = paper()
    cv2.line(picture, (180, 100), (210, 100), BLACK, 3)
    cv2.line(picture, (255, 100), (400, 100), BLACK, 3)
    outlines, _ = trace(ink_of(depth_of(picture)), picture, [(222, 88, 244, 112)])
    assert sorted(map(ends, outlines)) == [{(5, 3), (11, 3)}]


def test_a_line_goes_on_over_a_sign_to_the_head_just_behind_it() -> None:
    picture = paper()
    cv2.line(picture, (40, 100), (240, 100), BLACK, 2)
    cv2.fillPoly(picture, [np.array([(300, 100), (276, 90), (276, 110)])], BLACK)
    sign = (246.0, 90.0, 270.0, 110.0)
    for signs, tip in (([sign], 8), ([], 7)):
        outlines, _ = trace(ink_of(depth_of(picture)), picture, signs)
        (stroke,) = [one for one in outlines if not one.closed]
        assert max(x for x, _ in ends(stroke)) == tip


def test_a_head_of_which_a_node_leaves_one_side_is_at_the_thicker_end_and_doubtful() -> None:
    picture = paper()
    for y in (30.0, 170.0):
        arrow(picture, (60.0, y), (350.0, y))
    cv2.line(picture, (60, 100), (350, 100), BLACK, 3, cv2.LINE_AA)
    cv2.fillPoly(picture, [np.array([(349, 100), (338, 92), (338, 100)])], BLACK)
    nodes = [box(20, 100), box(390, 100)]
    outlines, seams = trace(ink_of(depth_of(picture)), picture, (), nodes)
    tips = [one.points[0] for one in outlines if one.closed]
    assert min(math.dist(tip, (350, 100)) for tip in tips) < 0.5 * EM
    assert [seam.reason for seam in seams] == [HIDDEN_HEAD]
    outlines, _ = trace(ink_of(depth_of(picture)), picture, ())
    assert sum(one.closed for one in outlines) == len(tips) - 1
