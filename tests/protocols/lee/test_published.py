"""The paper's values, held to each other: rows to their average, differences to what it prints, F1 of type 1 to its
accuracy. A slip of the pen in any of them fails."""

from __future__ import annotations

from statistics import fmean

import pytest

from core.analysis.presets import Shown
from core.analysis.slices import Slice
from protocols.lee.published import BOOKS, LETTERS, MODELS
from protocols.lee.tables import TABLES
from protocols.lee.tasks import TYPE_TITLES
from tests.core.analysis.items import columns_of
from tests.protocols.lee.test_tables import ITEMS

TYPES = tuple(TYPE_TITLES.values())
ACCURACY, F1 = MODELS


def test_the_average_is_the_mean_of_eight_models_but_for_three_slips_of_the_paper() -> None:
    slips = {}
    for table in MODELS:
        models = [row for row in table.rows if row != "Average"]
        assert len(models) == 8
        for column in ("all", *TYPES):
            mean = fmean(table.cells[model, column] for model in models)
            if table.cells["Average", column] != pytest.approx(mean, abs=0.00011):
                slips[table.metric, column] = round(mean, 4)
    assert slips == {
        ("accuracy", "all"): 0.4305,  # printed 0.4293
        ("accuracy", TYPES[3]): 0.3962,  # printed 0.3824
        ("macro_f1", TYPES[0]): 0.2998,  # printed 0.2986
    }


def test_f1_of_type_1_is_accuracy_by_one_plus_accuracy_in_the_paper_too() -> None:
    for model in ACCURACY.rows:
        if model != "Average":
            right = ACCURACY.cells[model, TYPES[0]]
            assert F1.cells[model, TYPES[0]] == pytest.approx(right / (1 + right), abs=0.0001)


def test_differences_are_those_that_the_paper_prints() -> None:
    accuracy, f1, sides, _ = BOOKS
    printed = [13.70, 32.86, 9.65, 2.57, 7.89, 9.25], [5.99, 16.43, 13.16, 3.77, 10.44, 0.06]
    for table, expected in zip((accuracy, f1), printed, strict=True):
        assert [table.cells["GPT-5-mini", column] for column in ("all", *TYPES)] == expected
    for column in ("all", *TYPES):  # the closed side is the model's row in Tables 5 and 6
        closed = sides.cells["GPT-5-mini", f"{column} · closed book"]
        assert closed == pytest.approx(ACCURACY.cells["GPT-5-mini", column], abs=0.0001)


def test_every_value_stands_beside_a_table_with_its_metric_and_column() -> None:
    for preset in TABLES.presets.values():
        tables = preset.sliced(columns_of(ITEMS), Slice(), Shown())
        of_metric = {
            name: {column for table in tables if table.metric.name == name for column in table.column_labels}
            for name in {table.metric.name for table in tables}
        }
        for published in preset.published:
            columns = {column for _, column in published.cells}
            # Planted questions have letters of their own; a letter is a column by its one name.
            assert published in LETTERS or columns <= of_metric[published.metric], preset.key


def test_a_row_of_the_same_name_has_the_papers_value_and_the_others_are_the_papers_own() -> None:
    named = ["gpt 5 mini", "openai/qwen3-32b", "Llama-3.3-70B"]
    assert [ACCURACY.value(row, "all") for row in named] == [0.3516, None, 0.4782]
    assert ACCURACY.value("GPT-5", "no such column") is None
    assert set(ACCURACY.rows) - set(ACCURACY.others(named)) == {"GPT-5-mini", "Llama-3.3-70B"}
