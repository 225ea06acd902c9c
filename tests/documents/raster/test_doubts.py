"""Edges of a picture: never certain, and doubted where the picture is doubtful."""

from __future__ import annotations

from core.papers.pages import Box
from core.transcription.proposals import FigureProposals, ProposedEdge, ProposedName, Sign
from documents.raster.doubts import MOST, NO_SIGN, TOO_FEW, Seam, doubted

NAMES = tuple(ProposedName(text, Box(x, 0, x + 40, 10), (text,)) for text, x in (("A", 0), ("B", 100), ("C", 200)))


def edge(source: int, sink: int, sign: Sign = "+") -> ProposedEdge:
    path = ((100.0 * source + 40, 5.0), (100.0 * sink, 5.0))
    return ProposedEdge(
        source=source,
        sink=sink,
        sign=sign,
        delay=False,
        confidence=0.98,
        is_direction_doubtful=False,
        reasons=(),
        path=path,
    )


def test_no_edge_of_a_picture_is_certain() -> None:
    found = doubted(FigureProposals(names=NAMES, edges=(edge(0, 1),), origin="vector"), [], [], 10)
    assert [(one.confidence, one.is_certain, one.reasons) for one in found.edges] == [(MOST, False, ())]
    assert found.origin == "raster"


def test_a_doubtful_place_is_told_of_the_edges_it_is_about() -> None:
    seams = [Seam((70, 6), "gap"), Seam((220, 5), "name")]
    found = doubted(FigureProposals(names=NAMES, edges=(edge(0, 1), edge(1, 2)), origin="vector"), seams, [], 10)
    assert {(one.source, one.reasons) for one in found.edges} == {(0, ("gap",)), (1, ("name",))}
    assert all(one.confidence < MOST for one in found.edges)


def test_an_edge_without_a_sign_among_signed_ones_is_doubted() -> None:
    edges = (edge(0, 1), edge(1, 2), edge(2, 0, ""))
    found = doubted(FigureProposals(names=NAMES, edges=edges, origin="vector"), [], [], 10)
    assert [one.reasons for one in found.edges if not one.sign] == [(NO_SIGN,)]
    assert all(not one.reasons for one in found.edges if one.sign)


def test_what_is_doubtful_of_the_whole_picture_is_told_of_every_edge() -> None:
    found = doubted(FigureProposals(names=NAMES, edges=(edge(0, 1), edge(1, 2)), origin="vector"), [], ["small"], 10)
    assert [one.reasons for one in found.edges] == [("small",), ("small",)]


def test_one_arrow_among_many_words_is_no_diagram() -> None:
    words = tuple(ProposedName(f"word {place}", Box(0, place, 5, place + 1), ()) for place in range(20))
    found = doubted(FigureProposals(names=(*NAMES, *words), edges=(edge(0, 1),), origin="vector"), [], [], 10)
    assert (found.edges, found.notice, len(found.names)) == ((), TOO_FEW, 23)


def test_marks_of_a_chart_that_are_read_as_letters_have_no_edges() -> None:
    marks = tuple(ProposedName(text, Box(x, 0, x + 9, 9), (text,)) for x, text in enumerate(("o", "o o", "O", "o o o")))
    found = doubted(FigureProposals(names=marks, edges=(edge(0, 1), edge(1, 3)), origin="vector"), [], [], 10)
    assert found.edges == ()
    sir = doubted(FigureProposals(names=NAMES, edges=(edge(0, 1), edge(1, 2)), origin="vector"), [], [], 10)
    assert len(sir.edges) == 2


def test_the_samples_of_a_legend_are_no_edges() -> None:
    legend = (ProposedName("Legend", Box(300, 0, 340, 10), ("Legend",)), *NAMES[1:])
    edges = (edge(0, 1), edge(1, 2), edge(2, 1))
    weighed = doubted(FigureProposals(names=legend, edges=edges, origin="vector"), [], [], 10)
    assert {(one.source, one.sink) for one in weighed.edges} == {(1, 2), (2, 1)}
