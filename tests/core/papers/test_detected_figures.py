"""Found figures: one place or another, and what became of each."""

from __future__ import annotations

import json

import pytest

from core.papers.detected_figures import (
    DecisionHere,
    DetectedFigure,
    FigureDecision,
    FoundState,
    PageFigures,
    is_same_place,
    overlap,
    state_of,
)
from core.papers.pages import Box, FigureRegion

HERE = Box(100, 100, 300, 200)
NEARLY = Box(104, 102, 300, 200)  # 196 x 98 of 200 x 100 points: 0.96
ELSEWHERE = Box(100, 300, 300, 400)
WAITING, LOCATED, LEFT_OUT = FigureDecision


@pytest.mark.parametrize(
    ("a", "b", "shared"),
    [
        (Box(0, 0, 10, 10), Box(0, 0, 10, 10), 1.0),
        (Box(0, 0, 10, 10), Box(5, 0, 15, 10), 50 / 150),
        (Box(0, 0, 10, 10), Box(20, 0, 30, 10), 0.0),
        (Box(0, 0, 0, 0), Box(0, 0, 0, 0), 0.0),
    ],
)
def test_places_are_compared_by_the_area_they_share(a: Box, b: Box, shared: float) -> None:
    assert overlap(a, b) == overlap(b, a) == pytest.approx(shared)


def test_a_place_that_moved_a_little_is_the_same() -> None:
    assert is_same_place(HERE, NEARLY)
    assert not is_same_place(HERE, Box(100, 100, 300, 179))  # 0.79


def test_a_figure_nobody_has_decided_on_waits() -> None:
    assert state_of(HERE, [], []) == FoundState(WAITING, None)
    assert state_of(HERE, [DetectedFigure("other", ELSEWHERE, False)], []) == FoundState(WAITING, None)


def test_a_figure_in_use_at_the_place_makes_it_located_whoever_located_it() -> None:
    drawn = DetectedFigure("drawn", NEARLY, False)
    assert state_of(HERE, [drawn], []) == FoundState(LOCATED, "drawn")
    assert state_of(HERE, [drawn], [DecisionHere(HERE, LEFT_OUT, None)]) == FoundState(LOCATED, "drawn")


def test_a_located_figure_whose_rectangle_was_corrected_is_still_the_found_one() -> None:
    moved = DetectedFigure("moved", Box(100, 100, 300, 400), False)
    assert state_of(HERE, [moved], []).decision is WAITING
    assert state_of(HERE, [moved], [DecisionHere(HERE, LOCATED, "moved")]) == FoundState(LOCATED, "moved")


def test_an_archived_figure_is_left_out_until_that_is_taken_back() -> None:
    gone = DetectedFigure("gone", HERE, True)
    assert state_of(HERE, [gone], []) == FoundState(LEFT_OUT, "gone")
    assert state_of(HERE, [gone], [DecisionHere(HERE, LOCATED, "gone")]) == FoundState(LEFT_OUT, "gone")
    assert state_of(HERE, [gone], [DecisionHere(HERE, WAITING, "gone")]) == FoundState(WAITING, "gone")


def test_a_decision_holds_for_the_place_as_it_is_found_later() -> None:
    assert state_of(NEARLY, [], [DecisionHere(HERE, LEFT_OUT, None)]) == FoundState(LEFT_OUT, None)
    assert state_of(ELSEWHERE, [], [DecisionHere(HERE, LEFT_OUT, None)]) == FoundState(WAITING, None)


@pytest.mark.parametrize(
    "page",
    [
        PageFigures(
            3, 612, 792, (FigureRegion(HERE, "vector", "Figure 1", "Loops"), FigureRegion(ELSEWHERE, "raster"))
        ),
        PageFigures(3, 612, 792, ()),
        PageFigures(3, 0, 0, (), "Page 3 cannot be read."),
    ],
)
def test_a_page_is_read_back_as_it_was_kept(page: PageFigures) -> None:
    assert PageFigures.from_json(3, json.loads(json.dumps(page.as_json()))) == page
