"""Verdicts on the overview: the reviewer's open sheet, and the number of free ones."""

from __future__ import annotations

from core.people import Permission
from core.words import counted
from services.acting import ReadContext
from services.overview_contributions import NextStep, OverviewPart, SubjectStatus
from services.queue.work import count_waiting
from services.verdicts.work_kind import SHEETS

WORDS = {
    "verdict.draw": "drew {items} verdict items of run {run} ({by})",
    "verdict.submit": "labelled a sheet of verdicts",
    "verdict.settings": "changed the settings of verdicts",
}
_OWN = "a step of one person's labels, which are blind until they are compared"
PRIVATE = {
    "verdict.take": _OWN,
    "verdict.resume": _OWN,
    "verdict.choose": "what someone opens to look at is their own affair until they rule",
    "verdict.label": _OWN,
    "verdict.compare": _OWN,
    "verdict.skip": _OWN,
    "verdict.counterpart": _OWN,
    "verdict.rule": "what was ruled is shown beside the verdict, with its reason",
    "verdict.look": "kept to know who labels blind; it tells what someone read",
}


def _status(r: ReadContext) -> SubjectStatus:
    if not r.viewer.may(Permission.VERDICT):
        return SubjectStatus({}, ())
    waits = count_waiting(r, SHEETS)
    steps = []
    if waits.unfinished:
        steps.append(NextStep("Continue the sheet of verdicts you started", "", "verdicts", {}))
    elif waits.free:
        steps.append(NextStep(f"Label {counted(waits.free, 'sheet')} of verdicts", "In your queue", "verdicts", {}))
    return SubjectStatus({"verdicts": steps}, ())


OVERVIEW = OverviewPart(WORDS, PRIVATE, now=_status)
