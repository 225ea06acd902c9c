"""Numbers of kinds are computed once for a frame and taken by its cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.analysis.items import ASKED_AGAIN, ResultItem
from core.analysis.kinds import Kinds


def answer(**more: Any) -> ResultItem:
    return ResultItem(
        **{"run": "r", "model": "m", "task": "t", "variant": "", "status": "answered", "answer": None} | more
    )


def test_a_measure_of_some_kinds_is_that_of_the_whole_frame_at_their_places() -> None:
    every = Kinds(
        [answer(model=f"m{number}", measures={"f1": number / 10} if number % 2 else {}) for number in range(6)]
    )
    some = every.taken(np.array([1, 4, 5]))
    assert np.array_equal(some.taken(np.array([0, 2])).measure("f1"), [0.1, 0.5])
    assert np.array_equal(np.isnan(some.measure("f1")), [False, True, False])
    assert [each.model for each in some] == ["m1", "m4", "m5"]


def test_a_number_is_computed_once_for_all_that_is_taken() -> None:
    asked_of = list[ResultItem]()

    def number(one: ResultItem) -> float:
        asked_of.append(one)
        return len(asked_of)

    every = Kinds([answer() for _ in range(4)])
    assert every.taken(np.array([2, 3])).numbers("turn", number).tolist() == [3, 4]
    assert every.taken(np.array([0])).numbers("turn", number).tolist() == [1]
    assert len(asked_of) == 4


def test_outcomes_are_those_of_the_frame_whichever_kinds_are_taken_first() -> None:
    failed, again = answer(status="failed"), answer(flags=(ASKED_AGAIN,))
    every = Kinds([answer(), failed, again, failed])
    outcomes, which = every.taken(np.array([3, 2])).outcomes()
    assert [outcomes[number].status for number in which] == ["failed", "answered"]
    assert [outcomes[number].is_asked_again for number in every.outcomes()[1]] == [False, False, True, False]
    assert len(outcomes) == 3
