"""Every score of a table beside scikit-learn, hand arithmetic and a slow bootstrap that scores each draw anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

from core.analysis.columns import ItemColumns, Origins
from core.analysis.groupings import Grouping
from core.analysis.metrics import COUNT, Metric
from core.analysis.tables import ResultCell, build_table
from core.estimate import Estimate
from core.runs.answer_counts import AnswerCounts
from core.scoring.interval import Resampling, drawn_units
from tests.core.analysis.items import METRICS, SIGNS, PlantedItem, columns_of, item, planted

WHOLE = Grouping("whole", "All", lambda item: ["all"])


def cell(items: Sequence[PlantedItem] | ItemColumns, name: str, how: Resampling | None = None) -> ResultCell:
    columns = items if isinstance(items, ItemColumns) else columns_of(items)
    return build_table(columns, WHOLE, WHOLE, METRICS[name], how).cells["all", "all"]


def scored(items: Sequence[PlantedItem]) -> tuple[list[str], list[str]]:
    """(true, said), an unparsable answer as a word of its own."""
    rows = [each for each in items if each.status in ("answered", "unparsable")]
    return [each.answer for each in rows], [each.predicted or "?" for each in rows]


@pytest.mark.parametrize("seed", [f"metrics{n}" for n in range(12)])
def test_scores_are_those_of_scikit_learn_over_answered_and_unparsable_items(seed: str) -> None:
    items = planted(seed)
    truth, said = scored(items)
    columns = columns_of(items)
    assert cell(columns, "accuracy").estimate.value == pytest.approx(accuracy_score(truth, said), abs=1e-12)
    expected = f1_score(truth, said, labels=SIGNS, average="macro", zero_division=0)
    assert cell(columns, "macro_f1").estimate.value == pytest.approx(expected, abs=1e-12)
    theirs = precision_recall_fscore_support(truth, said, labels=SIGNS, zero_division=np.nan)
    for place, sign in enumerate(SIGNS):
        for figure, values in zip(("precision", "recall", "f1"), theirs, strict=False):
            ours = cell(columns, f"{figure}:{sign}").estimate.value
            assert (np.nan if ours is None else ours) == pytest.approx(values[place], abs=1e-12, nan_ok=True)


def test_each_status_counts_as_it_should() -> None:
    statuses = ["answered", "unparsable", "truncated", "refused", "excluded", "failed", "pending"]
    items = [item(n, status=status) for n, status in enumerate(statuses)]
    found = cell(items, "accuracy")
    assert (found.estimate.value, found.estimate.n) == (0.5, 2)  # one right, one unparsable
    assert found.counts == AnswerCounts(asked=7, scored=2, empty=1, left_out=3, excluded=1, pending=1)
    assert found.statuses == dict.fromkeys(statuses, 1)
    released = cell(items, "released_accuracy")
    assert (released.estimate.value, released.n_scored) == (0.2, 5)  # excluded and pending were not asked
    assert cell(items, "share_unparsable").estimate.value == 0.5
    assert cell(items, "count").estimate.value == 7


def test_nothing_scored_is_undefined_and_not_zero() -> None:
    items = [item(n, status="failed", example_signs=("-",)) for n in range(3)]
    columns = columns_of(items)
    for name, metric in METRICS.items():
        found = cell(columns, name)
        if name == "count" or "failed" in metric.scores:
            assert found.n_scored == 3
            continue
        assert found.estimate.value is None, name
        assert found.estimate.reason
        assert (found.n_total, found.n_scored) == (3, 0)


def test_unknown_is_said_and_never_right() -> None:
    items = [item(1), item(2, predicted="unknown", variant="unknown")]
    assert cell(items, "share_unknown").estimate.value == 0.5
    assert cell(items, "accuracy").estimate.value == 0.5
    assert cell(items, "share_unparsable").estimate.value == 0.0


def test_mismatch_by_hand() -> None:
    items = [
        item(1, example_signs=("+", "-")),  # any mismatches, first does not; right
        item(2, example_signs=("-",), predicted="-"),  # both; wrong
        item(3, example_signs=("-", "+")),  # both; right
        item(4, example_signs=("+",)),  # none; right
        item(5, example_signs=("-",), status="failed"),  # both, but not scored
    ]
    assert cell(items, "mismatch_first").estimate.value == 1 / 2
    assert cell(items, "mismatch_any").estimate.value == 2 / 3
    assert cell(items, "drop_first").estimate.value == pytest.approx(100 * (3 / 4 - 1 / 2))
    assert cell(items, "drop_any").estimate.value == pytest.approx(100 * (3 / 4 - 2 / 3))
    assert cell(items, "share_first").estimate.value == 2 / 4
    assert cell(items, "share_any").estimate.value == 3 / 4
    found = cell(items, "mismatch_first")
    assert (found.item_ids, found.n_scored) == (("i2", "i3", "i5"), 2)
    undefined = cell([item(1)], "mismatch_first").estimate
    assert undefined.value is None
    assert "examples" in undefined.reason


def test_released_figures_count_the_words_that_were_written() -> None:
    items = [
        item(1, predicted="-", answer="-", said="−"),  # ours reads U+2212, the released code does not
        item(2, said="Positive"),
        item(3, status="unparsable", said="rises"),
        item(4, status="unparsable", said=""),
        item(5, status="unparsable", said=None),
    ]
    assert cell(items, "accuracy").estimate.value == 2 / 5
    found = cell(items, "released_accuracy").estimate
    assert (found.value, found.low) == (0.2, None)
    # Classes: + (1 right of 1 said and 4 expected: F1 0.4), - (0), "−", "rises", "": 0.4 / 5.
    assert cell(items, "released_macro_f1").estimate.value == 0.08


def test_calibration_by_hand() -> None:
    sure = {"+": 0.9, "-": 0.1}
    items = [
        item(1, probabilities=sure),
        item(2, probabilities=sure, answer="-"),
        item(3, probabilities={"-": 0.25, "+": 0.25}),  # the first of equal ones, 0.5 after dividing; right
        item(4),  # no log-probabilities
        item(5, probabilities={}),  # no option in the returned top
        item(6, probabilities=sure, status="truncated", predicted=None),
    ]
    found = cell(items, "ece")
    # Bin (0.8, 0.9]: 2 of 3 rows, half right, confidence 0.9: 0.4. Bin (0.4, 0.5]: 1 of 3, right, 0.5: 0.5.
    assert found.estimate.value == pytest.approx(2 / 3 * 0.4 + 1 / 3 * 0.5)
    assert (found.n_total, found.n_scored) == (6, 3)


# --- intervals ---------------------------------------------------------------------------------------------------

HOW = Resampling(seed=5, draws=80)


def by_paper(items: Sequence[PlantedItem]) -> list[list[PlantedItem]]:
    """The items of each paper, in the order of the papers' first items."""
    found: defaultdict[str | None, list[PlantedItem]] = defaultdict(list)
    for each in items:
        found[each.cluster].append(each)
    return list(found.values())


def measured(items: Sequence[PlantedItem], metric: Metric) -> float | None:
    """The metric over the items as they are, each a kind of its own, without a frame."""
    places = np.arange(len(items), dtype=np.int32)
    ids = np.array([each.item_id for each in items], dtype=object)
    said = [each.probabilities or {} for each in items]
    shares = {sign: np.array([each.get(sign, np.nan) for each in said]) for sign in SIGNS}
    origins = Origins(
        ids=ids, samples=places, frame=pd.DataFrame(), clusters=places, units=places, probabilities=shares
    )
    return metric.measure(ItemColumns(items, places, places, origins), False)[0].value


def slowly(items: Sequence[PlantedItem], metric: Metric, how: Resampling) -> tuple[float, float] | None:
    """The interval by scoring each draw of whole papers anew; None where draws are undefined too often."""
    base = [each for each in items if metric.is_in(each)]
    if metric.name.startswith("mismatch"):
        base = [each for each in base if metric.covers(each)]
    papers = by_paper(base)
    draws = [draw for block in drawn_units(len(papers), how) for draw in block]
    values = [measured([each for number in draw for each in papers[number]], metric) for draw in draws]
    kept = [value for value in values if value is not None]
    if len(values) - len(kept) > 0.025 * len(values):
        return None
    low, high = np.quantile(kept, [0.025, 0.975])
    return float(low), float(high)


def bounds(found: Estimate) -> tuple[float, float] | None:
    return None if found.low is None or found.high is None else (found.low, found.high)


@pytest.mark.parametrize(
    "name", [name for name in METRICS if METRICS[name].unit != COUNT and not name.startswith("released")]
)
def test_intervals_are_those_of_scoring_every_draw_anew(name: str) -> None:
    items = [each for each in planted(f"interval {name}", 160) if each.task == "task2"]
    found = cell(items, name, HOW).estimate
    expected = slowly(items, METRICS[name], HOW)
    if expected is None:
        assert bounds(found) is None
    else:
        assert bounds(found) == pytest.approx(expected, abs=1e-9)


def test_there_are_intervals_to_compare() -> None:
    items = [each for each in planted("interval accuracy", 160) if each.task == "task2"]
    assert bounds(cell(items, "accuracy", HOW).estimate) is not None
    assert bounds(cell(items, "ece", HOW).estimate) is not None
    one_paper = [replace(each, cluster="p") for each in items]
    assert "all values are from one paper" in cell(one_paper, "accuracy", HOW).estimate.reason


@pytest.mark.parametrize("name", ["accuracy", "macro_f1", "drop_first", "ece"])
def test_a_group_s_mean_has_the_interval_of_drawing_papers_for_all_its_models(name: str) -> None:
    items = [each for each in planted(f"mean {name}", 240, ("a", "b")) if each.task == "task2"]
    by_model = Grouping("model", "Model", lambda each: [each.model])
    table = build_table(columns_of(items), by_model, WHOLE, METRICS[name], HOW, means={"mean of all": ["a", "b"]})
    found = table.cells["mean of all", "all"].estimate
    parts = [[each for each in items if each.model == model and METRICS[name].is_in(each)] for model in ("a", "b")]
    values = [METRICS[name].measure(columns_of(part), False)[0].value for part in parts]
    assert found.value == pytest.approx(np.mean([value for value in values if value is not None]))
    papers = by_paper([each for part in parts for each in part])
    means = []
    for draw in (draw for block in drawn_units(len(papers), HOW) for draw in block):
        drawn = [each for number in draw for each in papers[number]]
        said = [measured([each for each in drawn if each.model == model], METRICS[name]) for model in ("a", "b")]
        if None not in said:
            means.append(sum(value for value in said if value is not None) / 2)
    assert len(means) == HOW.draws
    assert bounds(found) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=1e-9)
