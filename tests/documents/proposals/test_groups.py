"""Frames around nodes are groups: their titles are no names."""

from __future__ import annotations

from documents.proposals.shapes import Outline
from tests.documents.figure_parts import arrow, box, edges, proposed, words

NAMES = [*words("Rain", 100, 100), *words("Harvest", 300, 100), *words("Income", 300, 250)]
BOXES = [box(100, 100, 40, 15), box(300, 100, 40, 15), box(300, 250, 40, 15)]
ARROWS = [*arrow((140, 100), (260, 100), 10), *arrow((300, 115), (300, 235), 12)]


def names(strokes: list[Outline], *titles: tuple[str, float, float]) -> list[str]:
    tokens = [token for title in titles for token in words(*title)]
    found = proposed([*NAMES, *tokens], strokes)
    assert edges(found) == ["Harvest -> Income", "Rain -> Harvest"]
    return [name.text for name in found.names]


def test_the_title_of_a_frame_around_nodes_is_no_name_and_lines_run_through_its_frame() -> None:
    frame = box(300, 105, 60, 45)
    assert names([frame, *BOXES, *ARROWS], ("Farm", 300, 70)) == ["Rain", "Harvest", "Income"]


def test_so_is_the_title_at_the_rim_of_a_frame_around_most_of_the_figure() -> None:
    frame = box(250, 180, 230, 170)
    assert names([frame, *BOXES, *ARROWS], ("Household", 100, 20)) == ["Rain", "Harvest", "Income"]


def test_a_bare_name_within_a_border_stays_a_name() -> None:
    frame = box(250, 180, 230, 170)
    assert names([frame, *BOXES, *ARROWS], ("Prices", 100, 200)) == ["Rain", "Harvest", "Prices", "Income"]


def test_a_double_rim_is_no_frame_around_a_node() -> None:
    rims = [box(100, 100, 43, 18), box(300, 100, 43, 18), box(300, 250, 43, 18)]
    assert names([*rims, *BOXES, *ARROWS]) == ["Rain", "Harvest", "Income"]
