"""Proposals as values: their order, when one is certain, and the way to JSON and back."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.papers.pages import Box
from core.transcription.proposals import (
    CERTAIN,
    KINDS_WITH_CERTAIN,
    FigureFit,
    FigureKind,
    FigureProposals,
    PrintedArrow,
    ProposedEdge,
    ProposedName,
    of_kind,
    ranked,
)

coordinates = st.floats(-1e4, 1e4, allow_nan=False)
boxes = st.builds(Box, coordinates, coordinates, coordinates, coordinates)
names = st.builds(ProposedName, st.text(min_size=1), boxes, st.lists(st.text(), max_size=3).map(tuple))
edges = st.builds(
    ProposedEdge,
    source=st.integers(0, 5),
    sink=st.integers(0, 5),
    sign=st.sampled_from(("+", "-", "")),
    delay=st.booleans(),
    confidence=st.floats(0, 1),
    is_direction_doubtful=st.booleans(),
    reasons=st.lists(st.text(), max_size=2).map(tuple),
    path=st.lists(st.tuples(coordinates, coordinates), max_size=4).map(tuple),
)


shares = st.floats(0, 1)
ends = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 9)), max_size=3).map(tuple)
arrows = st.builds(
    PrintedArrow,
    path=st.lists(st.tuples(coordinates, coordinates), max_size=4).map(tuple),
    sign=st.sampled_from(("+", "-", "")),
    delay=st.booleans(),
    has_line=st.booleans(),
    tails=ends,
    tips=ends,
)


def edge(confidence: float = 0.9, doubtful: bool = False, top: float = 0.0) -> ProposedEdge:
    return ProposedEdge(
        source=0,
        sink=1,
        sign="",
        delay=False,
        confidence=confidence,
        is_direction_doubtful=doubtful,
        reasons=(),
        path=((0.0, 0.0), (0.0, top)),
    )


@given(
    st.builds(
        FigureProposals,
        names=st.lists(names, max_size=4).map(tuple),
        edges=st.lists(edges, max_size=4).map(tuple),
        origin=st.sampled_from(("vector", "raster", "ocr")),
        notice=st.text(),
        arrows=st.lists(arrows, max_size=4).map(tuple),
        kind=st.sampled_from((None, *get_args(FigureKind))),
        fit=st.none() | st.builds(FigureFit, ends=shares, named=shares, ink=shares),
    )
)
def test_a_journey_through_json_changes_nothing(proposals: FigureProposals) -> None:
    assert FigureProposals.from_json(json.loads(json.dumps(proposals.as_json()))) == proposals


def test_proposals_stored_before_figures_had_a_kind_can_be_read() -> None:
    old = FigureProposals(names=(), edges=(edge(),), origin="vector").as_json()
    del old["kind"], old["fit"]
    found = FigureProposals.from_json(json.loads(json.dumps(old)))
    assert (found.kind, found.fit, len(found.edges)) == (None, None, 1)


@pytest.mark.parametrize("kind", get_args(FigureKind))
def test_no_edge_is_certain_in_a_kind_of_figure_that_has_no_certain_ones(kind: FigureKind) -> None:
    sure, unsure = of_kind([edge(0.98), edge(0.5)], kind)
    assert sure.is_certain is (kind in KINDS_WITH_CERTAIN)
    assert unsure.confidence == 0.5


def test_pictures_and_stocks_and_flows_have_no_certain_edges() -> None:
    assert not KINDS_WITH_CERTAIN & {"picture", "stocks and flows"}


def test_doubtful_directions_come_first_then_the_least_sure_then_the_upper() -> None:
    low, high, upper, doubtful = edge(0.5), edge(0.9, top=50), edge(0.9, top=10), edge(0.95, doubtful=True)
    assert ranked([high, low, doubtful, upper]) == (doubtful, low, upper, high)


@pytest.mark.parametrize(
    ("one", "certain"),
    [(edge(CERTAIN), True), (edge(CERTAIN - 0.01), False), (edge(1.0, doubtful=True), False)],
)
def test_certain_is_what_nothing_spoke_against(one: ProposedEdge, certain: bool) -> None:
    assert one.is_certain is certain


def test_an_edge_without_a_path_can_be_ranked() -> None:
    bare = ProposedEdge(
        source=0, sink=1, sign="", delay=False, confidence=0.9, is_direction_doubtful=False, reasons=(), path=()
    )
    assert ranked([edge(0.9, top=5), bare])[0] is bare
