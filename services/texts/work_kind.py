"""Texts in the work queue: which are ready for labelling, and who can still label them blind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from core.errors import Refused
from core.people import Permission, Viewer
from core.transcription.queue import Candidate
from services.acting import ReadContext, Writing
from services.queue.claim_expiry import state_now
from services.queue.rights import drawing_right
from services.queue.work import QueueWords, WorkKind, candidates_of, number_of_people, own_state
from services.texts.ready import ReadyText, labelled, ready_text, ready_texts
from services.texts.settings import settings_in
from store import assignments
from store.assignments import EDITABLE, EXPLICITNESS
from store.graphs import exposures
from store.tables import AssignmentRow, FigureRow


class TextWork(WorkKind):
    """Labelling the nodes of a figure's text. A claim counts while it is open, and after levels of the current text
    were submitted."""

    words = QueueWords(
        subject="text",
        in_events="figure",
        nothing_free="No text is free for you now. Texts appear here when they are ready and places become free.",
        full="All places of this text are taken. Label another text.",
        expired=(
            "This claim expired without a level or was returned, and its place may go to someone else. "
            "Your levels are kept. Resume it to continue while a place is free."
        ),
        skipped="You skipped this text. Resume it to label it.",
        changed="The levels of this text have changed since you opened it. Reload it.",
        submitted="These levels are submitted",
        not_own="These levels belong to someone else and stay hidden.",
        missing="No such text has been assigned.",
    )
    acts = "labelling"

    def permission(self, viewer: Viewer) -> Permission:
        return drawing_right(viewer)

    def stored_kinds(self, session: Session) -> tuple[str, ...]:
        return (EXPLICITNESS,)

    def idle_limit(self, session: Session) -> timedelta:
        return settings_in(session).idle

    def candidates(self, r: ReadContext, person_id: str) -> Iterable[Candidate]:
        """Return ready texts, except those the person labelled or skipped, or whose levels by others they saw."""
        ready = ready_texts(r.session)
        done = labelled(r.session, ready)
        work = assignments.assignments_of(r.session, EXPLICITNESS)
        closed = {key for key, raters in done.items() if person_id in raters}
        closed |= {row.subject_id for row in work if row.person_id == person_id and own_state(r, row) == "skipped"}
        closed |= exposures.looked_at(r.session, person_id, "level")
        claimed = Counter({key: len(raters) for key, raters in done.items()})
        claimed.update(row.subject_id for row in work if state_now(r.session, row, r.now) in EDITABLE)
        still = (key for key in ready if key not in closed)
        return candidates_of(r, EXPLICITNESS, still, settings_in(r.session).rule, claimed)

    def claim_counts(self, w: Writing, subject: FigureRow, others: Sequence[AssignmentRow]) -> tuple[int, int]:
        done = labelled(w.session, {subject.id: ready_text(w.session, subject.id)})[subject.id]
        people_needed = number_of_people(w.session, EXPLICITNESS, subject.id, settings_in(w.session).rule)
        return len(done) + sum(row.state in EDITABLE for row in others), people_needed

    def refuse(self, w: Writing, subject: FigureRow, person_id: str, own: AssignmentRow | None) -> None:
        blind_text(w, subject.id, person_id)

    def begin(self, w: Writing, subject: FigureRow, row: AssignmentRow) -> Mapping[str, Any]:
        """Start labelling the nodes of the ground truth. A text that changed is labelled in a new round."""
        w.record_exposure(subject.id)
        if row.submitted_at is not None:
            row.round += 1
            row.submitted_at = None
        return {}

    def resumable(self, r: ReadContext, rows: Sequence[AssignmentRow]) -> Sequence[AssignmentRow]:
        still = ready_texts(r.session, [row.subject_id for row in rows])
        return [row for row in rows if row.subject_id in still]


TEXTS = TextWork()


def blind_text(w: Writing, figure_id: str, person_id: str) -> ReadyText:
    """Return a figure's text for a person who labels it blind. Raises Refused if they have seen other levels of it,
    or if it is not ready, or stale."""
    if exposures.was_exposed(w.session, person_id, figure_id, "level"):
        raise Refused("You have seen other levels of this text, so yours would not be blind.")
    return ready_text(w.session, figure_id)
