"""Two sides on the same questions: the same numbers as by hand, from any run, and cells that open what differs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.columns import ItemColumns
from core.analysis.comparisons import comparisons
from core.analysis.groupings import Grouping
from core.analysis.means import Mean, mean_metric
from core.analysis.metrics import ACCURACY, is_right
from core.analysis.sides import Compared
from core.analysis.tables import ResultTable
from core.runs.answer_counts import AnswerCounts
from core.scoring.paired import holm, paired
from tests.core.analysis.items import PlantedItem, columns_of, frame_of

F1 = Compared(metric=mean_metric(Mean("f1", "F1", "F1.")), value=lambda item: item.measures["f1"])
RIGHT = Compared(metric=ACCURACY, value=is_right)


def item(model: str, sample: str, f1: float | None, status: str = "answered", run: str = "run 1") -> PlantedItem:
    return PlantedItem(
        run=run,
        model=model,
        task="generate",
        variant="standard",
        status=status,
        answer=None,
        item_id=f"{run}/{model}/{sample}",
        sample=sample,
        cluster=sample,
        measures={} if f1 is None else {"f1": f1},
    )


def answer(model: str, sample: str, right: bool, variant: str = "context", cluster: str = "") -> PlantedItem:
    return PlantedItem(
        run="run 1",
        model=model,
        task="task1",
        variant=variant,
        status="answered",
        answer="+",
        predicted="+" if right else "-",
        is_right=right,
        item_id=f"{model}/{variant}/{sample}",
        sample=f"{variant}/{sample}",
        cluster=cluster or sample,
    )


def tables_of(items: list[PlantedItem], of: Compared = F1, by: Grouping | None = None) -> dict[str, ResultTable]:
    return {table.title: table for table in comparisons(columns_of(items), of, by=by)}


def values(table: ResultTable, row: str) -> dict[str, float | None]:
    return {column: table.cells[row, column].estimate.value for column in table.column_labels}


def test_two_models_are_compared_on_the_samples_that_both_have_a_score_of_in_whichever_run() -> None:
    (table,) = tables_of(
        [
            item("a", "1", 0.5),
            item("a", "2", 0.75),
            item("a", "3", 0.25),
            item("a", "4", 1.0),
            item("b", "1", 0.25, run="run 2"),
            item("b", "2", 0.75, run="run 2"),
            item("b", "3", 0.5, run="run 2"),
            item("b", "4", None, "refused", run="run 2"),
        ]
    ).values()
    assert table.row_labels == ("a − b",)
    row = values(table, "a − b")  # +0.25, 0, −0.25
    assert [row[name] for name in ("Difference", "First higher", "Equal", "Second higher", "Questions")] == [
        0,
        1,
        1,
        1,
        3,
    ]
    counts = table.cells["a − b", "Difference"].counts
    assert counts == AnswerCounts(asked=8, scored=6, left_out=2)


def test_a_cell_opens_the_answers_on_which_the_two_differ() -> None:
    (table,) = tables_of(
        [
            item(model, sample, f1)
            for model, scores in (("a", (1.0, 0.5, 0.2)), ("b", (0.5, 0.5, 0.4)))
            for sample, f1 in zip("123", scores, strict=True)
        ]
    ).values()
    opened = {column: set(table.cells["a − b", column].item_ids) for column in table.column_labels}
    assert opened["Difference"] == {"run 1/a/1", "run 1/b/1", "run 1/a/3", "run 1/b/3"}
    assert opened["First higher"] == {"run 1/a/1", "run 1/b/1"}
    assert opened["Second higher"] == {"run 1/a/3", "run 1/b/3"}
    assert opened["Equal"] == {"run 1/a/2", "run 1/b/2"}
    assert len(opened["Questions"]) == 6


def test_the_numbers_of_a_pair_are_those_of_the_comparison_of_two_lists() -> None:
    """By clusters of three questions; differences of shares are printed in percentage points, p after Holm's rule."""
    draw = np.random.default_rng(3)
    right = {model: draw.random(60) < share for model, share in (("a", 0.9), ("b", 0.6), ("c", 0.5))}
    items = [
        answer(model, str(at), bool(each), cluster=str(at // 3))
        for model, all_of_model in right.items()
        for at, each in enumerate(all_of_model)
    ]
    tables = tables_of(items, RIGHT)
    table, ranks = tables.values()
    clusters = [at // 3 for at in range(60)]
    pairs = {"a − b": ("a", "b"), "a − c": ("a", "c"), "b − c": ("b", "c")}
    by_hand = {
        label: paired(right[one].astype(float).tolist(), right[two].astype(float).tolist(), clusters)
        for label, (one, two) in pairs.items()
    }
    corrected = holm([each.p.value or 0 for each in by_hand.values()])
    for (label, result), after in zip(by_hand.items(), corrected, strict=True):
        row = values(table, label)
        assert row["Difference"] == pytest.approx(100 * (result.difference.value or 0), abs=1e-9)
        assert table.cells[label, "Difference"].estimate.low == pytest.approx(
            100 * (result.difference.low or 0), abs=1e-9
        )
        assert row["p"] == pytest.approx(result.p.value, abs=1e-12)
        assert row["p, Holm"] == pytest.approx(after, abs=1e-12)
        assert row["McNemar p"] == pytest.approx(result.mcnemar_p.value, abs=1e-12)
        assert row["Questions needed"] == result.n_needed.value
    assert values(ranks, "a") == {"a": None, "b": 1.0, "c": 1.0}
    assert values(ranks, "b") == {"a": -1.0, "b": None, "c": 0.0}


def test_a_model_that_wins_every_question_by_the_same_is_better() -> None:
    items = [answer(model, str(at), model == "a") for model in "abc" for at in range(20)]
    ranks = tables_of(items, RIGHT)["Accuracy: Task 1, context: which is better"]
    assert values(ranks, "a") == {"a": None, "b": 1.0, "c": 1.0}
    assert values(ranks, "b")["c"] == 0.0


def test_models_of_which_no_sample_is_shared_have_no_difference() -> None:
    (table,) = tables_of([item("a", "1", 0.5), item("b", "2", 0.5)]).values()
    estimate = table.cells["a − b", "Difference"].estimate
    assert estimate.value is None
    assert "no question" in estimate.reason


def test_a_model_that_was_not_asked_under_a_condition_is_no_side_of_it() -> None:
    (table,) = tables_of([item("a", "1", 0.5), item("b", "1", 0.5), item("c", "1", None, "excluded")]).values()
    assert table.row_labels == ("a − b",)


def test_variants_are_compared_on_the_question_that_they_share_and_never_with_another_task() -> None:
    items = [
        answer("a", "1", True),
        answer("a", "2", True),
        answer("a", "1", False, "none"),
        answer("a", "2", True, "none"),
    ]
    frame = frame_of(items).assign(pair=["1", "2", "1", "2"])
    (table,) = comparisons(ItemColumns.of_frame(frame, {}), RIGHT)
    assert table.row_labels == ("a: context − none",)
    assert values(table, "a: context − none")["Difference"] == 50
    assert not next(comparisons(columns_of(items), RIGHT)).cells["a: context − none", "Questions"].estimate.value


def test_several_answers_of_a_side_count_as_their_mean_and_repeats_are_a_comparison_of_their_own() -> None:
    items = [answer("a", "1", True), answer("a", "1", False), answer("b", "1", True), answer("b", "1", True)]
    items += [answer("a", "2", True), answer("a", "2", True), answer("b", "2", True), answer("b", "2", False)]
    frame = frame_of(items).assign(repeat=[0, 1] * 4)
    models, repeats = comparisons(ItemColumns.of_frame(frame, {}), RIGHT)
    row = values(models, "a − b")
    assert [row[name] for name in ("Difference", "First higher", "Second higher", "Questions")] == [0, 1, 1, 2]
    assert repeats.row_labels == ("a: repeat 1 − repeat 2", "b: repeat 1 − repeat 2")
    assert values(repeats, "a: repeat 1 − repeat 2")["First higher"] == 1


def test_a_slice_by_a_fact_compares_models_within_each_of_its_groups() -> None:
    items = [
        replace(item(model, sample, f1), labels={"field": ("soil" if sample == "1" else "water",)})
        for model, f1 in (("a", 0.5), ("b", 0.25))
        for sample in ("1", "2", "3")
    ]
    by = Grouping("field", "Field", lambda each: each.values("field"))
    tables = tables_of(items, F1, by)
    questions = {title: values(table, "a − b")["Questions"] for title, table in tables.items()}
    assert questions == {"F1: Generate, standard · soil": 1, "F1: Generate, standard · water": 2}


def test_a_planted_difference_is_in_the_interval() -> None:
    """0.05 between two models over 100 samples whose own difficulty varies far more."""
    inside = 0
    for seed in range(20):
        draw = np.random.default_rng(seed)
        hard = draw.uniform(0.2, 0.7, 100)
        first, second = hard + 0.05 + draw.normal(0, 0.1, 100), hard + draw.normal(0, 0.1, 100)
        items = [
            item(model, str(at), float(value))
            for model, all_of_model in (("a", first), ("b", second))
            for at, value in enumerate(all_of_model)
        ]
        (table,) = tables_of(items).values()
        cell = table.cells["a − b", "Difference"].estimate
        assert cell.low is not None and cell.high is not None
        inside += cell.low <= 5 <= cell.high
    assert inside >= 17  # of 20 intervals of 95 %, fewer hold it once in sixty times


def test_models_are_compared_first_over_all_conditions_together_and_baselines_apart() -> None:
    items = [
        replace(answer(model, sample, right, variant), kind="baseline" if model == "coin" else "")
        for model, right in (("a", True), ("b", False), ("coin", False))
        for variant in ("context", "none")
        for sample in ("1", "2", "3")
    ]
    tables = tables_of(items, RIGHT)
    assert list(tables)[:2] == ["Accuracy: all questions", "Accuracy: all questions, with baselines"]
    whole, apart = list(tables.values())[:2]
    assert (whole.row_labels, apart.row_labels) == (("a − b",), ("a − coin", "b − coin"))
    assert values(whole, "a − b")["Questions"] == 6
    assert "pooled" in whole.of
    assert values(tables["Accuracy: Task 1, context"], "a − b")["Questions"] == 3


def test_one_model_is_compared_with_its_baselines_in_the_first_table() -> None:
    items = [replace(answer(model, "1", True), kind=kind) for model, kind in (("a", ""), ("coin", "baseline"))]
    (table,) = tables_of(items, RIGHT).values()
    assert (table.title, table.row_labels) == ("Accuracy: Task 1, context", ("a − coin",))


def test_conditions_that_may_not_be_pooled_stay_apart_and_the_heading_says_so() -> None:
    """Two judges of the same answers, in two variants each."""
    items = [
        replace(
            item(model, sample, f1),
            labels={"judge": (judge,)},
            variant=variant,
            item_id=f"{model}/{judge}/{variant}/{sample}",
        )
        for model, f1 in (("a", 0.5), ("b", 0.25))
        for judge in ("j", "k")
        for variant in ("standard", "names")
        for sample in ("1", "2")
    ]
    of = replace(
        F1,
        apart=Grouping("condition", "Condition", lambda each: [f"{each.variant}, by {each.values('judge')[0]}"]),
        whole=Grouping("judge", "Judge", lambda each: [f"all questions, by {each.values('judge')[0]}"]),
    )
    tables = tables_of(items, of)
    together = [table for title, table in tables.items() if title.startswith("F1: all questions")]
    assert [table.title for table in together] == ["F1: all questions, by j", "F1: all questions, by k"]
    assert all(table.of.endswith("; judges are not pooled") for table in together)


def test_the_answers_of_a_cell_lie_by_question_with_their_sides() -> None:
    items = [answer("b", "1", False), answer("a", "1", True), answer("a", "2", True), answer("b", "2", True)]
    (table,) = tables_of(items, RIGHT).values()
    cell = table.cells["b − a", "Questions"]
    assert cell.sides == ("b", "a")
    assert [(item_id[0], side) for item_id, (_, side) in zip(cell.item_ids, cell.places, strict=True)] == [
        ("b", 0),
        ("a", 1),
        ("b", 0),
        ("a", 1),
    ]
    assert cell.places[0][0] == cell.places[1][0] != cell.places[2][0]
