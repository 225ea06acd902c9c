"""What the scripts of the kit declare of posted acts is what Python gives and takes.

What every desk is given (`DeskStanding`) is a part of each desk's data, and compared with that.
"""

from __future__ import annotations

from components.desk.posting.acts import Act, read_acts
from tests.components.crossing import Sample, always_empty

ACT_ID = "0198c0de-0000-7000-8000-000000000001"
POSTED = {"acts": [{"id": ACT_ID, "seq": 1, "kind": "undo"}]}


def samples() -> list[Sample]:
    return [("desk.Outgoing", POSTED)]


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_posted_acts_are_read_as_they_are_declared() -> None:
    assert read_acts(POSTED) == (Act(ACT_ID, 1, "undo", {}),)
