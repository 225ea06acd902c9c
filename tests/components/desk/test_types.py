"""What the scripts of the kit declare of active time and of posted acts is what Python gives and takes.

What every desk is given (`DeskStanding`) is a part of each desk's data, and compared with that.
"""

from __future__ import annotations

from components.desk import activity
from components.desk.outbox import Act, read_acts
from tests.components.crossing import Sample, always_empty, mounted

ACT_ID = "0198c0de-0000-7000-8000-000000000001"
POSTED = {"acts": [{"id": ACT_ID, "seq": 1, "kind": "undo"}]}
REPORT = {"id": ACT_ID, "subject": "work", "seconds": 2.5, "attempt": 1}


def samples() -> list[Sample]:
    given = mounted(activity, "_mount", place)
    return [
        ("desk.ActivityData", given.data),
        ("desk.ActivityState", given.told(report=REPORT)),
        ("desk.Outgoing", POSTED),
    ]


def place() -> None:
    activity.activity(key="time", subject="work", answered=[ACT_ID], on_report=lambda: None)


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_a_report_is_read_as_it_is_declared() -> None:
    assert activity.read_report({"report": REPORT}) == activity.ActivityReport(ACT_ID, "work", 2.5)


def test_posted_acts_are_read_as_they_are_declared() -> None:
    assert read_acts(POSTED) == (Act(ACT_ID, 1, "undo", {}),)
