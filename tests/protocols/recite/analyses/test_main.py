"""Main results, names given and errors, against pandas on a planted corpus."""

from __future__ import annotations

import pandas as pd
import pytest

from core.analysis.charts import ChartKind
from core.analysis.printed import shown
from core.analysis.slices import Slice
from core.analysis.table_charts import chart_of
from protocols.recite.judge.tables import PATTERNS
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, exact, prepared

FRAME = corpus()
ITEMS, SHOWN = prepared(FRAME)
COLUMNS = {
    "Precision of nodes": "score.default.node_precision",
    "Recall of nodes": "score.default.node_recall",
    "Precision of edges": "score.default.edge_precision",
    "Recall of edges": "score.default.edge_recall",
    "F1": "score.default.overall_f1",
    "SHD": "score.shd.total",
    "SHD / n(n−1)": "score.shd.normalised",
}


def test_main_has_the_columns_of_table_3_in_its_order() -> None:
    (table,) = TABLES.preset("main").tables(ITEMS, SHOWN)
    assert table.column_labels == tuple(COLUMNS)
    assert len(table.row_labels) == 8
    for (model, judge), rows in FRAME.groupby(["model", "judge"]):
        for title, column in COLUMNS.items():
            cell = table.cells[f"{model} · standard by {judge}", title]
            values = rows[column].dropna()
            assert (cell.estimate.value, cell.estimate.sd) == pytest.approx(
                (values.mean(), values.std(ddof=0)), abs=1e-9
            )
            assert (cell.n_scored, cell.n_total) == (len(values), 30)
    chart = chart_of(table)
    assert (chart.kind, chart.value_title) == (ChartKind.DOTS, "F1")


def test_exact_names_are_in_a_table_of_their_own() -> None:
    both = pd.concat([FRAME, exact(variants=("standard", "names"))], ignore_index=True)
    judged, by_names = TABLES.preset("main").tables(*prepared(both))
    assert "F1" in judged.column_labels and "F1" not in by_names.column_labels
    rows = both[both["judge"].isna() & (both["model"] == "Alpha") & (both["variant"] == "names")]
    cell = by_names.cells["Alpha · names given", "F1 of edges"]
    assert cell.estimate.value == pytest.approx(rows["score.edge_f1"].mean(), abs=1e-9)


def test_names_has_precision_recall_and_f1_of_sets_shd_and_the_released_values() -> None:
    frame = exact(variants=("standard", "names"))
    items, shown_models = prepared(frame)
    (table,) = TABLES.preset("names").sliced(items, Slice(), shown_models)
    columns = {
        "Precision of edges": "edge_precision",
        "Recall of edges": "edge_recall",
        "F1 of edges": "edge_f1",
        "SHD, a reversal counted once": "shd_once",
        "SHD, a reversal counted twice": "shd_twice",
        "Area under the PR curve (as released)": "released_precision",
        "Mean of the curve's points (as released)": "released_recall",
        "F1 as released": "released_f1",
    }
    assert table.column_labels == tuple(columns)
    for model, rows in frame[frame["variant"] == "names"].groupby("model"):
        for title, column in columns.items():
            values = rows[f"score.{column}"]
            estimate = table.cells[str(model), title].estimate
            assert (estimate.value, estimate.sd) == pytest.approx((values.mean(), values.std(ddof=0)), abs=1e-9)
    cell = table.cells["Alpha", "SHD, a reversal counted once"]
    assert "%" not in shown(cell.estimate, table.figure("SHD, a reversal counted once"))


def test_errors_are_shares_of_all_edges_and_means_over_answers() -> None:
    pooled, means = TABLES.preset("errors").tables(ITEMS, SHOWN)
    for (model, judge), rows in FRAME.groupby(["model", "judge"]):
        for title, (over, under) in PATTERNS.items():
            above, below = rows[f"count.judged.{over}"], rows[f"count.judged.{under}"]
            place = f"{model} · standard by {judge}", title
            assert pooled.cells[place].estimate.value == pytest.approx(above.sum() / below.sum(), abs=1e-9)
            shares, mean = (above / below).dropna(), means.cells[place].estimate
            assert (mean.value, mean.sd) == pytest.approx((shares.mean(), shares.std(ddof=0)), abs=1e-9)


def test_without_a_whole_verdict_every_cell_says_why_it_has_no_value() -> None:
    scores = [name for name in FRAME.columns if name.startswith(("score.", "count.judged."))]
    frame = FRAME.assign(judge_status="incomplete", **dict.fromkeys(scores, float("nan")))
    for preset in ("main", "errors"):
        for table in TABLES.preset(preset).tables(*prepared(frame)):
            for cell in table.cells.values():
                assert cell.estimate.value is None and cell.estimate.reason
                assert cell.counts.incomplete == 30
