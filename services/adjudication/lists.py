"""Figures that wait for an adjudicator, that are being ruled on, and that are done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from core.people import Permission, Viewer
from core.transcription.declining import FigureOutcome, outcome
from services.acting import ReadContext, consulting
from services.adjudication.editing import case_of, resolved_of
from services.transcription.post_submission.window import ends_at
from store import assignments
from store.assignments import ADJUDICATION, DECLINED, TRANSCRIPTION, DoneWork
from store.tables import AssignmentRow


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCase:
    figure_id: str
    paper_title: str
    figure_label: str
    place: str
    transcriptions: int
    adjudication_id: str | None
    state: str  # "ready", "open" or "submitted" (adjudicated)
    has_verdict: bool  # one of the two declined the figure
    is_mine: bool
    ruled: int  # of `all` questions, in the viewer's own open case; else both are 0
    all: int
    at: datetime | None
    waits_until: datetime | None = None  # latest end of an annotator's post-submission review


def waiting(viewer: Viewer) -> tuple[WaitingCase, ...]:
    """Return the figures this viewer may adjudicate: their own open cases, ready ones, then the rest.

    Figures that the viewer transcribes are left out: nobody rules on their own work.
    """
    order = {"open": 0, "ready": 1, "submitted": 2}
    with consulting(viewer, Permission.ADJUDICATE) as r:
        submitted = _submitted_work(r)
        own_figures = assignments.subjects_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
        cases = {row.subject_id: row for row in assignments.assignments_of(r.session, ADJUDICATION)}
        waiting_cases = []
        for figure, paper in assignments.located_figures(r.session):
            row, works = cases.get(figure.id), submitted.get(figure.id, [])
            n = len(works)
            if figure.id in own_figures or (n < 2 and row is None):
                continue
            is_mine = row is not None and row.person_id == r.viewer.person_id
            ruled, every = _progress(r, row) if row is not None and is_mine and row.state == "open" else (0, 0)
            at = None if row is None else row.submitted_at or row.claimed_at
            state = row.state if row is not None else "ready"
            waiting_cases.append(
                WaitingCase(
                    figure_id=figure.id,
                    paper_title=paper.title,
                    figure_label=figure.label,
                    place=figure.place,
                    transcriptions=n,
                    adjudication_id=row.id if row else None,
                    state=state,
                    has_verdict=any(work.state == DECLINED for work in works[:2]),
                    is_mine=is_mine,
                    ruled=ruled,
                    all=every,
                    at=at,
                    waits_until=_waits_until(r, works[:2]) if row is None else None,
                )
            )
    return tuple(sorted(waiting_cases, key=lambda one: (order[one.state], not one.is_mine)))


def next_of(waiting_cases: Sequence[WaitingCase]) -> WaitingCase | None:
    """Return the next case for a person: first one they started, then one that nobody has started."""
    own_open = (one for one in waiting_cases if one.state == "open" and one.is_mine)
    return next(
        chain(own_open, (one for one in waiting_cases if one.state == "ready" and one.waits_until is None)), None
    )


def _waits_until(r: ReadContext, works: Sequence[AssignmentRow | DoneWork]) -> datetime | None:
    return max((end for work in works if (end := ends_at(work, r.now)) is not None), default=None)


def _progress(r: ReadContext, row: AssignmentRow) -> tuple[int, int]:
    case = case_of(r, row)
    resolved = resolved_of(case)
    waits = len(resolved.waiting)
    two = case.two()
    total = len(two.differences) + sum(question.is_open or question.key in case.rulings for question in two.names)
    return total - waits, total


def _submitted_work(r: ReadContext) -> dict[str, list[DoneWork]]:
    """Return figure → submitted work, without the figures that two people declined alike."""
    done = assignments.done_in_short(r.session)
    return {
        figure_id: rows
        for figure_id, rows in done.items()
        if outcome([assignments.verdict_of(row) for row in rows]) is not FigureOutcome.CLOSED
    }


def count_ready(r: ReadContext) -> tuple[int, int]:
    """Return the number of figures ready for this viewer to adjudicate, and of their own open cases."""
    submitted = _submitted_work(r)
    own_figures = assignments.subjects_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
    cases = assignments.assignments_of(r.session, ADJUDICATION)
    started = {row.subject_id for row in cases}
    ids = assignments.located_ids(r.session)
    ready = sum(
        len(rows) >= 2 and key in ids and key not in started | own_figures and _waits_until(r, rows[:2]) is None
        for key, rows in submitted.items()
    )
    return ready, sum(row.person_id == r.viewer.person_id and row.state == "open" for row in cases)
