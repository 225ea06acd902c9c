"""Several readers of one figure: agreement raises, disagreement is a doubt, nothing is lost or doubled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.papers.pages import Box
from core.transcription.proposals import FigureProposals, Origin, PrintedArrow, ProposedEdge, ProposedName, Sign
from core.transcription.voting import DIRECTION, SIGN, vote

COURSE = ((110.0, 105.0), (190.0, 105.0))
BESIDE = ((110.0, 107.0), (189.0, 106.0))


def name(text: str, x: float, y: float = 100) -> ProposedName:
    return ProposedName(text, Box(x, y, x + 40, y + 10), (text,))


RAIN, SOIL, YIELD = name("Rainfall", 60), name("Soil water", 200), name("Yield", 340)


def edge(source: int, sink: int, sign: Sign = "", confidence: float = 0.6, **more: Any) -> ProposedEdge:
    values: dict[str, Any] = {"delay": False, "is_direction_doubtful": False, "reasons": (), "path": COURSE, **more}
    return ProposedEdge(source=source, sink=sink, sign=sign, confidence=confidence, **values)


def read(*edges: ProposedEdge, origin: Origin = "vector", names: tuple[ProposedName, ...] = ()) -> FigureProposals:
    arrows = tuple(PrintedArrow(path=one.path, tips=((one.sink, 0.2),)) for one in edges if one.path)
    return FigureProposals(
        names=names or (RAIN, SOIL, YIELD), edges=edges, origin=origin, notice="", arrows=arrows, kind="boxes"
    )


def test_two_readers_of_one_pair_propose_one_surer_edge_on_the_first_readers_course() -> None:
    found = vote([read(edge(0, 1, "+")), read(edge(0, 1, path=BESIDE), origin="raster")])
    (one,) = found.edges
    assert (one.sign, one.path, one.confidence, found.origins_of(one)) == ("+", COURSE, 0.84, "vector+raster")
    assert not one.is_certain  # neither of them was by itself
    assert [arrow.path for arrow in found.arrows] == [COURSE]


def test_an_edge_that_one_reader_is_certain_of_stays_certain() -> None:
    found = vote([read(edge(0, 1, confidence=0.9)), read(edge(0, 1, confidence=0.5), origin="raster")])
    assert found.edges[0].is_certain
    assert found.edges[0].confidence == 0.95


def test_opposite_directions_are_one_doubtful_edge() -> None:
    found = vote([read(edge(0, 1, confidence=0.9)), read(edge(1, 0, path=COURSE[::-1]), origin="raster")])
    (one,) = found.edges
    assert (one.source, one.sink, one.is_direction_doubtful, one.is_certain) == (0, 1, True, False)
    assert one.reasons == (DIRECTION,)
    assert one.origins == ("vector", "raster")


def test_the_surer_reader_tells_the_direction() -> None:
    found = vote([read(edge(0, 1, confidence=0.4)), read(edge(1, 0, path=()), origin="raster")])
    assert [(one.source, one.sink, one.path) for one in found.edges] == [(1, 0, COURSE[::-1])]


def test_a_pair_joined_both_ways_by_one_reader_is_no_disagreement() -> None:
    both = read(edge(0, 1), edge(1, 0, path=BESIDE[::-1]))
    for found in (vote([both, read(edge(1, 0), origin="raster")]), vote([read(edge(1, 0)), both])):
        assert sorted((one.source, one.sink) for one in found.edges) == [(0, 1), (1, 0)]
        assert not any(one.is_direction_doubtful for one in found.edges)


def test_another_sign_is_a_doubt_and_a_sign_that_only_one_saw_is_taken() -> None:
    signed = read(edge(0, 1, "+", 0.9))
    (one,) = vote([signed, read(edge(0, 1, "-"), origin="raster")]).edges
    assert (one.sign, one.is_certain, one.reasons) == ("+", False, (SIGN,))
    (one,) = vote([read(edge(0, 1)), read(edge(0, 1, "-", reasons=("Faint.",)), origin="raster")]).edges
    assert (one.sign, one.reasons) == ("-", ("Faint.",))


def test_names_are_the_same_by_place_and_nearest_text() -> None:
    misread = (name("Yie1d", 341), name("Soil", 200), name("wafer", 222), name("Rainfa11", 61), name("Price", 60, 300))
    theirs = read(edge(3, 2), edge(1, 2), edge(0, 4), origin="raster", names=misread)
    found = vote([read(edge(0, 1)), theirs])
    assert [one.text for one in found.names] == ["Rainfall", "Soil water", "Yield", "Price"]
    pairs = {(found.names[one.source].text, found.names[one.sink].text) for one in found.edges}
    assert pairs == {("Rainfall", "Soil water"), ("Yield", "Price")}  # no loop from one half of a name to the other


def test_a_reader_that_understood_nothing_leaves_the_other_as_it_is_and_its_excuse_unsaid() -> None:
    declined = replace(read(), notice="No edges are proposed: why.")
    other = replace(read(edge(0, 1), origin="raster"), kind="picture", notice="Check each.")
    found = vote([declined, other])
    assert (found.kind, found.origin, found.notice) == ("picture", "raster", "Check each.")
    assert [found.origins_of(one) for one in found.edges] == ["raster"]
    assert vote([declined, replace(declined, origin="raster")]) == declined


def test_an_edge_of_the_other_reader_takes_the_place_of_the_bare_arrow_that_it_lies_on() -> None:
    first = replace(read(), arrows=(PrintedArrow(path=BESIDE), PrintedArrow(path=((0.0, 0.0), (0.0, 50.0)))))
    found = vote([first, read(edge(0, 1), origin="raster")])
    assert [arrow.path for arrow in found.arrows] == [((0.0, 0.0), (0.0, 50.0)), COURSE]


def test_a_reader_that_knows_only_numbers_of_names_joins_as_a_third() -> None:
    lines, pixels = read(edge(0, 1, "+")), read(edge(0, 1, "-", 0.5), edge(1, 2, "-", 0.5), origin="raster")
    model = read(edge(0, 1, "+", 0.7, path=()), edge(1, 2, "-", 0.7, path=()), origin="ocr")
    found = vote([lines, pixels, model])
    assert {(one.sign, found.origins_of(one)) for one in found.edges} == {
        ("+", "vector+raster+ocr"),
        ("-", "raster+ocr"),
    }


def test_a_vote_is_read_back_from_json_and_older_edges_have_their_figures_origin() -> None:
    found = vote([read(edge(0, 1, "+")), read(edge(0, 1), edge(1, 2), origin="raster")])
    assert FigureProposals.from_json(found.as_json()) == found
    older = found.as_json()
    for one in older["edges"]:
        del one["origins"]
    again = FigureProposals.from_json(older)
    assert {again.origins_of(one) for one in again.edges} == {"vector"}


def test_nothing_cannot_be_voted_on() -> None:
    with pytest.raises(ValueError, match="at least one"):
        vote([])
