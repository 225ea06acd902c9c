"""Counter, in the browser, of the seconds in which a person is active; reports them now and then. Draws nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from components.sources import script
from core.act_ids import is_uuid7
from core.errors import BadInput
from core.transcription.effort import IDLE_AFTER_S, REPORT_EVERY_S

LONGEST_S = 86_400.0

_mount = st.components.v2.component("edgewise_activity", html="<div hidden></div>", js=script("activity/activity.js"))


@dataclass(frozen=True, slots=True)
class ActivityReport:
    """Seconds of activity on `subject` since the last report. The same report may come again, under the same id."""

    id: str
    subject: str
    seconds: float


def activity(
    *,
    key: str,
    subject: str,
    answered: Sequence[str],
    on_report: Callable[[], None],
    idle_s: float = IDLE_AFTER_S,
    report_s: float = REPORT_EVERY_S,
) -> None:
    """Count activity anywhere on the page as time on `subject`; read a report in `on_report` with `read_report`. The
    time between two inputs counts up to `idle_s`; reports come every `report_s` and when the tab is hidden. `answered`:
    ids of reports that need not come again. Call it in a fragment of its own: a report reruns that alone."""
    data = {"subject": subject, "answered": list(answered), "idle_s": idle_s, "report_s": report_s}
    _mount(key=key, data=data, height="content", on_report_change=on_report)


def read_report(value: object) -> ActivityReport | None:
    """Return the component's state ({"report": …}) as a report, None before the first one.

    Raises BadInput for a value that Edgewise's script cannot have sent."""
    report = value.get("report") if isinstance(value, Mapping) else None
    if report is None:
        return None
    if not isinstance(report, Mapping):
        raise BadInput("A report of active time could not be read; nothing was counted.")
    report_id, subject, seconds = (report.get(name) for name in ("id", "subject", "seconds"))
    if not isinstance(report_id, str) or not is_uuid7(report_id) or not isinstance(subject, str):
        raise BadInput("A report of active time has no valid id; nothing was counted.")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= LONGEST_S:
        raise BadInput("A report of active time has no seconds; nothing was counted.")
    return ActivityReport(report_id, subject, float(seconds))
