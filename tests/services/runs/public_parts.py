"""The three public tables as tests make them: their column types are those of the released files."""

from __future__ import annotations

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from exchange.recite import ReciteRow, write_default
from exchange.recite_responses import NAMES, STANDARD

NODES, EDGES = ("Flood", "Rain", "Soil"), (("Rain", "Flood"), ("Rain", "Soil"))
RESPONSES = pa.schema(
    [
        ("id", pa.int64()),
        ("sample_id", pa.int64()),
        ("model", pa.string()),
        ("task_type", pa.string()),
        ("response_answer", pa.string()),
        ("response_reasoning", pa.string()),
        ("corrected_answer", pa.string()),
        ("valid_format", pa.bool_()),
        ("response_date", pa.timestamp("us", tz="UTC")),
    ]
)
EVALUATIONS = pa.schema(
    [
        ("id", pa.int64()),
        ("response_id", pa.int64()),
        ("sample_id", pa.int64()),
        ("model", pa.string()),
        ("task_type", pa.string()),
        ("evaluator_type", pa.string()),
        ("score", pa.float64()),
        ("evaluation_answer", pa.string()),
        ("evaluation_reasoning", pa.string()),
        ("evaluation_date", pa.string()),
    ]
)


def samples(many: int = 2) -> bytes:
    rows = [
        ReciteRow(id=number, title=f"Paper {number}", nodes=NODES, edges=EDGES, input_text=f"Rain floods {number}.")
        for number in range(1, many + 1)
    ]
    return write_default(rows)


def relations(*pairs: tuple[Any, Any]) -> str:
    return json.dumps({"relationships": [{"source": source, "sink": sink} for source, sink in pairs]})


def response(number: int, sample: int, answer: str | None, **said: Any) -> dict[str, Any]:
    usual = {"id": number, "sample_id": sample, "model": "big", "task_type": STANDARD, "valid_format": True}
    return {**usual, "response_answer": answer, **said}


def responses() -> list[dict[str, Any]]:
    """Six rows of two models: a plain one, one in ids, one corrected, one that only the file calls valid, one that only
    the file calls invalid, and one without an answer."""
    right = relations(*EDGES)
    return [
        response(11, 1, right, response_reasoning="Rain comes first."),
        response(12, 1, relations((2, 1)), task_type=NAMES),
        response(13, 2, "Rain -> Flood, as said", valid_format=False, corrected_answer=relations(("Rain", "Flood"))),
        response(14, 2, "I drew no graph", model="small"),
        response(15, 1, f"Here:\n```json\n{right}\n```", model="small", valid_format=False),
        response(16, 1, None, model="small", valid_format=None),
    ]


def whole_verdict(nodes: int, edges: int) -> str:
    """A verdict on an answer of so many nodes and edges about the truth of `samples`, all of whose labels are best."""
    match = {"presence_label": "PRESENCE_STRONG_MATCH", "abstraction_label": "ABSTRACTION_ALIGNED"}
    text = {"presence_label": "PRESENCE_GRAPH_ONLY", "abstraction_label": "ABSTRACTION_ALIGNED"}
    meaning, way = {"semantic_label": "SEMANTIC_STRONG"}, {"directionality_label": "DIRECTION_CORRECT"}
    node = {"graph_evaluation": match | meaning, "text_evaluation": match | meaning}
    edge = {"graph_evaluation": match | way, "text_evaluation": text | {"inference_label": "INFERENCE_DIRECT"}}
    recall = match | {"semantic_label": "SEMANTIC_COMPLETE", "importance_label": "IMPORTANCE_CORE"}
    found = match | way | {"importance_label": "IMPORTANCE_CENTRAL"}
    return json.dumps(
        {
            "node_precision_evaluations": [{"node_number": n, **node} for n in range(1, nodes + 1)],
            "node_recall_evaluations": [{"node_number": n, **recall} for n in range(1, len(NODES) + 1)],
            "edge_precision_evaluations": [{"edge_number": n, **edge} for n in range(1, edges + 1)],
            "edge_recall_evaluations": [{"edge_number": n, **found} for n in range(1, len(EDGES) + 1)],
        }
    )


def evaluation(number: int, of: int, answer: str | None, **said: Any) -> dict[str, Any]:
    usual = {"id": number, "response_id": of, "evaluator_type": "fine_grained", "score": 1.0}
    return {**usual, "evaluation_answer": answer, **said}


def evaluations() -> list[dict[str, Any]]:
    """Whole, of another score than its column, faulty, unreadable, aggregate (one lacks a number), of another kind."""
    whole = whole_verdict(3, 2)
    return [
        evaluation(1, 11, whole),
        evaluation(2, 11, whole, evaluator_type="fine_grained_gpt", score=0.5),
        evaluation(3, 11, whole.replace("IMPORTANCE_CORE", "core", 1), evaluator_type="llm_judge_gpt"),
        evaluation(4, 15, "no verdict", score=None),
        evaluation(5, 11, json.dumps({"scores": {"causal_accuracy": 5, "causal_recall": 4, "semantic_similarity": 3}})),
        evaluation(6, 15, json.dumps({"scores": {"causal_precision": 5}}), score=None),
        evaluation(7, 14, None, evaluator_type="graph_similarity", score=0.25),
    ]


def parquet(rows: list[dict[str, Any]], schema: pa.Schema) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), buffer)
    return buffer.getvalue()
