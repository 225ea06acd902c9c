"""Results of a run of Lee et al.'s pipeline as files: relations, entities, codes, questions and the paper's tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from typing import Any

from core.people import Viewer
from exchange.edge_table import table_bytes
from exchange.question_set import write_question_set
from services.extraction import question_tables as tables
from services.extraction.made_questions import QuestionsOfRun, made_questions

Rows = Iterable[Sequence[Any]]


def question_files(viewer: Viewer, run_id: str) -> dict[str, bytes]:
    """Return name → content of each file; `run_id` may be the run's number. Raises as `made_questions`."""
    made_values = made_questions(viewer, run_id)
    codes = {row["variable"]: row for row in made_values.variables}
    return {
        "relations.jsonl": b"".join(
            f"{json.dumps(dict(row), ensure_ascii=False)}\n".encode("utf-8", "surrogatepass")
            for row in relation_rows(made_values)
        ),
        "entities.csv": _csv(("entity", "phrase", "paper"), _entity_rows(made_values)),
        "jel.csv": _csv(
            ("variable", "code", "title", "cosine"),
            ([row[name] for name in ("variable", "code", "title", "cosine")] for row in codes.values()),
        ),
        "questions.jsonl": write_question_set(made_values.questions),
        "table_corpus.csv": _csv(
            ("measure", "value", "published"),
            ((each.measure, each.value, each.published) for each in tables.corpus_lines(made_values)),
        ),
        "table_topics.csv": _csv(
            ("code", "title", "count", "published"), map(astuple, tables.topic_lines(made_values))
        ),
        "table_questions.csv": _csv(
            ("type", "answer", "before", "after", "published"), map(astuple, tables.question_lines(made_values))
        ),
        "table_periods.csv": _csv(
            ("period", "relations", "share", "published"), map(astuple, tables.period_lines(made_values))
        ),
    }


def relation_rows(made_values: QuestionsOfRun) -> Iterable[dict[str, Any]]:
    """Yield one relation per line of the file for `triplets questions`, with both groupings."""
    each_of = iter(made_values.relations)
    for paper, value in made_values.consensus.items():
        for row in value["kept"]:
            relation = next(each_of)
            yield {
                "X": row["X"],
                "d": row["d"],
                "Y": row["Y"],
                "paper": paper,
                "X_entity": relation.treatment_entity,
                "Y_entity": relation.outcome_entity,
                "X_in_paper": row["X_in_paper"],
                "Y_in_paper": row["Y_in_paper"],
                "year": relation.year,
                "journal": relation.journal or None,
                "letters": list(relation.letters),
                "method": row["method"],
                "runs": row["runs"],
            }


def _entity_rows(made_values: QuestionsOfRun) -> Rows:
    for entity in made_values.entities:
        part_of = {phrase: min(part) for part in entity.parts or () for phrase in part}
        for phrase, papers in entity.phrases:
            for paper in papers:
                yield part_of.get(phrase, entity.name), phrase, paper


def _csv(columns: Sequence[str], rows: Rows) -> bytes:
    return table_bytes(columns, rows, safe=True)
