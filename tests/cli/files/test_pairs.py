"""`score pairs` as a shell sees it: keys, lists, reasons, and every fault with its line."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.cli.calling import Write, said
from tests.cli.calling import run as run_command

PAIRS = """{"item": "q1", "cluster": "p", "a": 1, "b": 0}
{"item": "q2", "cluster": "p", "a": 1, "b": 1}

{"item": "q3", "a": 0.25, "b": 0}
{"item": 4, "a": null, "b": 1}
"""
run = partial(run_command, "score", "pairs")


def test_its_keys_stand_in_order_and_what_has_no_score_is_left_out_and_counted(write: Write) -> None:
    done = run(write("pairs.jsonl", PAIRS), "--json")
    found = said(done)
    assert list(found) == [
        *("n", "clusters", "n_left_out", "mean_a", "mean_b", "difference", "se", "low", "high", "p"),
        *("wins", "ties", "losses", "mcnemar_p", "mcnemar_p_reason", "sign_p", "detectable", "n_needed"),
    ]
    assert (found["n"], found["clusters"], found["n_left_out"]) == (3, 2, 1)
    assert (found["difference"], found["wins"], found["ties"], found["losses"]) == (pytest.approx(5 / 12), 2, 1, 0)
    assert found["low"] < 5 / 12 < found["high"]
    assert b"1 item" in done.stderr


def test_the_items_needed_are_for_the_difference_that_is_named(write: Write) -> None:
    file = write("pairs.jsonl", "".join(json.dumps({"item": n, "a": n % 3 / 2, "b": 0.4}) + "\n" for n in range(60)))
    observed, wanted = (said(run(file, *more, "--json"))["n_needed"] for more in ((), ("--difference", "0.05")))
    assert observed == pytest.approx(wanted / 4, rel=0.05)  # the observed one is 0.1
    assert b"Items needed" in run(file).stdout


def test_a_small_p_is_not_printed_as_0(write: Write) -> None:
    file = write("pairs.jsonl", "".join(json.dumps({"item": n, "a": 1, "b": 0}) + "\n" for n in range(40)))
    assert "p by McNemar's test    1.8e-12" in run(file).stdout.decode()


def test_several_files_are_a_list_with_an_error_in_its_place(write: Write) -> None:
    none = write("none.jsonl", '{"item": "q", "a": null, "b": 1}\n')
    done = run(write("pairs.jsonl", PAIRS), none, "--json")
    first, second = json.loads(done.stdout)
    assert (done.returncode, first["n"]) == (1, 3)
    assert second["error"].endswith("Both have a score on 0 items; nothing can be compared.")


def test_one_cluster_has_a_difference_and_no_interval(write: Write) -> None:
    found = said(run(write("one.jsonl", PAIRS.replace('"q3"', '"q3", "cluster": "p"')), "--json"))
    assert (found["difference"], found["low"], found["high"], found["p"]) == (pytest.approx(5 / 12), None, None, None)
    assert found["difference_reason"] == "all items are of one cluster: no interval"


def test_every_fault_is_named_with_its_line(write: Write) -> None:
    lines = [{"item": "q1", "a": "high", "b": 1}, {"item": "q1", "a": 1, "b": True}, {"a": 1, "b": 0}]
    done = run(write("faulty.jsonl", "\n".join(map(json.dumps, lines))))
    assert done.returncode == 1 and not done.stdout
    said_lines = [line.partition(": ")[2] for line in done.stderr.decode().splitlines()]
    assert said_lines == [
        'Line 1: `a` is "high"; a number or null is needed.',
        "Item q1 is on lines 1 and 2.",
        "Line 2: `b` is true; a number or null is needed.",
        "Line 3: `item` is null; a name or a number is needed.",
    ]
