"""The published relations of real papers: 663 + 602 rows, mixed ones left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.questions.relation import Relation
from core.sign import Sign
from core.triplets.directions import DIRECTION_OF
from core.triplets.triplet import parse_sign

FILES = ("task1_econ.jsonl", "task1_finance.jsonl")


def real_relations(shared_data: Path) -> list[Relation]:
    """1,241 relations; equal folded words are one entity."""
    rows = _rows(shared_data)
    found = (
        relation_of(row["treatment"], parse_sign(row["sign"]), row["outcome"], row["paper_id"], row["publication_year"])
        for row in rows
    )
    return [each for each in found if each is not None]


def _rows(shared_data: Path) -> Iterator[dict[str, Any]]:
    for name in FILES:
        for line in (shared_data / "econcausal" / name).read_text(encoding="utf-8").split("\n"):
            if line:
                yield json.loads(line)


def relation_of(treatment: str, sign: Sign, outcome: str, paper: object, year: int | None) -> Relation | None:
    """None for a mixed sign."""
    if sign not in DIRECTION_OF:
        return None
    return Relation(
        treatment=treatment,
        direction=DIRECTION_OF[sign],
        outcome=outcome,
        paper=str(paper),
        treatment_entity=_folded(treatment),
        outcome_entity=_folded(outcome),
        year=year,
    )


def _folded(phrase: str) -> str:
    return " ".join(phrase.casefold().split())
