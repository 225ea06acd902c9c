"""One triplet as its expert sees it: everything that is needed to score it, and nothing that anybody else scored.

Critics' scores are part of it only once the expert has handed in, and only if the study shows them then. Colleagues'
scores never are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.people import May, Viewer
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
    """`venue` as the file spells it, `venue_name` as it is counted; `paper_id`: the paper, if the study holds it."""

    title: str
    author: str
    year: int | None
    venue: str
    venue_name: str
    domain: str
    jel_codes: str | None
    url: str
    paper_id: str | None
    abstract: str = ""


@dataclass(frozen=True, slots=True)
class CriticView:
    """One critic's scores and reasons by criterion; `is_synthetic`: made up, for a demonstration."""

    critic: str
    is_synthetic: bool
    scores: Mapping[str, int]
    reasons: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringView:
    """Everything a screen draws. `state`: open, submitted, skipped or lapsed, as it is at this moment; `expires_at`:
    while it is open. `methods` is None where the file does not say. `verdict` follows from `scores`; `own_verdict` is
    what the expert says beside it."""

    assignment_id: str
    triplet_id: str
    rubric: Rubric
    state: str
    version: int
    is_editable: bool
    expires_at: datetime | None
    treatment: str
    outcome: str
    sign: Sign
    context: str
    methods: tuple[str, ...] | None
    paper: PaperOfTriplet
    evidence: tuple[EvidenceView, ...]
    evidence_note: str
    criteria: tuple[CriterionWords, ...]
    scores: Mapping[str, int]
    verdict: FormOutcome
    own_verdict: bool | None
    comment: str
    reason: str
    critics: tuple[CriticView, ...]
    critics_note: str


def triplet(viewer: Viewer, assignment_id: str, *, with_evidence: bool = True) -> ScoringView:
    """One's own piece of scoring. Without `with_evidence` its places in the paper are not looked up, which takes
    seconds the first time a paper is opened.

    Raises Missing, or Refused for somebody else's.
    """
    with consulting(viewer, May.SCORE) as r:
        work = get_own(r, TRIPLETS, assignment_id)
        state = own_state(r, work)
        row, paper = triplets.triplet(r.session, work.subject_id)
        given = dict(scores.scores_of(r.session, [work.id]).get(work.id, {}))
        is_shown = state == "submitted" and settings_in(r.session).shows_critics
        said = triplets.critic_scores(r.session, [row.id]).get(row.id, ()) if is_shown else ()
        note = "" if said else NONE if is_shown else LATER if settings_in(r.session).shows_critics else NEVER
        source = source_of(r, paper.paper_id)
    evidence, evidence_note = located(row.evidence if with_evidence else (), source)
    if not with_evidence:
        evidence = tuple(EvidenceView(text, None) for text in row.evidence)
    rubric = Rubric(work.kind)
    verdict = given.pop(VERDICT, None)
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
        scores=given,
        verdict=rubric.verdict(given),
        own_verdict=None if verdict is None else bool(verdict),
        comment=work.comment,
        reason=work.reason,
        critics=critic_views(said),
        critics_note=note,
    )


def paper_view(paper: TripletPaperRow) -> PaperOfTriplet:
    """A paper of triplets as screens show it."""
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


def critic_views(said: Sequence[CriticScore]) -> tuple[CriticView, ...]:
    """One critic after the other, by name."""
    names = dict.fromkeys(score.critic for score in said)
    theirs = {name: [score for score in said if score.critic == name] for name in names}
    return tuple(
        CriticView(
            name,
            any(score.is_synthetic for score in those),
            {score.criterion.value: score.score for score in those},
            {score.criterion.value: score.reason for score in those},
        )
        for name, those in theirs.items()
    )
