"""Length of reasoning, knowledge cutoff and cost, against pandas and SciPy on a planted corpus."""

from __future__ import annotations

import pandas as pd
import pytest
from scipy import stats

from core.analysis.charts import ChartKind
from core.analysis.tables import ResultTable
from core.scoring.paired import holm
from protocols.recite.analyses.use import QUARTILES, side
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, exact, prepared

FRAME = corpus()
F1 = "score.default.overall_f1"
FIRST = FRAME[FRAME["judge"] == "First judge"]
TABLES_OF = {key: TABLES.preset(key).tables(*prepared(FRAME)) for key in ("reasoning", "cutoff", "cost")}


def value(table: ResultTable, row: str, column: str) -> float | None:
    return table.cells[row, column].estimate.value


def test_the_length_of_reasoning_has_a_median_and_a_correlation_with_f1_by_model() -> None:
    table = TABLES_OF["reasoning"][0]
    p = []
    for model in ("Alpha", "Gamma"):
        both = FIRST.loc[FIRST["model"] == model, ["reasoning_characters", F1]].dropna()
        r, rho = stats.pearsonr(*both.to_numpy().T), stats.spearmanr(both)
        expected = {
            "Median characters": both["reasoning_characters"].median(),
            "r": r.statistic,
            "p of r": r.pvalue,
            "ρ": rho.statistic,
            "p of ρ": rho.pvalue,
            "n": len(both),
        }
        for column, number in expected.items():
            assert value(table, model, column) == pytest.approx(number, abs=1e-9), column
        assert table.cells[model, "r"].counts.scored == len(both)
        p.append(r.pvalue)
    assert [value(table, model, "p of r, Holm") for model in ("Alpha", "Gamma")] == pytest.approx(holm(p), abs=1e-9)
    estimate = table.cells["Beta", "Median characters"].estimate
    assert estimate.value is None and estimate.reason == "no reply shows any"


def test_f1_is_shown_by_each_models_own_quartile_of_reasoning() -> None:
    table = TABLES_OF["reasoning"][1]
    assert table.row_labels == ("Alpha", "Gamma")
    for model in table.row_labels:
        both = FIRST.loc[FIRST["model"] == model, ["reasoning_characters", F1]].dropna()
        groups = pd.qcut(both["reasoning_characters"], 4, labels=QUARTILES)
        for label, values in both[F1].groupby(groups, observed=True):
            cell = table.cells[model, str(label)]
            assert (cell.estimate.value, cell.estimate.sd) == pytest.approx(
                (values.mean(), values.std(ddof=0)), abs=1e-9
            )
            assert cell.n_scored == len(values)
    assert table.chart is not None and table.chart.in_order


def test_f1_is_shown_by_a_thousand_tokens_of_reasoning_with_the_number_of_answers() -> None:
    table = TABLES_OF["reasoning"][2]
    known = FIRST[["model", "tokens_reasoning", F1]].dropna()
    groups = known.groupby(["model", known["tokens_reasoning"] // 1000])[F1]
    for (model, number), values in groups:
        cell = table.cells[f"{1000 * int(number):,}–{1000 * int(number) + 999:,}", model]
        assert (cell.estimate.value, cell.n_scored) == (pytest.approx(values.mean(), abs=1e-9), len(values))
    assert sum(cell.n_scored for cell in table.cells.values()) == len(known)
    assert table.chart is not None and table.chart.kind is ChartKind.BARS
    assert sum(point.value or 0 for point in table.chart.points) == len(known)


def test_f1_before_and_after_the_cutoff_is_compared_by_mann_whitney() -> None:
    table = TABLES_OF["cutoff"][0]
    p = []
    rows = {"Alpha": "2024-06", "Beta": "2023-10-01", "Gamma": "2022-03"}
    for model, cutoff in rows.items():
        known = FIRST.loc[FIRST["model"] == model, ["fact.date", F1]].dropna()
        known = known[known["fact.date"] != cutoff[:7]]  # of which it is not known on which side they are
        before, after = (
            known.loc[is_side, F1] for is_side in (known["fact.date"] < cutoff, known["fact.date"] > cutoff)
        )
        test = stats.mannwhitneyu(before, after)
        row = f"{model} (until {cutoff})"
        expected = {"Before": before.mean(), "After": after.mean(), "U": test.statistic, "p of U": test.pvalue}
        expected |= {"n before": len(before), "n after": len(after)}
        for column, number in expected.items():
            assert value(table, row, column) == pytest.approx(number, abs=1e-9), column
        assert table.cells[row, "After"].estimate.sd == pytest.approx(after.std(ddof=0), abs=1e-9)
        p.append(test.pvalue)
    assert [value(table, f"{model} (until {cutoff})", "p, Holm") for model, cutoff in rows.items()] == pytest.approx(
        holm(p), abs=1e-9
    )
    estimate = table.cells["Delta (no cutoff)", "U"].estimate
    assert estimate.value is None and "no knowledge cutoff" in estimate.reason


def test_a_sample_with_only_a_year_is_left_out_in_the_cutoffs_own_year_and_counted() -> None:
    table = TABLES.preset("cutoff").tables(*prepared(FRAME.drop(columns="fact.date")))[0]
    alpha = FIRST[(FIRST["model"] == "Alpha") & FIRST[F1].notna()]
    row = "Alpha (until 2024-06)"
    assert value(table, row, "Undecided") == (alpha["fact.year"] == 2024).sum() > 0
    assert value(table, row, "n before") == (alpha["fact.year"] < 2024).sum()
    assert [side("2024", "2024"), side("2023-12", "2024"), side("2024-07-01", "2024-06")] == ["", "before", "after"]


def test_costs_are_sums_over_the_answers_of_a_model_and_f1_has_its_own_count() -> None:
    table = TABLES_OF["cost"][0]
    for model, rows in FIRST.groupby("model"):
        expected = {
            "US dollars": rows["cost_usd"].sum(),
            "US dollars per 1,000 answers": 1000 * rows["cost_usd"].mean(),
            "Tokens in": rows["tokens_in"].sum(),
            "Tokens out": rows["tokens_out"].sum(),
            "Cached": rows["tokens_cached"].sum() / rows["tokens_in"].sum(),
            "F1": rows[F1].mean(),
        }
        for column, number in expected.items():
            assert value(table, str(model), column) == pytest.approx(number, abs=1e-9), column
        assert table.cells[str(model), "US dollars"].n_scored == 30
        assert table.cells[str(model), "F1"].n_scored == rows[F1].notna().sum()
    assert table.chart is not None
    assert [point.row for point in table.chart.front] == ["Alpha"]  # the cheapest is the best


def test_the_models_that_no_other_beats_in_cost_and_f1_are_joined() -> None:
    dear = FRAME.assign(cost_usd=FRAME["cost_usd"] + (FRAME["model"] == "Alpha"))
    table = TABLES.preset("cost").tables(*prepared(dear))[0]
    assert table.chart is not None
    assert [point.row for point in table.chart.front] == ["Beta", "Alpha"]


def test_costs_of_failed_answers_count_and_their_f1_is_0() -> None:
    frame = exact()
    (table,) = TABLES.preset("cost").tables(*prepared(frame))
    failed = frame[frame["status"] == "failed"]["model"].iloc[0]
    assert table.cells[failed, "US dollars"].counts.as_zero == 0
    assert table.cells[failed, "F1"].counts.as_zero > 0
