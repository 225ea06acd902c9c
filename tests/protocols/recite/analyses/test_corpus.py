"""Sizes, concepts, domains and fields of samples, against pandas and SciPy on a planted corpus."""

from __future__ import annotations

import json
import math
from itertools import combinations

import pytest
from scipy import stats

from core.analysis.charts import ChartKind
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, prepared

FRAME = corpus()
ITEMS, SHOWN = prepared(FRAME)
ONCE = FRAME.drop_duplicates("sample").set_index("sample")


def test_sizes_and_explicitness_are_of_samples_and_explicitness_also_of_all_nodes() -> None:
    (table,) = TABLES.preset("corpus").tables(ITEMS, SHOWN)
    rows = {
        "Characters": "characters",
        "Edges": "edges",
        "Nodes": "nodes",
        "Explicitness, strict, of a sample": "strict",
    }
    for row, fact in rows.items():
        values = ONCE[f"fact.{fact}"]
        mean = table.cells[row, "Mean ± sd"].estimate
        assert (mean.value, mean.sd) == pytest.approx((values.mean(), values.std(ddof=0)), abs=1e-9)
        for column, value in (("Min", values.min()), ("Median", values.median()), ("Max", values.max())):
            assert table.cells[row, column].estimate.value == pytest.approx(value, abs=1e-9)
        assert table.cells[row, "Samples"].estimate.value == 30
    for fact, words in (("explicitness", "lenient"), ("strict", "strict")):
        pooled = (ONCE[f"fact.{fact}"] * ONCE["fact.nodes"]).sum() / ONCE["fact.nodes"].sum()
        cell = table.cells[f"Explicitness, {words}, of all nodes", "Mean ± sd"].estimate
        assert (cell.value, cell.sd) == (pytest.approx(pooled, abs=1e-9), None)
    assert table.chart is not None and table.chart.kind is ChartKind.HISTOGRAM and table.chart.is_log
    assert sum(point.value or 0 for point in table.chart.points) == 30


def test_concepts_are_counted_by_paper_and_pairs_of_papers_that_share_none() -> None:
    frame = FRAME.assign(**{"fact.node_names": FRAME["fact.node_names"].str.replace("concept 3.1", "Concept  4.1")})
    (table,) = TABLES.preset("concepts").tables(*prepared(frame))
    once = frame.drop_duplicates("sample")
    papers = [set(json.loads(names)) for names in once["fact.node_names"]]
    for row, fold in {"As written": str, "Folded": lambda name: " ".join(name.lower().split())}.items():
        each = [set(map(fold, names)) for names in papers]
        concepts = set().union(*each)
        in_one = sum(sum(concept in names for names in each) == 1 for concept in concepts) / len(concepts)
        none = [one.isdisjoint(other) for one, other in combinations(each, 2)]
        expected = [30, len(concepts), in_one, len(none), sum(none) / len(none)]
        numbers = [table.cells[row, column].estimate.value for column in table.column_labels]
        assert numbers == pytest.approx(expected, abs=1e-9)
    assert table.cells["As written", "Concepts"].estimate.value != table.cells["Folded", "Concepts"].estimate.value


def test_a_paper_with_a_domain_only_counts_in_its_domain() -> None:
    domains, fields, diversity = TABLES.preset("domains").tables(ITEMS, SHOWN)
    for table, name in ((domains, "domain"), (fields, "field")):
        counts = ONCE[f"fact.{name}"].value_counts()
        for topic, many in counts.items():
            assert table.cells[str(topic), "Samples"].estimate.value == many
            assert table.cells[str(topic), "Share"].estimate.value == pytest.approx(many / counts.sum(), abs=1e-9)
        missing = table.cells[f"no {name}", "Samples"].estimate.value
        assert missing == ONCE[f"fact.{name}"].isna().sum() and table.row_labels[-1] == f"no {name}"
        entropy = stats.entropy(counts)
        numbers = [diversity.cells[name.capitalize(), column].estimate.value for column in diversity.column_labels]
        assert numbers == pytest.approx([counts.sum(), len(counts), entropy, math.exp(entropy)], abs=1e-9)
    assert "Engineering" in domains.row_labels and domains.cells["Engineering", "Samples"].n_total == 7


def test_f1_by_domain_is_drawn_as_dots_which_are_faint_for_few_samples() -> None:
    frame = FRAME.assign(**{"fact.domain": FRAME["fact.domain"].where(FRAME["sample"] > "s003", "Rare")})
    tables = TABLES.preset("domains-f1").tables(*prepared(frame))
    assert [table.row_title for table in tables] == ["Domain", "Domain", "Field", "Field"]
    table = tables[0]
    rows = frame[frame["judge"] == "First judge"]
    for (domain, model), values in rows.groupby(["fact.domain", "model"])["score.default.overall_f1"]:
        many = rows[rows["fact.domain"] == domain]["sample"].nunique()
        cell = table.cells[f"{domain} (n = {many})", str(model)]
        expected = (values.mean(), values.std(ddof=0))
        assert (cell.estimate.value, cell.estimate.sd) == pytest.approx(expected, abs=1e-9)
    assert table.chart is not None and table.chart.kind is ChartKind.DOTS and "fewer than 5" in table.chart.title
    assert {point.row for point in table.chart.points if point.is_faint} == {"Rare (n = 4)"}
