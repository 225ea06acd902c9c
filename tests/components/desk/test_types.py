"""What the scripts of the kit declare of active time is what Python gives and takes.

What every desk is given (`DeskStanding`) is a part of each desk's data, and compared with that.
"""

from __future__ import annotations

from typing import Any

import pytest

from components.desk import activity
from tests.components.declared import unlike

ACT_ID = "0198c0de-0000-7000-8000-000000000001"


def test_active_time_is_given_and_read_as_it_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []
    monkeypatch.setattr(activity, "_mount", lambda *, data, **_: given.append(data))
    activity.activity(key="time", subject="work", answered=[ACT_ID], on_report=lambda: None)
    state = {"report": {"id": ACT_ID, "subject": "work", "seconds": 2.5, "attempt": 1}}
    assert unlike("desk", "ActivityData", *given) == []
    assert unlike("desk", "ActivityState", state) == []
    assert activity.read_report(state) == activity.ActivityReport(ACT_ID, "work", 2.5)
