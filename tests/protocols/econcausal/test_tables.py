"""The table builder: nothing is lost between its cells, items stand where their groups say, means are plain means."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.groupings import ALL, Grouping, crossed, models, with_all
from core.analysis.presets import Shown, reliability_of
from core.analysis.slices import Slice, words_of
from core.analysis.tables import build_table
from core.labels import SIGN
from core.runs.states import ITEM_STATUSES
from core.scoring.classes import Row, score_classes
from core.scoring.interval import Resampling
from protocols.econcausal.metrics import LABELS
from protocols.econcausal.tables import (
    DOMAIN,
    JEL,
    MOST_PROBABLE,
    PREDICTED,
    PRESETS,
    SIGN_EXPECTED,
    TASK,
    TASK_AND_DOMAIN,
    YEAR,
)
from tests.core.analysis.items import METRICS, SIGNS, columns_of, item, planted

GROUPINGS = (TASK, TASK_AND_DOMAIN, SIGN_EXPECTED, PREDICTED, MOST_PROBABLE, JEL, YEAR, DOMAIN)


@given(st.integers(0, 10_000), st.sampled_from(GROUPINGS), st.sampled_from(GROUPINGS), st.sampled_from(sorted(METRICS)))
def test_scored_and_not_scored_make_up_every_cell(seed: int, rows: Grouping, columns: Grouping, name: str) -> None:
    items = planted(str(seed), 60)
    metric = METRICS[name]
    table = build_table(columns_of(items), rows, columns, metric)
    assert set(table.cells) == {(row, column) for row in table.row_labels for column in table.column_labels}
    status_of = {each.item_id: each.status for each in items}
    stands: Counter[str] = Counter()
    for found in table.cells.values():
        assert found.n_total == len(found.item_ids) == sum(found.statuses.values())
        assert found.statuses == Counter(status_of[each] for each in found.item_ids)
        assert found.n_scored or found.estimate.value is None or metric.unit == "count"
        stands.update(found.item_ids)
    for each in items:
        expected = len(rows.of(each)) * len(columns.of(each)) if metric.covers(each) else 0
        assert stands[each.item_id] == expected


def test_a_question_counts_once_in_every_letter_of_its_paper() -> None:
    items = [item(1, jel=("H", "J")), item(2, jel=("J",), predicted="-"), item(3, jel=()), item(4, jel=("numeric",))]
    table = build_table(columns_of(items), JEL, models(columns_of(items).kinds), METRICS["accuracy"])
    assert table.row_labels == ("H", "J", "numeric", "missing")
    assert [table.cells[row, "m"].estimate.value for row in table.row_labels] == [1.0, 0.5, 1.0, 1.0]
    assert table.cells["J", "m"].item_ids == ("i1", "i2")


def test_labels_stand_in_a_sensible_order() -> None:
    items = [
        item(1, year=None, domain=""),
        item(2, year=2005, domain="finance"),
        item(3, year=1990, variant="no-context", domain="economics"),
        item(4, task="task2", domain="economics"),
    ]
    assert build_table(columns_of(items), YEAR, TASK, METRICS["accuracy"]).row_labels == ("1990", "2005", "no year")
    assert build_table(columns_of(items), YEAR, TASK_AND_DOMAIN, METRICS["accuracy"]).column_labels == (
        "Task 1, finance",
        "Task 1, other venues",
        "Task 1 (without context), economics",
        "Task 2",
    )
    found = build_table(columns_of(items), YEAR, with_all(DOMAIN), METRICS["accuracy"])
    assert found.column_labels == ("economics", "finance", "other venues", ALL)
    assert sum(found.cells[row, ALL].n_total for row in found.row_labels) == 4


def test_variants_are_rows_in_words_and_keep_their_places_in_links() -> None:
    variants = ("unknown", "context", "unknown-no-context", "no-context")
    items = [item(number, variant=variant) for number, variant in enumerate(variants)]
    assert build_table(columns_of(items), TASK, models(columns_of(items).kinds), METRICS["accuracy"]).row_labels == (
        "Task 1",
        "Task 1 (without context)",
        "Task 1 (unknown allowed)",
        "Task 1 (unknown allowed, without context)",
    )


def test_a_heading_lists_variants_so_that_each_can_be_told() -> None:
    items = [item(number, variant=variant) for number, variant in enumerate(("no-context", "unknown-no-context"))]
    assert words_of(items, is_pooled=True) == "Task 1, without context and unknown allowed (without context), pooled"


def test_every_sign_is_shown_also_where_nothing_expects_it() -> None:
    items = [item(1), item(2, task="task2", answer="mixed")]
    table = build_table(
        columns_of(items), models(columns_of(items).kinds), crossed(TASK, SIGN_EXPECTED), METRICS["accuracy"]
    )
    assert table.column_labels == tuple(f"Task {n} · {sign}" for n in (1, 2) for sign in SIGNS)
    empty = table.cells["m", "Task 1 · None"]
    assert (empty.n_total, empty.estimate.value, empty.estimate.reason) == (0, None, "there are no items")


def test_a_model_that_two_runs_asked_stands_once_a_run() -> None:
    items = [item(1), item(2, run="Run 2", predicted="-"), item(3, model="z")]
    table = build_table(columns_of(items), models(columns_of(items).kinds, ["z", "m"]), TASK, METRICS["accuracy"])
    assert table.row_labels == ("z", "m (Run 1)", "m (Run 2)")
    assert table.cells["m (Run 2)", "Task 1"].estimate.value == 0.0


def test_means_of_groups_are_plain_means_of_models() -> None:
    items = [
        *(item(n, model="a") for n in range(3)),  # 1
        item(3, model="b", predicted="-"),
        item(4, model="b"),
        item(5, model="b"),
        item(6, model="b"),  # 3/4
        item(7, model="c", status="failed"),  # none
    ]
    shown = Shown(how=Resampling(1, 50), groups={"open": ["a", "b"], "proprietary": ["b", "c"], "absent": ["x"]})
    table = PRESETS["domain"].tables(columns_of(items), shown)[0]
    assert table.row_labels == ("a", "b", "c", "Mean of 2 open models", "Mean of 2 proprietary models")
    assert table.means == ("Mean of 2 open models", "Mean of 2 proprietary models")
    found = table.cells["Mean of 2 open models", "Task 1 · economics"]
    assert (found.estimate.value, found.n_total, found.n_scored) == (0.875, 7, 7)  # (1 + 3/4) / 2, not 6/7
    assert found.estimate.low is not None
    other = table.cells["Mean of 2 proprietary models", "Task 1 · economics"]
    assert (other.estimate.value, other.n_total, other.n_scored) == (0.75, 5, 4)
    assert "mean over 1 of 2" in other.estimate.reason


def test_what_was_never_said_is_said_0_times_and_not_undefined() -> None:
    items = [item(0, answer="+", predicted="+"), item(1, answer="-", predicted="+")]
    (table,) = PRESETS["confusion"].tables(columns_of(items), Shown())
    assert [table.cells["-", said].estimate.value for said in ("+", "-", "None", "pending")] == [1, 0, 0, 0]


def test_a_row_of_the_confusion_adds_up_to_all_its_items() -> None:
    items = planted("confusion", 300)
    tables = PRESETS["confusion"].tables(columns_of(items), Shown())
    assert {table.title for table in tables} == {
        f"{model}, {task}" for model in "abc" for task in ("Task 1", "Task 1 (unknown allowed)", "Task 2", "Task 3")
    }
    counted = 0
    for table in tables:
        assert set(table.column_labels) >= {
            *SIGNS,
            *(status for status in ITEM_STATUSES if status not in ("answered", "incomplete")),
        }
        counted += sum(int(cell.estimate.value or 0) for cell in table.cells.values())
    assert counted == len(items)
    table = next(table for table in tables if table.title == "a, Task 2")
    rows = [
        Row(each.answer, each.predicted or "")
        for each in items
        if (each.model, each.task) == ("a", "task2") and each.is_scored
    ]
    expected = score_classes(rows, SIGN).confusion
    for sign in SIGNS:
        for said in (*SIGNS, "unparsable"):
            assert (table.cells[sign, said].estimate.value or 0) == expected[sign][said]


@pytest.mark.parametrize("key", sorted(PRESETS))
def test_every_preset_shows_planted_items_and_nothing_at_all(key: str) -> None:
    for items in (planted("presets", 200), []):
        for table in PRESETS[key].tables(columns_of(items), Shown(how=Resampling(1, 20))):
            for cell in table.cells.values():  # one of a pair opens the answers where its sides differ
                assert cell.n_total >= len(cell.item_ids)
                assert cell.n_total >= cell.n_scored
                assert table.is_of_pairs or cell.n_total == len(cell.item_ids)


def test_presets_ask_only_the_items_they_are_about() -> None:
    items = planted("about", 200)
    (unknown,) = PRESETS["unknown"].sliced(columns_of(items), Slice(), Shown())
    assert sum(unknown.cells[model, f"Task 1 (unknown allowed) · {ALL}"].n_total for model in "abc") == sum(
        each.variant == "unknown" for each in items
    )
    shares = PRESETS["mismatch"].sliced(columns_of(items), Slice(), Shown())[0]
    assert shares.column_labels == ("Task 2", "Task 3")


def test_calibration_lists_what_it_leaves_out_and_keeps_ten_bins() -> None:
    items = planted("bins", 200)
    found = reliability_of(columns_of(items), LABELS)
    assert list(found) == ["a", "b", "c"]
    for model, calibration in found.items():
        scored = [each for each in items if each.model == model and each.is_scored]
        without = {each.item_id for each in scored if not any((each.probabilities or {}).values())}
        assert set(calibration.excluded) == without
        assert len(calibration.bins) == 10
        assert sum(each.n for each in calibration.bins) == len(scored) - len(without)
    by_gold, by_predicted = PRESETS["calibration"].tables(columns_of(items), Shown())[1:]
    for sign in SIGNS:
        assert by_gold.cells["a", sign].estimate == found["a"].per_gold[sign]
        if sign in by_predicted.column_labels:
            assert by_predicted.cells["a", sign].estimate.value == found["a"].per_predicted[sign].value
