"""`agreement verdicts` as a shell sees it: keys, items of one side alone, and what cannot be read."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from tests.cli.calling import Write, said
from tests.cli.calling import run as run_command

run = partial(run_command, "agreement", "verdicts")


def section(*presence: str) -> dict[str, Any]:
    return {
        "edge_recall_evaluations": [
            {
                "edge_number": number,
                "importance_label": "IMPORTANCE_CENTRAL",
                "presence_label": label,
                "directionality_label": "DIRECTION_MISSING" if label.endswith("NO_MATCH") else "DIRECTION_CORRECT",
                "abstraction_label": "ABSTRACTION_NA" if label.endswith("NO_MATCH") else "ABSTRACTION_ALIGNED",
            }
            for number, label in enumerate(presence, 1)
        ]
    }


STRONG, NONE = "PRESENCE_STRONG_MATCH", "PRESENCE_NO_MATCH"


def test_fields_scores_and_items_of_one_side_have_their_keys(write: Write) -> None:
    files = write("judge.yaml", section(STRONG, STRONG, NONE, NONE)), write("person.yaml", section(STRONG, NONE, NONE))
    found = said(run(*files, "--json"))
    assert set(found) == {"per_field", "scores", "only_judge", "only_person"}
    assert list(found["per_field"]) == [
        f"edge_recall.item.{field}_label" for field in ("importance", "presence", "directionality", "abstraction")
    ]
    presence = found["per_field"]["edge_recall.item.presence_label"]
    assert presence["n"] == 3
    assert presence["confusion"] == {STRONG: {STRONG: 1, NONE: 1}, NONE: {NONE: 1}}
    # Two of three alike, margins 2, 1 and 1, 2: chance distance (2·2 + 1·1)·2 / 3, observed 2, so κ = 1 − 6 / 10.
    assert abs(presence["kappa"] - 0.4) < 1e-12
    assert (found["only_judge"], found["only_person"]) == ([{"section": "edge_recall", "item": 4}], [])
    scores = found["scores"]
    assert [scores[who]["edge_recall"] for who in ("judge", "person", "difference")] == [2 / 3, 1 / 3, 2 / 3 - 1 / 3]
    assert scores["judge"]["node_recall"] is None
    assert scores["judge"]["node_recall_reason"]


def test_words_name_what_only_one_lists(write: Write) -> None:
    files = write("judge.yaml", section(STRONG)), write("person.yaml", section(STRONG, NONE))
    assert run(*files).stdout.decode().splitlines()[-1].startswith("1 item only")


def test_a_file_that_is_no_verdict_is_told_and_the_next_pair_is_compared(write: Write) -> None:
    good = write("good.yaml", section(STRONG))
    done = run(write("bad.yaml", "a sentence"), good, good, good, "--json")
    assert done.returncode == 1
    first, second = json.loads(done.stdout)
    assert "bad.yaml" in first["error"]
    assert second["only_judge"] == []
