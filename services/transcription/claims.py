"""Places in the queue of transcriptions: who may have one, giving one out, and how each figure stands.

A place is given while the figure's row is held, after dead claims on it were ended and the live ones counted. So there
are never more people at a figure than are wanted, and a place that is free is found however many ask at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.errors import Refused
from core.transcription.declining import FigureOutcome, FigureVerdict, outcome
from core.transcription.queue import QueueState, expiry_of, offered, wanted_of
from services.acting import Reading, Writing
from services.queue.claim_expiry import expire
from services.queue.first_free import first_free
from services.queue.settings import QueueSettings, settings_in
from services.transcription.practice import due_in
from services.transcription.proposal_settings import decided_for
from store import assignments, queue
from store.assignments import DECLINED, DONE, EDITABLE, TRANSCRIPTION
from store.papers import papers
from store.queue import Claim, Located
from store.tables import AssignmentRow, FigureRow, GraphRow

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
FULL = "All places of this figure are taken. Choose another figure."
FULL_AGAIN = (
    "Your claim ended and all places of this figure are taken now. Your edges are kept. A researcher or the owner can "
    "add a place for you."
)
NOTHING = "No figure is free for you now. Figures appear here when a place becomes free."


class NoPlace(Refused):
    """The figure has no place left."""


class AlreadyJudged(Refused):
    """The person has judged others' work on the figure, so theirs would not be blind."""


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


# --- how figures stand -------------------------------------------------------------------------------------------


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
        is_closed=is_closed or (declined > 1 and _outcome(held) is FigureOutcome.CLOSED),
    )
    return QueuedFigure(figure, standing, own_wanted, tuple(held))


def _outcome(held: Sequence[ClaimState]) -> FigureOutcome:
    done = sorted(
        (each.claim.submitted_at, each.claim.id, each.claim)
        for each in held
        if each.state in DONE and each.claim.submitted_at is not None
    )
    return outcome([FigureVerdict(claim.verdict) if claim.verdict else None for _at, _id, claim in done])


def known_to(r: Reading, person_id: str) -> frozenset[str]:
    """The figures of which this person knows what others drew, or what they hold by their text."""
    judged = queue.judged(r.session, TRANSCRIPTION, person_id)
    return frozenset(judged | queue.built_from_text(r.session, person_id))


def open_to(
    r: Reading,
    person_id: str,
    found: Sequence[QueuedFigure] | None = None,
    known: frozenset[str] | None = None,
) -> list[QueuedFigure]:
    """The figures this person may take now, the one to hand out next first. `found`: `places(r)`, and `known`:
    `known_to(r, person_id)`, if they were asked for already."""
    found = places(r) if found is None else found
    mine = {held.claim.subject_id for place in found for held in place.held if held.claim.person_id == person_id}
    closed = mine | (known_to(r, person_id) if known is None else known)
    by_id = {place.figure.id: place for place in found}
    return [by_id[standing.subject_id] for standing in offered((place.standing for place in found), closed)]


# --- giving places -----------------------------------------------------------------------------------------------


def take_place(w: Writing, figure: FigureRow, person_id: str) -> tuple[AssignmentRow, bool]:
    """This person's work on a figure that is held, begun or gone on with; and whether it took a place just now.

    Raises NoPlace if all are taken, Refused if the figure is not to be worked on or not by this person.
    """
    if figure.archived_at is not None:
        raise Refused("This figure is archived. Choose another figure.")
    rows = queue.work_on(w.session, TRANSCRIPTION, figure.id)
    for row in rows:
        expire(w.session, row, w.now)
    own = next((row for row in rows if row.person_id == person_id), None)
    if own is not None and own.state != "abandoned":
        return own, False
    paper = papers.paper(w.session, figure.paper_id)
    if paper.archived_at is not None or paper.screening == "excluded":
        raise Refused("This figure's paper is archived or excluded. Choose another figure.")
    if figure.id in queue.judged(w.session, TRANSCRIPTION, person_id):
        raise AlreadyJudged(JUDGED)
    if figure.id in queue.built_from_text(w.session, person_id):
        raise AlreadyJudged(READ)
    if figure.id in queue.adjudicated(w.session):
        raise Refused(
            "Adjudication of this figure has started, so it needs no more transcriptions. Choose another one."
        )
    said = [assignments.said_by(row) for row in assignments.done_by_subject(w.session, figure.id).get(figure.id, [])]
    if outcome(said) is FigureOutcome.CLOSED:
        raise Refused("Two annotators found no graph in this figure. Choose another figure.")
    settings = settings_in(w.session)
    entry = queue.entry(w.session, TRANSCRIPTION, figure.id)
    declined = sum(row.state == DECLINED for row in rows)
    wanted = wanted_of(TRANSCRIPTION, figure.id, settings.rule, entry.wanted if entry else None, declined)
    if sum(row.state != "abandoned" for row in rows) >= wanted:
        raise NoPlace(FULL if own is None else FULL_AGAIN)
    own = _begun(w, figure, person_id) if own is None else own
    own.state = "returned" if own.comment else "open"
    own.expires_at = w.now + settings.idle
    w.session.add(own)
    w.session.flush()
    return own, True


def _begun(w: Writing, figure: FigureRow, person_id: str) -> AssignmentRow:
    graph = GraphRow(
        kind="transcription", figure_id=figure.id, paper_id=figure.paper_id, created_by=person_id, created_at=w.now
    )
    w.session.add(graph)
    w.session.flush()
    return AssignmentRow(
        kind=TRANSCRIPTION,
        subject_id=figure.id,
        person_id=person_id,
        graph_id=graph.id,
        claimed_at=w.now,
        proposals=decided_for(w.session, figure.id, person_id),
    )


def take_free(w: Writing, person_id: str) -> AssignmentRow:
    """A place of the best free figure for this person. Raises Refused if there is none."""
    row = first_free(
        w.session,
        (place.figure.id for place in open_to(w, person_id)),
        lambda figure_id, wait: queue.held_subject(w.session, TRANSCRIPTION, figure_id, wait=wait),
        lambda figure: take_place(w, figure, person_id)[0],
    )
    if row is None:
        raise Refused(NOTHING)
    return row


def refuse_unready(r: Reading) -> None:
    """Raises Refused if the viewer has the guidelines or the training before them."""
    waits = due_in(r)
    if waits.guidelines:
        raise Refused(
            f"Read the guidelines (version {waits.guidelines}) first, under Transcribe. Then you can take figures."
        )
    if waits.training:
        raise Refused("Draw the practice diagram first, under Transcribe. Then you can take figures.")
