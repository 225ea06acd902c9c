"""Mismatching examples and answers without a model, by hand and on EconCausal's real task files."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.labels import SIGN, TRUTH
from core.scoring.baselines import Baseline, answered_by
from core.scoring.classes import Row, score_classes
from core.scoring.interval import Resampling, drawn_units
from core.scoring.mismatch import MismatchKind, is_mismatch, mismatch

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "econcausal"


@cache
def task(name: str) -> tuple[Row, ...]:
    if not DATA.exists():
        pytest.skip(f"the task files are not at {DATA}")
    with (DATA / f"{name}.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return tuple(
        Row(row["answer"], None, tuple(each["sign"] for each in json.loads(row["example_details"])), row["paper_id"])
        for row in rows
    )


def right(rows: tuple[Row, ...]) -> tuple[int, int]:
    found = score_classes(rows, SIGN)
    assert found.accuracy.value is not None
    return round(found.accuracy.value * found.n), found.n


def test_the_baselines_on_the_real_tasks() -> None:
    second, third = task("task2"), task("task3")
    assert right(answered_by(Baseline.ALWAYS_FIRST, second, SIGN)) == (102, 199)
    assert right(answered_by(Baseline.MAJORITY, second, SIGN)) == (102, 199)
    assert right(answered_by(Baseline.COPY_EXAMPLES, second, SIGN)) == (132, 199)
    assert right(answered_by(Baseline.NOT_SHOWN, third, SIGN)) == (384, 597)
    assert right(answered_by(Baseline.COPY_EXAMPLES, third, SIGN)) == (0, 597)


def test_mismatches_on_the_real_tasks() -> None:
    copied = answered_by(Baseline.COPY_EXAMPLES, task("task2"), SIGN)
    first, some = mismatch(copied, SIGN, MismatchKind.FIRST), mismatch(copied, SIGN, MismatchKind.ANY)
    assert (first.n, some.n, first.with_examples) == (70, 76, 199)
    # Whoever copies is right in 132 of 199, and almost never where the example misleads.
    assert first.drop.value == pytest.approx(100 * (132 / 199 - (first.accuracy.value or 0)))
    assert (first.accuracy.value or 0) < 0.1
    assert mismatch(task("task3"), SIGN, MismatchKind.FIRST).n == 597


def test_a_model_that_answers_nothing_has_no_accuracy_on_the_real_task() -> None:
    found = mismatch(task("task2"), SIGN, MismatchKind.ANY)
    assert (found.n, found.accuracy.value, found.drop.value) == (76, None, None)
    assert found.accuracy.reason == "every request failed"


def test_first_and_any_example() -> None:
    row = Row("+", "+", ("+", "-"))
    assert (is_mismatch(row, MismatchKind.FIRST), is_mismatch(row, MismatchKind.ANY)) == (False, True)
    assert not is_mismatch(Row("+", "+"), MismatchKind.ANY)
    rows = [row, Row("-", "+", ("+",)), Row("None", "None", ("None",)), Row("mixed", None, ("+",)), Row("+", "+")]
    first, some = mismatch(rows, SIGN, MismatchKind.FIRST), mismatch(rows, SIGN, MismatchKind.ANY)
    # First: rows 2 (wrong) and 4 (failed); any: row 1 (right) too. Overall 3 of 4 answered are right.
    assert (first.n, first.accuracy.value, first.accuracy.n, first.drop.value) == (2, 0.0, 1, 75.0)
    assert (some.n, some.accuracy.value, some.drop.value, some.with_examples) == (3, 0.5, 25.0, 4)


def test_without_examples_or_without_a_contradiction_there_is_no_accuracy() -> None:
    assert mismatch([Row("+", "+")], SIGN, MismatchKind.ANY).accuracy.reason == "no sample shows examples"
    found = mismatch([Row("+", "+", ("+",))], SIGN, MismatchKind.ANY)
    assert (found.n, found.drop.reason) == (0, "no example shows a sign that differs from the true one")


def test_an_example_outside_the_labels_is_refused() -> None:
    with pytest.raises(BadInput, match=r"Row 1: .* “positive”"):
        mismatch([Row("+", "+", ("positive",))], SIGN, MismatchKind.ANY)


def test_the_interval_of_the_drop_is_paired() -> None:
    rows = [
        Row(sign, said, (shown,), n % 12)
        for n, (sign, said, shown) in enumerate(
            [("+", "+", "+"), ("+", "-", "-"), ("-", "-", "+"), ("-", "+", "+")] * 9
        )
    ]
    how = Resampling(seed=3, draws=80)
    found = mismatch(rows, SIGN, MismatchKind.FIRST, how)
    papers = list(dict.fromkeys(row.paper for row in rows))
    drops = []
    for draw in np.concatenate(list(drawn_units(len(papers), how))):
        drawn = [row for place in draw for row in rows if row.paper == papers[place]]
        drops.append(mismatch(drawn, SIGN, MismatchKind.FIRST).drop.value)
    assert None not in drops
    low, high = np.quantile(np.array(drops, dtype=float), [0.025, 0.975])
    assert (found.drop.low, found.drop.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("signs", "copied", "not_shown"),
    [
        (("-", "None", "-"), "-", "+"),
        (("None", "-"), "-", "+"),  # a tie, in the order +, −, None, mixed
        (("mixed", "None", "-", "+"), "+", None),
        (("+", "-", "None"), "+", "mixed"),
        (("mixed",), "mixed", "+"),
        ((), None, None),
    ],
)
def test_copying_and_the_sign_not_shown(signs: tuple[str, ...], copied: str | None, not_shown: str | None) -> None:
    rows = [Row("+", "None", signs)]
    assert answered_by(Baseline.COPY_EXAMPLES, rows, SIGN)[0].predicted == copied
    assert answered_by(Baseline.NOT_SHOWN, rows, SIGN)[0].predicted == not_shown


def test_the_majority_is_of_the_rows_at_hand() -> None:
    rows = [Row("None", "+"), Row("-", "+"), Row("None", "+"), Row("-", "+"), Row("mixed", "+")]
    assert {row.predicted for row in answered_by(Baseline.MAJORITY, rows, SIGN)} == {"-"}
    assert answered_by(Baseline.MAJORITY, [], SIGN) == ()
    assert answered_by(Baseline.ALWAYS_FIRST, [Row("False", None)], TRUTH)[0].predicted == "True"


ROWS = st.lists(
    st.builds(
        Row, st.sampled_from(SIGN.classes), st.none(), st.lists(st.sampled_from(SIGN.classes), max_size=5).map(tuple)
    ),
    max_size=12,
)


@given(ROWS)
def test_baselines_as_slowly_counted(rows: list[Row]) -> None:
    for row, copied, hidden in zip(
        rows, answered_by(Baseline.COPY_EXAMPLES, rows, SIGN), answered_by(Baseline.NOT_SHOWN, rows, SIGN), strict=True
    ):
        counts = Counter(row.example_signs)
        best = [sign for sign in SIGN.classes if counts and counts[sign] == max(counts.values())]
        assert copied.predicted == (best[0] if best else None)
        unseen = [sign for sign in SIGN.classes if sign not in row.example_signs]
        assert hidden.predicted == (unseen[0] if unseen and row.example_signs else None)
        assert (copied.answer, hidden.example_signs) == (row.answer, row.example_signs)
    most = answered_by(Baseline.MAJORITY, rows, SIGN)
    counts = Counter(row.answer for row in rows)
    assert all(counts[str(row.predicted)] == max(counts.values()) for row in most)
