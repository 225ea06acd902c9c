"""Swimlanes drawn with open runs of the pen."""

from __future__ import annotations

from documents.proposals.lines.lanes import with_lanes
from tests.documents.figure_parts import arrow, box, edges, line, proposed, words

HEADER = line((30, 60), (30, 40), (570, 40), (570, 60))
BODY = line((30, 60), (30, 140), (570, 140), (570, 60), order=1)
BETWEEN = line((30, 60), (570, 60), order=2)
PLACES = [(100, 100), (300, 100), (500, 100), (100, 250), (300, 250), (500, 250)]
TEXTS = ("Rain", "Harvest", "Income", "Soil", "Prices", "Debt")


def test_a_header_and_a_body_are_closed_and_the_line_between_them_goes() -> None:
    header, whole = with_lanes([HEADER, BODY, BETWEEN], 10)
    assert header.closed and header.box == (30, 40, 570, 60)
    assert whole.closed and whole.box == (30, 40, 570, 140)


def test_three_sides_alone_stay_a_line() -> None:
    assert with_lanes([HEADER], 10) == [HEADER]


def test_a_lanes_title_is_no_name_and_its_rim_no_unread_line() -> None:
    names = [word for text, place in zip(TEXTS, PLACES, strict=True) for word in words(text, *place)]
    boxes = [box(*place, 40, 15) for place in PLACES]
    pairs = [(0, 1), (1, 2), (3, 4), (4, 5)]
    strokes = [
        stroke
        for a, b in pairs
        for stroke in arrow((PLACES[a][0] + 40, PLACES[a][1]), (PLACES[b][0] - 40, PLACES[b][1]), 10 + a)
    ]
    strokes += arrow((100, 115), (100, 235), 40)
    found = proposed([*names, *words("Farm", 300, 50)], [HEADER, BODY, BETWEEN, *boxes, *strokes])
    assert edges(found) == ["Harvest -> Income", "Prices -> Debt", "Rain -> Harvest", "Rain -> Soil", "Soil -> Prices"]
    assert "Farm" not in {name.text for name in found.names}
    assert found.fit is not None and found.fit.ink == 1.0
