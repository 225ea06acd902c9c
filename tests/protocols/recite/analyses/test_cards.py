"""The table of the models' cards: words and numbers in one table, and in every form of it."""

from __future__ import annotations

from core.analysis.printed import shown
from core.analysis.table_charts import chart_of
from core.analysis.tables import as_json
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, prepared

FRAME = corpus(samples=3)


def test_a_table_has_the_words_and_numbers_of_cards() -> None:
    (table,) = TABLES.preset("models").tables(*prepared(FRAME))
    printed = [
        [shown(table.cells[row, name].estimate, table.figure(name)) for name in table.column_labels]
        for row in table.row_labels
    ]
    assert table.row_labels == ("Alpha", "Beta", "Gamma", "Delta")
    assert printed[0] == ["A", "reasoning", "no", "–", "2024-06", "–"]
    assert printed[1] == ["B", "instruct", "yes", "70", "2023-10-01", "128,000"]
    assert table.cells["Alpha", "Context, tokens"].estimate.reason == "its card does not say it"
    assert chart_of(table).rows == ("Beta", "Gamma", "Delta")


def test_files_have_words_as_values_and_no_index() -> None:
    (table,) = TABLES.preset("models").tables(*prepared(FRAME))
    values = {(each["row"], each["metric"]): (each["value"], each["unit"]) for each in as_json(table)["cells"]}
    assert values["Beta", "type"] == ("instruct", "words")
    assert values["Beta", "parameters_b"] == (70.0, "count")
    assert values["Delta", "knowledge_cutoff"] == (None, "words")


def test_parameters_with_parts_of_a_billion_have_decimals() -> None:
    (table,) = TABLES.preset("models").tables(*prepared(FRAME.assign(parameters_b=0.5)))
    assert shown(table.cells["Beta", "Parameters, billions"].estimate, table.figure("Parameters, billions")) == "0.50"
