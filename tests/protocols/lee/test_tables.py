"""Every table of the protocol, cell by cell, from planted answers: beside scikit-learn, hand arithmetic and a slow
bootstrap that draws papers and scores each draw anew."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

from core.analysis.presets import Shown
from core.analysis.slices import Slice
from core.analysis.tables import ResultTable
from core.scoring.interval import Resampling, drawn_units
from protocols.lee.sample_summaries import cluster_of, labels_of
from protocols.lee.samples import sample_of
from protocols.lee.tables import TABLES
from protocols.lee.tasks import TYPE_TITLES
from tests.core.analysis.items import PlantedItem, columns_of
from tests.protocols.lee.question_sets import questions

CLASSES = {
    **{f"type{kind}": ["True", "False"] for kind in range(1, 5)},
    "type5": ["increase", "decrease", "none"],
}
POOLED = ["True", "False", "increase", "decrease", "none"]
STATUSES = ("answered", "unparsable", "truncated", "refused", "failed")


def planted(seed: str = "lee") -> list[PlantedItem]:
    """Two models and a baseline, closed and open; open is better, and every status occurs."""
    chance = random.Random(seed)
    items = []
    for question in questions():
        for place, variant in enumerate(("closed", "open")):
            sample = sample_of(question, variant, dict.fromkeys(CLASSES, ""))
            for model, skill in (("able", 0.7), ("weak", 0.4), ("always-true", 0.0)):
                status = "answered" if model == "always-true" else chance.choices(STATUSES, [14, 2, 1, 1, 1])[0]
                is_able = chance.random() < skill + 0.15 * place
                said = sample.answer if is_able else chance.choice(CLASSES[sample.task])
                said = ("True" if sample.task != "type5" else "increase") if model == "always-true" else said
                predicted = said if status == "answered" else None
                items.append(
                    PlantedItem(
                        run="run 1",
                        model=model,
                        task=sample.task,
                        variant=variant,
                        variant_title=f"{variant} book",
                        variant_place=place,
                        status=status,
                        answer=sample.answer,
                        predicted=predicted,
                        is_right=predicted == sample.answer if status in STATUSES[:2] else None,
                        labels=labels_of(sample.facts),
                        cluster=cluster_of(sample.facts),
                        item_id=f"{question.id}/{variant}/{model}",
                        sample=f"{question.id}/{variant}",
                    )
                )
    return items


ITEMS = planted()
MODELS = ("able", "weak", "always-true")


def tables(preset: str, how: Resampling | None = None) -> dict[str, ResultTable]:
    found = TABLES.presets[preset].sliced(
        columns_of(ITEMS, TABLES), Slice(), Shown(how, MODELS, {"": ("able", "weak")})
    )
    return {each.title: each for each in found}


def of(**wanted: Any) -> list[PlantedItem]:
    """Scored items; a label is named by itself, a field by its name."""
    return [
        each
        for each in ITEMS
        if each.status in ("answered", "unparsable")
        and all(
            value in each.values(name) if name in ("letters", "period", "journal") else getattr(each, name) == value
            for name, value in wanted.items()
        )
    ]


def accuracy(items: Sequence[PlantedItem]) -> float:
    return float(accuracy_score([each.answer for each in items], [each.predicted or "?" for each in items]))


def macro_f1(items: Sequence[PlantedItem], labels: Sequence[str]) -> float:
    truth, said = [each.answer for each in items], [each.predicted or "?" for each in items]
    return float(f1_score(truth, said, labels=labels, average="macro", zero_division=0))


def classes_of(items: Sequence[PlantedItem]) -> list[str]:
    kinds = {tuple(CLASSES[each.task]) for each in items}
    return list(kinds.pop()) if len(kinds) == 1 else POOLED


def value(table: ResultTable, row: str, column: str) -> float | None:
    return table.cells[row, column].estimate.value


def approx(number: float) -> Any:
    return pytest.approx(number, abs=1e-12)


# --- Tables 5 and 6 ----------------------------------------------------------------------------------------------


def test_models_by_type_are_those_of_scikit_learn_and_all_is_not_the_mean_of_five() -> None:
    found = tables("models")
    for model in MODELS:
        own = of(model=model, variant="closed")
        for task, title in TYPE_TITLES.items():
            items = [each for each in own if each.task == task]
            assert value(found["Accuracy"], model, title) == approx(accuracy(items))
            assert value(found["Macro-F1"], model, title) == approx(macro_f1(items, CLASSES[task]))
        assert value(found["Accuracy"], model, "all") == approx(accuracy(own))
        assert value(found["Macro-F1"], model, "all") == approx(macro_f1(own, POOLED))
        by_type = [[each for each in own if each.task == task] for task in CLASSES]
        mean = value(found["Accuracy, mean of the types"], model, "mean of the types")
        assert mean == approx(fmean(map(accuracy, by_type)))
        assert mean != approx(accuracy(own))
        mean_f1 = fmean(macro_f1(items, classes_of(items)) for items in by_type)
        assert value(found["Macro-F1, mean of the types"], model, "mean of the types") == approx(mean_f1)


def test_the_mean_row_is_of_models_and_not_of_baselines() -> None:
    found = tables("models")["Accuracy"]
    assert found.row_labels == (*MODELS, "Mean of 2 models")
    expected = fmean(accuracy(of(model=model, variant="closed", task="type3")) for model in ("able", "weak"))
    assert value(found, "Mean of 2 models", TYPE_TITLES["type3"]) == approx(expected)


def test_macro_f1_of_type_1_follows_from_its_accuracy() -> None:
    found = tables("models")
    title = TYPE_TITLES["type1"]
    for model in ("able", "weak"):
        right = value(found["Accuracy"], model, title)
        assert right is not None
        # F1 of True is 2 right ÷ (true + said True) = 2a ÷ (1 + a); False, never right, counts 0.
        assert value(found["Macro-F1"], model, title) == approx(right / (1 + right))


# --- Table 7 -----------------------------------------------------------------------------------------------------


def pairs(model: str, task: str | None = None) -> list[tuple[PlantedItem, PlantedItem]]:
    """(closed, open) of the questions that are scored both ways."""
    wanted = {"model": model} | ({"task": task} if task else {})
    closed = {each.cluster: each for each in of(variant="closed", **wanted)}
    return [(closed[each.cluster], each) for each in of(variant="open", **wanted) if each.cluster in closed]


def gain(both: Sequence[tuple[PlantedItem, PlantedItem]]) -> float:
    return 100 * fmean(float(bool(two.is_right)) - float(bool(one.is_right)) for one, two in both)


def f1_gain(both: Sequence[tuple[PlantedItem, PlantedItem]]) -> float:
    sides = [[pair[side] for pair in both] for side in (0, 1)]
    labels = classes_of(sides[0])
    return 100 * (macro_f1(sides[1], labels) - macro_f1(sides[0], labels))


def test_open_minus_closed_is_over_the_questions_that_were_answered_both_ways() -> None:
    found = tables("books")
    for model in MODELS:
        for column, task in [*((title, task) for task, title in TYPE_TITLES.items()), ("all", None)]:
            both = pairs(model, task)
            cell = found["Accuracy, open minus closed"].cells[model, column]
            assert (cell.estimate.value, cell.estimate.n) == (approx(gain(both)), len(both))
            assert value(found["Macro-F1, open minus closed"], model, column) == approx(f1_gain(both))
        means = found["Accuracy, open minus closed, mean of the types"]
        assert value(means, model, "mean of the types") == approx(fmean(gain(pairs(model, task)) for task in CLASSES))
        means = found["Macro-F1, open minus closed, mean of the types"]
        expected = fmean(f1_gain(pairs(model, task)) for task in CLASSES)
        assert value(means, model, "mean of the types") == approx(expected)
    assert len(pairs("weak")) < len(of(model="weak", variant="open"))  # some were answered one way only


def test_each_book_stands_by_itself_too() -> None:
    found = tables("books")
    for variant in ("closed", "open"):
        for task, title in TYPE_TITLES.items():
            items = of(model="able", variant=variant, task=task)
            assert value(found["Accuracy"], "able", f"{title} · {variant} book") == approx(accuracy(items))
            f1 = macro_f1(items, CLASSES[task])
            assert value(found["Macro-F1"], "able", f"{title} · {variant} book") == approx(f1)
        by_type = [accuracy(of(model="able", variant=variant, task=task)) for task in CLASSES]
        mean = value(found["Accuracy, mean of the types"], "able", f"{variant} book")
        assert mean == approx(fmean(by_type))


def paper(item: PlantedItem) -> str:
    return str(item.cluster).partition(" ")[2]


def slow_interval(
    clusters: Sequence[tuple[str, Any]], figure: Callable[[list[Any]], float], how: Resampling
) -> tuple[float, float]:
    """Draw papers as often as there are, put together what they have, and score it each time."""
    names = list(dict.fromkeys(name for name, _ in clusters))
    of_paper = {name: [each for one, each in clusters if one == name] for name in names}
    values = []
    for block in drawn_units(len(names), how):
        for draw in block:
            values.append(figure([each for unit in draw for each in of_paper[names[unit]]]))
    tail = (1 - how.share) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def test_intervals_draw_papers_as_wholes() -> None:
    how = Resampling(seed=3, draws=25)
    both = pairs("able", "type2")
    found = tables("books", how)
    for title, figure in (("Accuracy, open minus closed", gain), ("Macro-F1, open minus closed", f1_gain)):
        cell = found[title].cells["able", TYPE_TITLES["type2"]].estimate
        # The first item of a pair that the table meets names its paper; both are of one question.
        expected = slow_interval([(paper(one), (one, two)) for one, two in in_order(both)], figure, how)
        assert (cell.low, cell.high) == (approx(expected[0]), approx(expected[1]))
    items = of(model="able", variant="closed", task="type2")
    cell = tables("models", how)["Macro-F1"].cells["able", TYPE_TITLES["type2"]].estimate
    expected = slow_interval(
        [(paper(each), each) for each in items], lambda drawn: macro_f1(drawn, ["True", "False"]), how
    )
    assert (cell.low, cell.high) == (approx(expected[0]), approx(expected[1]))


def test_papers_with_one_difference_each_have_no_spread_however_their_questions_differ() -> None:
    """Of each paper's four questions one is right closed and three are open: 50 points, whichever papers are drawn."""
    by_paper: dict[str, list[PlantedItem]] = {}
    for each in ITEMS:
        if each.model == "able" and each.variant == "closed" and each.task == "type2":
            by_paper.setdefault(paper(each), []).append(each)
    kept = [items[:4] for items in by_paper.values() if len(items) >= 4]
    assert len(kept) >= 3
    items = [
        replace(
            each,
            variant=variant,
            variant_title=f"{variant} book",
            variant_place=place,
            status="answered",
            predicted=each.answer
            if (is_right := n < 1 + 2 * place)
            else {"True": "False", "False": "True"}[each.answer],
            is_right=is_right,
            item_id=f"{each.item_id}/{variant}",
        )
        for four in kept
        for n, each in enumerate(four)
        for place, variant in enumerate(("closed", "open"))
    ]
    how = Resampling(seed=1, draws=200)
    found = {
        each.title: each
        for each in TABLES.presets["books"].sliced(columns_of(items, TABLES), Slice(), Shown(how, ["able"]))
    }
    cell = found["Accuracy, open minus closed"].cells["able", TYPE_TITLES["type2"]].estimate
    assert (cell.value, cell.low, cell.high, cell.n) == (approx(50), approx(50), approx(50), len(items) // 2)
    closed = found["Accuracy"].cells["able", f"{TYPE_TITLES['type2']} · closed book"].estimate
    assert (closed.value, closed.low, closed.high) == (approx(0.25), approx(0.25), approx(0.25))


def in_order(both: list[tuple[PlantedItem, PlantedItem]]) -> list[tuple[PlantedItem, PlantedItem]]:
    """Papers by the first scored answer to any of their questions: so the table numbers them."""
    first = {}
    for each in of(model="able", task="type2"):
        first.setdefault(paper(each), len(first))
    return sorted(both, key=lambda pair: first[paper(pair[0])])


# --- letters, periods, journals, classes, counts -----------------------------------------------------------------


@pytest.mark.parametrize(("preset", "label"), [("letters", "letters"), ("periods", "period"), ("journals", "journal")])
def test_a_question_counts_in_every_letter_period_and_journal_that_it_has(preset: str, label: str) -> None:
    found = tables(preset)
    only = {} if preset == "journals" else {"task": "type1"}
    columns = found["Accuracy"].column_labels
    assert set(columns) >= {each for item in of(**only) for each in item.values(label)}
    for column in columns:
        if column.startswith("no ") or column == "missing":
            continue
        items = of(model="able", variant="closed", **{label: column}, **only)
        assert value(found["Accuracy"], "able", column) == approx(accuracy(items))
        assert value(found["Macro-F1"], "able", column) == approx(macro_f1(items, classes_of(items)))


def test_periods_stand_in_time_and_the_last_has_six_years() -> None:
    assert tables("periods")["Accuracy"].column_labels == (
        "2000–2004",
        "2005–2009",
        "2010–2014",
        "2015–2019",
        "2020–2025",
    )


def test_a_point_of_the_figure_has_the_interval_of_its_period() -> None:
    how = Resampling(seed=5, draws=25)
    found = tables("periods", how)["Accuracy"]
    for period in found.column_labels:
        items = of(model="able", variant="closed", task="type1", period=period)
        cell = found.cells["able", period].estimate
        if len({paper(each) for each in items}) == 1:  # one paper is always drawn as itself
            assert (cell.low, cell.high) == (None, None)
            continue
        expected = slow_interval([(paper(each), each) for each in items], accuracy, how)
        assert (cell.low, cell.high) == (approx(expected[0]), approx(expected[1]))
    assert any(found.cells["able", period].estimate.low is not None for period in found.column_labels)


def test_precision_recall_and_f1_of_each_answer() -> None:
    found = tables("classes")
    for task, title in TYPE_TITLES.items():
        items = of(model="weak", variant="closed", task=task)
        truth, said = [each.answer for each in items], [each.predicted or "?" for each in items]
        theirs = precision_recall_fscore_support(truth, said, labels=CLASSES[task], zero_division=np.nan)
        for figure, values in zip(("Precision", "Recall", "F1"), theirs, strict=False):
            for label, expected in zip(CLASSES[task], values, strict=True):
                ours = value(found[f"{figure} of {label}"], "weak", title)
                assert (np.nan if ours is None else ours) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_how_often_true_is_said_and_nothing_can_be_read() -> None:
    found = tables("said")
    for task, title in TYPE_TITLES.items():
        items = of(model="weak", variant="open", task=task)
        column = f"{title} · open book"
        unread = fmean(each.status == "unparsable" for each in items)
        assert value(found["Share of unparsable"], "weak", column) == approx(unread)
        if task != "type5":
            said = fmean(each.predicted == "True" for each in items)
            assert value(found["Share of True said"], "weak", column) == approx(said)
    assert not any("direction" in column for column in found["Share of True said"].column_labels)


def test_questions_are_counted_once_however_many_models_answer() -> None:
    found = tables("questions")["Questions"]
    every = questions()
    for kind in range(1, 6):
        for answer in POOLED:
            expected = sum(each.type == kind and each.answer == answer for each in every)
            assert value(found, answer, TYPE_TITLES[f"type{kind}"]) == expected
    assert value(found, "all", "all") == len(every)
