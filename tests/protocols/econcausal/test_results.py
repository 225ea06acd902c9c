"""From a reply's text to a cell of a table: planted answers on the real task files, each figure counted twice."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest
from sklearn.metrics import accuracy_score, f1_score

from core.analysis.presets import Shown
from core.analysis.tables import ResultTable
from protocols import PROTOCOLS
from protocols.econcausal.baselines import BASELINES, majority_of
from protocols.econcausal.samples import from_rows
from protocols.econcausal.tables import PRESETS, TABLES, label_as_written
from protocols.samples import Sample
from tests.core.analysis.items import PlantedItem, columns_of
from tests.protocols.answering import reading
from tests.protocols.triplets import example, examples, real_rows, triplet

ECONCAUSAL = PROTOCOLS["econcausal"]


def item_of(sample: Sample, model: str, text: str | None, finish_reason: str = "stop") -> PlantedItem:
    """The way of every answer: text, parsed reply, label, item."""
    parsed = None if text is None else reading(sample, text, finish_reason)
    score = None if parsed is None else ECONCAUSAL.score(sample, parsed)
    return PlantedItem(
        run="Run 1",
        model=model,
        task=sample.task,
        variant=sample.variant,
        status="excluded" if parsed is None else parsed.status.value,
        answer=sample.answer,
        item_id=f"{model}/{sample.task}/{sample.key}",
        predicted=None if score is None else score.predicted,
        is_right=None if score is None else score.is_right,
        labels=TABLES.labels_of(sample.facts),
        cluster=TABLES.cluster_of(sample.facts),
        said=None if parsed is None else TABLES.said_in(parsed.value),
    )


@cache
def real_samples() -> list[Sample]:
    rows = real_rows("task1_econ", "task1_finance", "task2", "task3")
    return [sample for task in ECONCAUSAL.tasks for sample in from_rows(rows, task.name, "context").samples]


def value(table: ResultTable, row: str, column: str) -> float:
    found = table.cells[row, column].estimate.value
    assert found is not None
    return found


def test_baselines_on_the_real_files_give_the_counted_figures() -> None:
    samples, items = real_samples(), []
    for task in ECONCAUSAL.tasks:
        mine = [sample for sample in samples if sample.task == task.name]
        schema = ECONCAUSAL.schema(task.name, "context")
        majority = majority_of(mine, schema)
        items += [
            item_of(sample, name, baseline.reply(sample, majority))
            for name, baseline in BASELINES.items()
            for sample in mine
        ]
    accuracy = PRESETS["main"].tables(columns_of(items), Shown(models=list(BASELINES)))[0]
    assert accuracy.row_labels == tuple(BASELINES)
    assert value(accuracy, "always-plus", "Task 2") == 102 / 199
    assert value(accuracy, "copy-examples", "Task 2") == 132 / 199
    assert value(accuracy, "first-not-shown", "Task 3") == 384 / 597
    assert value(accuracy, "copy-examples", "Task 3") == 0.0
    cell = accuracy.cells["copy-examples", "Task 1, economics"]
    assert (cell.n_total, cell.n_scored, dict(cell.statuses)) == (663, 0, {"excluded": 663})
    share_first, accuracy_first, _, share_any, _, _ = PRESETS["mismatch"].tables(columns_of(items), Shown())
    assert value(share_first, "always-plus", "Task 2") == 70 / 199
    assert value(share_any, "always-plus", "Task 2") == 76 / 199
    assert value(share_first, "always-plus", "Task 3") == 1.0
    # Copying the examples' majority on a mismatch of the first: right only where later examples outvote it.
    assert accuracy_first.cells["copy-examples", "Task 2"].n_total == 70


def test_planted_answers_score_cell_by_cell_as_with_scikit_learn() -> None:
    chance, items, planted = random.Random("planted"), [], {}
    spelled = {"+": "positive", "-": "−", "None": "no effect", "mixed": "Mixed"}
    for sample in real_samples():
        sign = chance.choice([sample.answer, chance.choice(list(spelled))])
        kind = chance.random()
        text = json.dumps({"predicted_sign": chance.choice([sign, spelled[sign]]), "reasoning": "x"})
        if kind < 0.1:
            text, sign = "I cannot tell.", "?"
        reason = "length" if kind > 0.95 else "stop"
        items.append(item_of(sample, "scripted", f"```json\n{text}\n```", reason))
        planted[items[-1].item_id] = None if reason == "length" else sign
    accuracy, macro_f1, *_ = PRESETS["main"].tables(columns_of(items), Shown())
    assert accuracy.column_labels == ("Task 1, economics", "Task 1, finance", "Task 2", "Task 3")
    for column in accuracy.column_labels:
        cell = accuracy.cells["scripted", column]
        truth = {each.item_id: each.answer for each in items}
        pairs = [(truth[one], planted[one]) for one in cell.item_ids if planted[one] is not None]
        assert (cell.n_total, cell.n_scored) == (len(cell.item_ids), len(pairs))
        assert cell.statuses["truncated"] == cell.n_total - len(pairs)
        expected, said = zip(*pairs, strict=True)
        assert value(accuracy, "scripted", column) == pytest.approx(accuracy_score(expected, said))
        f1 = f1_score(expected, said, labels=["+", "-", "None", "mixed"], average="macro", zero_division=0)
        assert value(macro_f1, "scripted", column) == pytest.approx(f1)


def test_the_word_said_is_kept_beside_the_label() -> None:
    (sample,) = from_rows([triplet(example_details=examples(example(context="c")))], "task2", "context").samples
    assert item_of(sample, "m", '{"predicted_sign": "Positive"}').said == "Positive"
    assert item_of(sample, "m", '{"predicted_sign": "up"}').said == "up"
    assert item_of(sample, "m", '{"reasoning": "up"}').said == ""
    assert item_of(sample, "m", '{"predicted_sign": null}').said is None
    assert item_of(sample, "m", "up").said is None
    assert label_as_written({"predicted_sign": True}) is None
    made = item_of(sample, "m", "{}")
    assert made.cluster == "w1"
    assert made.labels == {"example_signs": ("+",), "jel": ("J",), "domain": ("economics",), "year": ("1990",)}
