"""Two transcriptions of one figure: names, edges, signs, loops, and the laws that agreement keeps."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agreement.counts import Element, GraphCounts, Measure, measured
from core.agreement.edges import GraphAgreement, NameRuling, View, agreement, pair_ratings
from core.agreement.tallies import Counts, DelayTable, LoopCounts, LoopKinds, NameTable, SignTable
from core.graphs.alignment import NameClass
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign

NAMES = "ABCDE"
ENDS = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))
SIGNS = st.sampled_from([None, Sign.PLUS, Sign.MINUS])
EDGES = st.builds(lambda ends, sign, delay: Edge(ends[0], ends[1], sign, delay), ENDS, SIGNS, st.booleans())
GRAPHS = st.builds(CausalGraph.of, st.lists(EDGES, max_size=14), st.lists(st.sampled_from(NAMES), max_size=3))
DISTANCES = {Measure.SHD, Measure.SHD_ONCE, Measure.REVERSED}
WITHOUT_LOOPS = GRAPHS.map(lambda g: CausalGraph.of([e for e in g.edges if not e.is_self_loop], g.nodes))


def graph(*pairs: str, nodes: str = "") -> CausalGraph:
    """`graph("AB", "B-C")`: A → B and B → C with a minus."""
    return CausalGraph.of([Edge(p[0], p[-1], Sign(p[1]) if len(p) == 3 else None) for p in pairs], nodes)


def named(*pairs: tuple[str, str]) -> CausalGraph:
    return CausalGraph.of([Edge(*pair) for pair in pairs])


def counts(found: GraphAgreement, view: View = View.ALIGNED) -> GraphCounts:
    return found.counts[view]


def value(found: GraphAgreement, measure: Measure, element: Element = Element.EDGES) -> float | None:
    return measured(counts(found), element, measure).value


# --- names ------------------------------------------------------------------------------------------------------


def test_the_two_views_differ_in_what_a_name_costs_and_in_nothing_else() -> None:
    ours = named(("Carbon dioxide", "CO2 emissions"), ("CO2 emissions", "Heat"), ("Heat", "GDP"))
    theirs = named(("carbon  dioxide", "emissions"), ("emissions", "Heats"), ("Heats", "GNP"))
    rulings = [
        NameRuling("emissions", "CO2 emissions", NameClass.MINOR),
        NameRuling("Heats", "Heat", NameClass.MAJOR),
        NameRuling("GNP", "GDP", NameClass.DISTINCT),
    ]
    found = agreement("p. 4", ours, theirs, rulings)
    # Four names: one by folding alone, minor, major, and GNP, a variable of its own that stands for no GDP.
    assert found.alignments == {NameClass.TYPO: 1, NameClass.MINOR: 1, NameClass.MAJOR: 1, NameClass.DISTINCT: 1}
    assert counts(found, View.PRINTED).nodes == Counts(tp=3, fp=1 + 2, fn=1)
    assert counts(found, View.ALIGNED).nodes == Counts(tp=3, fp=1 + 1, fn=1)
    assert {view.edges for view in found.counts.values()} == {Counts(tp=2, fp=1, fn=1)}
    assert counts(found).figure == "p. 4"


def test_a_ruling_may_call_a_difference_a_typo_that_costs_nothing() -> None:
    ours, theirs = named(("Carbon dioxide", "Heat")), named(("carbondioxide", "Heat"))
    plain = agreement("F", ours, theirs)
    assert (counts(plain).nodes, counts(plain).edges) == (Counts(1, 1, 1), Counts(0, 1, 1))
    ruled = agreement("F", ours, theirs, [NameRuling("carbondioxide", "Carbon dioxide", NameClass.TYPO)])
    assert {view.nodes for view in ruled.counts.values()} == {Counts(2, 0, 0)}
    assert ruled.alignments[NameClass.TYPO] == 1


def test_labels_agree_by_class_over_the_names_that_are_aligned() -> None:
    ours = named(("Rain", "Carbon dioxide"), ("CO2 emissions", "Heat"), ("Heat", "Rain"))
    theirs = named(("Rain", "carbon  dioxide"), ("emissions", "Warmth"), ("Warmth", "GNP"))
    rulings = [NameRuling("emissions", "CO2 emissions", NameClass.MINOR), NameRuling("Warmth", "Heat", NameClass.MAJOR)]
    found = agreement("F", ours, theirs, rulings)
    assert counts(found).names == NameTable(exact=1, typo=1, minor=1, major=1)
    shares = [value(found, m, Element.NODES) for m in (Measure.LABELS_EXACT, Measure.LABELS_TYPO, Measure.LABELS_MINOR)]
    assert shares == [1 / 4, 2 / 4, 3 / 4]
    assert measured(counts(found), Element.EDGES, Measure.LABELS_EXACT).reason == "it is defined for the names of nodes"
    kinds = {pair.name: kind for pair, kind in found.names}
    assert kinds == {
        "Rain": None,
        "carbon  dioxide": NameClass.TYPO,
        "emissions": NameClass.MINOR,
        "Warmth": NameClass.MAJOR,
        "GNP": None,
    }


def test_with_the_second_as_reference_a_wrong_name_still_costs_the_candidate() -> None:
    ours, theirs = named(("Rain", "Heat"), ("Heat", "Rain")), named(("Rain", "Warmth"), ("Warmth", "Ice"))
    found = agreement("F", ours, theirs, [NameRuling("Warmth", "Heat", NameClass.MAJOR)])
    assert counts(found).nodes == Counts(tp=2, fp=1 + 1, fn=0)
    swapped = found.swapped()[View.ALIGNED]
    assert swapped.nodes == Counts(tp=2, fp=0 + 1, fn=1)
    assert (swapped.edges, counts(found).edges) == (Counts(1, 1, 1), Counts(1, 1, 1))


def test_a_ruling_about_a_name_that_is_gone_counts_for_nothing() -> None:
    gone = [NameRuling("X", "A", NameClass.MINOR), NameRuling("B", "Y", NameClass.MAJOR)]
    found = agreement("F", graph("AB"), graph("AB"), gone)
    assert sum(found.alignments.values()) == 0
    assert counts(found, View.PRINTED).nodes == Counts(2, 0, 0)


# --- edges ------------------------------------------------------------------------------------------------------


def test_a_reversed_edge_is_a_false_positive_and_a_false_negative_and_one_reversal() -> None:
    found = agreement("F", graph("AB", "BC"), graph("BA", "BC"))
    assert counts(found).edges == Counts(1, 1, 1)
    assert value(found, Measure.SHD) == 2
    assert (found.comparison.shd.once, found.comparison.shd.reversed) == (1, 1)
    # Six ordered pairs: one both, one each, three neither. Kappa 2(1·3 − 1·1) / (2·4 + 2·4).
    assert value(found, Measure.KAPPA) == 1 / 4


def test_self_loops_are_edges_but_no_ordered_pair_of_distinct_nodes() -> None:
    found = agreement("F", graph("AA", "AB"), graph("AB"))
    assert counts(found).edges == Counts(1, 0, 1)
    assert value(found, Measure.KAPPA) == 1
    assert counts(found).loops == LoopCounts(0, 1, 0)


def test_duplicates_are_one_edge_and_lose_their_sign_if_they_differ() -> None:
    found = agreement("F", graph("A+B", "A-B", "A+C"), graph("A+B", "A+C", "A+C"))
    assert counts(found).edges == Counts(2, 0, 0)
    assert counts(found).signs == SignTable(both_plus=1, unknown=1)


def test_isolated_nodes_are_nodes_and_widen_the_pairs() -> None:
    found = agreement("F", graph("AB", nodes="Z"), graph("AB"))
    assert counts(found).nodes == Counts(2, 0, 1)
    assert counts(found).pairs.neither == 5


def test_all_wrong_and_empty() -> None:
    wrong = agreement("F", graph("AB", "BC"), graph("AC", "CB"))
    assert (value(wrong, Measure.F1), value(wrong, Measure.JACCARD)) == (0, 0)
    assert value(wrong, Measure.SHD) == 4
    empty = agreement("F", graph(), graph())
    assert {value(empty, measure) for measure in Measure if measure not in DISTANCES} == {None}
    assert {value(empty, measure) for measure in DISTANCES} == {0}
    one = agreement("F", graph("AB"), graph())
    assert (value(one, Measure.F1), value(one, Measure.PRECISION), value(one, Measure.KAPPA)) == (0, None, 0)


def test_signs_of_matched_edges_by_who_said_what() -> None:
    ours, theirs = graph("A+B", "B+C", "C-D", "D-E", "A+E", "BE"), graph("A+B", "B-C", "C+D", "D-E", "AE", "B+E")
    assert counts(agreement("F", ours, theirs)).signs == SignTable(1, 1, 1, 1, unknown=2)


def test_delays_of_matched_edges_by_who_marked_them() -> None:
    def delayed(*pairs: str, also: str = "") -> CausalGraph:
        return CausalGraph.of([Edge(p[0], p[-1], delay="d" in p) for p in pairs], also)

    ours = delayed("AdB", "BdC", "CD", "DE", "EdA", "AA", "AdA")
    theirs = delayed("AdB", "BC", "CdD", "DE", "AE", "AdA")
    found = agreement("F", ours, theirs)
    # A→B both, B→C first, C→D second, D→E neither; E→A is not matched; A→A is marked on one of its two lines.
    assert counts(found).delays == DelayTable(both=2, reference_only=1, candidate_only=1, neither=1)
    assert found.delays == {("B", "C"): True, ("C", "D"): False}
    # Kappa 2(2·1 − 1·1) / (3·2 + 3·2).
    assert value(found, Measure.DELAY_KAPPA) == pytest.approx(1 / 6)


def test_reversals_are_told_from_what_is_missing_or_extra() -> None:
    found = agreement("F", graph("AB", "BC", "CD", "DC"), graph("BA", "BC", "CD", "AD"))
    # A→B is reversed, D→C missing, A→D extra.
    assert (counts(found).edges, counts(found).reversed) == (Counts(2, 2, 2), 1)
    assert [value(found, measure) for measure in (Measure.SHD, Measure.SHD_ONCE, Measure.REVERSED)] == [4, 3, 1]


# --- loops ------------------------------------------------------------------------------------------------------


def test_a_loop_is_the_same_wherever_it_is_entered_and_another_one_the_other_way_round() -> None:
    ours, theirs = graph("AB", "BC", "CA", "CD", "DC"), graph("CA", "AB", "BC", "DE", "ED", nodes="D")
    assert counts(agreement("F", ours, theirs)).loops == LoopCounts(1, 1, 1)
    assert counts(agreement("F", graph("AB", "BC", "CA"), graph("AC", "CB", "BA"))).loops == LoopCounts(0, 1, 1)


def test_loops_in_common_may_be_of_another_kind() -> None:
    # A B: R in the first, B in the second. B C: R in both. C D: no sign in the first, B in the second. D E: first only.
    ours = graph("A+B", "B+A", "B-C", "C-B", "CD", "D-C", "D+E", "E+D")
    theirs = graph("A+B", "B-A", "B-C", "C-B", "C+D", "D-C", nodes="E")
    found = counts(agreement("F", ours, theirs))
    assert found.loops == LoopCounts(common=3, reference_only=1)
    assert found.kinds == LoopKinds(both_r=1, both_b=0, both_u=0, either_r=3, either_b=2, either_u=1)
    assert measured(found, Element.EDGES, Measure.LOOP_KINDS).value == 1 / 3
    assert measured(found, Element.EDGES, Measure.LOOPS_R).value == 1 / 3
    assert measured(found, Element.EDGES, Measure.LOOPS_B).value == 0


def test_loops_run_along_aligned_names() -> None:
    ours, theirs = graph("AB", "BA"), graph("AX", "XA")
    found = agreement("F", ours, theirs, [NameRuling("X", "B", NameClass.MAJOR)])
    assert counts(found).loops == LoopCounts(1, 0, 0)


def test_too_many_loops_make_their_overlap_undefined() -> None:
    found = agreement("F", graph("AB", "BA", "CD", "DC"), graph("AB", "BA"), most_loops=1)
    undefined = measured(counts(found), Element.EDGES, Measure.LOOPS)
    assert undefined.value is None
    assert "more loops" in undefined.reason
    dense = graph(*("".join(pair) for pair in permutations("ABCDEFGH", 2)))
    assert counts(agreement("F", dense, dense)).loops == LoopCounts(common=16_064)
    assert counts(agreement("F", dense, dense, is_over=lambda: True)).loops.capped == 1


# --- laws -------------------------------------------------------------------------------------------------------


@given(GRAPHS)
def test_a_graph_agrees_with_itself(one: CausalGraph) -> None:
    found = agreement("F", one, one)
    assert {value(found, measure) for measure in DISTANCES} == {0}
    for measure in set(Measure) - DISTANCES - {Measure.NORMALISED_SHD}:
        assert value(found, measure) in (None, 1)
        assert value(found, measure, Element.NODES) in (None, 1)
    assert value(found, Measure.NORMALISED_SHD) in (None, 0)
    assert (value(found, Measure.F1) is None) == (not one.edges)


@given(GRAPHS, GRAPHS)
def test_swapping_the_graphs_swaps_precision_and_recall_and_keeps_the_rest(
    one: CausalGraph, other: CausalGraph
) -> None:
    forth, back = agreement("F", one, other), agreement("F", other, one)
    for element in Element:
        assert value(forth, Measure.PRECISION, element) == value(back, Measure.RECALL, element)
        for measure in (Measure.F1, Measure.SHD, Measure.JACCARD):
            assert value(forth, measure, element) == value(back, measure, element)
    for measure in set(Measure) - {Measure.PRECISION, Measure.RECALL, Measure.NORMALISED_SHD}:
        assert value(forth, measure) == value(back, measure)
    assert forth.swapped() == back.counts
    assert back.swapped() == forth.counts


@given(WITHOUT_LOOPS, WITHOUT_LOOPS)
def test_kappa_is_1_for_equal_graphs_and_only_for_them_and_undefined_if_empty_or_complete(
    one: CausalGraph, other: CausalGraph
) -> None:
    for ours, theirs in ((one, other), (one, one)):
        nodes = {*ours.nodes, *theirs.nodes}
        gold, found = ({edge.pair for edge in graph.edges} for graph in (ours, theirs))
        possible = len(nodes) * (len(nodes) - 1)
        kappa = value(agreement("F", ours, theirs), Measure.KAPPA)
        if not gold | found or len(gold & found) == possible:
            assert kappa is None
        else:
            assert (kappa == 1) == (gold == found)


@given(GRAPHS, GRAPHS, GRAPHS)
def test_shd_is_a_metric_on_edges(one: CausalGraph, other: CausalGraph, third: CausalGraph) -> None:
    def distance(a: CausalGraph, b: CausalGraph) -> float:
        return value(agreement("F", a, b), Measure.SHD) or 0

    def once(a: CausalGraph, b: CausalGraph) -> int:
        return agreement("F", a, b).comparison.shd.once

    for measured_by in (distance, once):
        same = {e.pair for e in one.edges} == {e.pair for e in other.edges}
        assert (measured_by(one, other) == 0) == same
        assert measured_by(one, other) == measured_by(other, one)
        assert measured_by(one, third) <= measured_by(one, other) + measured_by(other, third)


@given(GRAPHS, GRAPHS, st.permutations(NAMES), st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(one: CausalGraph, other: CausalGraph, names: list[str], chance: Random) -> None:
    def told_otherwise(graph: CausalGraph) -> CausalGraph:
        new = dict(zip(NAMES, names, strict=True))
        edges = [Edge(new[e.source], new[e.sink], e.sign, e.delay) for e in graph.edges]
        chance.shuffle(edges)
        return CausalGraph.of([*edges, *edges[:2]], [new[name] for name in reversed(graph.nodes)])

    first, second = agreement("F", one, other), agreement("F", told_otherwise(one), told_otherwise(other))
    assert first.counts == second.counts


@given(GRAPHS, GRAPHS)
def test_an_isolated_node_in_both_is_one_more_node_and_no_edge(one: CausalGraph, other: CausalGraph) -> None:
    plain = counts(agreement("F", one, other))
    one_more, other_more = (CausalGraph.of(g.edges, [*g.nodes, "Alone"]) for g in (one, other))
    wider = counts(agreement("F", one_more, other_more))
    assert (wider.edges, wider.signs, wider.loops) == (plain.edges, plain.signs, plain.loops)
    assert wider.nodes == plain.nodes + Counts(1, 0, 0)
    assert wider.pairs.neither >= plain.pairs.neither


@given(GRAPHS)
def test_turning_every_arrow_round_keeps_what_is_reciprocal_only(one: CausalGraph) -> None:
    turned = CausalGraph.of([Edge(e.sink, e.source, e.sign) for e in one.edges], one.nodes)
    pairs = {edge.pair for edge in one.edges}
    kept = sum(pair[::-1] in pairs for pair in pairs)
    found = counts(agreement("F", one, turned))
    assert found.edges == Counts(kept, len(pairs) - kept, len(pairs) - kept)
    assert found.nodes == Counts(len(one.nodes), 0, 0)


# --- more than two ----------------------------------------------------------------------------------------------


def test_three_graphs_are_three_raters_of_every_ordered_pair() -> None:
    found = pair_ratings([graph("AB", "BB"), graph("AB", "BA"), graph(nodes="C")])
    # A B, A C, B A, B C, C A, C B
    assert found.codes.tolist() == [[1, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert found.domain == (0, 1)
    assert pair_ratings([]).codes.shape == (0, 0)


@pytest.mark.parametrize("measure", [Measure.ALPHA, Measure.AC1])
def test_two_graphs_as_raters_have_the_coefficients_of_their_counts(measure: Measure) -> None:
    from core.agreement.ac1 import gwet_ac1
    from core.agreement.alpha import krippendorff_alpha
    from core.agreement.level import MeasurementLevel

    ours, theirs = graph("AB", "BC", "CD", "DA"), graph("AB", "CB", "CD", "DE")
    ratings = pair_ratings([ours, theirs])
    found = krippendorff_alpha(ratings, MeasurementLevel.NOMINAL) if measure is Measure.ALPHA else gwet_ac1(ratings)
    assert value(agreement("F", ours, theirs), measure) == pytest.approx(found.value, abs=1e-12)
