"""What counts as active time, how large a figure is, and how fast it was drawn."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.transcription.effort import FigureSize, credited, minutes_for, pace, size_of

seconds = st.floats(0, 1e6)


@pytest.mark.parametrize(
    ("nodes", "edges", "size"),
    [
        (0, 0, "small"),
        (10, 15, "small"),
        (11, 15, "middle"),
        (10, 16, "middle"),
        (25, 37, "middle"),
        (25, 38, "large"),
        (26, 37, "large"),
        (400, 3, "large"),
    ],
)
def test_the_larger_count_decides_the_size(nodes: int, edges: int, size: str) -> None:
    assert size_of(nodes, edges) is FigureSize(size)


@given(seconds, seconds)
def test_a_report_never_counts_more_than_it_says_or_than_has_passed(reported: float, since: float) -> None:
    assert credited(reported, since) == min(reported, since)


def test_a_clock_that_went_back_credits_nothing() -> None:
    assert credited(12, -3) == 0


@pytest.mark.parametrize("reported", [-0.1, math.nan, math.inf])
def test_what_is_no_number_of_seconds_is_refused(reported: float) -> None:
    with pytest.raises(BadInput, match=f"{reported} is not"):
        credited(reported, 60)


def test_pace_is_edges_over_active_minutes() -> None:
    assert pace(37, 60 * 60).value == pytest.approx(37 / 60)  # an hour for 37 edges
    assert pace(0, 60).value == 0


def test_pace_of_next_to_no_time_is_undefined_and_says_why() -> None:
    found = pace(4, 29.9)
    assert found.value is None
    assert "30 s of active time" in found.reason
    assert pace(4, 30).value == 8


def test_the_minutes_of_a_figure_are_its_nodes_times_the_pooled_time_of_a_node() -> None:
    found = minutes_for(12, drawn_nodes=40, active_s=20 * 60, tasks=4)  # 30 s a node
    assert (found.value, found.n) == (6.0, 4)


def test_the_minutes_of_a_figure_need_three_measured_transcriptions() -> None:
    few = minutes_for(12, drawn_nodes=20, active_s=600, tasks=2)
    assert few.value is None
    assert few.reason == "fewer than 3 submitted transcriptions with measured time"
    assert minutes_for(12, drawn_nodes=0, active_s=600, tasks=3).value is None
