"""Samples as rows: shares over models and repeats, and labels that the models' answers speak against."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.analysis.sample_lines import COLUMNS, sample_lines

LABELS = ("+", "-", "None", "mixed")
ACCURACIES = {"first": 0.85, "second": 0.75, "third": 0.65}


def answer(sample: str, model: str, predicted: str | None, true: Any = "+", **more: Any) -> dict[str, Any]:
    is_right = None if predicted is None else predicted == true
    usual = {"item": f"{sample}/{model}", "task": "task1", "variant": "context", "kind": "model", "status": "answered"}
    scores = {"right": is_right, "score.answer": None if is_right is None else float(is_right)}
    return {**usual, "sample": sample, "model": model, "true": true, "predicted": predicted, **scores, **more}


def test_a_line_counts_answers_of_models_over_runs_and_repeats_and_names_what_has_no_answer() -> None:
    rows = [
        answer("one", "first", "+", tokens_out=10, cost_usd=0.5, **{"prob.+": 0.9, "prob.-": 0.1}),
        answer("one", "first", "+", repeat=1, tokens_out=20, cost_usd=0.25, **{"prob.+": 0.6, "prob.-": 0.4}),
        answer("one", "second", "-"),
        answer("one", "third", None, status="unparsable", right=False, **{"score.answer": 0.0}),
        answer("one", "fourth", None, status="refused"),
        answer("one", "fifth", None, status="pending"),
        answer("one", "coin", "-", kind="baseline"),
        answer("two", "fifth", None, status="pending"),
    ]
    (line,) = sample_lines(pd.DataFrame(rows)).to_dict("records")
    assert (line["answers"], line["right"], line["unparsable"], line["refused"]) == (4, 0.5, 1, 1)
    assert (line["common"], line["agreement"]) == ("+", pytest.approx(2 / 3))
    assert (line["confidence"], line["tokens_out"], line["cost_usd"]) == (0.75, 15, 0.75)
    assert line["item"] == "one/first" and not line["is_failed"] and tuple(line) == tuple(COLUMNS)


def test_every_model_fails_if_two_answered_and_none_is_right_or_scores() -> None:
    rows = [answer("both", "first", "-"), answer("both", "second", "None"), answer("alone", "first", "-")]
    rows += [answer("once", "first", "-"), answer("once", "second", "+")]
    partly = {"first": 0.0, "second": 0.2}
    graph = {"true": None, "predicted": None, "right": None}
    rows += [answer("graph", name, None) | graph | {"score.answer": 0.0} for name in ("first", "second")]
    rows += [answer("partly", model, None) | graph | {"score.answer": score} for model, score in partly.items()]
    failed = sample_lines(pd.DataFrame(rows)).set_index("sample")["is_failed"]
    assert failed.to_dict() == {"both": True, "alone": False, "once": False, "graph": True, "partly": False}


@pytest.mark.parametrize("seed", range(3))
def test_of_thirty_wrong_labels_among_600_at_least_24_are_among_the_first_45(seed: int) -> None:
    frame, wrong = _planted(seed)
    lines = sample_lines(frame).sort_values("doubt", ascending=False, kind="stable")
    first = lines.head(45)
    assert len(wrong & set(first["sample"])) >= 24
    real = {row["sample"]: row["real"] for row in frame.to_dict("records")}
    doubtful = lines[lines["is_doubtful"]]
    right = sum(real[each] == label for each, label in zip(doubtful["sample"], doubtful["other"], strict=True))
    assert len(doubtful) < 80 and right >= 20


def test_a_label_that_no_model_gave_has_no_doubt_and_one_model_alone_makes_no_doubt() -> None:
    rows = [answer(f"s{n}", model, "+-"[n % 2], "+-"[n % 2]) for n in range(20) for model in ACCURACIES]
    rows += [answer("odd", "first", "-"), answer("odd", "second", "+"), answer("odd", "third", "+")]
    lines = sample_lines(pd.DataFrame(rows)).set_index("sample")
    assert lines.loc["s0", ["other", "doubt"]].isna().all() and lines.loc["odd", "other"] == "-"
    assert lines.loc["odd", "others"] == 1 and lines.loc["odd", "models"] == 3
    assert lines.loc["odd", "doubt"] < 0.5 and not lines["is_doubtful"].any()


def test_a_frame_without_answers_of_models_has_no_line() -> None:
    assert len(sample_lines(pd.DataFrame([answer("one", "coin", "+", kind="baseline")]))) == 0


def _planted(seed: int) -> tuple[pd.DataFrame, set[str]]:
    """600 samples, of which 30 have a wrong label, asked of three models."""
    rng = np.random.default_rng(seed)
    real = rng.choice(4, 600, p=(0.4, 0.3, 0.2, 0.1))
    wrong = rng.choice(600, 30, replace=False)
    labels = real.copy()
    labels[wrong] = (real[wrong] + rng.integers(1, 4, 30)) % 4
    rows = list[dict[str, Any]]()
    for model, accuracy in ACCURACIES.items():
        is_right = rng.random(600) < accuracy
        answers = np.where(is_right, real, (real + rng.integers(1, 4, 600)) % 4)
        rows += [
            answer(f"s{n}", model, LABELS[answers[n]], LABELS[labels[n]], real=LABELS[real[n]]) for n in range(600)
        ]
    return pd.DataFrame(rows), {f"s{n}" for n in wrong}
