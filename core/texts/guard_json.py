"""Results of the guards as JSON for the store, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from core.texts.leaks import Leak, LeakFinding, Leaks
from core.texts.sections import BlockKind
from core.texts.word_loss import PageWords, SectionWords, WordLoss


def word_loss_json(result: WordLoss) -> dict[str, Any]:  # guard 1
    return {
        "sections": [asdict(each) for each in result.sections],
        "pages": [[each.page, each.words, each.lost] for each in result.pages],
        "left": {kind.value: words for kind, words in result.left.items()},
        "reasons": list(result.reasons),
    }


def word_loss_from_json(data: Mapping[str, Any]) -> WordLoss:
    return WordLoss(
        sections=tuple(SectionWords(**each) for each in data["sections"]),
        pages=tuple(PageWords(*each) for each in data["pages"]),
        left={BlockKind(kind): words for kind, words in data["left"].items()},
        reasons=tuple(data["reasons"]),
    )


def leaks_as_json(leaks: Leaks) -> dict[str, Any]:  # guard 2
    return {"findings": [asdict(each) for each in leaks.findings], "n_edges": leaks.n_edges}


def leaks_from_json(data: Mapping[str, Any]) -> Leaks:
    findings = tuple(
        LeakFinding(
            kind=Leak(each["kind"]),
            line=each["line"],
            start=each["start"],
            end=each["end"],
            text=each["text"],
            nodes=tuple(each["nodes"]),
            edges=tuple((source, sink) for source, sink in each["edges"]),
        )
        for each in data["findings"]
    )
    return Leaks(findings, data["n_edges"])
