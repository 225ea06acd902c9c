"""What a figure is taken for, and readings that do not fit."""

from __future__ import annotations

import pytest

from core.transcription.proposals import FigureFit, FigureProposals
from documents.proposals.fit import ENDS_ASTRAY, INK_ASTRAY, NAMES_ASTRAY, declined
from documents.proposals.propose import propose
from documents.proposals.shapes import Outline
from documents.proposals.words import PrintedWord
from tests.documents.figure_parts import FRAME, arrow, box, edges, line, proposed, words
from tests.documents.proposals.test_glyphs import disc

PLACES = [(100, 80), (300, 80), (500, 80), (100, 280), (300, 280), (500, 280)]
PAIRS = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4)]
TEXTS = ("Rain", "Harvest", "Income", "Soil", "Prices", "Debt")


def names(down: float) -> list[PrintedWord]:
    return [word for text, (x, y) in zip(TEXTS, PLACES, strict=True) for word in words(text, x, y + down)]


def arrows(gap: float, down: float) -> list[Outline]:
    strokes: list[Outline] = []
    for number, (one, other) in enumerate(PAIRS):
        (x0, y0), (x1, y1) = PLACES[one], PLACES[other]
        dx, dy = (gap, 0) if y0 == y1 else (0, down)
        strokes += arrow((x0 + dx, y0 + dy), (x1 - dx, y1 - dy), 2 * number)
    return strokes


def in_boxes() -> FigureProposals:
    return proposed(names(0), [*(box(x, y, 40, 15) for x, y in PLACES), *arrows(40, 15)])


def at_dots() -> FigureProposals:
    return proposed(names(16), [*(disc(x, y) for x, y in PLACES), *arrows(5, 5)])


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        pytest.param(in_boxes(), "boxes", id="boxes"),
        pytest.param(at_dots(), "dots with labels", id="dots"),
        pytest.param(proposed(names(0), arrows(22, 10)), "bare names", id="bare"),
    ],
)
def test_a_figure_is_taken_for_what_most_of_its_names_are(found: FigureProposals, kind: str) -> None:
    assert found.kind == kind
    assert len(found.edges) == len(PAIRS) and not found.notice
    assert found.fit == FigureFit(ends=1.0, named=1.0, ink=1.0)


def test_arrows_that_end_far_from_all_names_are_not_proposed_and_the_notice_says_why() -> None:
    apart = [word for text, (x, y) in zip(TEXTS, PLACES, strict=True) for word in words(text, x + 50, y + 20)]
    found = proposed(apart, arrows(0, 0))
    assert len(found.names) == len(TEXTS) and found.edges == ()
    assert found.notice == ENDS_ASTRAY


def test_lines_read_from_a_picture_are_not_declined_and_never_certain() -> None:
    apart = [word for text, (x, y) in zip(TEXTS, PLACES, strict=True) for word in words(text, x + 20, y + 14)]
    declining = propose(apart, arrows(0, 0), FRAME)
    assert (declining.edges, declining.kind) == ((), "bare names")
    found = propose(apart, arrows(0, 0), FRAME, is_picture=True)
    assert found.edges and not any(edge.is_certain for edge in found.edges)
    assert (found.kind, found.notice) == ("picture", "")


def test_arrows_between_shapes_that_name_nothing_are_not_proposed() -> None:
    """Icons with words here and there: no habit, and lines that end at the icons."""
    strewn = [*words("Rain", 130, 80), *words("Harvest", 300, 100), *words("Income", 500, 60), *words("Soil", 60, 280)]
    squares = [box(x, y, 8, 8) for x, y in PLACES]
    found = proposed(strewn[:2], [*squares, *arrows(9, 9)])
    assert found.edges == () and found.notice in (NAMES_ASTRAY, ENDS_ASTRAY)


def test_round_tails_at_boxes_are_no_nodes_without_a_name() -> None:
    tails = [disc(x + dx, y + dy, 3) for x, y in PLACES for dx, dy in ((43, 0), (0, 18), (-43, 0))]
    found = proposed(names(0), [*(box(x, y, 40, 15) for x, y in PLACES), *tails, *arrows(46, 21)])
    assert found.fit is not None and found.fit.named == 1.0
    assert len(found.edges) == len(PAIRS)


def test_a_figure_of_a_few_arrows_is_not_judged() -> None:
    found = proposed([*words("Rain", 100, 100), *words("Harvest", 300, 100)], arrow((118, 100), (278, 100)))
    assert found.fit is None and edges(found) == ["Rain -> Harvest"]


def test_lines_that_are_no_arrows_count_against_the_ink() -> None:
    rules = [line((20, 120 + 7 * number), (580, 120 + 7 * number), order=90 + number) for number in range(20)]
    found = proposed(names(0), [*(box(x, y, 40, 15) for x, y in PLACES), *arrows(40, 15), *rules])
    assert found.fit is not None and found.fit.ink < 0.2


@pytest.mark.parametrize(
    ("fit", "why"),
    [
        (FigureFit(ends=1.0, named=1.0, ink=1.0), ""),
        (FigureFit(ends=0.3, named=1.0, ink=1.0), ENDS_ASTRAY),
        (FigureFit(ends=1.0, named=0.5, ink=1.0), NAMES_ASTRAY),
        (FigureFit(ends=1.0, named=1.0, ink=0.1), INK_ASTRAY),
    ],
)
def test_the_reason_is_one_plain_sentence(fit: FigureFit, why: str) -> None:
    assert declined(fit) == why
