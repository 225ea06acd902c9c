"""What tests of triplets and their scores share: small files, an import, an expert's whole turn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.people import Viewer
from core.triplets.criteria import Criterion
from services.queue.work import claim_next
from services.triplets import importing, reading, scoring, settings
from services.triplets.settings import ScoringSettings
from services.triplets.work_kind import TRIPLETS
from store.tables import new_id
from tests.services.acts import Act

SIX = [criterion.value for criterion in Criterion]


def act() -> Act:
    return {"act_id": new_id()}


def file_of(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def rows_of(number: int, **cells: Any) -> list[dict[str, Any]]:
    """Triplets of as many papers, one a year from 1990 on."""
    return [
        {
            "paper_id": n + 1,
            "title": f"Paper number {n + 1}",
            "publication_year": 1990 + n % 200,
            "treatment": f"Cause {n}",
            "outcome": f"Effect {n}",
            "sign": "None" if n % 2 else "+",
            **cells,
        }
        for n in range(number)
    ]


def bring_in(viewer: Viewer, rows: Sequence[Mapping[str, Any]], name: str = "triplets.jsonl") -> str:
    """Import rows as a collection and return its id."""
    receipt = importing.import_triplets(viewer, name, file_of(rows), with_faulty=False, **act())
    return receipt.subject_id


def settle(viewer: Viewer, **wanted: Any) -> None:
    now = settings.settings(viewer)
    settings.save_settings(viewer, ScoringSettings(**wanted), seen=now.version, **act())


def take(viewer: Viewer) -> str:
    return claim_next(viewer, TRIPLETS, **act()).subject_id


def version(viewer: Viewer, work: str) -> int:
    return reading.triplet(viewer, work, with_evidence=False).version


def give(viewer: Viewer, work: str, scores: Mapping[str, int]) -> None:
    for criterion, value in scores.items():
        scoring.score(viewer, work, criterion, value, seen=version(viewer, work), **act())


def hand_in(viewer: Viewer, work: str, scores: Mapping[str, int] | None = None) -> None:
    give(viewer, work, scores or dict.fromkeys(SIX, 3))
    scoring.submit(viewer, work, seen=version(viewer, work), **act())


def six(*values: int) -> dict[str, int]:
    return dict(zip(SIX, values, strict=True))


def critics(*values: int, number: int = 3, reason: str = "as the paper says") -> dict[str, Any]:
    """Nested scores of as many critics who agree."""
    given = {key: {"score": value, "reason": reason} for key, value in six(*values).items()}
    return {f"critic {n}": given for n in range(number)}
