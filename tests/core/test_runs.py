"""How far a run is, in the words of its statuses."""

from __future__ import annotations

import pytest

from core.runs import ItemStatus, ended, standing


@pytest.mark.parametrize(
    ("counts", "words", "number"),
    [
        ({}, "0 of 0 answered", 0),
        ({"answered": 1800}, "1,800 of 1,800 answered", 1800),
        ({"answered": 1294, "failed": 506}, "1,294 of 1,800 answered, 506 failed", 1294),
        ({"pending": 8}, "0 of 8 answered, 8 pending", 0),
        (
            {"pending": 1, "answered": 2, "unparsable": 3, "truncated": 4, "refused": 5, "excluded": 6, "failed": 7},
            "2 of 28 answered, 3 unparsable, 4 truncated, 5 refused, 6 excluded, 7 failed, 1 pending",
            20,
        ),
    ],
)
def test_every_status_is_said_and_they_add_up(counts: dict[str, int], words: str, number: int) -> None:
    by_status = {ItemStatus(status): count for status, count in counts.items()}
    assert standing(by_status) == words
    assert ended(by_status) == number
