"""An expert's work on a triplet: one score per criterion, comment and submit; and their fields of expertise.

Every score is one act, stored at once and undone by setting it again. Until submission nobody else sees it, and its
expert sees neither colleagues' nor critics' scores (`services.triplets.reading`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import BadInput, Conflict, Refused
from core.people import Permission, Receipt, Viewer
from core.sign import Sign
from core.transcription.queue import OwnLine
from core.triplets.forms import Rubric
from core.words import quoted
from services.acting import Writing, consulting, perform
from services.queue.work import extend_claim, get_editable, list_own
from services.triplets.work_kind import TRIPLETS
from store import queue
from store.assignments import touch
from store.tables import AssignmentRow
from store.triplets import lists, scores

LETTERS = frozenset("ABCDEFGHIJKLMNOPQRYZ")  # the twenty primary JEL letters
LONGEST_COMMENT = 2_000


@dataclass(frozen=True, slots=True)
class Expertise:
    """JEL letters of an expert's fields; `version` 0: never stated."""

    letters: tuple[str, ...]
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredLine(OwnLine):
    """A triplet that an expert claimed. Its `state` is open, submitted, skipped or lapsed."""

    rubric: Rubric
    treatment: str
    outcome: str
    sign: Sign
    paper_title: str
    scored: int  # of the criteria
    criteria: int
    reason: str  # why it was skipped


# --- scoring -----------------------------------------------------------------------------------------------------


def score(viewer: Viewer, assignment_id: str, criterion: str, value: int | None, *, seen: int, act_id: str) -> Receipt:
    """Set one score, or clear it (None). `criterion` is one of the form's, or "verdict": the expert's own, 1 or 0.

    Raises BadInput for another criterion or a value outside its range, Refused for someone else's, submitted, skipped
    or expired work, Conflict after version `seen`.
    """

    def act(w: Writing) -> Receipt:
        row = get_editable(w, TRIPLETS, assignment_id, seen)
        Rubric(row.kind).check(criterion, 0 if value is None else value)
        before = scores.keep_score(w.session, row.id, criterion, value, w.now)
        extend_claim(w, TRIPLETS, row)
        payload = {"criterion": criterion, "before": before, "after": value}
        return w.record("scoring.score", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.SCORE, act_id, act)


def comment(viewer: Viewer, assignment_id: str, text: str, *, seen: int, act_id: str) -> Receipt:
    """Set the comment on the viewer's own scores, or clear it. Raises as `score`, and BadInput if it is too long."""
    plain = text.replace("\x00", "").strip()
    if len(plain) > LONGEST_COMMENT:
        raise BadInput(f"This text has {len(plain):,} characters; at most {LONGEST_COMMENT:,} are allowed.")

    def act(w: Writing) -> Receipt:
        row = get_editable(w, TRIPLETS, assignment_id, seen)
        payload = {"before": row.comment, "after": plain}
        row.comment = plain
        extend_claim(w, TRIPLETS, row)
        return w.record("scoring.comment", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.SCORE, act_id, act)


def submit(viewer: Viewer, assignment_id: str, *, seen: int, act_id: str) -> Receipt:
    """Submit the viewer's scores for good. The verdict follows from them; critics' scores may be shown afterwards.

    Raises as `score`, and Refused while a criterion is not scored.
    """

    def act(w: Writing) -> Receipt:
        row = get_editable(w, TRIPLETS, assignment_id, seen)
        own_scores = scores.scores_of(w.session, [row.id]).get(row.id, {})
        verdict = Rubric(row.kind).verdict(own_scores)
        if verdict.missing:
            raise Refused(f"Not submitted: {verdict.reason}.")
        row.state, row.submitted_at, row.expires_at = "submitted", w.now, None
        touch(w.session, row)
        payload = {
            "triplet": row.subject_id,
            "scores": own_scores,
            "accepted": verdict.accepted,
            "total": verdict.total,
        }
        return w.record("scoring.submit", "assignment", row.id, version=row.version, payload=payload)

    return perform(viewer, Permission.SCORE, act_id, act)


# --- expertise ---------------------------------------------------------------------------------------------------


def expertise(viewer: Viewer) -> Expertise:
    with consulting(viewer, Permission.SCORE) as r:
        letters, version = scores.expertise(r.session, r.viewer.person_id)
    return Expertise(tuple(letters), version)


def set_expertise(viewer: Viewer, letters: Iterable[str], *, seen: int, act_id: str) -> Receipt:
    """Set the viewer's JEL letters; the queue starts with them. None means no preference.

    Raises BadInput for anything but one of the twenty letters, Conflict after version `seen`.
    """
    chosen = sorted({letter.strip().upper() for letter in letters})
    for letter in chosen:
        if letter not in LETTERS:
            raise BadInput(f"{quoted(letter)} is not a primary JEL letter; they are {', '.join(sorted(LETTERS))}.")

    def act(w: Writing) -> Receipt:
        queue.hold_person(w.session, w.viewer.person_id)
        before, version = scores.expertise(w.session, w.viewer.person_id)
        if version != seen:
            raise Conflict("Your fields of expertise have changed since you opened them.", seen=seen, found=version)
        row = scores.keep_expertise(w.session, w.viewer.person_id, chosen)
        payload = {"before": before, "after": chosen}
        return w.record("scoring.expertise", "person", w.viewer.person_id, version=row.version, payload=payload)

    return perform(viewer, Permission.SCORE, act_id, act)


# --- own scores --------------------------------------------------------------------------------------------------


def my_scores(viewer: Viewer) -> tuple[ScoredLine, ...]:
    with consulting(viewer, Permission.SCORE) as r:
        own_work = list_own(r, TRIPLETS)
        scores_by_work = scores.scores_of(r.session, [row.id for row, _state in own_work])
        lines = lists.lines_of(r.session, [row.subject_id for row, _state in own_work])
    return tuple(
        _scored_line(row, lines[row.subject_id], state, scores_by_work.get(row.id, {})) for row, state in own_work
    )


def _scored_line(row: AssignmentRow, line: lists.ListedTriplet, state: str, own_scores: dict[str, int]) -> ScoredLine:
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
        scored=sum(key in own_scores for key in keys),
        criteria=len(keys),
        reason=row.reason,
        claimed_at=row.claimed_at,
        submitted_at=row.submitted_at,
    )
