"""Topology and F1, against pandas and SciPy on a planted corpus."""

from __future__ import annotations

import pandas as pd
import pytest
from scipy import stats

from core.analysis.charts import ChartKind
from protocols.recite.analyses.structure import MEASURES
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, prepared

FRAME = corpus()
ITEMS, SHOWN = prepared(FRAME)


def test_topology_is_over_samples_each_once() -> None:
    table = TABLES.preset("topology").tables(ITEMS, SHOWN)[0]
    once = FRAME.drop_duplicates("sample")
    assert len(once) == 30
    for name, title in MEASURES.items():
        values = once[f"count.{name}"].dropna()
        mean = table.cells[title, "Mean ± sd"].estimate
        assert (mean.value, mean.sd) == pytest.approx((values.mean(), values.std(ddof=0)), abs=1e-9)
        for column, value in (("Min", values.min()), ("Median", values.median()), ("Max", values.max())):
            assert table.cells[title, column].estimate.value == pytest.approx(value, abs=1e-9)
        assert table.cells[title, "Samples"].estimate.value == len(values)


def test_density_and_degree_have_histograms_with_the_number_of_graphs_in_each_group() -> None:
    once = FRAME.drop_duplicates("sample")
    _, *tables = TABLES.preset("topology").tables(ITEMS, SHOWN)
    for table, (name, width) in zip(tables, (("density", 0.05), ("average_degree", 0.5)), strict=True):
        assert table.chart is not None and table.chart.kind is ChartKind.HISTOGRAM
        for point in table.chart.points:
            values, low = once[f"count.{name}"], point.low or 0
            expected = ((values >= low - 1e-12) & (values < low + width - 1e-12)).sum()
            assert table.cells[point.row, "Graphs"].estimate.value == point.value == expected
        assert sum(point.value or 0 for point in table.chart.points) == len(once)


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


def test_cycles_are_drawn_on_a_log_axis_with_capped_counts_named() -> None:
    frame = FRAME.assign(**{"count.cycles_capped": FRAME["count.cycles"] > 9})
    table = TABLES.preset("topology").tables(*prepared(frame))[0]
    assert table.chart is not None and table.chart.is_log
    cycles = FRAME.drop_duplicates("sample")["count.cycles"]
    for point in table.chart.points:
        assert point.low is not None and point.high is not None
        assert point.value == ((cycles >= point.low) & (cycles < point.high)).sum()
    assert sum(point.value or 0 for point in table.chart.points) == 30
    assert f"Of {(cycles > 9).sum()} graphs the number of cycles is a lower bound" in table.chart.title


@pytest.mark.parametrize("key", ["density", "cycles"])
def test_f1_by_structure_has_the_number_of_samples_of_each_group(key: str) -> None:
    frame = FRAME.assign(**{"fact.density": FRAME["fact.density"].where(FRAME["sample"] != "s003", 0.3)})
    bins = pd.cut(frame["fact.density"], [0, 0.15, 0.3, 2], right=False, labels=["< 0.15", "0.15 to < 0.3", "≥ 0.3"])
    group = (
        bins.astype(str) if key == "density" else frame["fact.is_cyclic"].map({"True": "Cyclic", "False": "Acyclic"})
    )
    tables = TABLES.preset(key).tables(*prepared(frame))
    for table, judge in zip(tables, ("First judge", "Second judge"), strict=True):
        rows = frame[frame["judge"] == judge]
        for (label, model), values in rows.groupby([group, "model"])["score.default.overall_f1"]:
            many = rows[group[rows.index] == label]["sample"].nunique()
            cell = table.cells[str(model), f"{label} (n = {many})"]
            expected = (values.mean(), values.std(ddof=0))
            assert (cell.estimate.value, cell.estimate.sd) == pytest.approx(expected, abs=1e-9)
            assert (cell.n_scored, cell.counts.incomplete) == (values.notna().sum(), values.isna().sum())
        assert sum(int(label.rpartition("= ")[2][:-1]) for label in table.column_labels) == 30
