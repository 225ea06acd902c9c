"""The printed arrows of a figure: all heads with their lines, those that became no edge too."""

from __future__ import annotations

from core.transcription.proposals import FigureProposals
from tests.documents.figure_parts import FRAME, arrow, edges, head, line, proposed, words

RAIN, GRAIN = words("Rain", 100, 100), words("Grain", 400, 100)
THERE = arrow((125, 100), (380, 100))


def near(found: FigureProposals, listed: tuple[tuple[int, float], ...]) -> list[str]:
    return [found.names[place].text for place, _away in listed]


def test_an_edge_is_a_printed_arrow_with_its_sign_and_delay() -> None:
    bars = [line((250, 94), (250, 106), order=5), line((254, 94), (254, 106), order=6)]
    found = proposed([*RAIN, *GRAIN, *words("+", 370, 92)], [*THERE, *bars])
    assert edges(found) == ["Rain ->+ Grain ||"]
    (only,) = found.arrows
    assert (only.path, only.sign, only.delay, only.has_line) == (found.edges[0].path, "+", True, True)
    assert (near(found, only.tails), near(found, only.tips)) == (["Rain"], ["Grain"])


def test_an_arrow_from_nowhere_is_no_edge_and_is_printed_all_the_same() -> None:
    loose = arrow((400, 300), (400, 115), order=9)
    found = proposed([*RAIN, *GRAIN, *words("-", 410, 125)], [*THERE, *loose])
    assert edges(found) == ["Rain -> Grain"]
    _edge, bare = found.arrows
    assert (bare.path[0], bare.path[-1], bare.sign) == ((400, 300), (400, 115), "-")
    assert (bare.tails, near(found, bare.tips)) == ((), ["Grain"])


def test_a_head_whose_line_was_not_found_is_printed_too() -> None:
    found = proposed([*RAIN, *GRAIN], [*THERE, head((400, 113), (400, 200), order=9)])
    _edge, lone = found.arrows
    assert (lone.has_line, lone.path[-1], lone.tails) == (False, (400, 113), ())
    assert near(found, lone.tips) == ["Grain"]


def test_two_arrows_between_the_same_names_are_one_edge_and_two_arrows() -> None:
    lower = arrow((125, 104), (380, 104), order=5)
    found = proposed([*RAIN, *GRAIN], [*THERE, *lower])
    assert edges(found) == ["Rain -> Grain"]
    assert len(found.arrows) == 2


def test_an_arrow_from_outside_the_figures_frame_is_another_figures() -> None:
    assert FRAME[3] == 400
    found = proposed([*RAIN, *GRAIN], [*THERE, *arrow((400, 450), (400, 115), order=9)])
    assert len(found.arrows) == 1
