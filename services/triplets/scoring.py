"""An expert's work: the next triplet, a score a criterion, comment, skip and hand in; and what they know about.

Every score is one act, kept at once and undone by setting it again. Until it is handed in nobody else sees it, and its
expert sees neither colleagues' scores nor critics' (`services.triplets.reading`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import May, Receipt, Viewer
from core.sign import Sign
from core.triplets.forms import Rubric
from core.words import quoted
from services.acting import Reading, Writing, consulting, perform, require_seen
from services.queue.claim_expiry import has_expired, state_now
from services.triplets import claims
from services.triplets.settings import settings_in
from store import queue
from store.assignments import EDITABLE, HANDED_IN, SCORED_KINDS
from store.tables import AssignmentRow
from store.triplets import lists, scores

LETTERS = frozenset("ABCDEFGHIJKLMNOPQRYZ")
"""The twenty primary JEL letters."""
LONGEST_COMMENT = 2_000
GONE = (
    "This claim expired without a score or was returned, and its place may go to someone else. "
    "Your scores are kept. Resume it to continue while a place is free."
)


@dataclass(frozen=True, slots=True)
class Expertise:
    """JEL letters an expert knows about, by letter; `version` 0: never said."""

    letters: tuple[str, ...]
    version: int


@dataclass(frozen=True, slots=True)
class ScoringQueue:
    """An expert's queue in numbers: begun, lapsed and still theirs to resume, free to take, those of the free that
    are of their own JEL letters, and handed in."""

    unfinished: int
    lapsed: int
    free: int
    in_expertise: int
    submitted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredLine:
    """One triplet an expert took. `state`: open, submitted, skipped or lapsed; `scored` of `criteria` are given."""

    assignment_id: str
    rubric: Rubric
    treatment: str
    outcome: str
    sign: Sign
    paper_title: str
    state: str
    scored: int
    criteria: int
    comment: str
    claimed_at: datetime
    submitted_at: datetime | None


# --- taking ------------------------------------------------------------------------------------------------------


def take_next(viewer: Viewer, *, act_id: str) -> Receipt:
    """Go on with one's own unfinished triplet, else take the next: of one's own JEL letters first. The receipt's
    subject is the assignment. Raises Refused if no triplet has a place for this person.

    Nobody is ever given a triplet again that they had, skipped ones and other files' copies included.
    """

    def act(w: Writing) -> Receipt:
        queue.hold_person(w.session, w.viewer.person_id)
        kind = settings_in(w.session).rubric.value
        mine = scores.taken_by(w.session, w.viewer.person_id)
        row = next((one for one in mine if one.kind == kind and state_now(w.session, one, w.now) in EDITABLE), None)
        name = "scoring.take" if row is None else "scoring.resume"
        row = row or claims.take_free(w, w.viewer.person_id)
        return w.record(name, "assignment", row.id, version=row.version, payload={"triplet": row.subject_id})

    return perform(viewer, May.SCORE, act_id, act)


def resume(viewer: Viewer, assignment_id: str, *, act_id: str) -> Receipt:
    """Go on with a triplet that one skipped, or whose claim lapsed.

    Raises Refused if its places are taken by now, or if one has seen meanwhile what others scored of it.
    """

    def act(w: Writing) -> Receipt:
        row = own(w, assignment_id)
        triplet = scores.held_triplet(w.session, row.subject_id)
        held = scores.held(w.session, assignment_id)
        assert triplet is not None and held is not None, "nothing is ever deleted"
        if held.state in HANDED_IN:
            raise Refused("These scores are submitted.")
        if lists.same_as(w.session, [triplet.id]) & scores.seen_by(w.session, w.viewer.person_id):
            raise Refused("You have seen other scores of this triplet, so yours would not be blind.")
        settings = settings_in(w.session)
        if state_now(w.session, held, w.now) == "abandoned":
            claims.refuse_full(w, triplet, held.kind, settings, but=held.id)
        held.state = "open"
        held.expires_at = w.now + settings.idle
        scores.touch(w.session, held)
        return w.record("scoring.resume", "assignment", held.id, version=held.version)

    return perform(viewer, May.SCORE, act_id, act)


# --- scoring -----------------------------------------------------------------------------------------------------


def score(viewer: Viewer, assignment_id: str, criterion: str, value: int | None, *, seen: int, act_id: str) -> Receipt:
    """Set one score, or take it back (None). `criterion` is one of the form's, or "verdict": one's own, 1 or 0.

    Raises BadInput for another criterion or a value outside its range, Refused for somebody else's, handed-in, skipped
    or lapsed work, Conflict after version `seen`.
    """

    def act(w: Writing) -> Receipt:
        row = _editable(w, assignment_id, seen)
        Rubric(row.kind).check(criterion, 0 if value is None else value)
        before = scores.keep_score(w.session, row.id, criterion, value, w.now)
        _prolong(w, row)
        payload = {"criterion": criterion, "before": before, "after": value}
        return w.record("scoring.score", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, May.SCORE, act_id, act)


def comment(viewer: Viewer, assignment_id: str, text: str, *, seen: int, act_id: str) -> Receipt:
    """Write the comment on one's own scores, or clear it. Raises as `score`, and BadInput for one that is too long."""
    plain = _clean(text)

    def act(w: Writing) -> Receipt:
        row = _editable(w, assignment_id, seen)
        payload = {"before": row.comment, "after": plain}
        row.comment = plain
        _prolong(w, row)
        return w.record("scoring.comment", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, May.SCORE, act_id, act)


def skip(viewer: Viewer, assignment_id: str, reason: str, *, seen: int, act_id: str) -> Receipt:
    """Give a triplet up and say why; its place is free for someone else, and it is not offered to oneself again.

    The scores so far are kept, and count nowhere. Raises as `score`, and BadInput without a reason.
    """
    plain = _clean(reason)
    if not plain:
        raise BadInput("Give a reason for skipping this triplet.")

    def act(w: Writing) -> Receipt:
        row = _editable(w, assignment_id, seen)
        payload = {"reason": plain, "comment": row.comment}
        row.state, row.comment, row.expires_at = "abandoned", plain, None
        scores.touch(w.session, row)
        return w.record("scoring.skip", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, May.SCORE, act_id, act)


def submit(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Hand one's scores in, for good: critics' scores may be shown from then on. The verdict follows from the scores.

    Raises as `score`, and Refused while a criterion is not scored.
    """

    def act(w: Writing) -> Receipt:
        row = _editable(w, assignment_id, seen)
        given = scores.scores_of(w.session, [row.id]).get(row.id, {})
        verdict = Rubric(row.kind).verdict(given)
        if verdict.missing:
            raise Refused(f"Not submitted: {verdict.reason}.")
        row.state, row.submitted_at, row.expires_at = "submitted", w.now, None
        scores.touch(w.session, row)
        payload = {"triplet": row.subject_id, "scores": given, "accepted": verdict.accepted, "total": verdict.total}
        return w.record("scoring.submit", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, May.SCORE, act_id, act)


def own(r: Reading, assignment_id: str) -> AssignmentRow:
    """One's own assignment of scoring, inside a caller's session. Raises Missing, or Refused for somebody else's."""
    row = r.session.get(AssignmentRow, assignment_id)
    if row is None or row.kind not in SCORED_KINDS:
        raise Missing("No such triplet has been assigned.")
    if row.person_id != r.viewer.person_id:
        raise Refused("These scores belong to someone else and stay hidden.")
    return row


def _editable(w: Writing, assignment_id: str, seen: int) -> AssignmentRow:
    own(w, assignment_id)
    row = scores.held(w.session, assignment_id)
    assert row is not None, "it was there a moment ago, and nothing is ever deleted"
    if row.state in HANDED_IN:
        raise Refused("These scores are submitted and cannot be changed.")
    if row.state not in EDITABLE or has_expired(w.session, row, w.now):
        raise Refused(GONE if row.expires_at is not None else "You skipped this triplet. Resume it to score it.")
    return require_seen(row, seen, "triplet's scores")


def _prolong(w: Writing, row: AssignmentRow) -> None:
    row.expires_at = w.now + settings_in(w.session).idle
    scores.touch(w.session, row)


def _clean(text: str) -> str:
    plain = text.replace("\x00", "").strip()
    if len(plain) > LONGEST_COMMENT:
        raise BadInput(f"This text has {len(plain):,} characters; at most {LONGEST_COMMENT:,} are allowed.")
    return plain


# --- what an expert knows about ----------------------------------------------------------------------------------


def expertise(viewer: Viewer) -> Expertise:
    """One's own JEL letters."""
    with consulting(viewer, May.SCORE) as r:
        letters, version = scores.expertise(r.session, r.viewer.person_id)
    return Expertise(tuple(letters), version)


def set_expertise(viewer: Viewer, letters: Iterable[str], *, seen: int, act_id: str) -> Receipt:
    """Say which JEL letters one knows about; the queue begins with them. None is right: then it has no preference.

    Raises BadInput for anything but one of the twenty letters, Conflict after version `seen`.
    """
    wanted = sorted({letter.strip().upper() for letter in letters})
    for letter in wanted:
        if letter not in LETTERS:
            raise BadInput(f"{quoted(letter)} is not a primary JEL letter; they are {', '.join(sorted(LETTERS))}.")

    def act(w: Writing) -> Receipt:
        queue.hold_person(w.session, w.viewer.person_id)
        before, version = scores.expertise(w.session, w.viewer.person_id)
        if version != seen:
            raise Conflict("Your fields of expertise have changed since you opened them.", seen=seen, found=version)
        row = scores.keep_expertise(w.session, w.viewer.person_id, wanted)
        payload = {"before": before, "after": wanted}
        return w.record("scoring.expertise", "person", w.viewer.person_id, version=row.version, payload=payload)

    return perform(viewer, May.SCORE, act_id, act)


# --- how far one is ----------------------------------------------------------------------------------------------


def waiting(viewer: Viewer) -> ScoringQueue:
    """One's own queue in numbers, of the form that stands now; what was handed in counts under any form."""
    with consulting(viewer, May.SCORE) as r:
        return waiting_in(r)


def waiting_in(r: Reading) -> ScoringQueue:
    kind = settings_in(r.session).rubric.value
    mine = scores.taken_by(r.session, r.viewer.person_id)
    states = [(row.kind, _state(r, row)) for row in mine]
    free, in_expertise = claims.count_open_to(r, r.viewer.person_id)
    return ScoringQueue(
        states.count((kind, "open")),
        states.count((kind, "lapsed")),
        free,
        in_expertise,
        sum(state == "submitted" for _, state in states),
    )


def my_scores(viewer: Viewer) -> tuple[ScoredLine, ...]:
    """Every triplet one took, the newest first."""
    with consulting(viewer, May.SCORE) as r:
        mine = scores.taken_by(r.session, r.viewer.person_id)
        given = scores.scores_of(r.session, [row.id for row in mine])
        lines = lists.lines_of(r.session, [row.subject_id for row in mine])
        states = {row.id: _state(r, row) for row in mine}
    return tuple(_line(row, lines[row.subject_id], states[row.id], given.get(row.id, {})) for row in reversed(mine))


def _state(r: Reading, row: AssignmentRow) -> str:
    """A claim that lapsed keeps its end; one that was skipped has none."""
    state = state_now(r.session, row, r.now)
    if state == "abandoned":
        return "skipped" if row.expires_at is None else "lapsed"
    return "open" if state in EDITABLE else "submitted"


def _line(row: AssignmentRow, line: lists.ListedTriplet, state: str, given: dict[str, int]) -> ScoredLine:
    rubric = Rubric(row.kind)
    keys = [each.key for each in rubric.criteria]
    return ScoredLine(
        assignment_id=row.id,
        rubric=rubric,
        treatment=line.treatment,
        outcome=line.outcome,
        sign=Sign(line.sign),
        paper_title=line.paper_title,
        state=state,
        scored=sum(key in given for key in keys),
        criteria=len(keys),
        comment=row.comment,
        claimed_at=row.claimed_at,
        submitted_at=row.submitted_at,
    )
