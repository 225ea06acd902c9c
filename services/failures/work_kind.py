"""Lists of failures in the work queue: who may code one blind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta

from sqlmodel import Session

from core.errors import Refused
from core.people import Permission, Viewer
from core.transcription.queue import Candidate
from services.acting import ReadContext, Writing
from services.queue.claim_expiry import state_now
from services.queue.settings import settings_in
from services.queue.work import QueueWords, WorkKind
from store import assignments
from store.assignments import CODING
from store.runs import codes, proposed_codes
from store.tables import AssignmentRow, CodingListRow

EXPIRED = "This claim expired or was returned. Your codes are stored; resume it while a place is free."


class CodingWork(WorkKind):
    """Coding the answers of a list. Nobody sees others' codes of it before all its people have submitted, and nobody
    else codes its answers, so it is closed only to people who claimed it before."""

    words = QueueWords(
        subject="list",
        in_events="list",
        nothing_free="No list of failures is free for you now. Lists appear here when they are drawn.",
        full="All places of this list are taken. Take another one.",
        expired=EXPIRED,
        skipped="You skipped this list. Resume it to code it.",
        changed="This list has changed since you opened it. Reload it.",
        submitted="These codes are submitted",
        not_own="These codes belong to someone else and stay hidden.",
        missing="There is no such list of failures.",
    )
    acts = "coding"

    def permission(self, viewer: Viewer) -> Permission:
        return Permission.REVIEW

    def stored_kinds(self, session: Session) -> tuple[str, ...]:
        return (CODING,)

    def idle_limit(self, session: Session) -> timedelta:
        return settings_in(session).idle

    def candidates(self, r: ReadContext, person_id: str) -> Iterable[Candidate]:
        work = assignments.assignments_of(r.session, CODING)
        awaited = proposed_codes.awaited(r.session)
        had = {row.subject_id for row in work if row.person_id == person_id}
        claimed = Counter(row.subject_id for row in work if state_now(r.session, row, r.now) != "abandoned")
        return [
            Candidate(each.id, each.people, claimed[each.id])
            for each in codes.lists(r.session)
            if each.id not in had and each.id not in awaited
        ]

    def claim_counts(self, w: Writing, subject: CodingListRow, others: Sequence[AssignmentRow]) -> tuple[int, int]:
        return sum(row.state != "abandoned" for row in others), subject.people

    def refuse(self, w: Writing, subject: CodingListRow, person_id: str, own: AssignmentRow | None) -> None:
        if subject.withdrawn_at is not None:
            raise Refused("This list was withdrawn. Take another one.")
        if run := proposed_codes.awaited(w.session).get(subject.id):
            raise Refused(f"Run {run} is proposing codes for this list. Take it once the run is done.")


LISTS = CodingWork()
