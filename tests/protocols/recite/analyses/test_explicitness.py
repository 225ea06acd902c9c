"""F1 by explicitness and size, against pandas and SciPy on a planted corpus."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.analysis.analyse import INTERVALS
from core.analysis.charts import ChartKind
from core.analysis.table_charts import chart_of
from protocols.recite.analyses.explicitness import SIZES
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, prepared

FRAME = corpus()
ITEMS, SHOWN = prepared(FRAME)
ONCE = FRAME.drop_duplicates("sample").set_index("sample")
F1 = "score.default.overall_f1"


@pytest.mark.parametrize(
    ("number", "judge", "fact"), [(0, "First judge", "explicitness"), (3, "Second judge", "strict")]
)
def test_quartiles_of_explicitness_have_the_mean_f1_of_each_model(number: int, judge: str, fact: str) -> None:
    table = TABLES.preset("explicitness").tables(ITEMS, SHOWN)[number]
    edges = ONCE[f"fact.{fact}"].quantile([0.25, 0.5, 0.75])
    group = np.searchsorted(edges, ONCE[f"fact.{fact}"], side="left")
    groups = dict(zip(ONCE.index, group, strict=True))
    rows = FRAME[FRAME["judge"] == judge].assign(group=FRAME["sample"].map(groups))
    assert len(table.column_labels) == 4 and table.row_labels[:4] == ("Alpha", "Beta", "Gamma", "Delta")
    for place, column in enumerate(table.column_labels):
        assert column.endswith(f"(n = {(group == place).sum()})")
        for model in table.row_labels[:4]:
            cell = table.cells[model, column]
            values = rows[(rows["model"] == model) & (rows["group"] == place)][F1]
            expected = (values.mean(), values.std(ddof=0))
            assert (cell.estimate.value, cell.estimate.sd) == pytest.approx(expected, abs=1e-9)
            assert (cell.n_scored, cell.counts.incomplete) == (values.notna().sum(), values.isna().sum())
    assert f"> {edges[0.75]:.10g} " in table.column_labels[-1]
    means = [table.cells["Mean of 3 open models", column].estimate.value or 0 for column in table.column_labels]
    assert means == sorted(means) and 1.4 < means[-1] / means[0] < 2.6, "planted: F1 about doubles"
    assert chart_of(table, TABLES.preset("explicitness").chart).kind is ChartKind.HEAT


def test_r2_of_explicitness_is_on_the_logarithm_of_size_over_samples() -> None:
    tables = TABLES.preset("explicit-size").tables(ITEMS, SHOWN)
    for table, fact in zip(tables, ("explicitness", "strict"), strict=True):
        tests = {
            title: stats.linregress(np.log10(ONCE[f"fact.{of}"]), ONCE[f"fact.{fact}"]) for of, title in SIZES.items()
        }
        for title, line in tests.items():
            cells = {column: table.cells[f"{title}, log10", column].estimate.value for column in table.column_labels}
            expected = {"R²": line.rvalue**2, "r": line.rvalue, "p of r": line.pvalue, "n": 30}
            for column, value in expected.items():
                assert cells[column] == pytest.approx(value, abs=1e-9), (title, column)
        least = min(tests, key=lambda title: tests[title].pvalue)
        holm = table.cells[f"{least}, log10", "p of r, Holm"].estimate.value
        assert holm == pytest.approx(min(1, 3 * tests[least].pvalue), abs=1e-9)
        assert table.chart is not None and len(table.chart.points) == 90


def test_size_is_the_highest_minus_the_lowest_quartile() -> None:
    tables = TABLES.preset("size").tables(ITEMS, replace(SHOWN, how=INTERVALS))
    for table, judge in zip(tables, ("First judge", "Second judge"), strict=True):
        rows = FRAME[(FRAME["judge"] == judge) & FRAME[F1].notna()]
        assert table.row_labels == ("Alpha", "Beta", "Gamma", "Delta")
        for fact, title in SIZES.items():
            low, high = ONCE[f"fact.{fact}"].quantile([0.25, 0.75])
            for model in table.row_labels:
                own = rows[rows["model"] == model]
                top, bottom = own[own[f"fact.{fact}"] > high][F1], own[own[f"fact.{fact}"] <= low][F1]
                many = len(top) + len(bottom)
                cell = table.cells[model, title].estimate
                spread = math.sqrt((top.var(ddof=0) * len(top) + bottom.var(ddof=0) * len(bottom)) / many)
                assert (cell.value, cell.sd) == pytest.approx((top.mean() - bottom.mean(), spread), abs=1e-9)
                assert (cell.low, cell.high) == pytest.approx(_interval(own, top, bottom), abs=1e-9)
                assert table.cells[model, f"{title}, n of highest"].estimate.value == len(top)
                assert table.cells[model, f"{title}, n of lowest"].estimate.value == len(bottom)
        assert table.chart is not None and (table.chart.reference, len(table.chart.points)) == (0.0, 12)


def _interval(own: pd.DataFrame, top: pd.Series, bottom: pd.Series) -> tuple[float, ...]:
    """Percentiles of the difference over draws of the samples of both quartiles together."""
    outer = own[own.index.isin(top.index) | own.index.isin(bottom.index)]
    drawn = np.random.default_rng(INTERVALS.seed).integers(
        0, len(outer), (INTERVALS.draws, len(outer)), dtype=np.uint32
    )
    values, is_top = outer[F1].to_numpy()[drawn], outer.index.isin(top.index)[drawn]
    means = [np.where(side, values, 0).sum(axis=1) / side.sum(axis=1) for side in (is_top, ~is_top)]
    return tuple(np.quantile(means[0] - means[1], [0.025, 0.975]))


def test_seven_samples_have_no_quartiles_and_cells_say_so() -> None:
    items, shown = prepared(corpus(samples=7))
    for key in ("explicitness", "size"):
        for table in TABLES.preset(key).tables(items, shown):
            reasons = {cell.estimate.reason for cell in table.cells.values()}
            assert reasons == {"quartiles need 8 samples; there are 7"}
            assert all(
                (cell.estimate.value is None and cell.n_scored == 0) or key == "explicitness"
                for cell in table.cells.values()
            )
