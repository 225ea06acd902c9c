"""Sheets of verdicts in the work queue: which are ready, and who can still label them blind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import timedelta
from functools import cache, partial

from sqlmodel import Session

from core.errors import Refused
from core.people import Permission, Viewer
from core.transcription.queue import Candidate
from core.verdicts.review import DrawnBy
from services.acting import ReadContext, Writing
from services.queue.claim_expiry import state_now
from services.queue.work import QueueWords, WorkKind, candidates_of, number_of_people
from services.runs.judge_exposure import settings_in
from services.verdicts.judge_items import seen_in
from store import assignments
from store.assignments import VERDICT
from store.graphs import exposures
from store.runs import reviewed_verdicts as stored
from store.tables import AssignmentRow, VerdictSheetRow

EXPIRED = "This claim expired or was returned. Your labels are kept; resume it to go on."
EXPOSED = "You have seen what a judge said of this sheet, so it can no longer be labelled blind."


class SheetWork(WorkKind):
    """Labelling the items of a sheet. Sheets that a person chose belong to that person: they are not claimed, and
    exposures do not close them."""

    words = QueueWords(
        subject="sheet",
        in_events="sheet",
        nothing_free="No verdict is free for you now. Sheets appear here when they are drawn and places become free.",
        full="All places of this sheet are taken. Take another one.",
        expired=EXPIRED,
        skipped=EXPIRED,
        changed="This sheet of verdicts has changed since you opened it. Reload it.",
        submitted="These labels are submitted",
        not_own="These labels belong to someone else and stay hidden.",
        missing="There is no such sheet of verdicts.",
    )
    acts = "verdict"

    def permission(self, viewer: Viewer) -> Permission:
        return Permission.VERDICT

    def stored_kinds(self, session: Session) -> tuple[str, ...]:
        return (VERDICT,)

    def idle_limit(self, session: Session) -> timedelta:
        return settings_in(session).idle

    def candidates(self, r: ReadContext, person_id: str) -> Iterable[Candidate]:
        work = assignments.assignments_of(r.session, VERDICT)
        had = {row.subject_id for row in work if row.person_id == person_id}
        sheets = {each.id: each for each in stored.sheets(r.session) if each.drawn_by != DrawnBy.CHOSEN}
        claimed = Counter(row.subject_id for row in work if state_now(r.session, row, r.now) != "abandoned")
        drawn = (key for key in sheets if key not in had)
        seen = cache(_seen(r.session, person_id))  # many sheets are of one section
        for candidate in candidates_of(r, VERDICT, drawn, settings_in(r.session).rule, claimed):
            sheet = sheets[candidate.subject_id]
            if candidate.is_free and not _is_exposed(sheet, sheet.numbers, seen):
                yield candidate

    def claim_counts(self, w: Writing, subject: VerdictSheetRow, others: Sequence[AssignmentRow]) -> tuple[int, int]:
        people_needed = number_of_people(w.session, VERDICT, subject.id, settings_in(w.session).rule)
        return sum(row.state != "abandoned" for row in others), people_needed

    def refuse(self, w: Writing, subject: VerdictSheetRow, person_id: str, own: AssignmentRow | None) -> None:
        """Raise Refused for an exposed person. Comparing an item shows it, so only items not compared need to be
        blind."""
        if own is not None and not settings_in(w.session).label_first:
            return
        labels = stored.labels_of(w.session, [own.id]).get(own.id, ()) if own is not None else ()
        left = set(subject.numbers) - {each.number for each in labels if each.compared_at is not None}
        if left and _is_exposed(subject, left, _seen(w.session, person_id)):
            raise Refused(EXPOSED)


SHEETS = SheetWork()


Seen = Callable[[str, str], frozenset[int] | None]
"""The numbers of an answer's section that a person has seen; None means all."""


def _seen(session: Session, person_id: str) -> Seen:
    return partial(seen_in, session, exposures.looked_at(session, person_id, "verdict"))


def _is_exposed(sheet: VerdictSheetRow, numbers: Collection[int], seen_of: Seen) -> bool:
    """Return whether a sheet is part of the audit, and the person has seen the judge's labels of all these numbers."""
    if sheet.drawn_by not in (DrawnBy.RANDOM, DrawnBy.STRATIFIED):
        return False
    seen = seen_of(sheet.answer, sheet.section)
    return seen is None or seen.issuperset(numbers)
