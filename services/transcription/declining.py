"""Figures without a graph: annotators decline them with a reason; curators exclude or reopen them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.adjudication.differences import Choice
from core.errors import BadInput, Refused
from core.papers.papers import Screening
from core.people import Permission, Receipt, Viewer
from core.transcription.declining import SCREENING_REASONS, FigureOutcome, FigureVerdict, outcome
from services.acting import ReadContext, Writing, consulting, perform
from services.queue.settings import settings_in
from services.transcription.editing import hold
from store import agreement, assignments, history, people, rulings
from store.agreement import TAKE_OUT
from store.assignments import ADJUDICATION, DECLINED, TRANSCRIPTION, DoneWork
from store.papers import papers
from store.tables import AssignmentRow, FigureRow

LONGEST_REASON = 2_000


@dataclass(frozen=True, slots=True)
class Declined:
    name: str
    verdict: FigureVerdict
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclinedFigure:
    """A figure that at least one annotator declined, with its verdicts."""

    figure_id: str
    paper_id: str
    paper_title: str
    label: str
    place: str
    verdicts: tuple[Declined, ...]
    graphs: int  # people who submitted a graph of it
    outcome: FigureOutcome
    decided: FigureVerdict | None  # agreed by two people or ruled by an adjudicator; None while open
    adjudication: str  # its state, "" if there is none
    excludes_paper: bool  # excluding the figure excludes its paper, which has no other
    is_out: bool  # the figure is excluded already


@dataclass(frozen=True, slots=True)
class DeclinedList:
    """Declined figures, those that wait for a decision first."""

    figures: tuple[DeclinedFigure, ...]
    left_out: int  # hidden because the viewer is transcribing them


# --- for those who draw ------------------------------------------------------------------------------------------


def decline(
    viewer: Viewer, assignment_id: str, verdict: FigureVerdict, reason: str, *, seen: int, act_id: str
) -> Receipt:
    """End the viewer's own transcription with a verdict instead of a graph; the graph is kept.

    Raises BadInput without a reason, Refused if it is submitted or its claim ended, Conflict for a stale version.
    """
    verdict, words = FigureVerdict(verdict), _checked_words(reason, "Write why there is no graph to draw here.")

    def act(w: Writing) -> Receipt:
        row = hold(w, assignment_id, seen).row
        if row.kind != TRANSCRIPTION:
            raise Refused("The practice diagram has a graph and cannot be declined. Only figures of the study can.")
        row.state, row.verdict, row.reason, row.submitted_at = DECLINED, verdict.value, words, w.now
        w.session.add(row)
        w.session.flush()
        payload = {"figure": row.subject_id, "verdict": verdict.value, "why": words, "graph_version": seen}
        return w.record("transcription.decline", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.TRANSCRIBE, act_id, act)


def _checked_words(text: str, missing: str) -> str:
    words = text.strip()
    if not words:
        raise BadInput(missing)
    if len(words) > LONGEST_REASON:
        raise BadInput(f"The text has {len(words):,} characters; at most {LONGEST_REASON:,} are allowed.")
    return words


# --- for those who run the study ---------------------------------------------------------------------------------


def declined_figures(viewer: Viewer) -> DeclinedList:
    """Return every declined figure with its verdicts and record the viewer's exposure, which ends their blindness."""
    with consulting(viewer, Permission.CURATE) as r:
        done = {
            figure_id: rows
            for figure_id, rows in assignments.done_by_subject(r.session).items()
            if any(row.state == DECLINED for row in rows)
        }
        drawn = agreement.figures_in_hand(r.session, r.viewer.person_id)
        shown = {figure_id: rows for figure_id, rows in done.items() if figure_id not in drawn}
        for figure_id, rows in shown.items():
            if any(row.person_id != r.viewer.person_id for row in rows):
                r.record_exposure(figure_id)
        figures = _figures(r, shown)
    order = sorted(figures, key=lambda figure: (figure.is_out, figure.decided is None))
    return DeclinedList(tuple(order), len(done) - len(shown))


def count_declined(r: ReadContext) -> int:
    """Return the number of figures in use that are decided to have no graph, for the overview."""
    if not assignments.is_any_declined(r.session):
        return 0
    decided = decided_verdicts(r.session, assignments.done_in_short(r.session))
    return len(decided.keys() & assignments.located_ids(r.session))


def take_out(viewer: Viewer, figure_id: str, *, act_id: str) -> Receipt:
    """Exclude a figure with a decided verdict, and its paper if it has no other figure. Raises Refused if undecided."""

    def act(w: Writing) -> Receipt:
        assignments.study_figure(w.session, figure_id)
        figure = assignments.figure(w.session, figure_id, for_update=True)
        verdict = decided_verdicts(w.session, assignments.done_by_subject(w.session, figure_id)).get(figure_id)
        if verdict is None:
            raise Refused("A figure can be excluded once two annotators, or an adjudicator, have found no graph in it.")
        if figure.archived_at is not None:
            raise Refused("This figure is already excluded from the study.")
        figure.archived_at = w.now
        w.session.add(figure)
        paper = papers.paper(w.session, figure.paper_id)
        payload: dict[str, Any] = {
            "verdict": verdict.value,
            "paper": paper.id,
            "screening_before": paper.screening,
            "reasons": [],
        }
        if _is_only_figure(w.session, figure) and verdict in SCREENING_REASONS:
            paper.screening, paper.reasons = Screening.EXCLUDED.value, [SCREENING_REASONS[verdict].value]
            paper.screened_by = w.viewer.person_id
            w.session.add(paper)
            payload["reasons"] = paper.reasons
        w.session.flush()
        return w.record(TAKE_OUT, "figure", figure.id, version=figure.version, payload=payload)

    return perform(viewer, Permission.CURATE, act_id, act)


def reopen(viewer: Viewer, figure_id: str, comment: str, *, act_id: str) -> Receipt:
    """Return a declined figure to those who declined it, with a comment, and restore it and its paper if excluded.

    Rulings on an adjudicated figure stay: only the figure is restored; reopen its adjudication separately.
    Raises BadInput without a comment, Refused if nobody declined it or it is being adjudicated.
    """
    words = _checked_words(comment, "Write what to check again. Those who declined the figure see this comment.")

    def act(w: Writing) -> Receipt:
        assignments.study_figure(w.session, figure_id)
        figure = assignments.figure(w.session, figure_id, for_update=True)
        rows = [
            row for row in assignments.done_by_subject(w.session, figure_id).get(figure_id, []) if row.state == DECLINED
        ]
        if not rows:
            raise Refused("Nobody has declined this figure.")
        is_ruled = assignments.only_assignment(w.session, ADJUDICATION, figure_id) is not None
        if is_ruled and figure.archived_at is None:
            raise Refused("This figure has been adjudicated. Reopen its adjudication and rule again.")
        _bring_back(w, figure)
        for row in [] if is_ruled else rows:
            row.state, row.comment, row.verdict, row.reason = "returned", words, None, ""
            row.expires_at = w.now + settings_in(w.session).idle
            w.session.add(row)
        w.session.flush()
        payload = {"comment": words, "returned": [] if is_ruled else [row.id for row in rows]}
        return w.record("figure.reopen", "figure", figure.id, version=figure.version, payload=payload)

    return perform(viewer, Permission.CURATE, act_id, act)


def _bring_back(w: Writing, figure: FigureRow) -> None:
    """Undo `take_out`, unless the paper was screened again since."""
    if figure.archived_at is None:
        return
    figure.archived_at = None
    w.session.add(figure)
    last = next(
        (event for event in reversed(history.events_about(w.session, figure.id)) if event.act == TAKE_OUT), None
    )
    if last is None or not last.payload["reasons"]:
        return
    paper = papers.paper(w.session, figure.paper_id)
    if paper.screening == Screening.EXCLUDED and paper.reasons == last.payload["reasons"]:
        paper.screening, paper.reasons = str(last.payload["screening_before"]), []
        paper.screened_by = w.viewer.person_id
        w.session.add(paper)


# --- what is decided ---------------------------------------------------------------------------------------------


def decided_verdicts(
    session: Session, done: Mapping[str, Sequence[AssignmentRow | DoneWork]]
) -> dict[str, FigureVerdict]:
    """Return figure → verdict where two people agree or an adjudicator upheld one; undecided figures are missing."""
    verdicts: dict[str, FigureVerdict] = {}
    disputed: dict[str, list[AssignmentRow | DoneWork]] = {}
    for figure_id, rows in done.items():
        stated = [assignments.verdict_of(row) for row in rows]
        if outcome(stated) is FigureOutcome.CLOSED and stated[0] is not None:
            verdicts[figure_id] = stated[0]
        elif any(stated[:2]):
            disputed[figure_id] = list(rows)
    cases = [
        case
        for case in (assignments.assignments_in(session, ADJUDICATION, ("submitted",)) if disputed else ())
        if case.subject_id in disputed
    ]
    pairs, choices = rulings.between_of(session, cases), rulings.verdict_choices(session, cases)
    for case in cases:
        by_id = {row.id: assignments.verdict_of(row) for row in disputed[case.subject_id]}
        pair, choice = pairs[case.id], choices.get(case.id)
        upheld = by_id.get(pair.first if choice is Choice.A else pair.second) if choice else None
        if upheld is not None:
            verdicts[case.subject_id] = upheld
    return verdicts


def _figures(r: ReadContext, shown: Mapping[str, Sequence[AssignmentRow]]) -> list[DeclinedFigure]:
    subjects = assignments.subjects_of(r.session, shown)
    names = people.names_of(r.session, [row.person_id for rows in shown.values() for row in rows])
    decided = decided_verdicts(r.session, shown)
    cases = {row.subject_id: row.state for row in assignments.assignments_of(r.session, ADJUDICATION)}
    figures = []
    for figure_id, rows in shown.items():
        figure, paper = subjects[figure_id]
        figures.append(
            DeclinedFigure(
                figure_id=figure_id,
                paper_id=paper.id,
                paper_title=paper.title,
                label=figure.label,
                place=figure.place,
                verdicts=tuple(
                    Declined(
                        names.get(row.person_id, row.person_id), said, row.reason, row.submitted_at or row.claimed_at
                    )
                    for row in rows
                    if (said := assignments.verdict_of(row)) is not None
                ),
                graphs=sum(row.state != DECLINED for row in rows),
                outcome=outcome([assignments.verdict_of(row) for row in rows]),
                decided=decided.get(figure_id),
                adjudication=cases.get(figure_id, ""),
                excludes_paper=decided.get(figure_id) in SCREENING_REASONS and _is_only_figure(r.session, figure),
                is_out=bool(figure.archived_at or paper.archived_at or paper.screening == Screening.EXCLUDED),
            )
        )
    return figures


def _is_only_figure(session: Session, figure: FigureRow) -> bool:
    others = papers.figures_of(session, figure.paper_id)
    return all(other.id == figure.id for other in others if other.archived_at is None)
