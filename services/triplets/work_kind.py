"""Triplets as a kind of queued work: the sample, who can still score one blind, and preferred fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from sqlmodel import Session

from core.errors import Refused
from core.people import Permission, Viewer
from core.transcription.queue import Candidate
from services.acting import ReadContext, Writing
from services.queue.work import QueueWords, WorkKind, candidates_of, number_of_people
from services.triplets.samples import in_sample, sample_in
from services.triplets.settings import settings_in
from store import queue
from store.assignments import SCORED_KINDS
from store.tables import AssignmentRow, TripletRow
from store.triplets import lists, scores


class TripletWork(WorkKind):
    """Scoring a triplet of the sample on the current form, with an expert's own JEL letters first.

    Nobody gets a triplet twice, under any form or as a copy in another file.
    """

    words = QueueWords(
        subject="triplet",
        in_events="triplet",
        nothing_free="No triplet is free for you now. Triplets appear here when places become free.",
        full="All places of this triplet are taken. Score another triplet.",
        expired=(
            "This claim expired without a score or was returned, and its place may go to someone else. "
            "Your scores are kept. Resume it to continue while a place is free."
        ),
        skipped="You skipped this triplet. Resume it to score it.",
        changed="These scores have changed since you opened them. Reload the page.",
        submitted="These scores are submitted",
        not_own="These scores belong to someone else and stay hidden.",
        missing="No such triplet has been assigned.",
    )
    acts = "scoring"

    def permission(self, viewer: Viewer) -> Permission:
        return Permission.SCORE

    def stored_kinds(self, session: Session) -> tuple[str, ...]:
        current = settings_in(session).rubric.value
        return (current, *(kind for kind in SCORED_KINDS if kind != current))

    def idle_limit(self, session: Session) -> timedelta:
        return settings_in(session).idle

    def candidates(self, r: ReadContext, person_id: str) -> Iterable[Candidate]:
        settings = settings_in(r.session)
        kind, sample = settings.rubric.value, sample_in(r.session, settings.draw)
        letters = set(scores.expertise(r.session, person_id)[0])
        own_fields = {each.id for each in sample.members if not letters.isdisjoint(each.jel_letters)}
        had = {row.subject_id for row in queue.work_of(r.session, SCORED_KINDS, person_id)}
        had |= scores.seen_by(r.session, person_id)
        closed = had | set(in_sample(r.session, had, sample).values())
        still = (each.id for each in sample.members if each.id not in closed)
        return candidates_of(r, kind, still, settings.rule, scores.taken(r.session, kind, r.now), own_fields)

    def claim_counts(self, w: Writing, subject: TripletRow, others: Sequence[AssignmentRow]) -> tuple[int, int]:
        settings = settings_in(w.session)
        kind = others[0].kind if others else settings.rubric.value
        return sum(row.state != "abandoned" for row in others), number_of_people(
            w.session, kind, subject.id, settings.rule
        )

    def refuse(self, w: Writing, subject: TripletRow, person_id: str, own: AssignmentRow | None) -> None:
        if subject.archived_at is not None:
            raise Refused("This triplet is archived. Score another triplet.")
        seen = scores.seen_by(w.session, person_id)
        if seen and not seen.isdisjoint(lists.same_as(w.session, [subject.id])):
            raise Refused("You have seen other scores of this triplet, so yours would not be blind.")


TRIPLETS = TripletWork()
