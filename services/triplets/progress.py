"""Progress of scoring, for those who run the study: the sample in numbers, open claims, and skipped triplets.

Submitted scores are counted and never listed by person here, so that pseudonyms in agreement stay pseudonyms.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from core.people import Permission, Viewer
from core.transcription.queue import number_of_annotators
from services.acting import consulting
from services.triplets.lists import TripletLine, line_of
from services.triplets.samples import sample_in
from services.triplets.settings import ScoringSettings, settings_in
from store import people, queue
from store.assignments import EDITABLE, HANDED_IN
from store.triplets import lists, scores


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaim:
    assignment_id: str
    name: str
    triplet: TripletLine
    scored: int  # of the criteria
    criteria: int
    since: datetime
    expires_at: datetime | None  # unless they continue


@dataclass(frozen=True, slots=True)
class Skipped:
    triplet: TripletLine
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringProgress:
    """Progress on the current form."""

    settings: ScoringSettings
    sample: int  # triplets to score; the next three counts are of these
    started: int
    scored: int  # by one person at least
    done: int  # by the number of people wanted
    sheets: int  # submitted altogether
    experts: int  # who submitted them
    open_claims: tuple[OpenClaim, ...]
    skipped: tuple[Skipped, ...]


def progress(viewer: Viewer) -> ScoringProgress:
    """Return the progress. The number of queries does not depend on the number of triplets."""
    with consulting(viewer, Permission.ASSIGN) as r:
        settings = settings_in(r.session)
        kind, rubric = settings.rubric.value, settings.rubric
        work = scores.work(r.session, kind)
        expired = {
            each.id
            for each in work
            if each.state in EDITABLE and each.expires_at is not None and r.now >= each.expires_at
        }
        alive = [each for each in work if each.state != "abandoned" and each.id not in expired]
        still = [each for each in alive if each.state in EDITABLE]
        skips = scores.skipped(r.session, kind)
        scores_by_work = scores.scores_of(r.session, [each.id for each in still])
        lines = lists.lines_of(r.session, [each.subject_id for each in still] + [each[0] for each in skips])
        names = people.names_of(r.session, {each.person_id for each in still})
        entries = queue.entries(r.session, kind)
        members = [member.id for member in sample_in(r.session, settings.draw).members]
    submitted = [each for each in alive if each.state in HANDED_IN]
    times, claimed = Counter(each.subject_id for each in submitted), {each.subject_id for each in alive}
    raters = {key: number_of_annotators(kind, key, settings.rule, entries.get(key, (0, None))[1]) for key in members}
    keys = {each.key for each in rubric.criteria}
    experts = {each.person_id for each in submitted}
    return ScoringProgress(
        settings=settings,
        sample=len(members),
        started=sum(key in claimed for key in members),
        scored=sum(times[key] > 0 for key in members),
        done=sum(times[key] >= max(1, raters[key]) for key in members),
        sheets=len(submitted),
        experts=len(experts),
        open_claims=tuple(
            OpenClaim(
                assignment_id=each.id,
                name=names.get(each.person_id, each.person_id),
                triplet=line_of(lines[each.subject_id]),
                scored=len(keys & scores_by_work.get(each.id, {}).keys()),
                criteria=len(keys),
                since=each.claimed_at,
                expires_at=each.expires_at,
            )
            for each in still
        ),
        skipped=tuple(Skipped(line_of(lines[triplet_id]), reason) for triplet_id, reason in skips),
    )
