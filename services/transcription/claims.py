"""State of each figure in the transcription queue: annotators wanted, claims, and people who may not claim it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.transcription.declining import FigureOutcome, FigureVerdict, outcome
from core.transcription.queue import Candidate, QueueState, expiry_of, in_turn, number_of_annotators
from services.acting import ReadContext
from services.queue.settings import QueueSettings, settings_in
from store import queue
from store.assignments import DECLINED, DONE, EDITABLE, TRANSCRIPTION
from store.queue import Claim, Located

JUDGED = (
    "You have seen or reviewed another transcription of this figure, so yours would not be blind. Choose another "
    "figure."
)
JUDGED_THEM = (
    "This person has seen or reviewed another transcription of this figure, or built its graph from a text, so theirs "
    "would not be blind. Assign the figure to someone else."
)
READ = (
    "You built a graph of this figure from its text, so your transcription would not be blind. Choose another figure."
)


@dataclass(frozen=True, slots=True)
class ClaimState:
    """A claim with its current state ("abandoned" also once it has expired) and, while unfinished, its expiry."""

    claim: Claim
    state: str
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class QueuedFigure:
    """A located figure with its queue state and every claim on it."""

    figure: Located
    state: QueueState
    own_number: int | None
    held: tuple[ClaimState, ...]


def places(r: ReadContext) -> list[QueuedFigure]:
    """Return every located figure, oldest first. The number of queries does not depend on the number of figures."""
    settings = settings_in(r.session)
    entries, closed = queue.entries(r.session, TRANSCRIPTION), queue.adjudicated(r.session)
    by_figure: dict[str, list[ClaimState]] = defaultdict(list)
    for claim in queue.claims(r.session, TRANSCRIPTION):
        state: str = claim.state
        end: datetime | None = None
        if claim.state in EDITABLE:
            end = expiry_of(claim.claimed_at, claim.expires_at, claim.edited_at, settings.idle)
            state = claim.state if r.now < end else "abandoned"
        by_figure[claim.subject_id].append(ClaimState(claim, state, end))
    return [
        _queued_figure(figure, by_figure[figure.id], settings, entries.get(figure.id, (0, None)), figure.id in closed)
        for figure in queue.figures(r.session)
    ]


def _queued_figure(
    figure: Located,
    states: Sequence[ClaimState],
    settings: QueueSettings,
    queue_entry: tuple[int, int | None],
    is_closed: bool,
) -> QueuedFigure:
    priority, own_number = queue_entry
    declined = sum(each.state == DECLINED for each in states)
    done = sorted(
        (each.claim.submitted_at, each.claim.id, each.claim.verdict)
        for each in states
        if each.state in DONE and each.claim.submitted_at is not None
    )
    verdicts = [FigureVerdict(verdict) if verdict else None for _at, _id, verdict in done]
    state = QueueState(
        subject_id=figure.id,
        wanted=number_of_annotators(TRANSCRIPTION, figure.id, settings.rule, own_number, declined),
        priority=priority,
        submitted=sum(each.state in DONE for each in states),
        in_progress=sum(each.state in EDITABLE for each in states),
        declined=declined,
        is_closed=is_closed or outcome(verdicts) is FigureOutcome.CLOSED,
    )
    return QueuedFigure(figure, state, own_number, tuple(states))


def known_to(r: ReadContext, person_id: str) -> dict[str, str]:
    """Return figure → message for the figures that this person cannot transcribe blind."""
    judged = dict.fromkeys(queue.judged(r.session, TRANSCRIPTION, person_id), JUDGED)
    return dict.fromkeys(queue.built_from_text(r.session, person_id), READ) | judged


def candidates_among(figures: Sequence[QueuedFigure], known: Container[str], person_id: str) -> list[Candidate]:
    """Return the candidates among these figures that this person has not had and does not know."""
    own_ids = {
        state.claim.subject_id for place in figures for state in place.held if state.claim.person_id == person_id
    }
    return [
        place.state.candidate for place in figures if place.figure.id not in own_ids and place.figure.id not in known
    ]


def free_figures(figures: Sequence[QueuedFigure], known: Container[str], person_id: str) -> list[QueuedFigure]:
    """Return the figures that are free for this person, in queue order."""
    by_id = {place.figure.id: place for place in figures}
    return [by_id[figure_id] for figure_id in in_turn(candidates_among(figures, known, person_id))]
