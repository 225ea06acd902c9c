"""Means over samples by hand."""

from __future__ import annotations

import pytest

from core.analysis.groupings import Grouping, models
from core.analysis.means import Mean, mean_metric
from core.analysis.tables import ResultTable, build_table
from core.runs.answer_counts import AnswerCounts
from core.scoring.interval import Resampling
from tests.core.analysis.items import PlantedItem, columns_of

F1 = Mean("f1", "F1", "F1.")
ALL = Grouping("all", "All", lambda item: ["all"])


def item(model: str, sample: str, f1: float | None, status: str = "answered", run: str = "run 1") -> PlantedItem:
    return PlantedItem(
        run=run,
        model=model,
        task="generate",
        variant="standard",
        status=status,
        answer=None,
        item_id=f"{run}/{model}/{sample}",
        sample=f"{run}/{sample}",
        cluster=sample,
        measures={} if f1 is None else {"f1": f1},
    )


def mean_table(*items: PlantedItem, how: Resampling | None = None) -> ResultTable:
    return build_table(columns_of(items), models(columns_of(items).kinds), ALL, mean_metric(F1), how)


def test_a_mean_has_its_population_deviation_and_says_where_it_is_undefined() -> None:
    """Of 0.2, 0.4 and 0.9: mean 0.5, variance (0.09 + 0.01 + 0.16) / 3."""
    told = mean_table(
        item("a", "1", 0.2),
        item("a", "2", 0.4),
        item("a", "3", 0.9),
        item("a", "4", None),
        item("a", "5", None, "truncated"),
    )
    cell = told.cells["a", "all"]
    assert cell.estimate.value == pytest.approx(0.5, abs=1e-12)
    assert cell.estimate.sd == pytest.approx((0.26 / 3) ** 0.5, abs=1e-12)
    assert (cell.estimate.n, cell.n_scored, cell.n_total) == (3, 3, 5)
    assert cell.estimate.reason == "undefined in 1 item"
    assert cell.counts == AnswerCounts(asked=5, scored=3, left_out=2)


def test_a_failed_answer_with_a_measure_counts_and_the_sum_says_as_what() -> None:
    told = mean_table(
        item("a", "1", 0.9),
        item("a", "2", 0.0, "unparsable"),
        item("a", "3", 0.0, "refused"),
        item("a", "4", None, "excluded"),
        item("a", "5", None, "pending"),
        item("a", "6", None, "incomplete"),
    )
    cell = told.cells["a", "all"]
    assert cell.estimate.value == pytest.approx(0.3)
    assert cell.counts == AnswerCounts(asked=6, scored=2, empty=1, as_zero=1, incomplete=1, excluded=1, pending=1)
    assert (cell.n_scored, cell.n_total) == (3, 6)


def test_no_scored_item_and_none_with_a_value_have_no_mean() -> None:
    failed = mean_table(item("a", "1", None, "failed")).cells["a", "all"].estimate
    assert (failed.value, failed.reason) == (None, "no item is scored")
    undefined = mean_table(item("a", "1", None)).cells["a", "all"].estimate
    assert undefined.value is None
    assert "defined in no" in undefined.reason
