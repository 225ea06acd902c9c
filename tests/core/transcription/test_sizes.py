"""One picture at several sizes: the majority tells edges, directions, signs and texts; unanimity makes certain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.papers.pages import Box
from core.transcription.proposals import FigureProposals, PrintedArrow, ProposedEdge, ProposedName, Sign
from core.transcription.sizes import BAR, FEW, voted_sizes
from core.transcription.voting import DIRECTION, SIGN

NAMES = tuple(
    ProposedName(text, Box(x, 100, x + 40, 110), (text,)) for text, x in (("Rain", 60), ("Soil", 200), ("Yield", 340))
)
TEA = ProposedName("Tea", Box(60, 300, 100, 310), ("Tea",))


def edge(source: int, sink: int, sign: Sign = "", confidence: float = 0.8) -> ProposedEdge:
    path = ((100.0 + source, 105.0), (200.0 + sink, 105.0))
    return ProposedEdge(
        source=source,
        sink=sink,
        sign=sign,
        delay=False,
        confidence=confidence,
        is_direction_doubtful=False,
        reasons=(),
        path=path,
    )


def read(*edges: ProposedEdge, names: tuple[ProposedName, ...] = NAMES) -> FigureProposals:
    arrows = tuple(PrintedArrow(path=one.path, tips=((one.sink, 0.1),)) for one in edges)
    return FigureProposals(names=names, edges=edges, origin="raster", notice="", arrows=arrows, kind="picture")


def test_what_all_sizes_show_alike_is_certain_if_the_readers_were_sure_enough() -> None:
    sure, unsure = voted_sizes([read(edge(0, 1, "+"))] * 4), voted_sizes([read(edge(0, 1, "+", BAR - 0.1))] * 4)
    assert [one.edges[0].is_certain for one in (sure, unsure)] == [True, False]
    assert sure.edges[0].sign == "+" and sure.is_settled


@pytest.mark.parametrize(("signed", "certain"), [(4, True), (3, False), (0, True)])
def test_an_edge_whose_sign_one_size_misses_is_not_certain(signed: int, certain: bool) -> None:
    sizes = [read(edge(0, 1, "+"))] * signed + [read(edge(0, 1))] * (4 - signed)
    (voted,) = voted_sizes(sizes).edges
    assert (voted.sign, voted.is_certain) == ("+" if signed else "", certain)


@pytest.mark.parametrize(("rays", "certain"), [(1, True), (4, False)])
def test_no_edge_is_certain_where_most_arrows_became_none(rays: int, certain: bool) -> None:
    chart = read(edge(0, 1))
    lines = [PrintedArrow(path=((100, 200 + 50 * ray), (200, 200 + 50 * ray))) for ray in range(rays)]
    (voted,) = voted_sizes([replace(chart, arrows=(*chart.arrows, *lines))] * 4).edges
    assert voted.is_certain == certain


@pytest.mark.parametrize("shown", [1, 2, 3])
def test_what_one_size_alone_shows_is_left_out_and_what_some_show_is_not_certain(shown: int) -> None:
    voted = voted_sizes([read(edge(0, 1), edge(1, 2))] * shown + [read(edge(0, 1))] * (4 - shown))
    pairs = {(one.source, one.sink): one for one in voted.edges}
    assert pairs[0, 1].is_certain
    assert ((1, 2) in pairs) == (shown > 1)
    if shown > 1:
        assert not pairs[1, 2].is_certain and FEW in pairs[1, 2].reasons


def test_an_edge_and_a_name_that_the_first_size_misses_come_with_their_arrow() -> None:
    more = read(edge(0, 1), edge(3, 1), names=(*NAMES, TEA))
    voted = voted_sizes([read(edge(0, 1)), more, more, read(edge(0, 1))])
    assert [name.text for name in voted.names] == ["Rain", "Soil", "Yield", "Tea"]
    assert {(one.source, one.sink) for one in voted.edges} == {(0, 1), (3, 1)}
    assert {arrow.path for arrow in voted.arrows} == {one.path for one in voted.edges}


def test_a_name_that_one_size_alone_reads_and_no_edge_joins_is_left_out() -> None:
    voted = voted_sizes([read(edge(0, 1)), read(edge(0, 1), names=(*NAMES, TEA)), read(edge(0, 1))])
    assert voted.names == NAMES


def test_the_majority_tells_sign_direction_and_text() -> None:
    misread = (replace(NAMES[0], text="Ram", lines=("Ram",)), *NAMES[1:])
    first = read(edge(0, 1, "-"), edge(2, 1), names=misread)
    voted = voted_sizes([first, *[read(edge(0, 1, "+"), edge(1, 2))] * 3])
    signed, turned = sorted(voted.edges, key=lambda one: one.source)
    assert (signed.sign, signed.is_certain, SIGN in signed.reasons) == ("+", False, True)
    assert (turned.source, turned.sink, turned.is_direction_doubtful) == (1, 2, True)
    assert DIRECTION in turned.reasons
    assert voted.names == NAMES


def test_two_arrows_between_two_names_are_no_disagreement() -> None:
    voted = voted_sizes([read(edge(0, 1), edge(1, 0))] * 3 + [read(edge(0, 1))])
    assert [(one.source, one.is_direction_doubtful) for one in sorted(voted.edges, key=lambda one: one.source)] == [
        (0, False),
        (1, False),
    ]


def test_a_single_size_is_taken_as_it_is() -> None:
    alone = read(edge(0, 1))
    assert voted_sizes([alone]) == alone
