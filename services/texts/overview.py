"""Texts on the overview: finished ground truths whose text is not ready, and stale texts."""

from __future__ import annotations

from core.people import Permission
from core.texts.states import TextState
from core.words import counted
from services.acting import ReadContext
from services.overview_contributions import FunnelStep, NextStep, OverviewPart, SubjectStatus
from services.texts.reading import is_stale
from services.texts.truth_hashes import truth_hashes
from store.papers import papers
from store.papers import texts as stored

WORDS = {
    "text.make": "made the text of a paper: {summary}",
    "text.take": "took a text from run {run}: {summary}",
    "text.take_beside": "took rounds or levels from run {run}: {summary}",
    "text.round": "added round {round} to a text",
    "text.ready": "made a text ready",
    "text.reopen": "took a ready text back",
    "text.accept_section": "accepted section {section} of a text: {reason}",
    "text.withdraw_section": "took the acceptance of section {section} of a text back",
    "text.confirm": "confirmed a text against the new ground truth ({difference})",
    "text.settings": "changed the settings of texts",
    "labelling.submit": "labelled the nodes of a text",
    "labelling.model": "took a model's levels of a text",
}
_STEP = "a step of a text that is not ready"
_OWN = "someone's own work until it is submitted"
PRIVATE = {
    "text.reject": _STEP,
    "text.restore": _STEP,
    "text.replace": _STEP,
    "text.undo": _STEP,
    "text.redo": _STEP,
    "text.end": _STEP,
    "labelling.take": _OWN,
    "labelling.resume": _OWN,
    "labelling.label": _OWN,
    "labelling.skip": _OWN,
    "level.look": "whether someone saw others' levels is told where these are compared",
}


def _status(r: ReadContext) -> SubjectStatus:
    last = stored.last_stages(r.session)
    ready = {key: each for key, each in last.items() if each.state == TextState.READY}
    now = truth_hashes(r, ready)
    files = papers.files_of_figures(r.session, ready)
    stale = sum(is_stale(each, now.get(key), files[key]) for key, each in ready.items())
    may_curate = r.viewer.may(Permission.CURATE)
    row = FunnelStep("text ready", len(ready) - stale, "papers" if may_curate else "", {})
    steps = []
    if may_curate and stale:
        what = f"Look again at {counted(stale, 'text')}"
        steps.append(NextStep(what, "The ground truth or the file has changed since", "papers", {}))
    if may_curate and (unready := len(last) - len(ready)):
        steps.append(NextStep(f"Make {counted(unready, 'text')} ready", "Made, and not ready yet", "papers", {}))
    return SubjectStatus({"curation": steps}, (row,))


OVERVIEW = OverviewPart(WORDS, PRIVATE, now=_status)
