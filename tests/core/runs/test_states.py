"""How far a run is, in the words of its statuses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from core.runs.states import Blocker, ItemStatus, ended, format_blockers, progress_text


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
    assert progress_text(by_status) == words
    assert ended(by_status) == number


def test_since_when_is_said_by_the_readers_clock_and_with_the_day_where_it_is_another() -> None:
    since = datetime(2026, 3, 2, 23, 5, tzinfo=UTC)
    lost = [Blocker("lab", "the server h:4000 refuses connections", since), Blocker("b", "b is gone", since)]
    now = since + timedelta(minutes=90)  # 00:35 of the next day in UTC, 01:35 of the same day in Paris
    paris = timezone(timedelta(hours=1))
    assert format_blockers(lost, lambda at: at, now) == (
        "the server h:4000 refuses connections since 2 Mar, 23:05; b is gone since 2 Mar, 23:05"
    )
    assert format_blockers(lost[:1], lambda at: at.astimezone(paris), now).endswith(" since 00:05")
    assert format_blockers([], lambda at: at, now) == ""
