"""Topology and F1, against pandas and SciPy on a planted corpus."""

from __future__ import annotations

import pytest
from scipy import stats

from core.analysis.charts import ChartKind
from protocols.recite.analyses.structure import MEASURES
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, prepared

FRAME = corpus()
ITEMS, SHOWN = prepared(FRAME)


def test_topology_is_over_samples_each_once() -> None:
    (table,) = TABLES.preset("topology").tables(ITEMS, SHOWN)
    once = FRAME.drop_duplicates("sample")
    assert len(once) == 30
    for name, title in MEASURES.items():
        values = once[f"count.{name}"].dropna()
        mean = table.cells[title, "Mean ± sd"].estimate
        assert (mean.value, mean.sd) == pytest.approx((values.mean(), values.std(ddof=0)), abs=1e-9)
        for column, value in (("Min", values.min()), ("Median", values.median()), ("Max", values.max())):
            assert table.cells[title, column].estimate.value == pytest.approx(value, abs=1e-9)
        assert table.cells[title, "Samples"].estimate.value == len(values)


def test_each_judge_has_a_table_of_correlations_with_the_mean_f1_of_samples() -> None:
    tables = TABLES.preset("topology-f1").tables(ITEMS, SHOWN)
    assert [table.title.rpartition(" by ")[2] for table in tables] == ["First judge", "Second judge"]
    for table, judge in zip(tables, ("First judge", "Second judge"), strict=True):
        rows = FRAME[FRAME["judge"] == judge]
        mean = rows.groupby("sample")["score.default.overall_f1"].mean()
        once = rows.drop_duplicates("sample").set_index("sample")
        rising = list[float]()
        for name, title in MEASURES.items():
            both = once[[f"count.{name}"]].assign(f1=mean).dropna()
            r, rho = stats.pearsonr(both.iloc[:, 0], both["f1"]), stats.spearmanr(both.iloc[:, 0], both["f1"])
            expected = {"r": r.statistic, "p of r": r.pvalue, "ρ": rho.statistic, "p of ρ": rho.pvalue, "n": len(both)}
            for column, value in expected.items():
                assert table.cells[title, column].estimate.value == pytest.approx(value, abs=1e-9), (title, column)
            estimate = table.cells[title, "r"].estimate
            interval = r.confidence_interval()
            assert (estimate.low, estimate.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
            rising.append(r.pvalue)
        least = min(MEASURES, key=lambda name: rising[list(MEASURES).index(name)])
        corrected = table.cells[MEASURES[least], "p of r, Holm"].estimate.value
        assert corrected == pytest.approx(min(1, min(rising) * len(MEASURES)), abs=1e-9)
        assert table.chart is not None and table.chart.kind is ChartKind.SCATTER
        assert len(table.chart.points) == 30


def test_a_constant_measure_has_no_correlation_and_says_why() -> None:
    items, shown = prepared(FRAME.assign(**{"count.sources": 3.0}))
    table = TABLES.preset("topology-f1").tables(items, shown)[0]
    estimate = table.cells["Sources", "r"].estimate
    assert estimate.value is None and "same in all units" in estimate.reason


def test_incomplete_answers_are_left_out_and_counted() -> None:
    table = TABLES.preset("topology-f1").tables(ITEMS, SHOWN)[0]
    counts = table.cells["Nodes", "r"].counts
    incomplete = ((FRAME["judge"] == "First judge") & (FRAME["judge_status"] == "incomplete")).sum()
    assert (counts.asked, counts.incomplete) == (120, incomplete)
