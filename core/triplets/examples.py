"""Examples of a question, read from an imported row, whose cells give their contexts only within its question; and the
identity of such a row."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from core.errors import BadInput
from core.papers.releases import hash_of
from core.triplets.record import TripletRecord
from core.triplets.triplet import parse_sign

EXAMPLES, QUESTION, ANSWER = "example_details", "question", "answer"

_BLOCK = re.compile(r"^## Example \d+\nTreatment: (.*)\nOutcome: (.*)\nContext: (.*)\nSign: (.*)$", re.MULTILINE)


def raw_examples(record: TripletRecord) -> list[Mapping[str, Any]] | None:
    """Return the row's examples as its cell gives them; None without any. Raises BadInput for a cell that is no list of
    objects."""
    cell = record.details.get(EXAMPLES)
    if cell is None:
        return None
    try:
        parsed = json.loads(cell) if isinstance(cell, str) else cell
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, list) or not all(isinstance(each, dict) for each in parsed):
        raise BadInput(f"{EXAMPLES} is not a JSON list of examples")
    return parsed or None


def known_paper(external_id: str) -> str:
    """Return a row's paper; "" for its place in the file ("?7"), which replaces a missing paper and differs
    between files."""
    return "" if external_id.startswith("?") else external_id


def content_of(record: TripletRecord) -> str:
    """Return a hash that identifies a row in any file and format: the SHA-256 of its paper, pair, sign, answer,
    context, examples and question. It is equal for the same row as JSON, CSV or Parquet; another context or example
    changes it."""
    examples: Any = record.details.get(EXAMPLES)
    with suppress(BadInput):
        examples = raw_examples(record)
    answer = record.details.get(ANSWER)
    return hash_of(
        [
            known_paper(record.paper.external_id),
            record.treatment,
            record.outcome,
            record.sign.value,
            record.context,
            record.sign.value if answer is None else str(answer),
            json.dumps(examples, sort_keys=True),
            str(record.details.get(QUESTION) or ""),
        ]
    )


def is_flipped(examples: list[Mapping[str, Any]]) -> bool:
    """Return True if the examples show another sign than they had, so that the row is one of task 3."""
    return any("original_sign" in each for each in examples)


def examples_of(record: TripletRecord, contexts: Mapping[tuple[str, str, str], str]) -> list[dict[str, Any]]:
    """Return the row's examples, each {paper, treatment, outcome, context, sign, original_sign, similarity}, in their
    order.

    An example's context is its own cell's, else the one that the row's question shows for it, else that of the triplet
    it names in `contexts` (paper, treatment, outcome → context), else empty. Raises BadInput, naming the example, for
    one without treatment, outcome or a known sign."""
    shown = _contexts_shown(record)
    examples = []
    for number, example in enumerate(raw_examples(record) or (), 1):
        treatment, outcome = example.get("treatment"), example.get("outcome")
        if not isinstance(treatment, str) or not isinstance(outcome, str):
            raise BadInput(f"example {number} has no treatment or no outcome")
        paper = str(example.get("paper_id", ""))
        cell = example.get("context")
        own = cell if isinstance(cell, str) and cell.strip() else ""
        other = shown.get((number, treatment, outcome)) or contexts.get((paper, treatment, outcome), "")
        try:
            sign = parse_sign(example.get("sign")).value
            original = parse_sign(example.get("original_sign", sign)).value
        except BadInput as error:
            raise BadInput(f"example {number}: {error}") from None
        examples.append(
            {
                "paper": paper,
                "treatment": treatment,
                "outcome": outcome,
                "context": own or other,
                "sign": sign,
                "original_sign": original,
                "similarity": _number(example.get("avg_similarity")),
            }
        )
    return examples


def _contexts_shown(record: TripletRecord) -> dict[tuple[int, str, str], str]:
    """Return (number, treatment, outcome) → context, from the reference examples that the row's question prints."""
    question = record.details.get(QUESTION)
    if not isinstance(question, str):
        return {}
    blocks = enumerate(_BLOCK.findall(question), 1)
    return {(number, treatment, outcome): context.strip() for number, (treatment, outcome, context, _) in blocks}


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and -1 <= value <= 1
    return float(value) if is_number and isinstance(value, int | float) else None
