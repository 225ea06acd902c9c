"""Codes of failures on the overview: the viewer's open list, and the number of free ones."""

from __future__ import annotations

from core.people import Permission
from core.words import counted
from services.acting import ReadContext
from services.failures.work_kind import LISTS
from services.overview_contributions import NextStep, OverviewPart, SubjectStatus
from services.queue.work import count_waiting

WORDS = {
    "codebook.write": "saved a new version of the codebook",
    "coding.draw": "drew a list of {answers} failures of run {run} to code",
    "coding.withdraw": "withdrew a list of failures",
    "coding.submit": "coded a list of failures",
    "coding.proposals": "set whether models propose codes of failures",
    "answer.settle": "settled the codes of an answer",
}
_OWN = "a step of one person's codes, which are blind until all have submitted"
PRIVATE = {
    "coding.take": _OWN,
    "coding.resume": _OWN,
    "coding.skip": _OWN,
    "answer.code": _OWN,
    "answer.accept_code": _OWN,
    "answer.reject_code": _OWN,
}


def _status(r: ReadContext) -> SubjectStatus:
    if not r.viewer.may(Permission.REVIEW):
        return SubjectStatus({}, ())
    waits, link = count_waiting(r, LISTS), {"show": "codes"}
    steps = []
    if waits.unfinished:
        steps.append(NextStep("Continue the list of failures you started to code", "", "failures", link))
    elif waits.free:
        steps.append(NextStep(f"Code {counted(waits.free, 'list')} of failures", "In your queue", "failures", link))
    return SubjectStatus({"codes": steps}, ())


OVERVIEW = OverviewPart(WORDS, PRIVATE, now=_status)
