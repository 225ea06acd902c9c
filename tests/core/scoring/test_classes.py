"""Sign metrics beside scikit-learn's and beside a second reading of the released code; laws; intervals over papers."""

from __future__ import annotations

import random
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

from core.errors import BadInput
from core.labels import DIRECTION, LABEL_SETS, SIGN, SIGN_OR_UNKNOWN, TRUTH, YES_NO, LabelSet
from core.scoring.classes import FAILED, UNPARSABLE, Row, score_classes
from core.scoring.interval import Resampling, drawn_units
from core.scoring.released import as_released
from tests.everything import EVERYTHING

STRANGE = ("rises", "", "+/-", "n/a", 3, ["+"], "maybe")
SPELLED = {"+": ("+", " Positive"), "-": ("-", "−", "NEGATIVE"), "None": ("None", "null", "No effect")}


def random_rows(seed: str, labels: LabelSet, n: int) -> list[Row]:
    """Right in about half of the cases; some unparsable, some failed, and in one case of three a label never occurs."""
    chance = random.Random(seed)
    classes = labels.classes[: len(labels.classes) - (chance.random() < 1 / 3)]
    rows = []
    for _ in range(n):
        answer = chance.choice(classes)
        label = chance.choice([answer, chance.choice(classes)])
        spelled = SPELLED.get(label, (label,)) if labels is SIGN else (label, label.upper())
        said: object = chance.choice(spelled)
        if (luck := chance.random()) < 0.2:
            said = None if luck < 0.08 else chance.choice(STRANGE)
        rows.append(Row(answer, said, paper=chance.randrange(max(1, n // 3))))
    return rows


@pytest.mark.parametrize("labels", LABEL_SETS.values(), ids=lambda labels: labels.name)
def test_random_answers_score_as_with_scikit_learn(labels: LabelSet) -> None:
    for case in range(120 if EVERYTHING else 20):
        rows = random_rows(f"{labels.name}{case}", labels, case * 7 % 40)
        answered = [row for row in rows if row.predicted is not None]
        found = score_classes(rows, labels)
        assert (found.n, found.failed) == (len(rows), len(rows) - len(answered))
        assert sum(sum(row.values()) for row in found.confusion.values()) == len(rows)
        if not answered:
            assert found.accuracy.value is found.macro_f1.value is None
            continue
        truth = [row.answer for row in answered]
        said = [labels.parse(row.predicted) or UNPARSABLE for row in answered]
        # zero_division=0 is scikit-learn's word for our convention that an absent class counts 0.
        expected = f1_score(truth, said, labels=labels.classes, average="macro", zero_division=0)
        assert found.macro_f1.value == pytest.approx(expected, abs=1e-12)
        assert found.accuracy.value == pytest.approx(accuracy_score(truth, said), abs=1e-12)
        assert found.accuracy.n == len(answered)
        assert found.unparsable == said.count(UNPARSABLE)
        theirs = precision_recall_fscore_support(truth, said, labels=labels.classes, zero_division=np.nan)
        for each, *figures in zip(found.per_class, *theirs, strict=True):
            ours = (each.precision.value, each.recall.value, each.f1.value, each.expected)
            assert [np.nan if one is None else one for one in ours] == pytest.approx(figures, abs=1e-12, nan_ok=True)


def released_slowly(rows: list[Row]) -> tuple[float, float]:
    """The released metrics again, written from what they do: rows first, then one loop a class."""
    read = {"positive": "+", "negative": "-", "none": "None", "null": "None", "no effect": "None", "mixed": "mixed"}
    pairs: list[tuple[str, str | None]] = []
    for row in rows:
        said = row.predicted.strip() if isinstance(row.predicted, str) else None
        pairs.append((row.answer, None if said is None else read.get(said.lower(), said)))
    table: dict[str, dict[str, int]] = defaultdict(lambda: {"tp": 0, "fp": 0, "fn": 0})
    for answer, prediction in pairs:
        if prediction == answer:
            table[answer]["tp"] += 1
            continue
        table[answer]["fn"] += 1
        if prediction is not None:
            table[prediction]["fp"] += 1
    f1s = []
    for _, counts in sorted(table.items()):  # as there: the order of a sum shows in its last digit
        precision = counts["tp"] / max(1, counts["tp"] + counts["fp"])
        recall = counts["tp"] / max(1, counts["tp"] + counts["fn"])
        f1s.append(round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0)
    right = sum(answer == prediction for answer, prediction in pairs)
    return round(right / len(pairs), 4), round(sum(f1s) / len(f1s), 4)


def test_random_answers_score_as_the_released_code_would() -> None:
    differ = 0
    for case in (cases := range(150 if EVERYTHING else 20)):
        rows = random_rows(f"released {case}", SIGN, 1 + case * 7 % 60)
        found = as_released(rows, SIGN)
        accuracy, macro_f1 = released_slowly(rows)
        assert found.accuracy.value == accuracy
        assert found.macro_f1.value == macro_f1
        differ += abs(macro_f1 - (score_classes(rows, SIGN).macro_f1.value or 0)) > 0.01
    assert differ > len(cases) / 3


def test_every_strange_string_lowers_the_released_f1_and_none_becomes_a_class_of_ours() -> None:
    rows = [Row(sign, sign) for sign in SIGN.classes for _ in range(10)]
    strange = [Row("+", f"answer {n}") for n in range(4)]
    ours, theirs = score_classes([*rows, *strange], SIGN), as_released([*rows, *strange], SIGN)
    # Ours: F1 of + is 20 / 24, the others 1. Theirs: the same four, rounded, and four classes with 0.
    assert ours.macro_f1.value == pytest.approx((20 / 24 + 3) / 4)
    assert theirs.macro_f1.value == round((0.8333 + 3) / 8, 4)
    assert [each.label for each in ours.per_class] == list(SIGN.classes)
    assert ours.confusion["+"] == {"+": 10, "-": 0, "None": 0, "mixed": 0, UNPARSABLE: 4, FAILED: 0}
    # The Unicode minus is a sign here and a strange string there; a failure is no answer here and a wrong one there.
    rows = [Row("-", "−"), Row("-", "-"), Row("+", None)]
    assert (score_classes(rows, SIGN).accuracy.value, as_released(rows, SIGN).accuracy.value) == (1.0, 0.3333)


def test_the_released_figures_are_of_signs_only() -> None:
    for labels in (DIRECTION, TRUTH, YES_NO):
        assert as_released([Row(labels.classes[0], "x")], labels).macro_f1.value is None
    assert as_released([], SIGN).accuracy.value is None
    unknown = [Row("+", " UNKNOWN "), Row("+", "unknown"), Row("+", "+")]
    # As an option the two are one class, else two.
    assert as_released(unknown, SIGN_OR_UNKNOWN).macro_f1.value == round((0.5) / 2, 4)
    assert as_released(unknown, SIGN).macro_f1.value == round((0.5) / 3, 4)


def test_an_unknown_is_wrong_and_shown_by_itself() -> None:
    found = score_classes([Row("+", "unknown"), Row("+", "+")], SIGN_OR_UNKNOWN)
    assert (found.accuracy.value, found.unparsable, found.confusion["+"]["unknown"]) == (0.5, 0, 1)
    assert score_classes([Row("+", "unknown")], SIGN).unparsable == 1


@pytest.mark.parametrize("right", range(11))
def test_questions_that_are_all_true_have_the_macro_f1_that_follows_from_accuracy(right: int) -> None:
    rows = [Row("True", "true" if n < right else "no") for n in range(10)]
    found = score_classes(rows, TRUTH)
    accuracy = right / 10
    assert found.accuracy.value == accuracy
    assert found.macro_f1.value == pytest.approx(accuracy / (1 + accuracy))
    assert bool(found.macro_f1.reason) is (right == 10)  # then nobody said false either


def test_perfect_reversed_and_empty() -> None:
    perfect = score_classes([Row(sign, sign) for sign in SIGN.classes], SIGN)
    assert (perfect.accuracy.value, perfect.macro_f1.value, perfect.macro_f1.reason) == (1, 1, "")
    wrong = score_classes([Row("+", "-"), Row("-", "+")], SIGN)
    assert (wrong.accuracy.value, wrong.macro_f1.value) == (0, 0)
    assert wrong.macro_f1.reason == "None, mixed neither expected nor predicted, counted 0"
    assert score_classes([], SIGN).accuracy.reason == "there are no rows"
    assert score_classes([Row("+", None)], SIGN).macro_f1.reason == "every request failed"


@pytest.mark.parametrize("answer", ["positive", "none", "", "unknown"])
def test_a_true_answer_outside_the_classes_is_refused(answer: str) -> None:
    with pytest.raises(BadInput, match=f"Row 2: the answer “{answer}”"):
        score_classes([Row("+", "+"), Row(answer, "+")], SIGN_OR_UNKNOWN)


SAID = st.one_of(st.none(), st.sampled_from(["+", "−", "null", "mixed", "sideways", "?"]))
ROWS = st.lists(st.builds(Row, st.sampled_from(SIGN.classes), SAID), min_size=1, max_size=15)


@given(ROWS, st.randoms(use_true_random=False))
def test_order_and_failures_change_no_score_and_a_strange_answer_never_helps(rows: list[Row], chance: object) -> None:
    found = score_classes(rows, SIGN)
    shuffled = random.Random(str(chance)).sample(rows, len(rows))
    again = score_classes([*shuffled, Row("mixed", None)], SIGN)
    assert (again.accuracy.value, again.macro_f1.value) == (found.accuracy.value, found.macro_f1.value)
    assert (again.n, again.failed) == (found.n + 1, found.failed + 1)
    strange = score_classes([*rows, Row("+", "sideways")], SIGN)
    assert strange.unparsable == found.unparsable + 1
    if found.accuracy.value is not None and found.macro_f1.value is not None:
        assert strange.accuracy.value is not None
        assert strange.accuracy.value <= found.accuracy.value
        assert strange.macro_f1.value is not None
        assert strange.macro_f1.value <= found.macro_f1.value


def test_intervals_come_from_drawing_whole_papers() -> None:
    rows = random_rows("interval", SIGN, 60)
    how = Resampling(seed=7, draws=60)
    found = score_classes(rows, SIGN, how)
    answered = [row for row in rows if row.predicted is not None]
    papers = list(dict.fromkeys(row.paper for row in answered))
    accuracies, macros = [], []
    for draw in np.concatenate(list(drawn_units(len(papers), how))):
        drawn = score_classes([row for place in draw for row in answered if row.paper == papers[place]], SIGN)
        accuracies.append(drawn.accuracy.value)
        macros.append(drawn.macro_f1.value)
    for estimate, values in ((found.accuracy, accuracies), (found.macro_f1, macros)):
        low, high = np.quantile(np.array(values, dtype=float), [0.025, 0.975])
        assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=1e-12)
    plain = score_classes(rows, SIGN)
    assert (plain.accuracy.low, plain.accuracy.value) == (None, found.accuracy.value)


def test_rows_without_a_paper_are_drawn_alone() -> None:
    rows = [Row("+", "+" if n % 2 else "-") for n in range(30)]
    found = score_classes(rows, SIGN, Resampling(seed=1))
    assert found.accuracy.low is not None
    assert found.accuracy.high is not None
    assert 0.2 < found.accuracy.low < 0.5 < found.accuracy.high < 0.8
    one = score_classes([Row("+", "+", paper="w1"), Row("+", "-", paper="w1")], SIGN, Resampling(seed=1))
    assert one.accuracy.low is None
    assert "one paper" in one.accuracy.reason
