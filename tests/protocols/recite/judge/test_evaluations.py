"""Evaluations in the released form: 500 rows, ten of them faulty, all counted, scored again beside their own score."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from core.errors import UnreadableFile
from exchange.recite_responses import COLUMNS, PublicKind, PublicTable, read_public_table
from protocols.recite.judge.evaluations import EvaluationCounts, ScoredEvaluation, counts_of, score_evaluation
from tests.core.verdicts import slow_reference
from tests.core.verdicts.made import drawn, perfect

TYPES = ("fine_grained", "fine_grained_r1-2025", "llm_judge_r1", "graph_similarity")
CHANGED = 7
"""Rows whose score is another than that of their labels."""
FAULTY: tuple[tuple[str, str | None], ...] = (
    ("fine_grained", "node_recall_evaluations: [{node_number: 1}]"),
    ("fine_grained", "{}"),
    ("fine_grained_r1-2025", json.dumps({"edge_recall_evaluations": None})),
    ("llm_judge_r1", '{"scores": {"causal_precision": 4, "causal_recall": 3}}'),
    ("fine_grained", "just words"),
    ("fine_grained", "a: &b 1"),
    ("fine_grained", None),
    ("llm_judge_r1", "{}"),
    ("llm_judge_r1", '{"scores": {"causal_precision": 9}}'),
    ("llm_judge_r1", ""),
)
"""The first four and the empty mapping of llm_judge_r1 can be read in part."""


def row(number: int, evaluator_type: str, answer: str | None, score: float | None) -> dict[str, Any]:
    said = {
        "id": number,
        "response_id": number // 2,
        "evaluator_type": evaluator_type,
        "evaluation_answer": answer,
        "score": score,
    }
    return {
        **{each.name: None for each in COLUMNS[PublicKind.EVALUATIONS]},
        "model": "m",
        "task_type": "causal_graph_generation",
        **said,
    }


def parquet(rows: list[dict[str, Any]]) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def read(rows: list[dict[str, Any]]) -> PublicTable:
    return read_public_table(parquet(rows), "x.parquet", PublicKind.EVALUATIONS)


def made() -> list[dict[str, Any]]:
    draw = random.Random("evaluations")
    rows = [row(number, kind, answer, 0.5) for number, (kind, answer) in enumerate(FAULTY)]
    for number in range(len(FAULTY), 500):
        kind = TYPES[number % len(TYPES)]
        if kind.startswith("fine_grained"):
            said = drawn(draw)
            score = slow_reference.scores(said, None)["as_released"]["overall_f1"]
            text = json.dumps(said) if number % 3 else yaml.safe_dump(said)
        else:
            key = "causal_accuracy" if number % 3 else "causal_precision"
            numbers = [draw.randint(1, 5) for _ in range(3)]
            text = json.dumps(
                {"scores": dict(zip((key, "causal_recall", "semantic_similarity"), numbers, strict=True))}
            )
            score = sum(numbers) / 15
        rows.append(row(number, kind, text, score))
    for each in [each for each in rows[len(FAULTY) :] if each["evaluator_type"] == "fine_grained"][:CHANGED]:
        each["score"] += 0.25
    return rows


def test_every_row_is_counted_and_scores_that_differ_are_told() -> None:
    rows = made()
    table = read(rows)
    assert (len(table.kept), table.faults) == (500, ())
    found = [score_evaluation(each) for each in table.kept]
    others = sum(each["evaluator_type"] == "graph_similarity" for each in rows)
    whole = 500 - len(FAULTY) - others
    counts = counts_of(found)
    # Of the faulty ones three have a released score: an item without labels and {} twice, all 0 beside 0.5.
    assert counts == EvaluationCounts(
        rows=500,
        whole=whole,
        faulty=5,
        unreadable=5,
        others=others,
        equal=whole - CHANGED,
        different=CHANGED + 3,
        uncompared=7,
    )
    assert counts.rows == counts.whole + counts.faulty + counts.unreadable + counts.others
    assert counts.rows - counts.others == counts.equal + counts.different + counts.uncompared


def one(kind: str, answer: str | None, score: float | None = None) -> ScoredEvaluation:
    (only,) = read([row(1, kind, answer, score)]).kept
    return score_evaluation(only)


def test_a_missing_number_of_the_older_judge_is_missing_and_not_nothing() -> None:
    found = one("llm_judge", '{"scores": {"causal_precision": 4, "causal_recall": 5}}')
    assert (found.score, found.why) == (None, "semantic_similarity is missing")
    assert one("llm_judge", '{"causal_accuracy": 4, "causal_recall": 5, "semantic_similarity": 3}').score == 12 / 15


def test_a_perfect_verdict_in_a_fence_equals_its_score() -> None:
    found = one("fine_grained", f"```yaml\n{yaml.safe_dump(perfect(2, 3))}```", 1.0)
    assert (found.score, found.differs, found.is_whole) == (1.0, False, True)


def test_labels_of_any_judge_are_scored_as_labels_and_numbers_as_numbers() -> None:
    assert one("llm_judge_qwen", yaml.safe_dump(perfect(2, 3))).score == 1.0
    numbers = '{"causal_precision": 5, "causal_recall": 5, "semantic_similarity": 5}'
    assert one("fine_grained_gpt_4", numbers).score == 1.0
    assert one("fine_grainedness", numbers).why == "it is of no judge"


def test_a_row_of_no_response_is_a_fault_and_a_table_of_another_kind_is_refused() -> None:
    rows = [row(1, "fine_grained", "{}", None), {**row(2, "fine_grained", "{}", None), "response_id": None}]
    table = read(rows)
    assert [each.id() for each in table.kept] == ["1"]
    assert str(table.faults[0]).startswith("x.parquet, line 2, response_id")
    with pytest.raises(UnreadableFile, match="the table evaluations has the columns"):
        read([{"id": 1}])
