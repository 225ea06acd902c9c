"""Counts of two transcriptions: the measures of one figure, over figures, pooled, and their intervals."""

from __future__ import annotations

import math
from typing import TypedDict, Unpack

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.agreement.ac1 import gwet_ac1
from core.agreement.counts import Element, GraphCounts, Measure, measured, total
from core.agreement.kappa import cohen_kappa, table_ratings
from core.agreement.over_graphs import over_graphs
from core.agreement.recite import graphs
from core.agreement.tallies import Counts, DelayTable, LoopCounts, LoopKinds, NameTable, SignTable
from core.errors import BadInput
from core.graphs.compare import PairTable
from core.scoring.interval import Resampling, drawn_units
from tests.everything import EVERYTHING

SMALL = st.integers(0, 6)
PAIRS = st.builds(PairTable, SMALL, SMALL, SMALL, st.integers(0, 20))
COUNTS = st.builds(Counts, SMALL, SMALL, SMALL)
SIGNS = st.builds(SignTable, SMALL, SMALL, SMALL, SMALL)
LOOPS = st.builds(LoopCounts, SMALL, SMALL, SMALL, st.sampled_from([0, 0, 0, 1]))
DELAYS = st.builds(DelayTable, SMALL, SMALL, SMALL, SMALL)
KINDS = st.builds(LoopKinds, *[SMALL] * 6)
NAMES = st.builds(NameTable, SMALL, SMALL, SMALL, SMALL)
ROWS = st.lists(
    st.builds(
        GraphCounts,
        figure=st.just("F"),
        nodes=COUNTS,
        edges=COUNTS,
        pairs=PAIRS,
        signs=SIGNS,
        loops=LOOPS,
        delays=DELAYS,
        kinds=KINDS,
        names=NAMES,
        reversed=SMALL,
    ),
    min_size=2,
    max_size=8,
)
OF_NAMES = (Measure.LABELS_EXACT, Measure.LABELS_TYPO, Measure.LABELS_MINOR)


ONE_EDGE = PairTable(1, 0, 0, 5)


class Tables(TypedDict, total=False):
    signs: SignTable
    loops: LoopCounts
    delays: DelayTable
    kinds: LoopKinds


def row(pairs: PairTable = ONE_EDGE, **more: Unpack[Tables]) -> GraphCounts:
    return GraphCounts(figure="F", nodes=Counts(3, 0, 0), edges=Counts(1, 0, 0), pairs=pairs, **more)


def of(counts: GraphCounts, measure: Measure) -> tuple[float | None, str]:
    found = measured(counts, Element.EDGES, measure)
    return found.value, found.reason


def test_a_row_of_table_21_has_its_shares_and_distances() -> None:
    # Article 259: 19 nodes, 48 edges, 2 node FP, 1 edge FP, 12 edge FN.
    found = GraphCounts.of_row("259", nodes=19, edges=48, node_fp=2, node_fn=0, edge_fp=1, edge_fn=12)
    assert of(found, Measure.PRECISION)[0] == 36 / 37
    assert of(found, Measure.RECALL)[0] == 36 / 48
    assert of(found, Measure.F1)[0] == 72 / 85
    assert of(found, Measure.SHD)[0] == 13
    assert of(found, Measure.NORMALISED_SHD)[0] == 13 / 48
    assert of(found, Measure.JACCARD)[0] == 36 / 49
    assert measured(found, Element.NODES, Measure.PRECISION).value == 19 / 21
    assert measured(found, Element.COMBINED, Measure.NORMALISED_SHD).value == 15 / 67
    assert found.pairs == PairTable(36, 12, 1, 19 * 18 - 49)


@pytest.mark.parametrize("wrong", [{"edge_fn": 30}, {"node_fn": 20}, {"edge_fp": -1}, {"nodes": 3}])
def test_a_row_that_cannot_be_is_refused(wrong: dict[str, int]) -> None:
    possible = {"nodes": 10, "edges": 20, "node_fp": 0, "node_fn": 0, "edge_fp": 0, "edge_fn": 0}
    with pytest.raises(BadInput, match=r"259: .* check the row"):
        GraphCounts.of_row("259", **{**possible, **wrong})


@given(PAIRS)
def test_coefficients_over_pairs_are_those_of_the_ratings_behind_them(pairs: PairTable) -> None:
    counts = row(pairs)
    cells = [[pairs.both, pairs.reference_only], [pairs.candidate_only, pairs.neither]]
    ratings = table_ratings(cells, (1, 0))
    if len(ratings.codes) < 3:
        return  # ratings of so few units have no coefficient; two ordered pairs of two nodes do
    assert of(counts, Measure.AC1)[0] == pytest.approx(gwet_ac1(ratings).value, abs=1e-12)
    by_raters = cohen_kappa(ratings).value
    if by_raters is not None:
        assert of(counts, Measure.KAPPA)[0] == pytest.approx(by_raters, abs=1e-12)
    alpha = of(counts, Measure.ALPHA)[0]
    if alpha is None:
        assert len(np.unique(ratings.codes)) == 1
    else:
        assert alpha == pytest.approx(krippendorff.alpha(ratings.codes.T, level_of_measurement="nominal"), abs=1e-12)


def test_no_edge_anywhere_is_raw_agreement_and_ac1_of_1_and_no_kappa_or_alpha() -> None:
    empty = GraphCounts(figure="F", nodes=Counts(3, 0, 0), edges=Counts(0, 0, 0), pairs=PairTable(0, 0, 0, 6))
    reason = "neither graph has an edge, so chance agreement is certain"
    assert of(empty, Measure.KAPPA) == of(empty, Measure.ALPHA) == (None, reason)
    assert of(empty, Measure.RAW)[0] == of(empty, Measure.AC1)[0] == 1
    assert of(empty, Measure.F1) == of(empty, Measure.JACCARD) == (None, "neither graph has edges")
    alone = GraphCounts(figure="F", nodes=Counts(1, 0, 0), edges=Counts(0, 0, 0), pairs=PairTable(0, 0, 0, 0))
    for measure in (Measure.KAPPA, Measure.ALPHA, Measure.AC1, Measure.RAW):
        assert of(alone, measure) == (None, "there are fewer than two nodes, so no ordered pair to agree on")


def test_signs_are_judged_on_matched_edges_with_both_known() -> None:
    # 10 + 5 equal, 3 + 2 different: observed 3/4, by chance (13·12 + 7·8)/400 = 53/100.
    found = measured(row(signs=SignTable(10, 3, 2, 5, unknown=4)), Element.EDGES, Measure.SIGN_KAPPA)
    assert (found.value, found.n) == pytest.approx(((0.75 - 0.53) / 0.47, 20))
    reasons = {
        SignTable(): "no matched edge has a known sign in both graphs, and 3 are needed",
        SignTable(1, unknown=8): "only one matched edge has a known sign in both graphs, and 3 are needed",
        SignTable(1, 1): "only 2 matched edges have a known sign in both graphs, and 3 are needed",
        SignTable(5, 2): "the reference has only + on the matched edges",
        SignTable(0, 2, 0, 5): "the other graph has only − on the matched edges",
    }
    for table, reason in reasons.items():
        assert of(row(signs=table), Measure.SIGN_KAPPA) == (None, reason)


def test_delays_are_judged_on_matched_edges() -> None:
    # 6 + 10 equal, 2 + 2 different: observed 4/5, by chance (8·8 + 12·12)/400 = 13/25.
    found = measured(row(delays=DelayTable(6, 2, 2, 10)), Element.EDGES, Measure.DELAY_KAPPA)
    assert (found.value, found.n) == pytest.approx(((0.8 - 0.52) / 0.48, 20))
    reasons = {
        DelayTable(): "no edge is matched, and 3 are needed",
        DelayTable(1): "only one edge is matched, and 3 are needed",
        DelayTable(1, 1): "only 2 edges are matched, and 3 are needed",
        DelayTable(neither=9): "the reference marks no matched edge as delayed",
        DelayTable(reference_only=2, neither=5): "the other graph marks no matched edge as delayed",
        DelayTable(both=5): "the reference marks every matched edge as delayed",
    }
    for table, reason in reasons.items():
        assert of(row(delays=table), Measure.DELAY_KAPPA) == (None, reason)


def test_loops_of_each_kind_and_labels_have_their_reasons_too() -> None:
    found = row(loops=LoopCounts(4, 1, 1), kinds=LoopKinds(2, 0, 1, 3, 1, 2))
    kinds = (Measure.LOOP_KINDS, Measure.LOOPS_R, Measure.LOOPS_B, Measure.LOOPS_U)
    assert [of(found, measure)[0] for measure in kinds] == [3 / 4, 2 / 3, 0, 1 / 2]
    assert of(row(), Measure.LOOP_KINDS) == (None, "the graphs have no loop in common")
    assert of(row(), Measure.LOOPS_B) == (None, "neither graph has a balancing loop")
    capped = row(loops=LoopCounts(4, 0, 0, capped=1), kinds=LoopKinds(2, 0, 0, 2))
    assert {of(capped, measure) for measure in kinds} == {of(row(loops=LoopCounts(9, 0, 0, capped=1)), Measure.LOOPS)}
    none = measured(row(), Element.NODES, Measure.LABELS_EXACT)
    assert none.reason == "no name is aligned with another"


def test_loops_overlap_unless_there_is_none_or_too_many() -> None:
    assert of(row(loops=LoopCounts(2, 1, 1)), Measure.LOOPS)[0] == 1 / 2
    assert of(row(), Measure.LOOPS) == (None, "neither graph has a loop")
    capped = row(loops=LoopCounts(9, 0, 0, capped=1))
    assert of(capped, Measure.LOOPS) == (None, "there are more loops than could be listed")


def test_nodes_have_no_kappa() -> None:
    found = measured(row(), Element.NODES, Measure.KAPPA)
    assert found.value is None
    assert "absent elements" in found.reason


def test_figures_without_a_value_are_counted_beside_the_mean() -> None:
    empty = GraphCounts(figure="E", nodes=Counts(3, 0, 0), edges=Counts(0, 0, 0), pairs=PairTable(0, 0, 0, 6))
    half = GraphCounts(figure="H", nodes=Counts(3, 0, 0), edges=Counts(1, 1, 1), pairs=PairTable(1, 1, 1, 3))
    found = over_graphs([row(), empty, half, empty], Element.EDGES, Measure.F1)
    # F1 1 and 1/2: mean 3/4, population sd 1/4. Pooled: 2 TP, 1 FP, 1 FN.
    assert (found.mean.value, found.sd.value, found.mean.n) == (3 / 4, 1 / 4, 2)
    assert found.pooled.value == 2 / 3
    assert found.undefined == {"neither graph has edges": 2}
    assert [estimate.value for estimate in found.per_graph] == [1, None, 1 / 2, None]
    nowhere = over_graphs([empty], Element.EDGES, Measure.F1)
    assert (nowhere.mean.reason, nowhere.sd.value) == ("it is defined in no graph", None)
    assert over_graphs([], Element.EDGES, Measure.F1, Resampling(1)).mean.reason == "there are no graphs"


@pytest.mark.parametrize("measure", Measure)
@settings(max_examples=200 if EVERYTHING else 3)  # of each measure
@given(rows=ROWS)
def test_an_interval_is_of_the_measure_itself_over_drawn_figures(measure: Measure, rows: list[GraphCounts]) -> None:
    how, element = Resampling(4, draws=40), Element.NODES if measure in OF_NAMES else Element.EDGES
    found = over_graphs(rows, element, measure, how)
    draws = [[rows[place] for place in drawn] for drawn in np.concatenate(list(drawn_units(len(rows), how)))]
    pooled = [measured(total(draw), element, measure).value for draw in draws]
    means = [over_graphs(draw, element, measure).mean.value for draw in draws]
    for estimate, values in ((found.pooled, pooled), (found.mean, means)):
        kept = [value for value in values if value is not None]
        if estimate.value is None or len(values) - len(kept) > 1:  # a tail of 40 draws is one draw
            assert estimate.low is None
            continue
        assert (estimate.low, estimate.high) == pytest.approx(tuple(np.quantile(kept, [0.025, 0.975])), abs=1e-12)


def test_intervals_over_the_papers_graphs() -> None:
    found = over_graphs(graphs(), Element.EDGES, Measure.F1, Resampling(2026))
    for estimate in (found.mean, found.pooled):
        assert estimate.low is not None and estimate.high is not None and estimate.value is not None
        assert 0.95 < estimate.low < estimate.value < estimate.high <= 1
    by_paper = over_graphs(graphs(), Element.EDGES, Measure.F1, Resampling(2026), clusters=[n % 5 for n in range(37)])
    assert by_paper.pooled.value == found.pooled.value
    assert by_paper.pooled.low != found.pooled.low


@given(ROWS)
def test_a_total_does_not_depend_on_the_order(rows: list[GraphCounts]) -> None:
    assert total(rows) == total(rows[::-1])
    for measure in Measure:
        one, other = (over_graphs(some, Element.EDGES, measure) for some in (rows, rows[::-1]))
        assert one.pooled == other.pooled
        assert one.undefined == other.undefined
        if one.mean.value is not None and one.sd.value is not None:
            assert other.mean.value == one.mean.value
            assert math.isclose(other.sd.value or 0, one.sd.value, abs_tol=1e-15)
