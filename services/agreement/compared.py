"""One triplet with all of its scores, for reviewers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import Refused
from core.people import Permission, Viewer
from core.triplets.forms import VERDICT, FormOutcome, Rubric
from core.triplets.rubric import Boundary
from services.acting import consulting
from services.agreement.rater_material import critics_decide
from services.pseudonyms import pseudonyms
from services.triplets.claims import open_to_viewer
from services.triplets.lists import TripletLine, line_of
from services.triplets.reading import CriticView, PaperOfTriplet, critic_views, paper_view
from store.triplets import lists, scores, triplets


@dataclass(frozen=True, slots=True)
class ExpertSheet:
    """Scores of one expert, by pseudonym."""

    expert: str
    rubric: Rubric
    scores: Mapping[str, int]
    verdict: FormOutcome  # derived from the scores
    own_verdict: bool | None  # the expert's own, stated separately
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTriplet:
    """A triplet with the scores of experts and critics."""

    triplet: TripletLine
    context: str
    evidence: tuple[str, ...]
    paper: PaperOfTriplet
    experts: tuple[ExpertSheet, ...]
    critics: tuple[CriticView, ...]
    passes_critics: bool | None  # None without critics, or while a critic lacks one of the six scores
    critics_reason: str


def compared(viewer: Viewer, triplet_id: str, boundary: Boundary = Boundary.GE) -> ComparedTriplet:
    """Return experts' sheets in the order of submission, and critics' scores. The viewer can no longer score this
    triplet blind. Raises Missing without such a triplet, Refused while the viewer is scoring it."""
    with consulting(viewer, Permission.REVIEW) as r:
        row, paper = triplets.triplet(r.session, triplet_id)
        if triplet_id in open_to_viewer(r):
            raise Refused("You are scoring this triplet. Others' scores are shown once you have submitted yours.")
        called = pseudonyms(r)
        submitted = [
            (rubric, each)
            for rubric in Rubric
            for each in scores.submitted_scores(r.session, rubric.value)
            if each.triplet_id == triplet_id
        ]
        scores_by_sheet = scores.scores_of(r.session, [each.assignment_id for _, each in submitted])
        critic_scores = triplets.critic_scores(r.session, [triplet_id]).get(triplet_id, ())
        configured = triplets.critics_of(r.session, [row.collection]).get(row.collection, [])
        line = lists.lines_of(r.session, [triplet_id])[triplet_id]
        r.record_exposure(triplet_id, "triplet")
    sheets = []
    for rubric, row_of_sheet in submitted:
        all_scores = scores_by_sheet[row_of_sheet.assignment_id]
        plain = {key: score for key, score in all_scores.items() if key != VERDICT}
        own_verdict = None if VERDICT not in all_scores else bool(all_scores[VERDICT])
        expert = called.get(row_of_sheet.person_id, "?")
        sheets.append(ExpertSheet(expert, rubric, plain, rubric.verdict(plain), own_verdict, row_of_sheet.comment))
    decision = critics_decide(critic_scores, configured, boundary) if configured else None
    return ComparedTriplet(
        triplet=line_of(line),
        context=row.context,
        evidence=tuple(row.evidence),
        paper=paper_view(paper),
        experts=tuple(sheets),
        critics=critic_views(critic_scores),
        passes_critics=decision.retained if decision is not None else None,
        critics_reason=decision.reason if decision is not None else "no critic has scored this collection",
    )
