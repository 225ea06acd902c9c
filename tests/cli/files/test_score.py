"""`score signs` and `score calibration` as a shell sees them: keys, lists, errors in their place, exit status."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from tests.cli.calling import ROOT, Write, said
from tests.cli.calling import run as run_command

DATA = ROOT.parent / "shared" / "data" / "econcausal"
SIGNS = """{"predicted": "+", "answer": "+", "example_signs": ["positive"]}
{"predicted": "Positive", "answer": "-", "example_signs": ["+", "-"]}

{"predicted": "null", "answer": "None", "example_signs": ["None", "-"], "jel_codes": NaN}
{"predicted": "rises", "answer": "mixed"}
{"predicted": null, "answer": "mixed"}
"""
SURE = """{"probabilities": {"+": 0.7, "-": 0.1, "None": 0.1, "mixed": 0.1}, "answer": "+"}
{"probabilities": {"+": 0.4, "-": 0.1}, "answer": "-"}
{"probabilities": null, "answer": "-"}
"""


run = partial(run_command, "score")


# --- signs ------------------------------------------------------------------------------------------------------


def test_signs_has_its_keys_in_order_and_nothing_else(write: Write) -> None:
    done = run("signs", write("signs.jsonl", SIGNS), "--json")
    found = said(done)
    assert list(found) == [
        "n",
        "accuracy",
        "macro_f1",
        "per_class",
        "confusion",
        "unparsable",
        "failed",
        "mismatch_first",
        "mismatch_any",
        "as_released",
    ]
    # Four answered: + and None right. F1: + 2/3 (said twice), - 0, None 1, mixed 0.
    assert (found["n"], found["accuracy"], found["unparsable"], found["failed"]) == (5, 0.5, 1, 1)
    assert found["macro_f1"] == pytest.approx((2 / 3 + 1) / 4)
    assert found["mismatch_first"] == {"n": 1, "accuracy": 0.0}
    assert found["mismatch_any"] == {"n": 2, "accuracy": 0.5}
    # There, the failure is a wrong answer and "rises" a fifth class.
    assert found["as_released"] == {"accuracy": 0.4, "macro_f1": round((0.6667 + 1) / 5, 4)}
    assert list(found["per_class"]) == list(found["confusion"]) == ["+", "-", "None", "mixed"]
    assert found["per_class"]["+"] == {"precision": 0.5, "recall": 1.0, "f1": 2 / 3, "expected": 1, "predicted": 2}
    assert found["confusion"]["mixed"] == {"+": 0, "-": 0, "None": 0, "mixed": 0, "unparsable": 1, "failed": 1}
    assert done.stderr.decode().splitlines() == [
        f'{write("signs.jsonl", SIGNS)}: unparsable, so wrong: 1 of 5 answers: "rises" (1).',
        f"{write('signs.jsonl', SIGNS)}: failed, so not scored: 1 of 5 requests.",
    ]


def test_people_see_the_answers_beside_those_that_need_no_model() -> None:
    shown = run("signs", "-", typed=SIGNS).stdout.decode()
    assert "These answers                          4 of 5    0.5000    0.4167\n" in shown
    assert "copy the examples' most frequent sign  3 of 5" in shown
    assert "Any example contradicts the answer       2 of 3 rows with examples: 0.5000, 0.0 points below all\n" in shown


@pytest.mark.parametrize(
    ("labels", "row", "classes"),
    [
        ("direction", '{"predicted": " DECREASE", "answer": "decrease"}', ["increase", "decrease", "none"]),
        ("truth", '{"predicted": "yes", "answer": true}', ["True", "False"]),
        ("yesno", '{"predicted": "No", "answer": "no"}', ["yes", "no"]),
        ("sign-unknown", '{"predicted": "−", "answer": "-"}', ["+", "-", "None", "mixed"]),
    ],
)
def test_other_labels(labels: str, row: str, classes: list[str]) -> None:
    found = said(run("signs", "-", "--labels", labels, "--json", typed=row))
    assert (found["accuracy"], list(found["per_class"])) == (1.0, classes)
    assert found["macro_f1"] == 1 / len(classes)
    assert "neither expected nor predicted" in found["macro_f1_reason"]
    assert ("accuracy_reason" in found["as_released"]) is (labels != "sign-unknown")
    assert found["mismatch_any"] == {"n": 0, "accuracy": None, "accuracy_reason": "no sample shows examples"}


def test_several_files_give_a_list_with_errors_in_their_place(write: Write, tmp_path: Path) -> None:
    faulty = write(
        "faulty.jsonl", '{"predicted": "+", "answer": null}\n{"answer": "+"}\n{"predicted": NaN, "answer": "+"}\n'
    )
    done = run("signs", write("signs.jsonl", SIGNS), faulty, tmp_path / "none.jsonl", "--json")
    good, bad, missing = said(done, status=1)
    assert good["n"] == 5
    assert "faulty.jsonl, line 1, answer: found 'null'; expected one of +, -, None, mixed" in bad["error"]
    assert "line 2, predicted; expected the model's answer, or null for a failed request" in bad["error"]
    assert "line 3, predicted: found 'NaN'" in bad["error"]
    assert missing["error"].endswith("none.jsonl cannot be read: No such file or directory.")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ('{"predicted": "+", "answer": "+"}\n{"predicted"', "standard input, line 2; it is not JSON"),
        ("[1]\n3", "standard input, line 2: found '3'; expected a JSON object, one per line"),
        ('{"predicted": "+", "answer": "+", "example_signs": ["up"]}', "line 1, example_signs: found '[\"up\"]'"),
        ('{"predicted": "+", "answer": "+", "example_signs": "+"}', "expected a list of +, -, None, mixed"),
        ('{"predicted": "unknown", "answer": "unknown"}', "line 1, answer: found '\"unknown\"'"),
    ],
)
def test_rows_that_cannot_be_taken_are_named(typed: str, message: str) -> None:
    done = run("signs", "-", "--json", typed=typed)
    assert (done.returncode, done.stdout) == (1, b"")
    assert message in done.stderr.decode()


def test_nothing_answered_is_null_beside_its_reason() -> None:
    found = said(run("signs", "-", "--json", typed='{"predicted": null, "answer": "+"}'))
    assert (found["accuracy"], found["accuracy_reason"]) == (None, "every request failed")
    assert said(run("signs", "-", "--json", typed=""))["accuracy_reason"] == "there are no rows"


def test_the_real_second_task_answered_with_plus(write: Write) -> None:
    if not DATA.exists():
        pytest.skip(f"the task files are not at {DATA}")
    rows = [json.loads(line) for line in (DATA / "task2.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row |= {"predicted": "+", "example_signs": [each["sign"] for each in json.loads(row["example_details"])]}
    found = said(run("signs", write("task2.jsonl", "\n".join(map(json.dumps, rows))), "--json"))
    assert (found["n"], found["accuracy"]) == (199, 102 / 199)
    assert (found["mismatch_first"]["n"], found["mismatch_any"]["n"]) == (70, 76)


# --- calibration ------------------------------------------------------------------------------------------------


def test_calibration_has_its_keys_and_lists_what_is_left_out(write: Write) -> None:
    done = run("calibration", write("sure.jsonl", SURE), "--json")
    found = said(done)
    assert list(found) == ["ece", "per_gold", "per_predicted", "bins"]
    # Sure by 0.7 and right; by 0.4 of 0.5 and wrong.
    assert found["ece"] == pytest.approx((0.3 + 0.8) / 2)
    assert (found["per_gold"]["+"], found["per_gold"]["-"]) == (pytest.approx(0.3), 0.8)
    assert (found["per_gold"]["None"], found["per_gold"]["None_reason"]) == (None, "no true label is None")
    assert found["per_predicted"]["+"] == found["ece"]
    assert [each["n"] for each in found["bins"]] == [0, 0, 0, 0, 0, 0, 1, 1, 0, 0]
    assert found["bins"][7] == {"low": 0.7, "high": 0.8, "n": 1, "accuracy": 0.0, "confidence": 0.8}
    assert done.stderr.decode().splitlines() == [
        f"{write('sure.jsonl', SURE)}: without probabilities, so left out: line 3.",
        f"{write('sure.jsonl', SURE)}: rows in which an option is not given and counts 0: 1.",
    ]
    assert "(0.6, 0.7]  1     1.0000    0.7000\n" in run("calibration", "-", typed=SURE).stdout.decode()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"probabilities": {"up": 0.5}, "answer": "+"}', "line 1, probabilities: found 'up'; the options are +, -"),
        (
            '{"probabilities": {"+": 1.5}, "answer": "+"}',
            "line 1, probability of +: found '1.5'; expected a number from 0 to 1",
        ),
        ('{"probabilities": {"+": NaN}, "answer": "+"}', "line 1, probability of +: found 'NaN'"),
        ('{"probabilities": [0.5], "answer": "+"}', "expected an object of labels and probabilities"),
        ('{"probabilities": {"+": 0.5}, "answer": null}', "line 1, answer: found 'null'"),
    ],
)
def test_probabilities_that_cannot_be_taken_are_named(row: str, message: str) -> None:
    done = run("calibration", "-", "--json", typed=row)
    assert (done.returncode, done.stdout) == (1, b"")
    assert message in done.stderr.decode()


def test_without_any_probability_the_error_is_undefined() -> None:
    found = said(run("calibration", "-", "--json", typed='{"answer": "+"}'))
    assert (found["ece"], found["ece_reason"]) == (None, "no answer comes with probabilities")


# --- usage, and weight ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [("signs",), ("signs", "-", "-"), ("signs", "-", "--labels", "colours"), ("calibration",)],
    ids=" ".join,
)
def test_wrong_usage_is_told_with_status_two(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, typed=SIGNS)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Usage:" in done.stderr
