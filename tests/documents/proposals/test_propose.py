"""Arrows of every make between two names, and what is said of the doubtful ones."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.proposals.flows import OUTFLOW
from documents.proposals.matching import NO_LINE
from documents.proposals.propose import TWO_SIGNS
from documents.proposals.shapes import Outline, Point
from documents.proposals.words import PrintedWord
from tests.documents.figure_parts import BLUE, arrow, box, curve, edges, head, label, line, proposed, wings, words

RAIN, HARVEST = (100.0, 100.0), (300.0, 100.0)
START, TIP = (118.0, 100.0), (278.0, 100.0)
NAMES = [*words("Rain", *RAIN), *words("Harvest", *HARVEST)]


def open_head(tip: Point, start: Point) -> list[Outline]:
    left, right = wings(tip, start)
    return [line(left, tip, order=1), line(right, tip, order=2)]


def bent_head(tip: Point, start: Point) -> Outline:
    left, right = wings(tip, start)
    return line(left, tip, right, order=1)


def bar(start: Point, end: Point) -> Outline:
    (x0, y), (x1, _) = start, end
    return Outline(
        points=((x0, y - 0.5), (x1, y - 0.5), (x1, y + 0.5), (x0, y + 0.5)), closed=True, filled=True, order=0
    )


def block(start: Point, tip: Point, sag: float) -> Outline:
    """An arrow as one polygon along a parabola that leaves the straight line by `sag`."""

    def at(share: float, aside: float) -> Point:
        x = start[0] + share * (tip[0] - start[0])
        slope = 4 * sag * (1 - 2 * share) / (tip[0] - start[0])
        y = start[1] + 4 * sag * share * (1 - share)
        tilt = math.hypot(1, slope)
        return x - aside * slope / tilt, y + aside / tilt

    shares = [number / 20 for number in range(20)]
    there, back = [at(share, 1.2) for share in shares], [at(share, -1.2) for share in reversed(shares)]
    return Outline(points=(*there, at(0.95, 4), tip, at(0.95, -4), *back), closed=True, filled=True)


DASHES = [line((x, 100), (min(x + 6, 272), 100), order=n) for n, x in enumerate(range(118, 274, 9))]


@pytest.mark.parametrize(
    "strokes",
    [
        pytest.param(arrow(START, TIP), id="painted head"),
        pytest.param([line(TIP, START), head(TIP, START)], id="drawn from its tip"),
        pytest.param([head(TIP, START), line(START, (271, 100), order=1)], id="head before its line"),
        pytest.param([line(START, TIP), *open_head(TIP, START)], id="open head of two strokes"),
        pytest.param([line(START, TIP), bent_head(TIP, START)], id="open head of one stroke"),
        pytest.param([line(START, TIP, wings(TIP, START)[0], TIP, wings(TIP, START)[1])], id="one pen, never lifted"),
        pytest.param([line(START, TIP, dashed=True), head(TIP, START)], id="dashed"),
        pytest.param([*DASHES, head(TIP, START, order=20)], id="dashes drawn one by one"),
        pytest.param(arrow(START, TIP, colour=BLUE), id="coloured"),
        pytest.param([curve(START, (160, 40), (230, 40), (271, 96)), head(TIP, (271, 96), 1)], id="curved"),
        pytest.param(
            [
                curve(START, (140, 70), (170, 60), (200, 60)),
                curve((200, 60), (240, 60), (260, 80), TIP, 1),
                head(TIP, (268, 90), 2),
            ],
            id="curved, in two strokes",
        ),
        pytest.param([bar(START, (272, 100)), head(TIP, START, 1)], id="shaft painted as a bar"),
        pytest.param([block(START, TIP, 0)], id="one polygon"),
        pytest.param([block(START, TIP, 40)], id="one curved polygon"),
        pytest.param(
            [
                line(START, (118, 60)),
                line((118, 60), (278, 60), order=1),
                line((278, 60), (278, 92), order=2),
                head((278, 92), (278, 60), 3),
            ],
            id="elbow",
        ),
    ],
)
def test_an_arrow_of_any_make_leads_from_its_tail_to_its_tip(strokes: list[Outline]) -> None:
    found = proposed(NAMES, strokes)
    assert edges(found) == ["Rain -> Harvest"]
    edge = found.edges[0]
    assert math.dist(edge.path[0], START) < 4
    assert math.dist(edge.path[-1], TIP) < 9
    assert edge.is_certain, edge.reasons


def test_a_head_at_each_end_is_two_edges() -> None:
    found = proposed(NAMES, [line(START, TIP), head(TIP, START, 1), head(START, TIP, 2)])
    assert edges(found) == ["Harvest -> Rain", "Rain -> Harvest"]


def test_a_reciprocal_pair_of_curves_is_two_edges() -> None:
    there, back = ((118, 95), (160, 60), (230, 60), (278, 95)), ((278, 105), (230, 140), (160, 140), (118, 105))
    strokes = [curve(*there), head(there[-1], there[-2], 1), curve(*back, order=2), head(back[-1], back[-2], 3)]
    assert edges(proposed(NAMES, strokes)) == ["Harvest -> Rain", "Rain -> Harvest"]


def test_an_arrow_that_returns_to_its_name_is_proposed_with_a_doubt() -> None:
    loop = curve((90, 92), (60, 40), (140, 40), (110, 90))
    found = proposed(NAMES, [loop, head((110, 92), (116, 75), 1)])
    assert edges(found) == ["Rain -> Rain"]
    assert found.edges[0].reasons == ("It begins and ends at one name.",)


def test_lines_without_a_head_join_nothing() -> None:
    assert proposed(NAMES, [line(START, TIP), line((100, 120), (300, 120))]).edges == ()


def test_a_line_that_begins_at_anothers_head_keeps_its_direction() -> None:
    tokens = [*NAMES, *words("Flood", 300, 300), *words("Loss", 500, 300)]
    strokes = [*arrow((318, 300), (486, 300), 0), *arrow(START, TIP, 2), *arrow((277, 105), (297, 286), 4)]
    found = proposed(tokens, strokes)
    assert edges(found) == ["Flood -> Loss", "Harvest -> Flood", "Rain -> Harvest"]
    assert not any(edge.is_direction_doubtful for edge in found.edges)


def test_two_lines_into_one_head_are_two_causes_one_of_them_doubtful() -> None:
    tokens = [*NAMES, *words("Sun", 105, 122)]
    strokes = [line(START, (271, 100)), line((118, 120), (271, 101), order=1), head(TIP, (250, 101), 2)]
    found = proposed(tokens, strokes)
    assert edges(found) == ["Rain -> Harvest", "Sun -> Harvest"]
    assert found.edges[0].is_direction_doubtful  # the doubtful one comes first
    assert not found.edges[0].is_certain


def test_a_head_between_two_close_names_needs_other_arrows_to_count() -> None:
    tokens = [*words("Price", 100, 200), *words("Cost", 136, 200)]
    lone = head((125, 200), (115, 200), 9)
    assert proposed(tokens, [lone]).edges == ()
    grid = [(x, y) for x in (100, 300) for y in (40, 80, 120)]
    tokens += [token for number, (x, y) in enumerate(grid) for token in words(f"Name{number}", x, y)]
    others = [stroke for y in (40, 80, 120) for stroke in arrow((120, y), (280, y), 2 * y)]
    found = proposed(tokens, [*others, lone])
    assert "Price -> Cost" in edges(found)
    assert [edge.reasons for edge in found.edges if edge.confidence < 0.7] == [(NO_LINE,)]


def test_a_pipe_out_of_a_stock_is_an_edge_from_its_flow_with_minus() -> None:
    tokens = [*words("Water", 100, 100), *words("Drain", 250, 120), *words("Sea", 400, 100)]
    valve = [Outline(points=((243, 95), (257, 105), (257, 95), (243, 105)), closed=True)]
    pipes = [box(100, 100, 20, 12), line((122, 100), (243, 100)), *arrow((257, 100), (388, 100), 2)]
    found = proposed(tokens, [*pipes, *valve])
    assert edges(found) == ["Drain -> Sea", "Drain ->- Water"]
    assert [edge.reasons for edge in found.edges if edge.sign] == [(OUTFLOW,)]


def test_a_pipe_of_two_lines_through_a_valve_of_four_strokes_joins_its_flow_to_both_stocks() -> None:
    tokens = [*words("Water", 100, 100), *words("Drain", 250, 125), *words("Sea", 420, 100)]
    corners = ((243, 90), (257, 110), (243, 110), (257, 90))
    valve = [line(one, other, order=5) for one, other in zip(corners, (*corners[1:], corners[0]), strict=True)]
    walls = [line((122, y), (382, y), order=2) for y in (97, 103)]
    stocks = [box(100, 100, 20, 12), box(420, 100, 20, 12)]
    big = Outline(points=((399, 100), (382, 92), (382, 108)), closed=True, filled=True, order=3)
    found = proposed(tokens, [*stocks, *valve, *walls, big])
    assert edges(found) == ["Drain -> Sea", "Drain ->- Water"]
    assert (found.kind, found.edges[1].is_direction_doubtful) == ("stocks and flows", False)


def test_two_strokes_across_a_line_are_a_delay() -> None:
    strokes = [*arrow(START, TIP), line((196, 94), (196, 106), order=3), line((200, 94), (200, 106), order=4)]
    assert edges(proposed(NAMES, strokes)) == ["Rain -> Harvest ||"]
    assert edges(proposed(NAMES, strokes[:3])) == ["Rain -> Harvest"]


def test_the_bent_arrow_around_a_loop_mark_is_no_edge_and_the_mark_no_name() -> None:
    circle = tuple((200 + 12 * math.cos(turn / 5), 160 + 12 * math.sin(turn / 5)) for turn in range(26))
    strokes = [*arrow(START, TIP), Outline(points=circle, curved=True, order=5), head(circle[-1], circle[-3], 6)]
    found = proposed([*NAMES, *words("R1", 200, 160)], strokes)
    assert edges(found) == ["Rain -> Harvest"]
    assert [name.text for name in found.names] == ["Rain", "Harvest"]


def test_an_arrow_over_a_third_name_says_so() -> None:
    found = proposed([*NAMES, *words("Soil", 200, 100)], arrow(START, TIP))
    assert found.edges[0].reasons == ("It runs over “Soil”.",)
    assert not found.edges[0].is_certain


def sign(text: str, x: float, y: float) -> PrintedWord:
    return words(text, x, y)[0]


@pytest.mark.parametrize(
    ("printed", "read"),
    [("+", "+"), ("-", "-"), ("−", "-"), ("–", "-"), ("(+)", "+"), ("(−)", "-"), ("＋", "+")],
)
def test_a_sign_at_the_head_is_the_edges(printed: str, read: str) -> None:
    assert edges(proposed([*NAMES, sign(printed, 268, 90)], arrow(START, TIP))) == [f"Rain ->{read} Harvest"]


def test_signs_that_could_be_exchanged_are_doubted() -> None:
    tokens = [*NAMES, *words("Sun", 100, 130), sign("+", 268, 92), sign("−", 268, 97)]
    strokes = [*arrow(START, TIP), *arrow((112, 128), (278, 103), 2)]
    found = proposed(tokens, strokes)
    assert [(TWO_SIGNS in edge.reasons, edge.is_certain) for edge in found.edges] == [(True, False)] * 2


# --- laws ---------------------------------------------------------------------------------------------------------

places = st.floats(-50, 650, allow_nan=False)
points = st.tuples(places, places)
anything = st.builds(
    Outline,
    points=st.lists(points, min_size=1, max_size=9).map(tuple),
    closed=st.booleans(),
    filled=st.booleans(),
    curved=st.booleans(),
    order=st.integers(0, 30),
)


@given(st.lists(anything, max_size=25))
def test_any_strokes_give_edges_between_the_names_or_none(strokes: list[Outline]) -> None:
    found = proposed([*NAMES, *words("Soil", 200, 200), sign("+", 210, 150)], strokes)
    for edge in found.edges:
        assert 0 < edge.confidence <= 1
        assert {edge.source, edge.sink} <= set(range(len(found.names)))
        assert all(math.isfinite(value) for point in edge.path for value in point)
    assert list(found.edges) == sorted(found.edges, key=lambda edge: not edge.is_direction_doubtful)


@given(points, st.floats(0.4, 6))
def test_place_and_scale_of_a_figure_do_not_matter(by: Point, scale: float) -> None:
    def moved(point: Point) -> Point:
        return point[0] * scale + by[0], point[1] * scale + by[1]

    tokens = [*label("Soil/moisture", 100, 60), *words("Harvest", *HARVEST), sign("−", 268, 90)]
    strokes = [line((130, 66), TIP), *open_head(TIP, (130, 66))]
    moved_tokens = [
        PrintedWord(one.text, (*moved(one.box[:2]), *moved(one.box[2:])), one.size * scale) for one in tokens
    ]
    moved_strokes = [Outline(points=tuple(moved(point) for point in one.points), order=one.order) for one in strokes]
    assert edges(proposed(moved_tokens, moved_strokes)) == ["Soil moisture ->- Harvest"]
