"""How each figure stands in the queue of transcriptions: how many people are wanted, who has it, and who knows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.transcription.declining import FigureOutcome, FigureVerdict, outcome
from core.transcription.queue import Candidate, QueueState, expiry_of, in_turn, wanted_of
from services.acting import Reading
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
    """A claim as it is now: its state ("abandoned" also if it lapsed by time alone) and, unfinished, when it lapses."""

    claim: Claim
    state: str
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class QueuedFigure:
    """One figure of the queue: where it is printed, how it stands, and everybody's work on it."""

    figure: Located
    standing: QueueState
    own_wanted: int | None
    held: tuple[ClaimState, ...]


def places(r: Reading) -> list[QueuedFigure]:
    """Every located figure as it stands now, oldest first; the same few queries however many there are."""
    settings = settings_in(r.session)
    entries, closed = queue.entries(r.session, TRANSCRIPTION), queue.adjudicated(r.session)
    by_figure: dict[str, list[ClaimState]] = defaultdict(list)
    for claim in queue.claims(r.session, TRANSCRIPTION):
        by_figure[claim.subject_id].append(_held(claim, settings, r.now))
    return [
        _place(figure, by_figure[figure.id], settings, entries.get(figure.id, (0, None)), figure.id in closed)
        for figure in queue.figures(r.session)
    ]


def _held(claim: Claim, settings: QueueSettings, now: datetime) -> ClaimState:
    if claim.state not in EDITABLE:
        return ClaimState(claim, claim.state, None)
    end = expiry_of(claim.claimed_at, claim.expires_at, claim.edited_at, settings.idle)
    return ClaimState(claim, claim.state, end) if now < end else ClaimState(claim, "abandoned", end)


def _place(
    figure: Located, held: Sequence[ClaimState], settings: QueueSettings, entry: tuple[int, int | None], is_closed: bool
) -> QueuedFigure:
    priority, own_wanted = entry
    declined = sum(each.state == DECLINED for each in held)
    standing = QueueState(
        subject_id=figure.id,
        wanted=wanted_of(TRANSCRIPTION, figure.id, settings.rule, own_wanted, declined),
        priority=priority,
        handed_in=sum(each.state in DONE for each in held),
        in_progress=sum(each.state in EDITABLE for each in held),
        declined=declined,
        is_closed=is_closed or _outcome(held) is FigureOutcome.CLOSED,
    )
    return QueuedFigure(figure, standing, own_wanted, tuple(held))


def _outcome(held: Sequence[ClaimState]) -> FigureOutcome:
    done = sorted(
        (each.claim.submitted_at, each.claim.id, each.claim)
        for each in held
        if each.state in DONE and each.claim.submitted_at is not None
    )
    return outcome([FigureVerdict(claim.verdict) if claim.verdict else None for _at, _id, claim in done])


def known_to(r: Reading, person_id: str) -> dict[str, str]:
    """The figures of which this person knows what others drew, or what they hold by their text; and what is said."""
    judged = dict.fromkeys(queue.judged(r.session, TRANSCRIPTION, person_id), JUDGED)
    return dict.fromkeys(queue.built_from_text(r.session, person_id), READ) | judged


def candidates_among(found: Sequence[QueuedFigure], known: Container[str], person_id: str) -> list[Candidate]:
    """The figures that this person has not had, and does not know."""
    mine = {held.claim.subject_id for place in found for held in place.held if held.claim.person_id == person_id}
    return [place.standing.candidate for place in found if place.figure.id not in mine and place.figure.id not in known]


def free_figures(found: Sequence[QueuedFigure], known: Container[str], person_id: str) -> list[QueuedFigure]:
    """Those of them that are free, the next first. `found`: `places(r)`; `known`: `known_to(r, person_id)`."""
    by_id = {place.figure.id: place for place in found}
    return [by_id[figure_id] for figure_id in in_turn(candidates_among(found, known, person_id))]
