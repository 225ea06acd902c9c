"""The data and reports of active time, as its script declares them and as Python gives and takes them."""

from __future__ import annotations

from components.activity import activity
from tests.components.crossing import Sample, always_empty, mounted

ACT_ID = "0198c0de-0000-7000-8000-000000000001"
REPORT = {"id": ACT_ID, "subject": "work", "seconds": 2.5, "attempt": 1}


def samples() -> list[Sample]:
    mount = mounted(activity, "_mount", place)
    return [("activity.ActivityData", mount.data), ("activity.ActivityState", mount.told(report=REPORT))]


def place() -> None:
    activity.activity(key="time", subject="work", answered=[ACT_ID], on_report=lambda: None)


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_a_report_is_read_as_it_is_declared() -> None:
    assert activity.read_report({"report": REPORT}) == activity.ActivityReport(ACT_ID, "work", 2.5)
