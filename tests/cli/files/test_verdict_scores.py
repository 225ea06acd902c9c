"""`score verdicts` as a shell sees it: keys, undefined figures with their reason, faults, exit status."""

from __future__ import annotations

import json
from functools import partial

import pytest
import yaml

from tests.cli.calling import Write, said
from tests.cli.calling import run as run_command
from tests.core.verdicts.made import perfect

run = partial(run_command, "score", "verdicts")
NINE = [f"{what}_{figure}" for what in ("node", "edge", "overall") for figure in ("precision", "recall", "f1")]
POOLED = ["pooled_precision", "pooled_recall", "pooled_f1"]


def test_a_whole_verdict_has_its_keys_in_order_and_nothing_else(write: Write) -> None:
    found = said(run(write("verdict.yaml", yaml.safe_dump(perfect(3, 2))), "--json"))
    forms = ["default", "as_released", "importance_pooled", "unweighted_literal", "unweighted_strict"]
    assert list(found) == [*forms, "shd", "faults", "inconsistencies", "complete"]
    for form in forms:
        assert list(found[form]) == [*NINE, *(POOLED if form.startswith("unweighted") else [])]
        assert set(found[form].values()) == {1.0}
    assert found["shd"] == {"extra": 0, "missing": 0, "reversed": 0, "total": 0, "normalised": 0.0}
    assert (found["faults"], found["inconsistencies"], found["complete"]) == ([], [], True)


def test_faults_are_listed_and_no_error(write: Write) -> None:
    verdict = perfect(2, 2)
    verdict["edge_recall_evaluations"][1]["presence_label"] = "WEAK"
    done = run(write("verdict.yaml", yaml.safe_dump(verdict)), "--json")
    found = said(done)
    assert done.returncode == 0
    assert found["faults"] == [
        {
            "section": "edge_recall",
            "item": 2,
            "block": "item",
            "field": "presence_label",
            "found": "WEAK",
            "why": "illegal label",
        }
    ]
    assert found["default"]["edge_recall"] is None
    assert found["default"]["edge_recall_reason"] == "1 of 2 items are missing or have a fault"
    assert found["complete"] is False


def test_an_empty_mapping_is_readable(write: Write) -> None:
    done = run(write("verdict.yaml", "{}"), "--json")
    found = said(done)
    assert done.returncode == 0
    assert found["default"]["overall_f1"] is None
    assert found["as_released"]["overall_f1"] == 0.0
    assert (found["faults"], found["complete"]) == ([], False)


def test_nodes_of_the_truth_say_how_many_node_recall_should_have(write: Write) -> None:
    file = write("verdict.yaml", yaml.safe_dump(perfect(2, 2)))
    found = said(run(file, "--gold-nodes", "3", "--json"))
    assert [(each["item"], each["why"]) for each in found["faults"]] == [(3, "missing item")]
    assert found["default"]["node_recall"] is None


@pytest.mark.parametrize("text", ["- a list", "a: &b 1", "just words", b"\xff\xfe\x00"])
def test_what_is_no_yaml_mapping_is_an_error_in_its_place(write: Write, text: str | bytes) -> None:
    bad = write("bad.yaml", "")
    bad.write_bytes(text if isinstance(text, bytes) else text.encode())
    done = run(bad, write("good.yaml", yaml.safe_dump(perfect(1, 1))), "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert list(found[0]) == ["error"]
    assert found[1]["complete"] is True


def test_the_words_name_every_form_and_every_fault(write: Write) -> None:
    verdict = perfect(1, 2)
    verdict["edge_precision_evaluations"][0]["graph_evaluation"]["presence_label"] = "PRESENCE_NO_MATCH"
    del verdict["node_recall_evaluations"][0]["semantic_label"]
    words = run(write("verdict.yaml", yaml.safe_dump(verdict))).stdout.decode()
    assert "Unweighted, strict" in words
    assert "node_recall_evaluations, item 1, semantic_label: missing label." in words
    assert "graph only without a graph match (1)" in words
    assert "SHD 1: 1 extra, 0 missing, 0 reversed" in words
