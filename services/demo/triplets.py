"""The demo's triplets: invented claims of invented papers, three invented critics, and two experts' partial scores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from core.people import Viewer
from services.queue.work import claim_next
from services.study import current_study
from services.triplets import importing, reading, scoring
from services.triplets.work_kind import TRIPLETS as TRIPLET_WORK
from store.assignments import locked
from store.tables import new_id
from store.triplets import scores

FOLDER = Path(__file__).resolve().parents[2] / "demo" / "triplets"
TRIPLETS = "synthetic-triplets.jsonl"
TITLE = "Synthetic triplets (invented for this demo)"
LICENCE = "CC0-1.0"
EACH = 15  # triplets submitted by each of the two experts; the others are left for people who try the demo


def add_triplets(owner: Viewer, experts: Sequence[Viewer]) -> None:
    """Import the triplets, and let the experts named in expert-scores.json score what their queue assigns."""
    content = (FOLDER / TRIPLETS).read_bytes()
    importing.import_triplets(
        owner, TRIPLETS, content, with_faulty=False, title=TITLE, licence=LICENCE, act_id=new_id()
    )
    rows = [json.loads(line) for line in content.splitlines()]
    places = {(row["treatment"], row["outcome"]): str(place) for place, row in enumerate(rows, start=1)}
    expert_scores = json.loads((FOLDER / "expert-scores.json").read_text(encoding="utf-8"))
    study = current_study()
    for expert in experts:
        sheets = expert_scores["experts"][expert.name]
        for _ in range(EACH):
            work = claim_next(expert, TRIPLET_WORK, act_id=new_id()).subject_id
            seen = reading.triplet(expert, work, with_evidence=False)
            sheet = sheets[places[seen.treatment, seen.outcome]]
            # All scores in one transaction: one act per score would double the time. The submission's event has them.
            with study.store.writing() as session:
                row = locked(session, work)
                row.comment = sheet.get("comment", "")
                for criterion, score in zip(expert_scores["criteria"], sheet["scores"], strict=True):
                    scores.keep_score(session, work, criterion, score, study.clock())
                session.flush()
                version = row.version
            scoring.submit(expert, work, seen=version, act_id=new_id())
