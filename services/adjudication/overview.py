"""Overview of adjudication: figures that wait for a ruling, and unread rulings on the viewer's own work."""

from __future__ import annotations

from core.people import Permission
from core.words import counted
from services.acting import ReadContext
from services.adjudication import feedback, lists
from services.overview_contributions import FunnelStep, NextStep, OverviewPart, SubjectStatus
from store import assignments
from store.assignments import ADJUDICATION

WORDS = {
    "adjudication.begin": "started to adjudicate a figure",
    "adjudication.resume": "resumed an adjudication",
    "adjudication.take_over": "took over an adjudication",
    "adjudication.finish": "adjudicated a figure",
    "adjudication.reopen": "reopened an adjudication",
}
_UNFINISHED = "a step of a case that is not finished"
PRIVATE = {
    "adjudication.rule": _UNFINISHED,
    "adjudication.undo": _UNFINISHED,
    "adjudication.redo": _UNFINISHED,
    "adjudication.seen": "whether someone looked at their feedback is their own affair",
}


def _current(r: ReadContext) -> SubjectStatus:
    ruled = assignments.count_by_subject(r.session, ADJUDICATION, ("submitted",))
    page = "adjudicate" if r.viewer.may(Permission.ADJUDICATE) else ""
    steps = []
    fresh = feedback.count_new(r) if r.viewer.may(Permission.TRANSCRIBE) else 0
    if fresh:
        what = "1 of your transcriptions was" if fresh == 1 else f"{fresh} of your transcriptions were"
        steps.append(NextStep("Read feedback on your work", f"{what} adjudicated", "transcribe", {}))
    ready, started = lists.count_ready(r) if r.viewer.may(Permission.ADJUDICATE) else (0, 0)
    if started:
        steps.append(
            NextStep(f"Continue adjudicating {counted(started, 'figure')}", "Started by you", "adjudicate", {})
        )
    if ready:
        steps.append(NextStep(f"Adjudicate {counted(ready, 'figure')}", "Transcribed twice, blind", "adjudicate", {}))
    return SubjectStatus({"ruling": steps}, (FunnelStep("adjudicated", len(ruled), page, {}),))


OVERVIEW = OverviewPart(WORDS, PRIVATE, now=_current)
