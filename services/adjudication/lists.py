"""Which figures wait for an adjudicator, which are being ruled on, and which are done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from core.people import May, Viewer
from core.transcription.declining import FigureOutcome, outcome
from services.acting import Reading, consulting
from services.adjudication.editing import case_of, resolved_of
from services.transcription.late.window import ends_at
from store import assignments
from store.assignments import ADJUDICATION, DECLINED, TRANSCRIPTION, DoneWork
from store.tables import AssignmentRow


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCase:
    """One figure with two or more transcriptions handed in. `state`: "ready", "open" or "submitted" (adjudicated).

    `has_verdict`: one of the two declined the figure. `waits_until`: one of the two compares theirs with the reading,
    until then at the longest; the figure keeps its place in the list. `ruled` of `all` questions are ruled on in an
    open case of the viewer's own, else both are 0.
    """

    figure_id: str
    paper_title: str
    figure_label: str
    place: str
    transcriptions: int
    adjudication_id: str | None
    state: str
    has_verdict: bool
    is_mine: bool
    ruled: int
    all: int
    at: datetime | None
    waits_until: datetime | None = None


def waiting(viewer: Viewer) -> tuple[WaitingCase, ...]:
    """Figures this viewer may adjudicate: their own open cases first, then those that are ready, then the rest.

    Figures that the viewer transcribes are left out: nobody rules on their own work.
    """
    order = {"open": 0, "ready": 1, "submitted": 2}
    with consulting(viewer, May.ADJUDICATE) as r:
        handed_in = _handed_in(r)
        mine = assignments.subjects_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
        cases = {row.subject_id: row for row in assignments.assignments_of(r.session, ADJUDICATION)}
        found = []
        for figure, paper in assignments.located_figures(r.session):
            row, works = cases.get(figure.id), handed_in.get(figure.id, [])
            n = len(works)
            if figure.id in mine or (n < 2 and row is None):
                continue
            is_mine = row is not None and row.person_id == r.viewer.person_id
            ruled, every = _progress(r, row) if row is not None and is_mine and row.state == "open" else (0, 0)
            at = None if row is None else row.submitted_at or row.claimed_at
            state = row.state if row is not None else "ready"
            found.append(
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
    return tuple(sorted(found, key=lambda one: (order[one.state], not one.is_mine)))


def next_of(found: Sequence[WaitingCase]) -> WaitingCase | None:
    """What a person goes on with, of their list: what they began comes before what nobody has begun."""
    mine = (one for one in found if one.state == "open" and one.is_mine)
    return next(chain(mine, (one for one in found if one.state == "ready" and one.waits_until is None)), None)


def _waits_until(r: Reading, works: Sequence[AssignmentRow | DoneWork]) -> datetime | None:
    return max((end for work in works if (end := ends_at(work, r.now)) is not None), default=None)


def _progress(r: Reading, row: AssignmentRow) -> tuple[int, int]:
    case = case_of(r, row)
    resolved = resolved_of(case)
    waits = len(resolved.waiting)
    two = case.two()
    asked = len(two.differences) + sum(question.is_open or question.key in case.rulings for question in two.names)
    return asked - waits, asked


def _handed_in(r: Reading) -> dict[str, list[DoneWork]]:
    """Figure → what people handed in of it, but for figures that two people declined alike."""
    done = assignments.done_in_short(r.session)
    return {
        figure_id: rows
        for figure_id, rows in done.items()
        if outcome([assignments.said_by(row) for row in rows]) is not FigureOutcome.CLOSED
    }


def count_ready(r: Reading) -> tuple[int, int]:
    """Figures ready for this viewer to adjudicate, and their own open cases, for the overview."""
    handed_in = _handed_in(r)
    mine = assignments.subjects_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
    cases = assignments.assignments_of(r.session, ADJUDICATION)
    begun = {row.subject_id for row in cases}
    ids = assignments.located_ids(r.session)
    ready = sum(
        len(rows) >= 2 and key in ids and key not in begun | mine and _waits_until(r, rows[:2]) is None
        for key, rows in handed_in.items()
    )
    return ready, sum(row.person_id == r.viewer.person_id and row.state == "open" for row in cases)
