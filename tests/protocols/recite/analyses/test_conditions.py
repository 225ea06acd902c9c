"""Names given against standard, and F1 by sample and model, against pandas and SciPy on a planted corpus."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.analysis.charts import ChartKind
from core.analysis.tables import ResultTable
from core.scoring.paired import holm
from protocols.recite.analyses.conditions import MOST_SHOWN
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, exact, prepared

JUDGED, BY_NAMES = corpus(), exact(variants=("standard", "names"))
BOTH = pd.concat([JUDGED, BY_NAMES], ignore_index=True)
F1 = "score.default.overall_f1"
MODELS = ("Alpha", "Beta", "Gamma", "Delta")


def tables(key: str, frame: pd.DataFrame) -> tuple[ResultTable, ...]:
    return TABLES.preset(key).tables(*prepared(frame))


def sides(variant: str) -> pd.Series:
    rows = BY_NAMES[BY_NAMES["variant"] == variant]
    return rows.set_index(["model", "pair"])["score.edge_f1"]


def check(table: ResultTable, both: pd.DataFrame) -> None:
    p = []
    for model in MODELS:
        some = both.loc[model].dropna()
        apart = some["first"] - some["second"]
        test = stats.ttest_1samp(apart, 0)  # of one pair a cluster, the clustered test is the plain one
        interval = test.confidence_interval()
        row = {column: table.cells[model, column].estimate for column in table.column_labels}
        assert row["Names given"].value == pytest.approx(some["first"].mean(), abs=1e-9)
        assert row["Standard"].value == pytest.approx(some["second"].mean(), abs=1e-9)
        assert row["Standard"].sd == pytest.approx(some["second"].std(ddof=0), abs=1e-9)
        difference = row["Difference"].value, row["Difference"].low, row["Difference"].high
        assert difference == pytest.approx((apart.mean(), interval.low, interval.high), abs=1e-9)
        assert (row["p"].value, row["Samples"].value) == (pytest.approx(test.pvalue, abs=1e-9), len(some))
        p.append(test.pvalue)
    corrected = [table.cells[model, "p, Holm"].estimate.value for model in MODELS]
    assert corrected == pytest.approx(holm(p), abs=1e-9)


def test_the_names_are_compared_with_standard_on_the_same_samples() -> None:
    table, orders = tables("conditions", BY_NAMES)
    both = pd.DataFrame({"first": sides("names"), "second": sides("standard")})
    check(table, both)
    differences = [table.cells[model, "Difference"].estimate.value or 0 for model in MODELS]
    assert sum(differences) / 4 == pytest.approx(0.04, abs=0.02), "as planted"
    assert table.of == "generate, standard and names given"
    assert table.cells["Alpha", "p"].counts.in_number == 60
    means = both.groupby(level=0).mean()
    cells = {column: orders.cells[orders.row_labels[0], column].estimate.value for column in ("ρ", "τ-b", "Models")}
    rho, tau = stats.spearmanr(means).statistic, stats.kendalltau(*means.to_numpy().T).statistic
    assert list(cells.values()) == pytest.approx([rho, tau, 4], abs=1e-9)


def test_the_papers_own_difference_is_in_a_table_of_its_own_for_each_judge() -> None:
    first, by_first, by_second, orders = tables("conditions", BOTH)
    assert first.title == "F1 of edges by exact names: names given and standard"
    for table, judge in ((by_first, "First judge"), (by_second, "Second judge")):
        assert judge in table.title and table.row_labels == MODELS
        judged = JUDGED[JUDGED["judge"] == judge].set_index(["model", "pair"])[F1]
        check(table, pd.DataFrame({"first": sides("names"), "second": judged}))
    assert len(orders.row_labels) == 3


def test_a_variant_of_another_run_is_of_the_same_model() -> None:
    apart = BY_NAMES.assign(run=np.where(BY_NAMES["variant"] == "names", "run 3", "run 1"))
    one, other = tables("conditions", BY_NAMES)[0], tables("conditions", apart)[0]
    assert [cell.estimate for cell in one.cells.values()] == [cell.estimate for cell in other.cells.values()]


def test_one_condition_alone_has_no_table() -> None:
    assert tables("conditions", JUDGED) == () == tables("conditions", exact())


def test_samples_are_rows_with_the_hardest_first_and_the_chart_shows_40() -> None:
    frame = corpus(samples=50)
    first, second = tables("samples", frame)
    for table, judge in ((first, "First judge"), (second, "Second judge")):
        rows = frame[frame["judge"] == judge]
        mean = rows.groupby("fact.paper")[F1].mean().sort_values(kind="stable")
        assert len(table.row_labels) == 50
        assert [mean[row] for row in table.row_labels] == pytest.approx(mean.to_list(), abs=1e-9)
        for paper, model, value in rows[["fact.paper", "model", F1]].itertuples(index=False):
            estimate = table.cells[paper, model].estimate
            assert estimate.value == (None if np.isnan(value) else pytest.approx(value, abs=1e-9))
        assert table.chart is not None and table.chart.kind is ChartKind.HEAT
        assert table.chart.rows == table.row_labels[:MOST_SHOWN]
        assert table.chart.title.endswith("the 40 hardest of 50")


def test_samples_are_named_by_their_titles_and_distinguished_by_their_keys() -> None:
    frame = JUDGED.assign(
        **{"fact.title": JUDGED["sample"].map(lambda key: "Same" if key < "s002" else f"Title {key}")}
    )
    (table, _) = tables("samples", frame)
    assert {"Same (s000)", "Same (s001)", "Title s002"} <= set(table.row_labels)
