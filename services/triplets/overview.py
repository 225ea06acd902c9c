"""Overview of triplets: the one someone started to score, what expired, and how many wait."""

from __future__ import annotations

from core.people import Permission, Role
from core.transcription.queue import QueueCounts
from core.words import counted
from services.acting import ReadContext
from services.overview_contributions import FunnelStep, NextStep, OverviewPart, SubjectStatus
from services.queue.work import count_waiting
from services.triplets.work_kind import TRIPLETS
from store.papers import papers
from store.triplets import triplets

WORDS = {
    "triplets.collect": "collected triplets of a model run",
    "triplets.import": "imported triplets",
    "triplets.licence": "set the licence of triplets",
    "triplets.link": "matched triplets with papers",
    "triplets.archive": "archived triplets",
    "triplets.restore": "restored triplets",
    "corpus.import": "imported abstracts",
    "corpus.archive": "archived a corpus of abstracts",
    "corpus.restore": "restored a corpus of abstracts",
    "scoring.submit": "scored a triplet",
    "scoring.settings": "changed the scoring settings",
}
_UNFINISHED = "a step of one person's scores, which are blind until they are submitted"
_EXPOSURE = "kept to know who works blind; it tells what someone read"
PRIVATE = {
    "scoring.take": _UNFINISHED,
    "scoring.resume": _UNFINISHED,
    "scoring.score": _UNFINISHED,
    "scoring.comment": _UNFINISHED,
    "scoring.skip": _UNFINISHED,
    "scoring.expertise": "what someone calls their own fields is their own affair",
    "triplet.look": _EXPOSURE,
    "collection.look": _EXPOSURE,
}
TRIPLET_FILES = "EconCausal's task files, or triplets of your own, as JSON lines, CSV or Parquet"


def _current(r: ReadContext) -> SubjectStatus:
    waits = count_waiting(r, TRIPLETS) if r.viewer.may(Permission.SCORE) else None

    funnel: tuple[FunnelStep, ...] = ()
    if waits and Role.EXPERT in r.viewer.roles:
        funnel = (
            FunnelStep("waiting for you", waits.free, "triplets", {}, is_stage=False),
            FunnelStep("started by you", waits.unfinished, "triplets", {}, is_stage=False),
            FunnelStep("scored by you", waits.submitted, "triplets", {"which": "submitted"}, is_stage=False),
        )
    return SubjectStatus(
        {"first triplets": _first_steps(r), "scoring": _scoring_steps(waits) if waits else []},
        funnel,
    )


def _first_steps(r: ReadContext) -> list[NextStep]:
    if not (r.viewer.may(Permission.CURATE) and r.viewer.may(Permission.RUN)):
        return []
    if papers.has_any(r.session) or triplets.collections(r.session):
        return []
    return [NextStep("Import triplets to ask models about", TRIPLET_FILES, "exchange", {})]


def _scoring_steps(waits: QueueCounts) -> list[NextStep]:
    own = f"{waits.preferred:,} of your own fields come first" if waits.preferred else ""
    if waits.unfinished:
        return [NextStep("Continue scoring the triplet you started", own, "triplets", {})]
    steps = (
        [NextStep(f"Score {counted(waits.free, 'triplet')}", own or "In your queue", "triplets", {})]
        if waits.free
        else []
    )
    if waits.expired:
        expired = f"Resume {counted(waits.expired, 'expired triplet')}"
        steps.append(NextStep(expired, "What you scored is kept", "triplets", {"which": "lapsed"}))
    return steps


OVERVIEW = OverviewPart(WORDS, PRIVATE, now=_current)
