"""The list behind the figures: every disagreement once, as many as the counts say, under the measures it lowers."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from core.adjudication.differences import DifferenceKind
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
        Disagreement(DifferenceKind.NAME, "Rain", "", "Rain", "rain", NameClass.TYPO),
        Disagreement(DifferenceKind.NAME, "Heat", "", "Heat", "Warmth", NameClass.MAJOR),
        Disagreement(DifferenceKind.NODE, "Alone", "", "drawn", "–"),
        Disagreement(DifferenceKind.SIGN, "Rain", "Heat", "+", "−"),
        Disagreement(DifferenceKind.DELAY, "Heat", "Ice", "delay", "–"),
        Disagreement(DifferenceKind.REVERSED, "Ice", "Rain", "→", "←"),
    )


@given(GRAPHS, GRAPHS)
def test_they_number_as_the_counts_do(one: CausalGraph, other: CausalGraph) -> None:
    found = agreement("F", one, other)
    counts, kinds = found.counts[View.ALIGNED], Counter(each.kind for each in disagreements(found))
    assert kinds[DifferenceKind.NODE] == counts.nodes.shd
    assert kinds[DifferenceKind.EDGE] + 2 * kinds[DifferenceKind.REVERSED] == counts.edges.shd
    assert kinds[DifferenceKind.REVERSED] == counts.reversed
    assert kinds[DifferenceKind.DELAY] == counts.delays.reference_only + counts.delays.candidate_only
    assert not disagreements(agreement("F", one, one))


def test_a_measure_opens_what_lowers_it() -> None:
    assert kinds_behind(Element.NODES, Measure.F1) == {DifferenceKind.NAME, DifferenceKind.NODE}
    assert kinds_behind(Element.EDGES, Measure.KAPPA) == {DifferenceKind.EDGE, DifferenceKind.REVERSED}
    assert kinds_behind(Element.COMBINED, Measure.SHD) == {
        DifferenceKind.NAME,
        DifferenceKind.NODE,
        DifferenceKind.EDGE,
        DifferenceKind.REVERSED,
    }
    assert kinds_behind(Element.EDGES, Measure.SIGN_KAPPA) == {DifferenceKind.SIGN}
    assert all(kinds_behind(element, measure) for element in Element for measure in Measure)
