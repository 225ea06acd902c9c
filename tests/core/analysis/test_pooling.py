"""A heading says "pooled" exactly when one number is of several tasks, variants or runs, and every cell adds up."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.analysis.groupings import Grouping, models
from core.analysis.metrics import ACCURACY, ITEMS
from core.analysis.presets import Part, Shown, tables_of
from core.analysis.tables import ResultTable, build_table
from core.runs.answer_counts import AnswerCounts
from tests.core.analysis.items import PlantedItem, columns_of, item, planted

ALL = Grouping("all", "All", lambda item: ["all"])
TASK = Grouping("task", "Task", lambda item: [item.task])


def table(items: Sequence[PlantedItem], columns: Grouping = ALL, rows: Grouping | None = None) -> ResultTable:
    return build_table(columns_of(items), rows or models(columns_of(items).kinds), columns, ACCURACY)


def test_a_heading_says_pooled_where_a_number_is_of_two_tasks_and_not_where_they_have_columns() -> None:
    two = [item(1, task="task1"), item(2, task="task2")]
    assert table(two).of == "Tasks 1 and 2, with context, pooled"
    assert table(two, TASK).of == "Tasks 1 and 2, with context"
    variants = [item(1), item(2, variant="no-context")]
    assert table(variants).of.endswith(", pooled")
    assert table(variants[:1]).of == "Task 1, with context"


def test_runs_are_named_where_a_number_is_of_two_and_not_where_each_has_its_row() -> None:
    two = [item(1, run="run 4"), item(2, run="run 7")]
    assert table(two).of == "Task 1, with context"  # one model in two runs is two rows
    assert table(two).row_labels == ("m (run 4)", "m (run 7)")
    assert table(two, rows=ALL).of == "Task 1, with context; run 4 and run 7, pooled"


def test_a_mean_of_models_names_their_runs_and_counts_a_model_of_two_runs_once() -> None:
    items = [
        item(1, model="a", run="run 4"),
        item(2, model="a", run="run 7", predicted="-"),
        item(3, model="b", run="run 7"),
    ]
    shown = Shown(groups={"open": ("a", "b"), "closed": ("b",), "other": ()})
    (found,) = tables_of(columns_of(items), Part((ACCURACY,), ALL), shown)
    assert found.means == ("Mean of 2 open models in run 4, run 7", "Mean of 1 closed model")
    assert found.cells[found.means[0], "all"].estimate.value == pytest.approx(2 / 3)


def test_every_cell_of_planted_items_adds_up_by_an_own_count() -> None:
    items = planted("sums")
    found = table(items)
    for row in found.row_labels:
        those = [each.status for each in items if each.model == row]
        many = {status: those.count(status) for status in set(those)}
        failed = sum(many.get(status, 0) for status in ("refused", "truncated", "failed"))
        assert found.cells[row, "all"].counts == AnswerCounts(
            asked=len(those),
            scored=many.get("answered", 0) + many.get("unparsable", 0),
            empty=many.get("unparsable", 0),
            left_out=failed,
            incomplete=many.get("incomplete", 0),
            excluded=many.get("excluded", 0),
            pending=many.get("pending", 0),
        )
    assert len(found.sums) == 3  # a sum for each model, all different
    count = build_table(columns_of(items), ALL, ALL, ITEMS).cells["all", "all"]
    assert (count.counts.scored, count.counts.as_zero) == (len(items), 0)  # a number of items counts each


def test_counts_that_do_not_add_up_are_refused() -> None:
    for wrong in ({"asked": 3, "scored": 2}, {"asked": 2, "scored": 2, "empty": 3}):
        with pytest.raises(ValueError, match=f"add up: {wrong['asked']} asked"):
            AnswerCounts(**wrong)
