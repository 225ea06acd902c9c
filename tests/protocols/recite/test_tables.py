"""Columns of the tables, and which numbers of a score they have means of."""

from __future__ import annotations

from protocols.recite.exact_names import MEANS, measures_of, parts_of_failure
from protocols.recite.tables import TABLES, VARIANT, sample_of
from tests.core.analysis.test_means import item


def test_standard_comes_before_names_given_and_the_released_layout_last() -> None:
    labels = [
        "names given, as released",
        "names given",
        "standard (exact names), as released",
        "standard (exact names)",
    ]
    assert VARIANT.order(labels) == [
        "standard (exact names)",
        "names given",
        "standard (exact names), as released",
        "names given, as released",
    ]
    assert VARIANT.of(item("m", "1", 0.5)) == ["standard (exact names)"]


def test_what_is_undefined_has_no_measure_and_all_others_have_a_mean() -> None:
    parts = {
        "node": {"f1": 0.5, "precision": None, "recall": 0.0},
        "edge": {"f1": None, "precision": None, "recall": 0.0},
        "shd": {"once": 3, "twice": 4},
        "normalised": {"gold_pairs": 0.25, "union_pairs": 0.25, "gold_edges": 1.0},
        "kappa": None,
        "as_released": {"precision": 0.6, "recall": 0.6, "f1": 0.6},
    }
    found = measures_of(parts)
    assert {each.column for each in MEANS.values()} - set(found) == {
        "edge_f1",
        "edge_precision",
        "node_precision",
        "kappa",
    }
    assert (found["node_f1"], found["shd_twice"], found["released_f1"]) == (0.5, 4, 0.6)
    assert measures_of(None) == {}
    assert TABLES.measures_of is measures_of


def test_the_same_id_in_two_tables_of_samples_is_no_same_sample() -> None:
    """Models in pairs are compared on the samples that both were asked."""
    assert sample_of({"paper": "1", "text": "a"}) != sample_of({"paper": "1", "text": "b"})
    assert sample_of({"paper": "1", "text": "a"}) == sample_of({"paper": "1", "text": "a"})


def test_a_failed_answer_is_worth_the_empty_graph_with_a_precision_of_0() -> None:
    found = measures_of(parts_of_failure({"nodes": ["a", "b", "c"], "edges": [["a", "b"], ["b", "c"]]}))
    for kind in ("edge", "node"):
        assert [found[f"{kind}_{figure}"] for figure in ("precision", "recall", "f1")] == [0, 0, 0]
    assert (found["shd_once"], found["shd_twice"], found["kappa"]) == (2, 2, 0)
    assert (found["shd_gold_pairs"], found["shd_gold_edges"]) == (2 / 6, 1)
    assert parts_of_failure({"truth": {}, "answer": {}}) is None  # a judge that fails says nothing of the judged model
