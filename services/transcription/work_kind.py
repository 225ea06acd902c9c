"""Figures as a kind of queued work: which are ready to be transcribed, and who can still transcribe one blind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from core.errors import Refused
from core.people import Permission, Viewer
from core.transcription.declining import FigureOutcome, outcome
from core.transcription.queue import Candidate
from services.acting import ReadContext, Writing
from services.queue.claim_expiry import GONE, state_now
from services.queue.settings import settings_in
from services.queue.work import NoFreeClaim, QueueWords, WorkKind, claim, number_of_people
from services.transcription.claims import candidates_among, known_to, places
from services.transcription.practice import due_in
from services.transcription.proposal_settings import decided_for
from store import assignments, queue
from store.assignments import DECLINED, TRANSCRIPTION
from store.papers import papers
from store.tables import AssignmentRow, FigureRow, GraphRow

FULL_AGAIN = (
    "Your claim ended and all places of this figure are taken now. Your edges are kept. A researcher or the owner can "
    "add a place for you."
)


class AlreadyJudged(Refused):
    """Refusal of a figure whose transcription by this person would not be blind."""


class FigureWork(WorkKind):
    """Transcribing a figure: one transcription per person and figure, which a new claim continues."""

    words = QueueWords(
        subject="figure",
        in_events="figure",
        nothing_free="No figure is free for you now. Figures appear here when a place becomes free.",
        full="All places of this figure are taken. Choose another figure.",
        expired=GONE,
        skipped=GONE,
        changed="This graph has been changed elsewhere since you opened it.",
        submitted="This transcription is submitted",
        not_own="Only its annotator may change a transcription.",
        missing="There is no such transcription in this study.",
        claim="transcription",
        no_claim="Only a claim on a figure of the queue can be returned.",
    )
    acts = "transcription"

    def permission(self, viewer: Viewer) -> Permission:
        return Permission.TRANSCRIBE

    def stored_kinds(self, session: Session) -> tuple[str, ...]:
        return (TRANSCRIPTION,)

    def idle_limit(self, session: Session) -> timedelta:
        return settings_in(session).idle

    def candidates(self, r: ReadContext, person_id: str) -> Iterable[Candidate]:
        return candidates_among(places(r), known_to(r, person_id), person_id)

    def claim_counts(self, w: Writing, subject: FigureRow, others: Sequence[AssignmentRow]) -> tuple[int, int]:
        declined = sum(row.state == DECLINED for row in others)
        annotators = number_of_people(w.session, TRANSCRIPTION, subject.id, settings_in(w.session).rule, declined)
        return sum(row.state != "abandoned" for row in others), annotators

    def refuse_unprepared(self, r: ReadContext) -> None:
        waits = due_in(r)
        if waits.guidelines:
            raise Refused(
                f"Read the guidelines (version {waits.guidelines}) first, under Transcribe. Then you can take figures."
            )
        if waits.training:
            raise Refused("Draw the practice diagram first, under Transcribe. Then you can take figures.")

    def refuse(self, w: Writing, subject: FigureRow, person_id: str, own: AssignmentRow | None) -> None:
        _refuse_archived(subject)
        paper = papers.paper(w.session, subject.paper_id)
        if paper.archived_at is not None or paper.screening == "excluded":
            raise Refused("This figure's paper is archived or excluded. Choose another figure.")
        if why := known_to(w, person_id).get(subject.id):
            raise AlreadyJudged(why)
        if subject.id in queue.adjudicated(w.session):
            raise Refused(
                "Adjudication of this figure has started, so it needs no more transcriptions. Choose another one."
            )
        done = assignments.done_by_subject(w.session, subject.id).get(subject.id, [])
        if outcome([assignments.verdict_of(row) for row in done]) is FigureOutcome.CLOSED:
            raise Refused("Two annotators found no graph in this figure. Choose another figure.")

    def begin(self, w: Writing, subject: FigureRow, row: AssignmentRow) -> Mapping[str, Any]:
        """Add a graph and decide about proposals. Work that was returned before is "returned" again."""
        if row.graph_id is None:
            graph = GraphRow(
                kind="transcription",
                figure_id=subject.id,
                paper_id=subject.paper_id,
                created_by=row.person_id,
                created_at=w.now,
            )
            w.session.add(graph)
            w.session.flush()
            row.graph_id, row.proposals = graph.id, decided_for(w.session, subject.id, row.person_id)
        elif row.comment:
            row.state = "returned"
        return {"proposals": row.proposals}

    def resumable(self, r: ReadContext, rows: Sequence[AssignmentRow]) -> Sequence[AssignmentRow]:
        located = assignments.located_ids(r.session)
        return sorted((row for row in rows if row.subject_id in located), key=lambda row: row.state != "returned")


FIGURES = FigureWork()


def claim_figure(
    w: Writing, figure: FigureRow, person_id: str, own: AssignmentRow | None
) -> tuple[AssignmentRow, bool]:
    """Return this person's work on a locked figure, and whether it was claimed just now.

    Raises as `services.queue.work.claim`.
    """
    _refuse_archived(figure)
    if own is not None and state_now(w.session, own, w.now) != "abandoned":
        return own, False
    try:
        return claim(w, FIGURES, figure, person_id)[0], True
    except NoFreeClaim as error:
        if own is None:
            raise
        raise NoFreeClaim(FULL_AGAIN) from error


def _refuse_archived(figure: FigureRow) -> None:
    if figure.archived_at is not None:
        raise Refused("This figure is archived. Choose another figure.")
