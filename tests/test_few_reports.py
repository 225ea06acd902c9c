"""What a worker tells of a test: once if it passed, as ever if it did not."""

from __future__ import annotations

from typing import Any

from tests.one_report_per_test import OneReport

Event = tuple[str, Any]


def told(*parts: tuple[str, str]) -> list[Event]:
    """What is sent of a test with these parts (when, outcome), of one second each."""
    sent: list[Event] = []

    def send(name: str, **given: Any) -> None:
        data = given.get("data")
        sent.append((name, (data["when"], data["outcome"], data["duration"]) if data else given))

    one = OneReport(send)
    one("logstart", nodeid="t", location=())
    for when, outcome in parts:
        one("testreport", data={"when": when, "outcome": outcome, "duration": 1.0, "sections": [("out", "x")]})
    one("logfinish", nodeid="t", location=())
    one("runtest_protocol_complete", item_index=0, duration=3.0)
    assert sent.pop() == ("runtest_protocol_complete", {"item_index": 0, "duration": 3.0})
    return sent


def test_a_test_that_passed_is_told_once_with_the_seconds_of_all_its_parts() -> None:
    assert told(("setup", "passed"), ("call", "passed"), ("teardown", "passed")) == [
        ("testreport", ("call", "passed", 3.0))
    ]


def test_whatever_went_wrong_is_told_in_its_part() -> None:
    assert told(("setup", "failed"), ("teardown", "passed")) == [("testreport", ("setup", "failed", 1.0))]
    assert told(("setup", "skipped"), ("teardown", "passed")) == [("testreport", ("setup", "skipped", 1.0))]
    assert told(("setup", "passed"), ("call", "failed"), ("teardown", "passed")) == [
        ("testreport", ("call", "failed", 1.0))
    ]
    assert told(("setup", "passed"), ("call", "passed"), ("teardown", "failed")) == [
        ("testreport", ("call", "passed", 2.0)),
        ("testreport", ("teardown", "failed", 1.0)),
    ]
    tried = (("setup", "passed"), ("call", "rerun"), ("setup", "passed"), ("call", "passed"), ("teardown", "passed"))
    assert told(*tried) == [("testreport", ("call", "rerun", 1.0)), ("testreport", ("call", "passed", 3.0))]
