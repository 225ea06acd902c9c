"""What candidates come to, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from core.triplets.criteria import Criterion
from protocols.econcausal_pipeline.summary import summary_of


def candidate(sign: str, scores: dict[str, list[int]], failing: list[str], total: list[int], **more: Any) -> Any:
    return {
        "sign": sign,
        "evidence": [{"match": "word for word"}, {"match": "not found"}],
        "verdict": "rejected" if failing else "accepted",
        "context": "c",
        "global_context": "c",
        "methods": ["IV"],
        "global_methods": ["IV"],
        "is_on_boundary": total == [15, 1],
        "per_model_scores": {name: dict(zip(Criterion, six, strict=True)) for name, six in scores.items()},
        "failing": failing,
        "total": total,
        **more,
    }


FOUND = [
    candidate("+", {"a": [3, 3, 3, 3, 3, 3], "b": [3, 3, 3, 3, 3, 3]}, [], [18, 1], context="other"),
    candidate("+", {"a": [1, 3, 3, 3, 3, 3], "b": [2, 3, 3, 3, 3, 3]}, ["variable_extraction"], [33, 2]),
    candidate("-", {"a": [1, 1, 1, 3, 3, 3], "b": [1, 1, 1, 3, 3, 3]}, ["variable_extraction", "direction"], [12, 1]),
]
GROUP = {"runs": 3, "sign": "+"}
CONSENSUS = [
    {"kept": [GROUP, {"runs": 2, "sign": None}], "dropped": [{"runs": 1, "sign": "+"}], "changed": {"votes": 1}},
    {"kept": [GROUP], "dropped": [], "changed": {"votes": 1, "grouping": 2}},
]


def test_signs_groups_evidence_edits_and_what_each_criterion_rejects() -> None:
    found = summary_of(CONSENSUS, FOUND)
    assert (found.signs, found.agreed, found.ties) == ({"+": 2, "-": 1}, {3: 2, 2: 1, 1: 1}, 1)
    assert found.matches == {"word for word": 3, "but for typography": 0, "not found": 3}
    assert (found.scored, found.edited, found.other_methods, found.on_boundary) == (3, 1, 0, 0)
    assert found.changed == {"grouping": 2, "votes": 2, "wording": 0}
    first, second, *_, last = found.criteria
    assert first.means == {"a": pytest.approx(5 / 3), "b": 2.0}
    assert (first.drops, first.drops_alone, second.drops, second.drops_alone) == (2, 1, 1, 0)
    # quadratic weights: a gives 3, 1, 1 and b 3, 2, 1; observed 1/3, by chance the mean of the nine squared distances
    assert first.kappas["a", "b"].value == pytest.approx(1 - (1 / 3) / ((0 + 1 + 4 + 4 + 1 + 0 + 4 + 1 + 0) / 9))
    assert last.alpha.value is None
    assert last.alpha.reason


def test_a_candidate_that_is_not_filtered_counts_as_one_and_is_not_scored() -> None:
    found = summary_of([], [{"sign": None, "evidence": []}])
    assert (found.signs, found.scored) == ({"tie": 1}, 0)
