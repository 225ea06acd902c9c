"""The list behind the figures: every disagreement once, as many as the counts say, under the measures it lowers."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from core.adjudication.differences import Kind
from core.agreement.counts import Element, Measure
from core.agreement.disagreements import Disagreement, disagreements, kinds_behind
from core.agreement.edges import NameRuling, View, agreement
from core.graphs.alignment import NameClass
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign
from tests.core.agreement.test_edges import GRAPHS


def test_each_disagreement_says_what_each_has() -> None:
    ours = CausalGraph.of(
        [Edge("Rain", "Heat", Sign.PLUS), Edge("Heat", "Ice", delay=True), Edge("Ice", "Rain")], ["Alone"]
    )
    theirs = CausalGraph.of([Edge("rain", "Warmth", Sign.MINUS), Edge("Warmth", "Ice"), Edge("rain", "Ice")])
    found = agreement("F", ours, theirs, [NameRuling("Warmth", "Heat", NameClass.MAJOR)])
    assert disagreements(found) == (
        Disagreement(Kind.NAME, "Rain", "", "Rain", "rain", NameClass.TYPO),
        Disagreement(Kind.NAME, "Heat", "", "Heat", "Warmth", NameClass.MAJOR),
        Disagreement(Kind.NODE, "Alone", "", "drawn", "–"),
        Disagreement(Kind.SIGN, "Rain", "Heat", "+", "−"),
        Disagreement(Kind.DELAY, "Heat", "Ice", "delay", "–"),
        Disagreement(Kind.REVERSED, "Ice", "Rain", "→", "←"),
    )


@given(GRAPHS, GRAPHS)
def test_they_number_as_the_counts_do(one: CausalGraph, other: CausalGraph) -> None:
    found = agreement("F", one, other)
    counts, kinds = found.counts[View.ALIGNED], Counter(each.kind for each in disagreements(found))
    assert kinds[Kind.NODE] == counts.nodes.shd
    assert kinds[Kind.EDGE] + 2 * kinds[Kind.REVERSED] == counts.edges.shd
    assert kinds[Kind.REVERSED] == counts.reversed
    assert kinds[Kind.DELAY] == counts.delays.reference_only + counts.delays.candidate_only
    assert not disagreements(agreement("F", one, one))


def test_a_measure_opens_what_lowers_it() -> None:
    assert kinds_behind(Element.NODES, Measure.F1) == {Kind.NAME, Kind.NODE}
    assert kinds_behind(Element.EDGES, Measure.KAPPA) == {Kind.EDGE, Kind.REVERSED}
    assert kinds_behind(Element.COMBINED, Measure.SHD) == {Kind.NAME, Kind.NODE, Kind.EDGE, Kind.REVERSED}
    assert kinds_behind(Element.EDGES, Measure.SIGN_KAPPA) == {Kind.SIGN}
    assert all(kinds_behind(element, measure) for element in Element for measure in Measure)
