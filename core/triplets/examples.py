"""Examples beside a question: read from an imported row, whose cells give their contexts only within its question; and
what such a row is known by."""

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
    """The row's examples as its cell gives them; None for a row without any. Raises BadInput for a cell that is no list
    of objects."""
    said = record.details.get(EXAMPLES)
    if said is None:
        return None
    try:
        found = json.loads(said) if isinstance(said, str) else said
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise BadInput(f"{EXAMPLES} is not a JSON list of examples")
    return found or None


def known_paper(external_id: str) -> str:
    """A row of no paper gets its place in the file for one ("?7"), which another file has elsewhere."""
    return "" if external_id.startswith("?") else external_id


def content_of(record: TripletRecord) -> str:
    """What a row is known by in whatever file and form: the SHA-256 of its paper, pair, sign, answer, context, examples
    and question. The same row as JSON, CSV or Parquet has the same; another context or example makes it another."""
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
    """Whether the examples show another sign than they had, so that the row is one of task 3."""
    return any("original_sign" in each for each in examples)


def examples_of(record: TripletRecord, contexts: Mapping[tuple[str, str, str], str]) -> list[dict[str, Any]]:
    """The row's examples, each {paper, treatment, outcome, context, sign, original_sign, similarity}, in their order.

    An example's context is its own cell's, else the one that the row's question shows for it, else that of the triplet
    it names in `contexts` (paper, treatment, outcome → context), else empty. Raises BadInput, naming the example, for
    one without treatment, outcome or a known sign.
    """
    shown = _contexts_shown(record)
    found = []
    for number, each in enumerate(raw_examples(record) or (), 1):
        treatment, outcome = each.get("treatment"), each.get("outcome")
        if not isinstance(treatment, str) or not isinstance(outcome, str):
            raise BadInput(f"example {number} has no treatment or no outcome")
        paper = str(each.get("paper_id", ""))
        given = each.get("context")
        own = given if isinstance(given, str) and given.strip() else ""
        other = shown.get((number, treatment, outcome)) or contexts.get((paper, treatment, outcome), "")
        try:
            sign = parse_sign(each.get("sign")).value
            original = parse_sign(each.get("original_sign", sign)).value
        except BadInput as error:
            raise BadInput(f"example {number}: {error}") from None
        found.append(
            {
                "paper": paper,
                "treatment": treatment,
                "outcome": outcome,
                "context": own or other,
                "sign": sign,
                "original_sign": original,
                "similarity": _number(each.get("avg_similarity")),
            }
        )
    return found


def _contexts_shown(record: TripletRecord) -> dict[tuple[int, str, str], str]:
    """(number, treatment, outcome) → context, from the reference examples that the row's question prints."""
    question = record.details.get(QUESTION)
    if not isinstance(question, str):
        return {}
    blocks = enumerate(_BLOCK.findall(question), 1)
    return {(number, treatment, outcome): context.strip() for number, (treatment, outcome, context, _) in blocks}


def _number(said: object) -> float | None:
    is_number = isinstance(said, int | float) and not isinstance(said, bool) and -1 <= said <= 1
    return float(said) if is_number and isinstance(said, int | float) else None
