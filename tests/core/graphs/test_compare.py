"""Sets, distances and kappa of two graphs, by hand arithmetic, by law, and beside a slow copy of the released curve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidGraph
from core.graphs.compare import Comparison, ElementOutcome, PairTable, cohen_kappa, compare
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign

QINBA = Path(__file__).resolve().parents[4] / "shared" / "data" / "cld" / "recite_qinba_case.json"
Pairs = set[tuple[str, str]]
NAMES = st.sampled_from("ABCDE")
PAIRS = st.sets(st.tuples(NAMES, NAMES), max_size=12)


def graph(*pairs: str, nodes: str = "") -> CausalGraph:
    """`graph("AB", "B-C")`: A → B and B → C with a minus."""
    edges = [Edge(pair[0], pair[-1], Sign(pair[1]) if len(pair) == 3 else None) for pair in pairs]
    return CausalGraph.of(edges, nodes)


def of_pairs(pairs: Pairs, nodes: str = "") -> CausalGraph:
    return CausalGraph.of([Edge(*pair) for pair in sorted(pairs)], nodes)


def counts(found: Comparison) -> dict[str, tuple[int, int, int]]:
    return {
        "node": (found.node.tp, found.node.fn, found.node.fp),
        "edge": (found.edge.tp, found.edge.fn, found.edge.fp),
    }


def outcomes(found: Comparison) -> dict[str, str]:
    return {"".join(edge.pair): edge.outcome.value for edge in found.edges}


# --- sets -------------------------------------------------------------------------------------------------------


def test_counts_and_scores_follow_the_sets() -> None:
    found = compare(graph("AB", "BC", "CD"), graph("AB", "BD", nodes="E"))
    # Edges: AB matched; BC, CD missed; BD spurious. Nodes: A B D matched, C missed, E spurious.
    assert counts(found) == {"node": (3, 1, 1), "edge": (1, 2, 1)}
    assert found.edge.precision.value == 1 / 2
    assert found.edge.recall.value == 1 / 3
    assert found.edge.f1.value == 2 / 5  # 2·1 / (2·1 + 1 + 2)
    assert found.node.f1.value == 6 / 8


def test_an_empty_candidate_has_no_precision_and_recall_and_f1_of_nothing() -> None:
    found = compare(graph("AB"), graph())
    assert (found.edge.precision.value, found.edge.precision.reason) == (None, "the compared graph has no edges")
    assert (found.edge.recall.value, found.edge.f1.value) == (0, 0)


def test_an_empty_reference_has_no_recall() -> None:
    found = compare(graph(), graph("AB"))
    assert (found.edge.recall.value, found.edge.recall.reason) == (None, "the reference has no edges")
    assert (found.edge.precision.value, found.edge.f1.value) == (0, 0)


def test_two_empty_graphs_are_undefined_with_the_reason_everywhere() -> None:
    found = compare(graph(), graph())
    released = found.as_released
    undefined = [
        found.edge.f1,
        found.node.f1,
        found.kappa,
        found.normalised.gold_pairs,
        found.normalised.union_pairs,
        found.normalised.gold_edges,
        released.precision,
        released.recall,
        released.f1,
        released.shd,
        released.normalized_shd,
    ]
    assert [(estimate.value, bool(estimate.reason)) for estimate in undefined] == [(None, True)] * len(undefined)
    assert found.shd.once == found.shd.twice == 0


def test_repeated_edges_and_signs_decide_nothing() -> None:
    found = compare(graph("A+B", "A-B", "BC"), graph("AB", "B+C", "BC"))
    assert counts(found) == {"node": (3, 0, 0), "edge": (2, 0, 0)}


def test_a_self_loop_is_an_edge_like_others() -> None:
    found = compare(graph("AA", "AB"), graph("AB", "BB"))
    assert outcomes(found) == {"AA": "missed", "AB": "matched", "BB": "spurious"}
    assert found.kappa.value == 1  # of distinct nodes the graphs have the same pairs


# --- SHD --------------------------------------------------------------------------------------------------------


def test_shd_parts_exclude_each_other() -> None:
    found = compare(graph("AB", "BC", "CD"), graph("BA", "BC", "AD"))
    # AB turned into BA; CD missing; AD extra.
    assert (found.shd.missing, found.shd.extra, found.shd.reversed) == (1, 1, 1)
    assert (found.shd.once, found.shd.twice) == (3, 4)
    assert outcomes(found) == {"AB": "missed", "BC": "matched", "CD": "missed", "BA": "reversed", "AD": "spurious"}
    assert [edge.pair for edge in found.edges if edge.is_turned] == [("A", "B"), ("B", "A")]


@pytest.mark.parametrize(
    ("reference", "candidate", "parts"),
    [
        (("AB", "BA"), ("AB",), (1, 0, 0)),
        (("AB",), ("AB", "BA"), (0, 1, 0)),
        (("AB", "BA"), (), (2, 0, 0)),
        ((), ("AB", "BA"), (0, 2, 0)),
        (("AB", "BA"), ("BA", "AB"), (0, 0, 0)),
        (("AB",), ("BA",), (0, 0, 1)),
    ],
)
def test_shd_of_reciprocal_pairs(
    reference: tuple[str, ...], candidate: tuple[str, ...], parts: tuple[int, int, int]
) -> None:
    shd = compare(graph(*reference), graph(*candidate)).shd
    assert (shd.missing, shd.extra, shd.reversed) == parts


def test_shd_is_normalised_by_three_denominators() -> None:
    found = compare(graph("AB", "BC", "CD"), graph("BA", "BC", "AE"))
    # once: BA reversed, CD missing, AE extra = 3; 4 nodes of the reference, 5 of both, 3 edges.
    assert found.normalised.gold_pairs.value == 3 / 12
    assert found.normalised.union_pairs.value == 3 / 20
    assert found.normalised.gold_edges.value == 3 / 3


def test_normalised_shd_with_one_node_is_zero_by_convention_and_says_so() -> None:
    found = compare(graph(nodes="A"), graph("AB", "BA")).normalised
    assert found.gold_pairs.value == 0
    assert found.gold_pairs.reason == "0 by convention: the reference has fewer than two nodes, so no pair to divide by"
    assert (found.union_pairs.value, found.union_pairs.reason) == (2 / 2, "")
    assert found.gold_edges.value is None


@given(PAIRS, PAIRS, PAIRS)
def test_shd_is_a_metric_on_edges(first: Pairs, second: Pairs, third: Pairs) -> None:
    def distances(one: Pairs, other: Pairs) -> tuple[int, int]:
        shd = compare(of_pairs(one, "ABCDE"), of_pairs(other, "ABCDE")).shd
        return shd.once, shd.twice

    there, on, direct = distances(first, second), distances(second, third), distances(first, third)
    assert distances(second, first) == there
    assert (there == (0, 0)) == (first == second)
    assert direct[0] <= there[0] + on[0]
    assert direct[1] <= there[1] + on[1]


# --- laws -------------------------------------------------------------------------------------------------------


@given(PAIRS)
def test_a_graph_agrees_with_itself(pairs: Pairs) -> None:
    found = compare(of_pairs(pairs, "A"), of_pairs(pairs, "A"))
    assert found.node.f1.value == 1
    assert found.edge.f1.value == (1 if pairs else None)
    assert found.shd.twice == found.normalised.gold_pairs.value == 0
    assert {edge.outcome for edge in found.edges} <= {ElementOutcome.MATCHED}


@given(PAIRS, PAIRS)
def test_swapping_the_graphs_swaps_missed_and_spurious(one: Pairs, other: Pairs) -> None:
    there, back = compare(of_pairs(one), of_pairs(other)), compare(of_pairs(other), of_pairs(one))
    for mine, theirs in ((there.node, back.node), (there.edge, back.edge)):
        assert (mine.tp, mine.fp, mine.fn) == (theirs.tp, theirs.fn, theirs.fp)
        assert mine.f1.value == theirs.f1.value
        assert mine.precision.value == theirs.recall.value
    assert (there.shd.missing, there.shd.extra) == (back.shd.extra, back.shd.missing)
    assert there.shd.reversed == back.shd.reversed
    assert there.kappa.value == back.kappa.value


@given(PAIRS)
def test_a_reversed_graph_keeps_its_reciprocal_pairs_and_self_loops_only(pairs: Pairs) -> None:
    found = compare(of_pairs(pairs), of_pairs({(b, a) for a, b in pairs}))
    kept = {(a, b) for a, b in pairs if (b, a) in pairs}
    assert found.edge.tp == len(kept)
    assert (found.shd.missing, found.shd.extra, found.shd.reversed) == (0, 0, len(pairs - kept))


@given(PAIRS, PAIRS)
def test_classes_number_what_the_scores_count(one: Pairs, other: Pairs) -> None:
    found = compare(of_pairs(one), of_pairs(other))
    kinds = [edge.outcome for edge in found.edges]
    assert {edge.pair for edge in found.edges} == one | other
    assert kinds.count(ElementOutcome.MISSED) == found.edge.fn
    assert kinds.count(ElementOutcome.SPURIOUS) + kinds.count(ElementOutcome.REVERSED) == found.edge.fp
    assert found.shd.twice == found.edge.fp + found.edge.fn


# --- kappa ------------------------------------------------------------------------------------------------------


def test_kappa_by_hand() -> None:
    # 3 nodes, 6 ordered pairs: AB both, BC reference only, CA candidate only, 3 neither.
    # po = 4/6; pe = (2/6)(2/6) + (4/6)(4/6) = 20/36; kappa = (24/36 - 20/36) / (16/36) = 1/4
    found = compare(graph("AB", "BC"), graph("AB", "CA"))
    assert found.pairs == PairTable(1, 1, 1, 3)
    assert found.kappa.value == pytest.approx(0.25, abs=1e-15)


@pytest.mark.parametrize(
    ("reference", "candidate", "reason"),
    [
        (graph(nodes="ABC"), graph(nodes="AB"), "neither graph has an edge"),
        (graph("AB", "BA"), graph("BA", "AB"), "both graphs have every possible edge"),
        (graph(nodes="A"), graph(nodes="A"), "there are fewer than two nodes"),
        (graph("AA"), graph(), "there are fewer than two nodes"),
    ],
)
def test_kappa_is_undefined_with_its_reason(reference: CausalGraph, candidate: CausalGraph, reason: str) -> None:
    kappa = compare(reference, candidate).kappa
    assert kappa.value is None
    assert kappa.reason.startswith(reason)


@given(PAIRS, PAIRS)
def test_kappa_is_one_exactly_for_equal_graphs_that_are_neither_empty_nor_complete(one: Pairs, other: Pairs) -> None:
    for pairs in (other, one):  # equal graphs are rare among random ones
        found = compare(of_pairs(one, "ABCDE"), of_pairs(pairs, "ABCDE"))
        inner, others = ({(a, b) for a, b in edges if a != b} for edges in (one, pairs))
        assert (found.kappa.value == 1) == (inner == others and 0 < len(inner) < 20)
        assert found.kappa.value is None or -1 <= found.kappa.value <= 1


def test_tables_of_several_graphs_are_pooled_by_adding_them() -> None:
    pooled = PairTable(1, 0, 0, 1) + PairTable(1, 1, 0, 2)
    assert pooled == PairTable(2, 1, 0, 3)
    # 2·(2·3 − 1·0) / ((2+1)(1+3) + (2+0)(0+3)) = 12/18
    assert cohen_kappa(pooled).value == pytest.approx(12 / 18)


# --- as released ------------------------------------------------------------------------------------------------


def released_slowly(gold: Pairs, found: Pairs) -> tuple[float, float, float, float, float]:
    """What the released code computes from adjacency matrices: scikit-learn's curve, CDT's area, then its averages."""
    names = sorted({name for pair in gold | found for name in pair})
    cells = [(a, b) for a in names for b in names]
    truth, scores = [float(cell in gold) for cell in cells], [float(cell in found) for cell in cells]
    precisions, recalls = [], []
    for threshold in sorted(set(scores)):
        chosen = [true for true, score in zip(truth, scores, strict=True) if score >= threshold]
        precisions.append(sum(chosen) / len(chosen))
        recalls.append(sum(chosen) / sum(truth) if sum(truth) else 1.0)
    precisions, recalls = [*precisions, 1.0], [*recalls, 0.0]
    points = list(zip(precisions, recalls, strict=True))
    area = sum(
        (points[i][1] - points[i + 1][1]) * (points[i][0] + points[i + 1][0]) / 2 for i in range(len(points) - 1)
    )
    mean = sum(map(sum, points)) / (2 * len(points))
    shd = sum(abs(true - score) for true, score in zip(truth, scores, strict=True))
    n = len(names)
    return area, mean, 2 * area * mean / (area + mean), shd, shd / (n * (n - 1)) if n > 1 else 0.0


def released(found: Comparison) -> list[float | None]:
    scores = found.as_released
    return [e.value for e in (scores.precision, scores.recall, scores.f1, scores.shd, scores.normalized_shd)]


@given(PAIRS, PAIRS)
def test_the_closed_form_is_the_released_curve(gold: Pairs, found: Pairs) -> None:
    for one, other in ((gold, found), (gold, gold), (gold, set()), (set(), found)):
        if one or other:
            scores = released(compare(of_pairs(one, "FG"), of_pairs(other)))  # isolated nodes do not exist for it
            assert scores == pytest.approx(released_slowly(one, other), abs=1e-12)


def test_the_released_curve_of_a_candidate_with_every_cell() -> None:
    every = {(a, b) for a in "AB" for b in "AB"}
    for gold in ({("A", "B")}, set[tuple[str, str]]()):
        scores = released(compare(of_pairs(gold), of_pairs(every)))
        assert scores == pytest.approx(released_slowly(gold, every), abs=1e-12)


def test_the_released_scores_of_the_published_cases() -> None:
    gold = graph("AB", "BC", "CD", "DA")  # 4 gold edges on 4 nodes, share 4/16
    perfect, empty = released(compare(gold, gold)), released(compare(gold, graph()))
    assert perfect[:3] == pytest.approx([1, 0.708, 0.829], abs=5e-4)
    assert empty[:3] == pytest.approx([0.625, 0.563, 0.592], abs=1e-3)
    reversed_all = compare(gold, graph("BA", "CB", "DC", "AD"))
    assert (reversed_all.as_released.shd.value, reversed_all.shd.once) == (8, 4)  # a reversal counts twice


# --- alignment and signs ----------------------------------------------------------------------------------------


def test_aligned_names_are_one_node_and_merged_ones_are_listed() -> None:
    candidate = CausalGraph.of([Edge("Price level", "Sales"), Edge("Prices", "Sales"), Edge("Prices", "Rain")])
    found = compare(
        CausalGraph.of([Edge("Price", "Demand")]),
        candidate,
        {"Price level": "Price", "Prices": "Price", "Sales": "Demand"},
    )
    assert counts(found) == {"node": (2, 0, 1), "edge": (1, 0, 1)}
    assert {node.name: (node.outcome.value, node.candidates) for node in found.nodes} == {
        "Price": ("matched", ("Price level", "Prices")),
        "Demand": ("matched", ("Sales",)),
        "Rain": ("spurious", ("Rain",)),
    }


def test_an_edge_between_merged_nodes_becomes_a_self_loop() -> None:
    found = compare(graph("AB"), graph("xy", "yB"), {"x": "A", "y": "A"})
    assert outcomes(found) == {"AB": "matched", "AA": "spurious"}


def test_an_alignment_of_nodes_that_are_not_there_is_refused() -> None:
    with pytest.raises(InvalidGraph, match=r"“x” = “A” .* prediction"):
        compare(graph("AB"), graph("AC"), {"x": "A"})
    with pytest.raises(InvalidGraph, match=r"“C” = “Q” .* reference"):
        compare(graph("AB"), graph("AC"), {"C": "Q"})


def test_signs_are_compared_on_matched_edges() -> None:
    found = compare(graph("A+B", "B-C", "CD", "D+E", "D-E", "E+F"), graph("A+B", "B+C", "C+D", "D+E", "F-E"))
    assert (found.signs.equal, found.signs.different, found.signs.unknown) == (1, 1, 2)
    differing = {edge.pair: edge.sign_differs for edge in found.edges if edge.sign_differs}
    assert differing == {("B", "C"): (Sign.MINUS, Sign.PLUS)}


@pytest.mark.parametrize(
    ("dropped", "node", "edge"), [("County GDP", (1, 3, 2), (0, 3, 2)), ("", (1, 4, 2), (0, 4, 2))]
)
def test_the_published_case(dropped: str, node: tuple[int, int, int], edge: tuple[int, int, int]) -> None:
    if not QINBA.exists():
        pytest.skip(f"{QINBA.name} is not here")
    case = json.loads(QINBA.read_text(encoding="utf-8"))
    found = compare(published(case["ground_truth"], dropped), published(case["prediction_r1"]), case["alignment_r1"])
    assert counts(found) == {"node": node, "edge": edge}


def published(part: dict[str, Any], dropped: str = "") -> CausalGraph:
    edges = [Edge(e["source"], e["sink"]) for e in part["edges"] if dropped not in (e["source"], e["sink"])]
    return CausalGraph.of(edges, [name for name in part["nodes"] if name != dropped])
