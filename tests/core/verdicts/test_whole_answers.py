"""F1 by a judge and by people of answers that people labelled whole: by hand, and only of those."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.scoring.interval import Resampling
from core.verdicts.audit import AuditedItem
from core.verdicts.labels import Section
from core.verdicts.whole_answers import whole_answers
from tests.core.verdicts.test_audit import item


def answer(name: str, misses: int = 0, rater: str = "a") -> list[AuditedItem]:
    """Two items a section, all matches to the person; the judge misses so many of each."""
    return [
        AuditedItem(
            section=section,
            sample=name,
            key=f"{name}/{number}",
            rater=rater,
            judge=replace(item(section, number > misses), number=number),
            person=replace(item(section, True), number=number),
            answer=name,
        )
        for section in Section
        for number in (1, 2)
    ]


def sizes(*names: str) -> dict[tuple[str, Section], int]:
    return {(name, section): 2 for name in names for section in Section}


def test_of_an_answer_labelled_whole_f1_is_that_of_either_labels() -> None:
    # One of two items missed in every section: precision and recall 1/2, F1 1/2 against 1.
    found = whole_answers([*answer("x", 1), *answer("y")], sizes("x", "y"), Resampling(seed=1, draws=200))
    assert found.n == 2
    assert (found.judge.value, found.person.value) == pytest.approx((0.75, 1))
    assert found.bias.value == pytest.approx(-0.25)
    assert (found.bias.low, found.bias.high) == pytest.approx((-0.5, 0))


def test_an_answer_with_an_item_left_is_in_no_mean_and_two_raters_are_one() -> None:
    whole, part = answer("x", 1), answer("y")[1:]
    second = [replace(each, rater="b", person=replace(item(each.section, False), number=1)) for each in whole[:1]]
    found = whole_answers([*second, *whole, *part], sizes("x", "y"), None)
    assert (found.n, found.bias.value) == pytest.approx((1, -0.5))
    nothing = whole_answers(part, sizes("y"), None)
    assert (nothing.n, nothing.bias.value) == (0, None)
