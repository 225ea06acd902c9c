"""The sentence above a table: the ends of its main figure, and each answer once."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.comparisons import comparisons
from core.analysis.headline import finding, findings, headline, only_label_words
from core.analysis.metrics import ACCURACY, NUMBER, POINTS, is_right
from core.analysis.presets import Shown
from core.analysis.sides import Compared
from core.analysis.tables import ResultTable
from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling
from protocols.econcausal.tables import PRESETS
from protocols.recite.tables import TABLES
from tests.core.analysis.items import PlantedItem, columns_of
from tests.core.analysis.items import item as planted_item
from tests.protocols.recite.analyses.planted import corpus, prepared

FRAME = corpus(samples=6)


def test_the_ends_are_the_lowest_and_highest_values_of_rows_that_are_no_means() -> None:
    for key in ("main", "names", "judges"):
        for table in TABLES.preset(key).tables(*prepared(FRAME)):
            about = headline(table)
            values = [table.cells[place].estimate.value for place in about.ends]
            rows = [row for row in table.row_labels if row not in table.means]
            same = [column for column in table.column_labels if table.figure(column) == about.figure]
            every = [table.cells[row, column].estimate.value for row in rows for column in same]
            known = [value for value in every if value is not None]
            assert values == ([min(known), max(known)] if len(known) > 1 else known), (key, table.title)
            assert about.asked is None or 0 <= about.left_out <= about.asked


def test_without_a_defined_value_there_are_no_ends() -> None:
    table = next(iter(TABLES.preset("main").tables(*prepared(FRAME))))
    cells = {place: replace(cell, estimate=undefined("no score")) for place, cell in table.cells.items()}
    assert headline(replace(table, cells=cells)).ends == ()


RIGHT = Compared(metric=ACCURACY, value=is_right)


def answers(right_of: dict[str, int], *, many: int = 40, truth: tuple[str, ...] = ("+", "-")) -> list[PlantedItem]:
    """The first answers of each model are right."""
    return [
        planted_item(
            number,
            item_id=f"{model}/{number}",
            sample=str(number),
            model=model,
            kind="baseline" if model in ("coin", "majority") else "",
            answer=truth[number % len(truth)],
            predicted="mixed" if number >= right else truth[number % len(truth)],
        )
        for model, right in right_of.items()
        for number in range(many)
    ]


def main_table(items: list[PlantedItem]) -> ResultTable:
    shown = Shown(how=Resampling(seed=1, draws=20), models=("a", "b", "c", "coin"), compares=(RIGHT,))
    return PRESETS["main"].tables(columns_of(items), shown)[0]


def test_a_difference_that_is_shown_names_the_winner_with_its_numbers() -> None:
    words = finding("a", "b", Estimate(-6.24, low=-11.0, high=-1.1, n=391), Estimate(0.02), Estimate(5.0), POINTS)
    assert f"{words.words}{words.numbers}" == "b beats a by 6.2 points (1.1 to 11.0), p = 0.020, 391 samples"


def test_a_difference_that_is_not_shown_says_what_would_have_been_detected() -> None:
    words = finding("a", "b", Estimate(0.01, low=-0.1, high=0.12, n=12), Estimate(0.4), Estimate(0.2), NUMBER, many=3)
    assert f"{words.words}{words.numbers}" == (
        "no difference between a and b shown: 0.010 (−0.100 to 0.120), p = 0.400 after Holm's correction for 3 "
        "comparisons, 12 samples; a difference of 0.200 would be detected"
    )


def test_pairs_are_described_from_the_side_that_is_ahead_the_closest_first() -> None:
    pairs = next(comparisons(columns_of(answers({"a": 10, "b": 38, "c": 12})), RIGHT))
    assert [each.words for each in findings(pairs)] == ["b beats c by 65.0 points", "b beats a by 70.0 points"]


def test_a_table_of_models_names_the_best_and_whether_the_second_differs() -> None:
    table = main_table(answers({"a": 10, "b": 38, "c": 12, "coin": 40}))
    lead = table.lead
    assert lead is not None
    assert (lead.best, lead.second, lead.baseline) == ("b", "c", "coin")
    (words,) = findings(table)
    assert words.words == "b beats c by 65.0 points"
    assert "for 2 comparisons, 40 samples" in words.numbers


def test_one_model_is_held_against_its_best_baseline_and_an_equal_one_does_not_lose() -> None:
    table = main_table(answers({"a": 20, "coin": 20}))
    lead = table.lead
    assert lead is not None
    assert (lead.best, lead.second, lead.baseline) == ("a", "coin", "coin")
    assert findings(table)[0].words in (
        "no difference between a and coin shown",
        "a is 0.0 points above coin",
    )
    alone = main_table(answers({"a": 10, "coin": 30, "majority": 31})).lead
    assert alone is not None and (alone.best, alone.second, alone.baseline) == ("majority", "a", "majority")


def test_a_single_right_answer_is_said_and_columns_of_right_answers_are_not() -> None:
    only = main_table(answers({"a": 20, "b": 30}, truth=("+",)))
    assert only_label_words(only) == "All right answers are “+”, so that a constant answer gets all of them right."
    items = columns_of(answers({"a": 20, "b": 30}))
    assert only_label_words(main_table(answers({"a": 20, "b": 30}))) == ""
    assert only_label_words(PRESETS["sign"].tables(items, Shown(models=("a", "b")))[0]) == ""
    assert only_label_words(next(comparisons(columns_of(answers({"a": 1, "b": 2}, truth=("+",))), RIGHT))) != ""
