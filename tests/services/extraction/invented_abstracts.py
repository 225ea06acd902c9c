"""Invented abstracts, and a study that has them."""

from __future__ import annotations

import json
from typing import Any

from core.people import Viewer
from services.triplets import corpora
from tests.services.run_parts import act

CLAIMS = (
    ("carbon taxes", "reduce", "industrial emissions"),
    ("carbon taxes", "raise", "energy prices"),
    ("congestion charges", "reduce", "industrial emissions"),
    ("congestion charges", "raise", "bus ridership"),
    ("school lunches", "raise", "test scores"),
    ("minimum wages", "raise", "hourly earnings"),
    ("minimum wages", "reduce", "staff turnover"),
    ("free childcare", "raise", "hourly earnings"),
)


def rows(papers: int = 12) -> list[dict[str, Any]]:
    """Two claims a paper, in sentences that cue phrases understand."""
    found = []
    for number in range(papers):
        said = [CLAIMS[(number + step) % len(CLAIMS)] for step in (0, 3)]
        text = " ".join(f"{x[0].upper()}{x[1:]} {verb} {y}." for x, verb, y in said)
        found.append(
            {
                "title": f"Study {number}",
                "abstract": text,
                "year": 2000 + 2 * number % 26,
                "journal": ("Econometrica", "Journal of Finance")[number % 2],
                "doi": f"10.1000/study.{number:02}",
                "jel": [("Q5", "J3", "G1")[number % 3]],
            }
        )
    return found


def bring_abstracts(viewer: Viewer, papers: list[dict[str, Any]]) -> str:
    content = "\n".join(map(json.dumps, papers)).encode()
    return corpora.import_corpus(viewer, "invented.jsonl", content, with_faulty=False, **act()).subject_id
