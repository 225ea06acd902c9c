"""Graphs from texts on the overview: the user's unfinished ones, free texts in the queue, and the counts."""

from __future__ import annotations

from core.people import Permission
from core.words import counted
from services.acting import ReadContext
from services.overview_contributions import FunnelStep, NextStep, OverviewPart, SubjectStatus
from services.queue.work import count_waiting
from services.readings.samples import counts, requested_samples
from services.readings.work_kind import TEXT_GRAPHS

PAGE = "readings"
WORDS = {"reading.submit": "built a graph from a text, run {run}"}
_OWN = "someone's own work until it is submitted"
_LOOK = "whether someone saw a sample's graph is asked where its text is taken"
PRIVATE = {
    "reading.take": _OWN,
    "reading.resume": _OWN,
    "reading.skip": _OWN,
    "sample.look": _LOOK,
    "table.look": _LOOK,
}


def _status(r: ReadContext) -> SubjectStatus:
    samples = requested_samples(r.session)
    if not samples:
        return SubjectStatus()
    may_build = r.viewer.may(Permission.TRANSCRIBE) or r.viewer.may(Permission.SCORE)
    submitted_by_sample, _at_it = counts(r)
    submitted = sum(submitted_by_sample[each.id] for each in samples)
    page = PAGE if may_build else ""
    row = FunnelStep("graphs built from texts", submitted, page, {}, is_stage=False)
    if not may_build:
        return SubjectStatus({"drawing": []}, (row,))
    waits, steps = count_waiting(r, TEXT_GRAPHS), list[NextStep]()
    if waits.unfinished:
        what = f"Continue {counted(waits.unfinished, 'graph')} from a text"
        steps.append(NextStep(what, "Taken, and not submitted yet", PAGE, {}))
    if waits.free:
        detail = f"{counted(waits.free, 'text')} in your queue"
        steps.append(NextStep("Build a graph from a text", detail, PAGE, {}))
    return SubjectStatus({"drawing": steps}, (row,))


OVERVIEW = OverviewPart(WORDS, PRIVATE, now=_status)
