"""Agreement of coders: alpha equals that of the krippendorff package, of whole sets and of each code."""

from __future__ import annotations

import random

import krippendorff
import pytest

from core.agreement.codes import CodedAnswer, code_agreement

CODES = ("a", "b", "c")


def test_alpha_of_sets_and_of_each_code_is_the_packages() -> None:
    draw = random.Random(3)
    coded = []
    for _ in range(60):
        one = {code for code in CODES if draw.random() < 0.4}
        other = one if draw.random() < 0.7 else {code for code in CODES if draw.random() < 0.4}
        coded.append(CodedAnswer(CODES, (sorted(one), sorted(other, reverse=True))))
    agreement = code_agreement(coded)
    sets = [["+".join(sorted(each.codings[coder])) or "none" for each in coded] for coder in (0, 1)]
    words = sorted({word for row in sets for word in row})
    as_numbers = [[words.index(word) for word in row] for row in sets]
    expected = krippendorff.alpha(as_numbers, level_of_measurement="nominal")
    assert agreement.alpha.value == pytest.approx(expected, abs=1e-12) and agreement.answers == 60
    for each in agreement.of_codes:
        by_coder = [[int(each.code in answer.codings[coder]) for answer in coded] for coder in (0, 1)]
        expected = krippendorff.alpha(by_coder, level_of_measurement="nominal")
        assert each.alpha.value == pytest.approx(expected, abs=1e-12)
        assert each.by_all == sum(map(min, zip(*by_coder, strict=True)))
        assert each.by_any == sum(map(max, zip(*by_coder, strict=True)))


def test_a_code_of_one_codebook_is_compared_over_its_answers_only() -> None:
    first = CodedAnswer(("a",), (["a"], ["a"]))
    second = CodedAnswer(("a", "b"), (["b"], []))
    agreement = code_agreement([first, first, second, second, second])
    assert [(each.code, each.answers, each.by_any, each.by_all) for each in agreement.of_codes] == [
        ("a", 5, 2, 2),
        ("b", 3, 3, 0),
    ]
    # observed 3 of 5 pairs differ in no "a": a is given by both or none, so alpha is 1; of 3 answers all differ in b
    assert agreement.of_codes[0].alpha.value == 1
    assert agreement.same.value == pytest.approx(2 / 5)


def test_a_code_that_nobody_gives_has_no_alpha_but_a_reason() -> None:
    agreement = code_agreement([CodedAnswer(("a",), ([], []))] * 4)
    assert agreement.of_codes[0].alpha.value is None and "chance agreement" in agreement.of_codes[0].alpha.reason
    assert code_agreement([]).alpha.reason == "there are no ratings"
