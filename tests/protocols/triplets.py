"""Triplets and task rows that tests of protocols share: invented, or read from the real files where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.sign import Sign
from core.triplets.record import PaperRecord, TripletRecord
from exchange.econcausal import read_triplets
from protocols.econcausal.source_triplet import SourceTriplet

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "econcausal"


def paper(name: str = "w1", **others: Any) -> PaperRecord:
    given: dict[str, Any] = {"year": 1990, "venue": "american_economic_review", "domain": "economics", "jel_codes": "J"}
    return PaperRecord(external_id=name, **(given | others))


def triplet(
    treatment: str = "Tax",
    outcome: str = "Jobs",
    sign: str = "+",
    *,
    of: PaperRecord | None = None,
    place: int = 1,
    context: str = "In a town.",
    **details: Any,
) -> SourceTriplet:
    record = TripletRecord(
        place=place,
        paper=of or paper(),
        treatment=treatment,
        outcome=outcome,
        sign=Sign(sign),
        context=context,
        details=details,
    )
    return SourceTriplet(record, f"id-{place}", "c1")


def example(sign: str = "+", **others: Any) -> dict[str, Any]:
    return {"paper_id": "w9", "treatment": "Levy", "outcome": "Work", "sign": sign, "avg_similarity": 0.9} | others


def examples(*given: dict[str, Any]) -> str:
    return json.dumps(list(given))


def real_rows(*names: str) -> list[SourceTriplet]:
    """Rows of the real task files; skips the test where they are not."""
    found = []
    for name in names:
        path = DATA / f"{name}.jsonl"
        if not path.exists():
            pytest.skip(f"{path} is not on this machine")
        read = read_triplets(path.read_bytes(), path.name)
        assert not read.faults
        found += [SourceTriplet(record, f"{name}/{record.place}", name) for record in read.records]
    return found
