"""One triplet as its expert sees it: everything needed to score it, and no one else's scores.

Critics' scores are included only after the expert has submitted, and only if the study shows them. Colleagues' scores
never are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.people import Permission, Viewer
from core.sign import Sign
from core.triplets.forms import VERDICT, CriterionWords, FormOutcome, Rubric
from core.triplets.record import CriticScore
from core.triplets.venues import venue_name
from services.acting import consulting
from services.queue.work import get_own, own_state
from services.triplets.evidence import EvidenceView, located, source_of
from services.triplets.settings import settings_in
from services.triplets.work_kind import TRIPLETS
from store.tables import TripletPaperRow
from store.triplets import scores, triplets

LATER = "Critics' scores are shown after you submit."
NEVER = "This study does not show critics' scores to experts."
NONE = "No critic has scored this triplet."


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperOfTriplet:
    title: str
    author: str
    year: int | None
    venue: str  # as spelled in the file
    venue_name: str  # as counted
    domain: str
    jel_codes: str | None
    url: str
    paper_id: str | None  # if the study has the paper
    abstract: str = ""


@dataclass(frozen=True, slots=True)
class CriticView:
    """One critic's scores and reasons by criterion; `is_synthetic`: invented for a demonstration."""

    critic: str
    is_synthetic: bool
    scores: Mapping[str, int]
    reasons: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringView:
    assignment_id: str
    triplet_id: str
    rubric: Rubric
    state: str  # open, submitted, skipped or lapsed
    version: int
    is_editable: bool
    expires_at: datetime | None  # while it is open
    treatment: str
    outcome: str
    sign: Sign
    context: str
    methods: tuple[str, ...] | None  # None if the file does not say
    paper: PaperOfTriplet
    evidence: tuple[EvidenceView, ...]
    evidence_note: str
    criteria: tuple[CriterionWords, ...]
    scores: Mapping[str, int]
    verdict: FormOutcome  # follows from `scores`
    own_verdict: bool | None  # stated by the expert in addition
    comment: str
    reason: str
    critics: tuple[CriticView, ...]
    critics_note: str


def triplet(viewer: Viewer, assignment_id: str, *, with_evidence: bool = True) -> ScoringView:
    """Return the viewer's own work on a triplet. Raises Missing, or Refused for someone else's.

    Without `with_evidence`, its location is not looked up, which takes seconds when a paper is first opened.
    """
    with consulting(viewer, Permission.SCORE) as r:
        work = get_own(r, TRIPLETS, assignment_id)
        state = own_state(r, work)
        row, paper = triplets.triplet(r.session, work.subject_id)
        own_scores = dict(scores.scores_of(r.session, [work.id]).get(work.id, {}))
        is_shown = state == "submitted" and settings_in(r.session).shows_critics
        critic_scores = triplets.critic_scores(r.session, [row.id]).get(row.id, ()) if is_shown else ()
        note = "" if critic_scores else NONE if is_shown else LATER if settings_in(r.session).shows_critics else NEVER
        source = source_of(r, paper.paper_id)
    evidence, evidence_note = located(row.evidence if with_evidence else (), source)
    if not with_evidence:
        evidence = tuple(EvidenceView(text, None) for text in row.evidence)
    rubric = Rubric(work.kind)
    verdict = own_scores.pop(VERDICT, None)
    return ScoringView(
        assignment_id=work.id,
        triplet_id=row.id,
        rubric=rubric,
        state=state,
        version=work.version,
        is_editable=state == "open",
        expires_at=work.expires_at if state == "open" else None,
        treatment=row.treatment,
        outcome=row.outcome,
        sign=Sign(row.sign),
        context=row.context,
        methods=None if row.methods is None else tuple(row.methods),
        paper=paper_view(paper),
        evidence=evidence,
        evidence_note=evidence_note,
        criteria=rubric.criteria,
        scores=own_scores,
        verdict=rubric.verdict(own_scores),
        own_verdict=None if verdict is None else bool(verdict),
        comment=work.comment,
        reason=work.reason,
        critics=critic_views(critic_scores),
        critics_note=note,
    )


def paper_view(paper: TripletPaperRow) -> PaperOfTriplet:
    return PaperOfTriplet(
        title=paper.title,
        author=paper.author,
        year=paper.year,
        venue=paper.venue,
        venue_name=venue_name(paper.venue),
        domain=paper.domain,
        jel_codes=paper.jel_codes,
        url=paper.url,
        paper_id=paper.paper_id,
        abstract=paper.abstract,
    )


def critic_views(critic_scores: Sequence[CriticScore]) -> tuple[CriticView, ...]:
    names = dict.fromkeys(score.critic for score in critic_scores)
    by_critic = {name: [score for score in critic_scores if score.critic == name] for name in names}
    return tuple(
        CriticView(
            name,
            any(score.is_synthetic for score in of_critic),
            {score.criterion.value: score.score for score in of_critic},
            {score.criterion.value: score.reason for score in of_critic},
        )
        for name, of_critic in by_critic.items()
    )
