"""`score corrected` as a shell sees it: keys, lists, reasons, and every fault with its line."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.cli.calling import Write, said
from tests.cli.calling import run as run_command

run = partial(run_command, "score", "corrected")


def lines(labelled: int, others: int = 100, cluster: bool = False) -> str:
    """A judge that gives people's score, and 0.1 more to every second row."""
    every = [
        {"item": f"q{n}", "judge": n % 5 / 5 + n % 2 / 10, "person": n % 5 / 5 if n < labelled else None}
        | ({"cluster": f"p{n // 2}"} if cluster else {})
        for n in range(labelled + others)
    ]
    return "".join(json.dumps(each) + "\n" for each in every)


def test_its_keys_stand_in_order(write: Write) -> None:
    result = said(run(write("rows.jsonl", lines(60, others=2_000)), "--json"))
    assert list(result) == ["n", "labelled", "judge_mean", "value", "se", "low", "high", "lambda", "labels_missing"]
    assert (result["n"], result["labelled"], result["judge_mean"]) == (2_060, 60, pytest.approx(0.45))
    assert result["low"] < 0.4 < result["high"] and result["value"] == pytest.approx(0.4)
    assert 0 < result["lambda"] < 1 and result["labels_missing"] == 0


def test_below_20_samples_there_is_a_value_without_an_interval_and_the_number_of_those_to_come(write: Write) -> None:
    reason = "label 4 more samples to correct this score"
    for file in (write("few.jsonl", lines(16)), write("clusters.jsonl", lines(32, cluster=True))):
        result = said(run(file, "--json"))
        assert result["value"] is not None and result["se"] is not None
        assert [result[name] for name in ("low", "high", "labels_missing")] == [None] * 3
        assert {result[f"{name}_reason"] for name in ("low", "high", "labels_missing")} == {reason}
        assert reason in run(file).stdout.decode()


def test_more_labels_than_there_are_rows_are_named(write: Write) -> None:
    result = said(run(write("rows.jsonl", lines(60)), "--json"))
    assert result["labels_missing"] is None
    assert result["labels_missing_reason"].startswith("even all 160 labels give ±0.0")


def test_several_files_are_a_list_with_an_error_in_its_place(write: Write) -> None:
    done = run(write("rows.jsonl", lines(30)), write("none.jsonl", lines(0)), "--json")
    first, second = json.loads(done.stdout)
    assert (done.returncode, first["labelled"]) == (1, 30)
    assert second["error"].endswith("none.jsonl: No row has a person's label.")


def test_one_cluster_has_a_value_and_no_interval(write: Write) -> None:
    every = [json.loads(line) | {"cluster": "p"} for line in lines(30).splitlines()]
    result = said(run(write("one.jsonl", "\n".join(map(json.dumps, every))), "--json"))
    assert result["value"] is not None and (result["se"], result["low"]) == (None, None)
    assert result["se_reason"] == "all rows are of one cluster"
    assert result["low_reason"] == "all rows are of one cluster: no interval"


def test_every_fault_is_named_with_its_line(write: Write) -> None:
    every = [{"item": "q1", "judge": None, "person": 1}, {"item": "q1", "judge": 1, "person": "yes"}, {"judge": 0}]
    done = run(write("faulty.jsonl", "\n".join(map(json.dumps, every))))
    assert done.returncode == 1 and not done.stdout
    assert [line.partition(": ")[2] for line in done.stderr.decode().splitlines()] == [
        "Line 1: `judge` is null; a number is needed.",
        "Item q1 is on lines 1 and 2.",
        'Line 2: `person` is "yes"; a number or null is needed.',
        "Line 3: `item` is null; a name or a number is needed.",
    ]
