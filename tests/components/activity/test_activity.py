"""Reports of active time come from a browser and may be forged: only what our script can have sent is read."""

from __future__ import annotations

from typing import Any

import pytest
from uuid_utils import uuid7

from components.activity.activity import ActivityReport, read_report
from core.errors import BadInput

REPORT = {"id": str(uuid7()), "subject": "task", "seconds": 19.5, "attempt": 1}


def test_a_report_is_read_and_none_is_none() -> None:
    assert read_report({"report": REPORT}) == ActivityReport(str(REPORT["id"]), "task", 19.5)
    assert read_report({"report": None}) is None
    assert read_report(None) is None


@pytest.mark.parametrize(
    "change",
    [
        {"id": "x"},
        {"id": None},
        {"subject": 3},
        {"seconds": "20"},
        {"seconds": True},
        {"seconds": -1},
        {"seconds": float("nan")},
        {"seconds": 1e9},
        {"seconds": None},
    ],
)
def test_what_our_script_cannot_have_sent_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="nothing was counted"):
        read_report({"report": {**REPORT, **change}})


def test_a_report_that_is_no_object_is_refused() -> None:
    with pytest.raises(BadInput, match="not be read"):
        read_report({"report": ["id"]})
